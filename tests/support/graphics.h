/* A canvas without a window and a renderer, for tests of pictures. */
#ifndef PUDDLE_TESTS_GRAPHICS_H
#define PUDDLE_TESTS_GRAPHICS_H

#include "test.h"

#include "render/canvas.h"
#include "render/renderer.h"
#include <epoxy/gl.h>
#include <stdio.h>

static pd_offscreen *offscreen;
static pd_canvas canvas;
static pd_renderer *renderer;

/* Creates canvas and renderer. Returns 0, or -1 with a printed error, like cmocka's fixtures. Size in pixels. */
static inline int create_graphics(int width, int height) {
    pd_error error;
    if (pd_offscreen_create(&offscreen, &error) || pd_canvas_create(&canvas, width, height, &error) ||
        pd_renderer_create(&renderer, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return -1;
    }
    return 0;
}

static inline int close_graphics(void **state) {
    (void)state;
    pd_renderer_destroy(renderer);
    pd_canvas_destroy(&canvas);
    pd_offscreen_destroy(offscreen);
    return 0;
}

/* Reads the lower left corner of the canvas: 3 bytes per pixel, rows from the top. */
static inline void read_pixels(int width, int height, uint8_t *pixels) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas.framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    for (int y = 0; y < height; y++)
        glReadPixels(0, height - 1 - y, width, 1, GL_RGB, GL_UNSIGNED_BYTE, pixels + (size_t)y * (size_t)width * 3);
}

#endif
