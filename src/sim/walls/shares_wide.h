/* Computes the hidden shares (sim/walls/walls.h) of kernels of radius 1 near straight walls and discs. For loops that are
 * compiled once for each SIMD level (core/simd.h). */
#ifndef PUDDLE_SIM_WALLS_SHARES_WIDE_H
#define PUDDLE_SIM_WALLS_SHARES_WIDE_H

#include "core/simd.h"

#include <math.h>

/* Value of a function of one coordinate, and its derivative by this coordinate. */
typedef struct function_1d {
    double value, derivative;
} function_1d;

/* Shares of the far and the near kernel hidden by a wall, as functions of the particle's coordinate across the wall. */
typedef struct hidden_shares_1d {
    function_1d far, near;
} hidden_shares_1d;

/* Coefficients of a polynomial that approximates the hidden share of one kernel (compute_shares_hidden_by_half_plane). */
typedef struct kernel_polynomial {
    double a, b, c, d;
} kernel_polynomial;

static inline kernel_polynomial get_near_kernel_polynomial(bool smooth_near_kernel) {
    return smooth_near_kernel ? (kernel_polynomial){0.50015, 0.82030, 0.52151, -0.82972}
                              : (kernel_polynomial){0.50020, 0.38410, -0.80131, 0.25544};
}

/* Returns the share hidden by a half plane at the signed distance s, in units of h. a: share hidden at the distance |s|.
 *
 *     s <= -1           1
 *     -1 < s < 0        1 - a
 *     0 <= s < 1        a
 *     s >= 1            0 */
PD_INLINE function_1d extend_share_to_negative_distance(function_1d a, double s) {
    bool within = fabs(s) < 1;
    double value = within ? a.value : 0, derivative = within ? a.derivative : 0;
    return (function_1d){s < 0 ? 1 - value : value, derivative};
}

/* Returns the shares hidden by a wall that fills a half plane. s: distance of the particle from the wall's surface, in
 * units of h; below 0 the particle is in the wall. Error of a share: 3e-4. */
PD_INLINE hidden_shares_1d compute_shares_hidden_by_half_plane(double s, kernel_polynomial near) {
    const kernel_polynomial far = {0.50026, 0.20479, -0.47872, 0};
    double t = fabs(s), u = 1 - t, u2 = u * u, u3 = u2 * u;
    double sum = far.a + t * (far.b + t * far.c), rise = far.b + t * (2 * far.c);
    function_1d of_far = {u2 * u * sum, u2 * (u * rise - 3 * sum)};
    sum = near.a + t * (near.b + t * (near.c + t * near.d));
    rise = near.b + t * (2 * near.c + 3 * t * near.d);
    function_1d of_near = {u3 * u * sum, u3 * (u * rise - 4 * sum)};
    return (hidden_shares_1d){extend_share_to_negative_distance(of_far, s),
                              extend_share_to_negative_distance(of_near, s)};
}

/* Returns the shares hidden by a slab, the wall between two parallel lines. low, high: coordinates of the lines relative
 * to the particle, in units of h. The derivatives are by the particle's coordinate across the lines. */
PD_INLINE hidden_shares_1d compute_shares_hidden_by_slab(double low, double high, kernel_polynomial near) {
    hidden_shares_1d from = compute_shares_hidden_by_half_plane(low, near),
                     to = compute_shares_hidden_by_half_plane(high, near);
    bool open = low < high;
    return (hidden_shares_1d){
        {open ? from.far.value - to.far.value : 0, open ? to.far.derivative - from.far.derivative : 0},
        {open ? from.near.value - to.near.value : 0, open ? to.near.derivative - from.near.derivative : 0}};
}

/* Returns (share hidden by a disc) / (share hidden by a half plane) at the same distance s from the particle. curvature: 1
 * / (radius of the disc in units of h). Fitted to exact integrals up to a curvature of 5, with an error of 0.03. */
PD_INLINE function_1d compute_disc_to_half_plane_ratio(double s, double curvature) {
    double inside = s > 0 ? s : 0, u = 1 - inside, small = curvature * curvature * curvature / 104;
    double a = 1 + curvature * (0.3 + 0.7 * inside), b = 1 + small * u * u, value = 1 / (sqrt(a) * b);
    double relative = s > 0 ? 2 * small * u / b - 0.35 * curvature / a : 0;
    return (function_1d){value, value * relative};
}

PD_INLINE function_1d multiply_values_and_derivatives(function_1d a, function_1d b) {
    return (function_1d){a.value * b.value, a.derivative * b.value + a.value * b.derivative};
}

#endif
