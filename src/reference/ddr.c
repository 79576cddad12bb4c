/* Double density relaxation after Clavet, Beaudoin, Poulin: Particle-based Viscoelastic Fluid Simulation, SCA 2005,
 * algorithms 1, 2 and 5. Masses and the anti-stick wall are from Kuepers' article (docs/methods/ddr.md). */
#include "reference/ddr.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

/* Distance from the surface that stops particles to the place behind the surface where a kernel's hidden part begins,
 * in interaction radii: reference_walls.outside, with the value of ddr. */
static const double WALL_OFFSET = 0.07;

static pd_result read_parameters(reference_ddr *ddr, const pd_world *world, pd_error *error) {
    double equal_weight;
    const reference_parameter parameters[] = {
        {"ddr.radius", &ddr->radius},
        {"ddr.stiffness", &ddr->stiffness},
        {"ddr.near_stiffness", &ddr->near_stiffness},
        {"ddr.rest_density", &ddr->rest_density},
        {"ddr.linear_viscosity", &ddr->linear_viscosity},
        {"ddr.quadratic_viscosity", &ddr->quadratic_viscosity},
        {"ddr.anti_stick", &ddr->anti_stick},
        {"ddr.equal_weight", &equal_weight},
        {"ddr.wall_density", &ddr->walls.weight},
    };
    pd_result result = reference_read_parameters(world, parameters, sizeof parameters / sizeof *parameters, error);
    if (result == PD_OK) ddr->equal_weight = equal_weight != 0;
    return result;
}

pd_result reference_ddr_create(reference_ddr **created, const pd_world *world, pd_error *error) {
    pd_view view;
    pd_world_view(world, &view);
    *created = NULL;
    reference_ddr *ddr = calloc(1, sizeof *ddr);
    if (!ddr) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    ddr->count = view.count;
    double **const arrays[] = {&ddr->x,     &ddr->y,       &ddr->vx,   &ddr->vy,      &ddr->old_x,
                               &ddr->old_y, &ddr->density, &ddr->mass, &ddr->distance};
    pd_result result = reference_allocate_arrays(arrays, sizeof arrays / sizeof *arrays, ddr->count, error);
    ddr->neighbour = calloc((size_t)ddr->count + 1, sizeof *ddr->neighbour);
    ddr->behind_walls = calloc((size_t)ddr->count + 1, sizeof *ddr->behind_walls);
    if (result == PD_OK && !(ddr->neighbour && ddr->behind_walls))
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    if (result == PD_OK) result = read_parameters(ddr, world, error);
    if (result != PD_OK) {
        reference_ddr_destroy(ddr);
        return result;
    }
    ddr->walls.container = view.container;
    ddr->walls.outside = WALL_OFFSET;
    ddr->gravity_x = (double)pd_world_gravity(world).x;
    ddr->gravity_y = (double)pd_world_gravity(world).y;
    reference_copy_particles(world, ddr->x, ddr->y, ddr->vx, ddr->vy, ddr->mass);
    *created = ddr;
    return PD_OK;
}

void reference_ddr_destroy(reference_ddr *ddr) {
    if (!ddr) return;
    free(ddr->x); /* also frees the other arrays of reference_allocate_arrays */
    free(ddr->neighbour);
    free(ddr->behind_walls);
    reference_cells_free(&ddr->cells);
    reference_neighbours_free(&ddr->neighbours);
    free(ddr);
}

static void sort_particles_into_cells(reference_ddr *ddr) {
    reference_cells_build(&ddr->cells, ddr->x, ddr->y, ddr->count, ddr->radius);
}

/* Finds the neighbours of particle i by the present positions: ddr->neighbour and ddr->distance. Returns their
 * number. */
static int find_neighbours(reference_ddr *ddr, int i) {
    return reference_cells_find_neighbours(&ddr->cells, i, ddr->neighbour, ddr->distance);
}

/* Computes the unit vector from particle i to particle j, or zero if both are at the same position. */
static void compute_unit_vector_to_neighbour(const reference_ddr *ddr, int i, int j, double *nx, double *ny) {
    double dx = ddr->x[j] - ddr->x[i], dy = ddr->y[j] - ddr->y[i], distance = sqrt(dx * dx + dy * dy);
    *nx = distance > 0 ? dx / distance : 0;
    *ny = distance > 0 ? dy / distance : 0;
}

/* Applies viscosity to each pair of neighbours once (Clavet et al. 2005, algorithm 5). */
static void apply_viscosity(reference_ddr *ddr, double dt) {
    for (int i = 0; i < ddr->count; i++) {
        int found = find_neighbours(ddr, i);
        for (int k = 0; k < found; k++) {
            int j = ddr->neighbour[k];
            double nx, ny;
            if (j < i) continue;
            compute_unit_vector_to_neighbour(ddr, i, j, &nx, &ny);
            double u = (ddr->vx[i] - ddr->vx[j]) * nx + (ddr->vy[i] - ddr->vy[j]) * ny;
            if (u <= 0) continue;
            double q = 1 - ddr->distance[k] / ddr->radius;
            double impulse = dt * q * (ddr->linear_viscosity * u + ddr->quadratic_viscosity * u * u);
            impulse = fmin(impulse, u);
            double share = ddr->mass[j] / (ddr->mass[i] + ddr->mass[j]);
            ddr->vx[i] -= impulse * share * nx;
            ddr->vy[i] -= impulse * share * ny;
            ddr->vx[j] += impulse * (1 - share) * nx;
            ddr->vy[j] += impulse * (1 - share) * ny;
        }
    }
}

/* Finds the neighbours of particle i by the present positions, but only among the neighbours listed before the sweep.
 * Returns their number. */
static int find_neighbours_in_list(reference_ddr *ddr, int i) {
    const reference_neighbours *n = &ddr->neighbours;
    int found = 0;
    for (size_t k = n->start[i]; k < n->start[i + 1]; k++) {
        int j = n->index[k];
        double distance = hypot(ddr->x[j] - ddr->x[i], ddr->y[j] - ddr->y[i]);
        if (distance >= ddr->radius) continue;
        ddr->neighbour[found] = j;
        ddr->distance[found++] = distance;
    }
    return found;
}

/* Displaces a particle away from walls, as if each wall mirrored the fluid. pressure, near_pressure: pressures of the
 * particle, multiplied by the gains of its wall fractions. The factors (density + 1)/2 and (near density + 1)/3 are the
 * integrals of the pair displacements over the part of the kernels behind walls (methods/ddr/ddr_wide.h). The particle
 * gets half of each displacement. */
static void displace_by_walls(reference_ddr *ddr, int i, double pressure, double near_pressure, double near_density,
                              double dt) {
    const reference_wall_fractions *w = &ddr->behind_walls[i];
    double sum = (ddr->density[i] + 1) / w->far_gain, x = w->far_x, y = w->far_y;
    double far = -pressure * (ddr->density[i] + 1) / 4, near = -near_pressure * (near_density + 1) / 6;
    double at_rest = 0.4 * near_pressure * w->far_gain / w->near_gain * (ddr->density[i] + 1) / 4;
    far = reference_limit_attraction(far, at_rest, reference_compute_part_within_fluid(sum), ddr->gravity_x,
                                     ddr->gravity_y, &x, &y);
    ddr->x[i] += dt * dt * ddr->radius * (far * x + near * w->near_x);
    ddr->y[i] += dt * dt * ddr->radius * (far * y + near * w->near_y);
}

/* Displaces particles by density relaxation (Clavet et al. 2005, algorithm 2), one after the other: each uses the
 * positions of earlier particles after their displacement. Near a wall the density is (sum + s)/(1 - s), s: fraction of
 * the kernel behind walls. */
static void relax_densities(reference_ddr *ddr, double dt) {
    for (int i = 0; i < ddr->count; i++)
        ddr->behind_walls[i] = reference_compute_wall_fractions(&ddr->walls, ddr->radius, ddr->x[i], ddr->y[i]);
    if (ddr->neighbours_first) reference_neighbours_build(&ddr->neighbours, &ddr->cells, ddr->count);
    for (int i = 0; i < ddr->count; i++) {
        int found = ddr->neighbours_first ? find_neighbours_in_list(ddr, i) : find_neighbours(ddr, i);
        double density = 0, near_density = 0;
        for (int k = 0; k < found; k++) {
            double q = 1 - ddr->distance[k] / ddr->radius;
            density += q * q;
            near_density += q * q * q;
        }
        const reference_wall_fractions *w = &ddr->behind_walls[i];
        density = (density + w->far) * w->far_gain;
        near_density = (near_density + w->near) * w->near_gain;
        ddr->density[i] = density;
        double pressure = ddr->stiffness * (density - ddr->rest_density) * w->far_gain;
        double near_pressure = ddr->near_stiffness * near_density * w->near_gain;
        double own_x = 0, own_y = 0;
        for (int k = 0; k < found; k++) {
            int j = ddr->neighbour[k];
            double q = 1 - ddr->distance[k] / ddr->radius, nx, ny;
            compute_unit_vector_to_neighbour(ddr, i, j, &nx, &ny);
            double displacement = dt * dt * (pressure * q + near_pressure * q * q);
            double share = ddr->mass[j] / (ddr->mass[i] + ddr->mass[j]);
            ddr->x[j] += displacement * (1 - share) * nx;
            ddr->y[j] += displacement * (1 - share) * ny;
            own_x -= displacement * share * nx;
            own_y -= displacement * share * ny;
        }
        ddr->x[i] += own_x;
        ddr->y[i] += own_y;
        displace_by_walls(ddr, i, pressure, near_pressure, near_density, dt);
    }
}

/* Moves a particle that is outside the container onto the wall. Moves its old position outwards by anti_stick h dt,
 * which adds a velocity of anti_stick h away from the wall. */
static void confine_to_container(reference_ddr *ddr, int i, double dt) {
    double offset = ddr->anti_stick * ddr->radius * dt;
    double *x = &ddr->x[i], *y = &ddr->y[i];
    if (ddr->walls.container.shape == PD_CONTAINER_CIRCLE) {
        double distance = sqrt(*x * *x + *y * *y);
        if (distance <= (double)ddr->walls.container.radius) return;
        double nx = *x / distance, ny = *y / distance;
        *x = nx * (double)ddr->walls.container.radius;
        *y = ny * (double)ddr->walls.container.radius;
        ddr->old_x[i] += nx * offset;
        ddr->old_y[i] += ny * offset;
    } else if (ddr->walls.container.shape == PD_CONTAINER_BOX) {
        double right = (double)ddr->walls.container.width / 2, top = (double)ddr->walls.container.height / 2;
        if (fabs(*x) > right) {
            *x = copysign(right, *x);
            ddr->old_x[i] += copysign(offset, *x);
        }
        if (fabs(*y) > top) {
            *y = copysign(top, *y);
            ddr->old_y[i] += copysign(offset, *y);
        }
    }
}

/* Computes one substep (Clavet et al. 2005, algorithm 1). */
void reference_ddr_step(reference_ddr *ddr, double dt) {
    if (ddr->count == 0) return;
    for (int i = 0; i < ddr->count; i++) {
        double weight = ddr->equal_weight ? 1 / ddr->mass[i] : 1;
        ddr->vx[i] += dt * ddr->gravity_x * weight;
        ddr->vy[i] += dt * ddr->gravity_y * weight;
    }
    if (ddr->linear_viscosity > 0 || ddr->quadratic_viscosity > 0) {
        sort_particles_into_cells(ddr);
        apply_viscosity(ddr, dt);
    }
    for (int i = 0; i < ddr->count; i++) {
        ddr->old_x[i] = ddr->x[i];
        ddr->old_y[i] = ddr->y[i];
        ddr->x[i] += dt * ddr->vx[i];
        ddr->y[i] += dt * ddr->vy[i];
    }
    sort_particles_into_cells(ddr);
    relax_densities(ddr, dt);
    for (int i = 0; i < ddr->count; i++) {
        confine_to_container(ddr, i, dt);
        ddr->vx[i] = (ddr->x[i] - ddr->old_x[i]) / dt;
        ddr->vy[i] = (ddr->y[i] - ddr->old_y[i]) / dt;
    }
}
