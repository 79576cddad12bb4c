/* The field in a narrow box, whose far reflections have no expansion about the centre. Compiled for each SIMD level
 * (core/simd.h).
 *
 * The reflections at the two long sides, a distance H apart, have a sum in closed form (Saffman, "Vortex Dynamics"
 * 1992, ch. 7). Let s = pi/(2 H). A vortex at a and those of the same sign at a + 2 i n H give s coth(s (z - a)). Those
 * of opposite sign at conj(a) + i H (2 n + 1) give the same form. The sum decreases along the box as exp(-pi |x|/H): in
 * float precision only vortices within a few H matter, and of the reflections at the short sides only the nearest, near
 * these sides.
 *
 * If many pairs remain, the box is divided into sections along its length. Only vortices of a position's own section
 * and its two neighbours are summed as pairs. Vortices farther to the left give, by the series of coth,
 *
 *     4 s times the sum over n >= 1 of exp(-n pi (z - e)/H) times Re P_n (n odd) or i Im P_n (n even),
 *     P_n = sum of g exp(n pi (a - e)/H).
 *
 * Each of these modes is one real number. A factor moves it from a section's edge e to the next. Vortices to the right
 * are the same in a mirror. With m sections on a length H, modes up to n = 5.2 m matter a section away. A position
 * costs 5.2 m terms in each direction, and pairs with 3/m of the vortices on a length H, or more if its leaf crosses
 * sections.
 *
 * Cores weaken the field near them. This reduction is subtracted for each reflection within the core's reach. Of the
 * field of a core c much wider than the box, exp(-(pi c/(2 H))^2) remains, which counts as 0. */
#include "core/simd.h"
#include "vortex/induction_box.h"
#include "vortex/induction_discs.h"

#include <limits.h>

enum { LEAF = PD_VORTEX_LEAF };

static const double pi = 3.14159265358979323846;
static const float most_t = 17.5f / 16; /* t from which 1 - exp(-16 t) = 1 in a float */
static const float least_r2 = 1e-18f;   /* least squared distance other than 0 */
/* A vortex with core radius c between walls a distance H apart is left out beyond the distance x = point_reach H +
 * core_reach c^2/H: the velocity induced there, relative to the velocity beside the vortex, is exp((pi c/(2 H))^2 -
 * pi x/H) < 1e-7. */
static const float point_reach = (float)PD_VORTEX_REACH, core_reach = 0.79f;
/* Core radius, in units of the box's short side H, above which less than 1e-6 of a vortex's field remains. */
static const float widest_core = 2.4f;
static const float gaussian_reach = 4.2f; /* distance, in core radii, beyond which a vortex acts as a point */

/* Functions of a coordinate y across the box: sine and cosine of pi y/(2 H), and cosine of pi y/H (cosine_of_double).
 * H: distance of the long sides. */
typedef struct across_functions {
    float sine, cosine, cosine_of_double;
} across_functions;

/* Computes the functions by their series, so that all machines get the same bits. */
static across_functions compute_across_functions(float y, double height) {
    double angle = 0.5 * pi * (double)y / height, most = 0.25 * pi; /* angle at the wall */
    angle = angle > -most ? angle : -most;
    angle = angle < most ? angle : most;
    double square = angle * angle, sine = 1, cosine = 1;
    for (int k = 8; k > 0; k--) {
        sine = 1 - sine * square / (2 * k * (2 * k + 1));
        cosine = 1 - cosine * square / (2 * k * (2 * k - 1));
    }
    sine *= angle;
    return (across_functions){(float)sine, (float)cosine, (float)(cosine * cosine - sine * sine)};
}

/* Returns 1 - exp(-16 t) for t >= 0, by the polynomial explained in induction_wide.c. */
static inline pd_floatw one_minus_exp_of_minus_16(pd_floatw t) {
    static const float c[] = {0.007755898404866457f, -0.041352104395627975f, 0.1665877103805542f, -0.4999926686286926f,
                              0.9999998807907104f};
    pd_floatw p = pd_set(-0.0008780735079199076f), two = pd_set(2);
    t = pd_min(t, pd_set(most_t));
    for (int k = 0; k < 5; k++) p = pd_add(pd_mul(p, t), pd_set(c[k]));
    p = pd_mul(p, t);
    for (int k = 0; k < 4; k++) p = pd_mul(p, pd_sub(two, p));
    return p;
}

/* 16 positions (x along the box, y across), the field there (re, im), and their bounding box. */
typedef struct leaf_of_positions {
    pd_floatw x, y, sine, cosine, cosine_of_double, re, im;
    float left, right, bottom, top;
    int first, last; /* sections whose vortices are summed as pairs */
} leaf_of_positions;

typedef struct vortex {
    float x, y, circulation, core, core_scale; /* core_scale: 1/(16 core^2) */
    int section;
    across_functions across;
} vortex;

static bool is_core_too_wide(const pd_vortex_field *f, float core) { return core > widest_core * f->short_side; }

static inline pd_floatw absolute_value(pd_floatw d) { return pd_max(d, pd_sub(pd_set(0), d)); }

/* Adds the field of a vortex at a and of its reflections at the long sides, as points. With s = pi/(2 H), b = Im(a) and
 * q = 1 - exp(-pi |x|/H), sinh(s x)^2 = q^2/(4 (1 - q)). The two sums of coth have the denominators
 * sinh^2 + sin(s (y - b))^2 and sinh^2 + cos(s (y + b))^2. */
static inline void add_field_without_core(leaf_of_positions *at, const vortex *v, float height) {
    pd_floatw dx = pd_sub(at->x, pd_set(v->x)), distance = absolute_value(dx), one = pd_set(1), quarter = pd_set(0.25f);
    pd_floatw q = one_minus_exp_of_minus_16(pd_mul(distance, pd_set((float)(pi / 16) / height))), p = pd_sub(one, q);
    pd_floatw sc = pd_mul(at->sine, pd_set(v->across.cosine)), cs = pd_mul(at->cosine, pd_set(v->across.sine));
    pd_floatw cc = pd_mul(at->cosine, pd_set(v->across.cosine)), ss = pd_mul(at->sine, pd_set(v->across.sine));
    pd_floatw sine_less = pd_sub(sc, cs), cosine_less = pd_add(cc, ss), sine_sum = pd_add(sc, cs),
              cosine_sum = pd_sub(cc, ss);
    pd_floatw square = pd_mul(quarter, pd_mul(q, q)), s = pd_set((float)(0.5 * pi) / height);
    pd_floatw least = pd_mul(pd_mul(s, s), pd_set(least_r2));
    pd_floatw own = pd_max(pd_add(square, pd_mul(p, pd_mul(sine_less, sine_less))), least);
    pd_floatw other = pd_max(pd_add(square, pd_mul(p, pd_mul(cosine_sum, cosine_sum))), least);
    pd_floatw strength = pd_mul(pd_mul(pd_set(v->circulation), s), p);
    pd_floatw along =
        pd_mul(pd_mul(q, pd_add(one, p)), pd_mul(at->cosine_of_double, pd_set(v->across.cosine_of_double)));
    pd_floatw sign =
        pd_sub(pd_zero_unset_lanes(pd_less(pd_set(0), dx), one), pd_zero_unset_lanes(pd_less(dx, pd_set(0)), one));
    pd_floatw re = pd_div(pd_mul(pd_mul(sign, quarter), along), pd_mul(own, other));
    pd_floatw im = pd_add(pd_div(pd_mul(sine_less, cosine_less), own), pd_div(pd_mul(sine_sum, cosine_sum), other));
    at->re = pd_add(at->re, pd_mul(strength, re));
    at->im = pd_sub(at->im, pd_mul(strength, im));
}

/* Subtracts the part of the field that the core of one reflection removes. source_y, circulation: of the reflection.
 * Returns the number of summed pairs: 1, or 0 beyond the core's reach. */
static inline int subtract_core_reduction(leaf_of_positions *at, const vortex *v, float source_y, float circulation) {
    if (greater_of(at->bottom - source_y, source_y - at->top) > gaussian_reach * v->core) return 0;
    pd_floatw dx = pd_sub(at->x, pd_set(v->x)), dy = pd_sub(at->y, pd_set(source_y));
    pd_floatw r2 = pd_max(pd_add(pd_mul(dx, dx), pd_mul(dy, dy)), pd_set(least_r2));
    pd_floatw left = pd_sub(pd_set(1), one_minus_exp_of_minus_16(pd_mul(r2, pd_set(v->core_scale))));
    pd_floatw w = pd_div(pd_mul(pd_set(circulation), left), r2);
    at->re = pd_sub(at->re, pd_mul(w, dx));
    at->im = pd_add(at->im, pd_mul(w, dy));
    return 1;
}

/* Adds the field of a vortex and its reflections at a leaf of positions. Returns the number of summed pairs. */
static int add_field_of_vortex_and_reflections(leaf_of_positions *at, const vortex *v, float height) {
    float core = v->core, gap = greater_of(greater_of(at->left - v->x, v->x - at->right), 0);
    bool near = v->section >= at->first && v->section <= at->last;
    if (gap > point_reach * height + core_reach * core * core / height) return 0;
    if (near) add_field_without_core(at, v, height);
    if (core <= 0 || gap > gaussian_reach * core) return near;
    int rows = 1 + (int)(0.5f * gaussian_reach * core / height), pairs = near;
    for (int n = -rows; n <= rows; n++) {
        float shift = 2 * (float)n * height;
        pairs += subtract_core_reduction(at, v, shift + v->y, v->circulation);
        pairs += subtract_core_reduction(at, v, shift + height - v->y, -v->circulation);
    }
    return pairs;
}

/* ---- Modes ---- */

static inline float sign_of_side(int side) { return side ? -1 : 1; }

static inline double left_edge_of_section(const pd_vortex_field *f, int j) {
    return f->first_edge + j * f->section_length;
}

static int find_section(const pd_vortex_field *f, float x) {
    double section = ((double)x - f->first_edge) / f->section_length;
    if (!(section > 0)) return 0;
    return section < f->section_count ? (int)section : f->section_count - 1;
}

/* Adds circulation x u^n, u = exp(pi (-depth + i y)/H), to mode n: the real part for odd n, the imaginary part for
 * even n. depth: distance along the box to the edge to which the modes refer; H: short_side. */
static void add_vortex_to_modes(const pd_vortex_field *f, double depth, float y, float circulation, float *modes) {
    static const float odd[LEAF] = {1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
    double height = (double)f->short_side;
    float size = (float)pd_vortex_exp_of_minus(depth > 0 ? pi * depth / height : 0), re[LEAF + 1], im[LEAF + 1];
    across_functions a = compute_across_functions(y, height);
    re[1] = size * a.cosine_of_double;
    im[1] = size * 2 * a.sine * a.cosine;
    for (int n = 2; n <= LEAF; n++) {
        int m = n / 2, k = n - m;
        re[n] = re[m] * re[k] - im[m] * im[k];
        im[n] = re[m] * im[k] + im[m] * re[k];
    }
    pd_floatw x = pd_load_all(re + 1), iy = pd_load_all(im + 1), of_x = pd_mul(pd_set(circulation), pd_load_all(odd));
    pd_floatw of_y = pd_sub(pd_set(circulation), of_x), cosine = pd_set(re[LEAF]), sine = pd_set(im[LEAF]);
    for (int n = 0; n < f->mode_count; n += LEAF) {
        pd_store_all(modes + n, pd_add(pd_load_all(modes + n), pd_add(pd_mul(of_x, x), pd_mul(of_y, iy))));
        pd_floatw next = pd_sub(pd_mul(x, cosine), pd_mul(iy, sine));
        iy = pd_add(pd_mul(x, sine), pd_mul(iy, cosine));
        x = next;
    }
}

/* Sets the rows of modes. Row j + 2: vortices of section j, relative to its right edge. Rows 0 and 1: reflections at the
 * left end, more than a section beyond it (0) or less (1). from_right: the box is mirrored in x. */
static void add_vortices_to_mode_rows(const pd_vortex_field *f, int from_right, float *mode_rows) {
    const float *x = f->upright ? f->y : f->x, *y = f->upright ? f->x : f->y;
    double wall = 0.5 * (double)f->long_side, reach = (double)(point_reach * f->short_side);
    for (int i = 0; i < f->count; i++) {
        float g = f->upright ? -f->circulation[i] : f->circulation[i];
        if (g == 0 || is_core_too_wide(f, f->core[i])) continue;
        int section = find_section(f, x[i]), row = from_right ? f->section_count - 1 - section : section;
        double behind = (double)x[i] - left_edge_of_section(f, section),
               ahead = left_edge_of_section(f, section + 1) - (double)x[i];
        double off_wall = wall + (double)(from_right ? -x[i] : x[i]);
        add_vortex_to_modes(f, from_right ? behind : ahead, y[i], g,
                            mode_rows + (size_t)(row + 2) * (size_t)f->mode_count);
        if (off_wall < reach) add_vortex_to_modes(f, off_wall, y[i], -g, mode_rows + (row == 0 ? f->mode_count : 0));
    }
}

/* Replaces each row of modes, in order, by the sum of the row before and the row itself, moved by a section.
 * Afterwards row j contains all vortices of the sections up to j - 2, relative to the left edge of section j. */
static void accumulate_modes_over_sections(const pd_vortex_field *f, float *mode_rows) {
    static const float least = 1e-30f; /* smaller values count as 0: subnormal numbers are slow */
    for (int n = 0; n < f->mode_count; n += LEAF) {
        float factor[LEAF];
        for (int k = 0; k < LEAF; k++)
            factor[k] = (float)pd_vortex_exp_of_minus(pi * (n + k + 1) * f->section_length / (double)f->short_side);
        pd_floatw all = pd_load_all(mode_rows + n), by = pd_load_all(factor);
        for (int row = 1; row <= f->section_count; row++) {
            float *here = mode_rows + (size_t)row * (size_t)f->mode_count + n;
            all = pd_mul(by, pd_add(all, pd_load_all(here)));
            all = pd_zero_unset_lanes(pd_less(pd_set(least), absolute_value(all)), all);
            pd_store_all(here, all);
        }
    }
}

void PD_LEVEL_NAME(pd_vortex_compute_modes)(const pd_vortex_field *f, int begin, int end) {
    for (int from_right = begin; from_right < end; from_right++) {
        size_t count = (size_t)(f->section_count + 2) * (size_t)f->mode_count;
        memset(f->mode[from_right], 0, count * sizeof *f->mode[from_right]);
        add_vortices_to_mode_rows(f, from_right, f->mode[from_right]);
        accumulate_modes_over_sections(f, f->mode[from_right]);
    }
}

/* Adds the field of the vortices beyond the sections that are summed as pairs: to the left of them, or (from_right)
 * to the right. */
static void add_field_of_modes(const pd_vortex_field *f, const float *x, int from_right, leaf_of_positions *at) {
    double height = (double)f->short_side, edge = left_edge_of_section(f, from_right ? at->last : at->first + 1);
    int row = from_right ? f->section_count - at->last : at->first + 1;
    const float *mode = f->mode[from_right] + (size_t)row * (size_t)f->mode_count;
    float t[LEAF];
    for (int i = 0; i < LEAF; i++) {
        double ahead = from_right ? edge - (double)x[i] : (double)x[i] - edge;
        t[i] = (float)(pi / 16 * (ahead > 0 ? ahead : 0) / height);
    }
    pd_floatw size = pd_sub(pd_set(1), one_minus_exp_of_minus_16(pd_load_all(t)));
    pd_floatw zx = pd_mul(size, at->cosine_of_double),
              zy = pd_mul(pd_mul(size, pd_set(-2)), pd_mul(at->sine, at->cosine));
    pd_floatw re = pd_set(0), im = pd_set(0);
    for (int n = f->mode_count - 1; n > 0; n -= 2) {
        im = pd_add(im, pd_set(mode[n]));
        pd_floatw next = pd_sub(pd_mul(re, zx), pd_mul(im, zy));
        im = pd_add(pd_mul(re, zy), pd_mul(im, zx));
        re = pd_add(next, pd_set(mode[n - 1]));
        next = pd_sub(pd_mul(re, zx), pd_mul(im, zy));
        im = pd_add(pd_mul(re, zy), pd_mul(im, zx));
        re = next;
    }
    pd_floatw strength = pd_set((float)(2 * pi / height));
    at->re = pd_add(at->re, pd_mul(pd_mul(pd_set(sign_of_side(from_right)), strength), re));
    at->im = pd_add(at->im, pd_mul(strength, im));
}

/* ---- Sum over all vortices ---- */

/* Positions that are evaluated together. */
typedef struct position_chunk {
    const pd_vortex_field *field;
    int leaves;
    float left, right;
    double pairs; /* number of summed pairs */
    leaf_of_positions leaf[PD_VORTEX_CHUNK / LEAF];
} position_chunk;

/* Adds the field of a leaf of vortices (side 0), or of its reflection at the left (-1) or right end (1) of the box. */
static void add_field_of_vortex_leaf(position_chunk *c, int leaf, int side) {
    const pd_vortex_field *f = c->field;
    float height = f->short_side, sign = sign_of_side(side);
    const float *x = f->upright ? f->y : f->x, *y = f->upright ? f->x : f->y;
    for (int i = leaf * LEAF; i < (leaf + 1) * LEAF; i++) {
        float g = f->upright ? -sign * f->circulation[i] : sign * f->circulation[i];
        if (g == 0 || is_core_too_wide(f, f->core[i])) continue;
        vortex v = {(float)side * f->long_side + sign * x[i],      y[i], g, f->core[i], f->core_scale[i], 0,
                    compute_across_functions(y[i], (double)height)};
        if (f->section_count > 0) v.section = find_section(f, x[i]);
        if (f->section_count > 0 && side) v.section = (side < 0 ? 0 : 2 * f->section_count) - 1 - v.section;
        for (int k = 0; k < c->leaves; k++) c->pairs += add_field_of_vortex_and_reflections(&c->leaf[k], &v, height);
    }
}

static void add_field_of_vortex_node(position_chunk *c, int n, int side) {
    const pd_vortex_field *f = c->field;
    const pd_vortex_node *node = &f->node[n];
    float middle = (float)side * f->long_side + sign_of_side(side) * (f->upright ? node->y : node->x);
    float reach = f->short_side * (point_reach + core_reach * widest_core * widest_core);
    if (f->section_count > 0)
        reach =
            greater_of(2 * (float)f->section_length + 1e-6f * f->long_side, gaussian_reach / f->cutoff * node->reach);
    reach += node->radius;
    if (middle + reach <= c->left || middle - reach >= c->right) return;
    for (int i = 0; i < f->child_count[n]; i++) add_field_of_vortex_node(c, f->first_child[n] + i, side);
    if (f->child_count[n] == 0) add_field_of_vortex_leaf(c, n, side);
}

static leaf_of_positions make_leaf_with_field_of_modes(const pd_vortex_field *f, const float *x, const float *y) {
    _Alignas(64) float sine[LEAF], cosine[LEAF], cosine_of_double[LEAF];
    leaf_of_positions at = {.x = pd_load_all(x),
                            .y = pd_load_all(y),
                            .re = pd_set(0),
                            .im = pd_set(0),
                            .left = x[0],
                            .right = x[0],
                            .bottom = y[0],
                            .top = y[0],
                            .first = INT_MIN,
                            .last = INT_MAX};
    for (int i = 0; i < LEAF; i++) {
        across_functions a = compute_across_functions(y[i], (double)f->short_side);
        sine[i] = a.sine;
        cosine[i] = a.cosine;
        cosine_of_double[i] = a.cosine_of_double;
        at.left = lesser_of(at.left, x[i]);
        at.right = greater_of(at.right, x[i]);
        at.bottom = lesser_of(at.bottom, y[i]);
        at.top = greater_of(at.top, y[i]);
    }
    at.sine = pd_load_all(sine);
    at.cosine = pd_load_all(cosine);
    at.cosine_of_double = pd_load_all(cosine_of_double);
    if (f->section_count == 0) return at;
    at.first = find_section(f, at.left) - 1;
    at.last = find_section(f, at.right) + 1;
    for (int from_right = 0; from_right < 2; from_right++) add_field_of_modes(f, x, from_right, &at);
    return at;
}

/* In an upright box x and y are exchanged, which changes the sign of circulations and exchanges re and im. */
double PD_LEVEL_NAME(pd_vortex_evaluate_narrow_box)(const pd_vortex_field *f, int count, const float *x, const float *y,
                                                    float *re, float *im) {
    position_chunk c = {.field = f, .leaves = count / LEAF, .left = INFINITY, .right = -INFINITY};
    for (int k = 0; k < c.leaves; k++) {
        c.leaf[k] = make_leaf_with_field_of_modes(f, (f->upright ? y : x) + (size_t)k * LEAF,
                                                  (f->upright ? x : y) + (size_t)k * LEAF);
        c.left = lesser_of(c.left, c.leaf[k].left);
        c.right = greater_of(c.right, c.leaf[k].right);
    }
    int roots = f->direct ? f->leaf_count : 1;
    for (int side = -1; side <= 1; side++)
        for (int n = f->node_count - roots; n < f->node_count; n++) add_field_of_vortex_node(&c, n, side);
    for (int k = 0; k < c.leaves; k++) {
        pd_store_all(re + (size_t)k * LEAF, f->upright ? c.leaf[k].im : c.leaf[k].re);
        pd_store_all(im + (size_t)k * LEAF, f->upright ? c.leaf[k].re : c.leaf[k].im);
    }
    return c.pairs;
}
