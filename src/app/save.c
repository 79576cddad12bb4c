/* Snapshots, and the names of all files that the window writes: in the current folder, or in $HOME when that is
 * read-only. */
#include "app/state.h"

#include "core/error.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void pd_app_fresh_path(char *path, size_t size, const char *folder, const char *stem, int digits, const char *suffix) {
    const char *home = getenv("HOME");
    bool in_current = access(".", W_OK) == 0 || !home || !*home;
    for (int number = 1; number < 1000000; number++) {
        snprintf(path, size, "%s%s%s%s%s-%0*d%s", in_current ? "" : home, in_current ? "" : "/", folder,
                 *folder ? "/" : "", stem, digits, number, suffix);
        if (access(path, F_OK) != 0) return;
    }
}

void pd_app_slug(const pd_app *app, char *slug, size_t size) {
    size_t length = 0;
    for (const char *c = pd_world_scene(app->session.world)->name; *c && length + 1 < size; c++) {
        if (isalnum((unsigned char)*c))
            slug[length++] = (char)tolower((unsigned char)*c);
        else if (length > 0 && slug[length - 1] != '-')
            slug[length++] = '-';
    }
    while (length > 0 && slug[length - 1] == '-') length--;
    slug[length] = '\0';
    if (length == 0) snprintf(slug, size, "scene");
}

void pd_app_write_snapshot(pd_app *app) {
    char slug[PD_MAX_NAME], path[PD_MAX_PATH];
    pd_app_slug(app, slug, sizeof slug);
    pd_app_fresh_path(path, sizeof path, "", slug, 4, ".puddle");
    pd_error error;
    if (pd_world_save(app->session.world, path, &error))
        pd_announce_error(&app->viewport.announcer, &error);
    else
        pd_announce_path(&app->viewport.announcer, "Saved", path);
}

void pd_app_save(pd_app *app) {
    app->session.save_queued = true;
    if (pd_world_stepping(app->session.world)) pd_announce(&app->viewport.announcer, "Saving at the end of this step");
    pd_app_flush(app);
}

void pd_app_flush_save(pd_app *app) {
    if (app->session.save_queued) pd_app_finish_step(app);
}

/* Ctrl+R */
void pd_app_keep_log(pd_app *app) {
    static const double KEPT = 120; /* s */
    char slug[PD_MAX_NAME], path[PD_MAX_PATH];
    pd_error error;
    pd_app_finish_step(app);
    if (!app->session.log || pd_world_stepping(app->session.world)) {
        pd_announce(&app->viewport.announcer, "There is no log to keep");
        return;
    }
    uint64_t now = pd_log_tick(app->session.log),
             ticks = (uint64_t)(KEPT / (double)pd_world_scene(app->session.world)->dt);
    pd_app_slug(app, slug, sizeof slug);
    pd_app_fresh_path(path, sizeof path, "", slug, 4, ".log");
    if (pd_log_write(app->session.log, app->session.world, now > ticks ? now - ticks : 0, path, &error))
        pd_announce_error(&app->viewport.announcer, &error);
    else
        pd_announce_path(&app->viewport.announcer, "Kept the last two minutes as", path);
}
