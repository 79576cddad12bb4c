/* Texts over the picture: numbers at the upper left, "REC" and "paused" at the upper right, the legend at the lower right. */
#include "app/overlay/interface.h"

#include <math.h>
#include <stdio.h>

static const float INSET_X = 12, INSET_Y = 8; /* units: margins of text in its background */
static const float LINE_GAP = 3;              /* units: gap between two lines */
static const double REFRESH = 0.25;           /* s: time between two updates of the numbers, for legibility */
static const float SMALL_ROOM = 640, SMALL_HEIGHT = 440; /* units: size below which a picture shows two numbers */
/* units: size of a pane below which it shows neither numbers nor legend */
static const float LEAST_ROOM = 240, LEAST_HEIGHT = 160;
static const float LEAST_WRAP = 110; /* units: least width of wrapped text */

/* Returns whether the left or only pane has room for the first and last number only. */
static bool is_small(const pd_screen *screen) {
    return pd_panes_split(screen) < SMALL_ROOM || ui_height(screen->gui) < SMALL_HEIGHT;
}
static bool is_tiny(const pd_screen *screen) {
    return pd_panes_split(screen) < LEAST_ROOM || ui_height(screen->gui) < LEAST_HEIGHT;
}

static void add_line(pd_viewport *viewport, const char *value, const char *label) {
    if (viewport->hud.lines == PD_HUD_LINES) return;
    snprintf(viewport->hud.value[viewport->hud.lines], PD_HUD_TEXT, "%s", value);
    snprintf(viewport->hud.label[viewport->hud.lines], PD_HUD_TEXT, "%s", label);
    viewport->hud.lines++;
}

static void refresh(const pd_screen *screen) {
    pd_viewport *viewport = screen->viewport;
    const pd_session *session = screen->session;
    pd_hud *hud = &viewport->hud;
    if (viewport->now < hud->next_update && hud->lines > 0) return;
    hud->next_update = viewport->now + REFRESH;
    hud->lines = 0;
    char text[PD_HUD_TEXT];
    snprintf(text, sizeof text, "%.0f", pd_meter_fps(&viewport->meter));
    add_line(viewport, text, "fps");
    const char *computed = pd_viewport_element_count(viewport, text, sizeof text);
    int particles = pd_world_particles(session->world);
    if (computed) add_line(viewport, text, computed);
    if (!computed || particles > 0)
        add_line(viewport, pd_app_count_text(particles, text, sizeof text), computed ? "tracers" : "particles");
    int substeps = pd_world_substeps(session->world);
    snprintf(text, sizeof text, "%d", substeps);
    add_line(viewport, text, substeps == 1 ? "substep" : "substeps");
    snprintf(text, sizeof text, "%.2f×",
             session->paused ? 0 : pd_session_speed(session) * pd_pace_speed(&session->pace));
    add_line(viewport, text, "real time");
    pd_viewport_slowness(viewport, session, screen->recorder->sink != NULL, hud->slowness, sizeof hud->slowness);
    hud->hint = pd_hint_find(viewport, session);
}

/* Draws why simulated time is slow, between `left`, the right edge of the numbers, and `right`. */
static void draw_slowness(pd_screen *screen, float left, float right) {
    const char *text = screen->viewport->hud.slowness;
    float x = left + THEME_GAP, y = pd_bar_height(screen->viewport) + THEME_EDGE, width, height;
    float wrap = fminf(right - THEME_GAP - x - 2 * INSET_X, 250);
    if (!*text || wrap < LEAST_WRAP || is_tiny(screen)) return;
    ui_measure(screen->gui, UI_SMALL, text, wrap, &width, &height);
    pd_plate_draw(screen, &(pd_plate){x, y, width + 2 * INSET_X, height + 2 * INSET_Y}, THEME_OPACITY);
    ui_draw_text(screen->gui, x + INSET_X, y + INSET_Y, UI_SMALL, UI_WARNING, 0.95f, wrap, text);
}

/* Draws "REC" and "paused" at the upper right. Returns the left edge of the text. */
static float draw_state(pd_screen *screen) {
    const pd_recorder *recorder = screen->recorder;
    bool paused = screen->session->paused;
    ui *gui = screen->gui;
    float right = pd_panes_split(screen) - THEME_EDGE, line = ui_line_height(gui, UI_SMALL), width = 0;
    float paused_width = paused ? ui_text_width(gui, UI_SMALL, "paused") : 0;
    char text[64] = "", count[32];
    if (recorder->sink) {
        snprintf(text, sizeof text, "REC %s", pd_app_count_text(recorder->clock.frames, count, sizeof count));
        width = 16 + ui_text_width(gui, UI_SMALL, text); /* 16 units: the dot before "REC" */
    }
    if (width + paused_width == 0) return right;
    float gap = width > 0 && paused ? 16 : 0, whole = width + gap + paused_width;
    float x = right - INSET_X - whole, y = pd_bar_height(screen->viewport) + THEME_EDGE + INSET_Y;
    if (x < THEME_EDGE + INSET_X) return right;
    pd_plate_draw(screen, &(pd_plate){x - INSET_X, y - INSET_Y, whole + 2 * INSET_X, line + 2 * INSET_Y},
                  THEME_OPACITY);
    if (width > 0) {
        float pulse = paused ? 1 : 0.65f + 0.35f * (float)cos(4 * screen->viewport->now);
        ui_draw_dot(gui, x + 5, y + 0.5f * line, 4.5f, UI_ALARM, pulse);
        ui_draw_text(gui, x + 16, y, UI_SMALL, UI_ALARM, 1, 0, text);
    }
    if (paused) ui_draw_text(gui, x + width + gap, y, UI_SMALL, UI_WARNING, 1, 0, "paused");
    return x - INSET_X;
}

/* Returns whether a line of the numbers is shown. A small pane shows the first and the last, two rates. */
static bool is_shown(const pd_screen *screen, int line) {
    return !is_small(screen) || line == 0 || line == screen->viewport->hud.lines - 1;
}

/* Draws the numbers and their background. Returns its right edge. */
static float draw_numbers(pd_screen *screen) {
    const pd_hud *hud = &screen->viewport->hud;
    const pd_method_info *method = pd_world_method(screen->session->world);
    bool titled = !is_small(screen) || pd_panes_count(screen) > 1;
    const char *title = pd_panes_split(screen) < 420 ? method->name : method->title;
    ui *gui = screen->gui;
    float x = THEME_EDGE, y = pd_bar_height(screen->viewport) + THEME_EDGE, column = 0, labels = 0, tall = 2 * INSET_Y;
    if (is_tiny(screen)) return x;
    float line = ui_line_height(gui, UI_SMALL) + LINE_GAP, wide = ui_text_width(gui, UI_SMALL, title);
    for (int i = 0; i < hud->lines; i++) {
        if (!is_shown(screen, i)) continue;
        column = fmaxf(column, ui_text_width(gui, UI_SMALL, hud->value[i]));
        labels = fmaxf(labels, ui_text_width(gui, UI_SMALL, hud->label[i]));
        tall += line;
    }
    wide = fmaxf(titled ? wide : 0, column + 8 + labels) + 2 * INSET_X;
    tall += titled ? line : -LINE_GAP;
    pd_plate_draw(screen, &(pd_plate){x, y, wide, tall}, THEME_OPACITY);
    x += INSET_X;
    y += INSET_Y;
    if (titled) {
        ui_draw_text(gui, x, y, UI_SMALL, UI_QUIET, 1, 0, title);
        y += line + LINE_GAP;
    }
    for (int i = 0; i < hud->lines; i++) {
        if (!is_shown(screen, i)) continue;
        ui_draw_text(gui, x, y, UI_SMALL, UI_PLAIN, 1, 0, hud->value[i]);
        ui_draw_text(gui, x + column + 8, y, UI_SMALL, UI_QUIET, 0.95f, 0, hud->label[i]);
        y += line;
    }
    return THEME_EDGE + wide;
}

void pd_hud_draw_legend(const pd_screen *screen, const pd_view *view, const pd_view_mode *mode, float right,
                        float room) {
    float edge = ui_width(screen->gui) - right;
    pd_legend legend;
    pd_plate place;
    if (!pd_picture_legend(view, mode, &legend)) return;
    ui_place_legend(screen->gui, edge, room, &place.x, &place.y, &place.width, &place.height);
    pd_plate_add(screen->viewport, &place);
    ui_draw_legend(screen->gui, &legend, screen->viewport->palette, edge, room);
}

static void draw(pd_screen *screen) {
    refresh(screen);
    ui_set_layer(screen->gui, UI_BELOW);
    float state = draw_state(screen), numbers = draw_numbers(screen), room = pd_panes_split(screen);
    draw_slowness(screen, numbers, state);
    if (!is_tiny(screen)) pd_hud_draw_legend(screen, &screen->viewport->view, screen->viewport->mode, room, room);
}

const pd_layer pd_hud_layer = {.draw = draw};
