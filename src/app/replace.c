/* Replaces the window's world or its state, and updates what depends on it. */
#include "app/state.h"

#include "core/error.h"
#include <SDL.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void pd_app_world_changed(pd_app *app) {
    pd_app_flush(app);
    pd_world_view(app->session.world, &app->viewport.view);
    pd_app_find_view(app);
    app->viewport.slider = (pd_held_slider){0};
    pd_app_read_gravity(app);
    pd_pace_restart(&app->session.pace);
    app->viewport.hud.due = 0;
}

/* The file of the first world has the name that was asked for; "run.log" is followed by "run-2.log". */
static void log_path(const pd_app *app, char *path, size_t size) {
    const char *name = app->options.log, *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    int stem = (int)(dot ? dot - name : (ptrdiff_t)strlen(name));
    if (app->session.logs == 1)
        snprintf(path, size, "%s", name);
    else
        snprintf(path, size, "%.*s-%d%s", stem, name, app->session.logs, dot ? dot : "");
}

pd_result pd_app_follow_log(pd_app *app, pd_error *error) {
    char path[PD_MAX_PATH + 16];
    if (!app->options.log || !app->session.log) return PD_OK;
    app->session.logs++;
    log_path(app, path, sizeof path);
    return pd_log_follow(app->session.log, path, error);
}

/* The log begins anew, with the world as it is. */
static void begin_log(pd_app *app, const pd_world *before) {
    pd_error error;
    if (app->session.log && pd_log_close(app->session.log, before, &error) && app->options.log)
        pd_announce_error(&app->viewport.announcer, &error);
    pd_log_destroy(app->session.log);
    pd_backwards_forget(app);
    pd_app_stop_seeking(app);
    app->session.diverged = false;
    app->session.log = app->options.replay ? *app->options.replay : NULL;
    app->session.watching = app->session.log != NULL;
    if (app->session.log)
        *app->options.replay = NULL;
    else if (pd_log_create(&app->session.log, app->session.world, &error) != PD_OK)
        pd_announce_error(&app->viewport.announcer, &error);
    if (app->session.logs > 0 && pd_app_follow_log(app, &error)) pd_announce_error(&app->viewport.announcer, &error);
    if (app->options.last_log && app->session.log) pd_app_keep_last_log(app);
}

/* What belonged to the world as it was before it was opened or reopened. */
static void forget_changes(pd_app *app) {
    app->session.queue.count = 0;
    app->session.save_queued = false;
    app->session.gravity.notch = 0;
    app->session.dye = 0;
    pd_meter_restart(&app->viewport.meter);
    pd_pace_init(&app->session.pace, (double)pd_world_scene(app->session.world)->dt);
    pd_app_world_changed(app);
    pd_pointer_reset(app);
}

void pd_app_replace_world(pd_app *app, pd_world *world) {
    pd_app_flush_save(app);
    pd_recorder_stop(app);
    pd_world *before = app->session.world;
    app->session.world = world;
    begin_log(app, before);
    if (world != before) pd_world_destroy(before);
    forget_changes(app);
    char title[PD_MAX_NAME + 16];
    snprintf(title, sizeof title, "%s - puddle", pd_world_scene(world)->name);
    SDL_SetWindowTitle(app->device.display.window, title);
}

void pd_app_reopen(pd_app *app) {
    pd_error error;
    if (!app->session.log) {
        pd_announce(&app->viewport.announcer, "There was no memory to keep the scene as it came: open it again");
        return;
    }
    pd_app_flush_save(app);
    pd_app_finish_step(app);
    if (pd_app_do(app, &(pd_command){.kind = PD_COMMAND_RESTART}, &error)) {
        pd_announce_error(&app->viewport.announcer, &error);
        return;
    }
    pd_recorder_stop(app);
    forget_changes(app);
    pd_announce(&app->viewport.announcer, "Everything as the scene came");
}
