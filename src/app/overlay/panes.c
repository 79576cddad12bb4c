/* Two worlds side by side: places and cameras of the panes, their captions, and the graph of a measure of both worlds. */
#include "app/overlay/interface.h"

#include <math.h>
#include <stdio.h>

static const float CAPTION = 28, STRIPE = 2.5f; /* units: height of the captions, and of the coloured stripe above */
static const float INSET = 12, GAP = 4;         /* units: margin beside text, gap between rows */
static const float GRAPH = 92, NAMES = 190;     /* units: height of the graph, width of its names and values */
static const float LEAST_HEIGHT = 460;          /* units: height of a window below which there is no graph */
static const float NARROW_PANE = 160;           /* units: width of a pane below which its button has a short text */
static const float LABEL = 70;                  /* units: least distance of labels of the time axis */
static const int LEAST_POINTS = 60;             /* least points per width of the graph: a new graph fills slowly */
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

static float window_height(const pd_screen *screen) { return (float)screen->display->height / screen->display->scale; }

float pd_panes_top(const pd_screen *screen) {
    return pd_bar_height(screen->viewport) + (pd_panes_count(screen) > 1 ? CAPTION : 0);
}

static bool has_graph(const pd_screen *screen) {
    return pd_panes_count(screen) > 1 && window_height(screen) >= LEAST_HEIGHT;
}

float pd_panes_bottom(const pd_screen *screen) {
    return pd_hud_height(screen->viewport) + (has_graph(screen) ? GRAPH : 0);
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
    pd_camera_fit_framed_view(&cameras[0], view, &below, width, height);
    pd_camera_fit_framed_view(&cameras[1], view, &beside, width, height);
    *framing = cameras[0].pixels_per_metre >= cameras[1].pixels_per_metre ? below : beside;
}

pd_framing pd_panes_framing(const pd_screen *screen, int pane) {
    float scale = screen->display->scale;
    int split, end;
    pd_panes_pixel_columns(screen, &split, &end);
    pd_framing framing = {.left = pane ? (float)split : pd_toolbar_width(screen->viewport) * scale,
                          .top = pd_panes_top(screen) * scale,
                          .bottom = pd_panes_bottom(screen) * scale};
    reserve_legend(screen, pane, &framing, pane ? end : split);
    framing.zoom = screen->viewport->zoom.factor;
    framing.shift = screen->viewport->zoom.shift;
    return framing;
}

pd_camera pd_panes_camera(const pd_screen *screen, int pane) {
    pd_framing framing = pd_panes_framing(screen, pane);
    pd_camera camera;
    int split, end;
    pd_panes_pixel_columns(screen, &split, &end);
    pd_camera_fit_framed_view(&camera, pane ? &screen->viewport->panes.view : &screen->viewport->view, &framing,
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

/* ---- The graph ---- */

static const struct {
    const char *unit, *help;
} measures[PD_MEASURES] = {
    [PD_MEASURE_ENERGY] = {"m²/s²", "How much the fluid moves: half the mean square of its speed"},
    [PD_MEASURE_DENSITY] = {"%", "How much the fluid is squeezed: mean excess of its density over its rest density"},
    [PD_MEASURE_COST] = {"ms", "Time that this computer takes for a step: the lower curve is the faster method"}};

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

/* Returns the number of intervals between points that the width of the graph shows. */
static int count_intervals(int points) { return points - 1 > LEAST_POINTS ? points - 1 : LEAST_POINTS; }

static void draw_curve(ui *gui, const float *values, int count, float top, const pd_plate *box, const float rgb[3]) {
    float step = box->width / (float)count_intervals(count);
    for (int i = 1; i < count; i++) {
        if (isnan(values[i - 1]) || isnan(values[i])) continue;
        float from = box->y + box->height * (1 - fminf(values[i - 1] / top, 1));
        float to = box->y + box->height * (1 - fminf(values[i] / top, 1));
        ui_draw_line(gui, box->x + step * (float)(i - 1), from, box->x + step * (float)i, to, 1.5f, rgb, 0.95f);
    }
}

/* Draws a dot in the pane's colour, the method's name, and the last of the values. */
static void draw_value(ui *gui, const pd_world *world, const float *values, int count, const pd_plate *row,
                       const float rgb[3]) {
    char text[32] = "–";
    ui_draw_disc(gui, row->x + 4, row->y + 0.5f * row->height, 3.5f, rgb, 1);
    ui_draw_text(gui, row->x + 14, row->y, UI_SMALL, UI_PLAIN, 1, 0, pd_world_method(world)->name);
    if (count > 0 && !isnan(values[count - 1])) pd_app_format_number((double)values[count - 1], text, sizeof text);
    ui_draw_text(gui, row->x + row->width - ui_text_width(gui, UI_SMALL, text), row->y, UI_SMALL, UI_PLAIN, 1, 0, text);
}

/* Draws the axis of simulated time below the curves. seconds: time at the right end. */
static void draw_time_axis(ui *gui, float seconds, const pd_plate *inner) {
    float interval = pd_chart_choose_axis_maximum(0, seconds * LABEL / inner->width);
    ui_add_target(gui, "Time axis", inner->x, inner->y + inner->height, inner->width, ui_line_height(gui, UI_SMALL));
    for (int i = 0; (float)i * interval <= seconds; i++) {
        char text[32];
        snprintf(text, sizeof text, "%g s", (double)((float)i * interval));
        float width = ui_text_width(gui, UI_SMALL, text), x = inner->x + inner->width * (float)i * interval / seconds;
        float foot = inner->y + inner->height, right = inner->x + inner->width - width;
        ui_draw_line(gui, x, foot, x, foot + 3, 1, THEME_TRACK, 1);
        ui_draw_text(gui, fmaxf(fminf(x - 0.5f * width, right), inner->x), foot + 4, UI_SMALL, UI_QUIET, 1, 0, text);
    }
}

/* Draws both curves. The scale's greatest value is written above the top line, which no curve crosses. dt: time of a step, s. */
static void draw_chart(ui *gui, const pd_trace *trace, float dt, pd_measure measure, pd_plate *box) {
    char text[32];
    float line = ui_line_height(gui, UI_SMALL), top = pd_chart_choose_axis_maximum(0, greatest_value(trace, measure));
    box->height -= line + 4; /* room of the axis */
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
    inner.height += 3;
    draw_time_axis(gui, dt * (float)(trace->stride * count_intervals(trace->count)), &inner);
}

/* Draws names, values and curves of the measure in a strip. */
static void draw_graph(const pd_screen *screen, const pd_plate *strip) {
    const pd_trace *trace = &screen->session->second.trace;
    pd_measure measure = screen->viewport->panes.measure;
    const pd_world *worlds[2] = {screen->session->world, screen->session->second.world};
    ui *gui = screen->gui;
    float line = ui_line_height(gui, UI_SMALL), names = fminf(NAMES, 0.4f * strip->width), left = names + 2 * INSET;
    pd_plate row = {INSET, strip->y + INSET, names, line};
    ui_draw_text(gui, row.x, row.y, UI_SMALL, UI_QUIET, 1, 0, pd_viewport_measure_name(measure));
    ui_draw_text(gui, row.x + names - ui_text_width(gui, UI_SMALL, measures[measure].unit), row.y, UI_SMALL, UI_QUIET,
                 1, 0, measures[measure].unit);
    for (int w = 0; w < 2; w++) {
        row.y += line + GAP;
        draw_value(gui, worlds[w], trace->value[measure][w], trace->count, &row, colours[w]);
    }
    draw_chart(gui, trace, pd_world_scene(worlds[0])->dt, measure,
               &(pd_plate){left, strip->y + 6, strip->width - left - INSET, GRAPH - 12});
}

/* Draws the graph below both panes. A press shows the next measure. */
static void draw_graph_button(pd_screen *screen) {
    ui *gui = screen->gui;
    pd_plate strip = {0, ui_height(gui) - pd_panes_bottom(screen), pd_panes_end(screen), GRAPH};
    char help[160];
    snprintf(help, sizeof help, "%s\nNext graph: %s, or a click", measures[screen->viewport->panes.measure].help,
             pd_key_name_of_action(PD_ACTION_MEASURE));
    ui_push push = {.name = "Graph", .help = help, .width = strip.width, .height = GRAPH};
    ui_window_begin(gui, "graph", strip.x, strip.y, strip.width, strip.height, 0, 1);
    if (ui_draw_push_button(gui, &push)) screen->action = PD_ACTION_MEASURE;
    ui_set_layer(gui, UI_INSIDE);
    pd_plate_add(screen->viewport, &strip);
    draw_graph(screen, &strip);
    ui_window_end(gui);
}

/* ---- The captions ---- */

/* Draws a pane's stripe and its method's name. button: width of the button at the right end. */
static void draw_caption(const pd_screen *screen, int pane, const pd_plate *plate, float button) {
    ui *gui = screen->gui;
    const pd_method_info *method = pd_world_method(pane ? screen->session->second.world : screen->session->world);
    float room = plate->width - 2 * INSET - button;
    const char *title = ui_text_width(gui, UI_NORMAL, method->title) <= room ? method->title : method->name;
    ui_draw_box(gui, plate->x, plate->y, plate->width, plate->height, 0, THEME_PLATE, 1);
    ui_draw_box(gui, plate->x, plate->y, plate->width, STRIPE, 0, colours[pane], 0.9f);
    ui_draw_text(gui, plate->x + INSET, plate->y + 0.5f * (plate->height - ui_line_height(gui, UI_NORMAL)), UI_NORMAL,
                 UI_PLAIN, 1, 0, title);
}

/* Returns the text of the button that keeps the right pane, shorter in a narrow pane. */
static const char *get_keep_text(float pane_width) { return pane_width < NARROW_PANE ? "Keep" : "Keep this"; }

static float width_of_keep_button(const ui *gui, float pane_width) {
    return ui_text_width(gui, UI_NORMAL, get_keep_text(pane_width)) + 2 * INSET;
}

static void draw_keep_button(pd_screen *screen, const pd_plate *caption) {
    ui *gui = screen->gui;
    char help[80];
    snprintf(help, sizeof help, "Goes on with this method alone\nKey: %s",
             pd_key_name_of_action(PD_ACTION_KEEP_SECOND));
    ui_push push = {.name = "Keep this",
                    .help = help,
                    .text = get_keep_text(caption->width),
                    .height = CAPTION - STRIPE,
                    .chosen = true};
    push.width = width_of_keep_button(gui, caption->width);
    ui_window_begin(gui, "keep", caption->x + caption->width - push.width, caption->y + STRIPE, push.width, push.height,
                    0, 1);
    if (ui_draw_push_button(gui, &push)) screen->action = PD_ACTION_KEEP_SECOND;
    ui_window_end(gui);
}

static void draw(pd_screen *screen) {
    ui *gui = screen->gui;
    if (pd_panes_count(screen) < 2) return;
    float split = pd_panes_split(screen), end = pd_panes_end(screen), top = pd_bar_height(screen->viewport);
    const pd_plate captions[2] = {{0, top, split - 1, CAPTION}, {split + 1, top, end - split - 1, CAPTION}};
    ui_set_layer(gui, UI_BELOW);
    ui_draw_box(gui, split - 0.5f, top, 1, ui_height(gui) - pd_panes_bottom(screen) - top, 0, THEME_TRACK, 1);
    for (int pane = 0; pane < 2; pane++) {
        draw_caption(screen, pane, &captions[pane], pane ? width_of_keep_button(gui, captions[1].width) : 0);
        pd_plate_add(screen->viewport, &captions[pane]);
    }
    draw_keep_button(screen, &captions[1]);
    if (has_graph(screen)) draw_graph_button(screen);
}

/* ---- Recordings and screenshots ---- */

bool pd_panes_reserve_recorded_text(const pd_screen *screen, pd_picture *pictures, int count) {
    pd_legend legend;
    if (screen->viewport->switches.no_legend) return false;
    for (int i = 0; i < count && count > 1; i++) {
        float scale = pictures[i].scale;
        pictures[i].framing.top = CAPTION * scale;
        if ((float)pictures[i].height >= LEAST_HEIGHT * scale) pictures[i].framing.bottom = GRAPH * scale;
    }
    return count > 1 || pd_picture_find_legend(pictures[0].view, pictures[0].mode, &legend);
}

void pd_panes_draw_recorded_text(const pd_screen *screen, const pd_picture *pictures, int count) {
    ui *gui = screen->gui;
    float x = 0, bottom = pictures[0].framing.bottom / ui_scale(gui), height = ui_height(gui), width = ui_width(gui);
    for (int i = 0; i < count; i++) {
        float part = (float)pictures[i].width / ui_scale(gui);
        ui_legend_place place = {width - x - part, bottom, part};
        pd_plate caption = {x, 0, part, CAPTION};
        pd_legend legend;
        if (pd_picture_find_legend(pictures[i].view, pictures[i].mode, &legend))
            ui_draw_legend(gui, &legend, pictures[i].palette, &place);
        if (count > 1) draw_caption(screen, i, &caption, 0);
        if (i > 0) ui_draw_box(gui, x - 0.5f, 0, 1, height - bottom, 0, THEME_TRACK, 1);
        x += part;
    }
    if (bottom <= 0) return;
    pd_plate strip = {0, height - bottom, width, bottom};
    ui_draw_box(gui, strip.x, strip.y, strip.width, strip.height, 0, THEME_PLATE, 1);
    draw_graph(screen, &strip);
}

/* Escape closes the right pane. */
static bool is_open(const pd_screen *screen) { return pd_panes_count(screen) > 1; }
static void close_panes(pd_screen *screen) {
    pd_session_compare_with_method(screen->session, pd_world_method(screen->session->second.world));
}

const pd_layer pd_panes_layer = {.is_open = is_open, .close = close_panes, .draw = draw};
