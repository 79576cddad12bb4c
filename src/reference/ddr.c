/* Double density relaxation after Clavet, Beaudoin, Poulin: Particle-based Viscoelastic Fluid Simulation, SCA 2005,
 * algorithms 1, 2 and 5, in the paper's steps. Masses and the anti-stick wall are from Kuepers' article. */
#include "reference/ddr.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

/* distance of the fluid's end behind the wall, as a fraction of the interaction radius */
static const double WALL_OUTSIDE = 0.07;

static pd_result read_parameters(reference_ddr *r, const pd_world *world, pd_error *error) {
    double equal_weight;
    const reference_key keys[] = {
        {"ddr.radius", &r->radius},
        {"ddr.stiffness", &r->stiffness},
        {"ddr.near_stiffness", &r->near_stiffness},
        {"ddr.rest_density", &r->rest_density},
        {"ddr.linear_viscosity", &r->linear_viscosity},
        {"ddr.quadratic_viscosity", &r->quadratic_viscosity},
        {"ddr.anti_stick", &r->anti_stick},
        {"ddr.equal_weight", &equal_weight},
        {"ddr.wall_density", &r->walls.weight},
    };
    pd_result result = reference_read_parameters(world, keys, sizeof keys / sizeof *keys, error);
    if (result == PD_OK) r->equal_weight = equal_weight != 0;
    return result;
}

pd_result reference_ddr_create(reference_ddr **created, const pd_world *world, pd_error *error) {
    pd_view view;
    pd_world_view(world, &view);
    *created = NULL;
    reference_ddr *r = calloc(1, sizeof *r);
    if (!r) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    r->count = view.count;
    double **const arrays[] = {&r->x, &r->y, &r->vx, &r->vy, &r->old_x, &r->old_y, &r->density, &r->mass, &r->distance};
    pd_result result = reference_allocate(arrays, sizeof arrays / sizeof *arrays, r->count, error);
    r->neighbour = calloc((size_t)r->count + 1, sizeof *r->neighbour);
    r->hidden = calloc((size_t)r->count + 1, sizeof *r->hidden);
    if (result == PD_OK && !(r->neighbour && r->hidden))
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    if (result == PD_OK) result = read_parameters(r, world, error);
    if (result != PD_OK) {
        reference_ddr_destroy(r);
        return result;
    }
    r->walls.container = view.container;
    r->walls.outside = WALL_OUTSIDE;
    r->gravity_x = (double)pd_world_gravity(world).x;
    r->gravity_y = (double)pd_world_gravity(world).y;
    reference_copy_particles(world, r->x, r->y, r->vx, r->vy, r->mass);
    *created = r;
    return PD_OK;
}

void reference_ddr_destroy(reference_ddr *r) {
    if (!r) return;
    free(r->x); /* frees the block of all arrays (reference_allocate) */
    free(r->neighbour);
    free(r->hidden);
    reference_cells_free(&r->cells);
    reference_neighbours_free(&r->neighbours);
    free(r);
}

static void sort_into_cells(reference_ddr *r) { reference_cells_build(&r->cells, r->x, r->y, r->count, r->radius); }

/* Finds neighbours and distances of particle i at the present positions. Returns the number of neighbours. */
static int find_neighbours(reference_ddr *r, int i) {
    return reference_cells_find(&r->cells, i, r->neighbour, r->distance);
}

/* Computes the unit vector from i to j; zero for coincident particles. */
static void unit_vector(const reference_ddr *r, int i, int j, double *nx, double *ny) {
    double dx = r->x[j] - r->x[i], dy = r->y[j] - r->y[i], distance = sqrt(dx * dx + dy * dy);
    *nx = distance > 0 ? dx / distance : 0;
    *ny = distance > 0 ? dy / distance : 0;
}

/* Applies viscosity to each pair of neighbours once (algorithm 5 of the paper). */
static void apply_viscosity(reference_ddr *r, double dt) {
    for (int i = 0; i < r->count; i++) {
        int found = find_neighbours(r, i);
        for (int k = 0; k < found; k++) {
            int j = r->neighbour[k];
            double nx, ny;
            if (j < i) continue;
            unit_vector(r, i, j, &nx, &ny);
            double u = (r->vx[i] - r->vx[j]) * nx + (r->vy[i] - r->vy[j]) * ny;
            if (u <= 0) continue;
            double q = 1 - r->distance[k] / r->radius;
            double impulse = dt * q * (r->linear_viscosity * u + r->quadratic_viscosity * u * u);
            impulse = fmin(impulse, u);
            double share = r->mass[j] / (r->mass[i] + r->mass[j]);
            r->vx[i] -= impulse * share * nx;
            r->vy[i] -= impulse * share * ny;
            r->vx[j] += impulse * (1 - share) * nx;
            r->vy[j] += impulse * (1 - share) * ny;
        }
    }
}

/* Finds the present neighbours of particle i among those listed before the sweep. */
static int find_listed_neighbours(reference_ddr *r, int i) {
    const reference_neighbours *n = &r->neighbours;
    int found = 0;
    for (size_t k = n->start[i]; k < n->start[i + 1]; k++) {
        int j = n->index[k];
        double distance = hypot(r->x[j] - r->x[i], r->y[j] - r->y[i]);
        if (distance >= r->radius) continue;
        r->neighbour[found] = j;
        r->distance[found++] = distance;
    }
    return found;
}

/* Displaces a particle away from walls, as if the fluid continued mirrored behind them. Densities and pressures include what the
 * walls add to them. */
static void push_off_walls(reference_ddr *r, int i, double pressure, double near_pressure, double near_density,
                           double dt) {
    const reference_hidden *w = &r->hidden[i];
    double far = pressure * (r->density[i] + 1) / 4, near = near_pressure * (near_density + 1) / 6;
    r->x[i] -= dt * dt * r->radius * (far * w->far_x + near * w->near_x);
    r->y[i] -= dt * dt * r->radius * (far * w->far_y + near * w->near_y);
}

/* Displaces particles by density relaxation (algorithm 2 of the paper). Sequential: each particle sees the
 * displacements of earlier ones. A wall's gain replaces the fluid that the wall hides. */
static void relax_densities(reference_ddr *r, double dt) {
    for (int i = 0; i < r->count; i++) r->hidden[i] = reference_hidden_at(&r->walls, r->radius, r->x[i], r->y[i]);
    if (r->neighbours_first) reference_neighbours_find(&r->neighbours, &r->cells, r->count);
    for (int i = 0; i < r->count; i++) {
        int found = r->neighbours_first ? find_listed_neighbours(r, i) : find_neighbours(r, i);
        double density = 0, near_density = 0;
        for (int k = 0; k < found; k++) {
            double q = 1 - r->distance[k] / r->radius;
            density += q * q;
            near_density += q * q * q;
        }
        const reference_hidden *w = &r->hidden[i];
        density = (density + w->far) * w->far_gain;
        near_density = (near_density + w->near) * w->near_gain;
        r->density[i] = density;
        double pressure = r->stiffness * (density - r->rest_density) * w->far_gain;
        double near_pressure = r->near_stiffness * near_density * w->near_gain;
        double own_x = 0, own_y = 0;
        for (int k = 0; k < found; k++) {
            int j = r->neighbour[k];
            double q = 1 - r->distance[k] / r->radius, nx, ny;
            unit_vector(r, i, j, &nx, &ny);
            double displacement = dt * dt * (pressure * q + near_pressure * q * q);
            double share = r->mass[j] / (r->mass[i] + r->mass[j]);
            r->x[j] += displacement * (1 - share) * nx;
            r->y[j] += displacement * (1 - share) * ny;
            own_x -= displacement * share * nx;
            own_y -= displacement * share * ny;
        }
        r->x[i] += own_x;
        r->y[i] += own_y;
        push_off_walls(r, i, pressure, near_pressure, near_density, dt);
    }
}

/* Moves a particle outside the container onto the wall, and its old position outwards by anti_stick h dt, so that its
 * velocity points away from the wall. */
static void contain_particle(reference_ddr *r, int i, double dt) {
    double offset = r->anti_stick * r->radius * dt;
    double *x = &r->x[i], *y = &r->y[i];
    if (r->walls.container.shape == PD_CONTAINER_CIRCLE) {
        double distance = sqrt(*x * *x + *y * *y);
        if (distance <= (double)r->walls.container.radius) return;
        double nx = *x / distance, ny = *y / distance;
        *x = nx * (double)r->walls.container.radius;
        *y = ny * (double)r->walls.container.radius;
        r->old_x[i] += nx * offset;
        r->old_y[i] += ny * offset;
    } else if (r->walls.container.shape == PD_CONTAINER_BOX) {
        double right = (double)r->walls.container.width / 2, top = (double)r->walls.container.height / 2;
        if (fabs(*x) > right) {
            *x = copysign(right, *x);
            r->old_x[i] += copysign(offset, *x);
        }
        if (fabs(*y) > top) {
            *y = copysign(top, *y);
            r->old_y[i] += copysign(offset, *y);
        }
    }
}

/* Algorithm 1 of the paper. */
void reference_ddr_step(reference_ddr *r, double dt) {
    if (r->count == 0) return;
    for (int i = 0; i < r->count; i++) {
        double weight = r->equal_weight ? 1 / r->mass[i] : 1;
        r->vx[i] += dt * r->gravity_x * weight;
        r->vy[i] += dt * r->gravity_y * weight;
    }
    if (r->linear_viscosity > 0 || r->quadratic_viscosity > 0) {
        sort_into_cells(r);
        apply_viscosity(r, dt);
    }
    for (int i = 0; i < r->count; i++) {
        r->old_x[i] = r->x[i];
        r->old_y[i] = r->y[i];
        r->x[i] += dt * r->vx[i];
        r->y[i] += dt * r->vy[i];
    }
    sort_into_cells(r);
    relax_densities(r, dt);
    for (int i = 0; i < r->count; i++) {
        contain_particle(r, i, dt);
        r->vx[i] = (r->x[i] - r->old_x[i]) / dt;
        r->vy[i] = (r->y[i] - r->old_y[i]) / dt;
    }
}
