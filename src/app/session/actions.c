/* The actions on the session, of keys and of the panel's buttons: on the fluid, on time, and on what is kept. */
#include "app/session/session.h"

#include "app/io/settings.h"
#include "app/tables/controls.h"
#include "core/error.h"
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
static void nudge_materials(pd_session *session, int index, int direction, int nudges) {
    const pd_parameter *parameter = pd_method_parameter_at(pd_world_method(session->world), index);
    for (int p = 0; p < PD_PROPERTIES; p++) {
        if (pd_session_property_parameter(session, (pd_property)p) != index) continue;
        for (int m = pd_world_scene(session->world)->material_count - 1; m >= 0; m--) {
            bool own;
            float value = pd_session_property(session, m, (pd_property)p, &own);
            if (own) pd_session_set_property(session, m, (pd_property)p, nudged(parameter, value, direction, nudges));
        }
    }
}

static void nudge(pd_session *session, const char *key, const char *what, int direction, int nudges) {
    const pd_method_info *method = pd_world_method(session->world);
    for (int i = 0; key && i < method->parameter_count; i++) {
        if (strcmp(pd_method_parameter_at(method, i)->key, key) != 0) continue;
        float value = pd_session_parameter(session, i, NULL);
        pd_session_set_parameter(session, i, nudged(pd_method_parameter_at(method, i), value, direction, nudges));
        nudge_materials(session, i, direction, nudges);
        return;
    }
    pd_announce(session->announcer, "%s has no %s", method->title, what);
}

static void change_gravity(pd_session *session, int direction) {
    pd_gravity_dial *dial = &session->gravity;
    float shown = dial->on ? dial->strength : 0;
    float next = roundf(shown / dial->notch + (float)direction) * dial->notch;
    next = fminf(fmaxf(next, 0), 100 * dial->notch);
    dial->on = next > 0;
    if (dial->on) dial->strength = next;
    pd_session_apply_gravity(session);
}

static void turn_gravity(pd_session *session, int direction) {
    pd_gravity_dial *dial = &session->gravity;
    dial->angle = roundf(dial->angle / ANGLE_STEP + (float)direction) * ANGLE_STEP;
    if (dial->angle > 180) dial->angle -= 360;
    if (dial->angle <= -180) dial->angle += 360;
    pd_session_apply_gravity(session);
    pd_announce_value(session->announcer, "Gravity direction", (double)dial->angle, "°");
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

static void change_particles(pd_session *session, int direction) {
    const pd_scene *scene = pd_world_scene(session->world);
    int count = scene->particles > 0 ? scene->particles : pd_world_particles(session->world);
    int next = nice_count(count, direction);
    if ((direction > 0 && next <= count) || (direction < 0 && next >= count)) next = count;
    if (next == count) {
        pd_announce_value(session->announcer, "Particles", next, "");
        return;
    }
    pd_error error;
    if (pd_world_waiting(session->world, 0))
        pd_session_finish_step(session); /* what is set scales with the particles */
    if (pd_session_do(session, &(pd_command){PD_COMMAND_PARTICLES, .is.particles = next}, &error)) {
        pd_announce_error(session->announcer, &error);
        return;
    }
    pd_session_state_changed(session);
    pd_announce_restarted(session->announcer, "Particles", next);
}

/* The greatest value that a method's parameter gives to materials without an own value of the property. */
static float greatest_parameter(const pd_world *world, pd_property property) {
    float greatest = 0, value;
    char key[PD_MAX_KEY];
    for (int m = 0; m < pd_method_count(); m++) {
        int index = pd_method_property(pd_method_at(m), (int)property);
        if (index < 0) continue;
        pd_world_parameter(world, pd_method_key(pd_method_at(m), index, key, sizeof key), &value, NULL);
        greatest = fmaxf(greatest, value);
    }
    return greatest;
}

/* Whether a material has a property by its own value or under some method, and none has it under the method that runs. */
static bool is_lost(const pd_world *world, pd_property property) {
    const pd_scene *scene = pd_world_scene(world);
    const float shared = greatest_parameter(world, property);
    const bool supported = pd_world_method(world)->features & pd_property_at((int)property)->feature;
    bool had = false;
    for (int m = 0; m < scene->material_count; m++) {
        float own = scene->materials[m].property[property];
        if (supported && pd_world_property(world, m, property) > 0) return false;
        if ((isnan(own) ? shared : own) > 0) had = true;
    }
    return had;
}

/* The measurements of the previous method's stages and solver no longer apply. */
static void method_changed(pd_session *session) {
    const pd_method_info *method = pd_world_method(session->world);
    char text[160] = "";
    pd_session_tell(session, PD_SESSION_METHOD);
    bool soft = is_lost(session->world, PD_ELASTICITY), loose = is_lost(session->world, PD_STICKINESS);
    const char *what = soft && loose ? "elasticity and stickiness have" : soft ? "elasticity has" : "stickiness has";
    if (soft || loose)
        snprintf(text, sizeof text, "Method %s: %s no effect", method->title, what);
    else
        pd_announce_word(session->announcer, "Method", method->title);
    pd_session_tell_warnings(session, text);
}

/* The state of the fluid and its settings are kept; only the equations that move it change. */
void pd_session_set_method(pd_session *session, const pd_method_info *method) {
    if (method == pd_world_method(session->world)) {
        pd_announce_word(session->announcer, "Method", method->title);
        return;
    }
    pd_session_finish_step(session);
    pd_error error;
    pd_command command = {.kind = PD_COMMAND_METHOD};
    snprintf(command.is.method, sizeof command.is.method, "%s", method->name);
    if (pd_session_do(session, &command, &error)) {
        pd_announce_error(session->announcer, &error);
        return;
    }
    method_changed(session);
    pd_session_state_changed(session);
}

static void choose_method(pd_session *session, char key) {
    const pd_method_info *method = pd_method_of_key(key);
    if (method) pd_session_set_method(session, method);
}

static void compare(pd_session *session, char key) {
    const pd_method_info *method = pd_method_of_key(key);
    if (method) pd_session_compare(session, method);
}

static void reset(pd_session *session) {
    pd_session_do(session, &(pd_command){.kind = PD_COMMAND_RESET}, NULL); /* cannot fail */
    pd_session_state_changed(session);
    pd_announce(session->announcer, "Fluid reset, values unchanged");
}

/* The state contains parameters and a method of its own. */
void pd_session_time_changed(pd_session *session, const pd_method_info *before) {
    if (pd_world_method(session->world) != before) method_changed(session);
    pd_session_state_changed(session);
    /* The pointer lets go. The world's tool stays, so that a redo gives it back too; the next step puts it down. */
    pd_session_tell(session, PD_SESSION_TIME);
}

/* Where the last act began far from any kept state, undoing makes the steps in between again. */
static const double LONGEST_UNDO = 5; /* s */

static void undo(pd_session *session) {
    const pd_method_info *method = pd_world_method(session->world);
    uint64_t steps;
    pd_error error;
    pd_session_finish_step(session);
    if (!session->log || pd_session_stepping(session) || !pd_log_can_undo(session->log, &steps)) {
        pd_announce(session->announcer, "Nothing to undo");
    } else if ((double)steps * session->pace.step_cost > LONGEST_UNDO) {
        pd_announce(session->announcer, "Cannot undo: %llu steps take over %.0f s (use the time line)",
                    (unsigned long long)steps, LONGEST_UNDO);
    } else if (pd_log_undo(session->log, session->world, &error)) {
        pd_announce_error(session->announcer, &error);
    } else {
        pd_session_time_changed(session, method);
        pd_announce_value(session->announcer, "Undone, back to", pd_world_time(session->world), "s");
        pd_second_close(session, "undo changes one pane only");
    }
}

static void redo(pd_session *session) {
    const pd_method_info *method = pd_world_method(session->world);
    pd_error error;
    pd_session_finish_step(session);
    if (!session->log || pd_session_stepping(session) || !pd_log_can_redo(session->log)) {
        pd_announce(session->announcer, "Nothing to redo");
    } else if (pd_log_redo(session->log, session->world, &error)) {
        pd_announce_error(session->announcer, &error);
    } else {
        pd_session_time_changed(session, method);
        pd_announce_value(session->announcer, "Redone, forward to", pd_world_time(session->world), "s");
        pd_second_close(session, "redo changes one pane only");
    }
}

static void switch_pause(pd_session *session) {
    session->paused = !session->paused;
    pd_announce(session->announcer, session->paused ? "Paused" : "Running");
}

static void single_step(pd_session *session, bool repeated) {
    if (!session->paused) switch_pause(session);
    /* While the key is held, one step at a time: no queue of steps builds up on a slow machine. */
    if (session->single_steps == 0 || !repeated) session->single_steps++;
}

double pd_session_speed(const pd_session *session) { return ldexp(1, session->speed); }

static void change_speed(pd_session *session, int direction) {
    enum { MOST = 3 };
    int speed = session->speed + direction;
    if (speed >= -MOST && speed <= MOST) session->speed = speed;
    pd_announce_value(session->announcer, "Speed of time", pd_session_speed(session), "×");
}

static void switch_gravity(pd_session *session) {
    session->gravity.on = !session->gravity.on;
    pd_session_apply_gravity(session);
}

int pd_session_dye(const pd_session *session) {
    bool there = session->dye <= pd_world_scene(session->world)->material_count; /* an undo may have removed it */
    return pd_world_method(session->world)->paints && there ? session->dye - 1 : -1;
}

const char *pd_session_material_name(const pd_session *session, int material, char *text, size_t size) {
    const char *name = pd_world_scene(session->world)->materials[material].name;
    if (*name) return name;
    snprintf(text, size, "%d", material + 1);
    return text;
}

void pd_session_set_history(pd_session *session, int mib) {
    pd_error error;
    session->history = (size_t)mib << 20;
    if (session->log) pd_log_set_budget(session->log, session->history);
    if (pd_settings_save_history(mib, &error))
        pd_announce_error(session->announcer, &error);
    else
        pd_announce_value(session->announcer, "History memory", mib, "MiB");
}

void pd_session_set_dye(pd_session *session, int material) {
    char number[16];
    session->dye = material + 1;
    pd_announce_word(session->announcer, "Dye",
                     material < 0 ? "none" : pd_session_material_name(session, material, number, sizeof number));
}

static void next_dye(pd_session *session) {
    const pd_method_info *method = pd_world_method(session->world);
    int next = pd_session_dye(session) + 2;
    if (!method->paints)
        pd_announce(session->announcer, "%s has no dyes (use grid)", method->title);
    else
        pd_session_set_dye(session, next <= pd_world_scene(session->world)->material_count ? next - 1 : -1);
}

int pd_session_poured(const pd_session *session) {
    int materials = pd_world_scene(session->world)->material_count;
    return session->poured < materials ? session->poured : 0;
}

const char *pd_session_tool_text(const pd_session *session, pd_bar_tool tool, int material, char text[PD_TOOL_TEXT]) {
    const pd_bar_row *row = pd_bar_row_of(tool);
    char number[16];
    const char *of = row->material ? pd_session_material_name(session, material, number, sizeof number) : "";
    if (pd_bar_choices(tool) > 0) of = row->choices[session->choice[tool]];
    snprintf(text, PD_TOOL_TEXT, "%s%s%s", row->name, *of ? " " : "", of);
    return text;
}

static void announce_tool(const pd_session *session) {
    char text[PD_TOOL_TEXT];
    pd_announce_word(session->announcer, "Tool",
                     pd_session_tool_text(session, session->tool, pd_session_poured(session), text));
}

void pd_session_choose_material(pd_session *session, int material) {
    session->poured = material;
    announce_tool(session);
}

void pd_session_choose_tool(pd_session *session, pd_bar_tool tool) {
    bool again = session->tool == tool && !session->tool_brought;
    int choices = pd_bar_choices(tool);
    if (again && pd_bar_row_of(tool)->material)
        session->poured = (pd_session_poured(session) + 1) % pd_world_scene(session->world)->material_count;
    if (again && choices > 0) session->choice[tool] = (session->choice[tool] + 1) % choices;
    session->tool = tool;
    session->tool_brought = false;
    announce_tool(session);
}

pd_tool_kind pd_session_tool_kind(const pd_session *session) {
    /* One that erases only walls holds nothing, and exerts no force: its edits belong to its press. */
    bool walls = session->tool == PD_BAR_ERASE && session->choice[PD_BAR_ERASE] == PD_CHOICE_WALLS;
    return walls ? PD_TOOL_MOVE : pd_bar_row_of(session->tool)->kind;
}

/* Actions that change the fluid; false: the action is another one. */
static bool act_on_fluid(pd_session *session, pd_action action, int argument) {
    const pd_method_info *method = pd_world_method(session->world);
    if (action == PD_ACTION_STIFFNESS)
        nudge(session, pd_controls_of(method)->stiffness, "stiffness", argument, 1);
    else if (action == PD_ACTION_VISCOSITY)
        nudge(session, pd_controls_of(method)->viscosity, "viscosity", argument, 1);
    else if (action == PD_ACTION_YIELD)
        nudge(session, "yield", "yield", argument, YIELD_NUDGES);
    else if (action == PD_ACTION_GRAVITY)
        change_gravity(session, argument);
    else if (action == PD_ACTION_GRAVITY_TURN)
        turn_gravity(session, argument);
    else if (action == PD_ACTION_GRAVITY_SWITCH)
        switch_gravity(session);
    else if (action == PD_ACTION_PARTICLES)
        change_particles(session, argument);
    else if (action == PD_ACTION_METHOD)
        choose_method(session, (char)argument);
    else if (action == PD_ACTION_COMPARE)
        compare(session, (char)argument);
    else if (action == PD_ACTION_KEEP_SECOND)
        pd_session_keep_second(session);
    else if (action == PD_ACTION_DYE)
        next_dye(session);
    else
        return false;
    return true;
}

/* Actions that control time; false: the action is another one. */
static bool act_on_time(pd_session *session, pd_action action, int argument, bool repeated) {
    if (action == PD_ACTION_PAUSE)
        switch_pause(session);
    else if (action == PD_ACTION_STEP)
        single_step(session, repeated);
    else if (action == PD_ACTION_RESET)
        reset(session);
    else if (action == PD_ACTION_REOPEN)
        pd_session_reopen(session);
    else if (action == PD_ACTION_REWIND)
        pd_session_rewind(session);
    else if (action == PD_ACTION_UNDO)
        undo(session);
    else if (action == PD_ACTION_REDO)
        redo(session);
    else if (action == PD_ACTION_SPEED)
        change_speed(session, argument);
    else
        return false;
    return true;
}

/* Whether an action is about the world, which then is to be where it is shown. */
static bool needs_present(pd_action action) {
    return action < PD_ACTION_VIEW || (action >= PD_ACTION_STEP && action <= PD_ACTION_SAVE_SCENE);
}

bool pd_session_act(pd_session *session, pd_action action, int argument, bool repeated) {
    if (needs_present(action)) pd_session_settle(session);
    if (act_on_fluid(session, action, argument) || act_on_time(session, action, argument, repeated)) return true;
    if (action == PD_ACTION_TOOL)
        pd_session_choose_tool(session, (pd_bar_tool)argument);
    else if (action == PD_ACTION_SAVE)
        pd_session_save(session);
    else if (action == PD_ACTION_SAVE_SCENE)
        pd_session_save_scene(session);
    else if (action == PD_ACTION_KEEP_LOG)
        pd_session_keep_log(session);
    else
        return false;
    return true;
}
