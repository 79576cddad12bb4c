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

/* A side of the polygon, moved inwards. */
typedef struct side {
    pd_double2 a, along; /* beginning of the side, m; unit vector along the side */
    double length;       /* length, m */
    double winding;      /* pd_solid.winding */
    double per_h;        /* 1 / kernel radius, 1/m */
} side;

/* Sums over the sides, by kernel and point: shares without the angles, and their gradients. The product (real, imaginary) of
 * complex numbers has the sum of the angles, without `turns` x 2 pi. */
typedef struct sums {
    pd_polygon_shares shares;
    double real[POINTS], imaginary[POINTS], turns[POINTS];
} sums;

/* Adds the contribution of a side. near[k] = 0: point k is left out.
 *
 * m0 to m6: integrals of r^k along the part of the side inside the disc, which integration by parts gives from those of
 * r^(k - 2). */
PD_INLINE void add_side(sums *restrict to, const side *s, const double *restrict px, const double *restrict py,
                        const double *restrict near, bool smooth) {
    const double tx = s->along.x, ty = s->along.y, length = s->length * s->per_h, per_h = s->per_h, w = s->winding;
    const double nx = w * ty, ny = -w * tx, ax = s->a.x, ay = s->a.y;
    EACH(k) {
        double x = (ax - px[k]) * per_h, y = (ay - py[k]) * per_h, from = x * tx + y * ty, end = from + length;
        double d = w * (x * ty - y * tx), d2 = d * d, half2 = 1 - d2, half = sqrt(half2 > 0 ? half2 : 0);
        double low = from > -half ? from : -half, high = end < half ? end : half;
        bool within = (low < high) & (near[k] > 0);
        low = within ? low : 0;
        high = within ? high : 0;
        d = within ? d : 1;
        d2 = d * d;
        double a2 = d2 + low * low, b2 = d2 + high * high, a = sqrt(a2), b = sqrt(b2), both = a + b, m0 = high - low;
        double log =
            compute_ln((both + m0) / (both - m0 > 1e-30 ? both - m0 : 1e-30)); /* asinh(high/d) - asinh(low/d) */
        double m1 = 0.5 * (high * b - low * a + d2 * log), m2 = (high * b2 - low * a2 + 2 * d2 * m0) * (1.0 / 3);
        double far = 3 * m0 - 4 * m1 + 1.5 * m2, far_kernel = 6 * m0 - 12 * m1 + 6 * m2, sum, kernel;
        if (smooth) {
            double m4 = (high * b2 * b2 - low * a2 * a2 + 4 * d2 * m2) * (1.0 / 5);
            double m6 = (high * b2 * b2 * b2 - low * a2 * a2 * a2 + 6 * d2 * m4) * (1.0 / 7);
            sum = 2 * m0 - 3 * m2 + 2 * m4 - 0.5 * m6;
            kernel = 4 * m0 - 12 * m2 + 12 * m4 - 4 * m6;
        } else {
            double m3 = (high * b2 * b - low * a2 * a + 3 * d2 * m1) * (1.0 / 4);
            sum = 5 * m0 - 10 * m1 + 7.5 * m2 - 2 * m3;
            kernel = 10 * m0 - 30 * m1 + 30 * m2 - 10 * m3;
        }
        to->shares.value[0][k] += d * far;
        to->shares.value[1][k] += d * sum;
        to->shares.x[0][k] -= far_kernel * nx;
        to->shares.y[0][k] -= far_kernel * ny;
        to->shares.x[1][k] -= kernel * nx;
        to->shares.y[1][k] -= kernel * ny;
        /* The factor a b keeps the product's magnitude. At a corner, where a b = 0, the part has no angle. */
        double scale = a * b > 1e-30 ? 1 / (a * b) : 0, real = to->real[k], imaginary = to->imaginary[k];
        double cosine = scale > 0 ? (d2 + low * high) * scale : 1, sine = d * m0 * scale;
        to->real[k] = real * cosine - imaginary * sine;
        double turned = real * sine + imaginary * cosine;
        to->turns[k] += (sine > 0) & (imaginary >= 0) & (turned < 0) ? 1 : 0;
        to->turns[k] -= (sine < 0) & (imaginary < 0) & (turned >= 0) ? 1 : 0;
        to->imaginary[k] = turned;
    }
}

static void add_side_smooth(sums *to, const side *s, const double *x, const double *y, const double *near) {
    add_side(to, s, x, y, near, true);
}

static void add_side_not_smooth(sums *to, const side *s, const double *x, const double *y, const double *near) {
    add_side(to, s, x, y, near, false);
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
    EACH(k) to.real[k] = 1;
    for (int n = pd_boxtree_first_overlap(tree, &box); n >= 0; n = pd_boxtree_next_overlap(tree, &box, n)) {
        side s = {.winding = solid->winding, .per_h = 1 / h};
        s.a = pd_polygon_inset_corner(solid, tree->nodes[n].item, depth);
        pd_double2 way = pd_minus(pd_polygon_inset_corner(solid, tree->nodes[n].item + 1, depth), s.a);
        s.length = sqrt(pd_dot(way, way));
        if (!(s.length > 0)) continue;
        s.along = (pd_double2){way.x / s.length, way.y / s.length};
        smooth ? add_side_smooth(&to, &s, x, y, near) : add_side_not_smooth(&to, &s, x, y, near);
    }
    finish_shares(solid, depth, x, y, near, &to);
    *shares = to.shares;
}
