/* Scenes and snapshots coming into the window, and names for what leaves it. */
#include "app/state.h"

#include "core/error.h"
#include "scene/bundled.h"
#include <ctype.h>
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

void pd_app_replace_world(pd_app *app, pd_world *world) {
    pd_scene came = {0};
    if (pd_scene_copy(&came, pd_world_scene(world), NULL) != PD_OK) came = (pd_scene){0};
    pd_scene_free(&app->opened);
    app->opened = came;
    pd_app_save_first(app);
    pd_recorder_stop(app);
    if (world != app->world) pd_world_destroy(app->world);
    app->world = world;
    app->pending = (pd_pending){0};
    app->gravity.notch = 0;
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

void pd_app_open(pd_app *app, const char *path) {
    pd_error error;
    pd_world *world;
    if (pd_app_load(path, pd_world_threads(app->world), &world, &error)) {
        pd_app_alarm(app, &error);
        return;
    }
    pd_app_replace_world(app, world);
    pd_app_change_word(app, "Scene", *pd_world_scene(world)->name ? pd_world_scene(world)->name : path);
}

void pd_app_find_bundled(pd_app *app) {
    char **names;
    int count;
    app->bundled.count = 0;
    if (pd_bundled_names(&names, &count, NULL)) return;
    for (int i = 0; i < count && app->bundled.count < PD_MAX_BUNDLED; i++)
        if (strlen(names[i]) < sizeof app->bundled.names[0]) strcpy(app->bundled.names[app->bundled.count++], names[i]);
    pd_bundled_free(names, count);
    size_t used = (size_t)snprintf(app->bundled.words, sizeof app->bundled.words, "open a scene");
    for (int i = 0; i < app->bundled.count && used < sizeof app->bundled.words; i++)
        used +=
            (size_t)snprintf(app->bundled.words + used, sizeof app->bundled.words - used, "|%s", app->bundled.names[i]);
}

void pd_app_open_bundled(pd_app *app, int index) {
    if (index < 0 || index >= app->bundled.count) return;
    char path[PD_MAX_PATH];
    pd_error error;
    if (pd_bundled_path(app->bundled.names[index], path, sizeof path, &error))
        pd_app_alarm(app, &error);
    else
        pd_app_open(app, path);
}

void pd_app_fresh_path(char *path, size_t size, const char *folder, const char *stem, int digits, const char *suffix) {
    const char *home = getenv("HOME");
    bool here = access(".", W_OK) == 0 || !home || !*home;
    for (int number = 1; number < 1000000; number++) {
        snprintf(path, size, "%s%s%s%s%s-%0*d%s", here ? "" : home, here ? "" : "/", folder, *folder ? "/" : "", stem,
                 digits, number, suffix);
        if (access(path, F_OK) != 0) return;
    }
}

void pd_app_slug(const pd_app *app, char *slug, size_t size) {
    size_t length = 0;
    for (const char *c = pd_world_scene(app->world)->name; *c && length + 1 < size; c++) {
        if (isalnum((unsigned char)*c))
            slug[length++] = (char)tolower((unsigned char)*c);
        else if (length > 0 && slug[length - 1] != '-')
            slug[length++] = '-';
    }
    while (length > 0 && slug[length - 1] == '-') length--;
    slug[length] = '\0';
    if (length == 0) snprintf(slug, size, "scene");
}
