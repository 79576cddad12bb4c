/* Canvas: memory for a whole picture (a frame or a screenshot), and a framebuffer in which it is drawn area by area. */
#ifndef PUDDLE_RENDER_CANVAS_H
#define PUDDLE_RENDER_CANVAS_H

#include "core/pixels.h"
#include "render/picture.h"
#include <puddle/result.h>
#include <stdint.h>

/* Sets the filter of the bound texture, GL_LINEAR or GL_NEAREST. Coordinates outside the texture have the colour of its edge. */
void pd_texture_set_filter(unsigned filter);

/* Target: a texture, and a framebuffer to draw into the texture. */
typedef struct pd_target {
    unsigned texture, framebuffer; /* OpenGL names */
    int width, height;             /* size of the texture, texels */
} pd_target;

/* Allocates the texture with a sized OpenGL format (GL_RGBA16F) and binds the framebuffer. Does nothing if the texture
 * already has this size, even in another format. */
void pd_target_resize(pd_target *target, int width, int height, unsigned format);
void pd_target_free(pd_target *target);

typedef struct pd_canvas {
    unsigned framebuffer, colour; /* OpenGL names of the framebuffer and its colour buffer */
    int width, height;            /* size of the whole picture, pixels */
    /* Size of the framebuffer, pixels. A larger picture is drawn in several areas, one after the other. */
    int area_width, area_height;
    pd_pixels pixels; /* size and format of the whole picture */
    uint8_t *rgb;     /* pixels of the whole picture in the format `pixels`, rows from the top */
} pd_canvas;

/* Creates a canvas for 8-bit RGB in the current OpenGL context. A picture larger than the framebuffer is drawn in
 * areas (ui_draw_picture). Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_canvas_create(pd_canvas *canvas, int width, int height, pd_error *error);
/* Creates a canvas with the size and format `pixels`. area_limit: largest side of an area, pixels; 0: the driver's
 * limit. */
pd_result pd_canvas_create_with_format(pd_canvas *canvas, const pd_pixels *pixels, int area_limit, pd_error *error);
/* Divides a rectangle of the canvas into areas, for example one of two pictures side by side. Sets *area to the first one if *area is
 * all zero, otherwise to the area after *area, relative to the canvas. Returns false if *area was the last one. */
bool pd_canvas_get_next_area(const pd_canvas *canvas, const pd_pixel_area *rectangle, pd_pixel_area *area);
/* Destroys a canvas. *canvas may be all zero. */
void pd_canvas_destroy(pd_canvas *canvas);
/* Copies the drawn area from the framebuffer to canvas->rgb. If the format has alpha, divides colours by alpha (straight
 * alpha). Where a premultiplied colour exceeds its alpha, as in a glow, alpha is first raised to the colour, which changes
 * nothing over a black background. */
void pd_canvas_read_area(pd_canvas *canvas, const pd_pixel_area *area);

/* Drawing without a window: an OpenGL context of SDL's offscreen driver (EGL, no display). */
typedef struct pd_offscreen pd_offscreen;

/* Creates the OpenGL context and makes it current on this thread. Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_offscreen_create(pd_offscreen **offscreen, pd_error *error);
void pd_offscreen_destroy(pd_offscreen *offscreen);

#endif
