/* Position based fluids after Macklin, Mueller: Position Based Fluids, SIGGRAPH 2013, algorithm 1 in two dimensions.
 * Density kernel: spiky, 10/(pi h^5) (h-r)^3, or poly6, 4/(pi h^8) (h^2-r^2)^3. Gradients: spiky. Both integrate to
 * 1. */
#include "reference/pbf.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;
/* distance by which the fluid reaches beyond the line where particle centres stop, in interaction radii */
static const double WALL_OUTSIDE = 0.11;

static pd_result read_parameters(reference_pbf *p, const pd_world *world, pd_error *error) {
    double iterations, exponent, cohesion, kernel;
    const reference_key keys[] = {
        {"pbf.radius", &p->radius},
        {"pbf.rest_density", &p->rest_density},
        {"pbf.relaxation", &p->relaxation},
        {"pbf.iterations", &iterations},
        {"pbf.scorr_strength", &p->scorr_strength},
        {"pbf.scorr_exponent", &exponent},
        {"pbf.scorr_distance", &p->scorr_distance},
        {"pbf.cohesion", &cohesion},
        {"pbf.xsph", &p->xsph},
        {"pbf.kernel", &kernel},
        {"pbf.wall_density", &p->walls.weight},
    };
    pd_result result = reference_read_parameters(world, keys, sizeof keys / sizeof *keys, error);
    if (result != PD_OK) return result;
    p->iterations = (int)iterations;
    p->scorr_exponent = (int)exponent;
    p->cohesion = cohesion != 0;
    p->poly6 = kernel != 0;
    p->walls.smooth = p->poly6;
    return PD_OK;
}

pd_result reference_pbf_create(reference_pbf **created, const pd_world *world, pd_error *error) {
    pd_view view;
    pd_world_view(world, &view);
    *created = NULL;
    reference_pbf *p = calloc(1, sizeof *p);
    if (!p) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    p->count = view.count;
    double **const arrays[] = {&p->x,       &p->y,    &p->vx,      &p->vy,     &p->old_x,  &p->old_y,
                               &p->delta_x, &p->mass, &p->density, &p->lambda, &p->delta_y};
    pd_result result = reference_allocate(arrays, sizeof arrays / sizeof *arrays, p->count, error);
    p->hidden = calloc((size_t)p->count + 1, sizeof *p->hidden);
    if (result == PD_OK && !p->hidden)
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    if (result == PD_OK) result = read_parameters(p, world, error);
    if (result != PD_OK) {
        reference_pbf_destroy(p);
        return result;
    }
    p->walls.container = view.container;
    p->walls.outside = WALL_OUTSIDE;
    p->gravity_x = (double)pd_world_gravity(world).x;
    p->gravity_y = (double)pd_world_gravity(world).y;
    reference_copy_particles(world, p->x, p->y, p->vx, p->vy, p->mass);
    *created = p;
    return PD_OK;
}

void reference_pbf_destroy(reference_pbf *p) {
    if (!p) return;
    free(p->hidden);
    free(p->x); /* frees the block of all arrays (reference_allocate) */
    reference_neighbours_free(&p->neighbours);
    reference_cells_free(&p->cells);
    free(p);
}

/* Computes the fractions of each particle's kernels that walls hide, at the present positions. */
static void compute_hidden(reference_pbf *p) {
    for (int i = 0; i < p->count; i++) p->hidden[i] = reference_hidden_at(&p->walls, p->radius, p->x[i], p->y[i]);
}

/* Computes distances and densities at the present positions. A wall's gain replaces the fluid that the wall hides.
 * Returns the mean of max(0, n/n0 - 1), n: number density, n0: at rest. */
static double compute_densities(reference_pbf *p) {
    reference_neighbours *n = &p->neighbours;
    double h = p->radius, factor = p->poly6 ? 4 / (PI * pow(h, 8)) : 10 / (PI * pow(h, 5)), excess = 0;
    for (int i = 0; i < p->count; i++) {
        double cubes = p->poly6 ? pow(h, 6) : h * h * h; /* contribution of the particle itself */
        for (size_t k = n->start[i]; k < n->start[i + 1]; k++) {
            double dx = p->x[i] - p->x[n->index[k]], dy = p->y[i] - p->y[n->index[k]];
            double r = sqrt(dx * dx + dy * dy), e = p->poly6 ? h * h - r * r : h - r;
            n->distance[k] = r;
            if (r < h) cubes += e * e * e;
        }
        p->density[i] = factor * cubes * p->hidden[i].near_gain;
        excess += fmax(0, p->density[i] / p->rest_density - 1);
    }
    return excess / p->count;
}

/* Computes the multiplier lambda of each particle's density constraint (equations 8 to 11), times the gain near
 * walls. */
static void compute_lambdas(reference_pbf *p) {
    const reference_neighbours *n = &p->neighbours;
    double h = p->radius, slope = -30 / (PI * pow(h, 5)) / p->rest_density, relaxation = p->relaxation / (h * h);
    for (int i = 0; i < p->count; i++) {
        double constraint = p->density[i] / p->rest_density - 1, own_x = 0, own_y = 0, others = 0;
        if (!p->cohesion) constraint = fmax(0, constraint);
        for (size_t k = n->start[i]; k < n->start[i + 1]; k++) {
            int j = n->index[k];
            double r = n->distance[k], d = h - r;
            if (r >= h || r <= 0) continue;
            double gradient = slope * d * d;
            own_x += gradient * (p->x[i] - p->x[j]) / r;
            own_y += gradient * (p->y[i] - p->y[j]) / r;
            others += gradient * gradient / p->mass[j];
        }
        double gain = p->hidden[i].near_gain, ratio = p->density[i] / p->rest_density;
        own_x = gain * (own_x + ratio * p->hidden[i].near_x);
        own_y = gain * (own_y + ratio * p->hidden[i].near_y);
        double sum = gain * gain * others + (own_x * own_x + own_y * own_y) / p->mass[i];
        p->lambda[i] = -gain * constraint / (sum + relaxation);
    }
}

static double integer_power(double base, int exponent) {
    double result = 1;
    for (int i = 0; i < exponent; i++) result *= base;
    return result;
}

/* Computes the displacements of all particles (equation 14). Positions change afterwards, all at once. */
static void compute_deltas(reference_pbf *p) {
    const reference_neighbours *n = &p->neighbours;
    double h = p->radius, slope = -30 / (PI * pow(h, 5)) / p->rest_density;
    double apart = h * h * (1 - p->scorr_distance * p->scorr_distance), strength = p->scorr_strength * h * h;
    for (int i = 0; i < p->count; i++) {
        double x = 0, y = 0;
        for (size_t k = n->start[i]; k < n->start[i + 1]; k++) {
            int j = n->index[k];
            double r = n->distance[k], d = h - r, factor = p->lambda[i] + p->lambda[j];
            if (r >= h || r <= 0) continue;
            if (strength > 0) {
                double ratio = (h * h - r * r) / apart; /* the cube of this ratio is W6(r)/W6(dq) */
                factor -= strength * integer_power(ratio * ratio * ratio, p->scorr_exponent);
            }
            factor *= slope * d * d / r;
            x += factor * (p->x[i] - p->x[j]);
            y += factor * (p->y[i] - p->y[j]);
        }
        double wall = p->lambda[i] * p->density[i] / p->rest_density;
        p->delta_x[i] = (x + wall * p->hidden[i].near_x) / p->mass[i];
        p->delta_y[i] = (y + wall * p->hidden[i].near_y) / p->mass[i];
    }
}

/* Moves a particle outside the container onto the wall. */
static void contain_particle(reference_pbf *p, int i) {
    double *x = &p->x[i], *y = &p->y[i];
    if (p->walls.container.shape == PD_CONTAINER_CIRCLE) {
        double distance = sqrt(*x * *x + *y * *y), radius = (double)p->walls.container.radius;
        if (distance <= radius) return;
        *x *= radius / distance;
        *y *= radius / distance;
    } else if (p->walls.container.shape == PD_CONTAINER_BOX) {
        double right = (double)p->walls.container.width / 2, top = (double)p->walls.container.height / 2;
        if (fabs(*x) > right) *x = copysign(right, *x);
        if (fabs(*y) > top) *y = copysign(top, *y);
    }
}

/* Applies XSPH viscosity (equation 17). The factor pbf.xsph is per 1/60 s. */
static void apply_xsph(reference_pbf *p, double dt) {
    const reference_neighbours *n = &p->neighbours;
    double h = p->radius, w6 = 4 / (PI * pow(h, 8)), part = fmin(p->xsph * dt * 60, 1) / p->rest_density;
    for (int i = 0; i < p->count; i++) {
        double x = 0, y = 0;
        for (size_t k = n->start[i]; k < n->start[i + 1]; k++) {
            int j = n->index[k];
            double r = n->distance[k], e = h * h - r * r;
            if (r >= h) continue;
            double share = 2 * p->mass[j] / (p->mass[i] + p->mass[j]) * e * e * e;
            x += share * (p->vx[j] - p->vx[i]);
            y += share * (p->vy[j] - p->vy[i]);
        }
        p->delta_x[i] = part * w6 * x;
        p->delta_y[i] = part * w6 * y;
    }
    for (int i = 0; i < p->count; i++) {
        p->vx[i] += p->delta_x[i];
        p->vy[i] += p->delta_y[i];
    }
}

void reference_pbf_step(reference_pbf *p, double dt) {
    if (p->count == 0) return;
    for (int i = 0; i < p->count; i++) {
        p->vx[i] += dt * p->gravity_x;
        p->vy[i] += dt * p->gravity_y;
        p->old_x[i] = p->x[i];
        p->old_y[i] = p->y[i];
        p->x[i] += dt * p->vx[i];
        p->y[i] += dt * p->vy[i];
    }
    reference_cells_build(&p->cells, p->x, p->y, p->count, p->radius);
    reference_neighbours_find(&p->neighbours, &p->cells, p->count);
    int iterations = p->iterations < REFERENCE_PBF_ITERATIONS ? p->iterations : REFERENCE_PBF_ITERATIONS;
    for (int iteration = 0; iteration < iterations; iteration++) {
        compute_hidden(p);
        p->density_error[iteration] = compute_densities(p);
        compute_lambdas(p);
        compute_deltas(p);
        for (int i = 0; i < p->count; i++) {
            p->x[i] += p->delta_x[i];
            p->y[i] += p->delta_y[i];
            contain_particle(p, i);
        }
    }
    p->density_error[iterations] = compute_densities(p);
    for (int i = 0; i < p->count; i++) {
        p->vx[i] = (p->x[i] - p->old_x[i]) / dt;
        p->vy[i] = (p->y[i] - p->old_y[i]) / dt;
    }
    if (p->xsph > 0) apply_xsph(p, dt);
}
