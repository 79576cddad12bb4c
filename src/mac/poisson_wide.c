#include "core/simd.h"
#include "mac/poisson_levels.h"

#include <float.h>

/* Plain loops of `width` floats, a multiple of PD_LANES, which compilers turn into vectors. */
#define EACH(k) for (int k = 0; k < width; k++)

/* What the cells of one half row are connected to. */
typedef struct stencil {
    const float *left, *right, *down, *up;                     /* values of the neighbours */
    const float *face_left, *face_right, *face_down, *face_up; /* coefficients */
} stencil;

/* Of the cells with even (odd: 0) or odd i (1) of row j; the others are the values of rows j-1, j and j+1. */
static inline stencil stencil_of(const poisson_level *l, int j, int odd, const float *below, const float *row,
                                 const float *above) {
    int half = l->half;
    const float *fx = l->face_x + poisson_row(l, j), *fy = l->face_y + poisson_row(l, j);
    if (odd)
        return (stencil){row,       row + 1, below + half, above + half,
                         fx + half, fx + 1,  fy + half,    fy + 3 * (ptrdiff_t)half};
    return (stencil){row + half - 1, row + half, below, above, fx, fx + half, fy, fy + 2 * (ptrdiff_t)half};
}

/* Gauss-Seidel: out = (rhs + sum of coefficients times neighbours)/diagonal. */
static inline void relax(int width, float *restrict out, const stencil *s, const float *restrict rhs,
                         const float *restrict inverse) {
    const float *restrict l = s->left, *restrict r = s->right, *restrict d = s->down, *restrict u = s->up;
    const float *restrict fl = s->face_left, *restrict fr = s->face_right;
    const float *restrict fd = s->face_down, *restrict fu = s->face_up;
    EACH(k) out[k] = (rhs[k] + ((fl[k] * l[k] + fr[k] * r[k]) + (fd[k] * d[k] + fu[k] * u[k]))) * inverse[k];
}

static inline void over_relax(int width, float *restrict out, const stencil *s, const float *restrict rhs,
                              const float *restrict inverse, float omega) {
    const float *restrict l = s->left, *restrict r = s->right, *restrict d = s->down, *restrict u = s->up;
    const float *restrict fl = s->face_left, *restrict fr = s->face_right;
    const float *restrict fd = s->face_down, *restrict fu = s->face_up;
    EACH(k) {
        float exact = (rhs[k] + ((fl[k] * l[k] + fr[k] * r[k]) + (fd[k] * d[k] + fu[k] * u[k]))) * inverse[k];
        out[k] += omega * (exact - out[k]);
    }
}

/* out = A x. Differences of neighbours are exact where x is smooth, which keeps the rounding error at that of x. */
static inline void apply(int width, float *restrict out, const float *restrict x, const stencil *s,
                         const float *restrict open) {
    const float *restrict l = s->left, *restrict r = s->right, *restrict d = s->down, *restrict u = s->up;
    const float *restrict fl = s->face_left, *restrict fr = s->face_right;
    const float *restrict fd = s->face_down, *restrict fu = s->face_up;
    EACH(k) {
        float across = fl[k] * (x[k] - l[k]) + fr[k] * (x[k] - r[k]);
        out[k] = open[k] * x[k] + (across + (fd[k] * (x[k] - d[k]) + fu[k] * (x[k] - u[k])));
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
static float *natural_row(const poisson_pass *p, int begin) {
    float *row = scratch_of(p, begin) + poisson_row(p->level, 4);
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

static void invert(void *context, int begin, int end) {
    const poisson_pass *p = context;
    const poisson_level *l = p->level;
    int width = l->width;
    for (int j = begin; j < end; j++) {
        for (int odd = 0; odd < 2; odd++) {
            const float *row = l->face_x + poisson_row(l, j);
            stencil s = stencil_of(l, j, odd, row, row, row);
            const float *restrict fl = s.face_left, *restrict fr = s.face_right;
            const float *restrict fd = s.face_down, *restrict fu = s.face_up;
            ptrdiff_t at = poisson_row(l, j) + (ptrdiff_t)odd * l->half;
            const float *restrict open = l->open + at;
            float *restrict inverse = l->inverse + at;
            EACH(k) {
                float diagonal = ((fl[k] + fr[k]) + (fd[k] + fu[k])) + open[k];
                inverse[k] = diagonal > 0.0f ? 1.0f / diagonal : 0.0f;
            }
        }
    }
}

/* Half the Galerkin operator of constants on 2 x 2 cells: in a uniform region it is the same equation on twice the
 * cell size, the factor of piecewise constant aggregates being 2 (Braess 1995). */
static void coarsen(void *context, int begin, int end) {
    const poisson_pass *p = context;
    const poisson_level *l = p->level, *c = p->coarse;
    int width = l->width, half = l->half;
    float *natural = natural_row(p, begin);
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
        EACH(k) sum[k] = 0.5f * ((a[k] + a1[k]) + (b[k] + b1[k]));
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

/* The residual of red cells when the black ones have been relaxed since: what these contribute, as the rest cancels. */
static void red_residual(int width, float *restrict out, const stencil *s, bool add) {
    const float *restrict l = s->left, *restrict r = s->right, *restrict d = s->down, *restrict u = s->up;
    const float *restrict fl = s->face_left, *restrict fr = s->face_right;
    const float *restrict fd = s->face_down, *restrict fu = s->face_up;
    if (add)
        EACH(k) out[k] += (fl[k] * l[k] + fr[k] * r[k]) + (fd[k] * d[k] + fu[k] * u[k]);
    else
        EACH(k) out[k] = (fl[k] * l[k] + fr[k] * r[k]) + (fd[k] * d[k] + fu[k] * u[k]);
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
    float *scratch = scratch_of(p, begin), *rows[4], *sum = natural_row(p, begin);
    for (int k = 0; k < 4; k++) rows[k] = scratch_row(l, scratch, k);
    for (int j = 2 * begin - 2; j <= 2 * end + 1; j++) {
        ptrdiff_t red = (ptrdiff_t)(j & 1) * l->half, at = poisson_row(l, j) + red;
        float *restrict out = rows[j & 3] + red;
        const float *restrict rhs = l->rhs + at, *restrict inverse = l->inverse + at;
        EACH(k) out[k] = rhs[k] * inverse[k];
        if (j < 2 * begin) continue;
        relax_black(l, j - 1, rows[(j - 2) & 3], rows[(j - 1) & 3], rows[j & 3]);
        int done = j - 2;
        if (done < 2 * begin) continue;
        stencil s = stencil_of(l, done, done & 1, rows[(done - 1) & 3], rows[done & 3], rows[(done + 1) & 3]);
        red_residual(width, sum, &s, done & 1);
        ptrdiff_t to = poisson_row(c, done >> 1);
        if (done & 1) split(c->width, c->rhs + to, c->rhs + to + c->half, sum);
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
        ptrdiff_t red = (ptrdiff_t)(j & 1) * l->half, at = poisson_row(l, j) + red;
        float *restrict out = ROW(j) + red;
        const float *restrict rhs = l->rhs + at, *restrict inverse = l->inverse + at;
        interpolate(p->coarse, j, correction);
        const float *restrict open = l->open + at;
        EACH(k) out[k] = rhs[k] * inverse[k] + correction[k] / (1.0f + 0.5f * open[k]);
        if (j < begin) continue;
        relax_black(l, j - 1, ROW(j - 2), ROW(j - 1), ROW(j));
        int done = j - 2;
        if (done < begin) continue;
        stencil s = stencil_of(l, done, done & 1, ROW(done - 1), ROW(done), ROW(done + 1));
        ptrdiff_t of = poisson_row(l, done), half = (ptrdiff_t)(done & 1) * l->half;
        relax(width, ROW(done) + half, &s, l->rhs + of + half, l->inverse + of + half);
        if (p->sum) p->sum[done] = dot(l, ROW(done), p->product + of);
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
        p->sum2[done] = dot(l, ROW(done), l->rhs + poisson_row(l, done));
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
};
