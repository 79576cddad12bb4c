/* Ctrl+N: asks for the shape and the size of an empty container. Rows of choices, by the arrow keys or the mouse. */
#include "app/overlay/interface.h"

#include <math.h>
#include <stdio.h>

static const float PADDING = 18, EDGE = 8, LINE = 30, WIDTH = 270, LABEL = 84, ARROW = 26; /* units */
static const float CHOSEN[3] = {0.25f, 0.55f, 1.0f}, PAPER[3] = {0.06f, 0.08f, 0.13f}, RIM[3] = {0.56f, 0.70f, 1.00f};
static const float LEAST = 0.1f, MOST = 100; /* m */
static const char *const shapes[] = {"circle", "box", "none"};

enum { ROW_SHAPE, ROW_SIZE, ROW_HEIGHT, ROW_BEGIN, ROWS };

void pd_new_scene_open(pd_new_scene *ask, const pd_session *session) {
    const pd_container *c = &pd_world_scene(session->world)->container;
    bool known = ask->radius > 0;
    if (!known) *ask = (pd_new_scene){.radius = 1, .width = 2, .height = 1};
    if (!known && c->shape == PD_CONTAINER_CIRCLE) ask->radius = c->radius;
    if (!known && c->shape == PD_CONTAINER_BOX) {
        ask->width = c->width;
        ask->height = c->height;
    }
    if (!known) ask->shape = c->shape;
    ask->zoom = 1;
    ask->row = ROW_SHAPE;
    ask->open = true;
}

/* The rows that the shape has: a circle no height, and a world without a container no size. */
static bool has_row(const pd_new_scene *ask, int row) {
    if (row == ROW_SIZE) return ask->shape != PD_CONTAINER_NONE;
    return row != ROW_HEIGHT || ask->shape == PD_CONTAINER_BOX;
}

/* The next of 0.1, 0.125, 0.16, 0.2, 0.25, 0.32, 0.4, 0.5, 0.63, 0.8, 1, ... */
static float nice_size(float size, int direction) {
    static const double steps[] = {1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8};
    float best = direction > 0 ? MOST : LEAST;
    for (double decade = 0.1; decade < 99; decade *= 10)
        for (int i = 0; i < 10; i++) {
            float next = (float)(decade * steps[i]);
            if (direction > 0 && next > 1.001f * size && next < best) best = next;
            if (direction < 0 && next < 0.999f * size && next > best) best = next;
        }
    return best;
}

static float *size_of(pd_new_scene *ask, int row) {
    if (row == ROW_HEIGHT) return &ask->height;
    return ask->shape == PD_CONTAINER_CIRCLE ? &ask->radius : &ask->width;
}

static void change(pd_new_scene *ask, int row, int direction) {
    const int count = PD_CONTAINER_NONE + 1;
    if (row == ROW_SHAPE) ask->shape = (pd_container_shape)(((int)ask->shape + count + direction) % count);
    if (row == ROW_SIZE || row == ROW_HEIGHT) *size_of(ask, row) = nice_size(*size_of(ask, row), direction);
}

static void begin(pd_new_scene *ask, pd_session *session) {
    ask->open = false;
    pd_container container = {.shape = ask->shape, .radius = ask->radius, .slip = true};
    if (ask->shape == PD_CONTAINER_BOX)
        container = (pd_container){.shape = ask->shape, .width = ask->width, .height = ask->height, .slip = true};
    pd_session_begin_empty(session, &container);
}

void pd_new_scene_key(pd_new_scene *ask, pd_session *session, int code) {
    int step = code == PD_KEY_UP ? -1 : 1, row = ask->row;
    if (code == PD_KEY_ESCAPE) ask->open = false;
    if (code == PD_KEY_LEFT || code == PD_KEY_RIGHT) change(ask, row, code == PD_KEY_LEFT ? -1 : 1);
    if (code == PD_KEY_ENTER) begin(ask, session);
    if (code != PD_KEY_UP && code != PD_KEY_DOWN && code != PD_KEY_TAB) return;
    do row = (row + ROWS + step) % ROWS;
    while (!has_row(ask, row));
    ask->row = row;
}

/* The row at a place in units of the dialog; -1: none is there. */
static int row_at(const pd_new_scene *ask, float x, float y) {
    int row = (int)floorf((y - ask->y) / LINE);
    bool beside = x < ask->x || x > ask->x + WIDTH;
    return beside || row < 0 || row >= ROWS || !has_row(ask, row) ? -1 : row;
}

void pd_new_scene_point(pd_new_scene *ask, float x, float y) {
    int row = row_at(ask, x / ask->zoom, y / ask->zoom);
    if (row >= 0) ask->row = row;
}

void pd_new_scene_press(pd_new_scene *ask, pd_session *session, float x, float y) {
    x /= ask->zoom;
    y /= ask->zoom;
    int row = row_at(ask, x, y);
    if (x < ask->x - PADDING || x > ask->x + WIDTH + PADDING || y < ask->y - 2 * LINE ||
        y > ask->y + (ROWS + 1) * LINE + PADDING)
        ask->open = false; /* beside it */
    if (!ask->open || row < 0) return;
    ask->row = row;
    if (row == ROW_BEGIN)
        begin(ask, session);
    else if (x >= ask->x + LABEL)
        change(ask, row, x < ask->x + 0.5f * (LABEL + WIDTH) ? -1 : 1);
}

static void describe(pd_new_scene *ask, int row, const char **label, char *value, size_t size) {
    static const char *const labels[] = {"Shape", "Width", "Height", ""};
    *label = row == ROW_SIZE && ask->shape == PD_CONTAINER_CIRCLE ? "Radius" : labels[row];
    if (row == ROW_SHAPE)
        snprintf(value, size, "%s", shapes[ask->shape]);
    else if (row == ROW_BEGIN)
        snprintf(value, size, "Begin");
    else
        snprintf(value, size, "%.4g m", (double)*size_of(ask, row));
}

/* A filled button with a rim, brighter while it is the row that Enter and the pointer are on. */
static void draw_button(ui *gui, float x, float y, float width, float height, bool chosen) {
    ui_box(gui, x, y, width, height, 6, RIM, chosen ? 1 : 0.55f);
    ui_box(gui, x + 1, y + 1, width - 2, height - 2, 5, PAPER, 1);
    ui_box(gui, x + 1, y + 1, width - 2, height - 2, 5, CHOSEN, chosen ? 0.75f : 0.35f);
}

static void draw_row(pd_new_scene *ask, ui *gui, int row) {
    char value[32];
    const char *label;
    float width, height, x = ask->x, y = ask->y + (float)row * LINE;
    bool chosen = ask->row == row, begins = row == ROW_BEGIN;
    describe(ask, row, &label, value, sizeof value);
    ui_measure(gui, UI_NORMAL, value, 0, &width, &height);
    float left = begins ? x : x + LABEL, right = x + WIDTH, middle = 0.5f * (left + right);
    float text = y + 0.5f * (LINE - height);
    if (begins)
        draw_button(gui, x, y, WIDTH, LINE, chosen);
    else if (chosen)
        ui_box(gui, left, y + 2, right - left, LINE - 4, 5, CHOSEN, 0.35f);
    if (begins) ui_add_target(gui, value, x, y, WIDTH, LINE);
    ui_text(gui, x, text, UI_NORMAL, UI_QUIET, 1, 0, label);
    ui_text(gui, middle - 0.5f * width, text, UI_NORMAL, chosen || begins ? UI_STRONG : UI_PLAIN, 1, 0, value);
    for (int side = 0; side < 2 && !begins; side++) {
        float arrow;
        const char *sign = side ? ">" : "<";
        ui_measure(gui, UI_NORMAL, sign, 0, &arrow, NULL);
        float from = side ? right - ARROW : left;
        char name[UI_TARGET_NAME];
        snprintf(name, sizeof name, "%s %s", side ? "Next" : "Previous", label);
        ui_add_target(gui, name, from, y, ARROW, LINE);
        ui_box(gui, from + 2, y + 4, ARROW - 4, LINE - 8, 4, CHOSEN, chosen ? 0.45f : 0.22f);
        ui_text(gui, from + 0.5f * (ARROW - arrow), text, UI_NORMAL, UI_STRONG, 1, 0, sign);
    }
}

void pd_new_scene_draw(pd_viewport *viewport, ui *gui) {
    pd_new_scene *ask = &viewport->new_scene;
    if (!ask->open) return;
    static const char foot[] = "click, or arrow keys and Enter; Esc closes";
    float width = WIDTH + 2 * PADDING, height = (ROWS + 2) * LINE + 2 * PADDING, note;
    float zoom = fminf(1, fminf(ui_width(gui) / (width + 2 * EDGE), ui_height(gui) / (height + 2 * EDGE)));
    ui_set_layer(gui, UI_ABOVE);
    ui_dim(gui, 0.55f);
    ui_set_zoom(gui, zoom);
    float left = 0.5f * (ui_width(gui) - width), top = 0.5f * (ui_height(gui) - height);
    ask->x = left + PADDING;
    ask->y = top + PADDING + LINE;
    ask->zoom = zoom;
    ui_plate(gui, left, top, width, height, 1.15f);
    ask->plate = (pd_plate){zoom * left, zoom * top, zoom * width, zoom * height};
    ui_text(gui, ask->x, top + PADDING, UI_NORMAL, UI_ACCENT, 1, 0, "An empty container");
    for (int row = 0; row < ROWS; row++)
        if (has_row(ask, row)) draw_row(ask, gui, row);
    ui_measure(gui, UI_SMALL, foot, 0, &note, NULL);
    ui_text(gui, ask->x + 0.5f * (WIDTH - note), ask->y + (ROWS + 0.5f) * LINE, UI_SMALL, UI_QUIET, 1, 0, foot);
    ui_set_zoom(gui, 1);
}
