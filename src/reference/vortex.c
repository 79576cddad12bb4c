/* Velocities as sums over all vortices, and steps of vortices and tracers. */
#include "reference/vortex.h"

#include "core/error.h"
#include "reference/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TWO_PI = 6.28318530717958647692;

/* Returns the fraction of a Gaussian vortex's circulation within the radius sqrt(distance_squared) of its centre. */
static double compute_enclosed_fraction(double distance_squared, double core) {
    return core > 0 ? -expm1(-distance_squared / (core * core)) : 1;
}

void reference_vortex_compute_velocities(const reference_vortices *vortices, int count, const double *x,
                                         const double *y, double *vx, double *vy) {
    for (int i = 0; i < count; i++) {
        double u = 0, w = 0;
        for (int j = 0; j < vortices->count; j++) {
            double dx = x[i] - vortices->x[j], dy = y[i] - vortices->y[j], distance_squared = dx * dx + dy * dy;
            if (distance_squared > 0) {
                double speed = vortices->circulation[j] *
                               compute_enclosed_fraction(distance_squared, vortices->core[j]) /
                               distance_squared; /* speed x 2 pi/distance */
                u -= speed * dy;
                w += speed * dx;
            }
            if (!(vortices->radius > 0)) continue;
            /* The vortex with circulation G at a (complex) has an image with circulation -G at R^2/conj(a). Its
             * velocity is u - i w = G conj(a)/(2 pi i D), D = R^2 - conj(a) z, which is 0 for a vortex at the
             * centre. */
            double a = vortices->x[j], b = vortices->y[j], square = vortices->radius * vortices->radius;
            double real = square - a * x[i] - b * y[i], imaginary = b * x[i] - a * y[i];
            double d2 = real * real + imaginary * imaginary;
            if (!(d2 > 0)) continue;
            double part = vortices->circulation[j] * compute_enclosed_fraction(d2 / square, vortices->core[j]) / d2;
            u -= part * (a * imaginary + b * real);
            w += part * (a * real - b * imaginary);
        }
        vx[i] = u / TWO_PI;
        vy[i] = w / TWO_PI;
    }
}

/* Limit of (number of vortices) x (number of moved vortices and tracers): about a second of computing time. */
enum { MOST_PAIRS = 10000000 };

static void copy_vortices_and_tracers(reference_vortex *vortex, const pd_view *view) {
    const pd_view_vortices *vortices = &view->vortices;
    for (int n = 0; n < vortex->count; n++) {
        vortex->x[n] = (double)(n < vortices->count ? vortices->x[n] : view->x[n - vortices->count]);
        vortex->y[n] = (double)(n < vortices->count ? vortices->y[n] : view->y[n - vortices->count]);
    }
    for (int n = 0; n < vortices->count; n++) {
        vortex->circulation[n] = (double)vortices->circulation[n];
        vortex->core[n] = (double)vortices->core[n];
        double area =
            vortices->area[n] > 0 ? (double)vortices->area[n] : 0.5 * TWO_PI * vortex->core[n] * vortex->core[n];
        if (area > 0)
            vortex->greatest_core_rotation =
                fmax(vortex->greatest_core_rotation, 0.5 * fabs(vortex->circulation[n]) / area);
    }
}

pd_result reference_vortex_create(reference_vortex **created, const pd_world *world, pd_error *error) {
    *created = NULL;
    reference_vortex *vortex = calloc(1, sizeof *vortex);
    if (!vortex) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer vortices)");
    pd_view view;
    pd_world_view(world, &view);
    vortex->count = view.vortices.count + view.count;
    double pairs = (double)view.vortices.count * vortex->count;
    vortex->stride = 1 + (int)(pairs / MOST_PAIRS);
    double **const arrays[] = {&vortex->x,     &vortex->y,      &vortex->from_x, &vortex->from_y,      &vortex->sum_x,
                               &vortex->sum_y, &vortex->rate_x, &vortex->rate_y, &vortex->circulation, &vortex->core};
    pd_result result = reference_allocate_arrays(arrays, sizeof arrays / sizeof *arrays, vortex->count, error);
    if (result != PD_OK) {
        free(vortex);
        return result;
    }
    copy_vortices_and_tracers(vortex, &view);
    double radius = view.container.shape == PD_CONTAINER_CIRCLE ? (double)view.container.radius : 0;
    vortex->vortices =
        (reference_vortices){view.vortices.count, vortex->x, vortex->y, vortex->circulation, vortex->core, radius};
    *created = vortex;
    return PD_OK;
}

void reference_vortex_destroy(reference_vortex *vortex) {
    if (!vortex) return;
    free(vortex->x);
    free(vortex);
}

double reference_vortex_moved_fraction(const reference_vortex *vortex) {
    if (vortex->count == 0) return 1;
    return (double)((vortex->count - 1) / vortex->stride + 1) / vortex->count;
}

void reference_vortex_step(reference_vortex *vortex, double dt) {
    static const double weights[2][4] = {{0, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};
    static const double advances[2][4] = {{0.5}, {0.5, 0.5, 1}};
    size_t bytes = (size_t)vortex->count * sizeof(double);
    int fourth = vortex->greatest_core_rotation * dt > 0.1, stages = fourth ? 4 : 2;
    memcpy(vortex->from_x, vortex->x, bytes);
    memcpy(vortex->from_y, vortex->y, bytes);
    memset(vortex->sum_x, 0, bytes);
    memset(vortex->sum_y, 0, bytes);
    for (int stage = 0; stage < stages; stage++) {
        for (int n = 0; n < vortex->count; n += vortex->stride)
            reference_vortex_compute_velocities(&vortex->vortices, 1, &vortex->x[n], &vortex->y[n], &vortex->rate_x[n],
                                                &vortex->rate_y[n]);
        for (int n = 0; n < vortex->count; n += vortex->stride) {
            double advance = dt * advances[fourth][stage];
            vortex->sum_x[n] += weights[fourth][stage] * vortex->rate_x[n];
            vortex->sum_y[n] += weights[fourth][stage] * vortex->rate_y[n];
            vortex->x[n] = vortex->from_x[n] + advance * vortex->rate_x[n];
            vortex->y[n] = vortex->from_y[n] + advance * vortex->rate_y[n];
        }
    }
    for (int n = 0; n < vortex->count; n += vortex->stride) {
        vortex->x[n] = vortex->from_x[n] + dt * vortex->sum_x[n];
        vortex->y[n] = vortex->from_y[n] + dt * vortex->sum_y[n];
    }
}
