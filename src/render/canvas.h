/* A framebuffer of fixed size and its pixels in memory: frames and screenshots are drawn into one. */
#ifndef PUDDLE_RENDER_CANVAS_H
#define PUDDLE_RENDER_CANVAS_H

#include "core/pixels.h"
#include "render/picture.h"
#include <puddle/result.h>
#include <stdint.h>

typedef struct pd_canvas {
    unsigned framebuffer, colour; /* OpenGL names; colour: its renderbuffer */
    int width, height;
    int area_width, area_height; /* of the framebuffer; smaller than the picture where that is too large for it */
    pd_pixels pixels;            /* width, height and what a pixel has */
    uint8_t *rgb;                /* in this format; for pd_canvas_create width x height x 3 */
} pd_canvas;

/* Needs a current context. Pictures may be of any size: those with a side above some thousand pixels are drawn in areas, each
 * with the same framebuffer.
 *
 *     pd_pixel_area area = {0};
 *     while (pd_canvas_next(&canvas, &area)) { draw the area; pd_canvas_read(&canvas, &area); }
 *
 * Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_canvas_create(pd_canvas *canvas, int width, int height, pd_error *error);
/* The same for pictures with 16 bits a channel or with alpha. limit: pixels that a side of an area has at most; 0: as many as
 * the driver does well. */
pd_result pd_canvas_create_for(pd_canvas *canvas, const pd_pixels *pixels, int limit, pd_error *error);
/* The first area, or the one after *area; false: that was the last one. */
bool pd_canvas_next(const pd_canvas *canvas, pd_pixel_area *area);
/* The same within a part of the canvas that shows a picture of its own; *area is that of the canvas. */
bool pd_canvas_next_in(const pd_canvas *canvas, const pd_pixel_area *part, pd_pixel_area *area);
/* Accepts a zeroed canvas. */
void pd_canvas_destroy(pd_canvas *canvas);
/* Reads what was drawn of an area into its place in canvas->rgb. With alpha what was drawn counts as light over nothing:
 * where it is brighter than its own alpha allows, as a glow is, the alpha is raised, so that over black the picture is the
 * same. */
void pd_canvas_read(pd_canvas *canvas, const pd_pixel_area *area);

/* Reads any framebuffer into rgb: width x height x 3 bytes, rows from the top. */
void pd_framebuffer_read(unsigned framebuffer, int width, int height, uint8_t *rgb);

#endif
