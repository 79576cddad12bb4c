/* Scenes and snapshots that the window opens, and the list of the bundled ones. */
#include "app/state.h"

#include "core/error.h"
#include "scene/bundled.h"
#include <stdio.h>
#include <string.h>

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

pd_result pd_app_load(const char *path, int threads, pd_world **world, pd_error *error) {
    *world = NULL;
    if (ends_with(path, ".puddle")) return pd_world_load(world, path, threads, error);
    pd_scene scene;
    pd_result result = pd_scene_read(path, &scene, error);
    if (result) return result;
    result = pd_world_create(world, &scene, threads, error);
    pd_scene_free(&scene);
    return result;
}

void pd_app_open(pd_app *app, const char *path) {
    pd_error error;
    pd_world *world;
    if (pd_app_load(path, pd_world_threads(app->session.world), &world, &error)) {
        pd_announce_error(&app->viewport.announcer, &error);
        return;
    }
    pd_app_replace_world(app, world);
    pd_announce_word(&app->viewport.announcer, "Scene",
                     *pd_world_scene(world)->name ? pd_world_scene(world)->name : path);
    pd_app_tell_warnings(app, "");
}

void pd_app_find_bundled(pd_app *app) {
    char **names;
    int count;
    app->viewport.bundled.count = 0;
    if (pd_bundled_names(&names, &count, NULL)) return;
    for (int i = 0; i < count && app->viewport.bundled.count < PD_MAX_BUNDLED; i++)
        if (strlen(names[i]) < sizeof app->viewport.bundled.names[0])
            strcpy(app->viewport.bundled.names[app->viewport.bundled.count++], names[i]);
    pd_bundled_free(names, count);
    size_t used = (size_t)snprintf(app->viewport.bundled.words, sizeof app->viewport.bundled.words, "open a scene");
    for (int i = 0; i < app->viewport.bundled.count && used < sizeof app->viewport.bundled.words; i++)
        used += (size_t)snprintf(app->viewport.bundled.words + used, sizeof app->viewport.bundled.words - used, "|%s",
                                 app->viewport.bundled.names[i]);
}

void pd_app_open_bundled(pd_app *app, int index) {
    if (index < 0 || index >= app->viewport.bundled.count) return;
    char path[PD_MAX_PATH];
    pd_error error;
    if (pd_bundled_path(app->viewport.bundled.names[index], path, sizeof path, &error))
        pd_announce_error(&app->viewport.announcer, &error);
    else
        pd_app_open(app, path);
}
