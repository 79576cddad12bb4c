/* Computes the shares of kernels that lie inside a polygon (sim/walls/polygon.h), compiled once for each SIMD level
 * (core/simd.h). The compiler vectorises plain loops over the points of a group.
 *
 * Let G(r) = (integral of the kernel over the disc of radius r) / (2 pi), and d the signed distance to a side's line. By the
 * divergence theorem the share is the sum over the sides of the integral of d G(r) / r^2 along the side. Where r > 1, G is
 * G(1), and a side contributes G(1) x the angle that the side subtends. These angles add up to 2 pi if the point is inside,
 * else to 0. So only G(r) - G(1), r < 1, is integrated, over the parts of sides inside the disc: the terms of G(r) are
 * moments, and the term of G(1) is the angle of these parts. The sum of the angles is the angle of a product of complex
 * numbers, so that one arc tangent per point suffices. A share is 0 to 1, so that mostly the sum without the term 1 of the
 * points inside tells whether a point is inside: then it is below 0. Only if it is near a whole number, a test must decide. */
#include "core/simd.h"
#include "sim/walls/polygon.h"

#include <math.h>
#include <string.h>

enum { POINTS = PD_POLYGON_GROUP };
/* Loop over the points of a group. Without the pragma GCC unrolls short loops first, and then does not vectorise. */
#define EACH(k) _Pragma("GCC unroll 1") for (int k = 0; k < POINTS; k++)

static const double pi = 3.141592653589793;
/* Sums nearer to a whole number than this are undecided: where the polygon is thin, the outline moved inwards may cross
 * itself, so that sums are a little below 0. */
static const double UNDECIDED = 0.05;

/* Returns ln x for finite x >= 1, with an error of 1e-15: ln(2^n m) = n ln 2 + 2 artanh((m - 1) / (m + 1)), where m is
 * between the root of 1/2 and the root of 2. */
PD_INLINE double compute_ln(double x) {
    const uint64_t root_half = 0x3fe6a09e667f3bcd, magic = 0x4330000000000000; /* magic: bits of 2^52 */
    uint64_t bits, exponent, counted;
    double m, n, sum = 0;
    memcpy(&bits, &x, sizeof bits);
    exponent = (bits - root_half) >> 52;
    bits -= exponent << 52;
    counted = exponent | magic;
    memcpy(&m, &bits, sizeof m);
    memcpy(&n, &counted, sizeof n);
    double f = (m - 1) / (m + 1), z = f * f;
    _Pragma("GCC unroll 10") for (int k = 19; k > 0; k -= 2) sum = 1.0 / k + z * sum;
    return (n - 0x1p52) * 0.6931471805599453 + 2 * f * sum;
}

/* Returns the angle of the vector (x, y), -pi to pi, with an error of 1e-15. By symmetry the tangent is at most 1, and
 * atan t = atan c + atan((t - c) / (1 + c t)), where c is the nearest of 0, tan(pi / 8) and 1. */
PD_INLINE double compute_angle(double y, double x) {
    const double eighth = 0.41421356237309503, low = 0.198912367379658, high = 0.6681786379192989; /* odd pi / 16 */
    double ax = fabs(x), ay = fabs(y), most = ax > ay ? ax : ay, least = ax > ay ? ay : ax, sum = 0;
    double t = least / (most > 0 ? most : 1), c = t < low ? 0 : t < high ? eighth : 1;
    double begin = t < low ? 0 : t < high ? pi / 8 : pi / 4, u = (t - c) / (1 + c * t), z = u * u;
    _Pragma("GCC unroll 12") for (int k = 23; k > 0; k -= 2) sum = 1.0 / k - z * sum;
    double angle = begin + u * sum;
    angle = ay > ax ? pi / 2 - angle : angle;
    angle = x < 0 ? pi - angle : angle;
    return y < 0 ? -angle : angle;
}

/* Parts of sides inside the discs of points. They are collected, since few of the sides near a group are within reach of a
 * certain point. Signed distance d from the point to the side's line; ends of the part along the line, relative to the foot
 * of the perpendicular; normal of the side. In units of h. */
typedef struct parts {
    double d[POINTS], low[POINTS], high[POINTS], normal_x[POINTS], normal_y[POINTS];
    int point[POINTS]; /* index of the point */
    int count;
} parts;

/* Sums over the sides, by kernel and point: shares without the angles, and their gradients. The product (real, imaginary) of
 * complex numbers has the sum of the angles, without `turns` x 2 pi. */
typedef struct sums {
    pd_polygon_shares shares;
    double real[POINTS], imaginary[POINTS], turns[POINTS];
} sums;

/* Integrals over a part: of d G(r) / r^2 without G(1) and of the kernel, both times pi, first index: kernel; cosine and sine of
 * the part's angle. */
typedef struct integrals {
    double sum[2][POINTS], kernel[2][POINTS], cosine[POINTS], sine[POINTS];
} integrals;

/* m0 to m6: integrals of r^k along the part, which integration by parts gives from those of r^(k - 2). */
PD_INLINE void integrate_parts(const parts *restrict of, integrals *restrict to, bool smooth) {
    EACH(k) {
        double d = of->d[k], low = of->low[k], high = of->high[k], d2 = d * d, m0 = high - low;
        double a2 = d2 + low * low, b2 = d2 + high * high, a = sqrt(a2), b = sqrt(b2), both = a + b, ab = a * b;
        double log =
            compute_ln((both + m0) / (both - m0 > 1e-30 ? both - m0 : 1e-30)); /* asinh(high/d) - asinh(low/d) */
        double m1 = 0.5 * (high * b - low * a + d2 * log), m2 = (high * b2 - low * a2 + 2 * d2 * m0) * (1.0 / 3);
        to->sum[0][k] = d * (3 * m0 - 4 * m1 + 1.5 * m2);
        to->kernel[0][k] = 6 * m0 - 12 * m1 + 6 * m2;
        if (smooth) {
            double m4 = (high * b2 * b2 - low * a2 * a2 + 4 * d2 * m2) * (1.0 / 5);
            double m6 = (high * b2 * b2 * b2 - low * a2 * a2 * a2 + 6 * d2 * m4) * (1.0 / 7);
            to->sum[1][k] = d * (2 * m0 - 3 * m2 + 2 * m4 - 0.5 * m6);
            to->kernel[1][k] = 4 * m0 - 12 * m2 + 12 * m4 - 4 * m6;
        } else {
            double m3 = (high * b2 * b - low * a2 * a + 3 * d2 * m1) * (1.0 / 4);
            to->sum[1][k] = d * (5 * m0 - 10 * m1 + 7.5 * m2 - 2 * m3);
            to->kernel[1][k] = 10 * m0 - 30 * m1 + 30 * m2 - 10 * m3;
        }
        /* At a corner, where a b = 0, the part has no angle. */
        double scale = ab > 1e-30 ? 1 / ab : 0;
        to->cosine[k] = scale > 0 ? (d2 + low * high) * scale : 1;
        to->sine[k] = d * m0 * scale;
    }
}

static void integrate_smooth(const parts *of, integrals *to) { integrate_parts(of, to, true); }
static void integrate_not_smooth(const parts *of, integrals *to) { integrate_parts(of, to, false); }

/* Adds the integrals over the collected parts, and removes the parts. */
static void add_parts_to_sums(parts *of, bool smooth, sums *to) {
    integrals i;
    smooth ? integrate_smooth(of, &i) : integrate_not_smooth(of, &i);
    for (int part = 0; part < of->count; part++) {
        int k = of->point[part];
        for (int n = 0; n < 2; n++) {
            to->shares.value[n][k] += i.sum[n][part];
            to->shares.x[n][k] -= i.kernel[n][part] * of->normal_x[part];
            to->shares.y[n][k] -= i.kernel[n][part] * of->normal_y[part];
        }
        double cosine = i.cosine[part], sine = i.sine[part], real = to->real[k], imaginary = to->imaginary[k];
        to->real[k] = real * cosine - imaginary * sine;
        to->imaginary[k] = real * sine + imaginary * cosine;
        if (sine > 0 && imaginary >= 0 && to->imaginary[k] < 0) to->turns[k]++;
        if (sine < 0 && imaginary < 0 && to->imaginary[k] >= 0) to->turns[k]--;
    }
    of->count = 0;
}

/* Finds the parts of a side inside the discs of the points with near[k] > 0. a, b: ends of the side, m. */
static void add_side(sums *to, parts *found, pd_double2 a, pd_double2 b, double winding, double per_h, bool smooth,
                     const double *restrict px, const double *restrict py, const double *restrict near) {
    pd_double2 way = pd_minus(b, a);
    double length = sqrt(pd_dot(way, way)), d[POINTS], low[POINTS], high[POINTS], within[POINTS];
    if (!(length > 0)) return;
    const double tx = way.x / length, ty = way.y / length, nx = winding * ty, ny = -winding * tx, ax = a.x, ay = a.y;
    length *= per_h;
    EACH(k) {
        double x = (ax - px[k]) * per_h, y = (ay - py[k]) * per_h, from = x * tx + y * ty, end = from + length;
        double half2, half;
        d[k] = x * nx + y * ny;
        half2 = 1 - d[k] * d[k];
        half = sqrt(half2 > 0 ? half2 : 0);
        low[k] = from > -half ? from : -half;
        high[k] = end < half ? end : half;
        within[k] = ((low[k] < high[k]) & (near[k] > 0)) ? 1 : 0;
    }
    for (int k = 0; k < POINTS; k++) {
        int n = found->count;
        if (!(within[k] > 0)) continue;
        found->d[n] = d[k];
        found->low[n] = low[k];
        found->high[n] = high[k];
        found->normal_x[n] = nx;
        found->normal_y[n] = ny;
        found->point[n] = k;
        found->count++;
        if (found->count == POINTS) add_parts_to_sums(found, smooth, to);
    }
}

/* Returns the bounding box of the points with near[k] > 0, widened by `reach`; an empty box if there are none. */
static pd_box compute_box_of_points(const double *x, const double *y, const double *near, double reach) {
    double low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
    for (int k = 0; k < POINTS; k++) {
        if (!(near[k] > 0)) continue;
        low_x = x[k] < low_x ? x[k] : low_x;
        low_y = y[k] < low_y ? y[k] : low_y;
        high_x = x[k] > high_x ? x[k] : high_x;
        high_y = y[k] > high_y ? y[k] : high_y;
    }
    return (pd_box){(float)(low_x - reach), (float)(low_y - reach), (float)(high_x + reach), (float)(high_y + reach)};
}

/* Divides by pi, subtracts the angles, and adds the outline's turns around the points: 1 inside. */
static void finish_shares(const pd_solid *solid, double depth, const double *x, const double *y, const double *near,
                          sums *of) {
    pd_polygon_shares *to = &of->shares;
    double whole[POINTS];
    EACH(k) {
        double turns = of->turns[k] + compute_angle(of->imaginary[k], of->real[k]) / (2 * pi);
        to->value[0][k] = to->value[0][k] / pi - turns;
        to->value[1][k] = to->value[1][k] / pi - turns;
        whole[k] = -floor(to->value[0][k]);
    }
    for (int k = 0; k < POINTS; k++) {
        double rest = to->value[0][k] + whole[k];
        if (near[k] > 0 && (rest < UNDECIDED || rest > 1 - UNDECIDED))
            whole[k] = pd_polygon_count_inset_turns(solid, (pd_double2){x[k], y[k]}, depth);
    }
    for (int n = 0; n < 2; n++) {
        EACH(k) {
            double value = to->value[n][k] + whole[k];
            bool hides = (value > 0) & (near[k] > 0);
            to->value[n][k] = hides ? value : 0;
            to->x[n][k] = hides ? to->x[n][k] / pi : 0;
            to->y[n][k] = hides ? to->y[n][k] / pi : 0;
        }
    }
}

void PD_LEVEL_NAME(pd_polygon_compute_hidden_shares)(const pd_solid *solid, const double *x, const double *y,
                                                     const double *near, double h, double outside, bool smooth,
                                                     pd_polygon_shares *shares) {
    const pd_boxtree *tree = &solid->segments;
    /* A corner moves by at most twice the depth. */
    double depth = outside * h;
    pd_box box = compute_box_of_points(x, y, near, h + 2 * depth);
    sums to = {.shares = {{{0}}}};
    parts found = {.low = {0}};
    EACH(k) to.real[k] = found.d[k] = 1; /* elements of `found` that are not set are integrated, and not used */
    for (int n = pd_boxtree_first_overlap(tree, &box); n >= 0; n = pd_boxtree_next_overlap(tree, &box, n)) {
        int number = tree->nodes[n].item;
        add_side(&to, &found, pd_polygon_inset_corner(solid, number, depth),
                 pd_polygon_inset_corner(solid, number + 1, depth), solid->winding, 1 / h, smooth, x, y, near);
    }
    if (found.count > 0) add_parts_to_sums(&found, smooth, &to);
    finish_shares(solid, depth, x, y, near, &to);
    *shares = to.shares;
}
