/* Programs from the files in shaders/. */
#ifndef PUDDLE_RENDER_SHADER_H
#define PUDDLE_RENDER_SHADER_H

#include "render/picture.h"

/* Compiles and links shaders/<vertex> and shaders/<fragment>. Errors: SHADER_BROKEN, DATA_MISSING, OUT_OF_MEMORY. */
pd_result pd_shader_load(unsigned *program, const char *vertex, const char *fragment, pd_error *error);
/* The same with definitions for the fragment shader: lines such as "#define NO_LINES\n". */
pd_result pd_shader_load_variant(unsigned *program, const char *vertex, const char *fragment, const char *definitions,
                                 pd_error *error);
/* Sets "area" of the program, which becomes the current one. */
void pd_shader_area(unsigned program, const pd_pixel_area *area);
/* Points a sampler of the program, which becomes the current one, at a texture unit. */
void pd_shader_sampler(unsigned program, const char *name, int unit);

#endif
