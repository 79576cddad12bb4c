/* The line that explains why simulated time is slower than real time. */
#include "app/view/viewport.h"

#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns why the substeps are short: "the fluid is stiff". key: limiting parameter or "speed" (pd_substep_cost.key). */
static const char *describe_substep_limit(const char *key) {
    static const char *const reasons[][2] = {
        {"spring", "the fluid is elastic"},    {"stiffness", "the fluid is stiff"},
        {"stickiness", "the fluid is sticky"}, {"tension", "the surface tension is strong"},
        {"viscosity", "the fluid is thick"},   {"core", "the vortices are small"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strstr(key, reasons[i][0])) return reasons[i][1];
    return "the fluid is fast";
}

const char *pd_viewport_describe_cells_or_vortons(const pd_viewport *viewport, char *text, size_t size) {
    if (viewport->view.vortices.id) {
        pd_app_format_count(viewport->view.vortices.count, text, size);
        return "vortons";
    }
    const pd_field *velocity =
        viewport->view.particles_are_tracers ? pd_view_field(&viewport->view, "velocity_x") : NULL;
    if (!velocity) return NULL;
    snprintf(text, size, "%d × %d", velocity->nx, velocity->ny);
    return "cells";
}

/* Returns whether the substeps are short because the fluid is deep: the parameter that limits them has its default, from which
 * the method computes the substeps of deep fluid. */
static bool is_limited_by_depth(const pd_viewport *viewport, const pd_session *session, const pd_substep_cost *cost) {
    float value, standard;
    return viewport->view.load > 1 && pd_world_parameter(session->world, cost->key, &value, NULL) == PD_OK &&
           pd_world_parameter_default(session->world, cost->key, &standard, NULL) == PD_OK && value == standard;
}

/* Appends the cause of slow steps. */
static void append_cause_of_slow_steps(const pd_viewport *viewport, const pd_session *session, char *text,
                                       size_t size) {
    pd_substep_cost costs[PD_MAX_COSTS];
    int count = pd_world_substep_costs(session->world, costs), fixed = pd_world_scene(session->world)->substeps;
    int substeps = count > 0 ? costs[0].substeps : fixed > 0 ? fixed : 1;
    char number[32];
    if (substeps == 1 || session->pace.substep_cost > session->pace.dt) {
        const char *computed = pd_viewport_describe_cells_or_vortons(viewport, number, sizeof number);
        if (!computed) pd_app_format_count(pd_world_particles(session->world), number, sizeof number);
        pd_text_append(text, size, "%s %s are many", number, computed ? computed : "particles");
    } else if (count > 0 && is_limited_by_depth(viewport, session, &costs[0])) {
        pd_text_append(text, size, "deep water (%s substeps)", pd_app_format_count(substeps, number, sizeof number));
    } else {
        pd_text_append(text, size, "%s (%s substeps)",
                       count > 0 ? describe_substep_limit(costs[0].key) : "the scene sets short steps",
                       pd_app_format_count(substeps, number, sizeof number));
    }
}

char *pd_viewport_explain_slowness(const pd_viewport *viewport, const pd_session *session, bool recording, char *text,
                                   size_t size) {
    /* pd_pace.slow is true until one second after time was slow. The limit 0.99 avoids the text "100 %" in this second. */
    double ratio = fmin(pd_pace_speed_ratio(&session->pace), 0.99), speed = pd_session_chosen_speed(session) * ratio;
    /* Fraction of the wall time that steps take. Drawing, or waiting for the queue of a recording, takes the rest. */
    double share = speed * session->pace.substep_cost * pd_world_substeps(session->world) / session->pace.dt;
    bool two = session->second.world != NULL;
    if (two) share = speed * session->pace.step_cost / session->pace.dt;
    *text = '\0';
    if (session->paused || !session->pace.slow) return text;
    snprintf(text, size, "Running at %.*f %% speed: ", ratio < 0.01 ? 1 : 0, 100 * ratio);
    if (share < 0.4)
        pd_text_append(text, size, "%s is slow", recording ? "recording" : "drawing");
    else if (two)
        pd_text_append(text, size, "two methods run");
    else
        append_cause_of_slow_steps(viewport, session, text, size);
    return text;
}
