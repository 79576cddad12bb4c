/* Canvas: a framebuffer, and memory for the whole picture. For frames and screenshots. */
#ifndef PUDDLE_RENDER_CANVAS_H
#define PUDDLE_RENDER_CANVAS_H

#include "core/pixels.h"
#include "render/picture.h"
#include <puddle/result.h>
#include <stdint.h>

typedef struct pd_canvas {
    unsigned framebuffer, colour; /* OpenGL names of the framebuffer and its colour buffer */
    int width, height;
    /* size of the framebuffer, pixels; the areas of a larger picture are drawn one after the other */
    int area_width, area_height;
    pd_pixels pixels; /* size and format of the whole picture */
    uint8_t *rgb;     /* whole picture in the format `pixels`, rows from the top */
} pd_canvas;

/* Creates a canvas for 8-bit RGB in the current OpenGL context. A picture larger than the framebuffer is drawn in
 * areas:
 *
 *     pd_pixel_area area = {0};
 *     while (pd_canvas_next_area(&canvas, &area)) { draw the area; pd_canvas_read_area(&canvas, &area); }
 *
 * Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_canvas_create(pd_canvas *canvas, int width, int height, pd_error *error);
/* Creates a canvas with the size and format `pixels`. area_limit: largest side of an area, pixels; 0: the driver's
 * limit. */
pd_result pd_canvas_create_with_format(pd_canvas *canvas, const pd_pixels *pixels, int area_limit, pd_error *error);
/* Sets *area to the picture's first area if *area is zeroed, else to the next area. Returns false after the last
 * area. */
bool pd_canvas_next_area(const pd_canvas *canvas, pd_pixel_area *area);
/* Sets *area to the next area within `part`, a part of the canvas with a picture of its own, such as one half. *area is
 * relative to the canvas. Returns false after the last area. */
bool pd_canvas_next_area_of_part(const pd_canvas *canvas, const pd_pixel_area *part, pd_pixel_area *area);
/* Destroys a canvas, which may be zeroed. */
void pd_canvas_destroy(pd_canvas *canvas);
/* Copies the drawn area from the framebuffer to canvas->rgb. With alpha, colours become straight (not premultiplied).
 * Where a colour is brighter than its alpha, as in a glow, alpha is raised to that brightness: over black the picture
 * looks the same. */
void pd_canvas_read_area(pd_canvas *canvas, const pd_pixel_area *area);

/* Reads a framebuffer into rgb: width x height x 3 bytes, rows from the top. */
void pd_framebuffer_read(unsigned framebuffer, int width, int height, uint8_t *rgb);

#endif
