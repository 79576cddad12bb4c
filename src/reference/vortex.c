/* Direct sums over vortices, and steps of vortices and tracers. */
#include "reference/vortex.h"

#include "core/error.h"
#include "reference/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TWO_PI = 6.28318530717958647692;

/* Returns the fraction of a Gaussian vortex's circulation within the distance r. r2: r^2. */
static double circulation_within(double r2, double core) { return core > 0 ? -expm1(-r2 / (core * core)) : 1; }

void reference_vortex_velocities(const reference_vortices *v, int count, const double *x, const double *y, double *vx,
                                 double *vy) {
    for (int i = 0; i < count; i++) {
        double u = 0, w = 0;
        for (int j = 0; j < v->count; j++) {
            double dx = x[i] - v->x[j], dy = y[i] - v->y[j], r2 = dx * dx + dy * dy;
            if (r2 > 0) {
                double speed = v->circulation[j] * circulation_within(r2, v->core[j]) / r2; /* speed times 2 pi / r */
                u -= speed * dy;
                w += speed * dx;
            }
            if (!(v->radius > 0)) continue;
            /* Image of the vortex at R^2/|a|^2 a, multiplied out, so that a vortex at the centre has none. With D = R^2
             * - conj(a) z: u - iw = conj(a)/(2 pi i D). */
            double a = v->x[j], b = v->y[j], square = v->radius * v->radius;
            double real = square - a * x[i] - b * y[i], imaginary = b * x[i] - a * y[i];
            double d2 = real * real + imaginary * imaginary;
            if (!(d2 > 0)) continue;
            double part = v->circulation[j] * circulation_within(d2 / square, v->core[j]) / d2;
            u -= part * (a * imaginary + b * real);
            w += part * (a * real - b * imaginary);
        }
        vx[i] = u / TWO_PI;
        vy[i] = w / TWO_PI;
    }
}

enum { MOST_PAIRS = 10000000 }; /* most pairs in a stage, about one second */

static void copy_world(reference_vortex *r, const pd_view *view) {
    const pd_view_vortices *v = &view->vortices;
    for (int n = 0; n < r->count; n++) {
        r->x[n] = (double)(n < v->count ? v->x[n] : view->x[n - v->count]);
        r->y[n] = (double)(n < v->count ? v->y[n] : view->y[n - v->count]);
    }
    for (int n = 0; n < v->count; n++) {
        r->circulation[n] = (double)v->circulation[n];
        r->core[n] = (double)v->core[n];
        double area = v->area[n] > 0 ? (double)v->area[n] : 0.5 * TWO_PI * r->core[n] * r->core[n];
        if (area > 0) r->core_spin = fmax(r->core_spin, 0.5 * fabs(r->circulation[n]) / area);
    }
}

pd_result reference_vortex_create(reference_vortex **created, const pd_world *world, pd_error *error) {
    *created = NULL;
    reference_vortex *r = calloc(1, sizeof *r);
    if (!r) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer vortices)");
    pd_view view;
    pd_world_view(world, &view);
    r->count = view.vortices.count + view.count;
    double pairs = (double)view.vortices.count * r->count;
    r->stride = 1 + (int)(pairs / MOST_PAIRS);
    double **const arrays[] = {&r->x,     &r->y,      &r->from_x, &r->from_y,      &r->sum_x,
                               &r->sum_y, &r->rate_x, &r->rate_y, &r->circulation, &r->core};
    pd_result result = reference_allocate(arrays, sizeof arrays / sizeof *arrays, r->count, error);
    if (result != PD_OK) {
        free(r);
        return result;
    }
    copy_world(r, &view);
    double radius = view.container.shape == PD_CONTAINER_CIRCLE ? (double)view.container.radius : 0;
    r->vortices = (reference_vortices){view.vortices.count, r->x, r->y, r->circulation, r->core, radius};
    *created = r;
    return PD_OK;
}

void reference_vortex_destroy(reference_vortex *r) {
    if (!r) return;
    free(r->x);
    free(r);
}

double reference_vortex_share(const reference_vortex *r) {
    if (r->count == 0) return 1;
    return (double)((r->count - 1) / r->stride + 1) / r->count;
}

void reference_vortex_step(reference_vortex *r, double dt) {
    static const double weights[2][4] = {{0, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};
    static const double advances[2][4] = {{0.5}, {0.5, 0.5, 1}};
    size_t bytes = (size_t)r->count * sizeof(double);
    int fourth = r->core_spin * dt > 0.1, stages = fourth ? 4 : 2;
    memcpy(r->from_x, r->x, bytes);
    memcpy(r->from_y, r->y, bytes);
    memset(r->sum_x, 0, bytes);
    memset(r->sum_y, 0, bytes);
    for (int stage = 0; stage < stages; stage++) {
        for (int n = 0; n < r->count; n += r->stride)
            reference_vortex_velocities(&r->vortices, 1, &r->x[n], &r->y[n], &r->rate_x[n], &r->rate_y[n]);
        for (int n = 0; n < r->count; n += r->stride) {
            double advance = dt * advances[fourth][stage];
            r->sum_x[n] += weights[fourth][stage] * r->rate_x[n];
            r->sum_y[n] += weights[fourth][stage] * r->rate_y[n];
            r->x[n] = r->from_x[n] + advance * r->rate_x[n];
            r->y[n] = r->from_y[n] + advance * r->rate_y[n];
        }
    }
    for (int n = 0; n < r->count; n += r->stride) {
        r->x[n] = r->from_x[n] + dt * r->sum_x[n];
        r->y[n] = r->from_y[n] + dt * r->sum_y[n];
    }
}
