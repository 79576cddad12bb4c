/* Position and field values of the fluid, or name, mass, speed and force of a body, shown beside a pointer that rests on the
 * picture while they are switched on. */
#include "app/overlay/interface.h"

#include "core/error.h"
#include "core/timer.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const SHOWN[] = {"velocity_x", "velocity_y", "pressure", "vorticity", "density"};
static const double REST = 0.4;                          /* s without motion until the values appear */
static const double REFRESH = 0.25;                      /* s between two updates of the values */
static const double FADE = 0.12;                         /* s of fading in */
static const float NEGLIGIBLE = 5e-4f;                   /* value / range of the legend, below which 0 is shown */
static const float OFFSET_X = 16, OFFSET_Y = 14;         /* units: distance from the pointer to the values */
static const float SMALL_ROOM = 640, SMALL_HEIGHT = 440; /* units: size of a window below which letters are small */
static const float INSET_X = 10, INSET_Y = 7, GAP = 8, LINE_GAP = 2, EDGE = 8;

static void pointer_moved(pd_screen *screen, bool arrives) {
    pd_probe *probe = &screen->viewport->probe;
    /* no values before the pointer moves, e.g. if the window opens below the pointer */
    probe->motion_time = arrives ? INFINITY : pd_now();
    probe->read = probe->read && arrives;
}

/* Returns whether values are switched on, the pointer is over the container, no button is down, and no layer is open or below
 * the pointer. */
static bool is_free(const pd_screen *screen) {
    const pd_pointer *pointer = screen->pointer;
    if (pd_session_distance_outside(screen->session, pointer->position) > 0) return false;
    return screen->viewport->switches.values && pointer->in_window && !pointer->buttons &&
           !pd_pointer_has_press(pointer) && !pointer->owned_by_layer && !screen->display->hidden &&
           !ui_is_menu_open(screen->gui) && !screen->at_pointer;
}

double pd_probe_seconds_left(const pd_screen *screen) {
    const pd_probe *probe = &screen->viewport->probe;
    return probe->read || !is_free(screen) ? INFINITY : fmax(0, probe->motion_time + REST - pd_now());
}

static bool is_fading(const pd_screen *screen) {
    const pd_probe *probe = &screen->viewport->probe;
    return probe->rows > 0 && screen->viewport->now < probe->shown_since + 1.2 * FADE;
}

static pd_probe_row *add_row(pd_probe *probe, const char *name, const char *title, const char *unit) {
    PD_ASSERT(probe->rows < PD_PROBE_ROWS);
    pd_probe_row *row = &probe->row[probe->rows++];
    *row = (pd_probe_row){.name = name, .title = title, .unit = unit};
    return row;
}

static void add_value(pd_probe *probe, const pd_field_info *info, float value, float range) {
    pd_probe_row *row = add_row(probe, info->name, info->title, info->unit);
    row->value = value;
    pd_app_format_number(fabsf(value) < NEGLIGIBLE * range ? 0 : (double)value, row->text, sizeof row->text);
}

static void add_position(pd_probe *probe, pd_vec2 position, const pd_view *view) {
    pd_probe_row *row = add_row(probe, NULL, "x, y", "m");
    double step = (double)fmaxf(view->high.x - view->low.x, view->high.y - view->low.y) > 20 ? 0.1 : 0.01;
    double x = step * round((double)position.x / step), y = step * round((double)position.y / step);
    snprintf(row->text, sizeof row->text, "%.*f, %.*f", step < 0.1 ? 2 : 1, x + 0.0, step < 0.1 ? 2 : 1, y + 0.0);
}

/* Returns the particle nearest to a position, at most a rest spacing away. -1: the position is outside the fluid. */
static int find_particle(const pd_view *view, pd_vec2 position) {
    float least = view->spacing * view->spacing;
    int nearest = -1;
    for (int i = 0; i < view->count; i++) {
        float x = view->x[i] - position.x, y = view->y[i] - position.y, square = x * x + y * y;
        if (square > least) continue;
        least = square;
        nearest = i;
    }
    return nearest;
}

/* Returns the value of a field in the cell of a position or at a particle, and the greatest absolute value of its legend in
 * *range. NAN: none. */
static float read_field(const pd_view *view, const char *name, pd_vec2 position, int particle, float *range) {
    const pd_field *field = pd_view_field(view, name);
    *range = field ? fmaxf(fabsf(field->low), fabsf(field->high)) : 0;
    if (field && field->info.support == PD_FIELD_OF_CELLS) return pd_field_at(field, position);
    return field && field->values && particle >= 0 ? field->values[particle] : NAN;
}

static void add_speed(pd_probe *probe, const pd_view *view, pd_vec2 position, int particle) {
    static const pd_field_info speed = {"speed", "speed", "m/s", PD_FIELD_OF_CELLS};
    float x_range, y_range, x = read_field(view, "velocity_x", position, particle, &x_range);
    float y = read_field(view, "velocity_y", position, particle, &y_range), value = hypotf(x, y);
    if (isnan(value)) value = read_field(view, "speed", position, particle, &x_range);
    if (!isnan(value)) add_value(probe, &speed, value, fmaxf(x_range, y_range));
}

static void add_number(pd_probe *probe, const char *name, const char *title, const char *unit, double value) {
    pd_probe_row *row = add_row(probe, name, title, unit);
    row->value = (float)value;
    pd_app_format_number(value, row->text, sizeof row->text);
}

/* Returns the unit of a force with the word of its direction. */
static const char *unit_of_force(double x, double y) {
    static const char *const units[] = {"N/m right", "N/m up right",  "N/m up",   "N/m up left",
                                        "N/m left",  "N/m down left", "N/m down", "N/m down right"};
    double eighth = atan2(y, x) / 0.7853981633974483;
    return units[((int)lround(eighth) + 8) % 8];
}

/* Adds the rows of a body. Methods that do not push bodies have no row of the force. */
static void add_body_rows(pd_probe *probe, const pd_world *world, int index) {
    static const double NO_FORCE = 1e-3; /* in units of mass x 1 m/s^2 */
    pd_world_body body;
    pd_world_get_body(world, index, &body);
    const char *name = pd_world_scene(world)->bodies[index].name;
    double force = hypot(body.force_x, body.force_y);
    pd_probe_row *row = add_row(probe, NULL, "body", "");
    snprintf(row->text, sizeof row->text, "%.31s", *name ? name : "unnamed");
    add_number(probe, "body_mass", "mass", "kg/m", body.mass);
    add_number(probe, "body_speed", "speed", "m/s", hypot(body.vx, body.vy));
    bool pushed = pd_world_method(world)->features & PD_FEATURE_BODIES;
    if (!pushed) return;
    bool none = force < NO_FORCE * body.mass;
    add_number(probe, "body_force", "force of the fluid", none ? "N/m" : unit_of_force(body.force_x, body.force_y),
               none ? 0 : force);
}

static void read_values(const pd_screen *screen) {
    pd_probe *probe = &screen->viewport->probe;
    const pd_view *view = pd_screen_pane(screen)->view;
    pd_vec2 position = screen->pointer->position;
    probe->read = true;
    probe->method = pd_world_method(pd_screen_pane(screen)->world);
    probe->next_update = screen->viewport->now + REFRESH;
    probe->rows = 0;
    int particle = find_particle(view, position), body = pd_world_body_at(pd_screen_pane(screen)->world, position, 0);
    add_position(probe, position, view);
    if (body >= 0) {
        add_body_rows(probe, pd_screen_pane(screen)->world, body);
        return;
    }
    add_speed(probe, view, position, particle);
    for (size_t n = 0; n < sizeof SHOWN / sizeof *SHOWN; n++) {
        float range, value = read_field(view, SHOWN[n], position, particle, &range);
        if (!isnan(value)) add_value(probe, &pd_view_field(view, SHOWN[n])->info, value, range);
    }
}

static void announce(const pd_screen *screen) {
    const pd_probe *probe = &screen->viewport->probe;
    const char *names[PD_PROBE_ROWS];
    float values[PD_PROBE_ROWS];
    int count = 0;
    for (int i = 0; i < probe->rows; i++) {
        if (!probe->row[i].name) continue;
        names[count] = probe->row[i].name;
        values[count++] = probe->row[i].value;
    }
    pd_announce_probe(screen->session->announcer, screen->pointer->position, count, names, values);
}

static void update(const pd_screen *screen) {
    pd_probe *probe = &screen->viewport->probe;
    double now = screen->viewport->now;
    int before = probe->rows;
    bool rests = is_free(screen) && now - probe->motion_time >= REST;
    bool outdated = !probe->read || screen->session->paused || now >= probe->next_update;
    if (!rests)
        probe->rows = 0;
    else if (outdated || probe->method != pd_world_method(pd_screen_pane(screen)->world))
        read_values(screen);
    if (probe->rows == before) return;
    if (before == 0) probe->shown_since = now;
    announce(screen);
}

typedef struct table {
    ui_size size; /* of the letters */
    float titles, values, units, line, width, height;
} table;

static table measure(const pd_probe *probe, const ui *gui) {
    bool small = ui_width(gui) < SMALL_ROOM || ui_height(gui) < SMALL_HEIGHT;
    table t = {.size = small ? UI_SMALL : UI_NORMAL};
    t.line = ui_line_height(gui, t.size) + LINE_GAP;
    t.values = ui_text_width(gui, t.size, "-0.0000"); /* constant width for all numbers */
    for (int i = 0; i < probe->rows; i++) {
        const pd_probe_row *row = &probe->row[i];
        t.titles = fmaxf(t.titles, ui_text_width(gui, t.size, row->title));
        t.values = fmaxf(t.values, ui_text_width(gui, t.size, row->text));
        t.units = fmaxf(t.units, ui_text_width(gui, t.size, row->unit));
    }
    t.width = t.titles + GAP + t.values + GAP + t.units + 2 * INSET_X;
    t.height = (float)probe->rows * t.line - LINE_GAP + 2 * INSET_Y;
    return t;
}

/* Returns the place of the values at the right or the left of the pointer, or below or above the pointer, between the bars: the
 * one that covers no other text and is nearest to the pointer, or a place over other text. */
static pd_plate find_place(const pd_screen *screen, float width, float height) {
    const float step = 6;
    float left = screen->layout.left + EDGE, right = screen->layout.right - EDGE - width;
    float top = screen->layout.top + EDGE, bottom = screen->layout.height - screen->layout.bottom - EDGE - height;
    float below = screen->y + OFFSET_Y, above = screen->y - 0.5f * OFFSET_Y - height, nearest = INFINITY;
    float xs[3] = {screen->x + OFFSET_X, screen->x - 0.5f * OFFSET_X - width};
    xs[2] = fmaxf(fminf(xs[0] > right ? xs[1] : xs[0], right), left);
    pd_plate place = {xs[2], fmaxf(fminf(below > bottom ? above : below, bottom), top), width, height};
    for (int k = 0; k < 3; k++) {
        if (xs[k] < left || xs[k] > right) continue;
        for (float y = top; y <= bottom; y += step) {
            pd_plate plate = {xs[k], y, width, height};
            if (k == 2 && y < below && y > above) continue; /* over the pointer */
            float distance = fminf(fabsf(y - below), fabsf(y - above)) + (float)k;
            if (distance >= nearest || !pd_plate_is_free(&screen->layout, &plate)) continue;
            nearest = distance;
            place = plate;
        }
    }
    return place;
}

static void draw(pd_screen *screen) {
    const pd_probe *probe = &screen->viewport->probe;
    ui *gui = screen->gui;
    update(screen);
    if (probe->rows == 0) return;
    table t = measure(probe, gui);
    float opacity = (float)fmin(1, (screen->viewport->now - probe->shown_since) / FADE);
    pd_plate plate = find_place(screen, t.width, t.height);
    pd_plate_draw(screen, &plate, THEME_OPACITY * opacity);
    float x = plate.x + INSET_X, y = plate.y + INSET_Y;
    for (int i = 0; i < probe->rows; i++, y += t.line) {
        const pd_probe_row *row = &probe->row[i];
        float label = ui_text_width(gui, t.size, row->text);
        ui_draw_text(gui, x, y, t.size, UI_QUIET, opacity, 0, row->title);
        ui_draw_text(gui, x + t.titles + GAP + t.values - label, y, t.size, UI_PLAIN, opacity, 0, row->text);
        ui_draw_text(gui, x + t.titles + t.values + 2 * GAP, y, t.size, UI_QUIET, opacity, 0, row->unit);
    }
}

const pd_layer pd_probe_layer = {.pointer_moved = pointer_moved, .draw = draw, .is_fading = is_fading};
