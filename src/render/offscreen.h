/* Drawing without a window: an OpenGL context of SDL's offscreen driver (EGL, no display), and a canvas. */
#ifndef PUDDLE_RENDER_OFFSCREEN_H
#define PUDDLE_RENDER_OFFSCREEN_H

#include "render/canvas.h"

typedef struct pd_offscreen pd_offscreen;

/* Creates the OpenGL context, makes it current on this thread, and creates a canvas. Errors: GRAPHICS_UNAVAILABLE,
 * OUT_OF_MEMORY. */
pd_result pd_offscreen_create(pd_offscreen **offscreen, int width, int height, pd_error *error);
void pd_offscreen_destroy(pd_offscreen *offscreen);
unsigned pd_offscreen_framebuffer(const pd_offscreen *offscreen); /* OpenGL name of the canvas's framebuffer */

#endif
