/* A framebuffer of fixed size and its pixels in memory, for frames and screenshots. */
#ifndef PUDDLE_RENDER_CANVAS_H
#define PUDDLE_RENDER_CANVAS_H

#include "core/pixels.h"
#include "render/picture.h"
#include <puddle/result.h>
#include <stdint.h>

typedef struct pd_canvas {
    unsigned framebuffer, colour; /* OpenGL names of the framebuffer and its colour renderbuffer */
    int width, height;
    int area_width, area_height; /* size of the framebuffer, smaller than that of a large picture */
    pd_pixels pixels;            /* size and format of the picture */
    uint8_t *rgb;                /* data in this format; for pd_canvas_create width x height x 3 bytes */
} pd_canvas;

/* Creates a canvas in the current context. Pictures may have any size: large ones are drawn in areas, with the same
 * framebuffer for each.
 *
 *     pd_pixel_area area = {0};
 *     while (pd_canvas_next(&canvas, &area)) { draw the area; pd_canvas_read(&canvas, &area); }
 *
 * Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_canvas_create(pd_canvas *canvas, int width, int height, pd_error *error);
/* Creates a canvas with 16 bits a channel or with alpha. limit: largest side of an area, pixels; 0: the driver's
 * limit. */
pd_result pd_canvas_create_for(pd_canvas *canvas, const pd_pixels *pixels, int limit, pd_error *error);
/* Sets *area to the first or next one. Returns false after the last. */
bool pd_canvas_next(const pd_canvas *canvas, pd_pixel_area *area);
/* Sets *area to the next one within a part of the canvas that shows a picture of its own. *area is relative to the
 * canvas. */
bool pd_canvas_next_in(const pd_canvas *canvas, const pd_pixel_area *part, pd_pixel_area *area);
/* Destroys a canvas, which may be zeroed. */
void pd_canvas_destroy(pd_canvas *canvas);
/* Copies the drawn pixels of an area to canvas->rgb. With alpha, colours are light over nothing. Where a colour is
 * brighter than its alpha (a glow), the alpha is raised to it, so that the picture over black stays the same. */
void pd_canvas_read(pd_canvas *canvas, const pd_pixel_area *area);

/* Reads any framebuffer into rgb: width x height x 3 bytes, rows from the top. */
void pd_framebuffer_read(unsigned framebuffer, int width, int height, uint8_t *rgb);

#endif
