/* The dialog (Ctrl+N) for the shape and the size of an empty container. */
#include "app/overlay/interface.h"

#include <stdio.h>

static const float LEAST = 0.1f, MOST = 100; /* least and greatest size of a container, m */

enum { ROW_SHAPE, ROW_SIZE, ROW_HEIGHT, ROW_BEGIN, ROWS };

static bool open_form(pd_screen *screen, pd_action action) {
    pd_new_scene *ask = &screen->viewport->new_scene;
    (void)action;
    if (!(ask->container.radius > 0)) {
        ask->container = pd_world_scene(screen->session->world)->container;
        if (ask->container.shape != PD_CONTAINER_CIRCLE) ask->container.radius = 1;
        if (ask->container.shape != PD_CONTAINER_BOX) ask->container.width = 2;
        if (ask->container.shape != PD_CONTAINER_BOX) ask->container.height = 1;
    }
    ask->row = ROW_SHAPE;
    return true;
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

static void begin_scene(pd_screen *screen, bool key) {
    const pd_container *c = &screen->viewport->new_scene.container;
    pd_container container = {.shape = c->shape, .slip = true};
    (void)key;
    if (c->shape == PD_CONTAINER_CIRCLE) container.radius = c->radius;
    if (c->shape == PD_CONTAINER_BOX) container.width = c->width, container.height = c->height;
    pd_dialog_close(screen);
    pd_session_open_empty_scene(screen->session, &container);
}

static void handle_key(pd_screen *screen, int code) {
    pd_new_scene *ask = &screen->viewport->new_scene;
    int step = code == PD_KEY_UP ? -1 : 1;
    if (code == PD_KEY_LEFT || code == PD_KEY_RIGHT) change_row(ask, ask->row, code == PD_KEY_LEFT ? -1 : 1);
    if (code != PD_KEY_UP && code != PD_KEY_DOWN && code != PD_KEY_TAB) return;
    do ask->row = (ask->row + ROWS + step) % ROWS;
    while (!has_row(ask, ask->row));
}

static bool draw(pd_screen *screen) {
    static const char *const shapes[] = {"circle", "box", "none"};
    pd_new_scene *ask = &screen->viewport->new_scene;
    const char *const labels[] = {"Shape", ask->container.shape == PD_CONTAINER_CIRCLE ? "Radius" : "Width", "Height"};
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
    return pressed;
}

const pd_dialog_form pd_new_scene_form = {.width = 306,
                                          .height = 226,
                                          .title = "An empty container",
                                          .note = "click, or arrow keys and Enter; Esc closes",
                                          .open = open_form,
                                          .handle_key = handle_key,
                                          .draw = draw,
                                          .accept = begin_scene};
