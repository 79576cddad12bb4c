#include "app/device/display.h"

#include "app/io/settings.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include <epoxy/gl.h>
#include <math.h>
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WINDOW = 16384 }; /* greatest width or height of a window in SDL, units of the window system */

static const char no_display[] = "start puddle from a desktop session; `puddle render` draws without one";
static const char no_graphics[] = "install or update the graphics driver; OpenGL 3.3 is needed";

/* ---- Size and place of the window, saved for later runs ---- */

static const char MAXIMIZED[] = "maximized";

/* Reads the saved placement. False: none is saved. */
static bool read_placement(pd_placement *placement) {
    char value[64], word[16] = "";
    pd_rectangle *normal = &placement->normal;
    *placement = (pd_placement){0};
    if (!pd_settings_read(PD_SETTING_WINDOW, value, sizeof value)) return false;
    int count = sscanf(value, "%d %d %d %d %15s", &normal->x, &normal->y, &normal->width, &normal->height, word);
    placement->maximized = strcmp(word, MAXIMIZED) == 0;
    bool valid = count >= 4 && normal->width > 0 && normal->height > 0;
    if (!valid) *normal = (pd_rectangle){0};
    return valid;
}

/* Returns the index of the screen that shows the middle of a rectangle. -1: none. */
static int find_screen(const pd_rectangle *rectangle) {
    SDL_Point middle = {rectangle->x + rectangle->width / 2, rectangle->y + rectangle->height / 2};
    for (int i = 0; i < SDL_GetNumVideoDisplays(); i++) {
        SDL_Rect bounds;
        if (SDL_GetDisplayBounds(i, &bounds) == 0 && SDL_PointInRect(&middle, &bounds)) return i;
    }
    return -1;
}

/* Moves and resizes a window as saved. A place beyond all screens is replaced by the middle of the screen. */
static void apply_placement(const pd_placement *placement, SDL_Window *window) {
    pd_rectangle wanted = placement->normal;
    SDL_Rect usable;
    int screen = find_screen(&wanted);
    if (SDL_GetDisplayUsableBounds(screen < 0 ? SDL_GetWindowDisplayIndex(window) : screen, &usable) == 0) {
        if (wanted.width > usable.w) wanted.width = usable.w;
        if (wanted.height > usable.h) wanted.height = usable.h;
    }
    SDL_SetWindowSize(window, wanted.width, wanted.height);
    if (screen < 0)
        SDL_SetWindowPosition(window, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED);
    else
        SDL_SetWindowPosition(window, wanted.x, wanted.y);
    if (placement->maximized) SDL_MaximizeWindow(window);
}

void pd_placement_update(pd_placement *placement, SDL_Window *window) {
    Uint32 flags = SDL_GetWindowFlags(window), full = SDL_WINDOW_FULLSCREEN | SDL_WINDOW_FULLSCREEN_DESKTOP;
    pd_rectangle now;
    if (flags & (full | SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN)) return;
    SDL_GetWindowPosition(window, &now.x, &now.y);
    SDL_GetWindowSize(window, &now.width, &now.height);
    placement->maximized = (flags & SDL_WINDOW_MAXIMIZED) != 0;
    bool same = memcmp(&now, &placement->normal, sizeof now) == 0;
    if (placement->maximized) {
        /* The new size may be reported before the window counts as maximised. */
        if (same) placement->normal = placement->before;
    } else if (!same) {
        placement->before = placement->normal;
        placement->normal = now;
    }
}

/* Saves the placement for later runs, if it differs from the saved one. A failure only loses the placement. */
static void save_placement(const pd_placement *placement) {
    const pd_rectangle *normal = &placement->normal;
    char value[96], saved[96];
    if (normal->width <= 0) return;
    snprintf(value, sizeof value, "%d %d %d %d%s%s", normal->x, normal->y, normal->width, normal->height,
             placement->maximized ? " " : "", placement->maximized ? MAXIMIZED : "");
    bool same = pd_settings_read(PD_SETTING_WINDOW, saved, sizeof saved) && strcmp(saved, value) == 0;
    if (!same) pd_settings_save(PD_SETTING_WINDOW, value, NULL);
}

/* ---- Scale ---- */

/* Returns a scale for window systems without one (X11), from the screen's pixels per inch. X11 computes the density from the
 * screen's size in millimetres, which is often wrong. Hence the scale exceeds 1 only if 1400 x 900 interface units fit the
 * screen. */
static float choose_scale_by_density(SDL_Window *window) {
    int index = SDL_GetWindowDisplayIndex(window);
    float density = 0;
    SDL_Rect bounds;
    if (index < 0 || SDL_GetDisplayDPI(index, NULL, &density, NULL) || SDL_GetDisplayBounds(index, &bounds)) return 1;
    float scale = roundf(density / 96 * 4) / 4;
    if (!(scale >= 1.5f)) return 1;
    scale = fminf(scale, 3);
    while (scale > 1 && ((float)bounds.h / scale < 900 || (float)bounds.w / scale < 1400)) scale -= 0.25f;
    return scale;
}

/* Returns the scale that the user chose: by --scale, PUDDLE_SCALE, or in the panel of this or an earlier window. 0: none. */
static float read_chosen_scale(const pd_app_options *options) {
    char saved[32];
    const char *text = getenv("PUDDLE_SCALE");
    double number;
    if (options->scale > 0) return (float)options->scale;
    if (!text && pd_settings_read(PD_SETTING_SCALE, saved, sizeof saved)) text = saved;
    bool valid = text && pd_text_read_number(text, &number) && number >= PD_LEAST_SCALE && number <= PD_MOST_SCALE;
    return valid ? (float)number : 0;
}

void pd_display_update_size(pd_display *display) {
    int units = 0;
    SDL_GetWindowSize(display->window, &units, NULL);
    SDL_GL_GetDrawableSize(display->window, &display->width, &display->height);
    if (display->width < 1) display->width = 1;
    if (display->height < 1) display->height = 1;
    display->ratio = units > 0 ? (float)display->width / (float)units : 1;
    display->scale = display->chosen_scale > 0 ? display->chosen_scale
                     : display->ratio > 1.01f  ? display->ratio
                                               : choose_scale_by_density(display->window);
    SDL_DisplayMode mode;
    int index = SDL_GetWindowDisplayIndex(display->window);
    int rate = index >= 0 && SDL_GetCurrentDisplayMode(index, &mode) == 0 ? mode.refresh_rate : 0;
    display->period = 1.0 / (rate >= 20 && rate <= 1000 ? rate : 60);
}

/* ---- Window ---- */

static int choose_window_side(int requested, int fallback) {
    if (requested <= 0) return fallback;
    return requested < MAX_WINDOW ? requested : MAX_WINDOW;
}

/* Sets the window's size from the options, at most the screen, and centers the window, or places it as saved. Converts
 * interface units to units of the window system. */
static void place_window(pd_display *display, const pd_app_options *options) {
    pd_display_update_size(display);
    float factor = display->scale / display->ratio;
    int width = (int)fminf((float)choose_window_side(options->width, 1280) * factor, MAX_WINDOW);
    int height = (int)fminf((float)choose_window_side(options->height, 800) * factor, MAX_WINDOW);
    SDL_Rect usable;
    int index = SDL_GetWindowDisplayIndex(display->window);
    if (index >= 0 && SDL_GetDisplayUsableBounds(index, &usable) == 0) {
        if (width > usable.w) width = usable.w;
        if (height > usable.h) height = usable.h;
    }
    SDL_SetWindowMinimumSize(display->window, (int)(360 * factor), (int)(270 * factor));
    SDL_SetWindowSize(display->window, width, height);
    SDL_SetWindowPosition(display->window, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED);
    /* Without --size, a window for a person has the placement of the last one. */
    display->remembers = options->guides && options->width == 0;
    if (display->remembers && read_placement(&display->placement))
        apply_placement(&display->placement, display->window);
}

/* Selects SDL's video driver from the environment: wayland if a Wayland server runs, then x11 if an X server runs.
 * False: none runs. Other drivers of SDL would print messages on standard error. $SDL_VIDEODRIVER has precedence. */
static bool choose_video_driver(void) {
#if defined(__unix__) && !defined(__APPLE__)
    const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY"), *chosen = getenv("SDL_VIDEODRIVER");
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    bool has_x11 = x11 && *x11;
    /* WAYLAND_DISPLAY is the full path of a socket, or its name in XDG_RUNTIME_DIR */
    bool has_wayland = wayland && *wayland && (*wayland == '/' || (runtime && *runtime));
    if (chosen && *chosen && (has_wayland || !strstr(chosen, "wayland"))) return true;
    if (!has_x11 && !has_wayland) return false;
    SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER,
                            !has_wayland ? "x11"
                            : has_x11    ? "wayland,x11"
                                         : "wayland",
                            SDL_HINT_OVERRIDE);
#endif
    return true;
}

/* Error handler for Xlib that does nothing. Xlib's default handler ends the program, for example when a graphics driver is
 * missing and SDL would try another one. Installed before SDL opens the display, because SDL's handler calls the former
 * handler. A lost connection to the X server still ends the program. */
static int ignore_x11_error(void *x11, void *event) {
    (void)x11;
    (void)event;
    return 0;
}

static void install_x11_error_handler(void) {
    typedef int x11_handler(void *x11, void *event);
    typedef x11_handler *set_handler(x11_handler * handler);
    void *library = SDL_LoadObject("libX11.so.6"); /* never unloaded, because the handler stays installed */
    set_handler *set = library ? (set_handler *)SDL_LoadFunction(library, "XSetErrorHandler") : NULL;
    if (set) set(ignore_x11_error);
}

static pd_result init_sdl_video(pd_error *error) {
    if (!choose_video_driver())
        return pd_fail(error, PD_ERROR_DISPLAY_UNAVAILABLE, "cannot open a window: no display (%s)", no_display);
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1"); /* src/cli installs the signal handlers */
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_APP_NAME, "puddle");
    /* Desktops find the icon and the entry in the menu by this name. */
    setenv("SDL_VIDEO_X11_WMCLASS", PUDDLE_ID, 0);
    setenv("SDL_VIDEO_WAYLAND_WMCLASS", PUDDLE_ID, 0);
    install_x11_error_handler();
    if (SDL_InitSubSystem(SDL_INIT_VIDEO))
        return pd_fail(error, PD_ERROR_DISPLAY_UNAVAILABLE, "cannot open a window: %s (%s)", SDL_GetError(),
                       no_display);
    /* SDL may have fallen back to a driver without screen and keyboard. $SDL_VIDEODRIVER=offscreen is a test. */
    const char *driver = SDL_GetCurrentVideoDriver(), *chosen = getenv("SDL_VIDEODRIVER");
    bool is_test = chosen && strcmp(chosen, "offscreen") == 0;
    if ((!strcmp(driver, "offscreen") && !is_test) || !strcmp(driver, "dummy") || !strcmp(driver, "evdev")) {
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
        return pd_fail(error, PD_ERROR_DISPLAY_UNAVAILABLE, "cannot open a window: no display (%s)", no_display);
    }
    SDL_EnableScreenSaver();
    return PD_OK;
}

static pd_result create_window(pd_display *display, const pd_app_options *options, const char *title, pd_error *error) {
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, SDL_GL_CONTEXT_FORWARD_COMPATIBLE_FLAG);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
    Uint32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI | SDL_WINDOW_HIDDEN;
    display->window =
        SDL_CreateWindow(title, SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                         choose_window_side(options->width, 1280), choose_window_side(options->height, 800), flags);
    if (!display->window)
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE, "cannot open a window: %s (%s)", SDL_GetError(),
                       no_graphics);
    display->context = SDL_GL_CreateContext(display->window);
    if (!display->context || SDL_GL_MakeCurrent(display->window, display->context))
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE, "cannot create an OpenGL context: %s (%s)", SDL_GetError(),
                       no_graphics);
    if (epoxy_gl_version() < 33)
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE, "cannot draw: the driver offers OpenGL %d.%d (%s)",
                       epoxy_gl_version() / 10, epoxy_gl_version() % 10, no_graphics);
    /* Prefers adaptive vsync (-1), which shows a late frame at once. Plain vsync (1) shows the frame at the next refresh. */
    if (SDL_GL_SetSwapInterval(-1)) SDL_GL_SetSwapInterval(1);
    return PD_OK;
}

pd_result pd_display_open(pd_display *display, const pd_app_options *options, const char *title, pd_error *error) {
    *display = (pd_display){.chosen_scale = read_chosen_scale(options)};
    pd_result result = init_sdl_video(error);
    if (result) return result;
    setenv("LIBGL_DEBUG", "quiet", 0); /* Mesa then prints no messages; pd_display_open returns errors */
    result = create_window(display, options, title, error);
    if (result) {
        pd_display_close(display);
        return result;
    }
    place_window(display, options);
    SDL_ShowWindow(display->window);
    if (options->fullscreen) pd_display_toggle_fullscreen(display);
    pd_display_update_size(display);
    pd_placement_update(&display->placement, display->window);
    return PD_OK;
}

void pd_display_close(pd_display *display) {
    if (display->window && display->remembers) save_placement(&display->placement);
    if (display->context) SDL_GL_DeleteContext(display->context);
    if (display->window) SDL_DestroyWindow(display->window);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    *display = (pd_display){0};
}

void pd_display_choose_scale(pd_display *display, float scale) {
    display->chosen_scale = scale;
    pd_display_update_size(display);
}

void pd_display_toggle_fullscreen(pd_display *display) {
    display->fullscreen = !display->fullscreen;
    if (SDL_SetWindowFullscreen(display->window, display->fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0))
        display->fullscreen = !display->fullscreen;
}
