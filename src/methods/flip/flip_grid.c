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
static bool shrink_block_range(const pd_world *world, block_range *range, double cell) {
    int width[2], *counts[2];
    for (int axis = 0; axis < 2; axis++) width[axis] = (range->high[axis] - range->low[axis]) / MOST_SLABS + 1;
    for (int axis = 0; axis < 2; axis++) counts[axis] = pd_allocate(MOST_SLABS, sizeof(int));
    const bool whole = counts[0] && counts[1];
    if (whole) {
        count_particles_in_slabs(world, range, cell, width, counts);
        remove_emptiest_slabs(world, range, width, counts);
    }
    for (int axis = 0; axis < 2; axis++) pd_free(counts[axis]);
    return whole;
}

static pd_grid choose_grid_around_particles(const pd_world *world) {
    const double cell = 2 * (double)world->resolution.length / choose_usable_resolution(world);
    const pd_vec2 center = world->resolution.center;
    block_range range = find_blocks_around_particles(world, cell);
    while (is_too_large(world, &range))
        if (!shrink_block_range(world, &range, cell)) {
            range.high[0] = range.low[0];
            range.high[1] = range.low[1];
        }
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
