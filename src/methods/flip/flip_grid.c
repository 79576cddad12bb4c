/* Grid of FLIP: its size, its walls, and the warnings about it. */
#include "methods/flip/flip.h"

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
    /* Without a container the grid's sides are three times the fluid's extent, and need as many times more cells. */
    if (container.shape == PD_CONTAINER_NONE) resolution *= 3;
    return pd_mac_choose_grid(&container, (double)world->resolution.length, resolution);
}

/* At the default resolution the number of cells is limited to MOST_DEFAULT_CELLS: with little fluid in a large
 * container the grid could need more memory than the machine has. */
pd_grid pd_flip_choose_grid(const pd_world *world) {
    int resolution = choose_usable_resolution(world);
    pd_grid grid = choose_grid_of_resolution(world, resolution);
    double cells = (double)grid.nx * grid.ny;
    if (cells <= MOST_DEFAULT_CELLS || pd_world_is_parameter_set(world, FLIP_RESOLUTION)) return grid;
    return choose_grid_of_resolution(world, (int)fmax(resolution * sqrt(MOST_DEFAULT_CELLS / cells), 1));
}

bool pd_flip_write_warning(const pd_world *world, const void *memory, int index, char *text, size_t size) {
    const double large = 1e9;
    int set = (int)world->parameter[FLIP_RESOLUTION], usable = choose_usable_resolution(world);
    pd_grid grid = pd_flip_choose_grid(world), full = choose_grid_of_resolution(world, usable);
    double bytes = (double)grid.nx * grid.ny * BYTES_PER_CELL;
    (void)memory;
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
