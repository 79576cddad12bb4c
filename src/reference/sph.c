/* SPH with the two densities of Clavet et al. 2005 and the two-dimensional kernels of Mueller et al. 2003, which
 * integrate to 1: W2 = 6/(pi h^4) (h-r)^2, W3 = 10/(pi h^5) (h-r)^3, W6 = 4/(pi h^8) (h^2-r^2)^3. */
#include "reference/sph.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;
static const double DEFAULT_PREDICTION = 1.0 / 120;
/* distance of the fluid's end behind the wall, as a fraction of the interaction radius */
static const double WALL_OUTSIDE = 0.11;

static pd_result read_parameters(reference_sph *s, const pd_world *world, pd_error *error) {
    const reference_key keys[] = {
        {"sph.radius", &s->radius},
        {"sph.rest_density", &s->rest_density},
        {"sph.stiffness", &s->stiffness},
        {"sph.near_stiffness", &s->near_stiffness},
        {"sph.viscosity", &s->viscosity},
        {"sph.damping", &s->damping},
        {"sph.wall_density", &s->walls.weight},
    };
    float prediction;
    pd_error none;
    bool given = pd_world_parameter(world, "sph.prediction", &prediction, &none) == PD_OK;
    s->prediction = given ? (double)prediction : DEFAULT_PREDICTION;
    return reference_read_parameters(world, keys, sizeof keys / sizeof *keys, error);
}

pd_result reference_sph_create(reference_sph **created, const pd_world *world, pd_error *error) {
    pd_view view;
    pd_world_view(world, &view);
    *created = NULL;
    reference_sph *s = calloc(1, sizeof *s);
    if (!s) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    s->count = view.count;
    double **const arrays[] = {&s->x,
                               &s->y,
                               &s->vx,
                               &s->vy,
                               &s->mass,
                               &s->density,
                               &s->predicted_x,
                               &s->predicted_y,
                               &s->change_x,
                               &s->change_y,
                               &s->viscosity_limit,
                               &s->near_density};
    pd_result result = reference_allocate(arrays, sizeof arrays / sizeof *arrays, s->count, error);
    s->hidden = calloc((size_t)s->count + 1, sizeof *s->hidden);
    if (result == PD_OK && !s->hidden)
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    if (result == PD_OK) result = read_parameters(s, world, error);
    if (result != PD_OK) {
        reference_sph_destroy(s);
        return result;
    }
    s->walls.container = view.container;
    s->walls.outside = WALL_OUTSIDE;
    s->gravity_x = (double)pd_world_gravity(world).x;
    s->gravity_y = (double)pd_world_gravity(world).y;
    reference_copy_particles(world, s->x, s->y, s->vx, s->vy, s->mass);
    *created = s;
    return PD_OK;
}

void reference_sph_destroy(reference_sph *s) {
    if (!s) return;
    free(s->hidden);
    free(s->x); /* frees the block of all arrays (reference_allocate) */
    reference_neighbours_free(&s->neighbours);
    reference_cells_free(&s->cells);
    free(s);
}

/* Computes the densities of all particles. A wall's gain replaces the fluid that the wall hides. */
static void compute_densities(reference_sph *s, double dt) {
    const reference_neighbours *n = &s->neighbours;
    double h = s->radius, w2 = 6 / (PI * pow(h, 4)), w3 = 10 / (PI * pow(h, 5));
    for (int i = 0; i < s->count; i++) {
        double squares = h * h, cubes = h * h * h; /* contributions of the particle itself */
        for (size_t k = n->start[i]; k < n->start[i + 1]; k++) {
            double d = h - n->distance[k];
            squares += d * d;
            cubes += d * d * d;
        }
        s->hidden[i] = reference_hidden_at(&s->walls, h, s->predicted_x[i], s->predicted_y[i]);
        s->density[i] = w2 * squares * s->hidden[i].far_gain;
        s->near_density[i] = w3 * cubes * s->hidden[i].near_gain;
        s->viscosity_limit[i] = 1 / sqrt(1 + dt * s->viscosity * s->density[i]);
    }
}

/* Returns the pressure of a particle on its neighbours, times the gain near walls. */
static double pressure_of(const reference_sph *s, int i) {
    return s->stiffness * (s->density[i] - s->rest_density) * s->hidden[i].far_gain;
}

static double near_pressure_of(const reference_sph *s, int i) {
    return s->near_stiffness * s->near_density[i] * s->hidden[i].near_gain;
}

/* Adds the changes of velocity by walls: gradients of the hidden fractions times both pressures. */
static void push_off_walls(reference_sph *s, int i, double dt) {
    const reference_hidden *w = &s->hidden[i];
    double far = pressure_of(s, i) / s->density[i];
    double near = near_pressure_of(s, i) * s->near_density[i] / (s->density[i] * s->density[i]);
    s->change_x[i] -= dt / (2 * s->mass[i]) * (far * w->far_x + near * w->near_x);
    s->change_y[i] -= dt / (2 * s->mass[i]) * (far * w->far_y + near * w->near_y);
}

/* Computes the changes of velocity by pressure and viscosity in dt seconds. Velocities change afterwards, all at
 * once. */
static void compute_changes(reference_sph *s, double dt) {
    const reference_neighbours *n = &s->neighbours;
    double h = s->radius, slope2 = 12 / (PI * pow(h, 4)), slope3 = 30 / (PI * pow(h, 5)), w6 = 4 / (PI * pow(h, 8));
    for (int i = 0; i < s->count; i++) {
        double pressure_x = 0, pressure_y = 0, viscous_x = 0, viscous_y = 0;
        for (size_t k = n->start[i]; k < n->start[i + 1]; k++) {
            int j = n->index[k];
            double r = n->distance[k], d = h - r, e = h * h - r * r;
            double pressure = (pressure_of(s, i) + pressure_of(s, j)) / 2;
            double near_pressure = (near_pressure_of(s, i) + near_pressure_of(s, j)) / 2;
            double force = (pressure * slope2 * d + near_pressure * slope3 * d * d) / (s->density[i] * s->density[j]);
            double per_distance = r > 0 ? force / r : 0; /* coincident particles have no direction and no force */
            pressure_x += per_distance * (s->predicted_x[i] - s->predicted_x[j]);
            pressure_y += per_distance * (s->predicted_y[i] - s->predicted_y[j]);
            double share = 2 * s->mass[j] / (s->mass[i] + s->mass[j]) * w6 * e * e * e * s->viscosity_limit[i] *
                           s->viscosity_limit[j];
            viscous_x += share * (s->vx[j] - s->vx[i]);
            viscous_y += share * (s->vy[j] - s->vy[i]);
        }
        s->change_x[i] = dt * (pressure_x / s->mass[i] + s->viscosity * viscous_x);
        s->change_y[i] = dt * (pressure_y / s->mass[i] + s->viscosity * viscous_y);
        push_off_walls(s, i, dt);
    }
}

/* Moves a particle outside the container onto the wall, and reflects an outward velocity, times damping. */
static void contain_particle(reference_sph *s, int i) {
    double *x = &s->x[i], *y = &s->y[i], *vx = &s->vx[i], *vy = &s->vy[i];
    if (s->walls.container.shape == PD_CONTAINER_CIRCLE) {
        double distance = sqrt(*x * *x + *y * *y), radius = (double)s->walls.container.radius;
        if (distance <= radius) return;
        double nx = *x / distance, ny = *y / distance, outwards = *vx * nx + *vy * ny;
        *x = nx * radius;
        *y = ny * radius;
        if (outwards <= 0) return;
        *vx -= (1 + s->damping) * outwards * nx;
        *vy -= (1 + s->damping) * outwards * ny;
    } else if (s->walls.container.shape == PD_CONTAINER_BOX) {
        double right = (double)s->walls.container.width / 2, top = (double)s->walls.container.height / 2;
        if (fabs(*x) > right) {
            *x = copysign(right, *x);
            if (*vx * *x > 0) *vx *= -s->damping;
        }
        if (fabs(*y) > top) {
            *y = copysign(top, *y);
            if (*vy * *y > 0) *vy *= -s->damping;
        }
    }
}

void reference_sph_step(reference_sph *s, double dt) {
    if (s->count == 0) return;
    for (int i = 0; i < s->count; i++) {
        s->vx[i] += dt * s->gravity_x;
        s->vy[i] += dt * s->gravity_y;
        s->predicted_x[i] = s->x[i] + s->prediction * s->vx[i];
        s->predicted_y[i] = s->y[i] + s->prediction * s->vy[i];
    }
    reference_cells_build(&s->cells, s->predicted_x, s->predicted_y, s->count, s->radius);
    reference_neighbours_find(&s->neighbours, &s->cells, s->count);
    compute_densities(s, dt);
    compute_changes(s, dt);
    for (int i = 0; i < s->count; i++) {
        s->vx[i] += s->change_x[i];
        s->vy[i] += s->change_y[i];
        s->x[i] += dt * s->vx[i];
        s->y[i] += dt * s->vy[i];
        contain_particle(s, i);
    }
}
