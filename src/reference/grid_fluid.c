/* Grid fluid after Stam, "Stable Fluids", 1999, on the marker-and-cell grid of Harlow and Welch 1965. Gauss-Seidel
 * projects the velocities themselves, as in tutorials: each cell divides its outflow among its open faces. */
#include "reference/grid_fluid.h"

#include "core/error.h"
#include "reference/cells.h"

#include <math.h>
#include <stdlib.h>

static int index_of(const reference_grid_fluid *f, int i, int j) { return i + f->nx * j; }

static pd_result read_parameters(reference_grid_fluid *f, const pd_world *world, double *ambient, pd_error *error) {
    const reference_key keys[] = {
        {"grid.density", &f->density},
        {"grid.over_relaxation", &f->over_relaxation},
        {"grid.buoyancy", &f->buoyancy},
        {"grid.ambient", ambient},
    };
    return reference_read_parameters(world, keys, sizeof keys / sizeof *keys, error);
}

/* Copies walls and smoke of the cells, and velocities of the faces between two cells of fluid. */
static void copy_fields_from_view(reference_grid_fluid *f, const pd_view *view, const pd_field *field[4],
                                  double ambient) {
    const pd_field *solid = field[0], *smoke = field[1];
    int cells = solid->nx * solid->ny;
    for (int j = 1; j < f->ny - 1; j++)
        for (int i = 1; i < f->nx - 1; i++) {
            int to = index_of(f, i, j), from = i - 1 + solid->nx * (j - 1);
            f->fluid[to] = solid->values[from] < 0.5f ? 1 : 0;
            for (int m = 0; f->fluid[to] > 0 && m < smoke->layers; m++)
                f->smoke[to] += ((double)view->materials[m].mass - ambient) * (double)smoke->values[m * cells + from];
        }
    for (int j = 1; j < f->ny - 1; j++)
        for (int i = 1; i < f->nx - 1; i++) {
            int to = index_of(f, i, j), from = i - 1 + solid->nx * (j - 1);
            if (f->fluid[to] > 0 && f->fluid[to - 1] > 0)
                f->u[to] = 0.5 * ((double)field[2]->values[from] + (double)field[2]->values[from - 1]);
            if (f->fluid[to] > 0 && f->fluid[to - f->nx] > 0)
                f->v[to] = 0.5 * ((double)field[3]->values[from] + (double)field[3]->values[from - solid->nx]);
        }
}

static pd_result copy_world(reference_grid_fluid *f, const pd_world *world, pd_error *error) {
    static const char *const names[] = {"solid", "smoke", "velocity_x", "velocity_y"};
    const pd_field *field[4];
    pd_view view;
    double ambient = 0;
    pd_world_view(world, &view);
    for (int k = 0; k < 4; k++) {
        field[k] = pd_view_field(&view, names[k]);
        if (!field[k] || !field[k]->values)
            return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use a lower resolution)");
    }
    f->nx = field[0]->nx + 2;
    f->ny = field[0]->ny + 2;
    f->cell = (double)field[0]->cell;
    double **const arrays[] = {&f->u, &f->v, &f->fluid, &f->smoke, &f->p, &f->next[0], &f->next[1], &f->next[2]};
    pd_result result = reference_allocate(arrays, sizeof arrays / sizeof *arrays, f->nx * f->ny, error);
    if (result == PD_OK) result = read_parameters(f, world, &ambient, error);
    if (result == PD_OK) copy_fields_from_view(f, &view, field, ambient);
    f->sweeps = REFERENCE_GRID_SWEEPS;
    f->gravity_x = (double)pd_world_gravity(world).x;
    f->gravity_y = (double)pd_world_gravity(world).y;
    return result;
}

pd_result reference_grid_fluid_create(reference_grid_fluid **created, const pd_world *world, pd_error *error) {
    *created = NULL;
    reference_grid_fluid *f = calloc(1, sizeof *f);
    if (!f) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use a lower resolution)");
    pd_result result = copy_world(f, world, error);
    if (result == PD_OK)
        *created = f;
    else
        reference_grid_fluid_destroy(f);
    return result;
}

/* u begins the block of all arrays (reference_allocate), so that only u is freed. */
void reference_grid_fluid_destroy(reference_grid_fluid *f) {
    if (!f) return;
    free(f->u);
    free(f);
}

/* Copies values into the ring of cells around the grid. Normal velocities stay 0: the sides have free slip. */
static void fill_outer_ring(reference_grid_fluid *f) {
    for (int i = 0; i < f->nx; i++) {
        f->u[index_of(f, i, 0)] = f->u[index_of(f, i, 1)];
        f->u[index_of(f, i, f->ny - 1)] = f->u[index_of(f, i, f->ny - 2)];
        f->smoke[index_of(f, i, 0)] = f->smoke[index_of(f, i, 1)];
        f->smoke[index_of(f, i, f->ny - 1)] = f->smoke[index_of(f, i, f->ny - 2)];
    }
    for (int j = 0; j < f->ny; j++) {
        f->v[index_of(f, 0, j)] = f->v[index_of(f, 1, j)];
        f->v[index_of(f, f->nx - 1, j)] = f->v[index_of(f, f->nx - 2, j)];
        f->smoke[index_of(f, 0, j)] = f->smoke[index_of(f, 1, j)];
        f->smoke[index_of(f, f->nx - 1, j)] = f->smoke[index_of(f, f->nx - 2, j)];
    }
}

/* Interpolates an array bilinearly at (x, y), in cells from the array's corner. dx, dy: position of an element in its
 * cell. */
static double sample_field(const reference_grid_fluid *f, const double *values, double x, double y, double dx,
                           double dy) {
    x = fmin(fmax(x - dx, 0), f->nx - 1);
    y = fmin(fmax(y - dy, 0), f->ny - 1);
    int i = (int)fmin(x, f->nx - 2), j = (int)fmin(y, f->ny - 2), k = index_of(f, i, j);
    double tx = x - i, ty = y - j;
    return (1 - ty) * ((1 - tx) * values[k] + tx * values[k + 1]) +
           ty * ((1 - tx) * values[k + f->nx] + tx * values[k + f->nx + 1]);
}

/* Returns the value where the fluid at element (i, j) was before the step. dx, dy: position of an element in its cell.
 * steps: dt / cell, cells moved per m/s. */
static double sample_upstream(const reference_grid_fluid *f, const double *values, int i, int j, double dx, double dy,
                              double steps) {
    double x = i + dx, y = j + dy;
    double vx = sample_field(f, f->u, x, y, 0, 0.5), vy = sample_field(f, f->v, x, y, 0.5, 0);
    return sample_field(f, values, x - steps * vx, y - steps * vy, dx, dy);
}

static void transport_fields(reference_grid_fluid *f, double dt) {
    double steps = dt / f->cell, *u = f->next[0], *v = f->next[1], *smoke = f->next[2];
    fill_outer_ring(f);
    for (int j = 1; j < f->ny - 1; j++)
        for (int i = 1; i < f->nx - 1; i++) {
            int k = index_of(f, i, j);
            bool here = f->fluid[k] > 0, left = f->fluid[k - 1] > 0, below = f->fluid[k - f->nx] > 0;
            u[k] = here && left ? sample_upstream(f, f->u, i, j, 0, 0.5, steps) : 0;
            v[k] = here && below ? sample_upstream(f, f->v, i, j, 0.5, 0, steps) : 0;
            smoke[k] = here ? sample_upstream(f, f->smoke, i, j, 0.5, 0.5, steps) : 0;
        }
    for (int j = 1; j < f->ny - 1; j++)
        for (int i = 1; i < f->nx - 1; i++) {
            int k = index_of(f, i, j);
            f->u[k] = u[k];
            f->v[k] = v[k];
            f->smoke[k] = smoke[k];
        }
}

/* Applies the difference of the smoke's weight to that of its surroundings, which hydrostatic pressure balances. */
static void apply_forces(reference_grid_fluid *f, double dt) {
    double ax = dt * f->buoyancy * f->gravity_x, ay = dt * f->buoyancy * f->gravity_y;
    for (int j = 1; j < f->ny - 1; j++)
        for (int i = 1; i < f->nx - 1; i++) {
            int k = index_of(f, i, j);
            if (f->fluid[k] > 0 && f->fluid[k - 1] > 0) f->u[k] += ax * 0.5 * (f->smoke[k] + f->smoke[k - 1]);
            if (f->fluid[k] > 0 && f->fluid[k - f->nx] > 0) f->v[k] += ay * 0.5 * (f->smoke[k] + f->smoke[k - f->nx]);
        }
}

static void project_velocities(reference_grid_fluid *f, double dt) {
    const double *s = f->fluid;
    double *u = f->u, *v = f->v, *p = f->p, unit = f->density * f->cell / dt;
    int nx = f->nx;
    for (int k = 0; k < nx * f->ny; k++) p[k] = 0;
    for (int sweep = 0; sweep < f->sweeps; sweep++)
        for (int j = 1; j < f->ny - 1; j++)
            for (int i = 1; i < nx - 1; i++) {
                int k = index_of(f, i, j);
                double open = s[k - 1] + s[k + 1] + s[k - nx] + s[k + nx];
                if (!(s[k] > 0) || !(open > 0)) continue;
                double part = f->over_relaxation * ((u[k + 1] - u[k]) + (v[k + nx] - v[k])) / open;
                p[k] -= part * unit;
                u[k] += s[k - 1] * part;
                u[k + 1] -= s[k + 1] * part;
                v[k] += s[k - nx] * part;
                v[k + nx] -= s[k + nx] * part;
            }
}

void reference_grid_fluid_step(reference_grid_fluid *f, double dt) {
    transport_fields(f, dt);
    apply_forces(f, dt);
    project_velocities(f, dt);
}

double reference_grid_fluid_divergence(const reference_grid_fluid *f) {
    double sum = 0, cells = 0;
    for (int j = 1; j < f->ny - 1; j++)
        for (int i = 1; i < f->nx - 1; i++) {
            int k = index_of(f, i, j);
            double outflow = (f->u[k + 1] - f->u[k] + f->v[k + f->nx] - f->v[k]) / f->cell;
            sum += f->fluid[k] * outflow * outflow;
            cells += f->fluid[k];
        }
    return cells > 0 ? sqrt(sum / cells) : 0;
}
