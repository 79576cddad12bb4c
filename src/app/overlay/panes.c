/* Two worlds side by side: the captions of the panes, the graph of a measure of both worlds, and the same in recordings. */
#include "app/overlay/interface.h"

#include "app/tables/tools.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const float STRIPE = 2.5f;       /* units: height of the coloured stripe above a caption */
static const float INSET = 12, GAP = 4; /* units: margin beside text, gap between rows */
static const float NAMES = 200;         /* units: width of the graph's names and values */
static const float NARROW_PANE = 160;   /* units: width of a pane below which its button has a short text */
static const float LABEL = 70;          /* units: least distance of labels of the time axis */
static const int LEAST_POINTS = 60;     /* least points per width of the graph: a new graph fills slowly */
static const int LABELS = 4;            /* most labels of the axis of values above 0 */
static const float ROOM_ABOVE = 1.06f;  /* value at the top of the graph / greatest value */
static const float SHOWN_COSTS = 0.98f; /* part of the costs that the graph shows: rare peaks are cut */
static const float RULER_PART = 0.2f;   /* longest scale bar of a recording / width of a picture */
static const float *const colours[2] = {THEME_ACCENT, THEME_SECOND};

/* ---- The graph ---- */

static const struct {
    const char *unit, *help;
} measures[PD_MEASURES] = {
    [PD_MEASURE_ENERGY] = {"J/m", "How much the fluid moves: half its mass times the square of its speed"},
    [PD_MEASURE_DENSITY] = {"%", "How much the fluid is squeezed: mean excess of its density over its rest density"},
    [PD_MEASURE_COST] = {"ms", "Time that this computer takes for a step: the lower curve is the faster method"}};

static int compare_floats(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Returns the value of both worlds that a part of the values are at most. part: 1 for the greatest. 0: no values. */
static float find_quantile(const pd_trace *trace, pd_measure measure, float part) {
    static float values[2 * PD_TRACE_POINTS];
    int count = 0;
    for (int w = 0; w < 2; w++)
        for (int i = 0; i < trace->count; i++)
            if (!isnan(trace->value[measure][w][i])) values[count++] = trace->value[measure][w][i];
    qsort(values, (size_t)count, sizeof *values, compare_floats);
    return count > 0 ? values[(int)(part * (float)(count - 1))] : 0;
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
    ui_draw_text(gui, row->x + 14, row->y, UI_NORMAL, UI_PLAIN, 1, 0, pd_world_method(world)->name);
    if (count > 0 && !isnan(values[count - 1])) pd_app_format_number((double)values[count - 1], text, sizeof text);
    float width = ui_text_width(gui, UI_NORMAL, text);
    ui_draw_text(gui, row->x + row->width - width, row->y, UI_NORMAL, UI_PLAIN, 1, 0, text);
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

/* Draws the axis of values at the left of the curves, with a line for each label. top: value at the upper edge. Moves the left
 * edge of `inner` to the right of the labels. */
static void draw_value_axis(ui *gui, float top, pd_plate *inner) {
    char text[32];
    float interval = pd_chart_choose_axis_maximum(0, top / (float)LABELS), widest = 0;
    float line = ui_line_height(gui, UI_SMALL), right = inner->x + inner->width;
    int count = (int)(top / interval);
    for (int i = 0; i <= count; i++)
        widest = fmaxf(widest, ui_text_width(gui, UI_SMALL,
                                             pd_app_format_number((double)((float)i * interval), text, sizeof text)));
    for (int i = 0; i <= count; i++) {
        float y = inner->y + inner->height * (1 - (float)i * interval / top);
        pd_app_format_number((double)((float)i * interval), text, sizeof text);
        ui_draw_line(gui, inner->x + widest + GAP, y, right, y, 1, THEME_TRACK, 0.7f);
        ui_draw_text(gui, inner->x + widest - ui_text_width(gui, UI_SMALL, text), y - 0.5f * line, UI_SMALL, UI_QUIET,
                     1, 0, text);
    }
    inner->x += widest + GAP;
    inner->width -= widest + GAP;
}

/* Draws both curves with their axes. dt: time of a step, s. */
static void draw_chart(ui *gui, const pd_trace *trace, float dt, pd_measure measure, pd_plate *box) {
    float line = ui_line_height(gui, UI_SMALL), part = measure == PD_MEASURE_COST ? SHOWN_COSTS : 1;
    float top = ROOM_ABOVE * find_quantile(trace, measure, part);
    if (!(top > 0)) top = 1;
    box->height -= line + 4; /* room of the axis of time */
    ui_draw_box(gui, box->x, box->y, box->width, box->height, 4, THEME_PAPER, 1);
    pd_plate inner = {box->x + 6, box->y + 4, box->width - 10, box->height - 0.5f * line - 4};
    if (has_values(trace, measure)) {
        draw_value_axis(gui, top, &inner);
    } else {
        float label = ui_text_width(gui, UI_NORMAL, "no value here");
        ui_draw_text(gui, box->x + 0.5f * (box->width - label), box->y + 0.5f * (box->height - line), UI_NORMAL,
                     UI_QUIET, 1, 0, "no value here");
    }
    for (int w = 0; w < 2; w++) draw_curve(gui, trace->value[measure][w], trace->count, top, &inner, colours[w]);
    inner.height = box->y + box->height - inner.y;
    draw_time_axis(gui, dt * (float)(trace->stride * count_intervals(trace->count)), &inner);
}

/* Draws names, values and curves of the measure in a strip. */
static void draw_graph(const pd_screen *screen, const pd_plate *strip) {
    const pd_trace *trace = &screen->session->second.trace;
    pd_measure measure = screen->viewport->panes.measure;
    const pd_world *worlds[2] = {screen->session->world, screen->session->second.world};
    ui *gui = screen->gui;
    float line = ui_line_height(gui, UI_NORMAL), names = fminf(NAMES, 0.4f * strip->width), left = names + 2 * INSET;
    pd_plate row = {INSET, strip->y + INSET, names, line};
    ui_draw_text(gui, row.x, row.y, UI_NORMAL, UI_QUIET, 1, 0, pd_viewport_measure_name(measure));
    ui_draw_text(gui, row.x + names - ui_text_width(gui, UI_NORMAL, measures[measure].unit), row.y, UI_NORMAL, UI_QUIET,
                 1, 0, measures[measure].unit);
    for (int w = 0; w < 2; w++) {
        row.y += line + GAP;
        draw_value(gui, worlds[w], trace->value[measure][w], trace->count, &row, colours[w]);
    }
    draw_chart(gui, trace, pd_world_scene(worlds[0])->dt, measure,
               &(pd_plate){left, strip->y + 6, strip->width - left - INSET, strip->height - 12});
}

/* Draws the graph below both panes. A press shows the next measure. */
static void draw_graph_button(pd_screen *screen) {
    ui *gui = screen->gui;
    const pd_layout *layout = &screen->layout;
    pd_plate strip = {0, layout->height - layout->bottom, layout->right, layout->graph};
    char help[160];
    snprintf(help, sizeof help, "%s\nNext graph: %s, or a click", measures[screen->viewport->panes.measure].help,
             pd_key_name_of_action(PD_ACTION_MEASURE));
    ui_push push = {.name = "Graph", .help = help, .width = strip.width, .height = strip.height};
    ui_window_begin(gui, "graph", strip.x, strip.y, strip.width, strip.height, 0, 1);
    if (ui_draw_push_button(gui, &push)) pd_screen_request(screen, PD_ACTION_MEASURE, 0);
    ui_set_layer(gui, UI_INSIDE);
    pd_plate_add(&screen->layout, &strip);
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

/* Draws the button that closes the other pane, by the action of its key: the second pane's own key closes the second pane. */
static void draw_keep_button(pd_screen *screen, int pane, const pd_plate *caption, const char *text, float width) {
    ui *gui = screen->gui;
    char help[80];
    snprintf(help, sizeof help, "Goes on with this method alone\nKey: %s",
             pane ? pd_key_name_of_action(PD_ACTION_KEEP_SECOND) : "Esc");
    ui_push push = {.name = pane ? "Keep this" : "Keep left",
                    .help = help,
                    .text = text,
                    .width = width,
                    .height = CAPTION_HEIGHT - STRIPE,
                    .chosen = true};
    ui_window_begin(gui, pane ? "keep" : "keep left", caption->x + caption->width - push.width, caption->y + STRIPE,
                    push.width, push.height, 0, 1);
    bool pressed = ui_draw_push_button(gui, &push);
    ui_window_end(gui);
    if (pressed && pane) pd_screen_request(screen, PD_ACTION_KEEP_SECOND, 0);
    if (pressed && !pane)
        pd_screen_request(screen, PD_ACTION_COMPARE,
                          (unsigned char)pd_controls_method_key(pd_world_method(screen->session->second.world)));
}

static void draw(pd_screen *screen) {
    ui *gui = screen->gui;
    const pd_layout *layout = &screen->layout;
    if (layout->panes < 2) return;
    ui_set_layer(gui, UI_BELOW);
    ui_draw_box(gui, layout->pane[1].left - 0.5f, layout->bar, 1, layout->height - layout->bottom - layout->bar, 0,
                THEME_TRACK, 1);
    for (int pane = 0; pane < 2; pane++) {
        const pd_plate *caption = &layout->pane[pane].caption;
        const char *keep = caption->width < NARROW_PANE ? "Keep" : "Keep this";
        float width = ui_text_width(gui, UI_NORMAL, keep) + 2 * INSET;
        draw_caption(screen, pane, caption, width);
        pd_plate_add(&screen->layout, caption);
        draw_keep_button(screen, pane, caption, keep, width);
    }
    if (layout->graph > 0) draw_graph_button(screen);
}

/* ---- Recordings and screenshots ---- */

/* Returns the height of the graph in a recording whose pictures have this size. 0: no graph. */
static float recorded_graph_height(const pd_picture *picture, int count) {
    return count > 1 ? pd_layout_graph_height((float)picture->height / picture->scale) : 0;
}

/* Finds the legend of a picture that begins at x, and its place in the recording. False: the picture has no legend. */
static bool find_recorded_legend(const pd_picture *picture, int count, float x, pd_legend *legend,
                                 ui_legend_place *place) {
    float width = (float)picture->width / picture->scale, height = (float)picture->height / picture->scale;
    *place = (ui_legend_place){x + width, height - recorded_graph_height(picture, count), width, height};
    return pd_picture_find_legend(picture->view, picture->mode, legend);
}

bool pd_panes_reserve_recorded_text(const pd_screen *screen, pd_picture *pictures, int count) {
    const pd_picture_switches *switches = &screen->viewport->switches;
    bool text = count > 1 && !switches->no_legend;
    for (int i = 0; i < count; i++) {
        pd_picture *picture = &pictures[i];
        ui_legend_place place;
        pd_legend legend;
        if (switches->ruler) picture->framing.bottom = (UI_RULER_HEIGHT + THEME_EDGE) * picture->scale;
        text = text || switches->ruler;
        if (switches->no_legend) continue;
        if (count > 1) picture->framing.top = CAPTION_HEIGHT * picture->scale;
        picture->framing.bottom += recorded_graph_height(picture, count) * picture->scale;
        if (!find_recorded_legend(picture, count, 0, &legend, &place)) continue;
        text = true;
        ui_reserve_legend(screen->gui, &legend, &place, picture->view, picture->width, picture->height, picture->scale,
                          &picture->framing);
    }
    return text;
}

void pd_panes_draw_recorded_text(const pd_screen *screen, const pd_picture *pictures, int count) {
    const pd_picture_switches *switches = &screen->viewport->switches;
    ui *gui = screen->gui;
    float x = 0, height = ui_height(gui), width = ui_width(gui);
    float bottom = switches->no_legend ? 0 : recorded_graph_height(pictures, count);
    for (int i = 0; i < count; i++) {
        float part = (float)pictures[i].width / ui_scale(gui);
        pd_plate caption = {x, 0, part, CAPTION_HEIGHT};
        ui_legend_place place;
        pd_legend legend;
        pd_camera camera;
        pd_camera_fit_framed_view(&camera, pictures[i].view, &pictures[i].framing, pictures[i].width,
                                  pictures[i].height);
        if (switches->ruler)
            ui_draw_ruler(gui, x + THEME_EDGE, height - bottom - UI_RULER_HEIGHT - THEME_EDGE,
                          camera.pixels_per_metre / pictures[i].scale,
                          RULER_PART * (float)pictures[i].width / pictures[i].scale);
        if (!switches->no_legend && find_recorded_legend(&pictures[i], count, x, &legend, &place))
            ui_draw_legend(gui, &legend, pictures[i].palette, &place);
        if (count > 1 && !switches->no_legend) draw_caption(screen, i, &caption, 0);
        if (i > 0) ui_draw_box(gui, x - 0.5f, 0, 1, height - bottom, 0, THEME_TRACK, 1);
        x += part;
    }
    if (bottom <= 0) return;
    pd_plate strip = {0, height - bottom, width, bottom};
    ui_draw_box(gui, strip.x, strip.y, strip.width, strip.height, 0, THEME_PLATE, 1);
    draw_graph(screen, &strip);
}

/* Escape closes the right pane. */
static bool is_open(const pd_screen *screen) { return screen->session->second.world; }
static void close_panes(pd_screen *screen) {
    pd_session_compare_with_method(screen->session, pd_world_method(screen->session->second.world));
}

const pd_layer pd_panes_layer = {.is_open = is_open, .close = close_panes, .draw = draw};
