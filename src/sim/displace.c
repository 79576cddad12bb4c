/* Finds new positions for particles or vortices inside walls that an edit of the scene has changed. */
#include "sim/displace.h"

#include "core/error.h"
#include "core/math.h"
#include "core/memory.h"
#include "sim/particles/ramp.h"
#include "sim/particles/spread.h"
#include "sim/world.h"

#include <string.h>

enum { MOST_CELLS = 1 << 20 };       /* greatest number of cells of the search grid */
static const float CELL_SIDE = 0.5f; /* side of a cell of the search grid, in units of the rest spacing */

/* Breadth-first search on a regular grid, from all cells outside the walls into the covered cells. Each covered cell
 * stores its predecessor, so the chain of predecessors leads out of the wall. */
typedef struct search {
    const pd_boundary *walls;  /* walls after the edit */
    const pd_boundary *before; /* walls before the edit */
    double origin_x, origin_y; /* lower left corner of the grid, m */
    double side;               /* side of a cell, m */
    int nx, ny;                /* numbers of columns and rows of cells */
    int *predecessor; /* by cell: previous cell of the search; the cell itself: outside the walls; -1: not reached */
    int *queue;       /* indices of cells in the order in which the search reaches them */
} search;

static bool append_point(pd_displaced *d, int *capacity, int index, pd_vec2 position) {
    if (d->count == *capacity) {
        int larger = 2 * *capacity + 64;
        int *indices = pd_allocate((size_t)larger, sizeof *indices);
        pd_vec2 *positions = pd_allocate((size_t)larger, sizeof *positions);
        if (!indices || !positions) {
            pd_free(indices);
            pd_free(positions);
            return false;
        }
        for (int i = 0; i < d->count; i++) {
            indices[i] = d->index[i];
            positions[i] = d->position[i];
        }
        pd_displaced_free(&(pd_displaced){.index = d->index, .position = d->position});
        d->index = indices;
        d->position = positions;
        *capacity = larger;
    }
    d->index[d->count] = index;
    d->position[d->count++] = position;
    return true;
}

/* Returns whether the straight path between two points crosses no wall. */
static bool is_path_clear(const pd_boundary *walls, pd_vec2 from, pd_vec2 to) {
    pd_contact contact;
    return !pd_boundary_stop_at_walls(walls, from, &to, &contact);
}

/* Returns whether `surface` is the point on the surface of all walls that is nearest to the covered point, so that no
 * other wall lies between them. */
static bool is_nearest_surface_point(const pd_boundary *walls, pd_vec2 covered, pd_vec2 surface, float spacing) {
    pd_vec2 normal;
    float depth = -pd_boundary_wall_distance(walls, covered, &normal);
    return pd_hypotf(surface.x - covered.x, surface.y - covered.y) <= 1.01f * fmaxf(depth, 0) + 0.01f * spacing;
}

/* ---- The search ---- */

static pd_vec2 compute_cell_center(const search *s, int cell) {
    return (pd_vec2){(float)(s->origin_x + (cell % s->nx + 0.5) * s->side),
                     (float)(s->origin_y + (cell / s->nx + 0.5) * s->side)};
}

/* Sets size and position of the search grid: twice the extent of the covered points, with at most MOST_CELLS cells. */
static void init_search_grid(search *s, const pd_displaced *d, const float *x, const float *y, float spacing) {
    double low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
    for (int i = 0; i < d->count; i++) {
        double px = x[d->index[i]], py = y[d->index[i]];
        low_x = px < low_x ? px : low_x;
        low_y = py < low_y ? py : low_y;
        high_x = px > high_x ? px : high_x;
        high_y = py > high_y ? py : high_y;
    }
    double around = 0.5 * fmax(high_x - low_x, high_y - low_y) + 8 * (double)spacing;
    double width = high_x - low_x + 2 * around, height = high_y - low_y + 2 * around;
    s->side = fmax((double)(CELL_SIDE * spacing), sqrt(width * height / MOST_CELLS));
    s->nx = (int)(width / s->side) + 1;
    s->ny = (int)(height / s->side) + 1;
    s->origin_x = low_x - around;
    s->origin_y = low_y - around;
}

/* Appends to the queue those neighbours of a cell that the search has not reached yet. Returns the new length of the
 * queue. */
static int queue_unreached_neighbours(search *s, int cell, int queue_end) {
    static const int dx[8] = {1, -1, 0, 0, 1, 1, -1, -1}, dy[8] = {0, 0, 1, -1, 1, -1, 1, -1};
    int i = cell % s->nx, j = cell / s->nx;
    for (int k = 0; k < 8; k++) {
        int a = i + dx[k], b = j + dy[k];
        if (a < 0 || a >= s->nx || b < 0 || b >= s->ny || s->predecessor[b * s->nx + a] >= 0) continue;
        if (!is_path_clear(s->before, compute_cell_center(s, b * s->nx + a), compute_cell_center(s, cell))) continue;
        s->predecessor[b * s->nx + a] = cell;
        s->queue[queue_end++] = b * s->nx + a;
    }
    return queue_end;
}

/* Sets the predecessors of all cells that can be reached from cells outside the walls. */
static pd_result flood_fill_grid(search *s, pd_error *error) {
    size_t cells = (size_t)s->nx * (size_t)s->ny;
    int last = 0;
    s->predecessor = pd_allocate(cells, sizeof *s->predecessor);
    s->queue = pd_allocate(cells, sizeof *s->queue);
    if (!s->predecessor || !s->queue) return pd_fail_memory(error, "the edit");
    for (int c = 0; c < s->nx * s->ny; c++) {
        pd_vec2 center = compute_cell_center(s, c);
        bool free =
            pd_boundary_allows_position(s->walls, center, 0) && pd_boundary_allows_position(s->before, center, 0);
        s->predecessor[c] = free ? c : -1;
        if (free) s->queue[last++] = c;
    }
    for (int first = 0; first < last; first++) last = queue_unreached_neighbours(s, s->queue[first], last);
    return PD_OK;
}

/* Follows the predecessors from the reached cell nearest to `point`. Sets *position to the end of this chain, which is
 * outside the walls. Returns false if no cell around the point was reached. */
static bool find_position_outside(const search *s, pd_vec2 point, pd_vec2 *position) {
    int i = (int)floor((point.x - s->origin_x) / s->side), j = (int)floor((point.y - s->origin_y) / s->side);
    int best = -1;
    float least = INFINITY;
    for (int k = 0; k < 9; k++) {
        int a = i + k % 3 - 1, b = j + k / 3 - 1, cell = b * s->nx + a;
        if (a < 0 || a >= s->nx || b < 0 || b >= s->ny || s->predecessor[cell] < 0) continue;
        pd_vec2 center = compute_cell_center(s, cell);
        float distance = pd_hypotf(center.x - point.x, center.y - point.y);
        if (distance >= least || !is_path_clear(s->before, point, center)) continue;
        least = distance;
        best = cell;
    }
    if (best < 0) return false;
    while (s->predecessor[best] != best) best = s->predecessor[best];
    *position = compute_cell_center(s, best);
    return true;
}

/* Finds new positions by breadth-first search for those displaced points that have none yet (NAN). */
static pd_result search_positions(float spacing, const pd_boundary *before, const pd_boundary *walls, const float *x,
                                  const float *y, pd_displaced *d, pd_error *error) {
    search s = {.walls = walls, .before = before};
    init_search_grid(&s, d, x, y, spacing);
    pd_result result = flood_fill_grid(&s, error);
    for (int i = 0; i < d->count && result == PD_OK; i++) {
        if (!isnan(d->position[i].x)) continue;
        if (!find_position_outside(&s, (pd_vec2){x[d->index[i]], y[d->index[i]]}, &d->position[i]))
            result = pd_fail(error, PD_ERROR_SCENE_VALUE,
                             "the wall or body leaves no room for the fluid in its way (make it smaller)");
    }
    pd_free(s.predecessor);
    pd_free(s.queue);
    return result;
}

pd_result pd_displaced_find_positions(const pd_world *world, const pd_boundary *before, const pd_boundary *walls,
                                      int count, const float *x, const float *y, pd_displaced *displaced,
                                      pd_error *error) {
    float spacing = world->resolution.spacing;
    bool all = true;
    int capacity = 0;
    for (int i = 0; i < count; i++) {
        pd_vec2 point = {x[i], y[i]}, position = point;
        bool moved = pd_boundary_push_out_of_walls(walls, &position),
             found = pd_boundary_allows_position(walls, position, 0);
        if (found && !moved) continue;
        found = found && is_nearest_surface_point(walls, point, position, spacing) &&
                is_path_clear(before, point, position);
        if (!found && !pd_boundary_allows_position(before, point, 0))
            continue; /* an obstacle covered the point before the edit too: the point stays there */
        if (!found) position = (pd_vec2){NAN, NAN};
        if (!append_point(displaced, &capacity, i, position)) return pd_fail_memory(error, "the edit");
        all &= found;
    }
    return all ? PD_OK : search_positions(spacing, before, walls, x, y, displaced, error);
}

void pd_displaced_set_positions(const pd_displaced *displaced, float *x, float *y) {
    for (int i = 0; i < displaced->count; i++) {
        x[displaced->index[i]] = displaced->position[i].x;
        y[displaced->index[i]] = displaced->position[i].y;
    }
}

void pd_displaced_spread_particles(pd_world *world, const pd_displaced *displaced) {
    memset(world->flags, 0, (size_t)world->particles.count);
    for (int i = 0; i < displaced->count; i++) world->flags[displaced->index[i]] = true;
    pd_world_spread_flagged_particles(world);
    pd_density_ramp_begin_for_flagged(world);
}

void pd_displaced_free(pd_displaced *displaced) {
    pd_free(displaced->index);
    pd_free(displaced->position);
    *displaced = (pd_displaced){0};
}
