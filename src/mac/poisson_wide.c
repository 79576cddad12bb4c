#include "core/simd.h"
#include "mac/poisson_levels.h"

#include <float.h>
#include <stdbool.h>

/* Plain loops of `width` floats, a multiple of PD_LANES, which compilers turn into vectors. */
#define EACH(k) for (int k = 0; k < width; k++)
/* Loops over the vectors of a half row. In most of a grid all coefficients are 1 or all are 0: vectors of a row in which
 * that is so are marked (poisson_kind), and the coefficients are not read. The results are the same, bit for bit. */
#define EACH_VECTOR(k) for (int k = 0; k < width; k += PD_LANES)

/* What the cells of one half row are connected to. */
typedef struct stencil {
    const float *left, *right, *down, *up;                     /* values of the neighbours */
    const float *face_left, *face_right, *face_down, *face_up; /* coefficients */
    const uint8_t *kinds;
} stencil;

/* Of the cells with even (odd: 0) or odd i (1) of row j; the others are the values of rows j-1, j and j+1. */
static inline stencil stencil_of(const poisson_level *l, int j, int odd, const float *below, const float *row,
                                 const float *above) {
    int half = l->half;
    const float *fx = l->face_x + poisson_row(l, j), *fy = l->face_y + poisson_row(l, j);
    const uint8_t *kinds = poisson_kinds(l, j);
    if (odd)
        return (stencil){
            row, row + 1, below + half, above + half, fx + half, fx + 1, fy + half, fy + 3 * (ptrdiff_t)half, kinds};
    return (stencil){row + half - 1, row + half, below, above, fx, fx + half, fy, fy + 2 * (ptrdiff_t)half, kinds};
}

static inline pd_floatw product_of(const float *a, const float *b, int k) {
    return pd_mul(pd_load_all(a + k), pd_load_all(b + k));
}
static inline pd_floatw sum_of(const float *a, const float *b, int k) {
    return pd_add(pd_load_all(a + k), pd_load_all(b + k));
}

/* Sum of coefficients times neighbours. */
static inline pd_floatw weighted(const stencil *s, int k) {
    pd_floatw across = pd_add(product_of(s->face_left, s->left, k), product_of(s->face_right, s->right, k));
    return pd_add(across, pd_add(product_of(s->face_down, s->down, k), product_of(s->face_up, s->up, k)));
}
static inline pd_floatw unweighted(const stencil *s, int k) {
    return pd_add(sum_of(s->left, s->right, k), sum_of(s->down, s->up, k));
}

/* (rhs + sum of coefficients times neighbours)/diagonal. */
static inline pd_floatw balanced(const stencil *s, const float *rhs, const float *inverse, int k) {
    switch (s->kinds[k / PD_LANES]) {
    case POISSON_UNIFORM:
        return pd_mul(pd_add(pd_load_all(rhs + k), unweighted(s, k)), pd_set(0.25f));
    case POISSON_EMPTY:
        return pd_set(0);
    default:
        return pd_mul(pd_add(pd_load_all(rhs + k), weighted(s, k)), pd_load_all(inverse + k));
    }
}

/* Gauss-Seidel. */
static inline void relax(int width, float *out, const stencil *s, const float *rhs, const float *inverse) {
    EACH_VECTOR(k) pd_store_all(out + k, balanced(s, rhs, inverse, k));
}

static inline void over_relax(int width, float *out, const stencil *s, const float *rhs, const float *inverse,
                              float omega) {
    EACH_VECTOR(k) {
        pd_floatw old = pd_load_all(out + k), change = pd_sub(balanced(s, rhs, inverse, k), old);
        pd_store_all(out + k, pd_add(old, pd_mul(pd_set(omega), change)));
    }
}

/* The residual of red cells when the black ones have been relaxed since: what these contribute, as the rest cancels. */
static inline void red_residual(int width, float *out, const stencil *s) {
    EACH_VECTOR(k) {
        pd_floatw sum = s->kinds[k / PD_LANES] == POISSON_UNIFORM ? unweighted(s, k) : weighted(s, k);
        pd_store_all(out + k, sum);
    }
}

/* out = A x. Differences of neighbours are exact where x is smooth, which keeps the rounding error at that of x. */
static inline pd_floatw difference(const float *face, pd_floatw x, const float *other, int k) {
    return pd_mul(pd_load_all(face + k), pd_sub(x, pd_load_all(other + k)));
}
static inline void apply(int width, float *out, const float *of, const stencil *s, const float *open) {
    EACH_VECTOR(k) {
        pd_floatw x = pd_load_all(of + k), result;
        if (s->kinds[k / PD_LANES] == POISSON_UNIFORM) {
            pd_floatw across = pd_add(pd_sub(x, pd_load_all(s->left + k)), pd_sub(x, pd_load_all(s->right + k)));
            pd_floatw along = pd_add(pd_sub(x, pd_load_all(s->down + k)), pd_sub(x, pd_load_all(s->up + k)));
            result = pd_add(across, along);
        } else {
            pd_floatw across =
                pd_add(difference(s->face_left, x, s->left, k), difference(s->face_right, x, s->right, k));
            pd_floatw along = pd_add(difference(s->face_down, x, s->down, k), difference(s->face_up, x, s->up, k));
            result = pd_add(pd_mul(pd_load_all(open + k), x), pd_add(across, along));
        }
        pd_store_all(out + k, result);
    }
}

/* First values of the red cells of row j: rhs/diagonal, and the correction from the coarse level unless it is NULL. A
 * cell with a d is nearer to the place where q = 0 than its parent's centre, by about half a cell. */
static void start(const poisson_level *l, int j, float *out, const float *correction) {
    int width = l->width;
    ptrdiff_t at = poisson_row(l, j) + (ptrdiff_t)(j & 1) * l->half;
    const float *rhs = l->rhs + at, *inverse = l->inverse + at, *open = l->open + at;
    const uint8_t *kinds = poisson_kinds(l, j);
    EACH_VECTOR(k) {
        bool uniform = kinds[k / PD_LANES] == POISSON_UNIFORM;
        pd_floatw value = pd_mul(pd_load_all(rhs + k), uniform ? pd_set(0.25f) : pd_load_all(inverse + k));
        if (correction) {
            pd_floatw change = pd_load_all(correction + k);
            if (!uniform) change = pd_div(change, pd_add(pd_set(1), pd_mul(pd_set(0.5f), pd_load_all(open + k))));
            value = pd_add(value, change);
        }
        pd_store_all(out + k, value);
    }
}

/* Natural order to split halves and back. */
static inline void split(int width, float *restrict even, float *restrict odd, const float *restrict natural) {
    EACH(k) {
        even[k] = natural[2 * k];
        odd[k] = natural[2 * k + 1];
    }
}
static inline void merge(int width, float *restrict natural, const float *restrict even, const float *restrict odd) {
    EACH(k) {
        natural[2 * k] = even[k];
        natural[2 * k + 1] = odd[k];
    }
}

static inline double dot(const poisson_level *l, const float *a, const float *b) {
    pd_floatw sum = pd_set(0);
    for (int k = 0; k < l->half + l->width; k += PD_LANES)
        sum = pd_add(sum, pd_mul(pd_load_all(a + k), pd_load_all(b + k)));
    return (double)pd_sum(sum);
}

static float *scratch_of(const poisson_pass *p, int begin) {
    return p->scratch + poisson_row(p->level, begin / p->grain * POISSON_SCRATCH_ROWS);
}

/* Row `number` of a chunk's scratch. What loops read but do not write is 0: other levels use the same memory. */
static float *scratch_row(const poisson_level *l, float *scratch, int number) {
    float *row = scratch + poisson_row(l, number);
    row[l->width] = row[l->half - 1] = row[l->half + l->width] = 0.0f;
    return row;
}

/* A row of coarse cells in natural order, in the chunk's scratch; loops over the level's half rows fill it. */
static float *natural_row(const poisson_pass *p, int begin, int number) {
    float *row = scratch_of(p, begin) + poisson_row(p->level, 4 + number);
    for (int k = p->level->width; k < 2 * p->coarse->width; k++) row[k] = 0.0f;
    return row;
}

static inline float in_limits(float a) { return a > POISSON_LEAST ? (a < POISSON_MOST ? a : POISSON_MOST) : 0.0f; }

static inline float limited(float a) {
    a = a < FLT_MAX ? a : FLT_MAX;
    return a > -FLT_MAX ? a : -FLT_MAX;
}

static void load_row(const poisson_pass *p, float *to, const float *natural, int j) {
    const poisson_level *l = p->level;
    int width = l->width;
    float *restrict even = to + poisson_row(l, j), *restrict odd = even + l->half;
    split(width, even, odd, natural + pd_at(p->layout, 0, j));
    for (int i = l->nx; i < 2 * width; i++) even[(i & 1) * l->half + (i >> 1)] = 0.0f;
    EACH(k) even[k] = in_limits(even[k]);
    EACH(k) odd[k] = in_limits(odd[k]);
}

static void find_bits(const poisson_pass *p, uint64_t *bits, const float *natural, int j) {
    const float *from = natural + pd_at(p->layout, 0, j);
    uint64_t *to = bits + (size_t)j * (size_t)p->words;
    for (int i = 0; i < p->words; i++) to[i] = 0;
    for (int i = 0; i < p->level->nx; i += PD_LANES) {
        int rest = p->level->nx - i;
        pd_floatw a = pd_load_all(from + i);
        uint64_t word = pd_movemask(pd_less(pd_set(POISSON_LEAST), a));
        if (rest < PD_LANES) word &= (1u << rest) - 1;
        to[i / 64] |= word << (i % 64);
    }
}

static void load_coefficients(void *context, int begin, int end) {
    const poisson_pass *p = context;
    const poisson_level *l = p->level;
    for (int j = begin; j < end; j++) {
        load_row(p, l->face_x, p->face_x, j);
        load_row(p, l->open, p->open, j);
        find_bits(p, p->left, p->face_x, j);
        find_bits(p, p->open_bits, p->open, j);
        /* The border is closed. */
        l->face_x[poisson_row(l, j)] = 0.0f;
        p->left[(size_t)j * (size_t)p->words] &= ~(uint64_t)1;
        if (j == 0) continue;
        load_row(p, l->face_y, p->face_y, j);
        find_bits(p, p->lower, p->face_y, j);
    }
}

/* Of both halves of row j, lanes k to k + PD_LANES - 1. */
static poisson_kind kind_of(const poisson_level *l, int j, int k) {
    pd_floatw low = pd_set(FLT_MAX), high = pd_set(0), d = pd_set(0);
    const float *row = l->face_x + poisson_row(l, j);
    for (int odd = 0; odd < 2; odd++) {
        stencil s = stencil_of(l, j, odd, row, row, row);
        const float *faces[] = {s.face_left, s.face_right, s.face_down, s.face_up};
        for (int face = 0; face < 4; face++) {
            pd_floatw a = pd_load_all(faces[face] + k);
            low = pd_min(low, a);
            high = pd_max(high, a);
        }
        d = pd_max(d, pd_load_all(l->open + poisson_row(l, j) + (ptrdiff_t)odd * l->half + k));
    }
    if (pd_movemask(pd_less(pd_set(0), d))) return POISSON_MIXED;
    if (!pd_movemask(pd_less(pd_set(0), high))) return POISSON_EMPTY;
    bool ones = !pd_movemask(pd_less(low, pd_set(1))) && !pd_movemask(pd_less(pd_set(1), high));
    return ones ? POISSON_UNIFORM : POISSON_MIXED;
}

static void invert(void *context, int begin, int end) {
    const poisson_pass *p = context;
    const poisson_level *l = p->level;
    int width = l->width;
    for (int j = begin; j < end; j++) {
        uint8_t *kinds = poisson_kinds(l, j);
        EACH_VECTOR(k) kinds[k / PD_LANES] = (uint8_t)kind_of(l, j, k);
        const float *row = l->face_x + poisson_row(l, j);
        for (int odd = 0; odd < 2; odd++) {
            stencil s = stencil_of(l, j, odd, row, row, row);
            ptrdiff_t at = poisson_row(l, j) + (ptrdiff_t)odd * l->half;
            EACH_VECTOR(k) {
                pd_floatw across = sum_of(s.face_left, s.face_right, k), along = sum_of(s.face_down, s.face_up, k);
                pd_floatw diagonal = pd_add(pd_add(across, along), pd_load_all(l->open + at + k));
                pd_maskw active = pd_less(pd_set(0), diagonal);
                pd_store_all(l->inverse + at + k, pd_mask(active, pd_div(pd_set(1), diagonal)));
            }
        }
    }
}

/* The d of coarse cells from the sum of their children's: half, like the faces, where a child without d lies behind, so
 * that the coarse cell's centre is farther from the place where q = 0; whole where it is not. */
static void halve_if_deeper(const poisson_level *l, int j, float *restrict sum) {
    int width = l->width;
    ptrdiff_t at = poisson_row(l, j), step = 2 * (ptrdiff_t)l->half;
    const float *restrict i00 = l->inverse + at, *restrict i10 = i00 + l->half;
    const float *restrict i01 = i00 + step, *restrict i11 = i10 + step;
    const float *restrict d00 = l->open + at, *restrict d10 = d00 + l->half;
    const float *restrict d01 = d00 + step, *restrict d11 = d10 + step;
    EACH(k) {
        bool behind = ((i00[k] > 0.0f) & (d00[k] == 0.0f)) | ((i10[k] > 0.0f) & (d10[k] == 0.0f)) |
                      ((i01[k] > 0.0f) & (d01[k] == 0.0f)) | ((i11[k] > 0.0f) & (d11[k] == 0.0f));
        sum[k] *= behind ? 0.5f : 1.0f;
    }
}

/* Half the Galerkin operator of constants on 2 x 2 cells: in a uniform region it is the same equation on twice the
 * cell size, the factor of piecewise constant aggregates being 2 (Braess 1995). */
static void coarsen(void *context, int begin, int end) {
    const poisson_pass *p = context;
    const poisson_level *l = p->level, *c = p->coarse;
    int width = l->width, half = l->half;
    float *natural = natural_row(p, begin, 0);
    for (int j = begin; j < end; j++) {
        ptrdiff_t at = poisson_row(l, 2 * j), above = poisson_row(l, 2 * j + 1), to = poisson_row(c, j);
        float *restrict sum = natural;
        const float *restrict a = l->face_x + at, *restrict b = l->face_x + above;
        EACH(k) sum[k] = 0.5f * (a[k] + b[k]);
        split(c->width, c->face_x + to, c->face_x + to + c->half, natural);
        a = l->face_y + at, b = a + half;
        EACH(k) sum[k] = 0.5f * (a[k] + b[k]);
        split(c->width, c->face_y + to, c->face_y + to + c->half, natural);
        a = l->open + at, b = l->open + above;
        const float *restrict a1 = a + half, *restrict b1 = b + half;
        EACH(k) sum[k] = (a[k] + a1[k]) + (b[k] + b1[k]);
        halve_if_deeper(l, 2 * j, sum);
        split(c->width, c->open + to, c->open + to + c->half, natural);
    }
}

static void load(void *context, int begin, int end) {
    const poisson_pass *p = context;
    const poisson_level *l = p->level;
    int width = l->width;
    for (int j = begin; j < end; j++) {
        float *restrict even = p->q + poisson_row(l, j), *restrict odd = even + l->half;
        const float *restrict inverse = l->inverse + poisson_row(l, j), *restrict inverse_odd = inverse + l->half;
        split(width, even, odd, p->natural + pd_at(p->layout, 0, j));
        EACH(k) even[k] = inverse[k] > 0.0f ? limited(even[k]) : 0.0f;
        EACH(k) odd[k] = inverse_odd[k] > 0.0f ? limited(odd[k]) : 0.0f;
        pd_floatw greatest = pd_set(0);
        for (int k = 0; k < l->half + width; k += PD_LANES) {
            pd_floatw a = pd_load_all(even + k);
            greatest = pd_max(greatest, pd_max(a, pd_sub(pd_set(0), a)));
        }
        float lanes[PD_LANES];
        pd_store_all(lanes, greatest);
        p->greatest[j] = 0.0f;
        for (int k = 0; k < PD_LANES; k++)
            if (lanes[k] > p->greatest[j]) p->greatest[j] = lanes[k];
    }
}

static void rescale(void *context, int begin, int end) {
    const poisson_pass *p = context;
    float *restrict q = p->q + poisson_row(p->level, begin);
    ptrdiff_t count = poisson_row(p->level, end - begin);
    float scale = p->scale;
    for (ptrdiff_t k = 0; k < count; k++) q[k] *= scale;
}

static void store(void *context, int begin, int end) {
    const poisson_pass *p = context;
    const poisson_level *l = p->level;
    float *row = scratch_of(p, begin), scale = p->scale;
    for (int j = begin; j < end; j++) {
        const float *even = p->q + poisson_row(l, j);
        merge(l->width, row, even, even + l->half);
        float *restrict to = p->natural + pd_at(p->layout, 0, j);
        const float *restrict from = row;
        for (int i = 0; i < l->nx; i++) to[i] = limited(from[i] * scale);
    }
}

/* One colour of row j of q. */
static void sweep_half(const poisson_pass *p, int j, int odd) {
    const poisson_level *l = p->level;
    ptrdiff_t at = poisson_row(l, j), half = (ptrdiff_t)odd * l->half;
    float *row = p->q + at;
    stencil s = stencil_of(l, j, odd, row - 2 * (ptrdiff_t)l->half, row, row + 2 * (ptrdiff_t)l->half);
    over_relax(l->width, row + half, &s, l->rhs + at + half, l->inverse + at + half, p->over_relaxation);
}

static void sweep(void *context, int begin, int end) {
    const poisson_pass *p = context;
    int first = begin ? begin + 1 : 0, last = end < p->level->ny ? end - 2 : end - 1;
    for (int j = begin; j < end; j++) {
        sweep_half(p, j, j & 1);
        if (j - 1 >= first && j - 1 <= last) sweep_half(p, j - 1, j & 1);
    }
    if (end - 1 >= first && end - 1 <= last) sweep_half(p, end - 1, end & 1);
}

static void sweep_edges(void *context, int begin, int end) {
    const poisson_pass *p = context;
    if (begin) sweep_half(p, begin, ~begin & 1);
    if (end < p->level->ny && (end - 1 > begin || !begin)) sweep_half(p, end - 1, end & 1);
}

/* out = A x in row j. */
static void apply_row(const poisson_level *l, int j, float *out, const float *below, const float *row,
                      const float *above) {
    const float *open = l->open + poisson_row(l, j);
    for (int odd = 0; odd < 2; odd++) {
        stencil s = stencil_of(l, j, odd, below, row, above);
        ptrdiff_t half = (ptrdiff_t)odd * l->half;
        apply(l->width, out + half, row + half, &s, open + half);
    }
}

static void residual(void *context, int begin, int end) {
    const poisson_pass *p = context;
    const poisson_level *l = p->level;
    int width = l->half + l->width;
    for (int j = begin; j < end; j++) {
        const float *row = p->q + poisson_row(l, j);
        float *restrict out = p->product + poisson_row(l, j);
        const float *restrict rhs = p->rhs + poisson_row(l, j);
        apply_row(l, j, out, row - 2 * (ptrdiff_t)l->half, row, row + 2 * (ptrdiff_t)l->half);
        EACH(k) out[k] = rhs[k] - out[k];
        p->sum[j] = dot(l, out, out);
        p->sum2[j] = dot(l, rhs, rhs);
    }
}

/* The black cells of row j, from the red ones. */
static void relax_black(const poisson_level *l, int j, const float *below, float *row, const float *above) {
    ptrdiff_t half = (ptrdiff_t)(~j & 1) * l->half, at = poisson_row(l, j) + half;
    stencil s = stencil_of(l, j, ~j & 1, below, row, above);
    relax(l->width, row + half, &s, l->rhs + at, l->inverse + at);
}

/* Smoothing from 0, red cells first, and restriction (sum) of the residual. That of black cells is 0, and nothing but
 * the right-hand side of the coarse level is kept: `ascend` computes the red cells anew. The pass follows the rows: red
 * cells of row j, then black ones of j - 1, then the residual of j - 2. */
static void descend(void *context, int begin, int end) {
    const poisson_pass *p = context;
    const poisson_level *l = p->level, *c = p->coarse;
    int width = l->width;
    float *scratch = scratch_of(p, begin),
          *rows[4], *restrict lower = natural_row(p, begin, 0), *restrict upper = natural_row(p, begin, 1);
    for (int k = 0; k < 4; k++) rows[k] = scratch_row(l, scratch, k);
    for (int j = 2 * begin - 2; j <= 2 * end + 1; j++) {
        start(l, j, rows[j & 3] + (ptrdiff_t)(j & 1) * l->half, NULL);
        if (j < 2 * begin) continue;
        relax_black(l, j - 1, rows[(j - 2) & 3], rows[(j - 1) & 3], rows[j & 3]);
        int done = j - 2;
        if (done < 2 * begin) continue;
        stencil s = stencil_of(l, done, done & 1, rows[(done - 1) & 3], rows[done & 3], rows[(done + 1) & 3]);
        red_residual(width, done & 1 ? upper : lower, &s);
        if (!(done & 1)) continue;
        EACH(k) lower[k] += upper[k];
        ptrdiff_t to = poisson_row(c, done >> 1);
        split(c->width, c->rhs + to, c->rhs + to + c->half, lower);
    }
}

/* Second-order interpolation from coarse cells to the one child in fine row j that is red: from its parent and the
 * parent's two nearest neighbours, with weights 1/2, 1/4, 1/4, as far as the faces to these are open. */
static void interpolate(const poisson_level *c, int j, float *restrict natural) {
    int width = c->width, upper = j & 1;
    ptrdiff_t at = poisson_row(c, j >> 1), step = 2 * (ptrdiff_t)c->half;
    const float *row = c->solution + at;
    for (int odd = 0; odd < 2; odd++) {
        stencil s = stencil_of(c, j >> 1, odd, row - step, row, row + step);
        const float *restrict own = row + (ptrdiff_t)odd * c->half;
        const float *restrict h = upper ? s.right : s.left, *restrict v = upper ? s.up : s.down;
        const float *restrict fh = upper ? s.face_right : s.face_left, *restrict fv = upper ? s.face_up : s.face_down;
        float *restrict to = natural + odd;
        EACH(k) {
            float wh = fh[k] < 1.0f ? 0.25f * fh[k] : 0.25f, wv = fv[k] < 1.0f ? 0.25f * fv[k] : 0.25f;
            to[2 * (ptrdiff_t)k] = own[k] + (wh * (h[k] - own[k]) + wv * (v[k] - own[k]));
        }
    }
}

/* The red cells as `descend` left them plus the correction of the coarse level, then smoothing of black and red cells.
 * The chunk's own rows are computed in place, the two rows at either edge in the scratch. */
static void ascend(void *context, int begin, int end) {
    const poisson_pass *p = context;
    const poisson_level *l = p->level;
    int width = l->width;
    float *scratch = scratch_of(p, begin), *edges[4], *correction = scratch + poisson_row(l, 4);
    for (int k = 0; k < 4; k++) edges[k] = scratch_row(l, scratch, k);
#define ROW(j) ((j) < begin ? edges[(j)-begin + 2] : (j) >= end ? edges[(j)-end + 2] : l->solution + poisson_row(l, j))
    for (int j = begin - 2; j <= end + 1; j++) {
        interpolate(p->coarse, j, correction);
        start(l, j, ROW(j) + (ptrdiff_t)(j & 1) * l->half, correction);
        if (j < begin) continue;
        relax_black(l, j - 1, ROW(j - 2), ROW(j - 1), ROW(j));
        int done = j - 2;
        if (done < begin) continue;
        stencil s = stencil_of(l, done, done & 1, ROW(done - 1), ROW(done), ROW(done + 1));
        ptrdiff_t of = poisson_row(l, done), half = (ptrdiff_t)(done & 1) * l->half;
        relax(width, ROW(done) + half, &s, l->rhs + of + half, l->inverse + of + half);
        if (!p->sum) continue;
        p->sum[done] = dot(l, ROW(done), p->product + of);
        p->sum2[done] = dot(l, ROW(done), l->rhs + of);
    }
#undef ROW
}

static void add_row(const poisson_pass *p, int j, float *restrict out) {
    ptrdiff_t at = poisson_row(p->level, j);
    int width = p->level->half + p->level->width;
    const float *restrict z = p->level->solution + at, *restrict old = p->old_search + at;
    float beta = p->beta;
    EACH(k) out[k] = z[k] + beta * old[k];
}

static void direct(void *context, int begin, int end) {
    const poisson_pass *p = context;
    const poisson_level *l = p->level;
    float *scratch = scratch_of(p, begin), *edges[2] = {scratch_row(l, scratch, 0), scratch_row(l, scratch, 1)};
#define ROW(j) ((j) < begin ? edges[0] : (j) >= end ? edges[1] : p->search + poisson_row(l, j))
    for (int j = begin - 1; j <= end; j++) {
        add_row(p, j, ROW(j));
        int done = j - 1;
        if (done < begin) continue;
        float *product = p->product + poisson_row(l, done);
        apply_row(l, done, product, ROW(done - 1), ROW(done), ROW(done + 1));
        p->sum[done] = dot(l, ROW(done), product);
    }
#undef ROW
}

static void advance(void *context, int begin, int end) {
    const poisson_pass *p = context;
    const poisson_level *l = p->level;
    int width = l->half + l->width;
    float alpha = p->alpha;
    for (int j = begin; j < end; j++) {
        ptrdiff_t at = poisson_row(l, j);
        float *restrict q = p->q + at, *restrict rhs = l->rhs + at;
        const float *restrict search = p->search + at, *restrict product = p->product + at;
        EACH(k) {
            q[k] += alpha * search[k];
            rhs[k] -= alpha * product[k];
        }
        p->sum[j] = dot(l, rhs, rhs);
    }
}

static double sum(const float *restrict values, int count) {
    double lanes[PD_LANES] = {0}, total = 0.0;
    int k = 0;
    for (; k + PD_LANES <= count; k += PD_LANES)
        for (int lane = 0; lane < PD_LANES; lane++) lanes[lane] += (double)values[k + lane];
    for (; k < count; k++) total += (double)values[k];
    for (int lane = 0; lane < PD_LANES; lane++) total += lanes[lane];
    return total;
}

static void subtract(float *restrict values, int count, float mean) {
    for (int k = 0; k < count; k++) values[k] = limited(values[k] - mean);
}

const poisson_kernels PD_LEVEL_NAME(poisson_kernels) = {
    .load_coefficients = load_coefficients,
    .coarsen = coarsen,
    .invert = invert,
    .load = load,
    .store = store,
    .rescale = rescale,
    .sweep = sweep,
    .sweep_edges = sweep_edges,
    .residual = residual,
    .descend = descend,
    .ascend = ascend,
    .direct = direct,
    .advance = advance,
    .sum = sum,
    .subtract = subtract,
};
