/* The time line at the bottom: the time of the present scene. In a replay it is the whole log, with a mark where a scene begins.
 * It is shown during a replay, after going back in time, and with the
 * panel open while the pointer is near the bottom. */
#include "app/overlay/interface.h"

#include "core/timer.h"
#include <math.h>
#include <stdio.h>

/* units: margins of the background, gap between text and track */
static const float INSET_X = 14, INSET_Y = 6, GAP = 12;
static const float TRACK = 4, KNOB = 6;        /* units: height of the track, radius of the knob */
static const float MOST_WIDTH = 900;           /* units: greatest width */
static const float NEAR = 70;                  /* units: distance of the pointer from the bottom that shows the line */
static const float PRESSABLE = 0.3f;           /* least opacity at which presses count */
static const double FADE = 0.25, LINGER = 1.2; /* s: duration of fading, delay before fading out */

static bool is_wanted(const pd_screen *screen) {
    const pd_session *session = screen->session;
    bool near = screen->viewport->panel && screen->pointer->in_window && !pd_pointer_has_press(screen->pointer) &&
                screen->x < screen->layout.right && screen->y > screen->layout.height - NEAR;
    if (!session->log || screen->viewport->help || pd_log_end_tick(session->log) == 0) return false;
    return screen->viewport->bars || session->replays_log || pd_session_is_replaying(session) ||
           session->backwards.held || session->seek.dragged || near;
}

static bool is_fading(const pd_screen *screen) {
    float opacity = screen->viewport->timeline.opacity;
    return is_wanted(screen) ? opacity < 1 : opacity > 0;
}

static bool covers_pointer(const pd_screen *screen) {
    const pd_timeline *line = &screen->viewport->timeline;
    return line->opacity > PRESSABLE && pd_plate_contains(&line->plate, screen->x, screen->y);
}

static bool handle_press(pd_screen *screen, bool left) {
    if (!covers_pointer(screen)) return false;
    if (left) pd_seek_begin_drag(screen->session);
    return true;
}

/* Returns the tick that the time line shows: the goal of a seek, or the present. */
static uint64_t shown_tick(const pd_session *session) {
    return session->seek.active ? session->seek.tick : pd_log_tick(session->log);
}

/* Returns the ticks of the log at both ends of the track. */
static pd_scene_ticks ticks_of_track(const pd_session *session) {
    if (session->replays_log) return (pd_scene_ticks){.end = pd_log_end_tick(session->log)};
    return pd_session_find_scene_ticks(session, shown_tick(session));
}

/* Returns the place of a tick on the track. */
static float place_of(const pd_timeline *line, const pd_scene_ticks *track, uint64_t tick) {
    double length = fmax((double)(track->end - track->begin), 1);
    return line->from + (float)((double)(tick - track->begin) / length) * line->length;
}

uint64_t pd_timeline_tick(const pd_viewport *viewport, const pd_session *session, float x) {
    const pd_timeline *line = &viewport->timeline;
    pd_scene_ticks track = ticks_of_track(session);
    float fraction = fminf(fmaxf((x - line->from) / fmaxf(line->length, 1), 0), 1);
    return track.begin + (uint64_t)llround((double)fraction * (double)(track.end - track.begin));
}

/* Sets the place of the line: at the right of the strip, or at the bottom of the picture while the bars are put away. */
static void update_place(pd_screen *screen, float height) {
    pd_viewport *viewport = screen->viewport;
    float right = screen->layout.right, foot = screen->layout.height, strip = screen->layout.strip;
    if (strip > 0) {
        float left = fmaxf(viewport->hud.end, right - MOST_WIDTH);
        viewport->timeline.plate = (pd_plate){left, foot - strip, right - left, strip};
    } else {
        viewport->timeline.plate =
            (pd_plate){THEME_EDGE, foot - THEME_EDGE - height, fminf(right - 2 * THEME_EDGE, MOST_WIDTH), height};
    }
}

static void draw_track(const pd_screen *screen, float y) {
    const pd_session *session = screen->session;
    const pd_seek *seek = &session->seek;
    const pd_timeline *line = &screen->viewport->timeline;
    ui *gui = screen->gui;
    pd_scene_ticks track = ticks_of_track(session), scene;
    uint64_t present = pd_log_tick(session->log);
    /* in a drag the world may still be in an earlier scene */
    float now = present > track.begin ? place_of(line, &track, present) - line->from : 0, round = 0.5f * TRACK;
    ui_draw_box(gui, line->from, y - round, line->length, TRACK, round, THEME_TRACK, line->opacity);
    if (now > 1) ui_draw_box(gui, line->from, y - round, now, TRACK, round, THEME_ACCENT, line->opacity);
    for (uint64_t end = track.end; session->replays_log && end > 0; end = scene.begin) {
        scene = pd_session_find_scene_ticks(session, end - 1);
        if (scene.begin == 0) break;
        ui_draw_box(gui, place_of(line, &track, scene.begin) - 1, y - 2 * TRACK, 2, 4 * TRACK, 0, THEME_INK,
                    line->opacity);
    }
    ui_draw_dot(gui, place_of(line, &track, shown_tick(session)), y, KNOB,
                seek->active && !seek->dragged ? UI_WARNING : UI_STRONG, line->opacity);
}

static void draw(pd_screen *screen) {
    const pd_session *session = screen->session;
    pd_timeline *line = &screen->viewport->timeline;
    ui *gui = screen->gui;
    char now[32], end[32], speed[48];
    double present = pd_now();
    float fade = (float)(screen->elapsed / FADE);
    if (is_wanted(screen)) line->shown_until = present + LINGER;
    line->opacity = fminf(fmaxf(line->opacity + (present < line->shown_until ? fade : -fade), 0), 1);
    if (line->opacity <= 0 || !session->log) return;
    double factor = pd_session_chosen_speed(session);
    uint64_t shown = shown_tick(session);
    pd_scene_ticks scene = pd_session_find_scene_ticks(session, shown);
    pd_app_format_time(pd_session_time_of_tick(session, &scene, shown), now, sizeof now);
    pd_app_format_time(pd_session_time_of_tick(session, &scene, scene.end), end, sizeof end);
    if (factor < 1)
        snprintf(speed, sizeof speed, "%s  1/%.0f×", end, 1 / factor);
    else
        snprintf(speed, sizeof speed, factor > 1 ? "%s  %.0f×" : "%s", end, factor);
    float text = ui_line_height(gui, UI_SMALL), end_width = ui_text_width(gui, UI_SMALL, speed);
    /* The present time gets the width of the end time, so that the track does not move. */
    float most_width = fmaxf(ui_text_width(gui, UI_SMALL, end), ui_text_width(gui, UI_SMALL, now));
    update_place(screen, text + 2 * INSET_Y);
    const pd_plate *plate = &line->plate;
    line->from = plate->x + INSET_X + most_width + GAP;
    line->length = plate->x + plate->width - INSET_X - end_width - GAP - line->from;
    if (line->length < 30) return;
    if (!screen->viewport->bars) pd_plate_draw(screen, plate, THEME_OPACITY * line->opacity);
    ui_add_target(gui, "Time line", line->from, plate->y, line->length, plate->height);
    float y = plate->y + 0.5f * (plate->height - text);
    ui_draw_text(gui, plate->x + INSET_X, y, UI_SMALL, UI_STRONG, line->opacity, 0, now);
    ui_draw_text(gui, plate->x + plate->width - INSET_X - end_width, y, UI_SMALL, UI_QUIET, line->opacity, 0, speed);
    draw_track(screen, y + 0.5f * text);
}

const pd_layer pd_timeline_layer = {
    .covers_pointer = covers_pointer, .handle_press = handle_press, .draw = draw, .is_fading = is_fading};
