/* The values of the fluid beside a pointer that rests in the fluid: those of the fields SHOWN that the method has in cells. */
#include "app/overlay/interface.h"

#include "core/timer.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const SHOWN[] = {"velocity_x", "velocity_y", "pressure", "vorticity", "density"};
static const double REST = 0.4;                  /* s without motion */
static const double REFRESH = 0.25;              /* s, as the numbers at the upper left */
static const double FADE = 0.12;                 /* s */
static const float NEGLIGIBLE = 1e-5f;           /* of the legend's range: shown as 0 */
static const float OFFSET_X = 16, OFFSET_Y = 14; /* units from the pointer */
static const float INSET_X = 10, INSET_Y = 7, GAP = 8, LINE_GAP = 2, EDGE = 8;
static const float PLATE = 1.1f; /* opacity, as of the numbers */

void pd_probe_disturb(pd_probe *probe) {
    probe->moved = pd_now();
    probe->read = false;
}

void pd_probe_arrive(pd_probe *probe) { probe->moved = INFINITY; }

/* The pointer is over the picture, and nothing is dragged, open or over it. */
static bool is_free(const pd_viewport *viewport, const pd_pointer *pointer, const pd_display *display, const ui *gui) {
    return pointer->present && !pointer->buttons && !pd_pointer_is_busy(pointer) && !pointer->owned_by_panel &&
           !viewport->help && !display->hidden && !ui_menu_open(gui) &&
           !pd_panel_covers(viewport, display, gui, pointer->pixel_x, pointer->pixel_y);
}

double pd_probe_wait(const pd_viewport *viewport, const pd_pointer *pointer, const pd_display *display, const ui *gui) {
    if (viewport->probe.read || !is_free(viewport, pointer, display, gui)) return INFINITY;
    return fmax(0, viewport->probe.moved + REST - pd_now());
}

bool pd_probe_fading(const pd_viewport *viewport) {
    return viewport->probe.rows > 0 && viewport->now < viewport->probe.since + 1.2 * FADE;
}

static void add_row(pd_probe *probe, const pd_field *field, float value) {
    if (probe->rows == PD_PROBE_ROWS) return;
    probe->row[probe->rows] = (pd_probe_row){.info = field->info, .value = value};
    if (fabsf(value) < NEGLIGIBLE * fmaxf(fabsf(field->low), fabsf(field->high))) value = 0;
    pd_app_number((double)value, probe->row[probe->rows].text, sizeof probe->row->text);
    probe->rows++;
}

/* The world in whose pane the pointer is. */
static const pd_world *world_under(const pd_viewport *viewport, const pd_session *session) {
    return viewport->panes.at && session->second.world ? session->second.world : session->world;
}

static void read_values(pd_viewport *viewport, const pd_session *session, const pd_pointer *pointer) {
    pd_probe *probe = &viewport->probe;
    const pd_view *view = viewport->panes.at ? &viewport->panes.view : &viewport->view;
    probe->read = true;
    probe->method = pd_world_method(world_under(viewport, session));
    probe->due = viewport->now + REFRESH;
    probe->rows = 0;
    for (size_t n = 0; n < sizeof SHOWN / sizeof *SHOWN; n++)
        for (int i = 0; i < view->field_count; i++) {
            const pd_field_info *info = &view->fields[i]->info;
            if (info->support != PD_FIELD_OF_CELLS || strcmp(info->name, SHOWN[n]) != 0) continue;
            const pd_field *field = pd_view_field(view, info->name);
            float value = pd_field_at(field, pointer->position);
            if (!isnan(value)) add_row(probe, field, value);
        }
}

static void announce(const pd_viewport *viewport, const pd_pointer *pointer) {
    const pd_probe *probe = &viewport->probe;
    const char *names[PD_PROBE_ROWS];
    float values[PD_PROBE_ROWS];
    for (int i = 0; i < probe->rows; i++) {
        names[i] = probe->row[i].info.name;
        values[i] = probe->row[i].value;
    }
    pd_announce_probe(&viewport->announcer, pointer->position, probe->rows, names, values);
}

static void update(pd_viewport *viewport, const pd_session *session, const pd_pointer *pointer,
                   const pd_display *display, const ui *gui) {
    pd_probe *probe = &viewport->probe;
    bool shown = probe->rows > 0,
         rests = is_free(viewport, pointer, display, gui) && viewport->now - probe->moved >= REST;
    bool outdated = !probe->read || session->paused || viewport->now >= probe->due;
    if (!rests)
        probe->rows = 0;
    else if (outdated || probe->method != pd_world_method(world_under(viewport, session)))
        read_values(viewport, session, pointer);
    if ((probe->rows > 0) == shown) return;
    if (!shown) probe->since = viewport->now;
    announce(viewport, pointer);
}

typedef struct table {
    float titles, values, units, line, width, height;
} table;

static table measure(const pd_probe *probe, const ui *gui) {
    table t = {0};
    ui_measure(gui, UI_SMALL, "-0.0000", 0, &t.values, &t.line); /* a width that digits do not change */
    for (int i = 0; i < probe->rows; i++) {
        const pd_probe_row *row = &probe->row[i];
        float title, value, unit;
        ui_measure(gui, UI_SMALL, row->info.title, 0, &title, NULL);
        ui_measure(gui, UI_SMALL, row->text, 0, &value, NULL);
        ui_measure(gui, UI_SMALL, row->info.unit, 0, &unit, NULL);
        t.titles = fmaxf(t.titles, title);
        t.values = fmaxf(t.values, value);
        t.units = fmaxf(t.units, unit);
    }
    t.line += LINE_GAP;
    t.width = t.titles + GAP + t.values + GAP + t.units + 2 * INSET_X;
    t.height = (float)probe->rows * t.line - LINE_GAP + 2 * INSET_Y;
    return t;
}

/* Right below the pointer, or in another of the four places around it: the first one in the window that covers no other
 * text. */
static void place(const pd_viewport *viewport, const ui *gui, const pd_pointer *pointer, const pd_display *display,
                  const table *t, float *x, float *y) {
    float pointer_x = pointer->pixel_x / display->scale, pointer_y = pointer->pixel_y / display->scale;
    float right = ui_width(gui) - pd_panel_cover(viewport) - EDGE, bottom = ui_height(gui) - EDGE;
    float xs[2] = {pointer_x + OFFSET_X, pointer_x - 0.5f * OFFSET_X - t->width};
    float ys[2] = {pointer_y + OFFSET_Y, pointer_y - 0.5f * OFFSET_Y - t->height};
    *x = xs[0] + t->width > right ? fmaxf(EDGE, xs[1]) : xs[0];
    *y = ys[0] + t->height > bottom ? fmaxf(EDGE, ys[1]) : ys[0];
    for (int k = 0; k < 4; k++) {
        float left = xs[k & 1], top = ys[k >> 1];
        bool inside = left >= EDGE && left + t->width <= right && top >= EDGE && top + t->height <= bottom;
        if (!inside || !pd_plate_is_free(viewport, left, top, t->width, t->height)) continue;
        *x = left;
        *y = top;
        return;
    }
}

void pd_probe_draw(pd_viewport *viewport, const pd_session *session, ui *gui, const pd_pointer *pointer,
                   const pd_display *display) {
    const pd_probe *probe = &viewport->probe;
    update(viewport, session, pointer, display, gui);
    if (probe->rows == 0) return;
    table t = measure(probe, gui);
    float x, y, opacity = (float)fmin(1, (viewport->now - probe->since) / FADE), label;
    place(viewport, gui, pointer, display, &t, &x, &y);
    pd_plate_draw(viewport, gui, x, y, t.width, t.height, PLATE * opacity);
    x += INSET_X;
    y += INSET_Y;
    for (int i = 0; i < probe->rows; i++, y += t.line) {
        const pd_probe_row *row = &probe->row[i];
        ui_measure(gui, UI_SMALL, row->text, 0, &label, NULL);
        ui_text(gui, x, y, UI_SMALL, UI_QUIET, opacity, 0, row->info.title);
        ui_text(gui, x + t.titles + GAP + t.values - label, y, UI_SMALL, UI_PLAIN, opacity, 0, row->text);
        ui_text(gui, x + t.titles + t.values + 2 * GAP, y, UI_SMALL, UI_QUIET, opacity, 0, row->info.unit);
    }
}
