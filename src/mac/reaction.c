#include "mac/reaction.h"

#include "core/memory.h"
#include "sim/world.h"
#include "sim/world_bodies.h"
#include <math.h>
#include <string.h>

enum { NOT_SEARCHED = -2, CENTER = PD_CELL_FACES }; /* NOT_SEARCHED: the nearest wall has not been searched */

const double pd_mac_cell_positions[PD_CELL_POSITIONS][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {0, 0}};

typedef struct reaction {
    pd_mac *mac;
    const pd_boundary *boundary;
    const pd_impulses *impulses;
    const pd_mac_pressure *pressure;
    int first_body; /* wall number of the first body; further walls are bodies too */
} reaction;

pd_vec2 pd_mac_place(const pd_mac *mac, pd_double2 at) {
    const pd_grid *g = &mac->grid;
    return (pd_vec2){(float)(g->origin.x + at.x * g->cell), (float)(g->origin.y + at.y * g->cell)};
}

/* Greatest distance of a partly covered face or cell from the wall that covers it, cells. */
static const double WALL_REACH = 1.25;

/* Returns the only wall within `reach` (cells) of a position, or PD_SEVERAL_WALLS: several walls or none. */
static int find_only_wall(const pd_mac *mac, const pd_boundary *boundary, pd_double2 at, double reach) {
    return pd_boundary_find_only_wall_within(boundary, pd_mac_place(mac, at), (float)(reach * mac->grid.cell));
}

int pd_mac_find_nearest_wall(const pd_mac *mac, const pd_boundary *boundary, pd_double2 at) {
    const pd_grid *g = &mac->grid;
    pd_contact contact = {.wall = PD_CONTAINER_WALL};
    bool border = at.x <= 0 || at.y <= 0 || at.x >= g->nx || at.y >= g->ny;
    int obstacles;
    pd_boundary_solids(boundary, &obstacles);
    if (border || obstacles == 0) return PD_CONTAINER_WALL;
    int only = find_only_wall(mac, boundary, at, WALL_REACH);
    if (only != PD_SEVERAL_WALLS) return only;
    pd_boundary_find_nearest_wall(boundary, pd_mac_place(mac, at), &contact);
    return contact.wall;
}

/* Returns a position of a cell, in cells from the grid's lower left corner. */
static pd_double2 find_position(const pd_mac_wall_cell *cell, int position) {
    const double *shift = pd_mac_cell_positions[position];
    return (pd_double2){cell->i + 0.5 + 0.5 * shift[0], cell->j + 0.5 + 0.5 * shift[1]};
}

pd_vec2 pd_mac_place_of_cell_position(const pd_mac *mac, const pd_mac_wall_cell *cell, int position) {
    return pd_mac_place(mac, find_position(cell, position));
}

int pd_mac_find_wall_of_cell(const pd_mac *mac, const pd_boundary *boundary, pd_mac_wall_cell *cell, int position) {
    /* sets the walls of all positions if there is only one wall near the cell, else several_walls */
    if (cell->wall[position] == NOT_SEARCHED && !cell->several_walls) {
        const pd_grid *g = &mac->grid;
        bool border = cell->i == 0 || cell->j == 0 || cell->i == g->nx - 1 || cell->j == g->ny - 1;
        int only = PD_SEVERAL_WALLS;
        if (!border) only = find_only_wall(mac, boundary, find_position(cell, CENTER), WALL_REACH + 0.5);
        cell->several_walls = only == PD_SEVERAL_WALLS;
        for (int k = 0; k < PD_CELL_POSITIONS && !cell->several_walls; k++) cell->wall[k] = (int16_t)only;
    }
    if (cell->wall[position] == NOT_SEARCHED)
        cell->wall[position] = (int16_t)pd_mac_find_nearest_wall(mac, boundary, find_position(cell, position));
    return cell->wall[position];
}

double pd_mac_covered_fraction_of_face(const pd_mac *mac, const pd_mac_wall_cell *cell, int face) {
    size_t k = pd_element_index(&mac->layout, cell->i, cell->j);
    if (face == 1) k++;
    if (face == 3) k += (size_t)mac->layout.stride;
    return 1 - (double)(face < 2 ? mac->open_x : mac->open_y)[k];
}

/* Returns the factor on the pressure at rest in cell k at a wall: in liquid the relative density. */
static double factor_of_rest(const reaction *r, size_t k, int wall) {
    const pd_liquid *liquid = r->pressure->liquid;
    if (!liquid) return wall < r->first_body ? 1 : r->pressure->body_factor;
    if (!liquid->inverse_x) return 1;
    double sum = (double)liquid->inverse_x[k] + (double)liquid->inverse_x[k + 1] + (double)liquid->inverse_y[k] +
                 (double)liquid->inverse_y[k + (size_t)r->mac->layout.stride];
    return sum > 0 ? PD_CELL_FACES / sum : 1;
}

/* Returns the time integral of the pressure on a face of a cell whose q is `own`/unit. factor: factor on the pressure at
 * rest. In liquid a face above the surface has no pressure. A wall that moves away has negative pressure: the fluid follows it. */
static double impulse_per_length(const reaction *r, const pd_mac_wall_cell *cell, int face, double own, double factor) {
    const pd_grid *g = &r->mac->grid;
    const pd_mac_pressure *p = r->pressure;
    pd_double2 at = find_position(cell, face);
    if (p->liquid) {
        const double *shift = pd_mac_cell_positions[face];
        double at_face = own + factor * 0.5 * g->cell * (p->weight.x * shift[0] + p->weight.y * shift[1]),
               least = own < 0 ? own : 0;
        return at_face > least ? at_face : least;
    }
    double rest =
        p->level + p->weight.x * (g->origin.x + at.x * g->cell) + p->weight.y * (g->origin.y + at.y * g->cell);
    return own + factor * rest;
}

/* Returns the fraction of a cell below the surface, where the pressure is above 0. factor: that of impulse_per_length. */
static double submerged_fraction(const reaction *r, double own, double factor) {
    const pd_mac_pressure *p = r->pressure;
    double most = factor * 0.5 * r->mac->grid.cell * (fabs(p->weight.x) + fabs(p->weight.y));
    return p->liquid && most > 0 ? fmin(fmax(0.5 + 0.5 * own / most, 0), 1) : 1;
}

static void add_impulse(const reaction *r, const pd_mac_wall_cell *cell, int position, int wall, double x, double y) {
    pd_impulses_add(r->impulses, 0, 1, wall, x, y, pd_mac_place_of_cell_position(r->mac, cell, position));
}

/* Adds the impulses that one fluid cell gives to walls. On the covered part of each face the pressure at the face's
 * centre acts. The covered part of the cell gets buoyancy: minus the weight of the fluid that it displaces. */
static void add_impulses_of_wall_cell(const reaction *r, pd_mac_wall_cell *from) {
    const pd_mac *mac = r->mac;
    const double cell = mac->grid.cell;
    size_t k = pd_element_index(&mac->layout, from->i, from->j);
    double own = r->pressure->unit * (double)r->pressure->q[k], covered = 1 - (double)mac->open[k];
    if (r->pressure->liquid && !(r->pressure->liquid->distance[k] < 0)) return;
    for (int f = 0; f < PD_CELL_FACES; f++) {
        double fraction = pd_mac_covered_fraction_of_face(mac, from, f);
        if (!(fraction > 0)) continue;
        int wall = pd_mac_find_wall_of_cell(mac, r->boundary, from, f);
        double push = fraction * cell * impulse_per_length(r, from, f, own, factor_of_rest(r, k, wall));
        add_impulse(r, from, f, wall, push * pd_mac_cell_positions[f][0], push * pd_mac_cell_positions[f][1]);
    }
    if (!(covered > 0)) return;
    int wall = pd_mac_find_wall_of_cell(mac, r->boundary, from, CENTER);
    double factor = factor_of_rest(r, k, wall),
           area = covered * submerged_fraction(r, own, factor) * cell * cell * factor;
    add_impulse(r, from, CENTER, wall, -area * r->pressure->weight.x, -area * r->pressure->weight.y);
}

/* Appends a cell to mac->wall_cells. Returns false if memory is missing, and leaves the cell out. */
static bool append_wall_cell(pd_mac *mac, pd_mac_wall_cell cell) {
    if (mac->wall_cell_count == mac->wall_cell_capacity) {
        int capacity = 2 * mac->wall_cell_capacity + 256;
        pd_mac_wall_cell *larger = pd_allocate((size_t)capacity, sizeof *larger);
        if (!larger) return false;
        if (mac->wall_cells) memcpy(larger, mac->wall_cells, (size_t)mac->wall_cell_count * sizeof *larger);
        pd_free(mac->wall_cells);
        mac->wall_cells = larger;
        mac->wall_cell_capacity = capacity;
    }
    mac->wall_cells[mac->wall_cell_count++] = cell;
    return true;
}

/* Sets marks[i] to 1 if cell k + i contains fluid and a part of the cell or of its faces is covered, else to 0. */
static void mark_wall_cells(const pd_mac *mac, size_t k, int count, uint8_t *restrict marks) {
    const float *restrict x = mac->open_x + k, *restrict y = mac->open_y + k, *restrict open = mac->open + k;
    const float *restrict above = y + mac->layout.stride;
    for (int i = 0; i < count; i++) {
        float sum = x[i] + x[i + 1] + y[i] + above[i] + open[i];
        marks[i] = (open[i] > 0) & (sum < 5);
    }
}

/* The list is reused while the walls rest: the search for nearest walls is slow. */
void pd_mac_list_wall_cells(pd_mac *mac) {
    enum { BLOCK = 64 };
    uint8_t marks[BLOCK];
    if (mac->wall_cells_listed) return;
    mac->wall_cell_count = 0;
    mac->wall_cells_listed = true;
    for (int j = 0; j < mac->layout.ny; j++)
        for (int first = 0; first < mac->layout.nx; first += BLOCK) {
            int count = mac->layout.nx - first < BLOCK ? mac->layout.nx - first : BLOCK;
            mark_wall_cells(mac, pd_element_index(&mac->layout, first, j), count, marks);
            const uint8_t *at = marks, *end = marks + count;
            for (; (at = memchr(at, 1, (size_t)(end - at))) != NULL; at++)
                mac->wall_cells_listed &= append_wall_cell(
                    mac, (pd_mac_wall_cell){first + (int)(at - marks),
                                            j,
                                            false,
                                            {NOT_SEARCHED, NOT_SEARCHED, NOT_SEARCHED, NOT_SEARCHED, NOT_SEARCHED}});
        }
}

void pd_mac_add_wall_impulses(pd_mac *mac, const pd_boundary *boundary, const pd_impulses *impulses,
                              const pd_mac_pressure *pressure) {
    int bodies;
    pd_boundary_body_areas(boundary, &bodies);
    const reaction r = {mac, boundary, impulses, pressure, impulses->walls - 1 - bodies};
    pd_mac_list_wall_cells(mac);
    for (int n = 0; n < mac->wall_cell_count; n++) add_impulses_of_wall_cell(&r, &mac->wall_cells[n]);
}

/* Returns the fluid area that belongs to a face, in cells: the face's open fraction, or at a border face half of the
 * open fraction of the cell inside. */
static double fluid_area_of_face(float open, float before, float after, bool first, bool last) {
    return first || last ? 0.5 * (double)(first ? after : before) : (double)open;
}

pd_mac_sums pd_mac_sum_face_velocities(const pd_mac *mac) {
    const pd_layout *l = &mac->layout;
    const size_t row = (size_t)l->stride;
    pd_mac_sums s = {0};
    for (int j = 0; j <= l->ny; j++)
        for (int i = 0; i <= l->nx; i++) {
            size_t k = pd_element_index(l, i, j);
            const float *open = mac->open + k;
            double u = (double)mac->u[k], v = (double)mac->v[k];
            double of_u = j < l->ny ? fluid_area_of_face(mac->open_x[k], open[-1], open[0], i == 0, i == l->nx) : 0;
            double of_v =
                i < l->nx ? fluid_area_of_face(mac->open_y[k], *(open - row), open[0], j == 0, j == l->ny) : 0;
            s.x += of_u * u;
            s.y += of_v * v;
            s.squares += of_u * u * u + of_v * v * v;
        }
    return s;
}

/* ---- Films in narrow gaps ---- */

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
    return own + p->body_factor * (p->level + pd_dot(weight, place));
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
    double weight = pd_dot(f->pressure->weight, way) * (f->pressure->liquid ? 1 : f->pressure->body_factor);
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
