/* Two worlds side by side: places and cameras of the panes, caption of the right pane, and the graph of a measure of both worlds. */
#include "app/overlay/interface.h"

#include <math.h>
#include <stdio.h>

static const float INSET_X = 12, INSET_Y = 8, GAP = 6; /* units: margins of text in its background, gap between rows */
static const float ROOMY = 420;                        /* units: width of a pane below which the graph is smaller */
static const float LEAST_ROOM = 130, LEAST_HEIGHT = 200; /* units: size of a pane below which it has no text */
static const float GRAPH_ROOM = 270;       /* units: width of a pane below which the graph is below the caption */
static const float LEAST_GRAPH_ROOM = 180; /* units: width of a pane below which it has no graph */
static const int LEAST_POINTS = 60;        /* least points per width of the graph: a new graph fills slowly */
static const float *const colours[2] = {THEME_ACCENT, THEME_SECOND};

/* ---- Places ---- */

int pd_panes_count(const pd_screen *screen) { return screen->session->second.world ? 2 : 1; }

static bool is_second(const pd_screen *screen) { return pd_panes_count(screen) > 1 && screen->viewport->panes.hovered; }

float pd_panes_end(const pd_screen *screen) {
    return (float)screen->display->width / screen->display->scale - pd_panel_width(screen);
}

float pd_panes_split(const pd_screen *screen) {
    float end = pd_panes_end(screen), bar = pd_toolbar_width(screen->viewport);
    return pd_panes_count(screen) > 1 ? roundf(bar + 0.5f * (end - bar)) : end;
}

void pd_panes_pixel_columns(const pd_screen *screen, int *split, int *end) {
    float scale = screen->display->scale;
    *split = (int)lroundf(pd_panes_split(screen) * scale);
    *end = (int)lroundf(pd_panes_end(screen) * scale);
}

/* Adds the room of a pane's legend to the margins, below or beside the view, whichever leaves the view larger. */
static void reserve_legend(const pd_screen *screen, int pane, pd_framing *framing, int width) {
    const pd_viewport *viewport = screen->viewport;
    const pd_view *view = pane ? &viewport->panes.view : &viewport->view;
    float scale = screen->display->scale;
    int height = screen->display->height;
    ui_legend_place place;
    pd_plate plate;
    if (!pd_hud_place_legend(screen, pane, &place, &plate)) return;
    pd_framing below = *framing, beside = *framing;
    pd_camera cameras[2];
    below.bottom = (float)height - plate.y * scale;
    beside.right += ((float)width / scale - plate.x) * scale;
    pd_camera_fit_with_framing(&cameras[0], view, &below, width, height);
    pd_camera_fit_with_framing(&cameras[1], view, &beside, width, height);
    *framing = cameras[0].pixels_per_metre >= cameras[1].pixels_per_metre ? below : beside;
}

pd_framing pd_panes_framing(const pd_screen *screen, int pane) {
    float scale = screen->display->scale;
    int split, end;
    pd_panes_pixel_columns(screen, &split, &end);
    pd_framing framing = {.left = pane ? (float)split : pd_toolbar_width(screen->viewport) * scale,
                          .top = pd_bar_height(screen->viewport) * scale,
                          .bottom = pd_hud_height(screen->viewport) * scale};
    reserve_legend(screen, pane, &framing, pane ? end : split);
    return framing;
}

pd_camera pd_panes_camera(const pd_screen *screen, int pane) {
    pd_framing framing = pd_panes_framing(screen, pane);
    pd_camera camera;
    int split, end;
    pd_panes_pixel_columns(screen, &split, &end);
    pd_camera_fit_with_framing(&camera, pane ? &screen->viewport->panes.view : &screen->viewport->view, &framing,
                               pane ? end : split, screen->display->height);
    return camera;
}

pd_camera pd_panes_pointer_camera(const pd_screen *screen) { return pd_panes_camera(screen, is_second(screen)); }

const pd_view *pd_panes_view(const pd_screen *screen) {
    return is_second(screen) ? &screen->viewport->panes.view : &screen->viewport->view;
}

const pd_world *pd_panes_world(const pd_screen *screen) {
    return is_second(screen) ? screen->session->second.world : screen->session->world;
}

void pd_panes_update_hovered(const pd_screen *screen) {
    int split, end;
    pd_panes_pixel_columns(screen, &split, &end);
    screen->viewport->panes.hovered = screen->pointer->pixel_x >= (float)split;
}

static bool is_hovered(const pd_screen *screen, const pd_plate *plate) {
    return pd_panes_count(screen) > 1 && pd_plate_contains(plate, screen->x, screen->y);
}

static bool covers_pointer(const pd_screen *screen) {
    const pd_panes *panes = &screen->viewport->panes;
    return is_hovered(screen, &panes->graph) || is_hovered(screen, &panes->keep);
}

static bool handle_press(pd_screen *screen, bool left) {
    if (!covers_pointer(screen)) return false;
    bool keep = is_hovered(screen, &screen->viewport->panes.keep);
    if (left) screen->action = keep ? PD_ACTION_KEEP_SECOND : PD_ACTION_MEASURE;
    return true;
}

/* ---- The graph ---- */

static const char *const units[PD_MEASURES] = {"m²/s²", "%", "ms"};

/* Returns the greatest value of both worlds. 0: no values. */
static float greatest_value(const pd_trace *trace, pd_measure measure) {
    float most = 0;
    for (int w = 0; w < 2; w++)
        for (int i = 0; i < trace->count; i++) most = fmaxf(most, trace->value[measure][w][i]); /* fmaxf ignores NAN */
    return most;
}

static bool has_values(const pd_trace *trace, pd_measure measure) {
    if (trace->count == 0) return true; /* before the first point every measure may have values */
    for (int w = 0; w < 2; w++)
        if (!isnan(trace->value[measure][w][trace->count - 1])) return true;
    return false;
}

static void draw_curve(ui *gui, const float *values, int count, float top, const pd_plate *box, const float rgb[3]) {
    float step = box->width / (float)(count - 1 > LEAST_POINTS ? count - 1 : LEAST_POINTS);
    for (int i = 1; i < count; i++) {
        if (isnan(values[i - 1]) || isnan(values[i])) continue;
        float from = box->y + box->height * (1 - fminf(values[i - 1] / top, 1));
        float to = box->y + box->height * (1 - fminf(values[i] / top, 1));
        ui_draw_line(gui, box->x + step * (float)(i - 1), from, box->x + step * (float)i, to, 1.5f, rgb, 0.95f);
    }
}

/* Draws a row of the legend: a dot in the pane's colour, the method's name and the last of the values. */
static void draw_legend_row(ui *gui, const pd_world *world, const float *values, int count, float x, float y,
                            float width, float line, const float rgb[3]) {
    char text[32] = "–";
    ui_draw_disc(gui, x + 4, y + 0.5f * line, 3.5f, rgb, 1);
    ui_draw_text(gui, x + 14, y, UI_SMALL, UI_PLAIN, 1, 0, pd_world_method(world)->name);
    if (count > 0 && !isnan(values[count - 1])) pd_app_format_number((double)values[count - 1], text, sizeof text);
    ui_draw_text(gui, x + width - ui_text_width(gui, UI_SMALL, text), y, UI_SMALL, UI_PLAIN, 1, 0, text);
}

/* Draws both curves. The scale's greatest value is written above the top line, which no curve crosses. */
static void draw_chart(ui *gui, const pd_trace *trace, pd_measure measure, const pd_plate *box) {
    char text[32];
    float line = ui_line_height(gui, UI_SMALL), top = pd_chart_choose_axis_maximum(0, greatest_value(trace, measure));
    ui_draw_box(gui, box->x, box->y, box->width, box->height, 4, THEME_PAPER, 1);
    pd_plate inner = {box->x + 3, box->y + line + 3, box->width - 6, box->height - line - 6};
    if (has_values(trace, measure)) {
        pd_app_format_number((double)top, text, sizeof text);
        ui_draw_text(gui, box->x + 5, box->y + 1, UI_SMALL, UI_QUIET, 1, 0, text);
        ui_draw_line(gui, inner.x, inner.y - 1.5f, inner.x + inner.width, inner.y - 1.5f, 1, THEME_TRACK, 1);
    } else {
        float label = ui_text_width(gui, UI_SMALL, "no value here");
        ui_draw_text(gui, box->x + 0.5f * (box->width - label), box->y + 0.5f * (box->height - line), UI_SMALL,
                     UI_QUIET, 1, 0, "no value here");
    }
    for (int w = 0; w < 2; w++) draw_curve(gui, trace->value[measure][w], trace->count, top, &inner, colours[w]);
}

/* Draws the graph with its legend at the right edge of the right pane. room: width of the pane. */
static void draw_graph(pd_screen *screen, float room, float right, float top) {
    const pd_trace *trace = &screen->session->second.trace;
    pd_measure measure = screen->viewport->panes.measure;
    const pd_world *worlds[2] = {screen->session->world, screen->session->second.world};
    ui *gui = screen->gui;
    float line = ui_line_height(gui, UI_SMALL), width = room >= ROOMY ? 164 : 132, height = room >= ROOMY ? 50 : 36;
    height += line; /* the scale's greatest value, above the curves */
    pd_plate *plate = &screen->viewport->panes.graph;
    *plate = (pd_plate){right - THEME_EDGE - width - 2 * INSET_X, top, width + 2 * INSET_X,
                        height + 3 * line + 2 * GAP + 2 * INSET_Y};
    pd_plate_draw(screen, plate, THEME_OPACITY);
    ui_add_target(gui, "Graph", plate->x, plate->y, plate->width, plate->height);
    float x = plate->x + INSET_X, y = plate->y + INSET_Y;
    ui_draw_text(gui, x, y, UI_SMALL, UI_QUIET, 1, 0, pd_viewport_measure_name(measure));
    ui_draw_text(gui, x + width - ui_text_width(gui, UI_SMALL, units[measure]), y, UI_SMALL, UI_QUIET, 1, 0,
                 units[measure]);
    y += line + GAP;
    draw_chart(gui, trace, measure, &(pd_plate){x, y, width, height});
    y += height + GAP;
    for (int w = 0; w < 2; w++)
        draw_legend_row(gui, worlds[w], trace->value[measure][w], trace->count, x, y + (float)w * line, width, line,
                        colours[w]);
}

/* ---- The right pane ---- */

/* Draws the name of the second method and the button "Keep this". Returns the lower edge. */
static float draw_caption(pd_screen *screen, float left, float room) {
    static const char keep[] = "Keep this", key[] = "Ctrl+K";
    const pd_method_info *method = pd_world_method(screen->session->second.world);
    bool roomy = room >= ROOMY;
    const char *title = roomy ? method->title : method->name;
    ui *gui = screen->gui;
    float line = ui_line_height(gui, UI_SMALL), wide = ui_text_width(gui, UI_SMALL, title);
    float x = left + THEME_EDGE, y = THEME_EDGE, kept = ui_text_width(gui, UI_SMALL, keep);
    float button = kept + 16 + (roomy ? ui_text_width(gui, UI_SMALL, key) + 8 : 0),
          tall = 2 * line + GAP + 6 + 2 * INSET_Y;
    pd_plate *place = &screen->viewport->panes.keep;
    *place = (pd_plate){x + INSET_X - 2, y + INSET_Y + line + GAP, button, line + 6};
    ui_add_target(gui, keep, place->x, place->y, place->width, place->height);
    pd_plate_draw(screen, &(pd_plate){x, y, fmaxf(wide, button - 4) + 2 * INSET_X, tall}, THEME_OPACITY);
    ui_draw_text(gui, x + INSET_X, y + INSET_Y, UI_SMALL, UI_QUIET, 1, 0, title);
    bool hovered = pd_plate_is_hovered(screen, &pd_panes_layer, place);
    ui_draw_box(gui, place->x, place->y, place->width, place->height, 5, THEME_ACCENT, hovered ? 0.36f : 0.16f);
    ui_draw_text(gui, place->x + 8, place->y + 3, UI_SMALL, UI_STRONG, 1, 0, keep);
    if (roomy) ui_draw_text(gui, place->x + kept + 16, place->y + 3, UI_SMALL, UI_QUIET, 1, 0, key);
    return y + tall;
}

static void draw(pd_screen *screen) {
    pd_panes *panes = &screen->viewport->panes;
    ui *gui = screen->gui;
    panes->graph = panes->keep = (pd_plate){0};
    if (pd_panes_count(screen) < 2) return;
    float left = pd_panes_split(screen), right = pd_panes_end(screen), room = right - left;
    ui_set_layer(gui, UI_BELOW);
    ui_draw_box(gui, left - 0.5f, 0, 1, ui_height(gui), 0, THEME_TRACK, 1);
    ui_draw_box(gui, 0, 0, left - 1, 2.5f, 0, colours[0], 0.9f);
    ui_draw_box(gui, left + 1, 0, room - 1, 2.5f, 0, colours[1], 0.9f);
    if (room < LEAST_ROOM || ui_height(gui) < LEAST_HEIGHT) return;
    float caption = draw_caption(screen, left, room);
    if (room >= GRAPH_ROOM)
        draw_graph(screen, room, right, THEME_EDGE);
    else if (room >= LEAST_GRAPH_ROOM && ui_height(gui) > 2 * room) /* a high pane has room above its picture */
        draw_graph(screen, room, right, caption + THEME_EDGE);
}

/* Escape closes the right pane. */
static bool is_open(const pd_screen *screen) { return pd_panes_count(screen) > 1; }
static void close_panes(pd_screen *screen) {
    pd_session_compare_with_method(screen->session, pd_world_method(screen->session->second.world));
}

const pd_layer pd_panes_layer = {.is_open = is_open,
                                 .close = close_panes,
                                 .covers_pointer = covers_pointer,
                                 .handle_press = handle_press,
                                 .draw = draw};
