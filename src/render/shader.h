/* Shader programs from the files in shaders/. */
#ifndef PUDDLE_RENDER_SHADER_H
#define PUDDLE_RENDER_SHADER_H

#include "render/picture.h"

/* Compiles and links shaders/<vertex> and shaders/<fragment>. Errors: SHADER_BROKEN, DATA_MISSING, OUT_OF_MEMORY. */
pd_result pd_shader_load(unsigned *program, const char *vertex, const char *fragment, pd_error *error);
/* Loads a program with definitions for its fragment shader: lines such as "#define NO_LINES\n". */
pd_result pd_shader_load_variant(unsigned *program, const char *vertex, const char *fragment, const char *definitions,
                                 pd_error *error);
/* Sets the uniform "area" of a program: the part of the picture to draw. Makes the program current. */
void pd_shader_set_area(unsigned program, const pd_pixel_area *area);
/* Assigns a sampler of a program to a texture unit. Makes the program current. */
void pd_shader_set_sampler(unsigned program, const char *name, int unit);

#endif
