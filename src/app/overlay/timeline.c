/* The time line: where the world is in its log, at the bottom of the picture while that is of interest: while a log is
 * watched, after going back, and where the pointer is near the bottom with the panel open. */
#include "app/overlay/interface.h"

#include "core/timer.h"
#include <math.h>
#include <stdio.h>

static const float EDGE = 10, INSET_X = 14, INSET_Y = 6, GAP = 12; /* units */
static const float TRACK = 4, KNOB = 6;                            /* units: height, radius */
static const float LEAST_WIDTH = 170, MOST_WIDTH = 900; /* units: a narrower one lies above what is beside it */
static const float NEAR = 70;                           /* units from the bottom that call it */
static const float PLATE = 1.1f;                        /* opacity */
static const double FADE = 0.25, LINGER = 1.2;          /* s */

static bool near_bottom(const pd_viewport *viewport, const pd_pointer *pointer, const pd_display *display) {
    float scale = display->scale;
    float edge = (float)display->width - pd_panel_cover(viewport) * scale;
    return viewport->panel && pointer->present && !pd_pointer_is_busy(pointer) && pointer->pixel_x < edge &&
           pointer->pixel_y > (float)display->height - NEAR * scale;
}

static bool is_wanted(const pd_viewport *viewport, const pd_session *session, const pd_pointer *pointer,
                      const pd_display *display) {
    if (!session->log || viewport->help || pd_log_end(session->log) == 0) return false;
    return session->watching || pd_session_replays(session) || session->backwards.held || session->seek.dragged ||
           near_bottom(viewport, pointer, display);
}

bool pd_timeline_fading(const pd_viewport *viewport, const pd_session *session, const pd_pointer *pointer,
                        const pd_display *display) {
    const pd_timeline *line = &viewport->timeline;
    return is_wanted(viewport, session, pointer, display) ? line->opacity < 1 : line->opacity > 0;
}

bool pd_timeline_covers(const pd_viewport *viewport, const pd_display *display, float pixel_x, float pixel_y) {
    const pd_timeline *line = &viewport->timeline;
    float x = pixel_x / display->scale, y = pixel_y / display->scale;
    return line->opacity > 0.3f && x >= line->plate.x && x < line->plate.x + line->plate.width && y >= line->plate.y &&
           y < line->plate.y + line->plate.height;
}

uint64_t pd_timeline_tick(const pd_viewport *viewport, const pd_session *session, float x) {
    const pd_timeline *line = &viewport->timeline;
    float part = (x - line->from) / fmaxf(line->length, 1);
    return (uint64_t)llround((double)fminf(fmaxf(part, 0), 1) * (double)pd_log_end(session->log));
}

/* "1:05.3" */
static char *clock_text(double seconds, char *text, size_t size) {
    long tenths = lround(seconds * 10);
    snprintf(text, size, "%ld:%02ld.%ld", tenths / 600, tenths / 10 % 60, tenths % 10);
    return text;
}

/* Beside the legend, or above it where that leaves too little room. */
static void place(pd_viewport *viewport, const ui *gui, float height) {
    pd_plate *plate = &viewport->timeline.plate;
    float right = ui_width(gui) - pd_panel_cover(viewport) - EDGE, foot = ui_height(gui) - EDGE;
    float free = right, above = foot;
    for (int i = 0; i < viewport->hud.plate_count; i++) {
        const pd_plate *other = &viewport->hud.plates[i];
        if (other->y < 0.5f * ui_height(gui)) continue;
        free = fminf(free, other->x - GAP);
        above = fminf(above, other->y - GAP);
    }
    bool beside = free - EDGE >= LEAST_WIDTH;
    if (beside) right = free;
    *plate = (pd_plate){EDGE, (beside ? foot : above) - height, fminf(right - EDGE, MOST_WIDTH), height};
}

static void fade(pd_viewport *viewport, bool wanted, double elapsed) {
    pd_timeline *line = &viewport->timeline;
    double now = pd_now();
    if (wanted) line->until = now + LINGER;
    float change = (float)(elapsed / FADE);
    line->opacity = wanted || now < line->until ? fminf(line->opacity + change, 1) : fmaxf(line->opacity - change, 0);
}

static void draw_track(const pd_viewport *viewport, const pd_session *session, ui *gui, float y, float opacity) {
    const pd_seek *seek = &session->seek;
    static const float dark[] = {0.30f, 0.34f, 0.44f}, bright[] = {0.56f, 0.70f, 1.00f};
    const pd_timeline *line = &viewport->timeline;
    double end = fmax((double)pd_log_end(session->log), 1);
    float now = (float)((double)pd_log_tick(session->log) / end) * line->length;
    float goal = seek->active ? (float)((double)seek->tick / end) * line->length : now;
    ui_box(gui, line->from, y - 0.5f * TRACK, line->length, TRACK, 0.5f * TRACK, dark, opacity);
    if (now > 1) ui_box(gui, line->from, y - 0.5f * TRACK, now, TRACK, 0.5f * TRACK, bright, opacity);
    ui_dot(gui, line->from + goal, y, KNOB, seek->active && !seek->dragged ? UI_WARNING : UI_STRONG, opacity);
}

void pd_timeline_draw(pd_viewport *viewport, const pd_session *session, ui *gui, const pd_pointer *pointer,
                      const pd_display *display, double elapsed) {
    const pd_seek *seek = &session->seek;
    pd_timeline *line = &viewport->timeline;
    char now[32], end[32], speed[48];
    float now_width, end_width, most_width, text;
    fade(viewport, is_wanted(viewport, session, pointer, display), elapsed);
    if (line->opacity <= 0 || !session->log) return;
    double dt = session->pace.dt, factor = pd_session_speed(session);
    clock_text((double)(seek->active ? seek->tick : pd_log_tick(session->log)) * dt, now, sizeof now);
    clock_text((double)pd_log_end(session->log) * dt, end, sizeof end);
    if (factor < 1)
        snprintf(speed, sizeof speed, "%s  1/%.0f×", end, 1 / factor);
    else
        snprintf(speed, sizeof speed, factor > 1 ? "%s  %.0f×" : "%s", end, factor);
    ui_measure(gui, UI_SMALL, now, 0, &now_width, NULL);
    ui_measure(gui, UI_SMALL, end, 0, &most_width, NULL);
    ui_measure(gui, UI_SMALL, speed, 0, &end_width, &text);
    most_width = fmaxf(most_width, now_width); /* the track does not move while the present time grows */
    place(viewport, gui, text + 2 * INSET_Y);
    const pd_plate *plate = &line->plate;
    line->from = plate->x + INSET_X + most_width + GAP;
    line->length = plate->x + plate->width - INSET_X - end_width - GAP - line->from;
    if (line->length < 30) return;
    pd_plate_draw(viewport, gui, plate->x, plate->y, plate->width, plate->height, PLATE * line->opacity);
    ui_add_target(gui, "Time line", line->from, plate->y, line->length, plate->height);
    float y = plate->y + INSET_Y;
    ui_text(gui, plate->x + INSET_X, y, UI_SMALL, UI_STRONG, line->opacity, 0, now);
    ui_text(gui, plate->x + plate->width - INSET_X - end_width, y, UI_SMALL, UI_QUIET, line->opacity, 0, speed);
    draw_track(viewport, session, gui, y + 0.5f * text, line->opacity);
}
