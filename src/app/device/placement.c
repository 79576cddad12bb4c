/* Size and place of the window, saved for later runs. */
#include "app/device/placement.h"

#include "app/io/settings.h"
#include <SDL.h>
#include <stdio.h>
#include <string.h>

static const char MAXIMIZED[] = "maximized";

bool pd_placement_read(pd_placement *placement) {
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

void pd_placement_apply(const pd_placement *placement, SDL_Window *window) {
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

pd_result pd_placement_save(const pd_placement *placement, pd_error *error) {
    const pd_rectangle *normal = &placement->normal;
    char value[96], saved[96];
    if (normal->width <= 0) return PD_OK;
    snprintf(value, sizeof value, "%d %d %d %d%s%s", normal->x, normal->y, normal->width, normal->height,
             placement->maximized ? " " : "", placement->maximized ? MAXIMIZED : "");
    bool same = pd_settings_read(PD_SETTING_WINDOW, saved, sizeof saved) && strcmp(saved, value) == 0;
    return same ? PD_OK : pd_settings_save(PD_SETTING_WINDOW, value, error);
}
