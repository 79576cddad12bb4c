/* Grid fluid after Stam, "Stable Fluids", 1999, on the marker-and-cell grid of Harlow and Welch 1965. Gauss-Seidel
 * works on the velocities instead of the pressure: each cell distributes its outflow over its open faces. */
#include "reference/grid_fluid.h"

#include "core/error.h"
#include "reference/cells.h"

#include <math.h>
#include <stdlib.h>

static int cell_index(const reference_grid_fluid *grid, int i, int j) { return i + grid->nx * j; }

static pd_result read_parameters(reference_grid_fluid *grid, const pd_world *world, double *ambient, pd_error *error) {
    const reference_parameter parameters[] = {
        {"grid.density", &grid->density},
        {"grid.over_relaxation", &grid->over_relaxation},
        {"grid.buoyancy", &grid->buoyancy},
        {"grid.ambient", ambient},
    };
    return reference_read_parameters(world, parameters, sizeof parameters / sizeof *parameters, error);
}

/* Copies walls and smoke to the cells, and mean velocities to the faces between two fluid cells. fields: "solid",
 * "smoke", "velocity_x", "velocity_y" of the view. ambient: mass of the surroundings. */
static void copy_fields_from_view(reference_grid_fluid *grid, const pd_view *view, const pd_field *fields[4],
                                  double ambient) {
    const pd_field *solid = fields[0], *smoke = fields[1];
    int cells = solid->nx * solid->ny;
    for (int j = 1; j < grid->ny - 1; j++)
        for (int i = 1; i < grid->nx - 1; i++) {
            int to = cell_index(grid, i, j), from = i - 1 + solid->nx * (j - 1);
            grid->fluid[to] = solid->values[from] < 0.5f ? 1 : 0;
            for (int m = 0; grid->fluid[to] > 0 && m < smoke->layers; m++)
                grid->smoke[to] +=
                    ((double)view->materials[m].mass - ambient) * (double)smoke->values[m * cells + from];
        }
    for (int j = 1; j < grid->ny - 1; j++)
        for (int i = 1; i < grid->nx - 1; i++) {
            int to = cell_index(grid, i, j), from = i - 1 + solid->nx * (j - 1);
            if (grid->fluid[to] > 0 && grid->fluid[to - 1] > 0)
                grid->u[to] = 0.5 * ((double)fields[2]->values[from] + (double)fields[2]->values[from - 1]);
            if (grid->fluid[to] > 0 && grid->fluid[to - grid->nx] > 0)
                grid->v[to] = 0.5 * ((double)fields[3]->values[from] + (double)fields[3]->values[from - solid->nx]);
        }
}

static pd_result copy_world(reference_grid_fluid *grid, const pd_world *world, pd_error *error) {
    static const char *const names[] = {"solid", "smoke", "velocity_x", "velocity_y"};
    const pd_field *fields[4];
    pd_view view;
    double ambient = 0;
    pd_world_view(world, &view);
    for (int k = 0; k < 4; k++) {
        fields[k] = pd_view_field(&view, names[k]);
        if (!fields[k] || !fields[k]->values)
            return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use a lower resolution)");
    }
    grid->nx = fields[0]->nx + 2;
    grid->ny = fields[0]->ny + 2;
    grid->cell = (double)fields[0]->cell;
    double **const arrays[] = {&grid->u, &grid->v,       &grid->fluid,   &grid->smoke,
                               &grid->p, &grid->next[0], &grid->next[1], &grid->next[2]};
    pd_result result = reference_allocate_arrays(arrays, sizeof arrays / sizeof *arrays, grid->nx * grid->ny, error);
    if (result == PD_OK) result = read_parameters(grid, world, &ambient, error);
    if (result == PD_OK) copy_fields_from_view(grid, &view, fields, ambient);
    grid->sweeps = REFERENCE_GRID_SWEEPS;
    grid->gravity_x = (double)pd_world_gravity(world).x;
    grid->gravity_y = (double)pd_world_gravity(world).y;
    return result;
}

pd_result reference_grid_fluid_create(reference_grid_fluid **created, const pd_world *world, pd_error *error) {
    *created = NULL;
    reference_grid_fluid *grid = calloc(1, sizeof *grid);
    if (!grid) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use a lower resolution)");
    pd_result result = copy_world(grid, world, error);
    if (result == PD_OK)
        *created = grid;
    else
        reference_grid_fluid_destroy(grid);
    return result;
}

/* Frees all arrays by the first one (reference_allocate_arrays). */
void reference_grid_fluid_destroy(reference_grid_fluid *grid) {
    if (!grid) return;
    free(grid->u);
    free(grid);
}

/* Copies smoke and tangential velocities to the outermost cells. Normal velocities on the grid's sides stay 0. */
static void copy_values_to_outer_ring_of_cells(reference_grid_fluid *grid) {
    for (int i = 0; i < grid->nx; i++) {
        grid->u[cell_index(grid, i, 0)] = grid->u[cell_index(grid, i, 1)];
        grid->u[cell_index(grid, i, grid->ny - 1)] = grid->u[cell_index(grid, i, grid->ny - 2)];
        grid->smoke[cell_index(grid, i, 0)] = grid->smoke[cell_index(grid, i, 1)];
        grid->smoke[cell_index(grid, i, grid->ny - 1)] = grid->smoke[cell_index(grid, i, grid->ny - 2)];
    }
    for (int j = 0; j < grid->ny; j++) {
        grid->v[cell_index(grid, 0, j)] = grid->v[cell_index(grid, 1, j)];
        grid->v[cell_index(grid, grid->nx - 1, j)] = grid->v[cell_index(grid, grid->nx - 2, j)];
        grid->smoke[cell_index(grid, 0, j)] = grid->smoke[cell_index(grid, 1, j)];
        grid->smoke[cell_index(grid, grid->nx - 1, j)] = grid->smoke[cell_index(grid, grid->nx - 2, j)];
    }
}

/* Interpolates an array bilinearly at (x, y), in cells from the grid's lower left corner. offset_x, offset_y: position
 * of the array's elements in their cells, (0, 0.5) for u. */
static double interpolate_field(const reference_grid_fluid *grid, const double *values, double x, double y,
                                double offset_x, double offset_y) {
    x = fmin(fmax(x - offset_x, 0), grid->nx - 1);
    y = fmin(fmax(y - offset_y, 0), grid->ny - 1);
    int i = (int)fmin(x, grid->nx - 2), j = (int)fmin(y, grid->ny - 2), k = cell_index(grid, i, j);
    double tx = x - i, ty = y - j;
    return (1 - ty) * ((1 - tx) * values[k] + tx * values[k + 1]) +
           ty * ((1 - tx) * values[k + grid->nx] + tx * values[k + grid->nx + 1]);
}

/* Returns the value at the point from which the flow carries fluid to element (i, j) in this step. offset_x,
 * offset_y: see interpolate_field. cells_per_speed: dt divided by the side of a cell, s/m. */
static double interpolate_at_origin(const reference_grid_fluid *grid, const double *values, int i, int j,
                                    double offset_x, double offset_y, double cells_per_speed) {
    double x = i + offset_x, y = j + offset_y;
    double vx = interpolate_field(grid, grid->u, x, y, 0, 0.5), vy = interpolate_field(grid, grid->v, x, y, 0.5, 0);
    return interpolate_field(grid, values, x - cells_per_speed * vx, y - cells_per_speed * vy, offset_x, offset_y);
}

static void advect_fields(reference_grid_fluid *grid, double dt) {
    double cells_per_speed = dt / grid->cell, *u = grid->next[0], *v = grid->next[1], *smoke = grid->next[2];
    copy_values_to_outer_ring_of_cells(grid);
    for (int j = 1; j < grid->ny - 1; j++)
        for (int i = 1; i < grid->nx - 1; i++) {
            int k = cell_index(grid, i, j);
            bool here = grid->fluid[k] > 0, left = grid->fluid[k - 1] > 0, below = grid->fluid[k - grid->nx] > 0;
            u[k] = here && left ? interpolate_at_origin(grid, grid->u, i, j, 0, 0.5, cells_per_speed) : 0;
            v[k] = here && below ? interpolate_at_origin(grid, grid->v, i, j, 0.5, 0, cells_per_speed) : 0;
            smoke[k] = here ? interpolate_at_origin(grid, grid->smoke, i, j, 0.5, 0.5, cells_per_speed) : 0;
        }
    for (int j = 1; j < grid->ny - 1; j++)
        for (int i = 1; i < grid->nx - 1; i++) {
            int k = cell_index(grid, i, j);
            grid->u[k] = u[k];
            grid->v[k] = v[k];
            grid->smoke[k] = smoke[k];
        }
}

/* Applies buoyancy: adds dt x buoyancy x gravity x smoke to the velocities, smoke as excess mass. The weight of the
 * surroundings themselves is balanced by hydrostatic pressure. */
static void apply_forces(reference_grid_fluid *grid, double dt) {
    double ax = dt * grid->buoyancy * grid->gravity_x, ay = dt * grid->buoyancy * grid->gravity_y;
    for (int j = 1; j < grid->ny - 1; j++)
        for (int i = 1; i < grid->nx - 1; i++) {
            int k = cell_index(grid, i, j);
            if (grid->fluid[k] > 0 && grid->fluid[k - 1] > 0)
                grid->u[k] += ax * 0.5 * (grid->smoke[k] + grid->smoke[k - 1]);
            if (grid->fluid[k] > 0 && grid->fluid[k - grid->nx] > 0)
                grid->v[k] += ay * 0.5 * (grid->smoke[k] + grid->smoke[k - grid->nx]);
        }
}

static void project_velocities(reference_grid_fluid *grid, double dt) {
    const double *s = grid->fluid;
    double *u = grid->u, *v = grid->v, *p = grid->p, unit = grid->density * grid->cell / dt;
    int nx = grid->nx;
    for (int k = 0; k < nx * grid->ny; k++) p[k] = 0;
    for (int sweep = 0; sweep < grid->sweeps; sweep++)
        for (int j = 1; j < grid->ny - 1; j++)
            for (int i = 1; i < nx - 1; i++) {
                int k = cell_index(grid, i, j);
                double open = s[k - 1] + s[k + 1] + s[k - nx] + s[k + nx];
                if (!(s[k] > 0) || !(open > 0)) continue;
                double part = grid->over_relaxation * ((u[k + 1] - u[k]) + (v[k + nx] - v[k])) / open;
                p[k] -= part * unit;
                u[k] += s[k - 1] * part;
                u[k + 1] -= s[k + 1] * part;
                v[k] += s[k - nx] * part;
                v[k + nx] -= s[k + nx] * part;
            }
}

void reference_grid_fluid_step(reference_grid_fluid *grid, double dt) {
    advect_fields(grid, dt);
    apply_forces(grid, dt);
    project_velocities(grid, dt);
}
