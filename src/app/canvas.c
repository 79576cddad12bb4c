#include "app/canvas.h"

#include "core/error.h"
#include "render/offscreen.h"
#include <epoxy/gl.h>
#include <stdlib.h>

pd_result pd_canvas_create(pd_canvas *canvas, int width, int height, pd_error *error) {
    *canvas = (pd_canvas){.width = width, .height = height};
    canvas->rgb = malloc((size_t)width * (size_t)height * 3);
    if (!canvas->rgb)
        return pd_fail(error, PD_ITEM_OUT_OF_MEMORY, "drawing a %d x %d picture: out of memory", width, height);
    glGenRenderbuffers(1, &canvas->colour);
    glBindRenderbuffer(GL_RENDERBUFFER, canvas->colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glGenFramebuffers(1, &canvas->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, canvas->colour);
    GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (status == GL_FRAMEBUFFER_COMPLETE) return PD_OK;
    pd_canvas_destroy(canvas);
    return pd_fail(error, PD_ITEM_GRAPHICS_UNAVAILABLE,
                   "drawing a %d x %d picture: the graphics driver refuses that size (make the window smaller)", width,
                   height);
}

void pd_canvas_destroy(pd_canvas *canvas) {
    if (canvas->framebuffer) glDeleteFramebuffers(1, &canvas->framebuffer);
    if (canvas->colour) glDeleteRenderbuffers(1, &canvas->colour);
    free(canvas->rgb);
    *canvas = (pd_canvas){0};
}

void pd_canvas_read(pd_canvas *canvas) {
    pd_framebuffer_read(canvas->framebuffer, canvas->width, canvas->height, canvas->rgb);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}
