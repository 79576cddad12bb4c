/* Charts of the interface: the legend of a quantity, the time per frame, and the convergence of a solver. */
#include "app/ui/ui.h"

#include "render/palette.h"
#include "render/picture.h"

#include <math.h>
#include <stdio.h>

/* Sizes of the legend, interface units. A small picture has a smaller legend. */
typedef struct legend_size {
    float bar;    /* length of the colour bar, at least as long as the title with the unit */
    float thick;  /* thickness of the colour bar */
    float pad;    /* distance of the content from the edge of the legend */
    float edge;   /* distance of the legend from the edges of the picture */
    float gap;    /* distance between the colour bar and the texts */
    ui_size text; /* size of the letters */
} legend_size;

static legend_size compute_legend_size(const ui *gui, const pd_legend *legend, const ui_legend_place *place) {
    const float title_gap = 12;
    bool small = place->width < 480 || place->height < 360;
    legend_size s = small ? (legend_size){132, 6, 9, 10, 3, UI_SMALL} : (legend_size){208, 9, 12, 12, 5, UI_NORMAL};
    float title = ui_text_width(gui, s.text, legend->title), unit = ui_text_width(gui, s.text, legend->unit);
    s.bar = fmaxf(s.bar, title + (*legend->unit ? title_gap + unit : 0));
    return s;
}

void ui_measure_legend(const ui *gui, const pd_legend *legend, const ui_legend_place *place, float *x, float *y,
                       float *width, float *height) {
    legend_size s = compute_legend_size(gui, legend, place);
    *width = s.bar + 2 * s.pad;
    *height = 2 * s.pad + 2 * ui_line_height(gui, s.text) + s.thick + 2 * s.gap;
    *x = place->right - s.edge - *width;
    *y = place->bottom - s.edge - *height;
}

void ui_reserve_legend(const ui *gui, const pd_legend *legend, const ui_legend_place *place, const pd_view *view,
                       int width, int height, float scale, pd_framing *framing) {
    const float least_part = 0.5f; /* least size of the view beside the legend, in units of its size without */
    pd_framing below = *framing, beside = *framing;
    pd_camera whole, cameras[2];
    float x, y, legend_width, legend_height;
    ui_measure_legend(gui, legend, place, &x, &y, &legend_width, &legend_height);
    pd_vec2 low = {scale * x, scale * y}, high = {scale * (x + legend_width), scale * (y + legend_height)};
    pd_camera_fit_framed_view(&whole, view, framing, width, height);
    if (!pd_camera_rectangle_meets_container(&whole, &view->container, low, high)) return;
    below.bottom = fmaxf(framing->bottom, (float)height - low.y);
    beside.right = fmaxf(framing->right, (float)width - low.x);
    pd_camera_fit_framed_view(&cameras[0], view, &below, width, height);
    pd_camera_fit_framed_view(&cameras[1], view, &beside, width, height);
    bool is_below = cameras[0].pixels_per_metre >= cameras[1].pixels_per_metre;
    float larger = cameras[is_below ? 0 : 1].pixels_per_metre;
    if (larger >= least_part * whole.pixels_per_metre) *framing = is_below ? below : beside;
}

void ui_draw_legend(ui *gui, const pd_legend *legend, int palette, const ui_legend_place *place) {
    legend_size s = compute_legend_size(gui, legend, place);
    const float bar = s.bar, thick = s.thick, pad = s.pad;
    float line = ui_line_height(gui, s.text), x, y, width, height;
    ui_measure_legend(gui, legend, place, &x, &y, &width, &height);
    ui_draw_plate(gui, x, y, width, height, THEME_OPACITY);
    x += pad;
    y += pad;
    ui_draw_text(gui, x, y, s.text, UI_PLAIN, 1, 0, legend->title);
    ui_draw_text(gui, x + bar - ui_text_width(gui, s.text, legend->unit), y, s.text, UI_QUIET, 1, 0, legend->unit);
    y += line + s.gap;
    for (int i = 0; i < 64; i++) {
        float rgb[3];
        pd_palette_get_legend_colour(palette, legend->low, legend->high, ((float)i + 0.5f) / 64, rgb);
        ui_draw_box(gui, x + bar * (float)i / 64, y, bar / 64, thick, 0, rgb, 1);
    }
    y += thick + s.gap;
    for (int i = 0; i <= 2; i++) {
        char text[32];
        float value = legend->low + (legend->high - legend->low) * (float)i / 2;
        snprintf(text, sizeof text, fabsf(value) >= 1000 ? "%.0f" : "%.3g", (double)value);
        ui_draw_text(gui, x + (bar - ui_text_width(gui, s.text, text)) * (float)i / 2, y, s.text, UI_PLAIN, 1, 0, text);
    }
}

/* Returns the greatest of the lengths 1, 2 and 5 times a power of ten that is at most `longest`. */
static float choose_ruler_length(float longest) {
    float power = powf(10, floorf(log10f(longest))), part = longest / power;
    return power * (part >= 5 ? 5.0f : part >= 2 ? 2.0f : 1.0f);
}

float ui_draw_ruler(ui *gui, float x, float y, float units_per_metre, float longest) {
    const float tick = 5, gap = 8;
    float length = choose_ruler_length(longest / units_per_metre), from = x + gap;
    float end = from + length * units_per_metre;
    float line = ui_line_height(gui, UI_NORMAL), width, foot = y + 0.5f * UI_RULER_HEIGHT;
    char text[32];
    snprintf(text, sizeof text, "%g m", (double)length);
    width = ui_text_width(gui, UI_NORMAL, text);
    float whole = end - x + width + 3 * gap;
    ui_draw_plate(gui, x, y, whole, UI_RULER_HEIGHT, THEME_OPACITY);
    ui_draw_line(gui, from, foot, end, foot, 1.6f, THEME_LIGHT, 1);
    for (int i = 0; i <= 2; i++) {
        float at = from + (end - from) * (float)i / 2, high = i == 1 ? 0.6f * tick : tick;
        ui_draw_line(gui, at, foot - high, at, foot + high, 1.6f, THEME_LIGHT, 1);
    }
    ui_draw_text(gui, end + gap, foot - 0.5f * line, UI_NORMAL, UI_PLAIN, 1, 0, text);
    return whole;
}

/* Returns the colour of a stage of a frame in the chart. Adjacent stages differ clearly in hue or brightness. */
static const float *get_stage_color(int stage) {
    static const float colors[][3] = {
        {0.55f, 0.60f, 0.70f}, {0.33f, 0.56f, 0.95f}, {0.93f, 0.47f, 0.66f}, {0.96f, 0.72f, 0.35f},
        {0.36f, 0.78f, 0.56f}, {0.68f, 0.52f, 0.95f}, {0.93f, 0.42f, 0.36f}, {0.36f, 0.80f, 0.87f},
        {0.90f, 0.90f, 0.55f}, {0.62f, 0.44f, 0.36f}, {0.78f, 0.83f, 0.92f}, {0.48f, 0.62f, 0.28f},
    };
    return colors[stage % (int)(sizeof colors / sizeof *colors)];
}

/* Draws names and mean times of the stages in two columns, filled from top to bottom. */
static void draw_stage_names(ui *gui, const ui_bars *bars) {
    const float side = 8, gap = 12;
    float x, y, width, line = ui_line_height(gui, UI_SMALL);
    int rows = (bars->stages + 1) / 2;
    ui_reserve_space(gui, (float)rows * (line + 3), NULL, &x, &y, &width);
    float column = 0.5f * (width - gap);
    for (int stage = 0; stage < bars->stages; stage++) {
        double mean = 0;
        for (int frame = 0; frame < bars->frames; frame++) mean += (double)bars->values[frame * bars->stages + stage];
        if (bars->frames > 0) mean /= bars->frames;
        int decimals = 0;
        if (mean < 99.95) decimals = 1;
        if (mean < 9.995) decimals = 2;
        char text[32];
        snprintf(text, sizeof text, "%.*f ms", decimals, mean);
        float left = x + (stage >= rows ? column + gap : 0), top = y + (float)(stage % rows) * (line + 3);
        ui_draw_box(gui, left, top + 0.5f * (line - side), side, side, 2, get_stage_color(stage), 1);
        ui_draw_text(gui, left + 2 * side, top, UI_SMALL, UI_QUIET, 1, 0, bars->names[stage]);
        ui_draw_text(gui, left + column - ui_text_width(gui, UI_SMALL, text), top, UI_SMALL, UI_PLAIN, 1, 0, text);
    }
}

static void draw_marked_line(ui *gui, float x, float y, float top, float width, float mark) {
    char text[32];
    float label, line;
    snprintf(text, sizeof text, "%.3g ms", (double)mark);
    ui_measure_text(gui, UI_SMALL, text, 0, &label, &line);
    ui_draw_box(gui, x, y, width, 1, 0, THEME_WARNING, 0.8f);
    /* The label has its own background, so that it is legible over bars of any colour. */
    float above = fmaxf(y - line - 4, top + 2);
    ui_draw_box(gui, x + 4, above, label + 8, line + 2, 3, THEME_PAPER, 0.92f);
    ui_draw_text(gui, x + 8, above + 1, UI_SMALL, UI_WARNING, 1, 0, text);
}

void ui_draw_bars(ui *gui, const ui_bars *bars) {
    const float height = 76;
    float x, y, width;
    ui_reserve_space(gui, height, NULL, &x, &y, &width);
    ui_set_layer(gui, UI_INSIDE);
    ui_draw_box(gui, x, y, width, height, 5, THEME_PAPER, 1);
    float step = width / (float)bars->capacity, foot = y + height;
    for (int frame = 0; frame < bars->frames; frame++) {
        float left = x + width - step * (float)(bars->frames - frame), low = foot;
        for (int stage = 0; stage < bars->stages && low > y; stage++) {
            float next = fmaxf(y, low - height * bars->values[frame * bars->stages + stage] / bars->top);
            ui_draw_box(gui, left, next, step, low - next, 0, get_stage_color(stage), 0.9f);
            low = next;
        }
    }
    if (bars->mark < bars->top) draw_marked_line(gui, x, foot - height * bars->mark / bars->top, y, width, bars->mark);
    draw_stage_names(gui, bars);
    ui_set_layer(gui, UI_BELOW);
}

/* Writes a fraction as "0.62 %", with about two significant digits. More digits would flicker. */
static const char *write_percent_text(float part, char *text, size_t size) {
    double value = 100 * (double)part;
    int decimals = 0;
    if (value < 9.95) decimals = 1;
    if (value < 0.995) decimals = 2;
    snprintf(text, size, "%.*f %%", decimals, value);
    return text;
}

/* Draws a label and its value under the left or the right end of the chart. */
static void draw_end_label(ui *gui, float x, float y, float width, const char *label, float value, bool at_right) {
    char text[32];
    float label_width = ui_text_width(gui, UI_SMALL, label);
    write_percent_text(value, text, sizeof text);
    if (at_right) x += width - label_width - 6 - ui_text_width(gui, UI_SMALL, text);
    ui_draw_text(gui, x, y, UI_SMALL, UI_QUIET, 1, 0, label);
    ui_draw_text(gui, x + label_width + 6, y, UI_SMALL, UI_PLAIN, 1, 0, text);
}

void ui_draw_columns(ui *gui, const ui_columns *columns) {
    static const float color[3] = {0.33f, 0.56f, 0.95f};
    const float height = 58;
    float x, y, width, label, line;
    char text[32];
    ui_measure_text(gui, UI_SMALL, write_percent_text(columns->top, text, sizeof text), 0, &label, &line);
    ui_reserve_space(gui, height + 5 + line, columns->help, &x, &y, &width);
    ui_set_layer(gui, UI_INSIDE);
    ui_draw_box(gui, x, y, width, height, 5, THEME_PAPER, 1);
    float step = width / (float)columns->count, gap = fminf(3, 0.2f * step);
    for (int i = 0; i < columns->count; i++) {
        float part = fminf(fmaxf(columns->values[i] / columns->top, 0), 1), tall = fmaxf(height * part, 1);
        ui_draw_box(gui, x + step * (float)i + gap / 2, y + height - tall, step - gap, tall, 0, color, 0.9f);
    }
    ui_draw_box(gui, x + width - label - 10, y + 2, label + 8, line + 2, 3, THEME_PAPER, 0.92f);
    ui_draw_text(gui, x + width - label - 6, y + 3, UI_SMALL, UI_QUIET, 1, 0, text);
    draw_end_label(gui, x, y + height + 5, width, columns->first, columns->values[0], false);
    draw_end_label(gui, x, y + height + 5, width, columns->last, columns->values[columns->count - 1], true);
    ui_set_layer(gui, UI_BELOW);
}
