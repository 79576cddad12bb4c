/* The velocity field of vortices in a narrow box (pd_vortex_field.short_side). Compiled for each SIMD level
 * (core/simd.h).
 * Let x be the coordinate along the box and H the distance of the two long sides. The reflections at the long sides have
 * a sum in closed form (Saffman, "Vortex Dynamics" 1992, ch. 7). Let s = pi/(2 H). A vortex at a and its reflections of
 * the same sign, at a + 2 i n H, give the field s coth(s (z - a)). The reflections of opposite sign, at conj(a) + i H (2
 * n + 1), give a field of the same form. The total field decreases along the box as exp(-pi |x|/H). In float precision
 * only vortices within a few H matter. Of the reflections at the short sides only the nearest one at each side matters,
 * and only near this side.
 * If many pairs of a vortex and a position remain, the box is divided into slabs, one behind the other along its length.
 * Only vortices in the slab of a position and in its two neighbours are summed one by one. All vortices farther to the
 * left together give, by the series of coth, a sum of Fourier modes across the box:
 *
 *     4 s times the sum over modes n >= 1 of exp(-n pi (z - e)/H) times Re P_n (n odd) or i Im P_n (n even),
 *     P_n = sum of g exp(n pi (a - e)/H).
 * The sum in P_n is over these vortices, of circulation g at a; e is the position of a slab's left edge. Each mode has
 * one real amplitude. It is multiplied by exp(-n pi d/H) when e moves to the right by d. For vortices to the right the
 * box is mirrored.
 * With m slabs on a length H, modes up to n = 5.2 m matter beyond a slab's length. The cost of a position is 5.2 m modes
 * in each direction, and as many pairs as three slabs have vortices, or more if the leaf of the position crosses slabs.
 * Near a vortex its core weakens the field. The difference to a point vortex is subtracted for the vortex and each of
 * its reflections near the position. The field of a core of radius c much wider than the box would be weaker by the
 * factor exp(-(pi c/(2 H))^2), and counts as 0. */
#include "core/simd.h"
#include "vortex/induction_discs.h"
#include "vortex/induction_levels.h"

#include <limits.h>

enum { LEAF = PD_VORTEX_LEAF };

static const double pi = 3.14159265358979323846;
static const float most_t = 17.5f / 16; /* for t above this value 1 - exp(-16 t) is 1 in a float */
static const float least_r2 = 1e-18f;   /* least squared distance other than 0 */
/* A vortex with core radius c between walls a distance H apart is left out beyond the distance x = point_reach H +
 * core_reach c^2/H along the box. The velocity that it induces there, in units of the velocity beside it, is exp((pi
 * c/(2 H))^2 - pi x/H) < 1e-7. */
static const float point_reach = (float)PD_VORTEX_REACH, core_reach = 0.79f;
/* Core radius, in units of the box's short side H, above which less than 1e-6 of a vortex's field remains. */
static const float widest_core = 2.4f;
static const float gaussian_reach = 4.2f; /* distance, in core radii, beyond which a vortex acts as a point */

/* For a coordinate y across the box: sine and cosine of pi y/(2 H), and cosine of pi y/H (cosine_of_double). H:
 * distance of the long sides. */
typedef struct trigonometric_values {
    float sine, cosine, cosine_of_double;
} trigonometric_values;

/* Sums the series of sine and cosine, so that all machines compute the same bits. */
static trigonometric_values compute_trigonometric_values(float y, double height) {
    double angle = 0.5 * pi * (double)y / height, most = 0.25 * pi; /* angle at the wall */
    angle = angle > -most ? angle : -most;
    angle = angle < most ? angle : most;
    double square = angle * angle, sine = 1, cosine = 1;
    for (int k = 8; k > 0; k--) {
        sine = 1 - sine * square / (2 * k * (2 * k + 1));
        cosine = 1 - cosine * square / (2 * k * (2 * k - 1));
    }
    sine *= angle;
    return (trigonometric_values){(float)sine, (float)cosine, (float)(cosine * cosine - sine * sine)};
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

/* Leaf of the tree of positions: 16 positions (x along the box, y across), their trigonometric_values, the field there
 * (re, im), and the bounding box of the positions. */
typedef struct leaf_of_positions {
    pd_floatw x, y, sine, cosine, cosine_of_double, re, im;
    float left, right, bottom, top;
    int first_slab, last_slab; /* range of the slabs whose vortices are summed one by one */
} leaf_of_positions;

typedef struct vortex {
    float x, y, circulation, core, core_scale; /* x along the box, y across; core_scale: 1/(16 core^2) */
    int slab;                                  /* index of the slab that contains the vortex */
    trigonometric_values across;               /* values for y */
} vortex;

static bool is_core_too_wide(const pd_vortex_field *f, float core) { return core > widest_core * f->short_side; }

static inline pd_floatw absolute_value(pd_floatw d) { return pd_max(d, pd_sub(pd_set(0), d)); }

/* Adds the field of a vortex and of its reflections at the long sides, all as point vortices: the two terms with coth
 * at the head of this file. Let (x, y) be a position with x measured from the vortex, b the vortex's coordinate across
 * the box, s = pi/(2 H) and q = 1 - exp(-pi |x|/H). Then sinh(s x)^2 = q^2/(4 (1 - q)), and the terms have the
 * denominators sinh(s x)^2 + sin(s (y - b))^2 and sinh(s x)^2 + cos(s (y + b))^2. */
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

/* Subtracts (field as a point vortex - field with the core) of a vortex or one of its reflections. source_y,
 * circulation: coordinate across the box and circulation of this vortex or reflection. Returns 1, or 0 if it is so far
 * away that nothing is subtracted. */
static inline int subtract_core_deficit(leaf_of_positions *at, const vortex *v, float source_y, float circulation) {
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
    bool near = v->slab >= at->first_slab && v->slab <= at->last_slab;
    if (gap > point_reach * height + core_reach * core * core / height) return 0;
    if (near) add_field_without_core(at, v, height);
    if (core <= 0 || gap > gaussian_reach * core) return near;
    int rows = 1 + (int)(0.5f * gaussian_reach * core / height), pairs = near;
    for (int n = -rows; n <= rows; n++) {
        float shift = 2 * (float)n * height;
        pairs += subtract_core_deficit(at, v, shift + v->y, v->circulation);
        pairs += subtract_core_deficit(at, v, shift + height - v->y, -v->circulation);
    }
    return pairs;
}

/* ---- Modes ---- */

static inline float sign_of_side(int side) { return side ? -1 : 1; }

static inline double left_edge_of_slab(const pd_vortex_field *f, int j) {
    return f->first_slab_edge + j * f->slab_length;
}

static int find_slab_of_position(const pd_vortex_field *f, float x) {
    double slab = ((double)x - f->first_slab_edge) / f->slab_length;
    if (!(slab > 0)) return 0;
    return slab < f->slab_count ? (int)slab : f->slab_count - 1;
}

/* Adds the contribution of a vortex to the amplitudes of the modes n = 1, 2, ...: the real part (odd n) or imaginary
 * part (even n) of circulation x exp(n pi (-depth + i y)/H), H: distance of the long sides. depth: distance along the
 * box from the vortex to the edge of the slab at which these modes have their amplitudes. y: coordinate of the vortex across the box. */
static void add_vortex_to_fourier_modes(const pd_vortex_field *f, double depth, float y, float circulation,
                                        float *modes) {
    static const float odd[LEAF] = {1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
    double height = (double)f->short_side;
    float size = (float)pd_vortex_exp_of_minus(depth > 0 ? pi * depth / height : 0), re[LEAF + 1], im[LEAF + 1];
    trigonometric_values a = compute_trigonometric_values(y, height);
    re[1] = size * a.cosine_of_double;
    im[1] = size * 2 * a.sine * a.cosine;
    for (int n = 2; n <= LEAF; n++) {
        int m = n / 2, k = n - m;
        re[n] = re[m] * re[k] - im[m] * im[k];
        im[n] = re[m] * im[k] + im[m] * re[k];
    }
    pd_floatw x = pd_load_all(re + 1), iy = pd_load_all(im + 1), of_x = pd_mul(pd_set(circulation), pd_load_all(odd));
    pd_floatw of_y = pd_sub(pd_set(circulation), of_x), cosine = pd_set(re[LEAF]), sine = pd_set(im[LEAF]);
    for (int n = 0; n < f->fourier_mode_count; n += LEAF) {
        pd_store_all(modes + n, pd_add(pd_load_all(modes + n), pd_add(pd_mul(of_x, x), pd_mul(of_y, iy))));
        pd_floatw next = pd_sub(pd_mul(x, cosine), pd_mul(iy, sine));
        iy = pd_add(pd_mul(x, sine), pd_mul(iy, cosine));
        x = next;
    }
}

/* Adds the amplitudes of all vortices to the rows of slabs; each row has fourier_mode_count amplitudes. from_right:
 * everything is mirrored in x.
 * - row j + 2: vortices of slab j, with amplitudes that refer to its right edge
 * - row 1: reflections, at the box's left end, of the vortices in the first slab
 * - row 0: the same reflections of the vortices in the other slabs */
static void add_vortices_to_fourier_modes_of_slabs(const pd_vortex_field *f, int from_right, float *rows) {
    const float *x = f->upright ? f->y : f->x, *y = f->upright ? f->x : f->y;
    double wall = 0.5 * (double)f->long_side, reach = (double)(point_reach * f->short_side);
    for (int i = 0; i < f->count; i++) {
        float g = f->upright ? -f->circulation[i] : f->circulation[i];
        if (g == 0 || is_core_too_wide(f, f->core[i])) continue;
        int slab = find_slab_of_position(f, x[i]), row = from_right ? f->slab_count - 1 - slab : slab;
        double behind = (double)x[i] - left_edge_of_slab(f, slab),
               ahead = left_edge_of_slab(f, slab + 1) - (double)x[i];
        double off_wall = wall + (double)(from_right ? -x[i] : x[i]);
        add_vortex_to_fourier_modes(f, from_right ? behind : ahead, y[i], g,
                                    rows + (size_t)(row + 2) * (size_t)f->fourier_mode_count);
        if (off_wall < reach)
            add_vortex_to_fourier_modes(f, off_wall, y[i], -g, rows + (row == 0 ? f->fourier_mode_count : 0));
    }
}

/* Replaces each row of amplitudes, in order, by (row before + row itself) moved by the length of a slab. Afterwards row
 * j contains all vortices of the slabs up to j - 2, with amplitudes that refer to the left edge of slab j. */
static void accumulate_fourier_modes_over_slabs(const pd_vortex_field *f, float *rows) {
    static const float least = 1e-30f; /* smaller amplitudes become 0: subnormal numbers are slow */
    for (int n = 0; n < f->fourier_mode_count; n += LEAF) {
        float factor[LEAF];
        for (int k = 0; k < LEAF; k++)
            factor[k] = (float)pd_vortex_exp_of_minus(pi * (n + k + 1) * f->slab_length / (double)f->short_side);
        pd_floatw all = pd_load_all(rows + n), by = pd_load_all(factor);
        for (int row = 1; row <= f->slab_count; row++) {
            float *here = rows + (size_t)row * (size_t)f->fourier_mode_count + n;
            all = pd_mul(by, pd_add(all, pd_load_all(here)));
            all = pd_zero_unset_lanes(pd_less(pd_set(least), absolute_value(all)), all);
            pd_store_all(here, all);
        }
    }
}

void PD_LEVEL_NAME(pd_vortex_compute_fourier_modes)(const pd_vortex_field *f, int begin, int end) {
    for (int from_right = begin; from_right < end; from_right++) {
        size_t count = (size_t)(f->slab_count + 2) * (size_t)f->fourier_mode_count;
        memset(f->fourier_modes[from_right], 0, count * sizeof *f->fourier_modes[from_right]);
        add_vortices_to_fourier_modes_of_slabs(f, from_right, f->fourier_modes[from_right]);
        accumulate_fourier_modes_over_slabs(f, f->fourier_modes[from_right]);
    }
}

/* Adds the field of all vortices to the left (from_right: to the right) of the slabs [first_slab, last_slab], from the
 * amplitudes of their Fourier modes. */
static void add_field_of_fourier_modes(const pd_vortex_field *f, const float *x, int from_right,
                                       leaf_of_positions *at) {
    double height = (double)f->short_side, edge = left_edge_of_slab(f, from_right ? at->last_slab : at->first_slab + 1);
    int row = from_right ? f->slab_count - at->last_slab : at->first_slab + 1;
    const float *fourier_modes = f->fourier_modes[from_right] + (size_t)row * (size_t)f->fourier_mode_count;
    float t[LEAF];
    for (int i = 0; i < LEAF; i++) {
        double ahead = from_right ? edge - (double)x[i] : (double)x[i] - edge;
        t[i] = (float)(pi / 16 * (ahead > 0 ? ahead : 0) / height);
    }
    pd_floatw size = pd_sub(pd_set(1), one_minus_exp_of_minus_16(pd_load_all(t)));
    pd_floatw zx = pd_mul(size, at->cosine_of_double),
              zy = pd_mul(pd_mul(size, pd_set(-2)), pd_mul(at->sine, at->cosine));
    pd_floatw re = pd_set(0), im = pd_set(0);
    for (int n = f->fourier_mode_count - 1; n > 0; n -= 2) {
        im = pd_add(im, pd_set(fourier_modes[n]));
        pd_floatw next = pd_sub(pd_mul(re, zx), pd_mul(im, zy));
        im = pd_add(pd_mul(re, zy), pd_mul(im, zx));
        re = pd_add(next, pd_set(fourier_modes[n - 1]));
        next = pd_sub(pd_mul(re, zx), pd_mul(im, zy));
        im = pd_add(pd_mul(re, zy), pd_mul(im, zx));
        re = next;
    }
    pd_floatw strength = pd_set((float)(2 * pi / height));
    at->re = pd_add(at->re, pd_mul(pd_mul(pd_set(sign_of_side(from_right)), strength), re));
    at->im = pd_add(at->im, pd_mul(strength, im));
}

/* ---- Sum over all vortices ---- */

/* Leaves of positions whose field is computed together. */
typedef struct position_chunk {
    const pd_vortex_field *field;
    int leaves;        /* number of leaves */
    float left, right; /* range of the positions along the box */
    double pairs;      /* number of summed pairs of 16 positions and a vortex or reflection */
    leaf_of_positions leaf[PD_VORTEX_CHUNK / LEAF];
} position_chunk;

/* Adds the field of a leaf of vortices at the positions of a chunk. side: 0: the vortices themselves; -1: their
 * reflections at the left end of the box; 1: at the right end. */
static void add_field_of_vortex_leaf(position_chunk *c, int leaf, int side) {
    const pd_vortex_field *f = c->field;
    float height = f->short_side, sign = sign_of_side(side);
    const float *x = f->upright ? f->y : f->x, *y = f->upright ? f->x : f->y;
    for (int i = leaf * LEAF; i < (leaf + 1) * LEAF; i++) {
        float g = f->upright ? -sign * f->circulation[i] : sign * f->circulation[i];
        if (g == 0 || is_core_too_wide(f, f->core[i])) continue;
        vortex v = {(float)side * f->long_side + sign * x[i],          y[i], g, f->core[i], f->core_scale[i], 0,
                    compute_trigonometric_values(y[i], (double)height)};
        if (f->slab_count > 0) v.slab = find_slab_of_position(f, x[i]);
        if (f->slab_count > 0 && side) v.slab = (side < 0 ? 0 : 2 * f->slab_count) - 1 - v.slab;
        for (int k = 0; k < c->leaves; k++) c->pairs += add_field_of_vortex_and_reflections(&c->leaf[k], &v, height);
    }
}

static void add_field_of_vortex_node(position_chunk *c, int n, int side) {
    const pd_vortex_field *f = c->field;
    const pd_vortex_node *node = &f->node[n];
    float middle = (float)side * f->long_side + sign_of_side(side) * (f->upright ? node->y : node->x);
    float reach = f->short_side * (point_reach + core_reach * widest_core * widest_core);
    if (f->slab_count > 0)
        reach = greater_of(2 * (float)f->slab_length + 1e-6f * f->long_side, gaussian_reach / f->cutoff * node->reach);
    reach += node->radius;
    if (middle + reach <= c->left || middle - reach >= c->right) return;
    for (int i = 0; i < f->child_count[n]; i++) add_field_of_vortex_node(c, f->first_child[n] + i, side);
    if (f->child_count[n] == 0) add_field_of_vortex_leaf(c, n, side);
}

static leaf_of_positions make_leaf_with_field_of_fourier_modes(const pd_vortex_field *f, const float *x,
                                                               const float *y) {
    _Alignas(64) float sine[LEAF], cosine[LEAF], cosine_of_double[LEAF];
    leaf_of_positions at = {.x = pd_load_all(x),
                            .y = pd_load_all(y),
                            .re = pd_set(0),
                            .im = pd_set(0),
                            .left = x[0],
                            .right = x[0],
                            .bottom = y[0],
                            .top = y[0],
                            .first_slab = INT_MIN,
                            .last_slab = INT_MAX};
    for (int i = 0; i < LEAF; i++) {
        trigonometric_values a = compute_trigonometric_values(y[i], (double)f->short_side);
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
    if (f->slab_count == 0) return at;
    at.first_slab = find_slab_of_position(f, at.left) - 1;
    at.last_slab = find_slab_of_position(f, at.right) + 1;
    for (int from_right = 0; from_right < 2; from_right++) add_field_of_fourier_modes(f, x, from_right, &at);
    return at;
}

/* In an upright box x and y are exchanged. This changes the sign of all circulations, and exchanges re and im. */
double PD_LEVEL_NAME(pd_vortex_evaluate_narrow_box)(const pd_vortex_field *f, int count, const float *x, const float *y,
                                                    float *re, float *im) {
    position_chunk c = {.field = f, .leaves = count / LEAF, .left = INFINITY, .right = -INFINITY};
    for (int k = 0; k < c.leaves; k++) {
        c.leaf[k] = make_leaf_with_field_of_fourier_modes(f, (f->upright ? y : x) + (size_t)k * LEAF,
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
