/* Text over the picture: numbers at the upper left, messages at the top. In a small window the numbers are fewer, to leave
 * the fluid more room. */
#include "app/state.h"

#include <math.h>
#include <stdio.h>

static const float EDGE = 22;                            /* units from the border of the window to the text */
static const float INSET_X = 12, INSET_Y = 8;            /* of text in its plate */
static const float PLATE = 1.1f;                         /* opacity: the container's outline may lie behind it */
static const float LINE_GAP = 3, PLATE_GAP = 8;          /* between two lines, between two plates */
static const double REFRESH = 0.25;                      /* s: numbers that change faster cannot be read */
static const float SMALL_ROOM = 640, SMALL_HEIGHT = 440; /* units: a smaller picture has fewer numbers */
static const float LEAST_ROOM = 240, LEAST_HEIGHT = 160; /* units: a smaller one has none, and no legend */
static const float LEAST_WRAP = 110;                     /* units: narrower text would be all line breaks */

static void take_place(pd_app *app, float x, float y, float width, float height) {
    if (app->viewport.hud.plate_count < PD_HUD_PLATES)
        app->viewport.hud.plates[app->viewport.hud.plate_count++] = (pd_plate){x, y, width, height};
}

void pd_app_plate(pd_app *app, float x, float y, float width, float height, float opacity) {
    ui_plate(app->device.ui, x, y, width, height, opacity);
    take_place(app, x, y, width, height);
}

bool pd_app_is_free(const pd_app *app, float x, float y, float width, float height) {
    for (int i = 0; i < app->viewport.hud.plate_count; i++) {
        const pd_plate *plate = &app->viewport.hud.plates[i];
        if (plate->x < x + width && x < plate->x + plate->width && plate->y < y + height &&
            y < plate->y + plate->height)
            return false;
    }
    return true;
}

static float room_of(const pd_app *app) { return ui_width(app->device.ui) - pd_app_panel_cover(app); }
static bool is_small(const pd_app *app) {
    return room_of(app) < SMALL_ROOM || ui_height(app->device.ui) < SMALL_HEIGHT;
}
static bool is_tiny(const pd_app *app) { return room_of(app) < LEAST_ROOM || ui_height(app->device.ui) < LEAST_HEIGHT; }

static void add_line(pd_app *app, const char *value, const char *label) {
    if (app->viewport.hud.lines == PD_HUD_LINES) return;
    snprintf(app->viewport.hud.value[app->viewport.hud.lines], PD_HUD_TEXT, "%s", value);
    snprintf(app->viewport.hud.label[app->viewport.hud.lines], PD_HUD_TEXT, "%s", label);
    app->viewport.hud.lines++;
}

static void refresh(pd_app *app) {
    if (app->viewport.now < app->viewport.hud.due && app->viewport.hud.lines > 0) return;
    app->viewport.hud.due = app->viewport.now + REFRESH;
    app->viewport.hud.lines = 0;
    char text[PD_HUD_TEXT];
    snprintf(text, sizeof text, "%.0f", pd_meter_fps(&app->viewport.meter));
    add_line(app, text, "fps");
    const char *computed = pd_app_computed(app, text, sizeof text);
    int particles = pd_world_particles(app->session.world);
    if (computed) add_line(app, text, computed);
    if (!computed || particles > 0)
        add_line(app, pd_app_count(particles, text, sizeof text), computed ? "tracers" : "particles");
    int substeps = pd_world_substeps(app->session.world);
    snprintf(text, sizeof text, "%d", substeps);
    add_line(app, text, substeps == 1 ? "substep" : "substeps");
    snprintf(text, sizeof text, "%.2f×",
             app->session.paused ? 0 : pd_app_speed(app) * pd_pace_speed(&app->session.pace));
    add_line(app, text, "real time");
    pd_app_slowness(app, app->viewport.hud.slowness, sizeof app->viewport.hud.slowness);
    app->viewport.hud.hint = pd_app_find_hint(app);
}

/* Why simulated time is slow: beside the numbers, which end at `left`, and up to `right`. Above the fluid most windows
 * have more room than at its left. */
static void draw_slowness(pd_app *app, float left, float right) {
    float x = left + PLATE_GAP, y = EDGE - INSET_X, width, height;
    float wrap = fminf(right - PLATE_GAP - x - 2 * INSET_X, 250);
    if (!*app->viewport.hud.slowness || wrap < LEAST_WRAP || is_tiny(app)) return;
    ui_measure(app->device.ui, UI_SMALL, app->viewport.hud.slowness, wrap, &width, &height);
    pd_app_plate(app, x, y, width + 2 * INSET_X, height + 2 * INSET_Y, PLATE);
    ui_text(app->device.ui, x + INSET_X, y + INSET_Y, UI_SMALL, UI_WARNING, 0.95f, wrap, app->viewport.hud.slowness);
}

/* "REC" and "paused" at the upper right, clear of the numbers and the legend. Returns the left end. */
static float draw_state(pd_app *app) {
    float right = room_of(app) - EDGE + INSET_X, line, width = 0, paused_width = 0;
    char text[64] = "", count[32];
    if (app->device.recorder.sink) {
        snprintf(text, sizeof text, "REC %s", pd_app_count(app->device.recorder.clock.frames, count, sizeof count));
        ui_measure(app->device.ui, UI_SMALL, text, 0, &width, NULL);
        width += 16; /* the dot */
    }
    if (app->session.paused) ui_measure(app->device.ui, UI_SMALL, "paused", 0, &paused_width, NULL);
    if (width + paused_width == 0) return right;
    ui_measure(app->device.ui, UI_SMALL, NULL, 0, NULL, &line);
    float gap = width > 0 && paused_width > 0 ? 16 : 0;
    float x = right - INSET_X - width - gap - paused_width, y = EDGE - INSET_X + INSET_Y;
    if (x < EDGE) return right;
    pd_app_plate(app, x - INSET_X, y - INSET_Y, width + gap + paused_width + 2 * INSET_X, line + 2 * INSET_Y, PLATE);
    if (width > 0) {
        float pulse = app->session.paused ? 1 : 0.65f + 0.35f * (float)cos(4 * app->viewport.now);
        ui_dot(app->device.ui, x + 5, y + 0.5f * line, 4.5f, UI_ALARM, pulse);
        ui_text(app->device.ui, x + 16, y, UI_SMALL, UI_ALARM, 1, 0, text);
    }
    if (paused_width > 0) ui_text(app->device.ui, x + width + gap, y, UI_SMALL, UI_WARNING, 1, 0, "paused");
    return x - INSET_X;
}

/* In a small window the first and the last: the rates. */
static bool is_shown(const pd_app *app, int line) {
    return !is_small(app) || line == 0 || line == app->viewport.hud.lines - 1;
}

/* The numbers and their plate. Returns its right edge. */
static float draw_numbers(pd_app *app) {
    ui *gui = app->device.ui;
    bool titled = !is_small(app);
    const char *title = pd_world_method(app->session.world)->title;
    float line, x = EDGE - INSET_X, y = x, wide, column = 0, labels = 0, tall = 2 * INSET_Y, right;
    if (is_tiny(app)) return x;
    ui_measure(gui, UI_SMALL, title, 0, &wide, &line);
    line += LINE_GAP;
    for (int i = 0; i < app->viewport.hud.lines; i++) {
        float width;
        if (!is_shown(app, i)) continue;
        ui_measure(gui, UI_SMALL, app->viewport.hud.value[i], 0, &width, NULL);
        column = fmaxf(column, width);
        ui_measure(gui, UI_SMALL, app->viewport.hud.label[i], 0, &width, NULL);
        labels = fmaxf(labels, width);
        tall += line;
    }
    wide = fmaxf(titled ? wide : 0, column + 8 + labels) + 2 * INSET_X;
    tall += titled ? line : -LINE_GAP;
    right = x + wide;
    pd_app_plate(app, x, y, wide, tall, PLATE);
    x += INSET_X;
    y += INSET_Y;
    if (titled) {
        ui_text(gui, x, y, UI_SMALL, UI_QUIET, 1, 0, title);
        y += line + LINE_GAP;
    }
    for (int i = 0; i < app->viewport.hud.lines; i++) {
        if (!is_shown(app, i)) continue;
        ui_text(gui, x, y, UI_SMALL, UI_PLAIN, 1, 0, app->viewport.hud.value[i]);
        ui_text(gui, x + column + 8, y, UI_SMALL, UI_QUIET, 0.95f, 0, app->viewport.hud.label[i]);
        y += line;
    }
    return right;
}

static void draw_legend(pd_app *app) {
    pd_legend legend;
    pd_plate place;
    if (is_tiny(app) || !pd_picture_legend(&app->viewport.view, app->viewport.mode, &legend)) return;
    ui_legend_place(app->device.ui, pd_app_panel_cover(app), &place.x, &place.y, &place.width, &place.height);
    take_place(app, place.x, place.y, place.width, place.height);
    ui_legend(app->device.ui, &legend, app->viewport.palette, pd_app_panel_cover(app));
}

void pd_app_draw_hud(pd_app *app, double elapsed) {
    refresh(app);
    app->viewport.hud.plate_count = 0;
    ui_set_layer(app->device.ui, UI_BELOW);
    float state = draw_state(app), numbers = draw_numbers(app);
    draw_slowness(app, numbers, state);
    draw_legend(app);
    pd_app_draw_timeline(app, elapsed);
    pd_app_draw_hint(app);
}

void pd_app_draw_announcement(pd_app *app) {
    const pd_announcer *announcer = &app->viewport.announcer;
    double left = announcer->until - app->viewport.now, age = app->viewport.now - announcer->since;
    if (left <= 0) return;
    float opacity = (float)fmin(1, fmin(left / 0.35, 0.4 + age / 0.1));
    float room = room_of(app);
    /* In the middle, or below what would be in its way. */
    float wrap = fminf(room - 2 * EDGE - 36, 680), width, height;
    ui_size size = announcer->alarm ? UI_NORMAL : UI_LARGE;
    ui_measure(app->device.ui, size, announcer->text, wrap, &width, &height);
    float x = 0.5f * (room - width), y = EDGE + 8;
    for (int i = 0; i < app->viewport.hud.plate_count; i++) {
        const pd_plate *plate = &app->viewport.hud.plates[i];
        bool upper = plate->y < 0.5f * ui_height(app->device.ui);
        if (upper && plate->x < x + width + 26 && x - 26 < plate->x + plate->width)
            y = fmaxf(y, plate->y + plate->height + 18);
    }
    ui_set_layer(app->device.ui, UI_ABOVE);
    ui_plate(app->device.ui, x - 18, y - 9, width + 36, height + 18, opacity);
    ui_text(app->device.ui, x, y, size, announcer->alarm ? UI_WARNING : UI_STRONG, opacity, wrap, announcer->text);
}

bool pd_app_fading(const pd_app *app) {
    if (pd_probe_fading(app) || pd_timeline_fading(app)) return true;
    if (app->viewport.now < app->viewport.announcer.until + 0.1) return true;
    return pd_app_hint_fading(app);
}
