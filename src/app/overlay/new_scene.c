/* The dialog (Ctrl+N) for the shape and the size of an empty container. */
#include "app/overlay/interface.h"

#include <stdio.h>

static const float LEAST = 0.1f, MOST = 100; /* least and greatest size of a container, m */

enum { ROW_SHAPE, ROW_SIZE, ROW_HEIGHT, ROW_BEGIN, ROWS };

void pd_new_scene_open(pd_new_scene *ask, const pd_session *session) {
    if (!(ask->container.radius > 0)) {
        ask->container = pd_world_scene(session->world)->container;
        if (ask->container.shape != PD_CONTAINER_CIRCLE) ask->container.radius = 1;
        if (ask->container.shape != PD_CONTAINER_BOX) ask->container.width = 2;
        if (ask->container.shape != PD_CONTAINER_BOX) ask->container.height = 1;
    }
    ask->row = ROW_SHAPE;
    ask->open = true;
}

/* Returns whether the chosen shape has the row: "no walls" has no size, only a box has a height. */
static bool has_row(const pd_new_scene *ask, int row) {
    if (row == ROW_SIZE) return ask->container.shape != PD_CONTAINER_NONE;
    return row != ROW_HEIGHT || ask->container.shape == PD_CONTAINER_BOX;
}

/* Returns the next size up or down (direction 1, -1) in 0.1, 0.125, 0.16, 0.2, 0.25, 0.32, 0.4, 0.5, 0.63, 0.8, 1, ... m. */
static float next_size(float size, int direction) {
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
    pd_container *c = &ask->container;
    if (row == ROW_HEIGHT) return &c->height;
    return c->shape == PD_CONTAINER_CIRCLE ? &c->radius : &c->width;
}

static void change_row(pd_new_scene *ask, int row, int direction) {
    const int count = PD_CONTAINER_NONE + 1;
    pd_container *c = &ask->container;
    if (row == ROW_SHAPE) c->shape = (pd_container_shape)(((int)c->shape + count + direction) % count);
    if (row == ROW_SIZE || row == ROW_HEIGHT) *size_of(ask, row) = next_size(*size_of(ask, row), direction);
}

static bool is_open(const pd_screen *screen) { return screen->viewport->new_scene.open; }

static void close_dialog(pd_screen *screen) {
    screen->viewport->new_scene.open = false;
    ui_close_menu(screen->gui);
}

static void begin_scene(pd_screen *screen) {
    const pd_container *c = &screen->viewport->new_scene.container;
    pd_container container = {.shape = c->shape, .slip = true};
    if (c->shape == PD_CONTAINER_CIRCLE) container.radius = c->radius;
    if (c->shape == PD_CONTAINER_BOX) container.width = c->width, container.height = c->height;
    close_dialog(screen);
    pd_session_open_empty_scene(screen->session, &container);
}

static bool handle_key(pd_screen *screen, int code, int modifiers, bool repeats) {
    pd_new_scene *ask = &screen->viewport->new_scene;
    (void)modifiers, (void)repeats;
    if (!ask->open) return false;
    int step = code == PD_KEY_UP ? -1 : 1;
    if (code == PD_KEY_LEFT || code == PD_KEY_RIGHT) change_row(ask, ask->row, code == PD_KEY_LEFT ? -1 : 1);
    if (code == PD_KEY_ENTER) begin_scene(screen);
    if (code != PD_KEY_UP && code != PD_KEY_DOWN && code != PD_KEY_TAB) return true;
    do ask->row = (ask->row + ROWS + step) % ROWS;
    while (!has_row(ask, ask->row));
    return true;
}

/* Closes the dialog by a press beside it. ImGui handles presses on the dialog. */
static bool handle_press(pd_screen *screen, bool left) {
    const pd_new_scene *ask = &screen->viewport->new_scene;
    if (ask->open && left && !pd_plate_contains(&ask->plate, screen->x, screen->y)) close_dialog(screen);
    return false;
}

static void draw(pd_screen *screen) {
    static const char *const shapes[] = {"circle", "box", "none"};
    pd_new_scene *ask = &screen->viewport->new_scene;
    const char *const labels[] = {"Shape", ask->container.shape == PD_CONTAINER_CIRCLE ? "Radius" : "Width", "Height"};
    pd_plate *plate = &ask->plate;
    if (!ask->open) return;
    *plate = (pd_plate){.width = 306, .height = 226};
    if (!ui_dialog_begin(screen->gui, "An empty container", &plate->x, &plate->y, &plate->width, &plate->height))
        return;
    for (int row = 0; row < ROW_BEGIN; row++) {
        char text[32];
        bool chosen = ask->row == row, shown = has_row(ask, row);
        snprintf(text, sizeof text, "%.4g m", (double)*size_of(ask, row));
        const char *value = row == ROW_SHAPE ? shapes[ask->container.shape] : text;
        int step = ui_step_row(screen->gui, labels[row], shown ? value : NULL, &chosen);
        if (step) change_row(ask, row, step);
        if (chosen) ask->row = row;
    }
    bool chosen = ask->row == ROW_BEGIN, pressed = ui_accept_button(screen->gui, "Begin", &chosen);
    if (chosen) ask->row = ROW_BEGIN;
    ui_dialog_end(screen->gui, "click, or arrow keys and Enter; Esc closes");
    if (pressed) begin_scene(screen);
}

const pd_layer pd_new_scene_layer = {.modal = true,
                                     .is_open = is_open,
                                     .close = close_dialog,
                                     .handle_press = handle_press,
                                     .handle_key = handle_key,
                                     .draw = draw};
