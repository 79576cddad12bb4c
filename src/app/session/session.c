/* Replacing the session's world, beginning scenes, opening files. */
#include "app/session/session.h"

#include "app/session/files.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "scene/items.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void pd_session_notify_observer(pd_session *session, pd_session_event event) {
    if (session->observer.changed) session->observer.changed(session->observer.context, event);
}

void pd_session_refresh_state(pd_session *session) {
    double dt = (double)pd_world_scene(session->world)->dt;
    session->slider_waits = false; /* set within a step that the new state has dropped */
    pd_session_update_gravity_dial(session);
    if (session->pace.dt != dt) pd_pace_init(&session->pace, dt);
    pd_pace_restart(&session->pace);
    pd_session_notify_observer(session, PD_SESSION_STATE);
}

/* Closes the session's log, whose world is former_world, and begins the next one: `log`, or if NULL a new log of the session's
 * world. */
static void replace_log(pd_session *session, const pd_world *former_world, pd_log *log) {
    pd_error error;
    if (session->log && pd_log_end_autosave(session->log, former_world, &error) && session->log_path)
        pd_announce_error(session->announcer, &error);
    pd_log_destroy(session->log);
    pd_backwards_free(session);
    pd_seek_end(session);
    session->diverged = false;
    session->log = log;
    session->replays_log = false;
    if (!log) pd_session_check_result(session, pd_log_create(&session->log, session->world, &error), &error);
    if (session->log && session->history > 0) pd_log_set_keyframe_budget(session->log, session->history);
    if (session->log_number > 0) pd_session_check_result(session, pd_session_begin_log_file(session, &error), &error);
    if (session->writes_last_log && session->log) pd_session_begin_last_log(session);
}

void pd_session_check_memory(pd_session *session) {
    if (!session->log || !pd_world_was_refused_memory(session->world)) return;
    session->paused = true;
    session->first_time = pd_world_time(session->world);
    replace_log(session, session->world, NULL);
    pd_announce(session->announcer, "Paused: the system refused memory (erase fluid, or close other programs). "
                                    "Undo and the log begin anew here");
}

/* Resets the values that belong to the former scene: steps of gravity, dye, pace and the mouse press. */
static void reset_scene_values(pd_session *session) {
    session->gravity.notch = 0;
    session->dye = 0;
    pd_session_notify_observer(session, PD_SESSION_METHOD);
    pd_pace_init(&session->pace, (double)pd_world_scene(session->world)->dt);
    pd_session_refresh_state(session);
    pd_session_notify_observer(session, PD_SESSION_TIME);
}

/* Makes `world` the session's world. log: log of that world, or NULL. */
static void replace_world(pd_session *session, pd_world *world, pd_log *log) {
    pd_second_world_close(session, "another scene opened");
    pd_session_notify_observer(session, PD_SESSION_END);
    pd_world *before = session->world;
    session->world = world;
    session->first_time = pd_world_time(world);
    replace_log(session, before, log);
    if (world != before) pd_world_destroy(before);
    *session->saved = '\0';
    reset_scene_values(session);
    pd_session_notify_observer(session, PD_SESSION_WORLD);
}

void pd_session_replace_world(pd_session *session, pd_world *world) {
    pd_log *log = session->replay ? *session->replay : NULL;
    if (log) *session->replay = NULL;
    replace_world(session, world, log);
    session->replays_log = log != NULL;
}

void pd_session_continue(pd_session *session) {
    char path[PD_MAX_PATH], damage[PD_MAX_LOG_DAMAGE];
    pd_world_def def = pd_world_def_default();
    pd_log *log;
    pd_world *world;
    pd_error error;
    if (!pd_session_find_previous_log(session, path, sizeof path)) {
        pd_announce(session->announcer, "No last session to continue");
        return;
    }
    pd_session_end_seek_and_rewind(session);
    def.threads = pd_world_threads(session->world);
    if (!pd_session_check_result(session, pd_log_read(&log, &world, path, &def, damage, &error), &error)) return;
    session->path[0] = '\0';
    replace_world(session, world, log);
    session->seek = (pd_seek){.active = true, .continues = true, .tick = pd_log_end_tick(log)};
}

bool pd_session_replace_scene(pd_session *session, const pd_scene *scene) {
    pd_error error;
    pd_command command;
    if (!pd_session_check_result(session, pd_command_scene(&command, scene, &error), &error)) return false;
    bool begun = pd_session_apply_command(session, &command);
    pd_command_free(&command);
    if (!begun) return false;
    *session->saved = '\0';
    reset_scene_values(session);
    pd_session_notify_observer(session, PD_SESSION_WORLD);
    return true;
}

void pd_session_reopen_scene(pd_session *session) {
    if (!session->log) {
        pd_announce(session->announcer, "Cannot restore: no memory for the log (open the scene again)");
        return;
    }
    if (!pd_session_apply_command(session, &(pd_command){.kind = PD_COMMAND_RESTART})) return;
    pd_session_notify_observer(session, PD_SESSION_END);
    reset_scene_values(session);
    pd_announce(session->announcer, "Original scene restored");
}

void pd_session_close(pd_session *session) {
    if (session->replay)
        *session->replay = session->log;
    else
        pd_log_destroy(session->log);
    session->log = NULL;
    pd_os_unlock(&session->log_claim);
    pd_session_end_last_log(session);
    pd_backwards_free(session);
    pd_step_start_free(&session->step_start);
    pd_second_world_destroy(session);
}

/* ---- Files ---- */

pd_result pd_app_create_world(const char *path, int threads, pd_world **world, pd_error *error) {
    *world = NULL;
    pd_world_def def = pd_world_def_default();
    def.threads = threads;
    if (pd_text_ends_in(path, ".puddle")) return pd_world_load(world, path, &def, error);
    pd_scene scene;
    pd_result result = pd_scene_read(path, &scene, error);
    if (result) return result;
    def.scene = &scene;
    result = pd_world_create(world, &def, error);
    pd_scene_free(&scene);
    return result;
}

static void announce_scene(pd_session *session, const char *label, const char *path) {
    const char *name = pd_world_scene(session->world)->name;
    pd_announce_word(session->announcer, label, *name ? name : path);
    pd_session_announce_warnings(session, "");
}

/* Replaces the fluid of the present scene by particles in the colours of an image file. The rest of the scene stays. */
static void open_picture_file(pd_session *session, const char *path) {
    pd_error error;
    pd_scene scene;
    pd_session_end_seek_and_rewind(session);
    if (!pd_session_begin_edit(session, &scene)) return;
    pd_result result = pd_scene_replace_fluid_by_picture(&scene, path, PD_PICTURE_PARTICLES, &error);
    if (pd_session_check_result(session, result, &error) && pd_session_replace_scene(session, &scene))
        announce_scene(session, "Picture", path);
    pd_scene_free(&scene);
}

static void open_scene_file(pd_session *session, const char *path) {
    pd_error error;
    pd_scene scene;
    if (!pd_session_check_result(session, pd_scene_read(path, &scene, &error), &error)) return;
    pd_session_end_seek_and_rewind(session);
    pd_second_world_close(session, "another scene opened");
    if (pd_session_replace_scene(session, &scene)) {
        pd_session_notify_observer(session, PD_SESSION_END);
        snprintf(session->path, sizeof session->path, "%s", path);
        announce_scene(session, "Scene", path);
    }
    pd_scene_free(&scene);
}

static void open_snapshot_file(pd_session *session, const char *path) {
    pd_error error;
    pd_world *world;
    pd_result result = pd_app_create_world(path, pd_world_threads(session->world), &world, &error);
    if (!pd_session_check_result(session, result, &error)) return;
    snprintf(session->path, sizeof session->path, "%s", path);
    pd_session_replace_world(session, world);
    announce_scene(session, "Scene", path);
}

void pd_session_open_file(pd_session *session, const char *path) {
    if (pd_path_is_picture(path))
        open_picture_file(session, path);
    else if (pd_text_ends_in(path, ".puddle"))
        open_snapshot_file(session, path);
    else
        open_scene_file(session, path);
}

/* Fills a part of the container with water, as boxes: one, or several on top of each other in a circle. */
static pd_result fill_container(pd_scene *scene, pd_fill_level level, pd_error *error) {
    /* height of the water above the bottom / height of the container; in a circle a quarter of the area is below 0.298 */
    static const float box_heights[] = {0, 0.25f, 0.5f}, circle_heights[] = {0, 0.298f, 0.5f};
    enum { LAYERS = 12 };
    const pd_container *c = &scene->container;
    bool round = c->shape == PD_CONTAINER_CIRCLE;
    float tall = round ? 2 * c->radius : c->height, height = (round ? circle_heights : box_heights)[level] * tall;
    int layers = round ? LAYERS : 1;
    pd_region region = pd_region_default();
    pd_result result = PD_OK;
    region.area.shape = PD_SHAPE_BOX;
    for (int i = 0; i < layers && result == PD_OK; i++) {
        float y = -0.5f * tall + ((float)i + 0.5f) * height / (float)layers;
        region.area.center = (pd_vec2){0, y};
        region.area.size =
            (pd_vec2){round ? 2 * sqrtf(c->radius * c->radius - y * y) : c->width, height / (float)layers};
        result = pd_scene_add_region(scene, &region, error);
    }
    return result;
}

void pd_session_open_empty_scene(pd_session *session, const pd_empty_scene *empty) {
    static const float parts[] = {1, 0.25f, 0.5f};
    const pd_scene *before = pd_world_scene(session->world);
    pd_scene scene;
    pd_error error;
    pd_result result = PD_OK;
    pd_session_end_seek_and_rewind(session);
    pd_scene_init(&scene); /* with the material water */
    snprintf(scene.name, sizeof scene.name, "Empty");
    snprintf(scene.method, sizeof scene.method, "%s", before->method);
    scene.gravity = before->gravity;
    scene.dt = before->dt;
    scene.container = empty->container;
    for (int i = 0; i < PD_WALLS; i++) scene.container.walls[i] = (pd_wall){.inflow = NAN, .velocity = NAN};
    if (empty->container.shape != PD_CONTAINER_NONE) {
        scene.particles = (int)(parts[empty->level] * (float)empty->particles); /* without fluid: when full */
        if (empty->level != PD_FILL_NONE) result = fill_container(&scene, empty->level, &error);
    }
    if (pd_session_check_result(session, result, &error) && pd_session_replace_scene(session, &scene)) {
        session->poured = 0;
        pd_announce_word(session->announcer, "Scene", scene.name);
    }
    pd_scene_free(&scene);
}
