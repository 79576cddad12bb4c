/* Shares of a kernel of radius 1 that straight walls and discs hide (sim/walls/walls.h), for loops that are compiled once for
 * each SIMD level (core/simd.h). */
#ifndef PUDDLE_SIM_WALLS_SHARES_WIDE_H
#define PUDDLE_SIM_WALLS_SHARES_WIDE_H

#include "core/simd.h"

#include <math.h>

/* A function of one coordinate and its derivative by this coordinate. */
typedef struct slope {
    double value, derivative;
} slope;

/* Shares of both kernels that a wall hides, as functions of one coordinate, with derivatives by this coordinate. */
typedef struct shares_1d {
    slope far, near;
} shares_1d;

/* Coefficients of the polynomial in compute_half_plane_shares. */
typedef struct kernel_polynomial {
    double a, b, c, d;
} kernel_polynomial;

static inline kernel_polynomial get_near_kernel_polynomial(bool smooth_near_kernel) {
    return smooth_near_kernel ? (kernel_polynomial){0.50015, 0.82030, 0.52151, -0.82972}
                              : (kernel_polynomial){0.50020, 0.38410, -0.80131, 0.25544};
}

/* Returns the hidden share for a wall at the signed distance s, in units of h. a: share for a wall at the distance |s| < 1.
 * - s <= -1: 1
 * - -1 < s < 0: 1 - a
 * - 0 <= s < 1: a
 * - s >= 1: 0 */
PD_INLINE slope extend_share_to_negative_distance(slope a, double s) {
    bool within = fabs(s) < 1;
    double value = within ? a.value : 0, derivative = within ? a.derivative : 0;
    return (slope){s < 0 ? 1 - value : value, derivative};
}

/* Returns the shares that a wall with a straight surface hides. s: distance of the particle from the surface, in units of h;
 * below 0 the particle is in the wall. Error: 3e-4. */
PD_INLINE shares_1d compute_half_plane_shares(double s, kernel_polynomial near) {
    const kernel_polynomial far = {0.50026, 0.20479, -0.47872, 0};
    double t = fabs(s), u = 1 - t, u2 = u * u, u3 = u2 * u;
    double sum = far.a + t * (far.b + t * far.c), rise = far.b + t * (2 * far.c);
    slope of_far = {u2 * u * sum, u2 * (u * rise - 3 * sum)};
    sum = near.a + t * (near.b + t * (near.c + t * near.d));
    rise = near.b + t * (2 * near.c + 3 * t * near.d);
    slope of_near = {u3 * u * sum, u3 * (u * rise - 4 * sum)};
    return (shares_1d){extend_share_to_negative_distance(of_far, s), extend_share_to_negative_distance(of_near, s)};
}

/* Returns the shares that a wall between two parallel lines hides. low, high: coordinates of the lines relative to the
 * particle, in units of h. Derivatives are by the particle's coordinate across the lines. */
PD_INLINE shares_1d compute_slab_shares(double low, double high, kernel_polynomial near) {
    shares_1d from = compute_half_plane_shares(low, near), to = compute_half_plane_shares(high, near);
    bool open = low < high;
    return (shares_1d){
        {open ? from.far.value - to.far.value : 0, open ? to.far.derivative - from.far.derivative : 0},
        {open ? from.near.value - to.near.value : 0, open ? to.near.derivative - from.near.derivative : 0}};
}

/* Returns the ratio of hidden shares of a disc and of a half plane at the same distance s. curvature: 1 / radius of the
 * disc. Fitted to integrals up to a curvature of 5, with an error of 0.03. */
PD_INLINE slope compute_disc_to_half_plane_ratio(double s, double curvature) {
    double inside = s > 0 ? s : 0, u = 1 - inside, small = curvature * curvature * curvature / 104;
    double a = 1 + curvature * (0.3 + 0.7 * inside), b = 1 + small * u * u, value = 1 / (sqrt(a) * b);
    double relative = s > 0 ? 2 * small * u / b - 0.35 * curvature / a : 0;
    return (slope){value, value * relative};
}

PD_INLINE slope multiply_values_and_derivatives(slope a, slope b) {
    return (slope){a.value * b.value, a.derivative * b.value + a.value * b.derivative};
}

#endif
