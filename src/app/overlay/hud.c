/* The strip at the bottom with the state ("REC", "paused") and numbers, the legends of the pictures, and their shown part.
 *
 * Zoom: Ctrl+Wheel zooms, a drag with Space moves the picture, Home shows all. All panes, recordings
 * and screenshots show this part. The log has no place for views, so a replay shows all. */
#include "app/overlay/interface.h"

#include <math.h>
#include <stdio.h>

static const float NOTCH = 1.2f;         /* magnification per notch of the wheel */
static const float MOST = 40;            /* greatest magnification */
static const float HEIGHT = 20;          /* units: height of the button in the strip */
static const float MARGIN = 7, GAP = 14; /* units: beside the text of the button; between two texts */
static const char ALL[] = "All (Home)";

/* Returns the point of the world at the pointer. */
static pd_vec2 point_at_pointer(const pd_screen *screen) {
    return pd_camera_pixels_to_world(&pd_screen_pane(screen)->camera, screen->pointer->pixel_x,
                                     screen->pointer->pixel_y);
}

/* Shifts the picture so that the pointer is at a point of the world. The middle of the picture stays in the container, and the
 * whole container has no shift. */
static void bring_to_pointer(pd_screen *screen, pd_vec2 point) {
    pd_zoom *zoom = &screen->viewport->zoom;
    pd_layout_update(screen); /* the camera of the present magnification and shift */
    const pd_view *view = pd_screen_pane(screen)->view;
    pd_vec2 there = point_at_pointer(screen);
    float part = fminf(1, 2 * (1 - 1 / fmaxf(zoom->factor, 1)));
    float x = 0.5f * part * (view->high.x - view->low.x), y = 0.5f * part * (view->high.y - view->low.y);
    zoom->shift.x = fminf(fmaxf(zoom->shift.x + point.x - there.x, -x), x);
    zoom->shift.y = fminf(fmaxf(zoom->shift.y + point.y - there.y, -y), y);
}

/* Returns whether a layer above this one covers the pointer. */
static bool is_covered(const pd_screen *screen) { return screen->at_pointer && screen->at_pointer != &pd_zoom_layer; }

/* Zooms around the pointer. */
static bool handle_wheel(pd_screen *screen, float notches) {
    pd_zoom *zoom = &screen->viewport->zoom;
    if (!screen->pointer->control || is_covered(screen)) return false;
    pd_vec2 point = point_at_pointer(screen);
    zoom->factor = fminf(fmaxf(fmaxf(zoom->factor, 1) * powf(NOTCH, notches), 1), MOST);
    if (zoom->factor < 1.005f) zoom->factor = 1;
    bring_to_pointer(screen, point);
    return true;
}

/* Space pauses on its release, unless a drag has moved the picture. */
static bool handle_key(pd_screen *screen, int code, int modifiers, bool repeats) {
    pd_zoom *zoom = &screen->viewport->zoom;
    if (code != ' ' || modifiers != 0) return false;
    if (!repeats) zoom->moved = false;
    zoom->space_down = true;
    return true;
}

bool pd_zoom_release_space(pd_viewport *viewport) {
    bool pauses = viewport->zoom.space_down && !viewport->zoom.moved;
    viewport->zoom.space_down = false;
    return pauses;
}

static bool covers_pointer(const pd_screen *screen) {
    const pd_zoom *zoom = &screen->viewport->zoom;
    return (zoom->space_down && !pd_pointer_has_press(screen->pointer)) || zoom->dragged;
}

static bool handle_press(pd_screen *screen, bool left) {
    (void)left;
    pd_zoom *zoom = &screen->viewport->zoom;
    if (!zoom->space_down || is_covered(screen)) return false;
    zoom->held = point_at_pointer(screen);
    zoom->dragged = zoom->moved = true;
    return true;
}

static void pointer_moved(pd_screen *screen, bool arrives) {
    pd_zoom *zoom = &screen->viewport->zoom;
    (void)arrives;
    if (zoom->dragged) bring_to_pointer(screen, zoom->held);
    if (!screen->pointer->buttons) zoom->dragged = false;
}

/* Draws the magnification and a button that shows all, while the picture is zoomed, in the strip from x to `end`. Returns the
 * place of the next text. */
static float draw_zoom_in_strip(pd_screen *screen, float x, float end) {
    float factor = screen->viewport->zoom.factor;
    ui *gui = screen->gui;
    char text[16], help[64];
    if (factor <= 1) return x;
    snprintf(help, sizeof help, "Show the whole container\nKey: %s", pd_key_name_of_action(PD_ACTION_SHOW_ALL));
    snprintf(text, sizeof text, "%.0f %%", 100 * (double)factor);
    float number = ui_text_width(gui, UI_SMALL, text), line = ui_line_height(gui, UI_SMALL);
    float width = ui_text_width(gui, UI_SMALL, ALL) + 2 * MARGIN, middle = screen->layout.height - 0.5f * THEME_STRIP;
    if (x + number + MARGIN + width > end) return x;
    ui_draw_text(gui, x, middle - 0.5f * line, UI_SMALL, UI_PLAIN, 1, 0, text);
    x += number + MARGIN;
    /* the colour of a chosen button shows that the text is a button */
    ui_push all = {
        .name = ALL, .help = help, .text = ALL, .width = width, .height = HEIGHT, .chosen = true, .small = true};
    ui_window_begin(gui, "zoom", x, middle - 0.5f * HEIGHT, width, HEIGHT, 0, screen->viewport->bar_opacity);
    if (ui_draw_push_button(gui, &all)) pd_screen_request(screen, PD_ACTION_SHOW_ALL, 0);
    ui_window_end(gui);
    return x + width + GAP;
}

/* Shows a hand while a drag would move the picture. */
static void draw_hand(pd_screen *screen) {
    if (covers_pointer(screen) && !is_covered(screen)) ui_show_hand_pointer(screen->gui);
}

const pd_layer pd_zoom_layer = {.covers_pointer = covers_pointer,
                                .handle_press = handle_press,
                                .handle_key = handle_key,
                                .handle_wheel = handle_wheel,
                                .pointer_moved = pointer_moved,
                                .draw = draw_hand};

static const float LEAST_TIMELINE = 150; /* units: width of the time line beside a hint */
static const float NUMBERS = 0.55f;      /* greatest width of the numbers beside the time line / width of the strip */
static const double REFRESH = 0.25;      /* s: time between two updates of the numbers, for legibility */
static const double READING_TIME = 6, NORMAL_TIME = 20; /* s: of the text about slow time, as in refresh_slowness */

static void add_line(pd_viewport *viewport, const char *value, const char *label) {
    if (viewport->hud.lines == PD_HUD_LINES) return;
    snprintf(viewport->hud.value[viewport->hud.lines], PD_HUD_TEXT, "%s", value);
    snprintf(viewport->hud.label[viewport->hud.lines], PD_HUD_TEXT, "%s", label);
    viewport->hud.lines++;
}

/* Updates the text about slow time. The text goes after READING_TIME, and returns once time was not slow for NORMAL_TIME. */
static void refresh_slowness(const pd_screen *screen) {
    pd_hud *hud = &screen->viewport->hud;
    double now = screen->viewport->now;
    bool recording = screen->recorder->sink != NULL;
    pd_viewport_explain_slowness(screen->viewport, screen->session, recording, hud->slowness, sizeof hud->slowness);
    if (!*hud->slowness) return;
    if (hud->slow_until == 0 || now > hud->slow_until + NORMAL_TIME) hud->slow_from = now;
    hud->slow_until = now;
    if (now > hud->slow_from + READING_TIME) *hud->slowness = '\0';
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
    const char *computed = pd_viewport_describe_cells_or_vortons(viewport, text, sizeof text);
    int particles = pd_world_particles(session->world);
    if (computed) add_line(viewport, text, computed);
    if (!computed || particles > 0) add_line(viewport, pd_app_format_count(particles, text, sizeof text), "particles");
    double speed = session->paused ? 0 : pd_session_chosen_speed(session) * pd_pace_speed_ratio(&session->pace);
    snprintf(text, sizeof text, "%.0f %%", 100 * speed);
    add_line(viewport, text, "of real time");
    refresh_slowness(screen);
    hud->hint = pd_hint_find(viewport, session);
}

/* Draws a text in the strip at x, if it ends before `end`. Returns the place of the next text: x if it was not drawn. */
static float draw_in_strip(const pd_screen *screen, float x, float end, ui_tone tone, const char *text, float gap) {
    ui *gui = screen->gui;
    float width = ui_text_width(gui, UI_SMALL, text), line = ui_line_height(gui, UI_SMALL);
    if (x + width > end) return x;
    ui_draw_text(gui, x, screen->layout.height - 0.5f * (THEME_STRIP + line), UI_SMALL, tone, 1, 0, text);
    return x + width + gap;
}

/* Draws "REC" and "paused" at x. Returns the place of the next text. */
static float draw_state(const pd_screen *screen, float x, float end) {
    const pd_recorder *recorder = screen->recorder;
    bool paused = screen->session->paused;
    char text[64], count[32];
    if (recorder->sink) {
        float pulse = paused ? 1 : 0.65f + 0.35f * (float)cos(4 * screen->viewport->now);
        ui_draw_dot(screen->gui, x + 5, screen->layout.height - 0.5f * THEME_STRIP, 4.5f, UI_ALARM, pulse);
        snprintf(text, sizeof text, "REC %s", pd_app_format_count(recorder->clock.frames, count, sizeof count));
        x = draw_in_strip(screen, x + 16, end, UI_ALARM, text, GAP);
    }
    return paused ? draw_in_strip(screen, x, end, UI_WARNING, "paused", GAP) : x;
}

/* Draws the numbers that have room, the frame rate and the speed of time first. Returns the place of the next text. */
static float draw_numbers(const pd_screen *screen, float x, float end) {
    const pd_hud *hud = &screen->viewport->hud;
    ui *gui = screen->gui;
    for (int k = 0; k < hud->lines; k++) {
        int i = k == 0 ? 0 : k == 1 ? hud->lines - 1 : k - 1;
        float width = ui_text_width(gui, UI_SMALL, hud->value[i]) + 4 + ui_text_width(gui, UI_SMALL, hud->label[i]);
        if (x + width > end) break;
        x = draw_in_strip(screen, x, end, UI_PLAIN, hud->value[i], 4);
        x = draw_in_strip(screen, x, end, UI_QUIET, hud->label[i], GAP);
    }
    return x;
}

/* Draws the strip at the bottom. Without bars it shows only the state and the zoom, on the picture. */
static void draw_strip(pd_screen *screen) {
    pd_hud *hud = &screen->viewport->hud;
    ui *gui = screen->gui;
    float width = screen->layout.right, end = screen->session->log ? NUMBERS * width : width - GAP;
    pd_plate strip = {0, screen->layout.height - THEME_STRIP, width, THEME_STRIP};
    if (screen->viewport->bars) {
        ui_draw_box(gui, strip.x, strip.y, strip.width, strip.height, 0, THEME_PLATE, 1);
        pd_plate_add(&screen->layout, &strip);
    }
    hud->end = draw_zoom_in_strip(screen, draw_state(screen, THEME_EDGE, end), end);
    if (!screen->viewport->bars) {
        strip.width = hud->end;
        if (hud->end > THEME_EDGE) pd_plate_add(&screen->layout, &strip);
        return;
    }
    const char *hint = screen->viewport->hints.in_strip ? screen->viewport->hints.line : NULL;
    if (hint) end = fmaxf(end, width - LEAST_TIMELINE);
    hud->end = hint ? draw_in_strip(screen, hud->end, end, UI_STRONG, hint, GAP) : draw_numbers(screen, hud->end, end);
    if (*hud->slowness) hud->end = draw_in_strip(screen, hud->end, end, UI_QUIET, hud->slowness, GAP);
}

/* Draws legend and scale bar of a pane. */
static void draw_scales(pd_screen *screen, const pd_pane *pane) {
    const float foot = screen->layout.height - screen->layout.bottom;
    pd_plate plate;
    if (pane->has_legend) {
        ui_measure_legend(screen->gui, &pane->legend, &pane->legend_place, &plate.x, &plate.y, &plate.width,
                          &plate.height);
        pd_plate_add(&screen->layout, &plate);
        ui_draw_legend(screen->gui, &pane->legend, screen->viewport->palette, &pane->legend_place);
    }
    if (pane->ruler <= 0) return;
    plate = (pd_plate){pane->left + THEME_EDGE, foot - UI_RULER_HEIGHT - THEME_EDGE, 0, UI_RULER_HEIGHT};
    plate.width = ui_draw_ruler(screen->gui, plate.x, plate.y, pane->camera.pixels_per_metre / screen->display->scale,
                                pane->ruler);
    pd_plate_add(&screen->layout, &plate);
}

static void draw(pd_screen *screen) {
    refresh(screen);
    ui_set_layer(screen->gui, UI_BELOW);
    draw_strip(screen);
    for (int pane = 0; pane < screen->layout.panes; pane++) draw_scales(screen, &screen->layout.pane[pane]);
}

const pd_layer pd_hud_layer = {.draw = draw};
