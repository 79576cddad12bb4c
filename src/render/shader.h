/* Loads shader programs from the files in shaders/. */
#ifndef PUDDLE_RENDER_SHADER_H
#define PUDDLE_RENDER_SHADER_H

#include "render/picture.h"

/* Compiles and links a program from shaders/<vertex> and shaders/<fragment>. Errors: SHADER_BROKEN, DATA_MISSING,
 * OUT_OF_MEMORY. */
pd_result pd_shader_load(unsigned *program, const char *vertex, const char *fragment, pd_error *error);
/* As pd_shader_load, but first inserts `definitions` into the fragment shader: lines such as "#define NO_LINES
". */
pd_result pd_shader_load_variant(unsigned *program, const char *vertex, const char *fragment, const char *definitions,
                                 pd_error *error);
/* Sets a program's uniform "area" to the part of the picture to draw. Makes the program current. */
void pd_shader_set_area(unsigned program, const pd_pixel_area *area);
/* Sets a program's sampler `name` to a texture unit. Makes the program current. */
void pd_shader_set_sampler(unsigned program, const char *name, int unit);

#endif
