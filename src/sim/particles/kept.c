/* Tests whether particles have moved too far since their neighbour lists were built (kept.h). */
#include "sim/particles/kept.h"

#include "core/array.h"
#include "core/error.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { PARTICLES_PER_CHUNK = 4096, ROWS_PER_CHUNK = 8 }; /* sizes of chunks of parallel work */

/* Bounds of the displacements (dx, dy) of a set of particles since the lists were built, m. bound: least dx, least dy,
 * least -dx, least -dy; all are INFINITY for an empty set. */
typedef struct pd_movement {
    float bound[4];
} pd_movement;

#define POSITION_ARRAYS(validity, count) PD_ARRAYS(PD_ARRAY((validity)->x, 0, count), PD_ARRAY((validity)->y, 0, count))
#define CELL_ARRAYS(validity, cell_count, row_count)                                                                   \
    PD_ARRAYS(PD_ARRAY((validity)->own, 0, cell_count), PD_ARRAY((validity)->column, 0, cell_count),                   \
              PD_ARRAY((validity)->row, 0, row_count))

bool pd_list_validity_reserve(pd_list_validity *validity, int capacity) {
    if (capacity <= validity->capacity) return true;
    if (!pd_arrays_resize(POSITION_ARRAYS(validity, capacity))) return false;
    validity->capacity = capacity;
    validity->count = 0;
    return true;
}

void pd_list_validity_free(pd_list_validity *validity) {
    pd_arrays_free(POSITION_ARRAYS(validity, 0));
    pd_arrays_free(CELL_ARRAYS(validity, 0, 0));
    *validity = (pd_list_validity){0};
}

static const pd_movement NO_MOVEMENT = {{INFINITY, INFINITY, INFINITY, INFINITY}};

static inline void unite_bounds(pd_movement *a, const pd_movement *b) {
    for (int k = 0; k < 4; k++) a->bound[k] = b->bound[k] < a->bound[k] ? b->bound[k] : a->bound[k];
}

/* Returns the square of the greatest possible displacement of a particle in set a relative to a particle in set b, m^2. */
static inline float compute_max_relative_displacement_squared(const pd_movement *a, const pd_movement *b) {
    float x1 = -a->bound[2] - b->bound[0], x2 = -b->bound[2] - a->bound[0];
    float y1 = -a->bound[3] - b->bound[1], y2 = -b->bound[3] - a->bound[1];
    float x = x1 > x2 ? x1 : x2, y = y1 > y2 ? y1 : y2;
    return x * x + y * y;
}

typedef struct movement_check {
    pd_list_validity *validity;
    const pd_particles *particles;
    const pd_neighbours *cells;
    pd_pool *pool;
    float farthest2;            /* square of the limit that the running test applies to displacements, m^2 */
    atomic_bool limit_exceeded; /* result of the running test: a displacement exceeds the limit, or is not finite */
} movement_check;

static void set_limit_exceeded(movement_check *c) {
    atomic_store_explicit(&c->limit_exceeded, true, memory_order_relaxed);
}

static bool is_limit_exceeded(movement_check *c) {
    return atomic_load_explicit(&c->limit_exceeded, memory_order_relaxed);
}

static void check_displacements(void *context, int begin, int end) {
    movement_check *c = context;
    const float *x = c->particles->x, *y = c->particles->y, *from_x = c->validity->x, *from_y = c->validity->y;
    float farthest2 = c->farthest2;
    int beyond = 0;
    for (int i = begin; i < end; i++) { /* without a branch, so that it vectorizes */
        float dx = x[i] - from_x[i], dy = y[i] - from_y[i];
        beyond |= !(dx * dx + dy * dy <= farthest2);
    }
    if (beyond) set_limit_exceeded(c);
}

/* Returns whether each particle is within PD_LIST_FREE_DISPLACEMENT x h of its position when the lists were built. */
static bool are_all_displacements_small(movement_check *c) {
    float farthest = PD_LIST_FREE_DISPLACEMENT * c->validity->h;
    c->farthest2 = farthest * farthest;
    pd_parallel_for(c->pool, c->particles->count, PARTICLES_PER_CHUNK, check_displacements, c);
    return !is_limit_exceeded(c);
}

bool pd_list_validity_are_all_particles_near(pd_list_validity *validity, const pd_particles *particles, pd_pool *pool) {
    return are_all_displacements_small(&(movement_check){.validity = validity, .particles = particles, .pool = pool});
}

/* Computes the bounds of the displacements in each cell of the rows [begin, end). Sets limit_exceeded if a coordinate is
 * not finite. */
static void compute_cell_bounds(void *context, int begin, int end) {
    movement_check *c = context;
    const pd_neighbours *n = c->cells;
    const float *x = c->particles->x, *y = c->particles->y, *from_x = c->validity->x, *from_y = c->validity->y;
    for (int row = begin; row < end; row++) {
        pd_movement *own = c->validity->own + (size_t)row * (size_t)n->columns, all = NO_MOVEMENT;
        const int *start = n->start + (size_t)row * (size_t)n->columns;
        for (int column = 0; column < n->columns; column++) {
            pd_movement cell = NO_MOVEMENT;
            for (int i = start[column]; i < start[column + 1]; i++) {
                float dx = x[i] - from_x[i], dy = y[i] - from_y[i];
                if (!(dx * dx + dy * dy < INFINITY)) set_limit_exceeded(c);
                unite_bounds(&cell, &(pd_movement){{dx, dy, -dx, -dy}});
            }
            own[column] = cell;
            unite_bounds(&all, &cell);
        }
        c->validity->row[row] = all;
    }
}

/* Computes, for each cell of the rows [begin, end), the bounds of the displacements in this cell, in PD_LIST_NEAR_CELLS
 * cells above and in PD_LIST_NEAR_CELLS cells below. */
static void compute_column_bounds(void *context, int begin, int end) {
    movement_check *c = context;
    const pd_neighbours *n = c->cells;
    for (int row = begin; row < end; row++) {
        pd_movement *column = c->validity->column + (size_t)row * (size_t)n->columns;
        int low = row > PD_LIST_NEAR_CELLS ? row - PD_LIST_NEAR_CELLS : 0;
        int high = row + PD_LIST_NEAR_CELLS < n->rows ? row + PD_LIST_NEAR_CELLS : n->rows - 1;
        memcpy(column, c->validity->own + (size_t)low * (size_t)n->columns, (size_t)n->columns * sizeof *column);
        for (int other = low + 1; other <= high; other++) {
            const pd_movement *own = c->validity->own + (size_t)other * (size_t)n->columns;
            for (int k = 0; k < n->columns; k++) unite_bounds(&column[k], &own[k]);
        }
    }
}

static void compare_cells_with_surroundings(void *context, int begin, int end) {
    movement_check *c = context;
    const pd_neighbours *n = c->cells;
    for (int row = begin; row < end && !is_limit_exceeded(c); row++) {
        size_t first = (size_t)row * (size_t)n->columns;
        const pd_movement *own = c->validity->own + first, *column = c->validity->column + first;
        for (int k = 0; k < n->columns; k++) {
            if (n->start[first + (size_t)k] == n->start[first + (size_t)k + 1]) continue;
            int low = k > PD_LIST_NEAR_CELLS ? k - PD_LIST_NEAR_CELLS : 0;
            int high = k + PD_LIST_NEAR_CELLS < n->columns ? k + PD_LIST_NEAR_CELLS : n->columns - 1;
            pd_movement around = column[low];
            for (int other = low + 1; other <= high; other++) unite_bounds(&around, &column[other]);
            if (!(compute_max_relative_displacement_squared(&own[k], &around) <= c->farthest2)) set_limit_exceeded(c);
        }
    }
}

/* Allocates the bounds of displacements (pd_list_validity.own, column, row) for the cells of the last sort. Returns
 * false if memory runs out. */
static bool reserve_cell_bounds(pd_list_validity *validity, const pd_neighbours *n) {
    int cells = n->columns * n->rows;
    if (cells <= validity->cells && n->rows <= validity->rows) return true;
    cells += cells / 4;
    int rows = n->rows + n->rows / 4;
    if (!pd_arrays_resize(CELL_ARRAYS(validity, cells, rows))) return false;
    validity->cells = cells;
    validity->rows = rows;
    return true;
}

/* Returns whether any two particles have moved too far relative to each other. The limit is
 * PD_LIST_MAX_RELATIVE_DISPLACEMENT x h for particles whose cells are at most PD_LIST_NEAR_CELLS apart. Others were at
 * least PD_LIST_NEAR_CELLS x h apart, so their limit is (PD_LIST_NEAR_CELLS - 1 + PD_LIST_MAX_RELATIVE_DISPLACEMENT) x h. */
static bool have_particles_moved_apart(movement_check *c, float h) {
    const pd_neighbours *n = c->cells;
    if (n->folded || !reserve_cell_bounds(c->validity, n)) return true;
    float apart = PD_LIST_MAX_RELATIVE_DISPLACEMENT * h,
          anywhere = (PD_LIST_NEAR_CELLS - 1 + PD_LIST_MAX_RELATIVE_DISPLACEMENT) * h;
    c->farthest2 = apart * apart;
    atomic_store_explicit(&c->limit_exceeded, false, memory_order_relaxed);
    pd_parallel_for(c->pool, n->rows, ROWS_PER_CHUNK, compute_cell_bounds, c);
    pd_movement all = NO_MOVEMENT;
    for (int row = 0; row < n->rows; row++) unite_bounds(&all, &c->validity->row[row]);
    if (is_limit_exceeded(c) || !(compute_max_relative_displacement_squared(&all, &all) <= anywhere * anywhere))
        return true;
    pd_parallel_for(c->pool, n->rows, ROWS_PER_CHUNK, compute_column_bounds, c);
    pd_parallel_for(c->pool, n->rows, ROWS_PER_CHUNK, compare_cells_with_surroundings, c);
    return is_limit_exceeded(c);
}

bool pd_list_validity_check(pd_list_validity *validity, const pd_world *world, float h) {
    const pd_particles *p = &world->particles;
    bool same_order = validity->count == p->count && validity->sorts == world->neighbours.sorts;
    if (world->substeps_done == 0 || !same_order || validity->h != h) return false;
    movement_check c = {.validity = validity, .particles = p, .cells = &world->neighbours, .pool = world->pool};
    return are_all_displacements_small(&c) || !have_particles_moved_apart(&c, h);
}

void pd_list_validity_record_positions(pd_list_validity *validity, const pd_particles *p, float h, uint64_t sorts) {
    PD_ASSERT(p->count <= validity->capacity);
    memcpy(validity->x, p->x, (size_t)p->count * sizeof *p->x);
    memcpy(validity->y, p->y, (size_t)p->count * sizeof *p->y);
    validity->count = p->count;
    validity->h = h;
    validity->sorts = sorts;
}

void pd_list_validity_record_world(pd_list_validity *validity, const pd_world *world, float h) {
    pd_list_validity_record_positions(validity, &world->particles, h, world->neighbours.sorts);
}
