/* The field of the vortices at chunks of positions. Compiled once for each SIMD level (core/simd.h).
 *
 * The method of images is applied to positions instead of vortices: the positions are mapped, and the field of the
 * vortices is evaluated at the mapped positions (struct mapped_positions). The map for a circle is z* = R^2/conj(z),
 * for a box a reflection. So direct sums, tree and cores have no second form for images. */
#include "core/simd.h"
#include "vortex/induction_discs.h"
#include <string.h>

/* Keys of points along a Hilbert curve, and discs and multipoles of the nodes of the vortices' tree. Compiled once for
 * each SIMD level (core/simd.h). */

enum { LEAF = PD_VORTEX_LEAF, BLOCK = 256 };

/* ---- Hilbert curve ---- */

static inline uint32_t hilbert_cell_of_coordinate(float x, float low, float cells_per_unit) {
    float last = (float)((1 << PD_VORTEX_KEY_BITS) - 1), cell = (x - low) * cells_per_unit;
    cell = cell > 0 ? cell : 0;
    return (uint32_t)(int)(cell < last ? cell : last);
}

/* Computes the Hilbert keys of `count` cells (x, y) from the bits `high` down to `low` of x and y. Each pair of bits
 * gives two bits of the key. In two of the four quadrants the curve is mirrored at a diagonal (Lam, Shapiro 1994). */
static void compute_hilbert_key_bits(int high, int low, int count, uint32_t *restrict x, uint32_t *restrict y,
                                     uint32_t *restrict key) {
    for (int i = 0; i < count; i++) key[i] = 0;
    for (int bit = high; bit >= low; bit--)
        for (int i = 0; i < count; i++) {
            uint32_t rx = x[i] >> bit & 1, ry = y[i] >> bit & 1;
            key[i] = key[i] << 2 | ((3 * rx) ^ ry);
            uint32_t swap = ry - 1, mirror = (0u - rx) & swap; /* masks: all bits are set, or none */
            uint32_t a = x[i] ^ mirror, b = y[i] ^ mirror, both = (a ^ b) & swap;
            x[i] = a ^ both;
            y[i] = b ^ both;
        }
}

void PD_LEVEL_NAME(pd_vortex_compute_keys)(const pd_vortex_curve *curve, const float *x, const float *y, int begin,
                                           int end, uint64_t *keys) {
    enum { HALF = PD_VORTEX_KEY_BITS / 2 };
    uint32_t cx[BLOCK], cy[BLOCK], high[BLOCK], low[BLOCK];
    for (int from = begin; from < end; from += BLOCK) {
        int count = end - from < BLOCK ? end - from : BLOCK;
        for (int i = 0; i < count; i++) {
            cx[i] = hilbert_cell_of_coordinate(x[from + i], curve->x, curve->cells_per_unit);
            cy[i] = hilbert_cell_of_coordinate(y[from + i], curve->y, curve->cells_per_unit);
        }
        compute_hilbert_key_bits(PD_VORTEX_KEY_BITS - 1, HALF, count, cx, cy, high);
        compute_hilbert_key_bits(HALF - 1, 0, count, cx, cy, low);
        for (int i = 0; i < count; i++) {
            uint64_t key = (uint64_t)high[i] << 2 * HALF | low[i];
            keys[from + i] = key << PD_VORTEX_INDEX_BITS | (uint64_t)(from + i);
        }
    }
}

/* ---- Multipoles ---- */

static float inverse_or_zero(float value) { return value > 0 ? 1 / value : 0; }

/* Adds weight x a^k to re[k] + i im[k] for 0 <= k < terms. Each lane is one of 16 vortices, with the complex, scaled
 * position a = ax + i ay. */
static void add_weighted_powers(pd_floatw ax, pd_floatw ay, pd_floatw weight, int terms, pd_floatw *re, pd_floatw *im) {
    pd_floatw px = weight, py = pd_set(0);
    for (int k = 0; k < terms; k++) {
        re[k] = pd_add(re[k], px);
        im[k] = pd_add(im[k], py);
        pd_floatw next = pd_sub(pd_mul(px, ax), pd_mul(py, ay));
        py = pd_add(pd_mul(px, ay), pd_mul(py, ax));
        px = next;
    }
}

static void compute_leaf_multipole(const pd_vortex_field *f, int leaf) {
    const float *x = f->x + (size_t)leaf * LEAF, *y = f->y + (size_t)leaf * LEAF;
    const pd_vortex_node *d = &f->node[leaf];
    pd_floatw re[PD_VORTEX_ORDER], im[PD_VORTEX_ORDER], scale = pd_set(inverse_or_zero(d->radius));
    for (int k = 0; k < f->term_count; k++) re[k] = im[k] = pd_set(0);
    add_weighted_powers(pd_mul(pd_sub(pd_load_all(x), pd_set(d->x)), scale),
                        pd_mul(pd_sub(pd_load_all(y), pd_set(d->y)), scale),
                        pd_load_all(f->circulation + (size_t)leaf * LEAF), f->term_count, re, im);
    float *m = f->multipole + (size_t)leaf * 2 * f->term_count;
    for (int k = 0; k < f->term_count; k++) {
        m[2 * k] = pd_sum(re[k]);
        m[2 * k + 1] = pd_sum(im[k]);
    }
}

void PD_LEVEL_NAME(pd_vortex_compute_leaves)(const pd_vortex_field *f, int begin, int end) {
    for (int leaf = begin; leaf < end; leaf += PD_LANES) {
        int count = end - leaf < PD_LANES ? end - leaf : PD_LANES;
        size_t first = (size_t)leaf * LEAF;
        pd_floatw core[LEAF];
        transpose_leaves(f->core + first, count, core);
        compute_leaf_discs(f->x + first, f->y + first, count, pd_mul(pd_set(f->cutoff), greatest_by_lane(core)),
                           f->node + leaf);
    }
    for (int leaf = begin; !f->direct && leaf < end; leaf++) compute_leaf_multipole(f, leaf);
}

/* Adds a child's multipole M to the multipole of its parent. Let d = dx + i dy be the position of the child's centre
 * relative to the parent's. Number l of the parent's multipole grows by the sum over k of binomial(l, k) d^(l - k) M_k,
 * computed by rows of Pascal's triangle. Unit of length: radius of the parent. radius_ratio: radius of the child in
 * this unit. */
static void add_shifted_multipole(const float *child, float radius_ratio, float dx, float dy, int order,
                                  float *parent) {
    float re[PD_VORTEX_ORDER], im[PD_VORTEX_ORDER], power = 1;
    for (int k = 0; k < order; k++, power *= radius_ratio) {
        re[k] = power * child[2 * k];
        im[k] = power * child[2 * k + 1];
    }
    for (int l = 0; l < order; l++) {
        parent[2 * l] += re[0];
        parent[2 * l + 1] += im[0];
        for (int k = 0; k + l + 1 < order; k++) {
            float a = dx * re[k] - dy * im[k] + re[k + 1];
            im[k] = dx * im[k] + dy * re[k] + im[k + 1];
            re[k] = a;
        }
    }
}

void PD_LEVEL_NAME(pd_vortex_compute_nodes)(const pd_vortex_field *f, int begin, int end) {
    for (int node = begin; node < end; node++) {
        int child = f->first_child[node], children = f->child_count[node], order = f->term_count;
        pd_vortex_node d = compute_disc_around_discs(f->node + child, children);
        f->node[node] = d;
        float *m = f->multipole + (size_t)node * 2 * order, scale = inverse_or_zero(d.radius);
        for (int k = 0; k < 2 * order; k++) m[k] = 0;
        for (int i = child; i < child + children; i++)
            add_shifted_multipole(f->multipole + (size_t)i * 2 * order, f->node[i].radius * scale,
                                  (f->node[i].x - d.x) * scale, (f->node[i].y - d.y) * scale, order, m);
    }
}

/* Vortices that rounding errors put outside the circle of radius far_radius are moved onto it, so that powers of their
 * positions remain finite. */
void PD_LEVEL_NAME(pd_vortex_compute_moments)(pd_vortex_field *f) {
    pd_floatw re[PD_VORTEX_FAR], im[PD_VORTEX_FAR], scale = pd_set(1 / f->far_radius), one = pd_set(1);
    for (int k = 0; k < PD_VORTEX_FAR; k++) re[k] = im[k] = pd_set(0);
    int terms = f->kind == PD_WALLS_IN_BOX ? PD_VORTEX_FAR : PD_VORTEX_INNER + 1;
    for (int i = 0; i < f->count; i += PD_LANES) {
        pd_floatw x = pd_mul(pd_load_all(f->x + i), scale), y = pd_mul(pd_load_all(f->y + i), scale);
        pd_floatw r = pd_sqrt(pd_add(pd_mul(x, x), pd_mul(y, y)));
        pd_floatw limit = pd_div(one, pd_max(one, pd_mul(r, pd_set(0.96f))));
        add_weighted_powers(pd_mul(x, limit), pd_mul(y, limit), pd_load_all(f->circulation + i), terms, re, im);
    }
    for (int k = 0; k < PD_VORTEX_FAR; k++) {
        f->moment[2 * k] = pd_sum(re[k]);
        f->moment[2 * k + 1] = pd_sum(im[k]);
    }
}

/* ---- Positions ---- */

enum {
    CHUNK = PD_VORTEX_CHUNK,
    LEAVES = CHUNK / LEAF,
    LEVELS = 3,             /* levels of a chunk's tree of positions: 16 leaves, 4 inner nodes, the root */
    NODES = LEAVES + 4 + 1, /* nodes of a chunk's tree of positions */
    MOST_NEAR_NODES = 256,  /* greatest number of vortex nodes in traversal.near */
    /* Greatest number of vortex nodes in traversal.listed. */
    MOST_LISTED_NODES = MOST_NEAR_NODES + 4 * LEAF * PD_VORTEX_DEPTH,
    MOST_LISTED_VORTICES = 496, /* number of elements at which a list of near_vortices is summed and emptied */
    RUN = 64, /* greatest number of vortices in a partial sum; summing in parts limits rounding errors */
};

/* Positions after a map (identity, reflection, or z*), and the field of the vortices at the mapped positions. */
typedef struct mapped_positions {
    const pd_vortex_field *field;
    int count;      /* number of positions */
    bool of_images; /* the map is z*, for images in a circle; only this map needs core_factor and sum_core */
    _Alignas(64) float x[CHUNK], y[CHUNK]; /* mapped positions */
    float core_factor[CHUNK];              /* factor on core^-2, since the map scales lengths */
    /* Sum over near vortices of circulation x (1 - exp(-r^2/core^2)) x (dx, dy)/r^2. */
    float sum_x[CHUNK], sum_y[CHUNK];
    float sum_core[CHUNK]; /* sum of circulation x exp(-r^2/core^2) over the vortices near a position */
    /* Field of the expansions; when evaluate_field_at_mapped_positions returns, of all vortices. */
    float re[CHUNK], im[CHUNK];
    /* Discs around the positions, leaves last. reach: greatest core_factor^(-1/2); radius < 0: no positions. */
    pd_vortex_node node[NODES];
} mapped_positions;

/* ---- Pairs ---- */

/* Returns 1 - exp(-16 t) for 0 <= t <= 1.1: a polynomial for q = 1 - exp(-t), then q -> q (2 - q) four times, which
 * doubles t. Relative error below 4e-7, even for small t. */
static inline pd_floatw one_minus_exp_of_minus_16(pd_floatw t) {
    pd_floatw p = pd_set(-0.0008780735079199076f), two = pd_set(2);
    p = pd_add(pd_mul(p, t), pd_set(0.007755898404866457f));
    p = pd_add(pd_mul(p, t), pd_set(-0.041352104395627975f));
    p = pd_add(pd_mul(p, t), pd_set(0.1665877103805542f));
    p = pd_add(pd_mul(p, t), pd_set(-0.4999926686286926f));
    p = pd_add(pd_mul(p, t), pd_set(0.9999998807907104f));
    p = pd_mul(p, t);
    for (int i = 0; i < 4; i++) p = pd_mul(p, pd_sub(two, p));
    return p;
}

/* 16 mapped positions with their core_factor (mapped_positions). */
typedef struct position {
    pd_floatw x, y, core_factor;
} position;

/* Sums at 16 positions: see sum_x, sum_y and sum_core of mapped_positions. */
typedef struct sums {
    pd_floatw x, y, core;
} sums;

/* Least squared distance other than 0: its square must not underflow a float. */
static const float least_r2 = 1e-18f;
static const float most_t = 17.5f / 16; /* t from which 1 - exp(-16 t) = 1 in a float */

typedef enum pairs_kind { POINTS, CORES, CORES_OF_IMAGES } pairs_kind;

/* Adds to *total the fields of the vortices list[begin] to list[end - 1], or, if `list` is NULL, of the vortices begin
 * to end - 1. Elements of `list` are 4 x index of a vortex. Two vortices share one division. */
PD_INLINE void add_field_of_pairs(const pd_vortex_field *f, const uint32_t *list, int begin, int end, pairs_kind kind,
                                  position at, sums *total) {
    sums s = {pd_set(0), pd_set(0), pd_set(0)};
    pd_floatw least = pd_set(least_r2), one = pd_set(1), most = pd_set(most_t);
    for (int i = begin; i < end; i += 2) {
        pd_floatw dx[2], dy[2], r2[2], w[2];
        int n[2];
        for (int j = 0; j < 2; j++) {
            n[j] = list ? (int)(list[i + j] / 4) : i + j;
            dx[j] = pd_sub(at.x, pd_set(f->x[n[j]]));
            dy[j] = pd_sub(at.y, pd_set(f->y[n[j]]));
            r2[j] = pd_max(pd_add(pd_mul(dx[j], dx[j]), pd_mul(dy[j], dy[j])), least);
        }
        pd_floatw inverse = pd_div(one, pd_mul(r2[0], r2[1]));
        for (int j = 0; j < 2; j++) {
            pd_floatw g = pd_set(f->circulation[n[j]]);
            if (kind != POINTS) {
                pd_floatw square = kind == CORES ? r2[j] : pd_mul(r2[j], at.core_factor), full = g;
                g = pd_mul(g, one_minus_exp_of_minus_16(pd_min(pd_mul(square, pd_set(f->core_scale[n[j]])), most)));
                if (kind == CORES_OF_IMAGES) s.core = pd_add(s.core, pd_sub(full, g));
            }
            w[j] = pd_mul(g, pd_mul(inverse, r2[1 - j]));
            s.x = pd_add(s.x, pd_mul(w[j], dx[j]));
            s.y = pd_add(s.y, pd_mul(w[j], dy[j]));
        }
    }
    total->x = pd_add(total->x, s.x);
    total->y = pd_add(total->y, s.y);
    if (kind == CORES_OF_IMAGES) total->core = pd_add(total->core, s.core);
}

static inline int end_of_partial_sum(int from, int end) { return end - from < RUN ? end : from + RUN; }

/* Adds the fields of the vortices [begin, end) as point vortices, without cores. */
static void add_field_of_point_vortices(const pd_vortex_field *f, int begin, int end, position at, sums *total) {
    for (int from = begin; from < end; from += RUN)
        add_field_of_pairs(f, NULL, from, end_of_partial_sum(from, end), POINTS, at, total);
}

/* Vortices whose fields are still to be summed at a leaf of positions. Elements are 4 x index of a vortex.
 * - core: vortices within whose core radius x cutoff a position may lie; cores: their number
 * - point: the other vortices, which act as points; points: their number */
typedef struct near_vortices {
    bool of_images; /* mapped_positions.of_images */
    int cores, points;
    uint32_t core[MOST_LISTED_VORTICES + LEAF], point[MOST_LISTED_VORTICES + LEAF];
} near_vortices;

static void add_field_of_listed_vortices(const pd_vortex_field *f, near_vortices *near, position at, sums *total) {
    uint32_t nothing = 4 * (uint32_t)f->count;
    if (near->cores % 2) near->core[near->cores++] = nothing;
    if (near->points % 2) near->point[near->points++] = nothing;
    for (int from = 0; from < near->cores; from += RUN) {
        int to = end_of_partial_sum(from, near->cores);
        if (near->of_images)
            add_field_of_pairs(f, near->core, from, to, CORES_OF_IMAGES, at, total);
        else
            add_field_of_pairs(f, near->core, from, to, CORES, at, total);
    }
    for (int from = 0; from < near->points; from += RUN)
        add_field_of_pairs(f, near->point, from, end_of_partial_sum(from, near->points), POINTS, at, total);
    near->cores = near->points = 0;
}

/* Returns a mask of the leaf's vortices whose distance from a disc of positions (*target) is below core radius x
 * cutoff: the others act as points. */
static inline unsigned find_vortices_with_near_cores(const pd_vortex_field *f, int leaf, const pd_vortex_node *target) {
    const float *core = f->core + (size_t)leaf * LEAF;
    pd_floatw dx = pd_sub(pd_load_all(f->x + (size_t)leaf * LEAF), pd_set(target->x));
    pd_floatw dy = pd_sub(pd_load_all(f->y + (size_t)leaf * LEAF), pd_set(target->y));
    pd_floatw reach = pd_add(pd_mul(pd_load_all(core), pd_set(f->cutoff * target->reach)), pd_set(target->radius));
    pd_maskw inside = pd_less(pd_add(pd_mul(dx, dx), pd_mul(dy, dy)), pd_mul(reach, reach));
    return pd_movemask(pd_and(inside, pd_less(pd_set(0), pd_load_all(core))));
}

/* Appends the vortices of a leaf to the lists of *near. Sums and empties the lists if one of them is full. core_mask:
 * mask of the vortices that do not act as points. */
static void list_vortices_of_leaf(const pd_vortex_field *f, int leaf, unsigned core_mask, position at,
                                  near_vortices *near, sums *total) {
    unsigned all = (1u << LEAF) - 1;
    int cores = __builtin_popcount(core_mask);
    pd_compress_offsets(core_mask, near->core + near->cores, (uint32_t)leaf * LEAF);
    pd_compress_offsets(core_mask ^ all, near->point + near->points, (uint32_t)leaf * LEAF);
    near->cores += cores;
    near->points += LEAF - cores;
    if (near->cores >= MOST_LISTED_VORTICES || near->points >= MOST_LISTED_VORTICES)
        add_field_of_listed_vortices(f, near, at, total);
}

/* Returns true if a disc of positions (*target) is so near to *node that not all vortices of *node act as points. */
static inline bool can_have_near_cores(const pd_vortex_node *node, const pd_vortex_node *target) {
    float dx = node->x - target->x, dy = node->y - target->y,
          reach = node->radius + target->radius + node->reach * target->reach;
    return node->reach > 0 && dx * dx + dy * dy < reach * reach;
}

/* Adds the fields of all vortices at a leaf of positions. Adjacent leaves that act as points are summed in one loop. */
static void add_field_of_all_vortices(const pd_vortex_field *f, const pd_vortex_node *target, position at,
                                      near_vortices *near, sums *total) {
    for (int from = 0; from < f->leaf_count;) {
        int to = from;
        while (to < f->leaf_count && !can_have_near_cores(&f->node[to], target)) to++;
        add_field_of_point_vortices(f, from * LEAF, to * LEAF, at, total);
        if (to < f->leaf_count)
            list_vortices_of_leaf(f, to, find_vortices_with_near_cores(f, to, target), at, near, total);
        from = to + 1;
    }
}

/* ---- Expansions ---- */

/* Local expansion: sum of L_l ((z - c) / radius)^l about the centre c of a node of positions. L_l is the sum of the
 * lanes of re[l] and im[l]. */
typedef struct local_expansion {
    pd_floatw re[PD_VORTEX_ORDER], im[PD_VORTEX_ORDER];
    int pending;              /* number of elements in `nodes` */
    uint32_t nodes[2 * LEAF]; /* 4 x index of vortex nodes whose multipoles are still to be added */
    bool used;                /* false: re and im are not yet set, and count as 0 */
} local_expansion;

/* PD_LANES complex numbers: real and imaginary parts. */
typedef struct complexw {
    pd_floatw re, im;
} complexw;

static inline complexw multiply_complex(complexw a, complexw b) {
    return (complexw){pd_sub(pd_mul(a.re, b.re), pd_mul(a.im, b.im)), pd_add(pd_mul(a.re, b.im), pd_mul(a.im, b.re))};
}
static inline complexw scale_complex(complexw a, pd_floatw b) { return (complexw){pd_mul(a.re, b), pd_mul(a.im, b)}; }

static inline void add_local_coefficient(local_expansion *to, int power, complexw term) {
    to->re[power] = to->used ? pd_add(to->re[power], term.re) : term.re;
    to->im[power] = to->used ? pd_add(to->im[power], term.im) : term.im;
}

/* Adds the multipoles of up to 16 pending nodes to the local expansion, one node in each lane. With t = s - c
 * (Greengard, Rokhlin 1987, lemma 2.4):
 *
 *     1/(z - s)^(k+1) = (-1)^(k+1) t^(-k-1) x sum over l of binomial(k + l, l) ((z - c)/t)^l
 *
 * With A_k = M_k (-radius/t)^k, the sum over k of binomial(k + l, l) A_k is the first element after l + 1 passes of
 * suffix sums. */
static void add_pending_multipoles(const pd_vortex_field *f, const pd_vortex_node *target, local_expansion *to) {
    int order = f->term_count, count = to->pending < LEAF ? to->pending : LEAF;
    const uint32_t *offsets = to->nodes;
    for (int i = count; i < LEAF; i++) to->nodes[i] = to->nodes[0];
    pd_floatw node[4], four[4], zero = pd_set(0);
    pd_gather4(f->node, sizeof *f->node / sizeof(float), offsets, node);
    complexw t = {pd_sub(node[0], pd_set(target->x)), pd_sub(node[1], pd_set(target->y))};
    pd_floatw r2 = pd_add(pd_mul(t.re, t.re), pd_mul(t.im, t.im)), inverse = pd_div(pd_set(1), r2);
    complexw minus = {pd_sub(zero, pd_mul(t.re, inverse)), pd_mul(t.im, inverse)}; /* -1/t */
    complexw q = scale_complex(minus, node[2]), power = q;
    pd_floatw re[PD_VORTEX_ORDER], im[PD_VORTEX_ORDER];
    for (int k = 0; k < order; k += 2) {
        pd_gather4(f->multipole + 2 * k, 2 * (size_t)order, offsets, four);
        complexw m = {four[0], four[1]}, next = {four[2], four[3]};
        if (k > 0) {
            m = multiply_complex(m, power);
            power = multiply_complex(power, q);
        }
        next = multiply_complex(next, power);
        power = multiply_complex(power, q);
        re[k] = m.re, im[k] = m.im;
        re[k + 1] = next.re, im[k + 1] = next.im;
    }
    complexw h = {pd_zero_unset_lanes(pd_lane_range(0, count), minus.re),
                  pd_zero_unset_lanes(pd_lane_range(0, count), minus.im)};
    complexw step = scale_complex(minus, pd_set(-target->radius));
    for (int l = 0; l < order; l += 2) { /* two passes at once halve the memory traffic */
        complexw sum = {re[order - 1], im[order - 1]}, next = sum;
        for (int k = order - 2; k >= 0; k--) {
            sum = (complexw){pd_add(re[k], sum.re), pd_add(im[k], sum.im)};
            re[k] = (next.re = pd_add(sum.re, next.re));
            im[k] = (next.im = pd_add(sum.im, next.im));
        }
        add_local_coefficient(to, l, multiply_complex(h, sum));
        h = multiply_complex(h, step);
        add_local_coefficient(to, l + 1, multiply_complex(h, next));
        h = multiply_complex(h, step);
    }
    to->used = true;
    to->pending -= count;
    memcpy(to->nodes, to->nodes + LEAF, LEAF * sizeof *to->nodes);
}

/* Adds the values of a local expansion about *target to the field at the leaves [first_leaf, end_leaf). */
static void add_local_expansion(mapped_positions *v, const pd_vortex_node *target, const local_expansion *from,
                                int first_leaf, int end_leaf) {
    int order = v->field->term_count;
    float re[PD_VORTEX_ORDER], im[PD_VORTEX_ORDER];
    for (int l = 0; l < order; l++) {
        re[l] = pd_sum(from->re[l]);
        im[l] = pd_sum(from->im[l]);
    }
    pd_floatw scale = pd_set(target->radius > 0 ? 1 / target->radius : 0);
    for (int i = first_leaf * LEAF; i < end_leaf * LEAF; i += LEAF) {
        complexw z = {pd_mul(pd_sub(pd_load_all(v->x + i), pd_set(target->x)), scale),
                      pd_mul(pd_sub(pd_load_all(v->y + i), pd_set(target->y)), scale)};
        complexw sum = {pd_set(re[order - 1]), pd_set(im[order - 1])};
        for (int l = order - 2; l >= 0; l--) {
            sum = multiply_complex(sum, z);
            sum.re = pd_add(sum.re, pd_set(re[l]));
            sum.im = pd_add(sum.im, pd_set(im[l]));
        }
        pd_store_all(v->re + i, pd_add(pd_load_all(v->re + i), sum.re));
        pd_store_all(v->im + i, pd_add(pd_load_all(v->im + i), sum.im));
    }
}

/* Index in mapped_positions.node of the first node of each level: leaves, inner nodes, root. */
static const int first_node[LEVELS] = {5, 1, 0};

/* ---- Traversal of both trees at once (Dehnen 2002) ---- */

/* Traversal of the vortices' tree for one node of positions, the target. Far nodes of the vortices' tree act by their
 * multipoles; near ones are split or summed. Elements of the lists are 4 x index of a vortex node. */
typedef struct traversal {
    const pd_vortex_node *target;
    bool is_leaf;                       /* the target is a leaf */
    position at;                        /* the target's positions, if it is a leaf */
    sums total;                         /* sums over the near vortices at these positions */
    near_vortices vortices;             /* near vortices still to be summed */
    local_expansion expansion;          /* field of the far nodes about the target's centre */
    int near_count;                     /* number of elements in `near` */
    uint32_t near[MOST_NEAR_NODES];     /* nodes that the target's children will process */
    int listed_count;                   /* number of elements in `listed` */
    uint32_t listed[MOST_LISTED_NODES]; /* nodes still to process for this target */
} traversal;

/* Tests 16 nodes of vortices. *separated: mask of the nodes so far from *target that the terms of both expansions
 * decrease at least by the factor 1/separation. *far: mask of the separated nodes that act as points. */
static void find_far_nodes(const pd_vortex_field *f, const uint32_t *nodes, const pd_vortex_node *target,
                           unsigned *separated, unsigned *far) {
    pd_floatw s[4], radius = pd_set(target->radius), least = pd_set(least_r2);
    pd_gather4(f->node, sizeof *f->node / sizeof(float), nodes, s);
    pd_floatw dx = pd_sub(s[0], pd_set(target->x)), dy = pd_sub(s[1], pd_set(target->y));
    pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_mul(dy, dy));
    pd_floatw distance = pd_add(pd_mul(pd_max(s[2], radius), pd_set(f->separation)), pd_min(s[2], radius));
    pd_floatw core_distance = pd_max(pd_add(pd_add(s[2], radius), pd_mul(s[3], pd_set(target->reach))), distance);
    *separated = pd_movemask(pd_less(pd_max(pd_mul(distance, distance), least), r2));
    *far = pd_movemask(pd_less(pd_max(pd_mul(core_distance, core_distance), least), r2));
}

/* Processes a node of vortices that is not far from the target. The first of these rules that applies:
 * - The node has children, and the target is a leaf or (if the lists have space) smaller than the node: the node's
 *   children are appended to d->listed.
 * - The target is a leaf, `separated` is true, and the node's vortices act as points: its multipole is added.
 * - The target is a leaf: the node's vortices are listed for summing.
 * - Else: the node is appended to d->near.
 * remaining: number of nodes to process after this one, for which the lists must have space. */
static void process_near_node(const pd_vortex_field *f, traversal *d, uint32_t offset, bool separated, int remaining) {
    int n = (int)(offset / 4), children = f->child_count[n];
    bool split = d->is_leaf || (f->node[n].radius > d->target->radius &&
                                d->near_count + d->listed_count + remaining + children <= MOST_NEAR_NODES);
    if (children && split) {
        for (int i = 0; i < children; i++) d->listed[d->listed_count++] = 4 * (uint32_t)(f->first_child[n] + i);
    } else if (d->is_leaf) {
        unsigned core_mask = find_vortices_with_near_cores(f, n, d->target);
        if (separated && !core_mask)
            d->expansion.nodes[d->expansion.pending++] = offset;
        else
            list_vortices_of_leaf(f, n, core_mask, d->at, &d->vortices, &d->total);
    } else {
        d->near[d->near_count++] = offset;
    }
}

/* Processes the vortex nodes in d->listed until the list is empty: adds the multipoles of far nodes to the local
 * expansion, and splits or sums the others. The list never exceeds MOST_LISTED_NODES elements, because the nodes that
 * were appended last, which are of the lowest level, are processed first. */
static void process_listed_nodes(const pd_vortex_field *f, traversal *d) {
    uint32_t nodes[LEAF] = {0}, other[LEAF];
    bool other_separated[LEAF];
    while (d->listed_count > 0) {
        int count = d->listed_count < LEAF ? d->listed_count : LEAF;
        unsigned separated, far;
        d->listed_count -= count;
        memcpy(nodes, d->listed + d->listed_count, (size_t)count * sizeof *nodes);
        find_far_nodes(f, nodes, d->target, &separated, &far);
        int others = 0;
        for (int i = 0; i < count; i++) { /* no branches: they would be mispredicted */
            bool is_far = far >> i & 1;
            d->expansion.nodes[d->expansion.pending] = other[others] = nodes[i];
            other_separated[others] = separated >> i & 1;
            d->expansion.pending += is_far;
            others += !is_far;
        }
        for (int i = 0; i < others; i++) process_near_node(f, d, other[i], other_separated[i], others - 1 - i);
        if (d->expansion.pending >= LEAF) add_pending_multipoles(f, d->target, &d->expansion);
    }
}

static void evaluate_field_at_node_and_children(mapped_positions *v, int level, int index, const uint32_t *nodes,
                                                int count) {
    const pd_vortex_field *f = v->field;
    int leaves = 1 << 2 * level, first = index * leaves, all = v->count / LEAF;
    traversal d;
    d.target = &v->node[first_node[level] + index];
    if (d.target->radius < 0) return;
    d.is_leaf = level == 0;
    d.vortices.of_images = v->of_images;
    d.near_count = d.vortices.cores = d.vortices.points = d.expansion.pending = 0;
    d.expansion.used = false;
    d.total = (sums){pd_set(0), pd_set(0), pd_set(0)};
    if (d.is_leaf)
        d.at = (position){pd_load_all(v->x + first * LEAF), pd_load_all(v->y + first * LEAF),
                          pd_load_all(v->core_factor + first * LEAF)};
    if (f->direct) {
        add_field_of_all_vortices(f, d.target, d.at, &d.vortices, &d.total);
    } else {
        memcpy(d.listed, nodes, (size_t)count * sizeof *nodes);
        d.listed_count = count;
        process_listed_nodes(f, &d);
    }
    add_field_of_listed_vortices(f, &d.vortices, d.at, &d.total);
    if (d.expansion.pending > 0) add_pending_multipoles(f, d.target, &d.expansion);
    int last = first + leaves;
    if (d.expansion.used) add_local_expansion(v, d.target, &d.expansion, first, last < all ? last : all);
    if (d.is_leaf) {
        pd_store_all(v->sum_x + first * LEAF, d.total.x);
        pd_store_all(v->sum_y + first * LEAF, d.total.y);
        pd_store_all(v->sum_core + first * LEAF, d.total.core);
        return;
    }
    for (int i = 4 * index; i < 4 * index + 4 && i << 2 * (level - 1) < all; i++)
        evaluate_field_at_node_and_children(v, level - 1, i, d.near, d.near_count);
}

/* Computes the field of the vortices at the mapped positions. Leaves with a negative radius are left out. */
static void evaluate_field_at_mapped_positions(mapped_positions *v) {
    memset(v->re, 0, sizeof v->re);
    memset(v->im, 0, sizeof v->im);
    memset(v->sum_x, 0, sizeof v->sum_x);
    memset(v->sum_y, 0, sizeof v->sum_y);
    memset(v->sum_core, 0, sizeof v->sum_core);
    uint32_t root = 4 * (uint32_t)(v->field->node_count - 1);
    if (v->field->direct)
        for (int i = 0; i < v->count / LEAF; i++) evaluate_field_at_node_and_children(v, 0, i, &root, 1);
    else
        evaluate_field_at_node_and_children(v, LEVELS - 1, 0, &root, 1);
    for (int i = 0; i < v->count; i++) {
        v->re[i] += v->sum_x[i];
        v->im[i] -= v->sum_y[i];
    }
}

/* ---- Mapped positions ---- */

/* Computes the tree of discs around the mapped positions. is_inner, by position, or NULL: a leaf whose positions are
 * all marked gets the radius -1. */
static void compute_position_discs(mapped_positions *v, const bool *is_inner) {
    pd_floatw k[LEAF], reach = pd_set(1);
    int leaves = v->count / LEAF;
    for (int i = 0; i < NODES; i++) v->node[i].radius = -1;
    if (v->of_images) {
        transpose_leaves(v->core_factor, leaves, k);
        reach = pd_div(reach, pd_sqrt(pd_max(smallest_by_lane(k), pd_set(least_r2))));
    }
    compute_leaf_discs(v->x, v->y, leaves, reach, v->node + first_node[0]);
    for (int leaf = 0; is_inner && leaf < leaves; leaf++) {
        int left_out = 0;
        for (int i = leaf * LEAF; i < (leaf + 1) * LEAF; i++) left_out += is_inner[i];
        if (left_out == LEAF) v->node[first_node[0] + leaf].radius = -1;
    }
    for (int level = 1; level < LEVELS; level++)
        for (int i = first_node[level]; i < first_node[level - 1]; i++)
            v->node[i] = compute_disc_around_discs(&v->node[first_node[level - 1] + 4 * (i - first_node[level])], 4);
}

/* Adds the field of the vortices in one reflection of the box to (re, im), by element of `positions`. positions:
 * positions in the box, with their discs; reflected: working memory for the reflected positions. */
static void add_field_of_reflection(mapped_positions *reflected, const mapped_positions *positions,
                                    const pd_vortex_reflection *reflection, float *re, float *im) {
    for (int i = 0; i < reflected->count; i++) {
        reflected->x[i] = reflection->sx * (positions->x[i] - reflection->x);
        reflected->y[i] = reflection->sy * (positions->y[i] - reflection->y);
    }
    for (int i = 0; i < NODES; i++) {
        reflected->node[i] = positions->node[i];
        reflected->node[i].x = reflection->sx * (reflected->node[i].x - reflection->x);
        reflected->node[i].y = reflection->sy * (reflected->node[i].y - reflection->y);
    }
    evaluate_field_at_mapped_positions(reflected);
    for (int i = 0; i < reflected->count; i++) { /* re is proportional to the velocity in y, im to the velocity in x */
        re[i] += reflection->sy * reflected->re[i];
        im[i] += reflection->sx * reflected->im[i];
    }
}

/* ---- Circle ---- */

/* Inner positions: positions nearer to a circle's centre than this distance, in units of the circle's radius. Their
 * mapped positions z* are so far away that the circle theorem would subtract large, nearly equal numbers. At inner
 * positions the images' field is an expansion about the centre, whose terms decrease by this factor. */
static const float inner_distance = 0.6f;
/* The core's image of a vortex has no effect at inner positions if the core's reach is below this length, in units of
 * the circle's radius. It must be below 1 - inner_distance. */
static const float inner_reach = 0.38f;

/* Maps positions to z* = R^2/conj(z), and marks the inner positions, for which z* is not used. */
static void invert_positions_in_circle(mapped_positions *v, const float *x, const float *y, bool *is_inner) {
    double square = (double)v->field->radius * (double)v->field->radius,
           least = square * (double)(inner_distance * inner_distance);
    for (int i = 0; i < v->count; i++) {
        double px = (double)x[i], py = (double)y[i], r2 = px * px + py * py;
        r2 = r2 > 1e-30 ? r2 : 1e-30;
        double inverse = 1 / r2, factor = r2 < least ? sqrt(square * square / least * inverse) : square * inverse;
        is_inner[i] = r2 < least;
        v->x[i] = (float)(px * factor);
        v->y[i] = (float)(py * factor);
        v->core_factor[i] = (float)((r2 < least ? least : r2) / square);
    }
}

/* Adds the field of the images by the circle theorem: (R^2/z conj(F(z*)) - G + E)/z. F: field of the vortices; G: sum
 * of their circulations; E: sum_core at z*. Outside a disc, G is left out: this adds a vortex of circulation G at the
 * disc's centre. */
static void add_field_of_images(const mapped_positions *v, const float *x, const float *y, const bool *is_inner,
                                float *re, float *im) {
    const pd_vortex_field *f = v->field;
    float square = f->radius * f->radius, total = f->kind == PD_WALLS_IN_CIRCLE ? f->total_circulation : 0;
    for (int i = 0; i < v->count; i++) {
        float r2 = greater_of(x[i] * x[i] + y[i] * y[i], least_r2), zx = x[i] / r2, zy = -y[i] / r2;
        float a = square * (zx * v->re[i] + zy * v->im[i]) - (total - v->sum_core[i]);
        float b = square * (zy * v->re[i] - zx * v->im[i]);
        re[i] += is_inner[i] ? 0 : zx * a - zy * b;
        im[i] += is_inner[i] ? 0 : zx * b + zy * a;
    }
}

/* Returns the sum of c_k z^k, k < count. coefficients: pairs of the real and the imaginary part of c_k. */
static complexw evaluate_polynomial(const float *coefficients, int count, complexw z) {
    complexw sum = {pd_set(coefficients[2 * (count - 1)]), pd_set(coefficients[2 * count - 1])};
    for (int k = count - 2; k >= 0; k--) {
        sum = multiply_complex(sum, z);
        sum.re = pd_add(sum.re, pd_set(coefficients[2 * k]));
        sum.im = pd_add(sum.im, pd_set(coefficients[2 * k + 1]));
    }
    return sum;
}

/* Returns, at 16 inner positions z, the field of the images as points minus their field with cores: the sum over the
 * vortices (circulation g, position a, core radius c) of g conj(a)/D exp(-|D|^2/(R c)^2), D = R^2 - conj(a) z. Cores
 * with a reach below inner_reach are left out. */
static complexw compute_core_deficit_of_images(const pd_vortex_field *f, complexw z) {
    complexw sum = {pd_set(0), pd_set(0)};
    pd_floatw square = pd_set(f->radius * f->radius), least = pd_set(least_r2), most = pd_set(most_t);
    if (f->reach < inner_reach * f->radius) return sum;
    for (int i = 0; i < f->count; i++) {
        if (i % LEAF == 0 && f->node[i / LEAF].reach < inner_reach * f->radius) {
            i += LEAF - 1;
            continue;
        }
        pd_floatw ax = pd_set(f->x[i]), ay = pd_set(f->y[i]);
        pd_floatw dx = pd_sub(square, pd_add(pd_mul(ax, z.re), pd_mul(ay, z.im)));
        pd_floatw dy = pd_sub(pd_mul(ay, z.re), pd_mul(ax, z.im));
        pd_floatw d2 = pd_max(pd_add(pd_mul(dx, dx), pd_mul(dy, dy)), least);
        pd_floatw t = pd_mul(pd_div(d2, square), pd_set(f->core_scale[i])), g = pd_set(f->circulation[i]);
        pd_floatw w = pd_div(pd_sub(g, pd_mul(g, one_minus_exp_of_minus_16(pd_min(t, most)))), d2);
        sum.re = pd_add(sum.re, pd_mul(w, pd_sub(pd_mul(ax, dx), pd_mul(ay, dy))));
        sum.im = pd_sub(sum.im, pd_mul(w, pd_add(pd_mul(ax, dy), pd_mul(ay, dx))));
    }
    return sum;
}

/* Adds the field of the images at each inner position z: the sum of g conj(a)/(R^2 - conj(a) z) over the vortices of
 * circulation g at a, R: radius of the circle. Uses the expansion about the circle's centre, whose coefficients are
 * f->moment. */
static void add_field_of_images_at_inner_positions(const pd_vortex_field *f, int count, const float *x, const float *y,
                                                   const bool *is_inner, float *re, float *im) {
    float c[2 * PD_VORTEX_INNER];
    for (int k = 0; k < PD_VORTEX_INNER; k++) {
        c[2 * k] = f->moment[2 * k + 2] / f->radius;
        c[2 * k + 1] = -f->moment[2 * k + 3] / f->radius;
    }
    pd_floatw scale = pd_set(1 / f->radius);
    for (int begin = 0; begin < count; begin += LEAF) {
        int some = 0;
        for (int i = begin; i < begin + LEAF; i++) some += is_inner[i];
        if (some == 0) continue;
        complexw z = {pd_load_all(x + begin), pd_load_all(y + begin)};
        complexw sum = evaluate_polynomial(c, PD_VORTEX_INNER, scale_complex(z, scale)),
                 less = compute_core_deficit_of_images(f, z);
        float a[LEAF], b[LEAF];
        pd_store_all(a, pd_sub(sum.re, less.re));
        pd_store_all(b, pd_sub(sum.im, less.im));
        for (int i = 0; i < LEAF; i++) {
            re[begin + i] += is_inner[begin + i] ? a[i] : 0;
            im[begin + i] += is_inner[begin + i] ? b[i] : 0;
        }
    }
}

/* ---- Box ---- */

static void add_field_of_far_reflections(const pd_vortex_field *f, int count, const float *x, const float *y, float *re,
                                         float *im) {
    pd_floatw scale = pd_set(1 / f->far_radius), one = pd_set(1);
    for (int i = 0; i < count; i += LEAF) {
        complexw z = {pd_mul(pd_load_all(x + i), scale), pd_mul(pd_load_all(y + i), scale)};
        pd_floatw r = pd_sqrt(pd_add(pd_mul(z.re, z.re), pd_mul(z.im, z.im)));
        z = scale_complex(z, pd_div(one, pd_max(one, r))); /* positions outside get the value at the wall */
        complexw sum = evaluate_polynomial(f->local, PD_VORTEX_FAR, z);
        pd_store_all(re + i, pd_add(pd_load_all(re + i), sum.re));
        pd_store_all(im + i, pd_add(pd_load_all(im + i), sum.im));
    }
}

void PD_LEVEL_NAME(pd_vortex_evaluate)(const pd_vortex_field *f, int count, const float *x, const float *y, float *re,
                                       float *im) {
    mapped_positions positions, v;
    positions.of_images = v.of_images = false;
    positions.field = v.field = f;
    positions.count = v.count = count;
    memcpy(positions.x, x, (size_t)count * sizeof *x);
    memcpy(positions.y, y, (size_t)count * sizeof *y);
    for (int i = 0; i < count; i++) re[i] = im[i] = 0;
    compute_position_discs(&positions, NULL);
    for (int r = 0; r < f->near_reflection_count; r++)
        add_field_of_reflection(&v, &positions, &f->near_reflections[r], re, im);
    if (f->kind == PD_WALLS_IN_BOX) add_field_of_far_reflections(f, count, x, y, re, im);
    if (f->kind != PD_WALLS_IN_CIRCLE && f->kind != PD_WALLS_OUT_OF_DISC) return;
    bool is_inner[CHUNK];
    v.of_images = true;
    invert_positions_in_circle(&v, x, y, is_inner);
    compute_position_discs(&v, is_inner);
    evaluate_field_at_mapped_positions(&v);
    add_field_of_images(&v, x, y, is_inner, re, im);
    if (f->kind == PD_WALLS_IN_CIRCLE) add_field_of_images_at_inner_positions(f, count, x, y, is_inner, re, im);
}
