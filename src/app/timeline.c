/* The time line: where the world is in its log, at the bottom of the picture while that is of interest: while a log is watched,
 * after going back, and where the pointer is near the bottom with the panel open. Dragging on it shows the states that are
 * kept, and letting go makes the exact one, over several frames where that takes long. */
#include "app/state.h"

#include "core/timer.h"
#include <math.h>
#include <stdio.h>

static const float EDGE = 10, INSET_X = 14, INSET_Y = 6, GAP = 12; /* units */
static const float TRACK = 4, KNOB = 6;                            /* units: height, radius */
static const float LEAST_WIDTH = 170, MOST_WIDTH = 900; /* units: a narrower one lies above what is beside it */
static const float NEAR = 70;                           /* units from the bottom that call it */
static const float PLATE = 1.1f;                        /* opacity */
static const double FADE = 0.25, LINGER = 1.2;          /* s */

static bool near_bottom(const pd_app *app) {
    const pd_pointer *pointer = &app->device.pointer;
    float scale = app->device.display.scale;
    float edge = (float)app->device.display.width - pd_app_panel_cover(app) * scale;
    return app->viewport.panel && pointer->present && pointer->held == PD_TOOL_NONE && pointer->pixel_x < edge &&
           pointer->pixel_y > (float)app->device.display.height - NEAR * scale;
}

static bool is_wanted(const pd_app *app) {
    if (!app->session.log || app->viewport.help || pd_log_end(app->session.log) == 0) return false;
    return app->session.watching || pd_app_replays(app) || app->session.backwards.held || app->session.seek.dragged ||
           near_bottom(app);
}

bool pd_timeline_fading(const pd_app *app) {
    const pd_timeline *line = &app->viewport.timeline;
    return is_wanted(app) ? line->opacity < 1 : line->opacity > 0;
}

bool pd_timeline_covers(const pd_app *app, float pixel_x, float pixel_y) {
    const pd_timeline *line = &app->viewport.timeline;
    float x = pixel_x / app->device.display.scale, y = pixel_y / app->device.display.scale;
    return line->opacity > 0.3f && x >= line->plate.x && x < line->plate.x + line->plate.width && y >= line->plate.y &&
           y < line->plate.y + line->plate.height;
}

/* ---- Seeking ---- */

void pd_app_stop_seeking(pd_app *app) { app->session.seek.active = app->session.seek.dragged = false; }

void pd_timeline_grab(pd_app *app) {
    pd_backwards_stop(app);
    pd_app_flush_save(app);
    app->session.seek.dragged = app->session.seek.active = true;
    app->session.seek.shown = PD_LOG_NEVER;
}

void pd_timeline_release(pd_app *app) { app->session.seek.dragged = false; }

static void follow_pointer(pd_app *app) {
    const pd_timeline *line = &app->viewport.timeline;
    pd_seek *seek = &app->session.seek;
    float part = (app->device.pointer.pixel_x / app->device.display.scale - line->from) / fmaxf(line->length, 1);
    seek->tick = (uint64_t)llround((double)fminf(fmaxf(part, 0), 1) * (double)pd_log_end(app->session.log));
}

static void arrived(pd_app *app, const pd_method_info *method) {
    app->session.seek.active = false;
    pd_app_time_changed(app, method);
    if (!app->session.watching && !pd_app_replays(app)) return;
    if (app->session.paused)
        pd_announce_value(&app->viewport.announcer, "At", (double)pd_log_tick(app->session.log) * app->session.pace.dt,
                          "s");
}

void pd_timeline_advance(pd_app *app) {
    pd_seek *seek = &app->session.seek;
    const pd_method_info *method = pd_world_method(app->session.world);
    pd_error error;
    pd_result result = PD_OK;
    bool done = false;
    uint64_t keyframe = 0;
    if (seek->dragged) follow_pointer(app);
    if (seek->dragged) {
        pd_log_keyframe_before(app->session.log, seek->tick + 1, &keyframe);
        if (keyframe != seek->shown)
            result = pd_log_seek(app->session.log, app->session.world, keyframe, &error); /* without steps */
        seek->shown = keyframe;
    } else {
        result =
            pd_log_seek_part(app->session.log, app->session.world, seek->tick, app->session.pace.budget, &done, &error);
    }
    app->session.pace.owed = app->session.pace.dt; /* draws the state as it is */
    if (result != PD_OK) {
        pd_app_stop_seeking(app);
        pd_announce_error(&app->viewport.announcer, &error);
    } else if (done) {
        arrived(app, method);
    } else if (pd_world_method(app->session.world) != method) {
        pd_app_find_view(app);
        pd_meter_restart(&app->viewport.meter);
    }
}

/* ---- Drawing ---- */

/* "1:05.3" */
static char *clock_text(double seconds, char *text, size_t size) {
    long tenths = lround(seconds * 10);
    snprintf(text, size, "%ld:%02ld.%ld", tenths / 600, tenths / 10 % 60, tenths % 10);
    return text;
}

/* Beside the legend, or above it where that leaves too little room. */
static void place(pd_app *app, float height) {
    pd_plate *plate = &app->viewport.timeline.plate;
    float right = ui_width(app->device.ui) - pd_app_panel_cover(app) - EDGE, foot = ui_height(app->device.ui) - EDGE;
    float free = right, above = foot;
    for (int i = 0; i < app->viewport.hud.plate_count; i++) {
        const pd_plate *other = &app->viewport.hud.plates[i];
        if (other->y < 0.5f * ui_height(app->device.ui)) continue;
        free = fminf(free, other->x - GAP);
        above = fminf(above, other->y - GAP);
    }
    bool beside = free - EDGE >= LEAST_WIDTH;
    if (beside) right = free;
    *plate = (pd_plate){EDGE, (beside ? foot : above) - height, fminf(right - EDGE, MOST_WIDTH), height};
}

static void fade(pd_app *app, bool wanted, double elapsed) {
    pd_timeline *line = &app->viewport.timeline;
    double now = pd_now();
    if (wanted) line->until = now + LINGER;
    float change = (float)(elapsed / FADE);
    line->opacity = wanted || now < line->until ? fminf(line->opacity + change, 1) : fmaxf(line->opacity - change, 0);
}

static void draw_track(const pd_app *app, float y, float opacity) {
    const pd_seek *seek = &app->session.seek;
    static const float dark[] = {0.30f, 0.34f, 0.44f}, bright[] = {0.56f, 0.70f, 1.00f};
    const pd_timeline *line = &app->viewport.timeline;
    double end = fmax((double)pd_log_end(app->session.log), 1);
    float now = (float)((double)pd_log_tick(app->session.log) / end) * line->length;
    float goal = seek->active ? (float)((double)seek->tick / end) * line->length : now;
    ui_box(app->device.ui, line->from, y - 0.5f * TRACK, line->length, TRACK, 0.5f * TRACK, dark, opacity);
    if (now > 1) ui_box(app->device.ui, line->from, y - 0.5f * TRACK, now, TRACK, 0.5f * TRACK, bright, opacity);
    ui_dot(app->device.ui, line->from + goal, y, KNOB, seek->active && !seek->dragged ? UI_WARNING : UI_STRONG,
           opacity);
}

void pd_app_draw_timeline(pd_app *app, double elapsed) {
    const pd_seek *seek = &app->session.seek;
    pd_timeline *line = &app->viewport.timeline;
    char now[32], end[32], speed[48];
    float now_width, end_width, most_width, text;
    fade(app, is_wanted(app), elapsed);
    if (line->opacity <= 0 || !app->session.log) return;
    double dt = app->session.pace.dt, factor = pd_app_speed(app);
    clock_text((double)(seek->active ? seek->tick : pd_log_tick(app->session.log)) * dt, now, sizeof now);
    clock_text((double)pd_log_end(app->session.log) * dt, end, sizeof end);
    if (factor < 1)
        snprintf(speed, sizeof speed, "%s  1/%.0f×", end, 1 / factor);
    else
        snprintf(speed, sizeof speed, factor > 1 ? "%s  %.0f×" : "%s", end, factor);
    ui_measure(app->device.ui, UI_SMALL, now, 0, &now_width, NULL);
    ui_measure(app->device.ui, UI_SMALL, end, 0, &most_width, NULL);
    ui_measure(app->device.ui, UI_SMALL, speed, 0, &end_width, &text);
    most_width = fmaxf(most_width, now_width); /* the track does not move while the present time grows */
    place(app, text + 2 * INSET_Y);
    const pd_plate *plate = &line->plate;
    line->from = plate->x + INSET_X + most_width + GAP;
    line->length = plate->x + plate->width - INSET_X - end_width - GAP - line->from;
    if (line->length < 30) return;
    pd_app_plate(app, plate->x, plate->y, plate->width, plate->height, PLATE * line->opacity);
    float y = plate->y + INSET_Y;
    ui_text(app->device.ui, plate->x + INSET_X, y, UI_SMALL, UI_STRONG, line->opacity, 0, now);
    ui_text(app->device.ui, plate->x + plate->width - INSET_X - end_width, y, UI_SMALL, UI_QUIET, line->opacity, 0,
            speed);
    draw_track(app, y + 0.5f * text, line->opacity);
}
