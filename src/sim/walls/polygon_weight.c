/* Computes the share of a kernel that lies inside a polygon (sim/walls/polygon.h).
 *
 * Let G(r) = (integral of the kernel over the disc of radius r) / (2 pi), and d the signed distance to a side's line. The
 * share is the sum over the sides of the integral of d G(r) / r^2 along the side. Where r > 1, G is G(1), and a side
 * contributes G(1) x the angle that the side subtends. These angles add up to 2 pi if the point is inside, else to 0. So
 * only G(r) - G(1), r < 1, is integrated. */
#include "core/math.h"
#include "sim/walls/polygon.h"

enum { POWERS = 7 };
static const double pi = 3.141592653589793;

/* Coefficients of polynomials in r < 1, by power of r. far_sum, near_sum: of G(r) / r^2. far_kernel, near_kernel: of the
 * kernel. */
static const double far_sum[POWERS] = {3 / pi, -4 / pi, 1.5 / pi}, far_kernel[POWERS] = {6 / pi, -12 / pi, 6 / pi};
static const double near_sum[POWERS] = {5 / pi, -10 / pi, 7.5 / pi, -2 / pi};
static const double near_kernel[POWERS] = {10 / pi, -30 / pi, 30 / pi, -10 / pi};
static const double smooth_sum[POWERS] = {2 / pi, 0, -3 / pi, 0, 2 / pi, 0, -0.5 / pi};
static const double smooth_kernel[POWERS] = {4 / pi, 0, -12 / pi, 0, 12 / pi, 0, -4 / pi};

/* Sets moment[k] to the integral of r^k along a line at distance d from the origin of r, between the positions `low` and
 * `high` on the line. Integration by parts gives moment[k] from moment[k - 2]. */
static void compute_moments(double d, double low, double high, double moment[POWERS]) {
    double r_low = sqrt(d * d + low * low), r_high = sqrt(d * d + high * high);
    static const double part[POWERS] = {1, 1.0 / 2, 1.0 / 3, 1.0 / 4, 1.0 / 5, 1.0 / 6, 1.0 / 7};
    double a = r_low, b = r_high, d2 = d * d;
    moment[0] = high - low;
    moment[1] = 0.5 * (high * r_high - low * r_low);
    /* the logarithm is asinh(high / d) - asinh(low / d) */
    if (d2 > 1e-30)
        moment[1] += 0.5 * d2 *
                     pd_ln(low < 0 && high < 0 ? (r_low - low) / (r_high - high)
                           : low < 0           ? (high + r_high) * (r_low - low) / d2
                                               : (high + r_high) / (low + r_low));
    for (int k = 2; k < POWERS; k++) {
        a *= r_low;
        b *= r_high;
        moment[k] = (high * b - low * a + k * d2 * moment[k - 2]) * part[k];
    }
}

static double compute_weighted_sum(const double coefficient[POWERS], const double moment[POWERS]) {
    double sum = 0;
    for (int k = 0; k < POWERS; k++) sum += coefficient[k] * moment[k];
    return sum;
}

/* Adds the contribution of one side to the shares that lie inside the polygon. a, b: ends of the side relative to the
 * particle, in units of h. winding: pd_solid.winding. */
static void add_shares_hidden_by_side(pd_polygon_shares *parts, pd_double2 a, pd_double2 b, double winding,
                                      bool smooth_near_kernel) {
    pd_double2 way = pd_minus(b, a);
    double length2 = pd_dot(way, way), across = a.x * way.y - a.y * way.x, moment[POWERS];
    if (!(across * across < length2)) return; /* the side has no length, or its line misses the kernel's disc */
    double scale = 1 / sqrt(length2), d = winding * across * scale, half = 1 - d * d;
    if (!(half > 0)) return;
    way = (pd_double2){way.x * scale, way.y * scale};
    pd_double2 normal = {winding * way.y, -winding * way.x};
    half = sqrt(half);
    double low = fmax(pd_dot(a, way), -half), high = fmin(pd_dot(b, way), half);
    if (!(low < high)) return;
    compute_moments(d, low, high, moment);
    double angle = pd_atan2(d * (high - low), d * d + low * high) / (2 * pi);
    parts->value[0] += d * compute_weighted_sum(far_sum, moment) - angle;
    parts->value[1] += d * compute_weighted_sum(smooth_near_kernel ? smooth_sum : near_sum, moment) - angle;
    double slope[2] = {compute_weighted_sum(far_kernel, moment),
                       compute_weighted_sum(smooth_near_kernel ? smooth_kernel : near_kernel, moment)};
    for (int k = 0; k < 2; k++) {
        parts->x[k] -= slope[k] * normal.x;
        parts->y[k] -= slope[k] * normal.y;
    }
}

pd_polygon_shares pd_polygon_compute_hidden_shares(const pd_solid *solid, pd_double2 p, double h, double outside,
                                                   bool smooth_near_kernel) {
    const pd_boxtree *tree = &solid->segments;
    pd_polygon_shares parts = {0};
    double per_h = 1 / h, depth = outside * h,
           by = 2 * depth; /* by: greatest displacement of a corner when the outline is moved inwards by `depth`, m */
    double reach = h + by;
    int turns = 0;
    if (p.x > (double)solid->bounds.high_x + reach || p.x < (double)solid->bounds.low_x - reach) return parts;
    /* The box contains the sides within reach of the point. It also contains all sides to the right, for the test whether the
     * point is inside, unless the point is left of the polygon. */
    bool beyond = p.x < (double)solid->bounds.low_x - by;
    pd_box box = {(float)(p.x - reach), (float)(p.y - reach), beyond ? (float)(p.x + reach) : INFINITY,
                  (float)(p.y + reach)};
    for (int n = pd_boxtree_first_overlap(tree, &box); n >= 0; n = pd_boxtree_next_overlap(tree, &box, n)) {
        int side = tree->nodes[n].item;
        pd_double2 a = pd_minus(pd_polygon_inset_corner(solid, side, depth), p);
        pd_double2 b = pd_minus(pd_polygon_inset_corner(solid, side + 1, depth), p);
        if (!beyond && (a.y > 0) != (b.y > 0) && a.x - a.y * (b.x - a.x) / (b.y - a.y) > 0) turns += b.y > a.y ? 1 : -1;
        a = (pd_double2){a.x * per_h, a.y * per_h};
        b = (pd_double2){b.x * per_h, b.y * per_h};
        add_shares_hidden_by_side(&parts, a, b, solid->winding, smooth_near_kernel);
    }
    for (int k = 0; k < 2; k++) parts.value[k] = fmax(parts.value[k] + solid->winding * turns, 0);
    return parts;
}
