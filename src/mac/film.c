/* Pressure of films in narrow gaps. */
#include "mac/film.h"

#include "sim/narrow_gaps.h"
#include "sim/world.h"

#include <math.h>

/* Greatest width of a gap with a film, in rest spacings: particles do not enter narrower gaps. */
static const double WIDEST_GAP = 0.5;

typedef struct films {
    const pd_mac *mac;
    const pd_world *world;
    const pd_mac_pressure *pressure;
} films;

/* End of a gap. */
typedef struct film_end {
    bool open;       /* false: the end is closed by walls */
    double pressure; /* time integral of the pressure at the end; 0 in air */
} film_end;

/* Returns the index of the cell at a place. Sets *center to its centre, m. Returns 0 (a ghost cell) outside of the grid. */
static size_t find_cell(const pd_mac *mac, pd_double2 place, pd_double2 *center) {
    const pd_grid *g = &mac->grid;
    double x = floor((place.x - g->origin.x) / g->cell), y = floor((place.y - g->origin.y) / g->cell);
    if (!(x >= 0 && y >= 0 && x < g->nx && y < g->ny)) return 0;
    *center = (pd_double2){g->origin.x + (x + 0.5) * g->cell, g->origin.y + (y + 0.5) * g->cell};
    return pd_element_index(&mac->layout, (int)x, (int)y);
}

static bool is_fluid(const films *f, size_t cell) {
    const pd_liquid *liquid = f->pressure->liquid;
    return f->mac->open[cell] > 0 && (!liquid || liquid->distance[cell] < 0);
}

/* Returns the pressure at a place, by the pressure of a cell and the gradient at rest. */
static double find_pressure(const films *f, size_t cell, pd_double2 center, pd_double2 place) {
    const pd_mac_pressure *p = f->pressure;
    double own = p->unit * (double)p->q[cell];
    pd_double2 weight = p->weight;
    if (p->liquid) return fmax(own + pd_dot(weight, pd_minus(place, center)), 0);
    return own + p->body_share * (p->level + pd_dot(weight, place));
}

/* Finds the fluid beside an end of a gap, before the other wall. out: unit vector along the gap, out of the end. */
static film_end find_end(const films *f, const pd_narrow_gap *gap, pd_double2 end, pd_double2 out) {
    enum { STEPS = 4 };
    const double step = 0.5, off_wall = -0.25; /* cells */
    pd_double2 from = pd_add_scaled(end, off_wall * f->mac->grid.cell, gap->normal);
    film_end found = {false, 0};
    for (int k = 1; k <= STEPS; k++) {
        pd_double2 center = {0, 0};
        size_t cell = find_cell(f->mac, pd_add_scaled(from, k * step * f->mac->grid.cell, out), &center);
        if (cell == 0 || !(f->mac->open[cell] > 0)) continue;
        found.open = true;
        if (!is_fluid(f, cell)) continue;
        found.pressure = find_pressure(f, cell, center, end);
        return found;
    }
    return found;
}

static void add_piece(const films *f, const pd_narrow_gap *gap, pd_double2 place, double pressure, double length) {
    const pd_impulses *impulses = pd_boundary_impulses(f->world->boundary);
    double x = pressure * length * gap->normal.x, y = pressure * length * gap->normal.y;
    pd_vec2 at = {(float)place.x, (float)place.y};
    pd_impulses_add(impulses, 0, 1, f->world->scene.obstacle_count + gap->body, -x, -y, at);
    pd_impulses_add(impulses, 0, 1, gap->wall, x, y, at);
}

/* Adds the impulses of a gap in pieces of at most half a cell. An end that walls close has the pressure of the other end. */
static void add_film(void *context, const pd_narrow_gap *gap) {
    const films *f = context;
    pd_double2 way = pd_minus(gap->end[1], gap->end[0]);
    double length = sqrt(pd_dot(way, way));
    pd_double2 along = {way.x / length, way.y / length};
    film_end a = find_end(f, gap, gap->end[0], (pd_double2){-along.x, -along.y});
    film_end b = find_end(f, gap, gap->end[1], along);
    double weight = pd_dot(f->pressure->weight, way) * (f->pressure->liquid ? 1 : f->pressure->body_share);
    if (!a.open && !b.open) return;
    if (!a.open) a.pressure = b.pressure - weight;
    if (!b.open) b.pressure = a.pressure + weight;
    int pieces = (int)ceil(2 * length / f->mac->grid.cell);
    for (int k = 0; k < pieces; k++) {
        double t = (k + 0.5) / pieces;
        pd_double2 place = pd_add_scaled(gap->end[0], t * length, along), center;
        if (is_fluid(f, find_cell(f->mac, place, &center))) continue;
        add_piece(f, gap, place, a.pressure + t * (b.pressure - a.pressure), length / pieces);
    }
}

void pd_mac_add_film_impulses(const pd_mac *mac, const pd_world *world, const pd_mac_pressure *pressure) {
    films f = {mac, world, pressure};
    pd_world_visit_narrow_gaps(world, WIDEST_GAP * (double)world->resolution.spacing, add_film, &f);
}
