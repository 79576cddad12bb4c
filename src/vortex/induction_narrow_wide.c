/* Compiled once for each SIMD level (core/simd.h): the field in a box whose sides differ so much that its far reflections have
 * no expansion about the centre.
 *
 * The reflections at the two long sides, a distance H apart, have a sum in closed form (Saffman, "Vortex Dynamics" 1992, ch. 7):
 * with s = pi/(2 H), a vortex at a and those of the same sign at a + 2 i n H give s coth(s (z - a)), those of opposite sign at
 * conj(a) + i H (2 n + 1) likewise. Both together decrease along the box as exp(-pi |x|/H), so that in float precision only
 * vortices within a few H are felt, and of the reflections at the short sides only the first ones, near these sides. The cost
 * is that of the pairs within that distance.
 *
 * What a core takes away from the field of a point is subtracted for each reflection within its reach. That of a core much
 * wider than the box leaves nothing, exp(-(pi c/(2 H))^2). */
#include "core/simd.h"
#include "vortex/induction_discs.h"

enum { LEAF = PD_VORTEX_LEAF };

static const double pi = 3.14159265358979323846;
static const float most_t = 17.5f / 16, least_r2 = 1e-18f; /* as in induction_wide.c */
/* In H: where exp(-pi x/H) is below 1e-7; and of a core c, c^2/H times this more: its field is exp((pi c/(2 H))^2 - pi x/H). */
static const float point_reach = 5.2f, core_reach = 0.79f;
static const float widest_core = 2.4f; /* in H; of wider ones less than 1e-6 is left */
static const float gaussian_reach = 4.2f;

/* Across the box, of a vortex or a position: sine and cosine of pi y/(2 H), and cosine of pi y/H. */
typedef struct across {
    float sine, cosine, of_double;
} across;

/* The same on every machine. */
static across across_of(float y, double height) {
    double angle = 0.5 * pi * (double)y / height, most = 0.25 * pi; /* on the walls at the farthest */
    angle = angle > -most ? angle : -most;
    angle = angle < most ? angle : most;
    double square = angle * angle, sine = 1, cosine = 1;
    for (int k = 8; k > 0; k--) {
        sine = 1 - sine * square / (2 * k * (2 * k + 1));
        cosine = 1 - cosine * square / (2 * k * (2 * k - 1));
    }
    sine *= angle;
    return (across){(float)sine, (float)cosine, (float)(cosine * cosine - sine * sine)};
}

/* 1 - exp(-16 t), as in induction_wide.c. */
static inline pd_floatw one_less_exp(pd_floatw t) {
    static const float c[] = {0.007755898404866457f, -0.041352104395627975f, 0.1665877103805542f, -0.4999926686286926f,
                              0.9999998807907104f};
    pd_floatw p = pd_set(-0.0008780735079199076f), two = pd_set(2);
    t = pd_min(t, pd_set(most_t));
    for (int k = 0; k < 5; k++) p = pd_add(pd_mul(p, t), pd_set(c[k]));
    p = pd_mul(p, t);
    for (int k = 0; k < 4; k++) p = pd_mul(p, pd_sub(two, p));
    return p;
}

/* A leaf of positions: x along the box, y across. */
typedef struct leaf_of_positions {
    pd_floatw x, y, sine, cosine, of_double, re, im;
    float left, right;
} leaf_of_positions;

typedef struct source {
    float x, y, g, core, k;
    across across;
} source;

static inline pd_floatw distance_of(pd_floatw d) { return pd_max(d, pd_sub(pd_set(0), d)); }

/* The vortex and its reflections at the long sides, as points. q = 1 - exp(-pi |x|/H), so that sinh(s x)^2 = q^2/(4 (1 - q)); the
 * two sums of coth have the denominators sinh^2 + sin(s (y - b))^2 and sinh^2 + cos(s (y + b))^2, b = Im a. */
static inline void add_points(leaf_of_positions *at, const source *v, float height) {
    pd_floatw dx = pd_sub(at->x, pd_set(v->x)), apart = distance_of(dx), one = pd_set(1), quarter = pd_set(0.25f);
    pd_floatw q = one_less_exp(pd_mul(apart, pd_set((float)(pi / 16) / height))), p = pd_sub(one, q);
    pd_floatw sc = pd_mul(at->sine, pd_set(v->across.cosine)), cs = pd_mul(at->cosine, pd_set(v->across.sine));
    pd_floatw cc = pd_mul(at->cosine, pd_set(v->across.cosine)), ss = pd_mul(at->sine, pd_set(v->across.sine));
    pd_floatw sine_less = pd_sub(sc, cs), cosine_less = pd_add(cc, ss), sine_sum = pd_add(sc, cs),
              cosine_sum = pd_sub(cc, ss);
    pd_floatw square = pd_mul(quarter, pd_mul(q, q)), s = pd_set((float)(0.5 * pi) / height);
    pd_floatw least = pd_mul(pd_mul(s, s), pd_set(least_r2));
    pd_floatw own = pd_max(pd_add(square, pd_mul(p, pd_mul(sine_less, sine_less))), least);
    pd_floatw other = pd_max(pd_add(square, pd_mul(p, pd_mul(cosine_sum, cosine_sum))), least);
    pd_floatw strength = pd_mul(pd_mul(pd_set(v->g), s), p);
    pd_floatw along = pd_mul(pd_mul(q, pd_add(one, p)), pd_mul(at->of_double, pd_set(v->across.of_double)));
    pd_floatw sign = pd_sub(pd_mask(pd_less(pd_set(0), dx), one), pd_mask(pd_less(dx, pd_set(0)), one));
    pd_floatw re = pd_div(pd_mul(pd_mul(sign, quarter), along), pd_mul(own, other));
    pd_floatw im = pd_add(pd_div(pd_mul(sine_less, cosine_less), own), pd_div(pd_mul(sine_sum, cosine_sum), other));
    at->re = pd_add(at->re, pd_mul(strength, re));
    at->im = pd_sub(at->im, pd_mul(strength, im));
}

/* Takes off what the core takes away from one reflection. */
static inline void subtract_core(leaf_of_positions *at, const source *v, float y, float g) {
    pd_floatw dx = pd_sub(at->x, pd_set(v->x)), dy = pd_sub(at->y, pd_set(y));
    pd_floatw r2 = pd_max(pd_add(pd_mul(dx, dx), pd_mul(dy, dy)), pd_set(least_r2));
    pd_floatw left = pd_sub(pd_set(1), one_less_exp(pd_mul(r2, pd_set(v->k))));
    pd_floatw w = pd_div(pd_mul(pd_set(g), left), r2);
    at->re = pd_sub(at->re, pd_mul(w, dx));
    at->im = pd_add(at->im, pd_mul(w, dy));
}

static void add_source(leaf_of_positions *at, const source *v, float height) {
    float core = v->core, gap = larger(larger(at->left - v->x, v->x - at->right), 0);
    if (core > widest_core * height || gap > point_reach * height + core_reach * core * core / height) return;
    add_points(at, v, height);
    if (core <= 0 || gap > gaussian_reach * core) return;
    int rows = 1 + (int)(0.5f * gaussian_reach * core / height);
    for (int n = -rows; n <= rows; n++) {
        float shift = 2 * (float)n * height;
        subtract_core(at, v, shift + v->y, v->g);
        subtract_core(at, v, shift + height - v->y, -v->g);
    }
}

/* A leaf of vortices, itself (side 0) or reflected at the left or right end (-1, 1). */
static void add_leaf(const pd_vortex_field *f, int leaf, int side, leaf_of_positions *at, int leaves) {
    float height = f->short_side, sign = side ? -1 : 1;
    const float *x = f->upright ? f->y : f->x, *y = f->upright ? f->x : f->y;
    for (int i = leaf * LEAF; i < (leaf + 1) * LEAF; i++) {
        float g = f->upright ? -sign * f->g[i] : sign * f->g[i];
        source v = {(float)side * f->long_side + sign * x[i], y[i], g, f->core[i], f->k[i],
                    across_of(y[i], (double)height)};
        for (int k = 0; k < leaves && f->g[i] != 0; k++) add_source(&at[k], &v, height);
    }
}

static leaf_of_positions leaf_at(const pd_vortex_field *f, const float *x, const float *y) {
    _Alignas(64) float sine[LEAF], cosine[LEAF], of_double[LEAF];
    leaf_of_positions at = {
        .x = pd_load_all(x), .y = pd_load_all(y), .re = pd_set(0), .im = pd_set(0), .left = x[0], .right = x[0]};
    for (int i = 0; i < LEAF; i++) {
        across a = across_of(y[i], (double)f->short_side);
        sine[i] = a.sine;
        cosine[i] = a.cosine;
        of_double[i] = a.of_double;
        at.left = lesser(at.left, x[i]);
        at.right = larger(at.right, x[i]);
    }
    at.sine = pd_load_all(sine);
    at.cosine = pd_load_all(cosine);
    at.of_double = pd_load_all(of_double);
    return at;
}

/* In an upright box, x and y are exchanged: that turns the sign of circulations, and exchanges the parts of the field. */
void PD_LEVEL_NAME(pd_vortex_narrow)(const pd_vortex_field *f, int count, const float *x, const float *y, float *re,
                                     float *im) {
    leaf_of_positions at[PD_VORTEX_CHUNK / LEAF];
    int leaves = count / LEAF;
    float left = INFINITY, right = -INFINITY;
    float reach = f->short_side * (point_reach + core_reach * widest_core * widest_core);
    for (int k = 0; k < leaves; k++) {
        at[k] = leaf_at(f, (f->upright ? y : x) + (size_t)k * LEAF, (f->upright ? x : y) + (size_t)k * LEAF);
        left = lesser(left, at[k].left - reach);
        right = larger(right, at[k].right + reach);
    }
    for (int leaf = 0; leaf < f->leaves; leaf++) {
        const pd_vortex_node *node = &f->node[leaf];
        for (int side = -1; side <= 1; side++) {
            float middle = (float)side * f->long_side + (side ? -1.0f : 1.0f) * (f->upright ? node->y : node->x);
            if (middle + node->radius > left && middle - node->radius < right) add_leaf(f, leaf, side, at, leaves);
        }
    }
    for (int k = 0; k < leaves; k++) {
        pd_store_all(re + (size_t)k * LEAF, f->upright ? at[k].im : at[k].re);
        pd_store_all(im + (size_t)k * LEAF, f->upright ? at[k].re : at[k].im);
    }
}
