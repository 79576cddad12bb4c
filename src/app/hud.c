/* Text over the picture: numbers at the upper left, messages at the top, a hint at the start. */
#include "app/state.h"

#include <math.h>
#include <stdio.h>

static const float EDGE = 22;                                /* units from the border of the window to the text */
static const float INSET_X = 12, INSET_Y = 8;                /* of text in its plate */
static const float PLATE = 1.1f;                             /* opacity: the container's outline may lie behind it */
static const float LINE_GAP = 3, PLATE_GAP = 8;              /* between two lines, between two plates */
static const double REFRESH = 0.25;                          /* s: numbers that change faster cannot be read */
static const double HINT_SHOWN = 9, HINT_FADE = 1.5;         /* s */
static const char hint[] = "drag the fluid      H for help"; /* wide gap: two hints in one line */

static void add_line(pd_app *app, const char *value, const char *label) {
    if (app->hud.lines == PD_HUD_LINES) return;
    snprintf(app->hud.value[app->hud.lines], PD_HUD_TEXT, "%s", value);
    snprintf(app->hud.label[app->hud.lines], PD_HUD_TEXT, "%s", label);
    app->hud.lines++;
}

static void refresh(pd_app *app) {
    if (app->now < app->hud.due && app->hud.lines > 0) return;
    app->hud.due = app->now + REFRESH;
    app->hud.lines = 0;
    char text[PD_HUD_TEXT];
    snprintf(text, sizeof text, "%.0f", pd_meter_fps(&app->meter));
    add_line(app, text, "fps");
    bool cells = pd_app_cells(app, text, sizeof text);
    int particles = pd_world_particles(app->world);
    if (cells) add_line(app, text, "cells");
    if (!cells || particles > 0)
        add_line(app, pd_app_count(particles, text, sizeof text), cells ? "tracers" : "particles");
    int substeps = pd_world_substeps(app->world);
    snprintf(text, sizeof text, "%d", substeps);
    add_line(app, text, substeps == 1 ? "substep" : "substeps");
    snprintf(text, sizeof text, "%.2f×", app->paused ? 0 : pd_pace_speed(&app->pace));
    add_line(app, text, "real time");
    pd_app_slowness(app, app->hud.slowness, sizeof app->hud.slowness);
}

/* Why simulated time is slow, under the numbers, which end at y. Returns its own lower end. Draws when draw is true. */
static float layout_slowness(const pd_app *app, bool draw, float y) {
    if (!*app->hud.slowness) return y;
    float x = EDGE - INSET_X, width, height;
    float wrap = fminf(ui_width(app->ui) - pd_app_panel_cover(app) - 2 * (x + INSET_X), 250); /* beside the picture */
    ui_measure(app->ui, UI_SMALL, app->hud.slowness, wrap, &width, &height);
    y += PLATE_GAP;
    if (draw) {
        ui_plate(app->ui, x, y, width + 2 * INSET_X, height + 2 * INSET_Y, PLATE);
        ui_text(app->ui, x + INSET_X, y + INSET_Y, UI_SMALL, UI_WARNING, 0.95f, wrap, app->hud.slowness);
    }
    return y + height + 2 * INSET_Y;
}

/* "REC" and "paused" at the upper right, clear of the numbers and the legend. */
static void draw_state(pd_app *app) {
    float right = ui_width(app->ui) - pd_app_panel_cover(app) - EDGE + INSET_X, line, width = 0, paused_width = 0;
    char text[64] = "", count[32];
    if (app->recorder.frames) {
        snprintf(text, sizeof text, "REC %s", pd_app_count(app->recorder.clock.frames, count, sizeof count));
        ui_measure(app->ui, UI_SMALL, text, 0, &width, NULL);
        width += 16; /* the dot */
    }
    if (app->paused) ui_measure(app->ui, UI_SMALL, "paused", 0, &paused_width, NULL);
    if (width + paused_width == 0) return;
    ui_measure(app->ui, UI_SMALL, NULL, 0, NULL, &line);
    float gap = width > 0 && paused_width > 0 ? 16 : 0;
    float x = right - INSET_X - width - gap - paused_width, y = EDGE - INSET_X + INSET_Y;
    ui_plate(app->ui, x - INSET_X, y - INSET_Y, width + gap + paused_width + 2 * INSET_X, line + 2 * INSET_Y, PLATE);
    if (width > 0) {
        float pulse = app->paused ? 1 : 0.65f + 0.35f * (float)cos(4 * app->now);
        ui_dot(app->ui, x + 5, y + 0.5f * line, 4.5f, UI_ALARM, pulse);
        ui_text(app->ui, x + 16, y, UI_SMALL, UI_ALARM, 1, 0, text);
    }
    if (paused_width > 0) ui_text(app->ui, x + width + gap, y, UI_SMALL, UI_WARNING, 1, 0, "paused");
}

/* legend: height of the legend at the lower right; in a narrow window the hint is placed above it. */
static void draw_hint(pd_app *app, float legend) {
    double left = HINT_SHOWN - (app->now - app->started);
    if (app->touched || app->help || left <= 0) return;
    float width, line, opacity = (float)fmin(1, left / HINT_FADE);
    ui_measure(app->ui, UI_NORMAL, hint, 0, &width, &line);
    float x = EDGE - INSET_X, y = ui_height(app->ui) - x - line - 14;
    if (ui_width(app->ui) - pd_app_panel_cover(app) < width + 300) y -= legend;
    ui_plate(app->ui, x, y, width + 32, line + 14, PLATE * opacity);
    ui_text(app->ui, x + 16, y + 7, UI_NORMAL, UI_PLAIN, 0.95f * opacity, 0, hint);
}

/* The numbers and their plate; right and bottom (may be NULL) receive its edges. Draws when draw is true. */
static void layout_numbers(const pd_app *app, bool draw, float *right, float *bottom) {
    ui *gui = app->ui;
    const char *title = pd_world_method(app->world)->title;
    float line, x = EDGE - INSET_X, y = x, wide, column = 0, labels = 0;
    ui_measure(gui, UI_SMALL, title, 0, &wide, &line);
    line += LINE_GAP;
    for (int i = 0; i < app->hud.lines; i++) {
        float width;
        ui_measure(gui, UI_SMALL, app->hud.value[i], 0, &width, NULL);
        column = fmaxf(column, width);
        ui_measure(gui, UI_SMALL, app->hud.label[i], 0, &width, NULL);
        labels = fmaxf(labels, width);
    }
    wide = fmaxf(wide, column + 8 + labels) + 2 * INSET_X;
    float tall = line * (float)(app->hud.lines + 1) + 2 * INSET_Y;
    if (right) *right = x + wide;
    if (bottom) *bottom = y + tall;
    if (!draw) return;
    ui_plate(gui, x, y, wide, tall, PLATE);
    x += INSET_X;
    y += INSET_Y;
    ui_text(gui, x, y, UI_SMALL, UI_QUIET, 1, 0, title);
    y += line + LINE_GAP;
    for (int i = 0; i < app->hud.lines; i++, y += line) {
        ui_text(gui, x, y, UI_SMALL, UI_PLAIN, 1, 0, app->hud.value[i]);
        ui_text(gui, x + column + 8, y, UI_SMALL, UI_QUIET, 0.95f, 0, app->hud.label[i]);
    }
}

void pd_app_draw_hud(pd_app *app) {
    refresh(app);
    ui_set_layer(app->ui, UI_BELOW);
    draw_state(app);
    pd_legend legend;
    float height = 0, bottom;
    layout_numbers(app, true, NULL, &bottom);
    layout_slowness(app, true, bottom);
    if (pd_picture_legend(&app->view, app->mode, &legend))
        height = ui_legend(app->ui, &legend, app->palette, pd_app_panel_cover(app));
    draw_hint(app, height);
}

void pd_app_draw_announcement(pd_app *app) {
    const pd_announcement *announcement = &app->announcement;
    double left = announcement->until - app->now, age = app->now - announcement->since;
    if (left <= 0) return;
    float opacity = (float)fmin(1, fmin(left / 0.35, 0.4 + age / 0.1));
    float cover = pd_app_panel_cover(app), room = ui_width(app->ui) - cover;
    /* A long message does not cover the numbers: it is wrapped beside them, in a narrow window placed below them. */
    float corner, below;
    layout_numbers(app, false, &corner, &below);
    bool narrow = room < 2 * corner + 440;
    float wrap = fminf(narrow ? room - 2 * EDGE - 36 : room - 2 * corner - 36, 680), width, height;
    ui_size size = announcement->alarm ? UI_NORMAL : UI_LARGE;
    ui_measure(app->ui, size, announcement->text, wrap, &width, &height);
    float x = 0.5f * (room - width), y = EDGE + 8;
    if (narrow && x - 26 < corner) y = layout_slowness(app, false, below) + 18;
    ui_set_layer(app->ui, UI_ABOVE);
    ui_plate(app->ui, x - 18, y - 9, width + 36, height + 18, opacity);
    ui_text(app->ui, x, y, size, announcement->alarm ? UI_WARNING : UI_STRONG, opacity, wrap, announcement->text);
}

bool pd_app_fading(const pd_app *app) {
    if (pd_probe_fading(app)) return true;
    if (app->now < app->announcement.until + 0.1) return true;
    double age = app->now - app->started;
    return !app->touched && age > HINT_SHOWN - HINT_FADE &&
           age < HINT_SHOWN + 0.1; /* the last frame is drawn without it */
}
