/* Replaces the window's world or its state, and updates what depends on it. */
#include "app/state.h"

#include "core/error.h"
#include <SDL.h>
#include <stdio.h>

void pd_app_world_changed(pd_app *app, bool clear_history) {
    pd_app_flush(app);
    if (clear_history) {
        pd_history_clear(&app->history);
        pd_history_keep(&app->history, app->world);
    }
    pd_world_view(app->world, &app->view);
    pd_app_find_view(app);
    app->slider = (pd_held_slider){0};
    pd_app_read_gravity(app);
    pd_pace_restart(&app->pace);
    app->hud.due = 0;
}

void pd_app_replace_world(pd_app *app, pd_world *world) {
    pd_scene copy = {0};
    if (pd_scene_copy(&copy, pd_world_scene(world), NULL) != PD_OK) copy = (pd_scene){0};
    pd_scene_free(&app->opened);
    app->opened = copy;
    pd_app_flush_save(app);
    pd_recorder_stop(app);
    if (world != app->world) pd_world_destroy(app->world);
    app->world = world;
    app->pending = (pd_pending){0};
    app->gravity.notch = 0;
    app->pointer.dye = 0;
    pd_meter_restart(&app->meter);
    pd_pace_init(&app->pace, (double)pd_world_scene(world)->dt);
    pd_app_world_changed(app, true);
    pd_pointer_reset(app);
    char title[PD_MAX_NAME + 16];
    snprintf(title, sizeof title, "%s - puddle", pd_world_scene(world)->name);
    SDL_SetWindowTitle(app->display.window, title);
}

void pd_app_reopen(pd_app *app) {
    pd_error error = {0};
    pd_world *world;
    if (!*app->opened.method) {
        pd_app_say(app, "There was no memory to keep the scene as it came: open it again");
        return;
    }
    if (pd_world_create(&world, &app->opened, pd_world_threads(app->world), &error)) {
        pd_app_alarm(app, &error);
        return;
    }
    pd_app_replace_world(app, world);
    pd_app_say(app, "Everything as the scene came");
}
