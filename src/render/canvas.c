#include "render/canvas.h"

#include "core/error.h"
#include <epoxy/gl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static pd_result create_framebuffer(pd_canvas *canvas, pd_error *error) {
    int width = canvas->width, height = canvas->height;
    GLint limit = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
    if (width > limit || height > limit)
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE,
                       "cannot draw pictures of %d x %d pixels: the driver ends at %d (use a smaller size)", width,
                       height, limit);
    glGenRenderbuffers(1, &canvas->colour);
    glBindRenderbuffer(GL_RENDERBUFFER, canvas->colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glGenFramebuffers(1, &canvas->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, canvas->colour);
    bool full = glGetError() == GL_OUT_OF_MEMORY;
    GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (full)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY,
                       "cannot draw pictures of %d x %d pixels: out of memory (use a smaller size)", width, height);
    if (status == GL_FRAMEBUFFER_COMPLETE) return PD_OK;
    return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE,
                   "cannot draw pictures of %d x %d pixels: the driver refuses (install or update the graphics driver)",
                   width, height);
}

pd_result pd_canvas_create(pd_canvas *canvas, int width, int height, pd_error *error) {
    *canvas = (pd_canvas){.width = width, .height = height};
    pd_result result = create_framebuffer(canvas, error);
    if (!result) canvas->rgb = malloc((size_t)width * (size_t)height * 3);
    if (!result && !canvas->rgb)
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY,
                         "cannot draw pictures of %d x %d pixels: out of memory (use a smaller size)", width, height);
    if (result) pd_canvas_destroy(canvas);
    return result;
}

void pd_canvas_destroy(pd_canvas *canvas) {
    if (canvas->framebuffer) glDeleteFramebuffers(1, &canvas->framebuffer);
    if (canvas->colour) glDeleteRenderbuffers(1, &canvas->colour);
    free(canvas->rgb);
    *canvas = (pd_canvas){0};
}

/* OpenGL's first row is the lowest. */
static void flip_rows(uint8_t *rgb, int height, size_t stride) {
    uint8_t row[4096];
    for (int top = 0, bottom = height - 1; top < bottom; top++, bottom--) {
        uint8_t *a = rgb + (size_t)top * stride, *b = rgb + (size_t)bottom * stride;
        for (size_t done = 0; done < stride; done += sizeof row) {
            size_t part = stride - done < sizeof row ? stride - done : sizeof row;
            memcpy(row, a + done, part);
            memcpy(a + done, b + done, part);
            memcpy(b + done, row, part);
        }
    }
}

void pd_framebuffer_read(unsigned framebuffer, int width, int height, uint8_t *rgb) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    flip_rows(rgb, height, (size_t)width * 3);
}

void pd_canvas_read(pd_canvas *canvas) {
    pd_framebuffer_read(canvas->framebuffer, canvas->width, canvas->height, canvas->rgb);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}
