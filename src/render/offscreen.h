/* Drawing without a window: an OpenGL context of SDL's offscreen driver (EGL, no display). */
#ifndef PUDDLE_RENDER_OFFSCREEN_H
#define PUDDLE_RENDER_OFFSCREEN_H

#include <puddle/result.h>

typedef struct pd_offscreen pd_offscreen;

/* Creates the OpenGL context and makes it current on this thread. Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_offscreen_create(pd_offscreen **offscreen, pd_error *error);
void pd_offscreen_destroy(pd_offscreen *offscreen);

#endif
