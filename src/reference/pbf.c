/* Position based fluids after Macklin, Mueller: Position Based Fluids, SIGGRAPH 2013, algorithm 1 in two dimensions.
 * Density kernel: spiky, 10/(pi h^5) (h-r)^3, or poly6, 4/(pi h^8) (h^2-r^2)^3; both integrate to 1. Gradients are
 * those of the spiky kernel. */
#include "reference/pbf.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;
/* Distance from the surface that stops particles to the place behind the surface where a kernel's hidden part begins,
 * in interaction radii: reference_walls.outside, with the value of pbf. */
static const double WALL_OFFSET = 0.11;

/* Densities between which the attraction by walls rises from 0 to its full value, over the density of a single particle:
 * single particles and loose pairs fall from ceilings. */
static const double ALONE = 1.2, WITHIN_FLUID = 1.5;

static pd_result read_parameters(reference_pbf *pbf, const pd_world *world, pd_error *error) {
    double iterations, exponent, cohesion, kernel;
    const reference_parameter parameters[] = {
        {"pbf.radius", &pbf->radius},
        {"pbf.rest_density", &pbf->rest_density},
        {"pbf.relaxation", &pbf->relaxation},
        {"pbf.iterations", &iterations},
        {"pbf.scorr_strength", &pbf->scorr_strength},
        {"pbf.scorr_exponent", &exponent},
        {"pbf.scorr_distance", &pbf->scorr_distance},
        {"pbf.cohesion", &cohesion},
        {"pbf.xsph", &pbf->xsph},
        {"pbf.kernel", &kernel},
        {"pbf.wall_density", &pbf->walls.weight},
    };
    pd_result result = reference_read_parameters(world, parameters, sizeof parameters / sizeof *parameters, error);
    if (result != PD_OK) return result;
    pbf->iterations = (int)iterations;
    pbf->scorr_exponent = (int)exponent;
    pbf->cohesion = cohesion != 0;
    pbf->poly6 = kernel != 0;
    pbf->walls.smooth_near_kernel = pbf->poly6;
    return PD_OK;
}

pd_result reference_pbf_create(reference_pbf **created, const pd_world *world, pd_error *error) {
    pd_view view;
    pd_world_view(world, &view);
    *created = NULL;
    reference_pbf *pbf = calloc(1, sizeof *pbf);
    if (!pbf) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    pbf->count = view.count;
    double **const arrays[] = {&pbf->x,       &pbf->y,    &pbf->vx,      &pbf->vy,     &pbf->old_x,  &pbf->old_y,
                               &pbf->delta_x, &pbf->mass, &pbf->density, &pbf->lambda, &pbf->delta_y};
    pd_result result = reference_allocate_arrays(arrays, sizeof arrays / sizeof *arrays, pbf->count, error);
    pbf->behind_walls = calloc((size_t)pbf->count + 1, sizeof *pbf->behind_walls);
    if (result == PD_OK && !pbf->behind_walls)
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    if (result == PD_OK) result = read_parameters(pbf, world, error);
    if (result != PD_OK) {
        reference_pbf_destroy(pbf);
        return result;
    }
    pbf->walls.container = view.container;
    pbf->walls.outside = WALL_OFFSET;
    pbf->gravity_x = (double)pd_world_gravity(world).x;
    pbf->gravity_y = (double)pd_world_gravity(world).y;
    reference_copy_particles(world, pbf->x, pbf->y, pbf->vx, pbf->vy, pbf->mass);
    *created = pbf;
    return PD_OK;
}

void reference_pbf_destroy(reference_pbf *pbf) {
    if (!pbf) return;
    free(pbf->behind_walls);
    free(pbf->x); /* also frees the other arrays of reference_allocate_arrays */
    reference_neighbours_free(&pbf->neighbours);
    reference_cells_free(&pbf->cells);
    free(pbf);
}

/* Computes the fractions of each particle's kernels behind walls, at the present positions. */
static void compute_wall_fractions(reference_pbf *pbf) {
    for (int i = 0; i < pbf->count; i++)
        pbf->behind_walls[i] = reference_compute_wall_fractions(&pbf->walls, pbf->radius, pbf->x[i], pbf->y[i]);
}

/* Computes neighbours' distances and the densities at the present positions. Kernel sums are multiplied by near_gain of
 * the particle's wall fractions. Returns the mean of max(0, n/n0 - 1), n: number density, n0: rest density. */
static double compute_densities(reference_pbf *pbf) {
    reference_neighbours *n = &pbf->neighbours;
    double h = pbf->radius, factor = pbf->poly6 ? 4 / (PI * pow(h, 8)) : 10 / (PI * pow(h, 5)), excess = 0;
    for (int i = 0; i < pbf->count; i++) {
        double cubes = pbf->poly6 ? pow(h, 6) : h * h * h; /* begins with the particle's own contribution */
        for (size_t k = n->start[i]; k < n->start[i + 1]; k++) {
            double dx = pbf->x[i] - pbf->x[n->index[k]], dy = pbf->y[i] - pbf->y[n->index[k]];
            double r = sqrt(dx * dx + dy * dy), e = pbf->poly6 ? h * h - r * r : h - r;
            n->distance[k] = r;
            if (r < h) cubes += e * e * e;
        }
        pbf->density[i] = factor * cubes * pbf->behind_walls[i].near_gain;
        excess += fmax(0, pbf->density[i] / pbf->rest_density - 1);
    }
    return excess / pbf->count;
}

/* Computes lambda, the multiplier of each particle's density constraint (Macklin, Mueller 2013, equations 8 to 11),
 * times near_gain of its wall fractions. */
static void compute_lambdas(reference_pbf *pbf) {
    const reference_neighbours *n = &pbf->neighbours;
    double h = pbf->radius, slope = -30 / (PI * pow(h, 5)) / pbf->rest_density, relaxation = pbf->relaxation / (h * h);
    for (int i = 0; i < pbf->count; i++) {
        double constraint = pbf->density[i] / pbf->rest_density - 1, own_x = 0, own_y = 0, others = 0;
        if (!pbf->cohesion) constraint = fmax(0, constraint);
        for (size_t k = n->start[i]; k < n->start[i + 1]; k++) {
            int j = n->index[k];
            double r = n->distance[k], d = h - r;
            if (r >= h || r <= 0) continue;
            double gradient = slope * d * d;
            own_x += gradient * (pbf->x[i] - pbf->x[j]) / r;
            own_y += gradient * (pbf->y[i] - pbf->y[j]) / r;
            others += gradient * gradient / pbf->mass[j];
        }
        double gain = pbf->behind_walls[i].near_gain, ratio = pbf->density[i] / pbf->rest_density;
        own_x = gain * (own_x + ratio * pbf->behind_walls[i].near_x);
        own_y = gain * (own_y + ratio * pbf->behind_walls[i].near_y);
        double sum = gain * gain * others + (own_x * own_x + own_y * own_y) / pbf->mass[i];
        pbf->lambda[i] = -gain * constraint / (sum + relaxation);
    }
}

static double raise_to_power(double base, int exponent) {
    double result = 1;
    for (int i = 0; i < exponent; i++) result *= base;
    return result;
}

/* Computes delta_x and delta_y, the displacements of all particles (Macklin, Mueller 2013, equation 14). The caller
 * adds them to the positions. */
static void compute_displacements(reference_pbf *pbf) {
    const reference_neighbours *n = &pbf->neighbours;
    double h = pbf->radius, slope = -30 / (PI * pow(h, 5)) / pbf->rest_density;
    double apart = h * h * (1 - pbf->scorr_distance * pbf->scorr_distance), strength = pbf->scorr_strength * h * h;
    for (int i = 0; i < pbf->count; i++) {
        double x = 0, y = 0;
        for (size_t k = n->start[i]; k < n->start[i + 1]; k++) {
            int j = n->index[k];
            double r = n->distance[k], d = h - r, factor = pbf->lambda[i] + pbf->lambda[j];
            if (r >= h || r <= 0) continue;
            if (strength > 0) {
                double ratio = (h * h - r * r) / apart; /* W6(r)/W6(scorr_distance h) = ratio^3, W6: poly6 */
                factor -= strength * raise_to_power(ratio * ratio * ratio, pbf->scorr_exponent);
            }
            factor *= slope * d * d / r;
            x += factor * (pbf->x[i] - pbf->x[j]);
            y += factor * (pbf->y[i] - pbf->y[j]);
        }
        double own = (pbf->poly6 ? 4 : 10) / (PI * h * h) * pbf->behind_walls[i].near_gain;
        double within = fmax(0, fmin(1, (pbf->density[i] / own - ALONE) / (WITHIN_FLUID - ALONE)));
        double wall = fmin(pbf->lambda[i], pbf->lambda[i] * within) * pbf->density[i] / pbf->rest_density;
        double wall_x = pbf->behind_walls[i].near_x, wall_y = pbf->behind_walls[i].near_y;
        wall = reference_limit_attraction(wall, 0, 1, pbf->gravity_x, pbf->gravity_y, &wall_x, &wall_y);
        pbf->delta_x[i] = (x + wall * wall_x) / pbf->mass[i];
        pbf->delta_y[i] = (y + wall * wall_y) / pbf->mass[i];
    }
}

/* Moves a particle that is outside the container onto the wall. */
static void confine_to_container(reference_pbf *pbf, int i) {
    double *x = &pbf->x[i], *y = &pbf->y[i];
    if (pbf->walls.container.shape == PD_CONTAINER_CIRCLE) {
        double distance = sqrt(*x * *x + *y * *y), radius = (double)pbf->walls.container.radius;
        if (distance <= radius) return;
        *x *= radius / distance;
        *y *= radius / distance;
    } else if (pbf->walls.container.shape == PD_CONTAINER_BOX) {
        double right = (double)pbf->walls.container.width / 2, top = (double)pbf->walls.container.height / 2;
        if (fabs(*x) > right) *x = copysign(right, *x);
        if (fabs(*y) > top) *y = copysign(top, *y);
    }
}

/* Applies XSPH viscosity (Macklin, Mueller 2013, equation 17). Its factor c is (parameter pbf.xsph) x dt/(1/60 s), at
 * most 1. */
static void apply_xsph_viscosity(reference_pbf *pbf, double dt) {
    const reference_neighbours *n = &pbf->neighbours;
    double h = pbf->radius, w6 = 4 / (PI * pow(h, 8)), part = fmin(pbf->xsph * dt * 60, 1) / pbf->rest_density;
    for (int i = 0; i < pbf->count; i++) {
        double x = 0, y = 0;
        for (size_t k = n->start[i]; k < n->start[i + 1]; k++) {
            int j = n->index[k];
            double r = n->distance[k], e = h * h - r * r;
            if (r >= h) continue;
            double share = 2 * pbf->mass[j] / (pbf->mass[i] + pbf->mass[j]) * e * e * e;
            x += share * (pbf->vx[j] - pbf->vx[i]);
            y += share * (pbf->vy[j] - pbf->vy[i]);
        }
        pbf->delta_x[i] = part * w6 * x;
        pbf->delta_y[i] = part * w6 * y;
    }
    for (int i = 0; i < pbf->count; i++) {
        pbf->vx[i] += pbf->delta_x[i];
        pbf->vy[i] += pbf->delta_y[i];
    }
}

void reference_pbf_step(reference_pbf *pbf, double dt) {
    if (pbf->count == 0) return;
    for (int i = 0; i < pbf->count; i++) {
        pbf->vx[i] += dt * pbf->gravity_x;
        pbf->vy[i] += dt * pbf->gravity_y;
        pbf->old_x[i] = pbf->x[i];
        pbf->old_y[i] = pbf->y[i];
        pbf->x[i] += dt * pbf->vx[i];
        pbf->y[i] += dt * pbf->vy[i];
    }
    reference_cells_build(&pbf->cells, pbf->x, pbf->y, pbf->count, pbf->radius);
    reference_neighbours_build(&pbf->neighbours, &pbf->cells, pbf->count);
    int iterations = pbf->iterations < REFERENCE_PBF_ITERATIONS ? pbf->iterations : REFERENCE_PBF_ITERATIONS;
    for (int iteration = 0; iteration < iterations; iteration++) {
        compute_wall_fractions(pbf);
        pbf->density_error[iteration] = compute_densities(pbf);
        compute_lambdas(pbf);
        compute_displacements(pbf);
        for (int i = 0; i < pbf->count; i++) {
            pbf->x[i] += pbf->delta_x[i];
            pbf->y[i] += pbf->delta_y[i];
            confine_to_container(pbf, i);
        }
    }
    pbf->density_error[iterations] = compute_densities(pbf);
    for (int i = 0; i < pbf->count; i++) {
        pbf->vx[i] = (pbf->x[i] - pbf->old_x[i]) / dt;
        pbf->vy[i] = (pbf->y[i] - pbf->old_y[i]) / dt;
    }
    if (pbf->xsph > 0) apply_xsph_viscosity(pbf, dt);
}
