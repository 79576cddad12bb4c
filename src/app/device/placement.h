/* Size and place of the window, saved for later runs. */
#ifndef PUDDLE_APP_DEVICE_PLACEMENT_H
#define PUDDLE_APP_DEVICE_PLACEMENT_H

#include <puddle/result.h>
#include <stdbool.h>

typedef struct SDL_Window SDL_Window;

/* Rectangle of the window while it is neither maximised nor full screen, units of the window system. */
typedef struct pd_rectangle {
    int x, y, width, height;
} pd_rectangle;

typedef struct pd_placement {
    pd_rectangle normal, before; /* last rectangle, and the one before it. Width 0: none. */
    bool maximized;              /* the window is maximised */
} pd_placement;

/* Reads the saved placement. False: none is saved. */
bool pd_placement_read(pd_placement *placement);
/* Moves and resizes a window as saved. A place beyond all screens is replaced by the middle of the screen. */
void pd_placement_apply(const pd_placement *placement, SDL_Window *window);
/* Updates the placement from the window. Call after an event that may have moved, resized or maximised the window. */
void pd_placement_update(pd_placement *placement, SDL_Window *window);
/* Saves the placement for later runs, if it differs from the saved one. Errors: FILE_UNWRITABLE. */
pd_result pd_placement_save(const pd_placement *placement, pd_error *error);

#endif
