/* Actions of keys and buttons on the session: its fluid, its time and its files. */
#include "app/session/session.h"

#include "app/session/actions.h"
#include "app/session/materials.h"
#include "app/tables/controls.h"
#include "core/error.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

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

static void turn_gravity(pd_session *session, int direction) {
    pd_gravity_dial *dial = &session->gravity;
    dial->angle = roundf(dial->angle / ANGLE_STEP + (float)direction) * ANGLE_STEP;
    if (dial->angle > 180) dial->angle -= 360;
    if (dial->angle <= -180) dial->angle += 360;
    pd_session_apply_gravity_dial(session);
    pd_announce_value(session->announcer, "Gravity direction", (double)dial->angle, "°");
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

static void reset_fluid(pd_session *session) {
    pd_session_try_command(session, &(pd_command){.kind = PD_COMMAND_RESET}, NULL); /* cannot fail */
    pd_session_refresh_state(session);
    pd_announce(session->announcer, "Restarted, your settings kept");
}

static void toggle_pause(pd_session *session) {
    session->paused = !session->paused;
    pd_announce(session->announcer, session->paused ? "Paused" : "Running");
}

static void request_single_step(pd_session *session, bool repeated) {
    if (!session->paused) toggle_pause(session);
    /* A held key requests no step while another one is still to be made, so that requests do not pile up. */
    if (session->requested_steps == 0 || !repeated) session->requested_steps++;
}

static void change_time_speed(pd_session *session, int direction) {
    enum { GREATEST_EXPONENT = 3 };
    int speed = session->speed_exponent + direction;
    if (speed >= -GREATEST_EXPONENT && speed <= GREATEST_EXPONENT) session->speed_exponent = speed;
    pd_announce_value(session->announcer, "Speed of time", pd_session_chosen_speed(session), "×");
}

static void toggle_gravity(pd_session *session) {
    session->gravity.on = !session->gravity.on;
    pd_session_apply_gravity_dial(session);
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

/* Performs an action if it changes the fluid: parameters, gravity, particles, method or dye. False: another action. */
static bool perform_fluid_action(pd_session *session, pd_action action, int argument) {
    const pd_method_info *method = pd_world_method(session->world), *chosen = pd_controls_method_of_key((char)argument);
    if (action == PD_ACTION_STIFFNESS)
        nudge_parameter(session, pd_controls_of_method(method)->stiffness, "stiffness", argument, 1);
    else if (action == PD_ACTION_VISCOSITY)
        nudge_parameter(session, pd_controls_of_method(method)->viscosity, "viscosity", argument, 1);
    else if (action == PD_ACTION_YIELD)
        nudge_parameter(session, "yield", "yield", argument, YIELD_STEPS);
    else if (action == PD_ACTION_GRAVITY)
        change_gravity_strength(session, argument);
    else if (action == PD_ACTION_GRAVITY_TURN)
        turn_gravity(session, argument);
    else if (action == PD_ACTION_GRAVITY_SWITCH)
        toggle_gravity(session);
    else if (action == PD_ACTION_PARTICLES)
        change_particle_count(session, argument);
    else if (action == PD_ACTION_METHOD && chosen)
        pd_session_set_method(session, chosen);
    else if (action == PD_ACTION_COMPARE && chosen)
        pd_session_compare_with_method(session, chosen);
    else if (action == PD_ACTION_KEEP_SECOND)
        pd_session_promote_second_world(session);
    else if (action == PD_ACTION_DYE)
        select_next_dye(session);
    else
        return false;
    return true;
}

/* Performs an action if it controls time: pause, step, reset, rewind, undo, redo or speed. False: another action. */
static bool perform_time_action(pd_session *session, pd_action action, int argument, bool repeated) {
    if (action == PD_ACTION_PAUSE)
        toggle_pause(session);
    else if (action == PD_ACTION_STEP)
        request_single_step(session, repeated);
    else if (action == PD_ACTION_RESET)
        reset_fluid(session);
    else if (action == PD_ACTION_REOPEN)
        pd_session_reopen_scene(session);
    else if (action == PD_ACTION_REWIND)
        pd_session_rewind(session);
    else if (action == PD_ACTION_UNDO)
        pd_session_undo(session);
    else if (action == PD_ACTION_REDO)
        pd_session_redo(session);
    else if (action == PD_ACTION_CHANGE_SPEED)
        change_time_speed(session, argument);
    else
        return false;
    return true;
}

bool pd_session_perform_action(pd_session *session, pd_action action, int argument, bool repeated) {
    if (pd_action_ends_seek_and_rewind(action)) pd_session_end_seek_and_rewind(session);
    if (perform_fluid_action(session, action, argument) || perform_time_action(session, action, argument, repeated))
        return true;
    if (action != PD_ACTION_TOOL) return false;
    pd_session_select_tool(session, (pd_bar_tool)argument);
    return true;
}
