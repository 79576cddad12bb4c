/* Replacing the session's world, beginning scenes, opening files, and actions of keys and buttons. */
#include "app/session/session.h"

#include "app/io/settings.h"
#include "app/session/timeline.h"
#include "app/tables/tools.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "scene/file/scene_files.h"
#include "scene/items.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

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
    if (!session->log || !pd_log_is_left(session->log)) return;
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

/* ---- Actions of keys and buttons ---- */

static const float ANGLE_STEP = 15; /* change of gravity's direction per key press, degrees */
enum {
    MIN_PARTICLES = 100,
    MAX_PARTICLES = 200000,
    /* Steps (pd_parameter_next_value) of the yield stress per key press: ten presses from firm to molten. */
    YIELD_STEPS = 4,
};

static float compute_nudged_value(const pd_parameter *parameter, float value, int direction, int steps) {
    for (int k = 0; k < steps; k++) value = pd_parameter_next_value(parameter, value, direction);
    return value;
}

/* Changes the property of a parameter in the materials that have an own value. The first material is changed last, because the
 * last message stays on the screen. */
static void nudge_material_properties(pd_session *session, int parameter_index, int direction, int steps) {
    const pd_method_info *method = pd_world_method(session->world);
    const pd_parameter *parameter = pd_method_parameter_at(method, parameter_index);
    for (int p = 0; p < PD_PROPERTIES; p++) {
        if (pd_method_parameter_of_property(method, p) != parameter_index) continue;
        for (int m = pd_world_scene(session->world)->material_count - 1; m >= 0; m--) {
            bool own;
            float value = pd_session_property_value(session, m, (pd_property)p, &own);
            if (own)
                pd_session_set_property(session, m, (pd_property)p,
                                        compute_nudged_value(parameter, value, direction, steps));
        }
    }
}

static void nudge_parameter(pd_session *session, const char *key, const char *parameter_name, int direction,
                            int steps) {
    const pd_method_info *method = pd_world_method(session->world);
    for (int i = 0; key && i < method->parameter_count; i++) {
        if (strcmp(pd_method_parameter_at(method, i)->key, key) != 0) continue;
        float value = pd_session_parameter_value(session, i, NULL);
        pd_session_set_parameter(session, i,
                                 compute_nudged_value(pd_method_parameter_at(method, i), value, direction, steps));
        nudge_material_properties(session, i, direction, steps);
        return;
    }
    pd_announce(session->announcer, "%s has no %s", method->title, parameter_name);
}

static void change_gravity_strength(pd_session *session, int direction) {
    pd_gravity_dial *dial = &session->gravity;
    float shown = dial->on ? dial->strength : 0;
    float next = roundf(shown / dial->notch + (float)direction) * dial->notch;
    next = fminf(fmaxf(next, 0), 100 * dial->notch);
    dial->on = next > 0;
    if (dial->on) dial->strength = next;
    pd_session_apply_gravity_dial(session);
}

/* Returns the next larger (direction 1) or smaller (-1) number in 100, 125, 160, 200, 250, 320, 400, 500, 630, 800, 1000, ... */
static int find_next_round_count(int count, int direction) {
    static const double steps[] = {1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8};
    int best = direction > 0 ? MAX_PARTICLES : MIN_PARTICLES;
    for (double decade = 100; decade <= 100000; decade *= 10) {
        for (int i = 0; i < 10; i++) {
            int next = (int)lround(decade * steps[i]);
            if (direction > 0 && next > count && next < best) best = next;
            if (direction < 0 && next < count && next > best) best = next;
        }
    }
    return best;
}

static void change_particle_count(pd_session *session, int direction) {
    const pd_scene *scene = pd_world_scene(session->world);
    int count = scene->particles > 0 ? scene->particles : pd_world_particles(session->world);
    int next = find_next_round_count(count, direction);
    if ((direction > 0 && next <= count) || (direction < 0 && next >= count)) next = count;
    if (next == count) {
        pd_announce_value(session->announcer, "Particles", next, "");
        return;
    }
    if (!pd_session_apply_command(session, &(pd_command){PD_COMMAND_PARTICLES, .is.particles = next})) return;
    pd_session_refresh_state(session);
    pd_announce_restarted_count(session->announcer, "Particles", next);
}

static void toggle_pause(pd_session *session) {
    session->paused = !session->paused;
    pd_announce(session->announcer, session->paused ? "Paused" : "Running");
}

static void select_next_dye(pd_session *session) {
    const pd_method_info *method = pd_world_method(session->world);
    int next = pd_session_painted_material(session) + 2;
    if (!method->paints)
        pd_announce(session->announcer, "%s has no dyes (Grid fluid has)", method->title);
    else
        pd_session_set_painted_material(session,
                                        next <= pd_world_scene(session->world)->material_count ? next - 1 : -1);
}

bool pd_session_perform_action(pd_session *session, pd_action action, int argument, bool repeated) {
    if (pd_action_ends_seek_and_rewind(action)) pd_session_end_seek_and_rewind(session);
    const pd_method_info *method = pd_world_method(session->world), *chosen = pd_controls_method_of_key((char)argument);
    if (action == PD_ACTION_STIFFNESS)
        nudge_parameter(session, pd_controls_of_method(method)->stiffness, "stiffness", argument, 1);
    else if (action == PD_ACTION_VISCOSITY)
        nudge_parameter(session, pd_controls_of_method(method)->viscosity, "viscosity", argument, 1);
    else if (action == PD_ACTION_YIELD)
        nudge_parameter(session, "yield", "yield", argument, YIELD_STEPS);
    else if (action == PD_ACTION_GRAVITY)
        change_gravity_strength(session, argument);
    else if (action == PD_ACTION_GRAVITY_TURN) {
        pd_gravity_dial *dial = &session->gravity;
        dial->angle = roundf(dial->angle / ANGLE_STEP + (float)argument) * ANGLE_STEP;
        if (dial->angle > 180) dial->angle -= 360;
        if (dial->angle <= -180) dial->angle += 360;
        pd_session_apply_gravity_dial(session);
        pd_announce_value(session->announcer, "Gravity direction", (double)dial->angle, "°");
    } else if (action == PD_ACTION_GRAVITY_SWITCH) {
        session->gravity.on = !session->gravity.on;
        pd_session_apply_gravity_dial(session);
    } else if (action == PD_ACTION_PARTICLES)
        change_particle_count(session, argument);
    else if (action == PD_ACTION_METHOD && chosen)
        pd_session_set_method(session, chosen);
    else if (action == PD_ACTION_COMPARE && chosen)
        pd_session_compare_with_method(session, chosen);
    else if (action == PD_ACTION_KEEP_SECOND)
        pd_session_promote_second_world(session);
    else if (action == PD_ACTION_DYE)
        select_next_dye(session);
    else if (action == PD_ACTION_PAUSE)
        toggle_pause(session);
    else if (action == PD_ACTION_STEP) {
        if (!session->paused) toggle_pause(session);
        /* A held key requests no step while another one is still to be made, so that requests do not pile up. */
        if (session->requested_steps == 0 || !repeated) session->requested_steps++;
    } else if (action == PD_ACTION_RESET) {
        pd_session_try_command(session, &(pd_command){.kind = PD_COMMAND_RESET}, NULL); /* cannot fail */
        pd_session_refresh_state(session);
        pd_announce(session->announcer, "Restarted, your settings kept");
    } else if (action == PD_ACTION_REOPEN)
        pd_session_reopen_scene(session);
    else if (action == PD_ACTION_REWIND)
        pd_session_rewind(session);
    else if (action == PD_ACTION_UNDO)
        pd_session_undo(session);
    else if (action == PD_ACTION_REDO)
        pd_session_redo(session);
    else if (action == PD_ACTION_CHANGE_SPEED) {
        enum { GREATEST_EXPONENT = 3 };
        int speed = session->speed_exponent + argument;
        if (speed >= -GREATEST_EXPONENT && speed <= GREATEST_EXPONENT) session->speed_exponent = speed;
        pd_announce_value(session->announcer, "Speed of time", pd_session_chosen_speed(session), "×");
    } else if (action == PD_ACTION_TOOL)
        pd_session_select_tool(session, (pd_bar_tool)argument);
    else
        return false;
    return true;
}

/* ---- Saving of snapshots, scene files and logs ---- */

const char *pd_file_suffix(pd_file_kind kind) {
    static const char *const suffixes[] = {".puddle", ".yaml", ".log"};
    return suffixes[kind];
}

/* Returns whether a file exists at `path` with its suffix replaced by `suffix`. */
static bool exists_with_suffix(const char *path, const char *suffix) {
    char beside[PD_MAX_PATH + 16];
    snprintf(beside, sizeof beside, "%.*s%s", (int)(strrchr(path, '.') - path), path, suffix);
    return pd_os_exists(beside);
}

bool pd_session_would_replace(pd_file_kind kind, const char *path) {
    bool scene = kind == PD_FILE_SCENE && pd_text_ends_in(path, pd_file_suffix(kind));
    return pd_os_exists(path) ||
           (scene && (exists_with_suffix(path, ".csv") || exists_with_suffix(path, "-cells.csv")));
}

static pd_result save_snapshot(pd_session *session, const char *path, pd_error *error) {
    pd_result result = pd_world_save(session->world, path, error);
    if (!result && path != session->saved) snprintf(session->saved, sizeof session->saved, "%s", path);
    return result;
}

static pd_result save_scene(pd_session *session, const char *path, pd_error *error) {
    pd_scene scene;
    pd_result result = pd_world_state_as_scene(session->world, &scene, error);
    if (result) return result;
    pd_scene_set_name_from_path(&scene, path);
    result = pd_scene_write(&scene, path, error);
    pd_scene_free(&scene);
    return result;
}

static pd_result save_log(pd_session *session, const char *path, pd_error *error) {
    static const double SAVED = 120; /* s: the end of the log that is saved */
    if (!session->log)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot save: no memory for the log (open the scene again)");
    uint64_t now = pd_log_tick(session->log), ticks = (uint64_t)(SAVED / (double)pd_world_scene(session->world)->dt);
    return pd_log_write(session->log, session->world, now > ticks ? now - ticks : 0, path, error);
}

pd_result pd_session_save(pd_session *session, pd_file_kind kind, const char *path, pd_error *error) {
    static const struct {
        pd_result (*save)(pd_session *session, const char *path, pd_error *error);
        const char *announcement;
    } kinds[] = {
        {save_snapshot, "Saved snapshot"}, {save_scene, "Saved scene"}, {save_log, "Saved the last two minutes as"}};
    pd_session_finish_step(session);
    pd_result result = kinds[kind].save(session, path, error);
    if (!result) pd_announce_path(session->announcer, kinds[kind].announcement, path);
    return result;
}

bool pd_session_save_again(pd_session *session) {
    pd_error error;
    if (!*session->saved) return false;
    pd_session_end_seek_and_rewind(session);
    pd_session_check_result(session, pd_session_save(session, PD_FILE_SNAPSHOT, session->saved, &error), &error);
    return true;
}

void pd_session_set_history_mib(pd_session *session, int mib) {
    pd_error error;
    session->history = (size_t)mib << 20;
    if (session->log) pd_log_set_keyframe_budget(session->log, session->history);
    if (pd_session_check_result(session, pd_settings_save_history_mib(mib, &error), &error))
        pd_announce_value(session->announcer, "Rewind memory", mib, "MiB");
}

/* ---- The files of --log ---- */

/* Writes a log's path with a number before the suffix: "run-2.log" for "run.log" and 2. */
static void make_numbered_path(const char *name, int number, char *path, size_t size) {
    const char *dot = strrchr(pd_path_name(name), '.');
    int stem = (int)(dot ? dot - name : (ptrdiff_t)strlen(name));
    snprintf(path, size, "%.*s-%d%s", stem, name, number, dot ? dot : "");
}

/* Writes the path of --log with the next number that no file and no other window has. Claims the path for this window, and sets
 * session->log_number. */
static void claim_next_log_path(pd_session *session, char *path, size_t size) {
    pd_os_unlock(&session->log_claim);
    for (;;) {
        make_numbered_path(session->log_path, ++session->log_number, path, size);
        bool claimed = pd_file_claim(path, &session->log_claim, NULL) == PD_OK;
        if (claimed && !pd_os_exists(path)) return;
        pd_os_unlock(&session->log_claim);
    }
}

pd_result pd_session_begin_log_file(pd_session *session, pd_error *error) {
    char path[PD_MAX_PATH + 16];
    if (!session->log_path || !session->log) return PD_OK;
    if (session->log_number > 0) {
        claim_next_log_path(session, path, sizeof path);
        return pd_log_begin_autosave(session->log, path, error);
    }
    session->log_number = 1;
    return pd_log_begin_autosave(session->log, session->log_path, error);
}

/* ---- The last log ----
 *
 * $XDG_STATE_HOME/puddle/last.log, or ~/.local/state/puddle/last.log, receives each command as soon as it is logged. After a
 * crash the session can be replayed from this file. The former last.log becomes previous.log if the user did something in that
 * session, and the next window offers to continue it. A second window at the same time
 * writes last-2.log. */

static const long MAX_BYTES = 16L << 20; /* limit of last.log: this size, or twice its first size if larger */
enum { MAX_WINDOWS = 8 };                /* largest number of windows that write a last log at the same time */

/* Writes the path of a file of the last log: FOLDER/STEM.log for window 1, FOLDER/STEM-NUMBER.log for the others. */
static void make_last_log_path(char *path, size_t size, const char *folder, const char *stem, int number) {
    if (number == 1)
        snprintf(path, size, "%s/%s.log", folder, stem);
    else
        snprintf(path, size, "%s/%s-%d.log", folder, stem, number);
}

bool pd_session_find_previous_log(const pd_session *session, char *path, size_t size) {
    char folder[PD_MAX_PATH - 32];
    if (!session->last_log_lock || !pd_os_user_folder(PD_STATE_FOLDER, "puddle", folder, sizeof folder)) return false;
    make_last_log_path(path, size, folder, "previous", session->last_log_number);
    return pd_os_exists(path);
}

bool pd_session_describe_previous_log(const pd_session *session, char *text, size_t size) {
    char path[PD_MAX_PATH], name[PD_MAX_NAME];
    bool has_commands;
    if (!pd_session_find_previous_log(session, path, sizeof path) || !pd_log_summarize(path, &has_commands, name))
        return false;
    long minutes = (long)((time(NULL) - pd_os_status(path, false).changed / 1000000000) / 60);
    const char *scene = *name ? name : "unnamed scene";
    if (minutes < 1)
        snprintf(text, size, "%s, just now", scene);
    else if (minutes < 120)
        snprintf(text, size, "%s, %ld min ago", scene, minutes);
    else if (minutes < 48 * 60)
        snprintf(text, size, "%s, %ld hours ago", scene, minutes / 60);
    else
        snprintf(text, size, "%s, %ld days ago", scene, minutes / (24 * 60));
    return true;
}

void pd_session_begin_last_log(pd_session *session) {
    char folder[PD_MAX_PATH - 32], path[PD_MAX_PATH], previous[PD_MAX_PATH], name[PD_MAX_NAME];
    bool has_commands;
    if (!pd_os_user_folder(PD_STATE_FOLDER, "puddle", folder, sizeof folder)) return;
    if (pd_os_create_folders(folder, true, NULL) != 0) return;
    for (int number = 1; !session->last_log_lock && number <= MAX_WINDOWS; number++) {
        make_last_log_path(path, sizeof path, folder, "last", number);
        int lock = pd_os_lock(folder, pd_path_name(path));
        if (lock <= 0) continue;
        session->last_log_lock = lock;
        session->last_log_number = number;
    }
    if (!session->last_log_lock) return;
    make_last_log_path(path, sizeof path, folder, "last", session->last_log_number);
    make_last_log_path(previous, sizeof previous, folder, "previous", session->last_log_number);
    bool used = pd_log_summarize(path, &has_commands, name) && has_commands;
    if (used && pd_os_rename(path, previous) != 0) return; /* the former log is not written over */
    pd_log_begin_limited_autosave(session->log, path, MAX_BYTES, NULL);
}

void pd_session_end_last_log(pd_session *session) { pd_os_unlock(&session->last_log_lock); }
