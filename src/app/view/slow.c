/* The line that explains why simulated time is slower than real time. */
#include "app/view/viewport.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Writes the parameter or speed that limits the substep: "stiffness 1200 m/s²", "fast fluid (310 m/s)". */
static void describe_substep_limit(const pd_substep_cost *cost, char *text, size_t size) {
    char value[64];
    int method, index;
    if (pd_parameter_find(cost->key, &method, &index, NULL) != PD_OK) {
        snprintf(text, size, "fast fluid (%s m/s)", pd_app_format_number((double)cost->value, value, sizeof value));
        return;
    }
    const pd_parameter *parameter = pd_method_parameter_at(pd_method_at(method), index);
    pd_app_format_parameter(parameter, cost->value, value, sizeof value);
    snprintf(text, size, "%c%s %s", tolower((unsigned char)*parameter->title), parameter->title + 1, value);
}

/* Writes that recording is slow, or the wall time that drawing costs. share: part of the wall time that steps take, 0 to 1. */
static void describe_drawing(const pd_viewport *viewport, bool recording, double share, char *text, size_t size) {
    double fps = pd_meter_fps(&viewport->meter);
    if (recording)
        snprintf(text, size, "recording costs more than the simulation");
    else
        snprintf(text, size, "drawing costs %.0f ms a frame", fps > 0 ? 1000 * (1 - share) / fps : 0);
}

const char *pd_viewport_describe_elements(const pd_viewport *viewport, char *text, size_t size) {
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

static void describe_simulation(const pd_viewport *viewport, const pd_session *session, char *text, size_t size) {
    pd_substep_cost costs[PD_MAX_COSTS];
    int count = pd_world_substep_costs(session->world, costs), fixed = pd_world_scene(session->world)->substeps;
    int substeps = fixed > 0 ? fixed : 1;
    if (count > 0) substeps = costs[0].substeps;
    char number[32], what[160];
    if (substeps == 1 || session->pace.substep_cost > session->pace.dt) {
        const char *computed = pd_viewport_describe_elements(viewport, number, sizeof number);
        if (!computed) pd_app_format_count(pd_world_particles(session->world), number, sizeof number);
        snprintf(text, size, "%s %s cost %.0f ms a %s", number, computed ? computed : "particles",
                 session->pace.substep_cost * 1e3, substeps == 1 ? "step" : "substep");
    } else if (count == 0) {
        snprintf(text, size, "the scene fixes %s substeps a step",
                 pd_app_format_count(substeps, number, sizeof number));
    } else {
        describe_substep_limit(&costs[0], what, sizeof what);
        snprintf(text, size, "%s costs %s substeps a step", what, pd_app_format_count(substeps, number, sizeof number));
    }
}

char *pd_viewport_explain_slowness(const pd_viewport *viewport, const pd_session *session, bool recording, char *text,
                                   size_t size) {
    /* pd_pace.slow stays true for a second after time was slow. The limit 0.99 avoids the text "1x real time" in this second. */
    double speed = pd_session_chosen_speed(session) * fmin(pd_pace_speed_ratio(&session->pace), 0.99);
    int decimals = 1;
    if (speed < 0.095 || speed >= 0.95) decimals = 2;
    if (speed < 0.0095) decimals = 3;
    /* Part of the wall time that steps take. Drawing, or waiting for the queue of a recording, takes the rest. */
    double share = speed * session->pace.substep_cost * pd_world_substeps(session->world) / session->pace.dt;
    bool two = session->second.world != NULL;
    if (two) share = speed * session->pace.step_cost / session->pace.dt;
    *text = '\0';
    if (session->paused || !session->pace.slow) return text;
    snprintf(text, size, "%.*f× real time: ", decimals, speed);
    size_t used = strlen(text);
    if (share < 0.4)
        describe_drawing(viewport, recording, share, text + used, size - used);
    else if (two)
        snprintf(text + used, size - used, "a step of both methods costs %.0f ms", session->pace.step_cost * 1e3);
    else
        describe_simulation(viewport, session, text + used, size - used);
    return text;
}
