#include "app/view/viewport.h"

#include "app/io/settings.h"
#include "app/tables/tools.h"
#include "core/text.h"
#include "render/palette.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns the view mode of this name in a world's method. Returns the method's first mode if `name` is NULL or no mode
 * has it. */
static const pd_view_mode *find_mode(const pd_world *world, const char *name) {
    const pd_method_info *method = pd_world_method(world);
    const pd_view_mode *mode = name ? pd_method_find_view(method, name) : NULL;
    return mode ? mode : pd_method_view_at(method, 0);
}

void pd_viewport_update(pd_viewport *viewport, const pd_session *session) {
    const pd_world *second = session->second.world;
    pd_panes *panes = &viewport->panes;
    pd_world_view(session->world, &viewport->view);
    viewport->mode = find_mode(session->world, viewport->chosen_view);
    if (!second) return;
    pd_world_view(second, &panes->view);
    panes->mode = find_mode(second, viewport->mode->name);
}

static void reset_zoom(pd_viewport *viewport) {
    viewport->zoom.factor = 1;
    viewport->zoom.shift = (pd_vec2){0, 0};
}

void pd_viewport_handle_event(pd_viewport *viewport, const pd_session *session, pd_session_event event) {
    if (event == PD_SESSION_KEPT) viewport->chosen_view = viewport->panes.mode->name;
    bool updates = event == PD_SESSION_STEP_UNDONE || event == PD_SESSION_STATE || event == PD_SESSION_METHOD ||
                   event == PD_SESSION_TIME; /* the panes may have changed */
    if (updates) pd_viewport_update(viewport, session);
    if (event == PD_SESSION_METHOD) pd_meter_restart(&viewport->meter);
    if (event == PD_SESSION_WORLD) viewport->browser.open = false;
    if (event == PD_SESSION_WORLD) viewport->opening.offered_until = 0;
    if (event == PD_SESSION_WORLD) reset_zoom(viewport);
    if (event == PD_SESSION_STATE) {
        viewport->slider = (pd_held_slider){0};
        viewport->hud.next_update = 0;
    }
}

void pd_viewport_set_mode(pd_viewport *viewport, const pd_view_mode *mode) {
    viewport->mode = mode;
    viewport->chosen_view = viewport->mode->name;
    viewport->view_chosen_last = true;
    pd_announce_word(&viewport->announcer, "View", viewport->mode->name);
}

static pd_view_lines choose_lines(const pd_viewport *viewport, const pd_view *view, const pd_view_mode *mode) {
    pd_view_lines own = mode->lines;
    /* whether the view mode itself shows the flow by streamlines or arrows */
    bool flow = own == PD_LINES_STREAMLINES || own == PD_LINES_ARROWS;
    pd_view_lines lines =
        !viewport->lines_chosen || (flow && viewport->view_chosen_last) ? own : viewport->chosen_lines;
    return pd_lines_can_be_drawn(view, mode, lines) ? lines : PD_LINES_NONE;
}

pd_view_lines pd_viewport_lines(const pd_viewport *viewport) {
    return choose_lines(viewport, &viewport->view, viewport->mode);
}

void pd_viewport_set_lines(pd_viewport *viewport, pd_view_lines lines) {
    viewport->lines_chosen = true;
    viewport->view_chosen_last = false;
    viewport->chosen_lines = lines;
    pd_announce_word(&viewport->announcer, "Lines", pd_lines_name(lines));
}

static const char *const measures[PD_MEASURES] = {"kinetic energy", "density error", "time per step"};

static void select_next_measure(pd_viewport *viewport, const pd_session *session) {
    if (!session->second.world) {
        pd_announce(&viewport->announcer, "Graphs need two panes: Ctrl+1 to %c", pd_controls_last_method_key());
        return;
    }
    viewport->panes.measure = (viewport->panes.measure + 1) % PD_MEASURES;
    pd_announce_word(&viewport->announcer, "Graph", pd_viewport_measure_name(viewport->panes.measure));
}

const char *pd_viewport_measure_name(pd_measure measure) { return measures[measure]; }

static void select_next_lines(pd_viewport *viewport) {
    pd_view_lines now = pd_viewport_lines(viewport), next = now;
    do next = (next + 1) % PD_LINES_COUNT;
    while (!pd_lines_can_be_drawn(&viewport->view, viewport->mode, next));
    if (next == now)
        pd_announce(&viewport->announcer, "This view cannot show lines (V: next view)");
    else
        pd_viewport_set_lines(viewport, next);
}

void pd_viewport_set_palette(pd_viewport *viewport, int palette) {
    viewport->palette = palette;
    pd_announce_word(&viewport->announcer, "Palette", pd_palette_name(palette));
}

pd_picture pd_viewport_describe_picture(const pd_viewport *viewport, int pane, int width, int height, float scale,
                                        float alpha) {
    const pd_picture_switches *switches = &viewport->switches;
    const uint8_t *background = switches->background;
    const pd_view *view = pane ? &viewport->panes.view : &viewport->view;
    const pd_view_mode *mode = pane ? viewport->panes.mode : viewport->mode;
    return (pd_picture){
        .view = view,
        .mode = mode,
        .lines = choose_lines(viewport, view, mode),
        .palette = viewport->palette,
        .alpha = alpha,
        .width = width,
        .height = height,
        .framing = {.zoom = viewport->zoom.factor, .shift = viewport->zoom.shift},
        .scale = scale,
        .plain = switches->plain,
        .background = {(float)background[0] / 255, (float)background[1] / 255, (float)background[2] / 255},
        .no_outline = switches->no_outline,
        .no_sources = switches->no_sources,
    };
}

void pd_viewport_compute_material_colour(const pd_viewport *viewport, int material, float rgb[3]) {
    uint32_t packed = pd_palette_material_colour(viewport->palette, &viewport->view, material);
    for (int i = 0; i < 3; i++) rgb[i] = (float)(packed >> (8 * i) & 255) / 255;
}

/* ---- The switches of earlier runs ---- */

enum { SETTING_SIZE = 96 };
static const char NO_OUTLINE[] = "no-outline ", NO_SOURCES[] = "no-sources ", NO_LEGEND[] = "no-legend ",
                  PLAIN[] = "plain ", RULER[] = "ruler ", VALUES[] = "values ";

/* Writes the setting: "no-legend plain #203040". */
static void write_setting(const pd_picture_switches *switches, char text[SETTING_SIZE]) {
    const uint8_t *colour = switches->background;
    snprintf(text, SETTING_SIZE, "%s%s%s%s%s%s#%02x%02x%02x", switches->no_outline ? NO_OUTLINE : "",
             switches->no_sources ? NO_SOURCES : "", switches->no_legend ? NO_LEGEND : "", switches->plain ? PLAIN : "",
             switches->ruler ? RULER : "", switches->values ? VALUES : "", colour[0], colour[1], colour[2]);
}

void pd_switches_read(pd_picture_switches *switches) {
    char text[SETTING_SIZE];
    unsigned colour = 0xffffff;
    if (!pd_settings_read(PD_SETTING_PICTURE, text, sizeof text)) *text = '\0';
    const char *sign = strchr(text, '#');
    if (sign) sscanf(sign, "#%6x", &colour);
    *switches = (pd_picture_switches){.no_outline = strstr(text, NO_OUTLINE),
                                      .no_sources = strstr(text, NO_SOURCES),
                                      .no_legend = strstr(text, NO_LEGEND),
                                      .plain = strstr(text, PLAIN),
                                      .ruler = strstr(text, RULER),
                                      .values = strstr(text, VALUES)};
    for (int i = 0; i < 3; i++) switches->background[i] = (uint8_t)(colour >> (16 - 8 * i));
}

pd_result pd_switches_save(const pd_picture_switches *switches, pd_error *error) {
    pd_picture_switches saved;
    char text[SETTING_SIZE], before[SETTING_SIZE];
    pd_switches_read(&saved);
    write_setting(&saved, before);
    write_setting(switches, text);
    return strcmp(text, before) == 0 ? PD_OK : pd_settings_save(PD_SETTING_PICTURE, text, error);
}

/* ---- Actions ---- */

static void toggle_switch(pd_viewport *viewport, bool *value, const char *name) {
    *value = !*value;
    pd_announce_word(&viewport->announcer, name, *value ? "on" : "off");
}

bool pd_viewport_perform_action(pd_viewport *viewport, const pd_session *session, pd_action action) {
    if (action == PD_ACTION_VIEW) {
        const pd_method_info *method = pd_world_method(session->world);
        int next = 0;
        for (int i = 0; i < method->view_count; i++)
            if (pd_method_view_at(method, i) == viewport->mode) next = (i + 1) % method->view_count;
        pd_viewport_set_mode(viewport, pd_method_view_at(method, next));
    } else if (action == PD_ACTION_LINES)
        select_next_lines(viewport);
    else if (action == PD_ACTION_PALETTE)
        pd_viewport_set_palette(viewport, (viewport->palette + 1) % pd_palette_count());
    else if (action == PD_ACTION_SHOW_ALL)
        reset_zoom(viewport);
    else if (action == PD_ACTION_VALUES)
        toggle_switch(viewport, &viewport->switches.values, "Values at the pointer");
    else if (action == PD_ACTION_RULER)
        toggle_switch(viewport, &viewport->switches.ruler, "Scale bar");
    else if (action == PD_ACTION_MEASURE)
        select_next_measure(viewport, session);
    else if (action == PD_ACTION_MATERIALS)
        viewport->material_palette.open = !viewport->material_palette.open;
    else if (action == PD_ACTION_HELP)
        viewport->help = !viewport->help;
    else
        return false;
    return true;
}

/* ---- Measured wall time of the last frames, and why simulated time is slow ---- */

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
