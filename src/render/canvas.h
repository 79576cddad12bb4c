/* A framebuffer of fixed size and its pixels in memory: frames and screenshots are drawn into one. */
#ifndef PUDDLE_RENDER_CANVAS_H
#define PUDDLE_RENDER_CANVAS_H

#include <puddle/result.h>
#include <stdint.h>

typedef struct pd_canvas {
    unsigned framebuffer, colour; /* OpenGL names; colour: its renderbuffer */
    int width, height;
    uint8_t *rgb; /* width x height x 3, rows from the top */
} pd_canvas;

/* Needs a current context. Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_canvas_create(pd_canvas *canvas, int width, int height, pd_error *error);
/* Accepts a zeroed canvas. */
void pd_canvas_destroy(pd_canvas *canvas);
/* Reads what was drawn into canvas->rgb. */
void pd_canvas_read(pd_canvas *canvas);

/* Reads any framebuffer into rgb: width x height x 3 bytes, rows from the top. */
void pd_framebuffer_read(unsigned framebuffer, int width, int height, uint8_t *rgb);

#endif
