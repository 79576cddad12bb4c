#include "reference/vortex.h"

#include <math.h>

static const double TWO_PI = 6.28318530717958647692;

/* The part of the circulation within the distance r of a vortex whose vorticity is a Gaussian. */
static double within(double r2, double core) { return core > 0 ? -expm1(-r2 / (core * core)) : 1; }

void reference_vortex_velocities(const reference_vortices *v, int count, const double *x, const double *y, double *vx,
                                 double *vy) {
    for (int i = 0; i < count; i++) {
        double u = 0, w = 0;
        for (int j = 0; j < v->count; j++) {
            double dx = x[i] - v->x[j], dy = y[i] - v->y[j], r2 = dx * dx + dy * dy;
            if (r2 > 0) {
                double speed = v->circulation[j] * within(r2, v->core[j]) / r2; /* times 2 pi, over r */
                u -= speed * dy;
                w += speed * dx;
            }
            if (!(v->radius > 0)) continue;
            /* The image at R^2/|a|^2 a, multiplied out, so that a vortex at the centre has none: with D = R^2 - conj(a) z,
             * u - iw = conj(a)/(2 pi i D). */
            double a = v->x[j], b = v->y[j], square = v->radius * v->radius;
            double real = square - a * x[i] - b * y[i], imaginary = b * x[i] - a * y[i];
            double d2 = real * real + imaginary * imaginary;
            if (!(d2 > 0)) continue;
            double part = v->circulation[j] * within(d2 / square, v->core[j]) / d2;
            u -= part * (a * imaginary + b * real);
            w += part * (a * real - b * imaginary);
        }
        vx[i] = u / TWO_PI;
        vy[i] = w / TWO_PI;
    }
}
