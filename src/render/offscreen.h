/* Drawing without a window: SDL's offscreen video driver (EGL; no X server, no display), and a canvas. */
#ifndef PUDDLE_RENDER_OFFSCREEN_H
#define PUDDLE_RENDER_OFFSCREEN_H

#include "render/canvas.h"

typedef struct pd_offscreen pd_offscreen;

/* Makes the context current on this thread. Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_offscreen_create(pd_offscreen **offscreen, int width, int height, pd_error *error);
void pd_offscreen_destroy(pd_offscreen *offscreen);
unsigned pd_offscreen_framebuffer(const pd_offscreen *offscreen); /* of its canvas */

#endif
