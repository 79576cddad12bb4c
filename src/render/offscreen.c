#include "render/offscreen.h"

#include "core/error.h"
#include <epoxy/gl.h>
#include <SDL.h>
#include <stdlib.h>
#include <string.h>

struct pd_offscreen {
    SDL_Window *window;
    SDL_GLContext context;
    GLuint framebuffer, colour;
};

static const char advice[] =
    "install a graphics driver with OpenGL 3.3, on Debian: apt install libgl1-mesa-dri libegl1";

static pd_result create_context(pd_offscreen *offscreen, pd_error *error) {
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, SDL_GL_CONTEXT_FORWARD_COMPATIBLE_FLAG);
    offscreen->window = SDL_CreateWindow("puddle", 0, 0, 16, 16, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
    if (!offscreen->window)
        return pd_fail(error, PD_ITEM_GRAPHICS_UNAVAILABLE, "cannot draw without a window: %s (%s)", SDL_GetError(),
                       advice);
    offscreen->context = SDL_GL_CreateContext(offscreen->window);
    if (!offscreen->context)
        return pd_fail(error, PD_ITEM_GRAPHICS_UNAVAILABLE, "cannot create an OpenGL 3.3 context: %s (%s)",
                       SDL_GetError(), advice);
    if (SDL_GL_MakeCurrent(offscreen->window, offscreen->context))
        return pd_fail(error, PD_ITEM_GRAPHICS_UNAVAILABLE, "cannot use the OpenGL context: %s (%s)", SDL_GetError(),
                       advice);
    if (epoxy_gl_version() < 33)
        return pd_fail(error, PD_ITEM_GRAPHICS_UNAVAILABLE,
                       "cannot draw: the driver offers OpenGL %d.%d, 3.3 is needed (%s)", epoxy_gl_version() / 10,
                       epoxy_gl_version() % 10, advice);
    return PD_OK;
}

static pd_result create_framebuffer(pd_offscreen *offscreen, int width, int height, pd_error *error) {
    GLint limit = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
    if (width > limit || height > limit)
        return pd_fail(error, PD_ITEM_GRAPHICS_UNAVAILABLE,
                       "cannot draw pictures of %d x %d pixels: the driver ends at %d (give a smaller --size)", width,
                       height, limit);
    glGenRenderbuffers(1, &offscreen->colour);
    glBindRenderbuffer(GL_RENDERBUFFER, offscreen->colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glGenFramebuffers(1, &offscreen->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, offscreen->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, offscreen->colour);
    if (glGetError() == GL_OUT_OF_MEMORY)
        return pd_fail(error, PD_ITEM_OUT_OF_MEMORY,
                       "cannot draw pictures of %d x %d pixels: out of memory (give a smaller --size)", width, height);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return pd_fail(error, PD_ITEM_GRAPHICS_UNAVAILABLE,
                       "cannot draw pictures of %d x %d pixels: the driver refuses (%s)", width, height, advice);
    return PD_OK;
}

pd_result pd_offscreen_create(pd_offscreen **created, int width, int height, pd_error *error) {
    *created = NULL;
    pd_offscreen *offscreen = calloc(1, sizeof *offscreen);
    if (!offscreen)
        return pd_fail(error, PD_ITEM_OUT_OF_MEMORY, "cannot start drawing: out of memory (close other programs)");
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
    if (SDL_InitSubSystem(SDL_INIT_VIDEO)) {
        free(offscreen);
        return pd_fail(error, PD_ITEM_GRAPHICS_UNAVAILABLE, "cannot draw without a window: %s (%s)", SDL_GetError(),
                       advice);
    }
    pd_result result = create_context(offscreen, error);
    if (!result) result = create_framebuffer(offscreen, width, height, error);
    if (result) {
        pd_offscreen_destroy(offscreen);
        return result;
    }
    *created = offscreen;
    return PD_OK;
}

void pd_offscreen_destroy(pd_offscreen *offscreen) {
    if (!offscreen) return;
    if (offscreen->framebuffer) glDeleteFramebuffers(1, &offscreen->framebuffer);
    if (offscreen->colour) glDeleteRenderbuffers(1, &offscreen->colour);
    if (offscreen->context) SDL_GL_DeleteContext(offscreen->context);
    if (offscreen->window) SDL_DestroyWindow(offscreen->window);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    free(offscreen);
}

unsigned pd_offscreen_framebuffer(const pd_offscreen *offscreen) { return offscreen->framebuffer; }

/* OpenGL counts rows from the bottom. */
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
