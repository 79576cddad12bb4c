/* Canvas: a framebuffer of fixed size and its pixels in memory, for frames and screenshots. */
#ifndef PUDDLE_RENDER_CANVAS_H
#define PUDDLE_RENDER_CANVAS_H

#include "core/pixels.h"
#include "render/picture.h"
#include <puddle/result.h>
#include <stdint.h>

typedef struct pd_canvas {
    unsigned framebuffer, colour; /* OpenGL names of the framebuffer and of its colour renderbuffer */
    int width, height;
    /* size of the framebuffer, pixels; a large picture is drawn in several areas of this size */
    int area_width, area_height;
    pd_pixels pixels; /* size and format of the picture */
    uint8_t *rgb;     /* pixels of the whole picture in this format */
} pd_canvas;

/* Creates a canvas in the current OpenGL context. Large pictures are drawn in areas, with the same framebuffer for
 * each.
 *
 *     pd_pixel_area area = {0};
 *     while (pd_canvas_next_area(&canvas, &area)) { draw the area; pd_canvas_read_area(&canvas, &area); }
 *
 * Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_canvas_create(pd_canvas *canvas, int width, int height, pd_error *error);
/* Creates a canvas with 16 bits a channel or with alpha. limit: largest side of an area, pixels; 0: the driver's
 * limit. */
pd_result pd_canvas_create_with_format(pd_canvas *canvas, const pd_pixels *pixels, int area_limit, pd_error *error);
/* Sets *area to the picture's first area if it is zeroed, else to the next one. Returns false after the last. */
bool pd_canvas_next_area(const pd_canvas *canvas, pd_pixel_area *area);
/* Sets *area to the next one within a part of the canvas that has a picture of its own, such as a half. *area is
 * relative to the canvas. */
bool pd_canvas_next_area_of_part(const pd_canvas *canvas, const pd_pixel_area *part, pd_pixel_area *area);
/* Destroys a canvas. A zeroed canvas is allowed. */
void pd_canvas_destroy(pd_canvas *canvas);
/* Copies the drawn pixels of an area to canvas->rgb. With alpha, colours are light over nothing. Where a colour is
 * brighter than its alpha (a glow), the alpha is raised to the colour, so that the picture over black stays the
 * same. */
void pd_canvas_read_area(pd_canvas *canvas, const pd_pixel_area *area);

/* Reads any framebuffer into rgb: width x height x 3 bytes, rows from the top. */
void pd_framebuffer_read(unsigned framebuffer, int width, int height, uint8_t *rgb);

#endif
