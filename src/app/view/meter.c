/* Measured wall time of the last frames for each stage of a step, the density error of the pressure solver, and the line that
 * explains why simulated time is slower than real time. */
#include "app/view/viewport.h"

#include "core/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns the index of a stage by its name. Adds an unknown stage before the last stage, which is "drawing". A frame within
 * a long step may not run all stages, so a stage may be unknown for some frames. */
static int find_or_add_stage(pd_meter *meter, const char *name) {
    for (int i = 0; i + 1 < meter->stages; i++)
        if (strcmp(meter->names[i], name) == 0) return i;
    if (meter->stages == PD_METER_STAGES) return meter->stages - 1;
    meter->count = meter->next = 0;
    meter->names[meter->stages - 1] = name;
    return meter->stages++ - 1;
}

void pd_meter_restart(pd_meter *meter) {
    *meter = (pd_meter){.frame_sum = meter->frame_sum, .wall_sum = meter->wall_sum};
}

float pd_chart_choose_axis_maximum(float present_top, float value) {
    static const float least = 1e-3f, steps[] = {1, 2, 5};
    if (value <= present_top && value > 0.2f * present_top) return present_top;
    for (float decade = least;; decade *= 10)
        for (int i = 0; i < 3; i++)
            if (decade * steps[i] >= value || !(value < 1e6f)) return decade * steps[i];
}

/* Updates meter->error, the density errors at the first PD_METER_ERRORS iterations of the last substep, smoothed in time. */
static void smooth_density_errors(pd_meter *meter, const pd_world *world, double frame_seconds) {
    const float *now;
    int count = pd_world_density_errors(world, &now);
    if (count > PD_METER_ERRORS) count = PD_METER_ERRORS;
    float decay = count == meter->errors ? (float)exp(-frame_seconds / 0.5) : 0, largest = 0;
    for (int i = 0; i < count; i++) {
        meter->error[i] = decay * meter->error[i] + (1 - decay) * now[i];
        largest = fmaxf(largest, meter->error[i]);
    }
    meter->errors = count;
    meter->error_top = pd_chart_choose_axis_maximum(meter->error_top, largest);
}

void pd_meter_add_frame(pd_meter *meter, pd_world *world, double frame_seconds, double drawing_seconds) {
    const pd_profile *profile = pd_world_profile(world);
    if (meter->stages == 0) meter->stages = 1;
    int stage_index[PD_MAX_STAGES];
    for (int i = 0; i < profile->stage_count; i++) stage_index[i] = find_or_add_stage(meter, profile->stage[i]);
    float *ms = meter->ms[meter->next];
    for (int i = 0; i < meter->stages; i++) ms[i] = 0;
    for (int i = 0; i < profile->stage_count; i++) ms[stage_index[i]] = (float)(profile->seconds[i] * 1e3);
    meter->names[meter->stages - 1] = "drawing";
    ms[meter->stages - 1] = (float)(drawing_seconds * 1e3);
    meter->next = (meter->next + 1) % PD_METER_FRAMES;
    if (meter->count < PD_METER_FRAMES) meter->count++;
    pd_world_reset_profile(world);
    smooth_density_errors(meter, world, frame_seconds);

    double decay = exp(-frame_seconds / 0.5);
    meter->frame_sum = decay * meter->frame_sum + 1;
    meter->wall_sum = decay * meter->wall_sum + frame_seconds;
}

double pd_meter_fps(const pd_meter *meter) { return meter->wall_sum > 0 ? meter->frame_sum / meter->wall_sum : 0; }

/* ---- Slow time ---- */

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
