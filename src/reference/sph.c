/* SPH with density and near density of Clavet et al. 2005 and the two-dimensional kernels of Mueller et al. 2003, which
 * integrate to 1: W2 = 6/(pi h^4) (h-r)^2, W3 = 10/(pi h^5) (h-r)^3, W6 = 4/(pi h^8) (h^2-r^2)^3. */
#include "reference/sph.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;
static const double DEFAULT_PREDICTION = 1.0 / 120;
/* Distance from the surface that stops particles to the place behind the surface where a kernel's hidden part begins,
 * in interaction radii: reference_walls.outside, with the value of sph. */
static const double WALL_OFFSET = 0.11;

static pd_result read_parameters(reference_sph *sph, const pd_world *world, pd_error *error) {
    const reference_parameter parameters[] = {
        {"sph.radius", &sph->radius},
        {"sph.rest_density", &sph->rest_density},
        {"sph.stiffness", &sph->stiffness},
        {"sph.near_stiffness", &sph->near_stiffness},
        {"sph.viscosity", &sph->viscosity},
        {"sph.damping", &sph->damping},
        {"sph.wall_density", &sph->walls.weight},
    };
    float prediction;
    pd_error none;
    bool given = pd_world_parameter(world, "sph.prediction", &prediction, &none) == PD_OK;
    sph->prediction = given ? (double)prediction : DEFAULT_PREDICTION;
    return reference_read_parameters(world, parameters, sizeof parameters / sizeof *parameters, error);
}

pd_result reference_sph_create(reference_sph **created, const pd_world *world, pd_error *error) {
    pd_view view;
    pd_world_view(world, &view);
    *created = NULL;
    reference_sph *sph = calloc(1, sizeof *sph);
    if (!sph) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    sph->count = view.count;
    double **const arrays[] = {&sph->x,
                               &sph->y,
                               &sph->vx,
                               &sph->vy,
                               &sph->mass,
                               &sph->density,
                               &sph->predicted_x,
                               &sph->predicted_y,
                               &sph->velocity_change_x,
                               &sph->velocity_change_y,
                               &sph->viscosity_limit,
                               &sph->near_density};
    pd_result result = reference_allocate_arrays(arrays, sizeof arrays / sizeof *arrays, sph->count, error);
    sph->behind_walls = calloc((size_t)sph->count + 1, sizeof *sph->behind_walls);
    if (result == PD_OK && !sph->behind_walls)
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    if (result == PD_OK) result = read_parameters(sph, world, error);
    if (result != PD_OK) {
        reference_sph_destroy(sph);
        return result;
    }
    sph->walls.container = view.container;
    sph->walls.outside = WALL_OFFSET;
    sph->gravity_x = (double)pd_world_gravity(world).x;
    sph->gravity_y = (double)pd_world_gravity(world).y;
    reference_copy_particles(world, sph->x, sph->y, sph->vx, sph->vy, sph->mass);
    *created = sph;
    return PD_OK;
}

void reference_sph_destroy(reference_sph *sph) {
    if (!sph) return;
    free(sph->behind_walls);
    free(sph->x); /* also frees the other arrays of reference_allocate_arrays */
    reference_neighbours_free(&sph->neighbours);
    reference_cells_free(&sph->cells);
    free(sph);
}

/* Computes the wall fractions, the densities and the viscosity limits of all particles. The kernel sums are multiplied
 * by the gains of reference_wall_fractions. */
static void compute_densities(reference_sph *sph, double dt) {
    const reference_neighbours *n = &sph->neighbours;
    double h = sph->radius, w2 = 6 / (PI * pow(h, 4)), w3 = 10 / (PI * pow(h, 5));
    for (int i = 0; i < sph->count; i++) {
        double squares = h * h, cubes = h * h * h; /* begin with the particle's own contributions */
        for (size_t k = n->start[i]; k < n->start[i + 1]; k++) {
            double d = h - n->distance[k];
            squares += d * d;
            cubes += d * d * d;
        }
        sph->behind_walls[i] =
            reference_compute_wall_fractions(&sph->walls, h, sph->predicted_x[i], sph->predicted_y[i]);
        sph->density[i] = w2 * squares * sph->behind_walls[i].far_gain;
        sph->near_density[i] = w3 * cubes * sph->behind_walls[i].near_gain;
        sph->viscosity_limit[i] = 1 / sqrt(1 + dt * sph->viscosity * sph->density[i]);
    }
}

/* Returns the pressure of a particle, stiffness (n - n0) x far_gain; n: number density, n0: rest density, far_gain: see
 * reference_wall_fractions. */
static double compute_pressure(const reference_sph *sph, int i) {
    return sph->stiffness * (sph->density[i] - sph->rest_density) * sph->behind_walls[i].far_gain;
}

static double compute_near_pressure(const reference_sph *sph, int i) {
    return sph->near_stiffness * sph->near_density[i] * sph->behind_walls[i].near_gain;
}

/* Adds to velocity_change_x and velocity_change_y the change of a particle's velocity by walls: pressure and near
 * pressure times the gradients of the particle's wall fractions. */
static void add_wall_velocity_change(reference_sph *sph, int i, double dt) {
    const reference_wall_fractions *w = &sph->behind_walls[i];
    double sum = sph->density[i] / w->far_gain * PI * sph->radius * sph->radius / 6, x = w->far_x, y = w->far_y;
    double far = -compute_pressure(sph, i) / sph->density[i];
    double near = -compute_near_pressure(sph, i) * sph->near_density[i] / (sph->density[i] * sph->density[i]);
    double at_rest = compute_near_pressure(sph, i) * w->far_gain / w->near_gain / sph->density[i];
    far = reference_limit_attraction(far, at_rest, reference_compute_part_within_fluid(sum), sph->gravity_x,
                                     sph->gravity_y, &x, &y);
    sph->velocity_change_x[i] += dt / (2 * sph->mass[i]) * (far * x + near * w->near_x);
    sph->velocity_change_y[i] += dt / (2 * sph->mass[i]) * (far * y + near * w->near_y);
}

/* Computes the changes of velocity in dt seconds by pressure, viscosity and walls. The caller then adds them to the
 * velocities. */
static void compute_velocity_changes(reference_sph *sph, double dt) {
    const reference_neighbours *n = &sph->neighbours;
    double h = sph->radius, slope2 = 12 / (PI * pow(h, 4)), slope3 = 30 / (PI * pow(h, 5)), w6 = 4 / (PI * pow(h, 8));
    for (int i = 0; i < sph->count; i++) {
        double pressure_x = 0, pressure_y = 0, viscous_x = 0, viscous_y = 0;
        for (size_t k = n->start[i]; k < n->start[i + 1]; k++) {
            int j = n->index[k];
            double r = n->distance[k], d = h - r, e = h * h - r * r;
            double pressure = (compute_pressure(sph, i) + compute_pressure(sph, j)) / 2;
            double near_pressure = (compute_near_pressure(sph, i) + compute_near_pressure(sph, j)) / 2;
            double force =
                (pressure * slope2 * d + near_pressure * slope3 * d * d) / (sph->density[i] * sph->density[j]);
            /* particles at the same position exert no pressure force on each other */
            double per_distance = r > 0 ? force / r : 0;
            pressure_x += per_distance * (sph->predicted_x[i] - sph->predicted_x[j]);
            pressure_y += per_distance * (sph->predicted_y[i] - sph->predicted_y[j]);
            double share = 2 * sph->mass[j] / (sph->mass[i] + sph->mass[j]) * w6 * e * e * e * sph->viscosity_limit[i] *
                           sph->viscosity_limit[j];
            viscous_x += share * (sph->vx[j] - sph->vx[i]);
            viscous_y += share * (sph->vy[j] - sph->vy[i]);
        }
        sph->velocity_change_x[i] = dt * (pressure_x / sph->mass[i] + sph->viscosity * viscous_x);
        sph->velocity_change_y[i] = dt * (pressure_y / sph->mass[i] + sph->viscosity * viscous_y);
        add_wall_velocity_change(sph, i, dt);
    }
}

/* Moves a particle that is outside the container onto the wall. An outward normal velocity v becomes -damping v. */
static void confine_to_container(reference_sph *sph, int i) {
    double *x = &sph->x[i], *y = &sph->y[i], *vx = &sph->vx[i], *vy = &sph->vy[i];
    if (sph->walls.container.shape == PD_CONTAINER_CIRCLE) {
        double distance = sqrt(*x * *x + *y * *y), radius = (double)sph->walls.container.radius;
        if (distance <= radius) return;
        double nx = *x / distance, ny = *y / distance, outwards = *vx * nx + *vy * ny;
        *x = nx * radius;
        *y = ny * radius;
        if (outwards <= 0) return;
        *vx -= (1 + sph->damping) * outwards * nx;
        *vy -= (1 + sph->damping) * outwards * ny;
    } else if (sph->walls.container.shape == PD_CONTAINER_BOX) {
        double right = (double)sph->walls.container.width / 2, top = (double)sph->walls.container.height / 2;
        if (fabs(*x) > right) {
            *x = copysign(right, *x);
            if (*vx * *x > 0) *vx *= -sph->damping;
        }
        if (fabs(*y) > top) {
            *y = copysign(top, *y);
            if (*vy * *y > 0) *vy *= -sph->damping;
        }
    }
}

void reference_sph_step(reference_sph *sph, double dt) {
    if (sph->count == 0) return;
    for (int i = 0; i < sph->count; i++) {
        sph->vx[i] += dt * sph->gravity_x;
        sph->vy[i] += dt * sph->gravity_y;
        sph->predicted_x[i] = sph->x[i] + sph->prediction * sph->vx[i];
        sph->predicted_y[i] = sph->y[i] + sph->prediction * sph->vy[i];
    }
    reference_cells_build(&sph->cells, sph->predicted_x, sph->predicted_y, sph->count, sph->radius);
    reference_neighbours_build(&sph->neighbours, &sph->cells, sph->count);
    compute_densities(sph, dt);
    compute_velocity_changes(sph, dt);
    for (int i = 0; i < sph->count; i++) {
        sph->vx[i] += sph->velocity_change_x[i];
        sph->vy[i] += sph->velocity_change_y[i];
        sph->x[i] += dt * sph->vx[i];
        sph->y[i] += dt * sph->vy[i];
        confine_to_container(sph, i);
    }
}
