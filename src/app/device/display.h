/* The window, its place, its OpenGL context, and the scale from interface units to pixels. */
#ifndef PUDDLE_APP_DEVICE_DISPLAY_H
#define PUDDLE_APP_DEVICE_DISPLAY_H

#include "app/io/app_options.h"

typedef struct SDL_Window SDL_Window;

/* Rectangle of the window while it is neither maximised nor full screen, units of the window system. */
typedef struct pd_rectangle {
    int x, y, width, height;
} pd_rectangle;

typedef struct pd_placement {
    pd_rectangle normal, before; /* last rectangle, and the one before it. Width 0: none. */
    bool maximized;              /* the window is maximised */
} pd_placement;

typedef struct pd_display {
    SDL_Window *window;
    void *context;      /* OpenGL context (SDL_GLContext) */
    int width, height;  /* size of the window, pixels */
    float ratio;        /* pixels per unit of the window system */
    float scale;        /* pixels per interface unit */
    float chosen_scale; /* scale that the user chose; 0: the screen's */
    double period;      /* time between two refreshes of the screen, s */
    bool fullscreen;    /* whether the window fills the screen */
    bool hidden;        /* whether the window is minimised or hidden */
    bool remembers;     /* whether the placement is saved for later runs */
    pd_placement placement;
} pd_display;

/* Opens the window with an OpenGL context. Errors: DISPLAY_UNAVAILABLE, GRAPHICS_UNAVAILABLE. */
pd_result pd_display_open(pd_display *display, const pd_app_options *options, const char *title, pd_error *error);
/* Saves the placement, if the window remembers it, and closes the window. */
void pd_display_close(pd_display *display);
/* Updates the placement from the window. Call after an event that may have moved, resized or maximised the window. */
void pd_placement_update(pd_placement *placement, SDL_Window *window);
/* Updates width, height, ratio, scale and period from the window and its screen. */
void pd_display_update_size(pd_display *display);
void pd_display_toggle_fullscreen(pd_display *display);
/* Sets the scale that the user chooses. 0: the screen's. */
void pd_display_choose_scale(pd_display *display, float scale);

#endif
