/* FLIP: transfers particle velocities to a staggered grid, makes them divergence-free by Gauss-Seidel, and transfers
 * the changes back. */
#include "reference/flip.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

enum { SWEEPS = 60 };
static const double OVER_RELAXATION = 1.9;
static const double DRIFT_OUTFLOW = 0.5; /* sum of the outward velocities of a cell at twice the rest density, m/s */

static bool is_inside(const reference_flip *flip, double x, double y) {
    const pd_container *c = &flip->container;
    if (c->shape == PD_CONTAINER_CIRCLE) return x * x + y * y < (double)c->radius * (double)c->radius;
    if (c->shape == PD_CONTAINER_BOX) return fabs(x) < (double)c->width / 2 && fabs(y) < (double)c->height / 2;
    return true;
}

/* Computes size and position of the grid. In open space it is a square around all particles. */
static void compute_grid_layout(reference_flip *flip, double resolution) {
    double width = 2 * (double)flip->container.radius, height = width;
    if (flip->container.shape == PD_CONTAINER_BOX) {
        width = (double)flip->container.width;
        height = (double)flip->container.height;
    } else if (flip->container.shape == PD_CONTAINER_NONE) {
        width = height = 1;
        for (int i = 0; i < flip->count; i++)
            width = height = fmax(width, 3 * fmax(fabs(flip->x[i]), fabs(flip->y[i])));
    }
    flip->cell = fmin(width, height) / resolution;
    flip->nx = (int)(width / flip->cell + 0.999) + 2;
    flip->ny = (int)(height / flip->cell + 0.999) + 2;
    flip->low_x = -0.5 * flip->nx * flip->cell;
    flip->low_y = -0.5 * flip->ny * flip->cell;
}

pd_result reference_flip_create(reference_flip **created, const pd_world *world, pd_error *error) {
    *created = NULL;
    reference_flip *flip = calloc(1, sizeof *flip);
    if (!flip) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    pd_view view;
    pd_world_view(world, &view);
    pd_vec2 gravity = pd_world_gravity(world);
    double resolution = 0;
    const reference_parameter parameters[] = {{"flip.resolution", &resolution}, {"flip.blend", &flip->blend}};
    flip->count = view.count;
    flip->container = view.container;
    flip->spacing = (double)view.spacing;
    flip->gravity_x = (double)gravity.x;
    flip->gravity_y = (double)gravity.y;
    flip->sweeps = SWEEPS;
    double **const particles[] = {&flip->x, &flip->y, &flip->vx, &flip->vy, &flip->mass};
    pd_result result = reference_allocate_arrays(particles, sizeof particles / sizeof *particles, flip->count, error);
    if (result == PD_OK)
        result = reference_read_parameters(world, parameters, sizeof parameters / sizeof *parameters, error);
    if (result == PD_OK) {
        reference_copy_particles(world, flip->x, flip->y, flip->vx, flip->vy, flip->mass);
        compute_grid_layout(flip, resolution);
        double **const cells[] = {&flip->u,        &flip->v,        &flip->old_u, &flip->old_v,
                                  &flip->weight_u, &flip->weight_v, &flip->open,  &flip->density};
        result = reference_allocate_arrays(cells, sizeof cells / sizeof *cells, flip->nx * flip->ny, error);
    }
    flip->liquid = calloc((size_t)flip->nx * (size_t)flip->ny + 1, sizeof *flip->liquid);
    if (result == PD_OK && !flip->liquid)
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    if (result != PD_OK) {
        reference_flip_destroy(flip);
        return result;
    }
    for (int j = 1; j < flip->ny - 1; j++)
        for (int i = 1; i < flip->nx - 1; i++)
            flip->open[j * flip->nx + i] =
                is_inside(flip, flip->low_x + (i + 0.5) * flip->cell, flip->low_y + (j + 0.5) * flip->cell);
    *created = flip;
    return PD_OK;
}

void reference_flip_destroy(reference_flip *flip) {
    if (!flip) return;
    free(flip->x);
    free(flip->u);
    free(flip->liquid);
    free(flip);
}

/* Moves a particle that is outside the container onto the wall. A circle removes its outward velocity, a box the
 * velocity normal to the wall. */
static void confine_to_container(reference_flip *flip, int i) {
    const pd_container *c = &flip->container;
    if (c->shape == PD_CONTAINER_CIRCLE) {
        double distance = sqrt(flip->x[i] * flip->x[i] + flip->y[i] * flip->y[i]), radius = (double)c->radius;
        if (distance <= radius) return;
        double nx = flip->x[i] / distance, ny = flip->y[i] / distance, outwards = flip->vx[i] * nx + flip->vy[i] * ny;
        flip->x[i] = nx * radius;
        flip->y[i] = ny * radius;
        if (outwards > 0) {
            flip->vx[i] -= outwards * nx;
            flip->vy[i] -= outwards * ny;
        }
    } else if (c->shape == PD_CONTAINER_BOX) {
        double half_x = (double)c->width / 2, half_y = (double)c->height / 2;
        if (fabs(flip->x[i]) > half_x) {
            flip->x[i] = copysign(half_x, flip->x[i]);
            flip->vx[i] = 0;
        }
        if (fabs(flip->y[i]) > half_y) {
            flip->y[i] = copysign(half_y, flip->y[i]);
            flip->vy[i] = 0;
        }
    }
}

/* Bilinear interpolation: indices of the four elements around a position, and their weights. */
typedef struct interpolation {
    int index[4];
    double weight[4];
} interpolation;

static interpolation find_interpolation(const reference_flip *flip, double x, double y, double offset_x,
                                        double offset_y) {
    double gx = fmin(fmax((x - flip->low_x) / flip->cell - offset_x, 0), flip->nx - 1.001);
    double gy = fmin(fmax((y - flip->low_y) / flip->cell - offset_y, 0), flip->ny - 1.001);
    int i = (int)gx, j = (int)gy, k = j * flip->nx + i;
    double tx = gx - i, ty = gy - j;
    return (interpolation){{k, k + 1, k + flip->nx, k + flip->nx + 1},
                           {(1 - tx) * (1 - ty), tx * (1 - ty), (1 - tx) * ty, tx * ty}};
}

/* Averages the particles' velocities at the faces, weighted by mass. vertical: computes v, otherwise u. */
static void transfer_to_faces(reference_flip *flip, bool vertical) {
    double *velocity = vertical ? flip->v : flip->u, *weight = vertical ? flip->weight_v : flip->weight_u;
    double *old = vertical ? flip->old_v : flip->old_u;
    const double *speed = vertical ? flip->vy : flip->vx;
    int faces = flip->nx * flip->ny;
    for (int k = 0; k < faces; k++) velocity[k] = weight[k] = 0;
    for (int i = 0; i < flip->count; i++) {
        interpolation c = find_interpolation(flip, flip->x[i], flip->y[i], vertical ? 0.5 : 0, vertical ? 0 : 0.5);
        for (int n = 0; n < 4; n++) {
            velocity[c.index[n]] += flip->mass[i] * c.weight[n] * speed[i];
            weight[c.index[n]] += flip->mass[i] * c.weight[n];
        }
    }
    for (int k = 0; k < faces; k++) {
        if (weight[k] > 0) velocity[k] /= weight[k];
        old[k] = velocity[k];
    }
}

/* Marks liquid cells, computes the cells' densities, and sets velocities at walls to 0. */
static void mark_liquid_cells(reference_flip *flip) {
    for (int k = 0; k < flip->nx * flip->ny; k++) flip->liquid[k] = 0, flip->density[k] = 0;
    for (int i = 0; i < flip->count; i++) {
        int column = (int)((flip->x[i] - flip->low_x) / flip->cell),
            row = (int)((flip->y[i] - flip->low_y) / flip->cell);
        bool within = column > 0 && column < flip->nx - 1 && row > 0 && row < flip->ny - 1;
        if (within && flip->open[row * flip->nx + column] > 0) flip->liquid[row * flip->nx + column] = 1;
        interpolation c = find_interpolation(flip, flip->x[i], flip->y[i], 0.5, 0.5);
        for (int n = 0; n < 4; n++) flip->density[c.index[n]] += c.weight[n];
    }
    for (int j = 1; j < flip->ny; j++)
        for (int i = 1; i < flip->nx; i++) {
            int k = j * flip->nx + i;
            if (!(flip->open[k] > 0 && flip->open[k - 1] > 0)) flip->u[k] = 0;
            if (!(flip->open[k] > 0 && flip->open[k - flip->nx] > 0)) flip->v[k] = 0;
        }
}

static void project_velocities(reference_flip *flip) {
    double rest = flip->cell * flip->cell / (flip->spacing * flip->spacing);
    for (int sweep = 0; sweep < flip->sweeps; sweep++)
        for (int j = 1; j < flip->ny - 1; j++)
            for (int i = 1; i < flip->nx - 1; i++) {
                int k = j * flip->nx + i, up = k + flip->nx;
                if (!flip->liquid[k]) continue;
                double left = flip->open[k - 1], right = flip->open[k + 1], low = flip->open[k - flip->nx],
                       high = flip->open[up];
                double faces = left + right + low + high;
                if (!(faces > 0)) continue;
                double outflow = flip->u[k + 1] - flip->u[k] + flip->v[up] - flip->v[k];
                if (flip->density[k] > rest) outflow -= DRIFT_OUTFLOW * (flip->density[k] / rest - 1);
                double share = OVER_RELAXATION * outflow / faces;
                flip->u[k] += left * share;
                flip->u[k + 1] -= right * share;
                flip->v[k] += low * share;
                flip->v[up] -= high * share;
            }
}

static void transfer_to_particles(reference_flip *flip) {
    for (int i = 0; i < flip->count; i++) {
        interpolation a = find_interpolation(flip, flip->x[i], flip->y[i], 0, 0.5),
                      b = find_interpolation(flip, flip->x[i], flip->y[i], 0.5, 0);
        double u = 0, v = 0, change_u = 0, change_v = 0;
        for (int n = 0; n < 4; n++) {
            u += a.weight[n] * flip->u[a.index[n]];
            v += b.weight[n] * flip->v[b.index[n]];
            change_u += a.weight[n] * (flip->u[a.index[n]] - flip->old_u[a.index[n]]);
            change_v += b.weight[n] * (flip->v[b.index[n]] - flip->old_v[b.index[n]]);
        }
        flip->vx[i] = flip->blend * (flip->vx[i] + change_u) + (1 - flip->blend) * u;
        flip->vy[i] = flip->blend * (flip->vy[i] + change_v) + (1 - flip->blend) * v;
    }
}

void reference_flip_step(reference_flip *flip, double dt) {
    for (int i = 0; i < flip->count; i++) {
        flip->vx[i] += flip->gravity_x * dt;
        flip->vy[i] += flip->gravity_y * dt;
        flip->x[i] += flip->vx[i] * dt;
        flip->y[i] += flip->vy[i] * dt;
        confine_to_container(flip, i);
    }
    transfer_to_faces(flip, false);
    transfer_to_faces(flip, true);
    mark_liquid_cells(flip);
    project_velocities(flip);
    transfer_to_particles(flip);
}
