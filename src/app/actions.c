/* The actions of keys and of the panel's buttons. */
#include "app/state.h"

#include "core/error.h"
#include "render/palette.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float ANGLE_STEP = 15; /* degrees */
enum {
    MIN_PARTICLES = 100,
    MAX_PARTICLES = 200000,
    YIELD_NUDGES = 4, /* per key press: from firm to molten in ten presses */
};

static float nudged(const pd_parameter *parameter, float value, int direction, int nudges) {
    for (int k = 0; k < nudges; k++) value = pd_parameter_nudge(parameter, value, direction);
    return value;
}

/* Materials with a value of their own change with the parameter. The first is announced last: it stays on screen. */
static void nudge_materials(pd_app *app, int index, int direction, int nudges) {
    const pd_parameter *parameter = &pd_world_method(app->session.world)->parameters[index];
    for (int p = 0; p < PD_PROPERTIES; p++) {
        if (pd_app_property_parameter(app, (pd_property)p) != index) continue;
        for (int m = pd_world_scene(app->session.world)->material_count - 1; m >= 0; m--) {
            bool own;
            float value = pd_app_property(app, m, (pd_property)p, &own);
            if (own) pd_app_set_property(app, m, (pd_property)p, nudged(parameter, value, direction, nudges));
        }
    }
}

static void nudge(pd_app *app, const char *key, const char *what, int direction, int nudges) {
    const pd_method_info *method = pd_world_method(app->session.world);
    for (int i = 0; key && i < method->parameter_count; i++) {
        if (strcmp(method->parameters[i].key, key) != 0) continue;
        float value = pd_app_parameter(app, i, NULL);
        pd_app_set_parameter(app, i, nudged(&method->parameters[i], value, direction, nudges));
        nudge_materials(app, i, direction, nudges);
        return;
    }
    pd_announce(&app->viewport.announcer, "%s has no %s", method->title, what);
}

static void change_gravity(pd_app *app, int direction) {
    pd_gravity_dial *dial = &app->session.gravity;
    float shown = dial->on ? dial->strength : 0;
    float next = roundf(shown / dial->notch + (float)direction) * dial->notch;
    next = fminf(fmaxf(next, 0), 100 * dial->notch);
    dial->on = next > 0;
    if (dial->on) dial->strength = next;
    pd_app_apply_gravity(app);
}

static void turn_gravity(pd_app *app, int direction) {
    pd_gravity_dial *dial = &app->session.gravity;
    dial->angle = roundf(dial->angle / ANGLE_STEP + (float)direction) * ANGLE_STEP;
    if (dial->angle > 180) dial->angle -= 360;
    if (dial->angle <= -180) dial->angle += 360;
    pd_app_apply_gravity(app);
    pd_announce_value(&app->viewport.announcer, "Gravity direction", (double)dial->angle, "°");
}

/* The next of 100, 125, 160, 200, 250, 320, 400, 500, 630, 800, 1000, ...: a factor of about 1.25, and easy to read. */
static int nice_count(int count, int direction) {
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

static void change_particles(pd_app *app, int direction) {
    const pd_scene *scene = pd_world_scene(app->session.world);
    int count = scene->particles > 0 ? scene->particles : pd_world_particles(app->session.world);
    int next = nice_count(count, direction);
    if ((direction > 0 && next <= count) || (direction < 0 && next >= count)) next = count;
    if (next == count) {
        pd_announce_value(&app->viewport.announcer, "Particles", next, "");
        return;
    }
    pd_error error;
    /* What is queued is applied before the world is set up again. */
    if (app->session.queue.count > 0 || app->session.save_queued) pd_app_finish_step(app);
    if (pd_app_do(app, &(pd_command){PD_COMMAND_PARTICLES, .is.particles = next}, &error)) {
        pd_announce_error(&app->viewport.announcer, &error);
        return;
    }
    pd_app_world_changed(app);
    pd_announce_restarted(&app->viewport.announcer, "Particles", next);
}

/* True when a material is elastic or sticky, which only double density relaxation simulates. */
static bool elastic_or_sticky(const pd_world *world) {
    for (int m = 0; m < pd_world_scene(world)->material_count; m++)
        if (pd_world_property(world, m, PD_ELASTICITY) > 0 || pd_world_property(world, m, PD_STICKINESS) > 0)
            return true;
    return false;
}

/* The measurements of the previous method's stages and solver no longer apply. */
static void method_changed(pd_app *app) {
    const pd_method_info *method = pd_world_method(app->session.world);
    char text[160] = "";
    pd_meter_restart(&app->viewport.meter);
    if (strcmp(method->name, "ddr") && elastic_or_sticky(app->session.world))
        snprintf(text, sizeof text, "Method %s: nothing is elastic or sticky here", method->title);
    else
        pd_announce_word(&app->viewport.announcer, "Method", method->title);
    pd_app_tell_warnings(app, text);
}

/* The state of the fluid and its settings are kept; only the equations that move it change. */
void pd_app_set_method(pd_app *app, const pd_method_info *method) {
    if (!method->available) {
        pd_announce(&app->viewport.announcer, "%s: comes in a later version", method->title);
        return;
    }
    if (method == pd_world_method(app->session.world)) {
        pd_announce_word(&app->viewport.announcer, "Method", method->title);
        return;
    }
    pd_app_finish_step(app);
    pd_error error;
    pd_command command = {.kind = PD_COMMAND_METHOD};
    snprintf(command.is.method, sizeof command.is.method, "%s", method->name);
    if (pd_app_do(app, &command, &error)) {
        pd_announce_error(&app->viewport.announcer, &error);
        return;
    }
    method_changed(app);
    pd_app_world_changed(app);
}

static void choose_method(pd_app *app, char key) {
    const pd_method_info *method = pd_method_of_key(key);
    if (method) pd_app_set_method(app, method);
}

void pd_app_set_view(pd_app *app, int index) {
    app->viewport.mode = &pd_world_method(app->session.world)->views[index];
    app->viewport.wanted_view = app->viewport.mode->name;
    app->viewport.view_chosen_last = true;
    pd_announce_word(&app->viewport.announcer, "View", app->viewport.mode->name);
}

void pd_app_find_view(pd_app *app) {
    const pd_method_info *method = pd_world_method(app->session.world);
    app->viewport.mode = app->viewport.wanted_view ? pd_method_view(method, app->viewport.wanted_view) : NULL;
    if (!app->viewport.mode) app->viewport.mode = method->views;
}

static void next_view(pd_app *app) {
    const pd_method_info *method = pd_world_method(app->session.world);
    pd_app_set_view(app, ((int)(app->viewport.mode - method->views) + 1) % method->view_count);
}

pd_view_lines pd_app_lines(const pd_app *app) {
    pd_view_lines own = app->viewport.mode->lines;
    bool flow = own == PD_LINES_STREAMLINES || own == PD_LINES_ARROWS; /* what such a view is chosen for */
    pd_view_lines lines =
        !app->viewport.lines_chosen || (flow && app->viewport.view_chosen_last) ? own : app->viewport.wanted_lines;
    return pd_lines_possible(&app->viewport.view, app->viewport.mode, lines) ? lines : PD_LINES_NONE;
}

void pd_app_set_lines(pd_app *app, pd_view_lines lines) {
    app->viewport.lines_chosen = true;
    app->viewport.view_chosen_last = false;
    app->viewport.wanted_lines = lines;
    pd_announce_word(&app->viewport.announcer, "Lines", pd_lines_name(lines));
}

static void next_lines(pd_app *app) {
    pd_view_lines now = pd_app_lines(app), next = now;
    do next = (next + 1) % PD_LINES_COUNT;
    while (!pd_lines_possible(&app->viewport.view, app->viewport.mode, next));
    if (next == now)
        pd_announce(&app->viewport.announcer, "%s: no lines over the view %s",
                    pd_world_method(app->session.world)->title, app->viewport.mode->name);
    else
        pd_app_set_lines(app, next);
}

void pd_app_set_palette(pd_app *app, int palette) {
    app->viewport.palette = palette;
    pd_announce_word(&app->viewport.announcer, "Palette", pd_palette_name(palette));
}

static void reset(pd_app *app) {
    pd_app_flush_save(app);
    pd_app_do(app, &(pd_command){.kind = PD_COMMAND_RESET}, NULL); /* cannot fail */
    pd_app_world_changed(app);
    pd_announce(&app->viewport.announcer, "Reset");
}

/* The state contains parameters and a method of its own. */
void pd_app_time_changed(pd_app *app, const pd_method_info *before) {
    app->session.queue.count = 0;
    if (pd_world_method(app->session.world) != before) method_changed(app);
    pd_app_world_changed(app);
    pd_pointer_reset(app);
}

/* Where the last act began far from any kept state, undoing makes the steps in between again. */
static const double LONGEST_UNDO = 5; /* s */

static void undo(pd_app *app) {
    const pd_method_info *method = pd_world_method(app->session.world);
    uint64_t steps;
    pd_error error;
    pd_app_finish_step(app);
    if (!app->session.log || pd_world_stepping(app->session.world) || !pd_log_can_undo(app->session.log, &steps)) {
        pd_announce(&app->viewport.announcer, "Nothing to undo");
    } else if ((double)steps * app->session.pace.step_cost > LONGEST_UNDO) {
        pd_announce(&app->viewport.announcer, "Undo would make %llu steps again: too slow here",
                    (unsigned long long)steps);
    } else if (pd_log_undo(app->session.log, app->session.world, &error)) {
        pd_announce_error(&app->viewport.announcer, &error);
    } else {
        pd_app_time_changed(app, method);
        pd_announce_value(&app->viewport.announcer, "Undone: back at", pd_world_time(app->session.world), "s");
    }
}

static void redo(pd_app *app) {
    const pd_method_info *method = pd_world_method(app->session.world);
    pd_error error;
    pd_app_finish_step(app);
    if (!app->session.log || pd_world_stepping(app->session.world) || !pd_log_can_redo(app->session.log)) {
        pd_announce(&app->viewport.announcer, "Nothing to redo");
    } else if (pd_log_redo(app->session.log, app->session.world, &error)) {
        pd_announce_error(&app->viewport.announcer, &error);
    } else {
        pd_app_time_changed(app, method);
        pd_announce_value(&app->viewport.announcer, "Redone: at", pd_world_time(app->session.world), "s");
    }
}

static void switch_pause(pd_app *app) {
    app->session.paused = !app->session.paused;
    pd_announce(&app->viewport.announcer, app->session.paused ? "Paused" : "Running");
}

static void single_step(pd_app *app) {
    if (!app->session.paused) switch_pause(app);
    /* While the key is held, one step at a time: no queue of steps builds up on a slow machine. */
    if (app->session.single_steps == 0 || !app->device.key_repeats) app->session.single_steps++;
}

double pd_app_speed(const pd_app *app) { return ldexp(1, app->session.speed); }

static void change_speed(pd_app *app, int direction) {
    enum { MOST = 3 };
    int speed = app->session.speed + direction;
    if (speed >= -MOST && speed <= MOST) app->session.speed = speed;
    pd_announce_value(&app->viewport.announcer, "Speed of time", pd_app_speed(app), "×");
}

static void switch_gravity(pd_app *app) {
    app->session.gravity.on = !app->session.gravity.on;
    pd_app_apply_gravity(app);
}

/* Actions that change the fluid; false: the action is another one. */
static bool act_on_fluid(pd_app *app, pd_action action, int argument) {
    const pd_method_info *method = pd_world_method(app->session.world);
    if (action == PD_ACTION_STIFFNESS)
        nudge(app, method->stiffness_key, "stiffness", argument, 1);
    else if (action == PD_ACTION_VISCOSITY)
        nudge(app, method->viscosity_key, "viscosity", argument, 1);
    else if (action == PD_ACTION_YIELD)
        nudge(app, "yield", "yield", argument, YIELD_NUDGES);
    else if (action == PD_ACTION_GRAVITY)
        change_gravity(app, argument);
    else if (action == PD_ACTION_GRAVITY_TURN)
        turn_gravity(app, argument);
    else if (action == PD_ACTION_GRAVITY_SWITCH)
        switch_gravity(app);
    else if (action == PD_ACTION_PARTICLES)
        change_particles(app, argument);
    else if (action == PD_ACTION_METHOD)
        choose_method(app, (char)argument);
    else if (action == PD_ACTION_DYE)
        pd_app_next_dye(app);
    else
        return false;
    return true;
}

/* Actions that control time; false: the action is another one. */
static bool act_on_time(pd_app *app, pd_action action, int argument) {
    if (action == PD_ACTION_PAUSE)
        switch_pause(app);
    else if (action == PD_ACTION_STEP)
        single_step(app);
    else if (action == PD_ACTION_RESET)
        reset(app);
    else if (action == PD_ACTION_REOPEN)
        pd_app_reopen(app);
    else if (action == PD_ACTION_REWIND)
        pd_app_rewind(app);
    else if (action == PD_ACTION_UNDO)
        undo(app);
    else if (action == PD_ACTION_REDO)
        redo(app);
    else if (action == PD_ACTION_SPEED)
        change_speed(app, argument);
    else
        return false;
    return true;
}

/* Whether an action is about the world, which then is to be where it is shown. */
static bool needs_present(pd_action action) {
    return action < PD_ACTION_VIEW || (action >= PD_ACTION_STEP && action <= PD_ACTION_SAVE);
}

void pd_app_act(pd_app *app, pd_action action, int argument) {
    if (needs_present(action)) {
        pd_backwards_stop(app);
        pd_app_stop_seeking(app);
    }
    if (act_on_fluid(app, action, argument) || act_on_time(app, action, argument)) return;
    if (action == PD_ACTION_VIEW) next_view(app);
    if (action == PD_ACTION_LINES) next_lines(app);
    if (action == PD_ACTION_PALETTE) pd_app_set_palette(app, (app->viewport.palette + 1) % pd_palette_count());
    if (action == PD_ACTION_PANEL) {
        app->viewport.panel = !app->viewport.panel;
        ui_request_frame(app->device.ui);
    }
    if (action == PD_ACTION_HELP) app->viewport.help = !app->viewport.help;
    if (action == PD_ACTION_FULLSCREEN) pd_display_toggle_fullscreen(&app->device.display);
    if (action == PD_ACTION_SAVE) pd_app_save(app);
    if (action == PD_ACTION_KEEP_LOG) pd_app_keep_log(app);
    if (action == PD_ACTION_RECORD) pd_recorder_toggle(app);
    if (action == PD_ACTION_SCREENSHOT) pd_screenshot_take(app);
    if (action == PD_ACTION_QUIT) app->running = false;
}
