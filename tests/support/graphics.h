/* An offscreen framebuffer and a renderer, for tests of pictures. */
#ifndef PUDDLE_TESTS_GRAPHICS_H
#define PUDDLE_TESTS_GRAPHICS_H

#include "test.h"

#include "render/offscreen.h"
#include "render/renderer.h"
#include <epoxy/gl.h>
#include <stdio.h>

static pd_offscreen *offscreen;
static pd_renderer *renderer;

/* Creates framebuffer and renderer. Returns 0, or -1 with a printed error, like cmocka's fixtures. Size in pixels. */
static inline int create_graphics(int width, int height) {
    pd_error error;
    if (pd_offscreen_create(&offscreen, width, height, &error) || pd_renderer_create(&renderer, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return -1;
    }
    return 0;
}

static inline int close_graphics(void **state) {
    (void)state;
    pd_renderer_destroy(renderer);
    pd_offscreen_destroy(offscreen);
    return 0;
}

#endif
