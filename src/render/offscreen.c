#include "render/offscreen.h"

#include "core/error.h"
#include <epoxy/gl.h>
#include <SDL.h>
#include <stdlib.h>

struct pd_offscreen {
    SDL_Window *window;
    SDL_GLContext context;
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
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE, "cannot draw without a window: %s (%s)", SDL_GetError(),
                       advice);
    offscreen->context = SDL_GL_CreateContext(offscreen->window);
    if (!offscreen->context)
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE, "cannot create an OpenGL 3.3 context: %s (%s)",
                       SDL_GetError(), advice);
    if (SDL_GL_MakeCurrent(offscreen->window, offscreen->context))
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE, "cannot use the OpenGL context: %s (%s)", SDL_GetError(),
                       advice);
    if (epoxy_gl_version() < 33)
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE,
                       "cannot draw: the driver offers OpenGL %d.%d, 3.3 is needed (%s)", epoxy_gl_version() / 10,
                       epoxy_gl_version() % 10, advice);
    return PD_OK;
}

pd_result pd_offscreen_create(pd_offscreen **created, pd_error *error) {
    *created = NULL;
    pd_offscreen *offscreen = calloc(1, sizeof *offscreen);
    if (!offscreen)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot start drawing: out of memory (close other programs)");
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
    if (SDL_InitSubSystem(SDL_INIT_VIDEO)) {
        free(offscreen);
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE, "cannot draw without a window: %s (%s)", SDL_GetError(),
                       advice);
    }
    pd_result result = create_context(offscreen, error);
    if (result) {
        pd_offscreen_destroy(offscreen);
        return result;
    }
    *created = offscreen;
    return PD_OK;
}

void pd_offscreen_destroy(pd_offscreen *offscreen) {
    if (!offscreen) return;
    if (offscreen->context) SDL_GL_DeleteContext(offscreen->context);
    if (offscreen->window) SDL_DestroyWindow(offscreen->window);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    free(offscreen);
}
