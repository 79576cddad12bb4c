/* Keys of points along a Hilbert curve, and discs and multipoles of the nodes of the vortices' tree. Compiled once for
 * each SIMD level (core/simd.h). */
#include "core/simd.h"
#include "vortex/induction_discs.h"

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
