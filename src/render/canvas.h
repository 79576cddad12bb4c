/* A framebuffer of fixed size and its pixels in memory: frames and screenshots are drawn into one. */
#ifndef PUDDLE_RENDER_CANVAS_H
#define PUDDLE_RENDER_CANVAS_H

#include "core/pixels.h"
#include <puddle/result.h>
#include <stdint.h>

typedef struct pd_canvas {
    unsigned framebuffer, colour; /* OpenGL names; colour: its renderbuffer */
    int width, height;
    pd_pixels pixels; /* the same size, and what a pixel has */
    uint8_t *rgb;     /* in this format; for pd_canvas_create width x height x 3 */
} pd_canvas;

/* Needs a current context. Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_canvas_create(pd_canvas *canvas, int width, int height, pd_error *error);
/* The same for pictures with 16 bits a channel or with alpha. */
pd_result pd_canvas_create_for(pd_canvas *canvas, const pd_pixels *pixels, pd_error *error);
/* Accepts a zeroed canvas. */
void pd_canvas_destroy(pd_canvas *canvas);
/* Reads what was drawn into canvas->rgb. With alpha what was drawn counts as light over nothing: where it is brighter than
 * its own alpha allows, as a glow is, the alpha is raised, so that over black the picture is the same. */
void pd_canvas_read(pd_canvas *canvas);

/* Reads any framebuffer into rgb: width x height x 3 bytes, rows from the top. */
void pd_framebuffer_read(unsigned framebuffer, int width, int height, uint8_t *rgb);

#endif
