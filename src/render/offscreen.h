/* Drawing without a window: SDL's offscreen video driver (EGL; no X server, no display), a framebuffer, and its pixels. */
#ifndef PUDDLE_RENDER_OFFSCREEN_H
#define PUDDLE_RENDER_OFFSCREEN_H

#include <puddle/result.h>
#include <stdint.h>

typedef struct pd_offscreen pd_offscreen;

/* Makes the context current on this thread. Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_offscreen_create(pd_offscreen **offscreen, int width, int height, pd_error *error);
void pd_offscreen_destroy(pd_offscreen *offscreen);
unsigned pd_offscreen_framebuffer(const pd_offscreen *offscreen);
/* Reads a framebuffer into rgb: width x height x 3 bytes, rows from the top. Used for windows too (target 0). */
void pd_framebuffer_read(unsigned framebuffer, int width, int height, uint8_t *rgb);

#endif
