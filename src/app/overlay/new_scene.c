/* The dialog (Ctrl+N) for an empty container: its shape and size, the water in it, and the resolution. */
#include "app/overlay/interface.h"

#include <stdio.h>

static const float LEAST = 0.1f, MOST = 100; /* least and greatest size of a container, m */

static const int counts[] = {1000, 4000, 15000}; /* numbers of particles that fill the container */

enum { ROW_SHAPE, ROW_SIZE, ROW_HEIGHT, ROW_FILL, ROW_RESOLUTION, ROW_BEGIN, ROWS, RESOLUTIONS = 3 };

static bool open_form(pd_screen *screen, pd_action action) {
    pd_new_scene *ask = &screen->viewport->new_scene;
    pd_container *c = &ask->scene.container;
    (void)action;
    if (!(c->radius > 0)) {
        *c = pd_world_scene(screen->session->world)->container;
        if (c->shape != PD_CONTAINER_CIRCLE) c->radius = 1;
        if (c->shape != PD_CONTAINER_BOX) c->width = 2;
        if (c->shape != PD_CONTAINER_BOX) c->height = 1;
        ask->scene.particles = counts[1];
    }
    ask->row = ROW_SHAPE;
    return true;
}

/* Returns whether the chosen shape has the row: "none" has neither size nor water, only a box has a height. */
static bool has_row(const pd_new_scene *ask, int row) {
    if (row == ROW_HEIGHT) return ask->scene.container.shape == PD_CONTAINER_BOX;
    return row == ROW_SHAPE || row == ROW_BEGIN || ask->scene.container.shape != PD_CONTAINER_NONE;
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
    pd_container *c = &ask->scene.container;
    if (row == ROW_HEIGHT) return &c->height;
    return c->shape == PD_CONTAINER_CIRCLE ? &c->radius : &c->width;
}

/* Returns the index of the chosen resolution in `counts`. */
static int resolution_of(const pd_new_scene *ask) {
    int index = 0;
    while (index < RESOLUTIONS - 1 && counts[index] < ask->scene.particles) index++;
    return index;
}

static void change_row(pd_new_scene *ask, int row, int direction) {
    const int shapes = PD_CONTAINER_NONE + 1;
    pd_container *c = &ask->scene.container;
    pd_fill_level *level = &ask->scene.level;
    if (row == ROW_SHAPE) c->shape = (pd_container_shape)(((int)c->shape + shapes + direction) % shapes);
    if (row == ROW_SIZE || row == ROW_HEIGHT) *size_of(ask, row) = next_size(*size_of(ask, row), direction);
    if (row == ROW_FILL) *level = (pd_fill_level)(((int)*level + PD_FILL_LEVELS + direction) % PD_FILL_LEVELS);
    if (row == ROW_RESOLUTION)
        ask->scene.particles = counts[(resolution_of(ask) + RESOLUTIONS + direction) % RESOLUTIONS];
}

/* Writes the value of a row. */
static void write_value(pd_new_scene *ask, int row, char *text, size_t size) {
    static const char *const shapes[] = {"circle", "box", "none"},
                             *const levels[] = {"none", "a quarter full", "half full"},
                             *const finenesses[] = {"coarse", "medium", "fine"};
    char count[16];
    if (row == ROW_SHAPE) snprintf(text, size, "%s", shapes[ask->scene.container.shape]);
    if (row == ROW_SIZE || row == ROW_HEIGHT) snprintf(text, size, "%.4g m", (double)*size_of(ask, row));
    if (row == ROW_FILL) snprintf(text, size, "%s", levels[ask->scene.level]);
    if (row == ROW_RESOLUTION)
        snprintf(text, size, "%s: %s if full", finenesses[resolution_of(ask)],
                 pd_app_format_count(ask->scene.particles, count, sizeof count));
}

static void begin_scene(pd_screen *screen, bool key) {
    pd_empty_scene scene = screen->viewport->new_scene.scene;
    const pd_container *c = &screen->viewport->new_scene.scene.container;
    scene.container = (pd_container){.shape = c->shape, .slip = true};
    if (c->shape == PD_CONTAINER_CIRCLE) scene.container.radius = c->radius;
    if (c->shape == PD_CONTAINER_BOX) scene.container.width = c->width, scene.container.height = c->height;
    (void)key;
    pd_dialog_close(screen);
    pd_session_open_empty_scene(screen->session, &scene);
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
    pd_new_scene *ask = &screen->viewport->new_scene;
    bool round = ask->scene.container.shape == PD_CONTAINER_CIRCLE;
    const char *const labels[] = {"Shape", round ? "Radius" : "Width", "Height", "Water", "Particles"};
    for (int row = 0; row < ROW_BEGIN; row++) {
        char text[48];
        bool chosen = ask->row == row, shown = has_row(ask, row);
        write_value(ask, row, text, sizeof text);
        int step = ui_draw_step_row(screen->gui, labels[row], shown ? text : NULL, &chosen);
        if (step) change_row(ask, row, step);
        if (chosen) ask->row = row;
    }
    bool chosen = ask->row == ROW_BEGIN, pressed = ui_draw_accept_button(screen->gui, "Begin", &chosen);
    if (chosen) ask->row = ROW_BEGIN;
    return pressed;
}

const pd_dialog_form pd_new_scene_form = {.width = 380,
                                          .height = 286,
                                          .title = "An empty container",
                                          .note = "Click, or arrow keys and Enter; Esc closes",
                                          .open = open_form,
                                          .handle_key = handle_key,
                                          .draw = draw,
                                          .accept = begin_scene};
