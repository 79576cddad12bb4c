/* Two worlds side by side: where their panes are, which method the right one shows, and the graph of what is measured of both. */
#include "app/overlay/interface.h"

#include <math.h>
#include <stdio.h>

static const float EDGE = 10, INSET_X = 12, INSET_Y = 8,
                   GAP = 6;                              /* units: from the pane, of text in its plate, between rows */
static const float PLATE = 1.1f;                         /* opacity, as of the numbers */
static const float ROOMY = 420;                          /* units: a narrower pane has a smaller graph */
static const float LEAST_ROOM = 130, LEAST_HEIGHT = 200; /* units: a smaller one has no text */
static const float GRAPH_ROOM = 270;                     /* units: a narrower one has the graph below its caption, */
static const float LEAST_GRAPH_ROOM = 180;               /* or, if it is low or even narrower, none */
static const float LEGEND_ROOM = 180;                    /* units: a narrower one has no legend */
static const int LEAST_POINTS = 60;                      /* of the graph's width: at the beginning it fills slowly */
static const float colours[2][3] = {{0.56f, 0.70f, 1.00f}, {1.00f, 0.72f, 0.36f}};
static const float rim[3] = {0.30f, 0.34f, 0.44f}, paper[3] = {0.087f, 0.107f, 0.159f};

/* ---- Places ---- */

/* Where the right pane ends, in a window that is so many units wide. In a narrow one the panel lies over the panes. */
static float end_of(const pd_viewport *viewport, float width) {
    return viewport->panes.shown && !pd_panel_docks(width) ? width : width - pd_panel_cover(viewport);
}

float pd_panes_split(const pd_viewport *viewport, float width) {
    float end = end_of(viewport, width), bar = pd_toolbar_cover(viewport);
    return viewport->panes.shown ? roundf(bar + 0.5f * (end - bar)) : end;
}

void pd_panes_pixels(const pd_viewport *viewport, const pd_display *display, int *split, int *end) {
    float scale = display->scale, width = (float)display->width / scale;
    *split = (int)lroundf(pd_panes_split(viewport, width) * scale);
    *end = (int)lroundf(end_of(viewport, width) * scale);
}

pd_camera pd_panes_camera(const pd_viewport *viewport, const pd_display *display, int pane) {
    pd_camera camera;
    int width, height, split, end;
    float bar = pd_toolbar_cover(viewport) * display->scale;
    pd_panel_picture_size(viewport, display, &width, &height);
    if (viewport->panes.shown) {
        pd_panes_pixels(viewport, display, &split, &end);
        width = pane ? end : split;
        if (pane) bar = (float)split;
    }
    pd_camera_fit_beside(&camera, pane ? &viewport->panes.view : &viewport->view, bar, width, height);
    return camera;
}

int pd_panes_count(const pd_viewport *viewport) { return viewport->panes.shown ? 2 : 1; }

const pd_view *pd_panes_view(const pd_viewport *viewport) {
    return viewport->panes.at ? &viewport->panes.view : &viewport->view;
}

void pd_panes_find(pd_viewport *viewport, const pd_display *display, float pixel_x) {
    int split, end;
    pd_panes_pixels(viewport, display, &split, &end);
    viewport->panes.at = viewport->panes.shown && pixel_x >= (float)split;
}

bool pd_panes_cover(const pd_viewport *viewport, const pd_display *display, float pixel_x, float pixel_y) {
    const pd_panes *panes = &viewport->panes;
    float x = pixel_x / display->scale, y = pixel_y / display->scale;
    return panes->shown && (pd_plate_contains(&panes->graph, x, y) || pd_plate_contains(&panes->keep, x, y));
}

pd_action pd_panes_press(const pd_viewport *viewport, const pd_display *display, float pixel_x, float pixel_y) {
    float x = pixel_x / display->scale, y = pixel_y / display->scale;
    if (!viewport->panes.shown) return PD_ACTION_NONE;
    if (pd_plate_contains(&viewport->panes.keep, x, y)) return PD_ACTION_KEEP_SECOND;
    return pd_plate_contains(&viewport->panes.graph, x, y) ? PD_ACTION_MEASURE : PD_ACTION_NONE;
}

/* ---- The graph ---- */

static const char *const units[PD_MEASURES] = {"m²/s²", "%", "ms"};

/* Of both lines; 0: neither has a value. */
static float greatest(const pd_trace *trace, pd_measure measure) {
    float most = 0;
    for (int w = 0; w < 2; w++)
        for (int i = 0; i < trace->count; i++) most = fmaxf(most, trace->value[measure][w][i]); /* NAN counts as less */
    return most;
}

static bool has_values(const pd_trace *trace, pd_measure measure) {
    if (trace->count == 0) return true; /* not yet */
    for (int w = 0; w < 2; w++)
        if (!isnan(trace->value[measure][w][trace->count - 1])) return true;
    return false;
}

static void draw_line(ui *gui, const float *value, int count, float top, const pd_plate *box, const float rgb[3]) {
    float step = box->width / (float)(count - 1 > LEAST_POINTS ? count - 1 : LEAST_POINTS);
    for (int i = 1; i < count; i++) {
        if (isnan(value[i - 1]) || isnan(value[i])) continue;
        float from = box->y + box->height * (1 - fminf(value[i - 1] / top, 1));
        float to = box->y + box->height * (1 - fminf(value[i] / top, 1));
        ui_line(gui, box->x + step * (float)(i - 1), from, box->x + step * (float)i, to, 1.5f, rgb, 0.95f);
    }
}

/* A dot in the pane's colour, its method and the last value. */
static void draw_row(ui *gui, const pd_world *world, const float *value, int count, float x, float y, float width,
                     float line, const float rgb[3]) {
    char text[32] = "–";
    float label;
    ui_disc(gui, x + 4, y + 0.5f * line, 3.5f, rgb, 1);
    ui_text(gui, x + 14, y, UI_SMALL, UI_PLAIN, 1, 0, pd_world_method(world)->name);
    if (count > 0 && !isnan(value[count - 1])) pd_app_number((double)value[count - 1], text, sizeof text);
    ui_measure(gui, UI_SMALL, text, 0, &label, NULL);
    ui_text(gui, x + width - label, y, UI_SMALL, UI_PLAIN, 1, 0, text);
}

/* The number at the top of the scale stands above its line, where no curve comes. */
static void draw_chart(ui *gui, const pd_trace *trace, pd_measure measure, const pd_plate *box) {
    char text[32];
    float label, line, top = pd_chart_top(0, greatest(trace, measure));
    ui_measure(gui, UI_SMALL, NULL, 0, NULL, &line);
    ui_box(gui, box->x, box->y, box->width, box->height, 4, paper, 1);
    pd_plate inner = {box->x + 3, box->y + line + 3, box->width - 6, box->height - line - 6};
    if (has_values(trace, measure)) {
        pd_app_number((double)top, text, sizeof text);
        ui_text(gui, box->x + 5, box->y + 1, UI_SMALL, UI_QUIET, 1, 0, text);
        ui_line(gui, inner.x, inner.y - 1.5f, inner.x + inner.width, inner.y - 1.5f, 1, rim, 1);
    } else {
        ui_measure(gui, UI_SMALL, "no value here", 0, &label, NULL);
        ui_text(gui, box->x + 0.5f * (box->width - label), box->y + 0.5f * (box->height - line), UI_SMALL, UI_QUIET, 1,
                0, "no value here");
    }
    for (int w = 0; w < 2; w++) draw_line(gui, trace->value[measure][w], trace->count, top, &inner, colours[w]);
}

/* At the right of the right pane, which begins at `left`. */
static void draw_graph(pd_viewport *viewport, const pd_session *session, ui *gui, float left, float right, float top) {
    const pd_trace *trace = &session->second.trace;
    pd_measure measure = viewport->panes.measure;
    const pd_world *worlds[2] = {session->world, session->second.world};
    bool roomy = right - left >= ROOMY;
    float line, unit, width = roomy ? 164 : 132, height = roomy ? 50 : 36;
    ui_measure(gui, UI_SMALL, units[measure], 0, &unit, &line);
    height += line; /* of the scale's number */
    pd_plate *plate = &viewport->panes.graph;
    *plate = (pd_plate){right - EDGE - width - 2 * INSET_X, top, width + 2 * INSET_X,
                        height + 3 * line + 2 * GAP + 2 * INSET_Y};
    pd_plate_draw(viewport, gui, plate->x, plate->y, plate->width, plate->height, PLATE);
    float x = plate->x + INSET_X, y = plate->y + INSET_Y;
    ui_text(gui, x, y, UI_SMALL, UI_QUIET, 1, 0, pd_viewport_measure_name(measure));
    ui_text(gui, x + width - unit, y, UI_SMALL, UI_QUIET, 1, 0, units[measure]);
    y += line + GAP;
    draw_chart(gui, trace, measure, &(pd_plate){x, y, width, height});
    y += height + GAP;
    for (int w = 0; w < 2; w++)
        draw_row(gui, worlds[w], trace->value[measure][w], trace->count, x, y + (float)w * line, width, line,
                 colours[w]);
}

/* ---- The right pane ---- */

/* Its method, and the button that keeps it. Returns the lower end. */
static float draw_caption(pd_viewport *viewport, const pd_session *session, ui *gui, float left, float right,
                          const pd_pointer *pointer, float scale) {
    static const char keep[] = "Keep this", key[] = "Ctrl+K";
    const pd_method_info *method = pd_world_method(session->second.world);
    const char *title = right - left >= ROOMY ? method->title : method->name;
    float line, wide, kept, keyed, x = left + EDGE, y = EDGE;
    ui_measure(gui, UI_SMALL, title, 0, &wide, &line);
    ui_measure(gui, UI_SMALL, keep, 0, &kept, NULL);
    ui_measure(gui, UI_SMALL, key, 0, &keyed, NULL);
    bool with_key = right - left >= ROOMY;
    float button = kept + 16 + (with_key ? keyed + 8 : 0);
    pd_plate *place = &viewport->panes.keep;
    *place = (pd_plate){x + INSET_X - 2, y + INSET_Y + line + GAP, button, line + 6};
    ui_add_target(gui, keep, place->x, place->y, place->width, place->height);
    float tall = 2 * line + GAP + 6 + 2 * INSET_Y;
    pd_plate_draw(viewport, gui, x, y, fmaxf(wide, button - 4) + 2 * INSET_X, tall, PLATE);
    ui_text(gui, x + INSET_X, y + INSET_Y, UI_SMALL, UI_QUIET, 1, 0, title);
    bool free = pointer->present && pointer->held == PD_TOOL_NONE && !viewport->help;
    bool hovered = free && pd_plate_contains(place, pointer->pixel_x / scale, pointer->pixel_y / scale);
    ui_box(gui, place->x, place->y, place->width, place->height, 5, colours[0], hovered ? 0.36f : 0.16f);
    ui_text(gui, place->x + 8, place->y + 3, UI_SMALL, UI_STRONG, 1, 0, keep);
    if (with_key) ui_text(gui, place->x + kept + 16, place->y + 3, UI_SMALL, UI_QUIET, 1, 0, key);
    return y + tall;
}

static void draw_legend(pd_viewport *viewport, ui *gui, float left, float right) {
    pd_legend legend;
    pd_plate place;
    if (right - left < LEGEND_ROOM || !pd_picture_legend(&viewport->panes.view, viewport->panes.mode, &legend)) return;
    float edge = ui_width(gui) - right;
    ui_legend_place(gui, edge, right - left, &place.x, &place.y, &place.width, &place.height);
    pd_plate_take(viewport, &place);
    ui_legend(gui, &legend, viewport->palette, edge, right - left);
}

void pd_panes_draw(pd_viewport *viewport, const pd_session *session, ui *gui, const pd_pointer *pointer,
                   const pd_display *display) {
    pd_panes *panes = &viewport->panes;
    panes->graph = panes->keep = (pd_plate){0};
    if (!panes->shown || !session->second.world) return;
    float left = pd_panes_split(viewport, ui_width(gui)), right = end_of(viewport, ui_width(gui));
    ui_set_layer(gui, UI_BELOW);
    ui_box(gui, left - 0.5f, 0, 1, ui_height(gui), 0, rim, 1);
    ui_box(gui, 0, 0, left - 1, 2.5f, 0, colours[0], 0.9f);
    ui_box(gui, left + 1, 0, right - left - 1, 2.5f, 0, colours[1], 0.9f);
    if (right - left < LEAST_ROOM || ui_height(gui) < LEAST_HEIGHT) return;
    float room = right - left, caption = draw_caption(viewport, session, gui, left, right, pointer, display->scale);
    draw_legend(viewport, gui, left, right);
    if (room >= GRAPH_ROOM)
        draw_graph(viewport, session, gui, left, right, EDGE);
    else if (room >= LEAST_GRAPH_ROOM && ui_height(gui) > 2 * room) /* above a picture that is as wide as the pane */
        draw_graph(viewport, session, gui, left, right, caption + EDGE);
    if (panes->graph.width > 0)
        ui_add_target(gui, "Graph", panes->graph.x, panes->graph.y, panes->graph.width, panes->graph.height);
}
