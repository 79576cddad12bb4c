/* FLIP: velocities are transferred to a grid, projected by Gauss-Seidel, and transferred back. */
#include "reference/flip.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

enum { SWEEPS = 60 };
static const double OVER_RELAXATION = 1.9, DRIFT = 0.5; /* DRIFT: outflow of a cell at twice the rest density, m/s */

static bool is_inside(const reference_flip *r, double x, double y) {
    const pd_container *c = &r->container;
    if (c->shape == PD_CONTAINER_CIRCLE) return x * x + y * y < (double)c->radius * (double)c->radius;
    if (c->shape == PD_CONTAINER_BOX) return fabs(x) < (double)c->width / 2 && fabs(y) < (double)c->height / 2;
    return true;
}

static void lay_out(reference_flip *r, double resolution) {
    double width = 2 * (double)r->container.radius, height = width;
    if (r->container.shape == PD_CONTAINER_BOX) {
        width = (double)r->container.width;
        height = (double)r->container.height;
    } else if (r->container.shape == PD_CONTAINER_NONE) {
        width = height = 1;
        for (int i = 0; i < r->count; i++) width = height = fmax(width, 3 * fmax(fabs(r->x[i]), fabs(r->y[i])));
    }
    r->cell = fmin(width, height) / resolution;
    r->nx = (int)(width / r->cell + 0.999) + 2;
    r->ny = (int)(height / r->cell + 0.999) + 2;
    r->low_x = -0.5 * r->nx * r->cell;
    r->low_y = -0.5 * r->ny * r->cell;
}

pd_result reference_flip_create(reference_flip **created, const pd_world *world, pd_error *error) {
    *created = NULL;
    reference_flip *r = calloc(1, sizeof *r);
    if (!r) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    pd_view view;
    pd_world_view(world, &view);
    pd_vec2 gravity = pd_world_gravity(world);
    double resolution = 0;
    const reference_key keys[] = {{"flip.resolution", &resolution}, {"flip.blend", &r->blend}};
    r->count = view.count;
    r->container = view.container;
    r->spacing = (double)view.spacing;
    r->gravity_x = (double)gravity.x;
    r->gravity_y = (double)gravity.y;
    r->sweeps = SWEEPS;
    double **const particles[] = {&r->x, &r->y, &r->vx, &r->vy, &r->mass};
    pd_result result = reference_allocate(particles, sizeof particles / sizeof *particles, r->count, error);
    if (result == PD_OK) result = reference_read_parameters(world, keys, sizeof keys / sizeof *keys, error);
    if (result == PD_OK) {
        reference_copy_particles(world, r->x, r->y, r->vx, r->vy, r->mass);
        lay_out(r, resolution);
        double **const cells[] = {&r->u,        &r->v,        &r->old_u, &r->old_v,
                                  &r->weight_u, &r->weight_v, &r->open,  &r->density};
        result = reference_allocate(cells, sizeof cells / sizeof *cells, r->nx * r->ny, error);
    }
    r->liquid = calloc((size_t)r->nx * (size_t)r->ny + 1, sizeof *r->liquid);
    if (result == PD_OK && !r->liquid)
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    if (result != PD_OK) {
        reference_flip_destroy(r);
        return result;
    }
    for (int j = 1; j < r->ny - 1; j++)
        for (int i = 1; i < r->nx - 1; i++)
            r->open[j * r->nx + i] = is_inside(r, r->low_x + (i + 0.5) * r->cell, r->low_y + (j + 0.5) * r->cell);
    *created = r;
    return PD_OK;
}

void reference_flip_destroy(reference_flip *r) {
    if (!r) return;
    free(r->x);
    free(r->u);
    free(r->liquid);
    free(r);
}

/* Moves a particle outside the container onto the wall, and removes its velocity towards the wall. */
static void contain_particle(reference_flip *r, int i) {
    const pd_container *c = &r->container;
    if (c->shape == PD_CONTAINER_CIRCLE) {
        double distance = sqrt(r->x[i] * r->x[i] + r->y[i] * r->y[i]), radius = (double)c->radius;
        if (distance <= radius) return;
        double nx = r->x[i] / distance, ny = r->y[i] / distance, outwards = r->vx[i] * nx + r->vy[i] * ny;
        r->x[i] = nx * radius;
        r->y[i] = ny * radius;
        if (outwards > 0) {
            r->vx[i] -= outwards * nx;
            r->vy[i] -= outwards * ny;
        }
    } else if (c->shape == PD_CONTAINER_BOX) {
        double half_x = (double)c->width / 2, half_y = (double)c->height / 2;
        if (fabs(r->x[i]) > half_x) {
            r->x[i] = copysign(half_x, r->x[i]);
            r->vx[i] = 0;
        }
        if (fabs(r->y[i]) > half_y) {
            r->y[i] = copysign(half_y, r->y[i]);
            r->vy[i] = 0;
        }
    }
}

/* Indices of the four faces of one velocity component around a position, and their weights. */
typedef struct corners {
    int at[4];
    double weight[4];
} corners;

static corners corners_at(const reference_flip *r, double x, double y, double shift_x, double shift_y) {
    double gx = fmin(fmax((x - r->low_x) / r->cell - shift_x, 0), r->nx - 1.001);
    double gy = fmin(fmax((y - r->low_y) / r->cell - shift_y, 0), r->ny - 1.001);
    int i = (int)gx, j = (int)gy, k = j * r->nx + i;
    double tx = gx - i, ty = gy - j;
    return (corners){{k, k + 1, k + r->nx, k + r->nx + 1},
                     {(1 - tx) * (1 - ty), tx * (1 - ty), (1 - tx) * ty, tx * ty}};
}

static void to_faces(reference_flip *r, bool horizontal) {
    double *velocity = horizontal ? r->v : r->u, *weight = horizontal ? r->weight_v : r->weight_u;
    double *old = horizontal ? r->old_v : r->old_u;
    const double *speed = horizontal ? r->vy : r->vx;
    int faces = r->nx * r->ny;
    for (int k = 0; k < faces; k++) velocity[k] = weight[k] = 0;
    for (int i = 0; i < r->count; i++) {
        corners c = corners_at(r, r->x[i], r->y[i], horizontal ? 0.5 : 0, horizontal ? 0 : 0.5);
        for (int n = 0; n < 4; n++) {
            velocity[c.at[n]] += r->mass[i] * c.weight[n] * speed[i];
            weight[c.at[n]] += r->mass[i] * c.weight[n];
        }
    }
    for (int k = 0; k < faces; k++) {
        if (weight[k] > 0) velocity[k] /= weight[k];
        old[k] = velocity[k];
    }
}

static void mark_liquid(reference_flip *r) {
    for (int k = 0; k < r->nx * r->ny; k++) r->liquid[k] = 0, r->density[k] = 0;
    for (int i = 0; i < r->count; i++) {
        int column = (int)((r->x[i] - r->low_x) / r->cell), row = (int)((r->y[i] - r->low_y) / r->cell);
        bool within = column > 0 && column < r->nx - 1 && row > 0 && row < r->ny - 1;
        if (within && r->open[row * r->nx + column] > 0) r->liquid[row * r->nx + column] = 1;
        corners c = corners_at(r, r->x[i], r->y[i], 0.5, 0.5);
        for (int n = 0; n < 4; n++) r->density[c.at[n]] += c.weight[n];
    }
    for (int j = 1; j < r->ny; j++)
        for (int i = 1; i < r->nx; i++) {
            int k = j * r->nx + i;
            if (!(r->open[k] > 0 && r->open[k - 1] > 0)) r->u[k] = 0;
            if (!(r->open[k] > 0 && r->open[k - r->nx] > 0)) r->v[k] = 0;
        }
}

static void project_velocities(reference_flip *r) {
    double rest = r->cell * r->cell / (r->spacing * r->spacing);
    for (int sweep = 0; sweep < r->sweeps; sweep++)
        for (int j = 1; j < r->ny - 1; j++)
            for (int i = 1; i < r->nx - 1; i++) {
                int k = j * r->nx + i, up = k + r->nx;
                if (!r->liquid[k]) continue;
                double left = r->open[k - 1], right = r->open[k + 1], low = r->open[k - r->nx], high = r->open[up];
                double faces = left + right + low + high;
                if (!(faces > 0)) continue;
                double outflow = r->u[k + 1] - r->u[k] + r->v[up] - r->v[k];
                if (r->density[k] > rest) outflow -= DRIFT * (r->density[k] / rest - 1);
                double share = OVER_RELAXATION * outflow / faces;
                r->u[k] += left * share;
                r->u[k + 1] -= right * share;
                r->v[k] += low * share;
                r->v[up] -= high * share;
            }
}

static void to_particles(reference_flip *r) {
    for (int i = 0; i < r->count; i++) {
        corners a = corners_at(r, r->x[i], r->y[i], 0, 0.5), b = corners_at(r, r->x[i], r->y[i], 0.5, 0);
        double u = 0, v = 0, change_u = 0, change_v = 0;
        for (int n = 0; n < 4; n++) {
            u += a.weight[n] * r->u[a.at[n]];
            v += b.weight[n] * r->v[b.at[n]];
            change_u += a.weight[n] * (r->u[a.at[n]] - r->old_u[a.at[n]]);
            change_v += b.weight[n] * (r->v[b.at[n]] - r->old_v[b.at[n]]);
        }
        r->vx[i] = r->blend * (r->vx[i] + change_u) + (1 - r->blend) * u;
        r->vy[i] = r->blend * (r->vy[i] + change_v) + (1 - r->blend) * v;
    }
}

void reference_flip_step(reference_flip *r, double dt) {
    for (int i = 0; i < r->count; i++) {
        r->vx[i] += r->gravity_x * dt;
        r->vy[i] += r->gravity_y * dt;
        r->x[i] += r->vx[i] * dt;
        r->y[i] += r->vy[i] * dt;
        contain_particle(r, i);
    }
    to_faces(r, false);
    to_faces(r, true);
    mark_liquid(r);
    project_velocities(r);
    to_particles(r);
}
