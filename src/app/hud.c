/* The quiet words on the picture: numbers at the upper left, messages at the top, a hint at the start. */
#include "app/state.h"

#include <math.h>
#include <stdio.h>

static const float EDGE = 20;                                /* units from the border of the window */
static const float CORNER = 190, CORNER_HEIGHT = 84;         /* units that the numbers take */
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
    add_line(app, pd_app_count(pd_world_particles(app->world), text, sizeof text), "particles");
    int substeps = pd_world_substeps(app->world);
    snprintf(text, sizeof text, "%d", substeps);
    add_line(app, text, substeps == 1 ? "substep" : "substeps");
    snprintf(text, sizeof text, "%.2f×", app->paused ? 0 : pd_pace_speed(&app->pace));
    add_line(app, text, "real time");
}

/* At the upper right, where neither the numbers nor the legend are. */
static void draw_state(pd_app *app, float y, float line) {
    float right = ui_width(app->ui) - pd_app_panel_cover(app) - EDGE, width;
    if (app->recorder.frames) {
        char text[64], count[32];
        snprintf(text, sizeof text, "REC %s", pd_app_count(app->recorder.written, count, sizeof count));
        ui_measure(app->ui, UI_SMALL, text, 0, &width, NULL);
        float pulse = app->paused ? 1 : 0.65f + 0.35f * (float)cos(4 * app->now);
        ui_dot(app->ui, right - width - 12, y + 0.5f * line - 1, 4.5f, UI_ALARM, pulse);
        ui_text(app->ui, right - width, y, UI_SMALL, UI_ALARM, 1, 0, text);
        y += line;
    }
    if (!app->paused) return;
    ui_measure(app->ui, UI_SMALL, "paused", 0, &width, NULL);
    ui_text(app->ui, right - width, y, UI_SMALL, UI_WARNING, 1, 0, "paused");
}

static void draw_hint(pd_app *app) {
    double left = HINT_SHOWN - (app->now - app->started);
    if (app->touched || app->help || left <= 0) return;
    float width, line, opacity = (float)fmin(1, left / HINT_FADE);
    ui_measure(app->ui, UI_NORMAL, hint, 0, &width, &line);
    float y = ui_height(app->ui) - EDGE - line - 14;
    ui_plate(app->ui, EDGE, y, width + 32, line + 14, 0.8f * opacity);
    ui_text(app->ui, EDGE + 16, y + 7, UI_NORMAL, UI_PLAIN, 0.95f * opacity, 0, hint);
}

void pd_app_draw_hud(pd_app *app) {
    refresh(app);
    ui_set_layer(app->ui, UI_BELOW);
    float line, column = 0, y = EDGE - 4;
    ui_measure(app->ui, UI_SMALL, NULL, 0, NULL, &line);
    line += 3;
    draw_state(app, y, line);
    ui_text(app->ui, EDGE, y, UI_SMALL, UI_QUIET, 0.9f, 0, pd_world_method(app->world)->title);
    y += line + 3;
    for (int i = 0; i < app->hud.lines; i++) {
        float width;
        ui_measure(app->ui, UI_SMALL, app->hud.value[i], 0, &width, NULL);
        column = fmaxf(column, width);
    }
    for (int i = 0; i < app->hud.lines; i++, y += line) {
        ui_text(app->ui, EDGE, y, UI_SMALL, UI_PLAIN, 0.95f, 0, app->hud.value[i]);
        ui_text(app->ui, EDGE + column + 8, y, UI_SMALL, UI_QUIET, 0.8f, 0, app->hud.label[i]);
    }
    pd_legend legend;
    if (pd_look_legend((pd_look)app->look, &app->view, &legend)) {
        ui_set_margin(app->ui, pd_app_panel_cover(app));
        ui_legend(app->ui, &legend, app->palette);
    }
    draw_hint(app);
}

void pd_app_draw_announcement(pd_app *app) {
    const pd_announcement *announcement = &app->announcement;
    double left = announcement->until - app->now, age = app->now - announcement->since;
    if (left <= 0) return;
    float opacity = (float)fmin(1, fmin(left / 0.35, 0.4 + age / 0.1));
    float cover = pd_app_panel_cover(app), room = ui_width(app->ui) - cover;
    /* Long ones keep clear of the numbers: between them, or in a narrow window below them. */
    bool narrow = room < 2 * CORNER + 440;
    float wrap = fminf(narrow ? room - 2 * EDGE - 36 : room - 2 * CORNER - 36, 680), width, height;
    ui_size size = announcement->alarm ? UI_NORMAL : UI_LARGE;
    ui_measure(app->ui, size, announcement->text, wrap, &width, &height);
    float x = 0.5f * (room - width), y = EDGE + 8;
    if (narrow && x - 18 < CORNER) y += CORNER_HEIGHT;
    ui_set_layer(app->ui, UI_ABOVE);
    ui_plate(app->ui, x - 18, y - 9, width + 36, height + 18, opacity);
    ui_text(app->ui, x, y, size, announcement->alarm ? UI_WARNING : UI_STRONG, opacity, wrap, announcement->text);
}

bool pd_app_fading(const pd_app *app) {
    if (app->now < app->announcement.until + 0.1) return true;
    double age = app->now - app->started;
    return !app->touched && age > HINT_SHOWN - HINT_FADE &&
           age < HINT_SHOWN + 0.1; /* the last frame is one without it */
}
