/* Grid of FLIP: its size, its walls, and the warnings about it. */
#include "methods/flip/flip.h"

#include "core/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns the scene's container, enlarged by half a spacing on all sides: the water extends that far beyond the centres
 * of its particles, which stay inside the scene's container. Inflow and outflow sides become walls. */
static pd_container make_water_container(const pd_world *world) {
    pd_container container = world->scene.container;
    for (int side = 0; side < PD_WALLS; side++) container.walls[side] = (pd_wall){.inflow = NAN, .velocity = NAN};
    container.radius += world->resolution.spacing / 2;
    container.width += world->resolution.spacing;
    container.height += world->resolution.spacing;
    return container;
}

enum {
    /* Limit of the number of cells: 0.9 GB of memory. Ten million particles that fill their container need fewer. */
    MOST_DEFAULT_CELLS = 1 << 22,
    BYTES_PER_CELL = 220, /* memory of all arrays for one cell, bytes, measured */
};

/* Returns the parameter's resolution, lowered so that cells are at least as large as the particles' spacing. With
 * smaller cells, some cells in the liquid would contain no particle. */
static int choose_usable_resolution(const pd_world *world) {
    const pd_resolution *r = &world->resolution;
    int resolution = (int)world->parameter[FLIP_RESOLUTION];
    if (!((float)resolution * r->spacing < 2 * r->length)) resolution = (int)(2 * r->length / r->spacing);
    return resolution < 1 ? 1 : resolution;
}

static pd_grid choose_grid_of_resolution(const pd_world *world, int resolution) {
    pd_container container = make_water_container(world);
    return pd_mac_choose_grid(&container, world->resolution.center, (double)world->resolution.length, resolution);
}

/* ---- Without a container ----
 *
 * The grid covers the particles' bounding box, enlarged to whole blocks of cells. Blocks have fixed places around the
 * fluid's centre at the start, so that the grid follows from the particles' positions alone: a restored world computes the same bits. */

enum {
    BLOCK = 16, /* cells along the side of a block */
    MARGIN = 8, /* least distance of the bounding box from the sides of the grid, cells */
    /* Limit of the number of cells: CELLS_PER_PARTICLE for each particle, but at least LEAST_LIMIT and at most
     * MOST_DEFAULT_CELLS. Fluid at rest has about a quarter of a cell for each particle. */
    CELLS_PER_PARTICLE = 64,
    LEAST_LIMIT = 1 << 16,
    MOST_SLABS = 1 << 16, /* most columns or rows of blocks whose particles are counted at a time */
};

/* Range of blocks, both ends included, in x (axis 0) and y (axis 1). */
typedef struct block_range {
    int low[2], high[2];
} block_range;

/* Returns the block that contains a coordinate (m). center: coordinate of the fluid at the start (pd_resolution), m, which is
 * the edge of a block. So the grid has the same place in the fluid wherever the scene is. */
static int find_block(double position, float center, double cell) {
    const double farthest = 1 << 29;
    return (int)fmin(fmax(floor((position - (double)center) / (BLOCK * cell)), -farthest), farthest);
}

static block_range find_blocks_around_particles(const pd_world *world, double cell) {
    const pd_particles *p = &world->particles;
    const pd_vec2 center = world->resolution.center;
    pd_vec2 low = p->count > 0 ? (pd_vec2){p->x[0], p->y[0]} : center, high = low;
    for (int i = 1; i < p->count; i++) {
        low.x = p->x[i] < low.x ? p->x[i] : low.x;
        low.y = p->y[i] < low.y ? p->y[i] : low.y;
        high.x = p->x[i] > high.x ? p->x[i] : high.x;
        high.y = p->y[i] > high.y ? p->y[i] : high.y;
    }
    const double margin = MARGIN * cell;
    return (block_range){
        {find_block((double)low.x - margin, center.x, cell), find_block((double)low.y - margin, center.y, cell)},
        {find_block((double)high.x + margin, center.x, cell), find_block((double)high.y + margin, center.y, cell)}};
}

static double count_cells_along(const block_range *range, int axis) {
    return (double)BLOCK * ((double)range->high[axis] - range->low[axis] + 1);
}

static bool is_too_long(const block_range *range, int axis) {
    return count_cells_along(range, axis) > PD_MAC_MOST_CELLS;
}

static bool is_too_large(const pd_world *world, const block_range *range) {
    double limit = fmin(fmax((double)CELLS_PER_PARTICLE * world->particles.count, LEAST_LIMIT), MOST_DEFAULT_CELLS);
    return is_too_long(range, 0) || is_too_long(range, 1) ||
           count_cells_along(range, 0) * count_cells_along(range, 1) > limit;
}

/* Counts the particles in each slab of the range: slab k of axis 0 contains the columns of blocks low + k * width to
 * low + (k + 1) * width - 1, and slabs of axis 1 contain rows. */
static void count_particles_in_slabs(const pd_world *world, const block_range *range, double cell, const int width[2],
                                     int *counts[2]) {
    const pd_particles *p = &world->particles;
    const pd_vec2 center = world->resolution.center;
    for (int i = 0; i < p->count; i++) {
        const int at[2] = {find_block((double)p->x[i], center.x, cell), find_block((double)p->y[i], center.y, cell)};
        if (at[0] < range->low[0] || at[0] > range->high[0] || at[1] < range->low[1] || at[1] > range->high[1])
            continue;
        for (int axis = 0; axis < 2; axis++) counts[axis][(at[axis] - range->low[axis]) / width[axis]]++;
    }
}

/* Removes slabs at the sides of the range until the grid is small enough, each time the outermost column or row with the
 * fewest particles. counts: as in count_particles_in_slabs. A slab at least remains along each axis. */
static void remove_emptiest_slabs(const pd_world *world, block_range *range, const int width[2], int *counts[2]) {
    int first[2] = {0, 0}, last[2];
    const block_range whole = *range;
    for (int axis = 0; axis < 2; axis++) last[axis] = (whole.high[axis] - whole.low[axis]) / width[axis];
    while (is_too_large(world, range)) {
        const bool only_x = is_too_long(range, 0), only_y = !only_x && is_too_long(range, 1);
        int least = -1, chosen = -1; /* chosen: 2 axis + (0: first, 1: last slab) */
        for (int side = 0; side < 4; side++) {
            const int axis = side / 2, slab = side % 2 ? last[axis] : first[axis];
            if (first[axis] == last[axis] || (only_x && axis == 1) || (only_y && axis == 0)) continue;
            if (least >= 0 && counts[axis][slab] >= least) continue;
            least = counts[axis][slab];
            chosen = side;
        }
        if (chosen < 0) return;
        const int axis = chosen / 2;
        if (chosen % 2)
            range->high[axis] = whole.low[axis] + width[axis] * last[axis]-- - 1;
        else
            range->low[axis] = whole.low[axis] + width[axis] * ++first[axis];
    }
}

/* Reduces the range until the grid is small enough. Particles outside move without pressure. */
static void shrink_block_range(const pd_world *world, block_range *range, double cell) {
    int width[2], *counts[2];
    for (int axis = 0; axis < 2; axis++) width[axis] = (range->high[axis] - range->low[axis]) / MOST_SLABS + 1;
    for (int axis = 0; axis < 2; axis++) counts[axis] = pd_memory_require(MOST_SLABS, sizeof(int));
    count_particles_in_slabs(world, range, cell, width, counts);
    remove_emptiest_slabs(world, range, width, counts);
    for (int axis = 0; axis < 2; axis++) pd_memory_free(counts[axis]);
}

static pd_grid choose_grid_around_particles(const pd_world *world) {
    const double cell = 2 * (double)world->resolution.length / choose_usable_resolution(world);
    const pd_vec2 center = world->resolution.center;
    block_range range = find_blocks_around_particles(world, cell);
    while (is_too_large(world, &range)) shrink_block_range(world, &range, cell);
    return (pd_grid){
        .nx = (int)count_cells_along(&range, 0),
        .ny = (int)count_cells_along(&range, 1),
        .cell = cell,
        .origin = {(double)center.x + range.low[0] * BLOCK * cell, (double)center.y + range.low[1] * BLOCK * cell}};
}

/* At the default resolution the number of cells is limited to MOST_DEFAULT_CELLS: with little fluid in a large
 * container the grid could need more memory than the machine has. */
pd_grid pd_flip_choose_grid(const pd_world *world) {
    if (world->scene.container.shape == PD_CONTAINER_NONE) return choose_grid_around_particles(world);
    int resolution = choose_usable_resolution(world);
    pd_grid grid = choose_grid_of_resolution(world, resolution);
    double cells = (double)grid.nx * grid.ny;
    if (cells <= MOST_DEFAULT_CELLS || pd_world_is_parameter_set(world, FLIP_RESOLUTION)) return grid;
    return choose_grid_of_resolution(world, (int)fmax(resolution * sqrt(MOST_DEFAULT_CELLS / cells), 1));
}

bool pd_flip_write_warning(const pd_world *world, const void *memory, int index, char *text, size_t size) {
    const double large = 1e9;
    int set = (int)world->parameter[FLIP_RESOLUTION], usable = choose_usable_resolution(world);
    const bool open = world->scene.container.shape == PD_CONTAINER_NONE;
    pd_grid grid = pd_flip_choose_grid(world), full = open ? grid : choose_grid_of_resolution(world, usable);
    double bytes = (double)grid.nx * grid.ny * BYTES_PER_CELL;
    const flip_state *state = memory;
    if (usable < set && pd_world_is_parameter_set(world, FLIP_RESOLUTION) && index-- == 0) {
        snprintf(text, size,
                 "flip.resolution is lowered from %d to %d, where a cell is as wide as the spacing of the particles "
                 "(use more "
                 "particles)",
                 set, usable);
        return true;
    }
    if (full.nx > grid.nx && index-- == 0) {
        snprintf(text, size,
                 "the fluid is small in its container: %d x %d cells are used instead of %d x %d (make the container "
                 "smaller, or set flip.resolution)",
                 grid.nx, grid.ny, full.nx, full.ny);
        return true;
    }
    if (state && state->particles_outside > 0 && index-- == 0) {
        snprintf(text, size, "%d particles are too far from the others for the grid, and move without pressure",
                 state->particles_outside);
        return true;
    }
    if (state &&
        pd_motion_write_warning(world, 2 * FLIP_CELLS_PER_SUBSTEP * (float)state->mac->grid.cell, text, size) &&
        index-- == 0)
        return true;
    if (bytes < large || index-- != 0) return false;
    snprintf(text, size, "a grid of %d x %d cells takes %.1f GB (lower flip.resolution)", grid.nx, grid.ny,
             bytes * 1e-9);
    return true;
}

/* Creates the staggered grid from a boundary of its own: make_water_container with the scene's obstacles. The wall
 * layer (pd_raster_create) is half a spacing thick. Later calls of pd_mac_update_walls with the world's boundary read
 * only its obstacles. */
pd_result pd_flip_create_mac(const pd_world *world, pd_mac **mac, pd_error *error) {
    pd_scene scene = world->scene; /* a shallow copy with the lists of the world's scene */
    pd_boundary *boundary;
    pd_grid grid = pd_flip_choose_grid(world);
    scene.container = make_water_container(world);
    pd_result result = pd_boundary_create(&boundary, &scene, error);
    if (result != PD_OK) return result;
    result = pd_mac_create(mac, &scene, &grid, boundary, 0.5 * (double)world->resolution.spacing, error);
    pd_boundary_destroy(boundary);
    return result;
}

pd_result pd_flip_replace_walls(const pd_world *world, pd_mac *mac, pd_error *error) {
    pd_scene scene = world->scene;
    pd_boundary *boundary;
    scene.container = make_water_container(world);
    pd_result result = pd_boundary_create(&boundary, &scene, error);
    if (result != PD_OK) return result;
    result = pd_mac_replace_walls(mac, boundary, error);
    pd_boundary_destroy(boundary);
    if (result == PD_OK) pd_mac_update_walls(mac, world->boundary);
    return result;
}

/* ---- Momentum of bodies of liquid that touch no wall ----
 *
 * Conservation of the momentum of bodies of liquid that touch no wall.
 *
 * The pressure assumes a fluid of uniform density with a smooth surface, but the particles' masses at the faces vary. A
 * drop in free flight would gain a little momentum in each substep. The change of a body's momentum by pressure is
 * subtracted, spread evenly over its mass. Effects of the tool and of gravity remain. */

enum { NONE = -1 };

static bool is_body_away_from_walls(const flip_run *body) { return !(body->marks & FLIP_AT_WALL); }

/* Returns the root of a run in union-find. */
static int find_root_run(flip_run *runs, int run) {
    while (runs[run].parent != run) {
        runs[run].parent = runs[runs[run].parent].parent;
        run = runs[run].parent;
    }
    return run;
}

static void join_bodies_of_runs(flip_run *runs, int a, int b) {
    a = find_root_run(runs, a);
    b = find_root_run(runs, b);
    if (a < b)
        runs[b].parent = a;
    else
        runs[a].parent = b;
}

/* Finds the runs of cells with particles around in row j. Returns false if there are more than state->run_capacity. */
static bool find_runs_of_row(flip_state *state, int j) {
    const pd_layout *l = &state->mac->layout;
    const uint8_t *marks = state->marks + pd_element_index(l, 0, j);
    for (int i = 0; i < l->nx;) {
        uint64_t any;
        memcpy(&any, marks + i, sizeof any);
        if (!any) {
            i += 8;
            continue;
        }
        if (!(marks[i] & FLIP_TOUCHED)) {
            i++;
            continue;
        }
        int begin = i;
        uint8_t all = 0;
        for (; i < l->nx && marks[i] & FLIP_TOUCHED; i++) all |= marks[i];
        if (state->run_count == state->run_capacity) return false;
        state->runs[state->run_count] =
            (flip_run){.row = j, .begin = begin, .end = i, .parent = state->run_count, .marks = all};
        state->run_count++;
    }
    return true;
}

/* Adds the momentum and mass at the left and lower faces of a run's cells to *x, *y, *mass_x and *mass_y. The left and
 * lower faces of a body's cells are all its faces, except for faces on the grid's border, which only bodies at walls
 * have. */
static void add_momentum_of_run(const flip_state *state, const flip_run *run, const float *u, const float *v, double *x,
                                double *y, double *mass_x, double *mass_y) {
    size_t row = pd_element_index(&state->mac->layout, 0, run->row);
    for (size_t k = row + (size_t)run->begin; k < row + (size_t)run->end; k++) {
        double of_u = (double)state->pair_x[2 * k + 1], of_v = (double)state->pair_y[2 * k + 1];
        *mass_x += of_u;
        *mass_y += of_v;
        *x += of_u * (double)u[k];
        *y += of_v * (double)v[k];
    }
}

/* With more runs than state->run_capacity, free_run_count stays 0, and the momentum of liquid bodies is not conserved. */
void pd_flip_find_liquid_bodies(flip_state *state) {
    const pd_layout *l = &state->mac->layout;
    flip_run *runs = state->runs;
    state->run_count = state->free_run_count = 0;
    int before = 0, here = 0;
    for (int j = 0; j < l->ny; j++) {
        if (!find_runs_of_row(state, j)) return;
        int end = state->run_count;
        for (int a = before, b = here; a < here && b < end;) {
            if (runs[a].begin < runs[b].end && runs[b].begin < runs[a].end) join_bodies_of_runs(runs, a, b);
            if (runs[a].end < runs[b].end)
                a++;
            else
                b++;
        }
        before = here;
        here = end;
    }
    for (int r = 0; r < state->run_count; r++) {
        int root = find_root_run(runs, r);
        runs[r].parent = root;
        runs[root].marks |= runs[r].marks;
    }
    for (int r = 0; r < state->run_count; r++) {
        flip_run *body = &runs[runs[r].parent];
        if (!is_body_away_from_walls(body)) continue;
        state->free_run_count++;
        add_momentum_of_run(state, &runs[r], state->mac->u, state->mac->v, &body->momentum_x, &body->momentum_y,
                            &body->mass_x, &body->mass_y);
    }
}

void pd_flip_damp_bodies_at_walls(flip_state *state, float lost_fraction, float reference_speed) {
    const float scale = 1 / reference_speed;
    for (int r = 0; r < state->run_count; r++) {
        const flip_run *run = &state->runs[r];
        if (!(state->runs[run->parent].marks & FLIP_AT_WALL)) continue;
        size_t row = pd_element_index(&state->mac->layout, 0, run->row);
        float *u = state->mac->u + row, *v = state->mac->v + row;
        for (int i = run->begin; i < run->end; i++) {
            float x = u[i] * scale, y = v[i] * scale;
            u[i] -= u[i] * (lost_fraction / (1 + x * x));
            v[i] -= v[i] * (lost_fraction / (1 + y * y));
        }
    }
}

void pd_flip_restore_momentum_of_free_bodies(flip_state *state, float *u, float *v) {
    flip_run *runs = state->runs;
    if (!state->free_run_count) return;
    for (int r = 0; r < state->run_count; r++) runs[r].new_momentum_x = runs[r].new_momentum_y = 0;
    for (int r = 0; r < state->run_count; r++) {
        flip_run *body = &runs[runs[r].parent];
        double mass_x = 0, mass_y = 0;
        if (is_body_away_from_walls(body))
            add_momentum_of_run(state, &runs[r], u, v, &body->new_momentum_x, &body->new_momentum_y, &mass_x, &mass_y);
    }
    for (int r = 0; r < state->run_count; r++) {
        const flip_run *body = &runs[runs[r].parent];
        if (!is_body_away_from_walls(body) || !(body->mass_x > 0) || !(body->mass_y > 0)) continue;
        float by_x = (float)((body->momentum_x - body->new_momentum_x) / body->mass_x);
        float by_y = (float)((body->momentum_y - body->new_momentum_y) / body->mass_y);
        size_t row = pd_element_index(&state->mac->layout, 0, runs[r].row);
        for (size_t k = row + (size_t)runs[r].begin; k < row + (size_t)runs[r].end; k++) {
            u[k] += state->pair_x[2 * k + 1] > 0 ? by_x : 0;
            v[k] += state->pair_y[2 * k + 1] > 0 ? by_y : 0;
        }
    }
}

/* ---- Viscosity ----
 *
 * Viscosity of FLIP: implicit diffusion of each component of the velocity, by the solver of the pressure equation:
 *
 *     sum over the neighbours of a (u - u') + u = u before,    a = viscosity dt/cell^2
 *
 * u': velocity at a neighbouring face. The surface and free-slip walls exchange no momentum with the liquid. At no-slip
 * walls u' is the wall's velocity. */

static const float LARGEST = 1e6f; /* limit of a = viscosity dt/cell^2, above which the velocities no longer change */

/* Adds the term a (u - u') for the neighbour `other` to the equation of face `at`. known: the neighbour's velocity is
 * part of the equations; otherwise u' is the velocity wall[other] of a no-slip wall, or (wall is NULL) there is no such
 * term. */
static void add_viscous_exchange(const flip_state *state, size_t at, size_t other, bool known, const float *wall,
                                 float a, float *face) {
    pd_poisson *p = state->mac->poisson;
    if (known) {
        *face = a;
    } else if (!state->mac->slip && wall) {
        p->open[at] += a;
        p->rhs[at] += a * wall[other];
    }
}

/* Returns true if a face's velocity diffuses: the face is open and has particles around. */
static bool is_diffusing_face(const float *open, const float *number, size_t at) {
    return open[at] > 0 && number[at] > 0;
}

static void diffuse_component(flip_state *state, bool vertical, float a, const pd_poisson_method *method,
                              pd_pool *pool) {
    pd_mac *mac = state->mac;
    pd_poisson *p = mac->poisson;
    const pd_layout *l = &mac->layout;
    const size_t up = (size_t)l->stride, bytes = l->count * sizeof(float);
    const float *open = vertical ? mac->open_y : mac->open_x, *number = vertical ? state->number_y : state->number_x;
    const float *wall = vertical ? mac->wall_v : mac->wall_u;
    float *velocity = vertical ? mac->v : mac->u;
    memset(p->face_x, 0, bytes);
    memset(p->face_y, 0, bytes);
    memset(p->open, 0, bytes);
    memset(p->rhs, 0, bytes);
    memcpy(p->q, velocity, bytes);
    for (int j = vertical; j < l->ny; j++)
        for (int i = !vertical; i < l->nx; i++) {
            size_t at = pd_element_index(l, i, j);
            if (!is_diffusing_face(open, number, at)) continue;
            p->open[at] += 1;
            p->rhs[at] += velocity[at];
            const size_t others[4] = {at - 1, at + 1, at - up, at + up};
            float *const faces[4] = {p->face_x + at, p->face_x + at + 1, p->face_y + at, p->face_y + at + up};
            const bool within[4] = {i > !vertical, i<l->nx - 1, j> vertical, j < l->ny - 1};
            for (int k = 0; k < 4; k++) {
                bool known = within[k] && is_diffusing_face(open, number, others[k]);
                /* A wall parallel to the face's velocity is half a cell away, which doubles a. */
                bool along = vertical == (k < 2);
                const float *beside = open[others[k]] > 0 ? NULL : wall;
                add_viscous_exchange(state, at, others[k], known, beside, known || !along ? a : 2 * a, faces[k]);
            }
        }
    pd_poisson_prepare(p, pool);
    pd_poisson_solve(p, method, pool, NULL);
    for (int j = vertical; j < l->ny; j++)
        for (int i = !vertical; i < l->nx; i++) {
            size_t at = pd_element_index(l, i, j);
            if (is_diffusing_face(open, number, at)) velocity[at] = p->q[at];
        }
}

void pd_flip_diffuse_velocities(flip_state *state, float viscosity, float dt, const pd_poisson_method *method,
                                pd_pool *pool) {
    float cell = (float)state->mac->grid.cell, a = fminf(viscosity * dt / (cell * cell), LARGEST);
    if (!(a > 0)) return;
    diffuse_component(state, false, a, method, pool);
    diffuse_component(state, true, a, method, pool);
}
