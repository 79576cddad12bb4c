/* Loops of the pressure equation's solvers, compiled once for each SIMD level (core/simd.h). */
#include "core/simd.h"
#include "mac/poisson/poisson_levels.h"
#include <float.h>
#include <stdbool.h>
#include <string.h>

/* ---- Loops over rows ---- */

/* Loop over the elements k of a row with `width` elements; `width` is a multiple of PD_LANES. */
#define EACH(k) for (int k = 0; k < width; k++)
/* Loop over the first elements k of the vectors of a half row. In most blocks all coefficients are 1 or all are 0.
 * poisson_kind marks these blocks, so that loops need not read the coefficients; the results have the same bits. */
#define EACH_VECTOR(k) for (int k = 0; k < width; k += PD_LANES)

/* Neighbours of the cells of one half row. */
typedef struct stencil {
    const float *left, *right, *down, *up;                     /* values in the neighbouring cells */
    const float *face_left, *face_right, *face_down, *face_up; /* coefficients of the faces to these neighbours */
    const uint8_t *kinds;                                      /* poisson_kind of each block of 16 cells */
} stencil;

/* Returns the neighbours of the cells in row j with even i (odd = 0) or odd i (odd = 1). below, row, above: values of
 * the rows j-1, j, j+1. */
static inline stencil make_stencil(const poisson_level *l, int j, int odd, const float *below, const float *row,
                                   const float *above) {
    int half = l->half;
    const float *fx = l->face_x + poisson_row_offset(l, j), *fy = l->face_y + poisson_row_offset(l, j);
    const uint8_t *kinds = poisson_kinds_of_row(l, j);
    if (odd)
        return (stencil){
            row, row + 1, below + half, above + half, fx + half, fx + 1, fy + half, fy + 3 * (ptrdiff_t)half, kinds};
    return (stencil){row + half - 1, row + half, below, above, fx, fx + half, fy, fy + 2 * (ptrdiff_t)half, kinds};
}

static inline pd_floatw load_product(const float *a, const float *b, int k) {
    return pd_mul(pd_load_all(a + k), pd_load_all(b + k));
}
static inline pd_floatw load_sum(const float *a, const float *b, int k) {
    return pd_add(pd_load_all(a + k), pd_load_all(b + k));
}

/* split_even_and_odd copies a row from natural order to halves of even and odd i, merge_even_and_odd copies it back. */
static inline void split_even_and_odd(int width, float *restrict even, float *restrict odd,
                                      const float *restrict natural) {
    EACH(k) {
        even[k] = natural[2 * k];
        odd[k] = natural[2 * k + 1];
    }
}
static inline void merge_even_and_odd(int width, float *restrict natural, const float *restrict even,
                                      const float *restrict odd) {
    EACH(k) {
        natural[2 * k] = even[k];
        natural[2 * k + 1] = odd[k];
    }
}

static inline float *scratch_of_chunk(const poisson_loop_data *p, int begin) {
    return p->scratch + poisson_row_offset(p->level, begin / p->grain * POISSON_SCRATCH_ROWS);
}

/* Returns row `number` of a chunk's scratch memory. Clears the elements that loops read but do not write, since other
 * levels use the same memory. */
static inline float *prepare_scratch_row(const poisson_level *l, float *scratch, int number) {
    float *row = scratch + poisson_row_offset(l, number);
    row[l->width] = row[l->half - 1] = row[l->half + l->width] = 0.0f;
    return row;
}

/* Returns a row of the chunk's scratch memory for a row of coarse cells in natural order. Clears the elements beyond
 * the width of the fine level's half row, which loops do not write. */
static inline float *prepare_natural_scratch_row(const poisson_loop_data *p, int begin) {
    float *row = scratch_of_chunk(p, begin) + poisson_row_offset(p->level, 4);
    for (int k = p->level->width; k < 2 * p->coarse->width; k++) row[k] = 0.0f;
    return row;
}

static inline float clamp_to_finite(float a) {
    a = a < FLT_MAX ? a : FLT_MAX;
    return a > -FLT_MAX ? a : -FLT_MAX;
}

static inline ptrdiff_t cell_index(const poisson_level *l, int i, int j) {
    return poisson_row_offset(l, j) + (ptrdiff_t)(i & 1) * l->half + (i >> 1);
}

/* Returns the first cell from i on that has reassigned children, in row `row` of coarse level c; c->nx: none. */
static inline int find_next_cell_with_reassigned_children(const poisson_level *c, const uint8_t *row, int i) {
    if (!row[-POISSON_ROW_BYTES]) return c->nx;
    for (; i < c->nx; i++) {
        uint64_t eight;
        memcpy(&eight, row + i, sizeof eight);
        if (!eight)
            i += 7;
        else if (row[i])
            break;
    }
    return i < c->nx ? i : c->nx;
}
#define EACH_CELL_WITH_REASSIGNED_CHILDREN(c, row, i)                                                                  \
    for (int i = find_next_cell_with_reassigned_children(c, row, 0); i < (c)->nx;                                      \
         i = find_next_cell_with_reassigned_children(c, row, i + 1))

/* ---- Solvers ---- */

/* Return the sum over a cell's neighbours of face coefficient x value. In sum_neighbours all coefficients are 1. */
static inline pd_floatw sum_weighted_neighbours(const stencil *s, int k) {
    pd_floatw across = pd_add(load_product(s->face_left, s->left, k), load_product(s->face_right, s->right, k));
    return pd_add(across, pd_add(load_product(s->face_down, s->down, k), load_product(s->face_up, s->up, k)));
}
static inline pd_floatw sum_neighbours(const stencil *s, int k) {
    return pd_add(load_sum(s->left, s->right, k), load_sum(s->down, s->up, k));
}

/* Returns the value that solves the cell's equation for the present values of its neighbours: (rhs + sum over the
 * neighbours of face coefficient x value) x inverse. */
PD_INLINE pd_floatw solve_cell(const stencil *s, const float *rhs, const float *inverse, int k) {
    switch (s->kinds[k / PD_LANES]) {
    case POISSON_ALL_ONE:
        return pd_mul(pd_add(pd_load_all(rhs + k), sum_neighbours(s, k)), pd_set(0.25f));
    case POISSON_ALL_ZERO:
        return pd_set(0);
    default:
        return pd_mul(pd_add(pd_load_all(rhs + k), sum_weighted_neighbours(s, k)), pd_load_all(inverse + k));
    }
}

/* Gauss-Seidel step for a half row: each cell gets the solution of its own equation. */
static inline void relax_half_row(int width, float *out, const stencil *s, const float *rhs, const float *inverse) {
    EACH_VECTOR(k) pd_store_all(out + k, solve_cell(s, rhs, inverse, k));
}

static inline void over_relax_half_row(int width, float *out, const stencil *s, const float *rhs, const float *inverse,
                                       float omega) {
    EACH_VECTOR(k) {
        pd_floatw old = pd_load_all(out + k), change = pd_sub(solve_cell(s, rhs, inverse, k), old);
        pd_store_all(out + k, pd_add(old, pd_mul(pd_set(omega), change)));
    }
}

/* Computes the residual of red cells right after their black neighbours were relaxed from 0. It is the sum over these
 * neighbours of face coefficient x value, because the other terms of the residual cancel. */
static inline void compute_red_residual(int width, float *out, const stencil *s) {
    EACH_VECTOR(k) {
        poisson_kind kind = s->kinds[k / PD_LANES];
        pd_floatw sum = pd_set(0);
        if (kind != POISSON_ALL_ZERO)
            sum = kind == POISSON_ALL_ONE ? sum_neighbours(s, k) : sum_weighted_neighbours(s, k);
        pd_store_all(out + k, sum);
    }
}

/* Returns one term of A x: (face coefficient) times (x of the cell - x of a neighbour). Where x is smooth the two values
 * differ by less than a factor of 2, and their difference is exact in floats. The rounding error of A x is then only
 * that of x. */
static inline pd_floatw weighted_difference(const float *face, pd_floatw x, const float *other, int k) {
    return pd_mul(pd_load_all(face + k), pd_sub(x, pd_load_all(other + k)));
}
static inline void multiply_half_row_by_matrix(int width, float *out, const float *x_row, const stencil *s,
                                               const float *open) {
    EACH_VECTOR(k) {
        pd_floatw x = pd_load_all(x_row + k), result = pd_set(0);
        poisson_kind kind = s->kinds[k / PD_LANES];
        if (kind == POISSON_ALL_ONE) {
            pd_floatw across = pd_add(pd_sub(x, pd_load_all(s->left + k)), pd_sub(x, pd_load_all(s->right + k)));
            pd_floatw along = pd_add(pd_sub(x, pd_load_all(s->down + k)), pd_sub(x, pd_load_all(s->up + k)));
            result = pd_add(across, along);
        } else if (kind == POISSON_OTHER_COEFFICIENTS) {
            pd_floatw across = pd_add(weighted_difference(s->face_left, x, s->left, k),
                                      weighted_difference(s->face_right, x, s->right, k));
            pd_floatw along =
                pd_add(weighted_difference(s->face_down, x, s->down, k), weighted_difference(s->face_up, x, s->up, k));
            result = pd_add(pd_mul(pd_load_all(open + k), x), pd_add(across, along));
        }
        pd_store_all(out + k, result);
    }
}

/* Computes the first values of the red cells of row j: rhs x inverse, plus the correction from the coarse level unless
 * it is NULL. The correction of a cell with d > 0 is divided by 1 + d/2, since the cell is nearer to the surface or
 * open side, by about half a cell, than the centre of the coarse cell that covers it. */
static void compute_initial_values_of_red_cells(const poisson_level *l, int j, float *out, const float *correction) {
    int width = l->width;
    ptrdiff_t at = poisson_row_offset(l, j) + (ptrdiff_t)(j & 1) * l->half;
    const float *rhs = l->rhs + at, *inverse = l->inverse + at, *open = l->open + at;
    const uint8_t *kinds = poisson_kinds_of_row(l, j);
    EACH_VECTOR(k) {
        poisson_kind kind = kinds[k / PD_LANES];
        bool uniform = kind == POISSON_ALL_ONE;
        pd_floatw value = pd_mul(pd_load_all(rhs + k), uniform ? pd_set(0.25f) : pd_load_all(inverse + k));
        if (correction && kind != POISSON_ALL_ZERO) {
            pd_floatw change = pd_load_all(correction + k);
            if (!uniform) change = pd_div(change, pd_add(pd_set(1), pd_mul(pd_set(0.5f), pd_load_all(open + k))));
            value = pd_add(value, change);
        }
        pd_store_all(out + k, value);
    }
}

static inline double dot_product_of_rows(const poisson_level *l, const float *a, const float *b) {
    pd_floatw sum = pd_set(0);
    for (int k = 0; k < l->half + l->width; k += PD_LANES)
        sum = pd_add(sum, pd_mul(pd_load_all(a + k), pd_load_all(b + k)));
    return (double)pd_sum(sum);
}

static void load_natural_rows(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    const poisson_level *l = p->level;
    int width = l->width;
    for (int j = begin; j < end; j++) {
        float *restrict even = p->q + poisson_row_offset(l, j), *restrict odd = even + l->half;
        const float *restrict inverse = l->inverse + poisson_row_offset(l, j), *restrict inverse_odd =
                                                                                   inverse + l->half;
        split_even_and_odd(width, even, odd, p->natural + pd_element_index(p->layout, 0, j));
        EACH(k) even[k] = inverse[k] > 0.0f ? clamp_to_finite(even[k]) : 0.0f;
        EACH(k) odd[k] = inverse_odd[k] > 0.0f ? clamp_to_finite(odd[k]) : 0.0f;
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

static void rescale_rows(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    float *restrict q = p->q + poisson_row_offset(p->level, begin);
    ptrdiff_t count = poisson_row_offset(p->level, end - begin);
    float scale = p->scale;
    for (ptrdiff_t k = 0; k < count; k++) q[k] *= scale;
}

static void store_natural_rows(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    const poisson_level *l = p->level;
    float *row = scratch_of_chunk(p, begin), scale = p->scale;
    for (int j = begin; j < end; j++) {
        const float *even = p->q + poisson_row_offset(l, j);
        merge_even_and_odd(l->width, row, even, even + l->half);
        float *restrict to = p->natural + pd_element_index(p->layout, 0, j);
        const float *restrict from = row;
        for (int i = 0; i < l->nx; i++) to[i] = clamp_to_finite(from[i] * scale);
    }
}

/* Over-relaxes the cells of row j with even i (odd = 0) or odd i (odd = 1). */
static void sweep_half_row(const poisson_loop_data *p, int j, int odd) {
    const poisson_level *l = p->level;
    ptrdiff_t at = poisson_row_offset(l, j), half = (ptrdiff_t)odd * l->half;
    float *row = p->q + at;
    stencil s = make_stencil(l, j, odd, row - 2 * (ptrdiff_t)l->half, row, row + 2 * (ptrdiff_t)l->half);
    over_relax_half_row(l->width, row + half, &s, l->rhs + at + half, l->inverse + at + half, p->over_relaxation);
}

static void sweep_rows(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    int first = begin ? begin + 1 : 0, last = end < p->level->ny ? end - 2 : end - 1;
    for (int j = begin; j < end; j++) {
        sweep_half_row(p, j, j & 1);
        if (j - 1 >= first && j - 1 <= last) sweep_half_row(p, j - 1, j & 1);
    }
    if (end - 1 >= first && end - 1 <= last) sweep_half_row(p, end - 1, end & 1);
}

static void sweep_chunk_edges(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    if (begin) sweep_half_row(p, begin, ~begin & 1);
    if (end < p->level->ny && (end - 1 > begin || !begin)) sweep_half_row(p, end - 1, end & 1);
}

/* Computes out = A x in row j. */
static void multiply_row_by_matrix(const poisson_level *l, int j, float *out, const float *below, const float *row,
                                   const float *above) {
    const float *open = l->open + poisson_row_offset(l, j);
    for (int odd = 0; odd < 2; odd++) {
        stencil s = make_stencil(l, j, odd, below, row, above);
        ptrdiff_t half = (ptrdiff_t)odd * l->half;
        multiply_half_row_by_matrix(l->width, out + half, row + half, &s, open + half);
    }
}

static void compute_residual(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    const poisson_level *l = p->level;
    int width = l->half + l->width;
    for (int j = begin; j < end; j++) {
        const float *row = p->q + poisson_row_offset(l, j);
        float *restrict out = p->product + poisson_row_offset(l, j);
        const float *restrict rhs = p->rhs + poisson_row_offset(l, j);
        multiply_row_by_matrix(l, j, out, row - 2 * (ptrdiff_t)l->half, row, row + 2 * (ptrdiff_t)l->half);
        EACH(k) out[k] = rhs[k] - out[k];
        p->sum[j] = dot_product_of_rows(l, out, out);
        p->sum2[j] = dot_product_of_rows(l, rhs, rhs);
    }
}

/* Relaxes the black cells of row j: each gets the solution of its own equation. */
static void relax_black_cells_of_row(const poisson_level *l, int j, const float *below, float *row,
                                     const float *above) {
    ptrdiff_t half = (ptrdiff_t)(~j & 1) * l->half, at = poisson_row_offset(l, j) + half;
    stencil s = make_stencil(l, j, ~j & 1, below, row, above);
    relax_half_row(l->width, row + half, &s, l->rhs + at, l->inverse + at);
}

/* Computes row j of coarse->rhs: the sum of the residuals of the red children. residuals[n], by column of coarse cells:
 * - 0: upper right children of the row below
 * - 1, 2: lower left and upper right children of row j
 * - 3: lower left children of the row above */
static void restrict_residual_row(const poisson_level *c, int j, int width, float *const residuals[4],
                                  float *restrict sum) {
    const float *restrict lower = residuals[1], *restrict upper = residuals[2];
    const uint8_t *row = poisson_reassigned_of_row(c, j), *below = poisson_reassigned_of_row(c, j - 1),
                  *above = poisson_reassigned_of_row(c, j + 1);
    EACH(k) sum[k] = lower[k] + upper[k];
    EACH_CELL_WITH_REASSIGNED_CHILDREN(c, row, i) sum[i] = row[i] & POISSON_LOWER_LEFT ? upper[i] : lower[i];
    EACH_CELL_WITH_REASSIGNED_CHILDREN(c, row, i) {
        if (row[i] & POISSON_TO_LEFT) sum[i - 1] += lower[i];
        if (row[i] & POISSON_TO_RIGHT) sum[i + 1] += upper[i];
    }
    EACH_CELL_WITH_REASSIGNED_CHILDREN(c, below, i) if (below[i] & POISSON_TO_ABOVE) sum[i] += residuals[0][i];
    EACH_CELL_WITH_REASSIGNED_CHILDREN(c, above, i) if (above[i] & POISSON_TO_BELOW) sum[i] += residuals[3][i];
    float *to = c->rhs + poisson_row_offset(c, j);
    split_even_and_odd(c->width, to, to + c->half, sum);
}

/* Smooths the solution from 0, red cells first, and restricts the residual to the coarse right-hand side. The black
 * cells are smoothed last, so that only red cells have a residual. The smoothed values are not stored:
 * correct_and_smooth computes the red cells again. Each iteration of the loop computes, in this order:
 * - the red cells of row j
 * - the black cells of row j - 1
 * - the residual of row j - 2
 * - the coarse row of rows j - 4 and j - 3 */
static void smooth_and_restrict(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    const poisson_level *l = p->level, *c = p->coarse;
    int width = l->width;
    float *scratch = scratch_of_chunk(p, begin), *rows[4], *residuals[4], *sum = prepare_natural_scratch_row(p, begin);
    for (int k = 0; k < 4; k++)
        rows[k] = prepare_scratch_row(l, scratch, k), residuals[k] = prepare_scratch_row(l, scratch, 5 + k);
    for (int j = 2 * begin - 3; j <= 2 * end + 2; j++) {
        compute_initial_values_of_red_cells(l, j, rows[j & 3] + (ptrdiff_t)(j & 1) * l->half, NULL);
        if (j < 2 * begin - 1) continue;
        relax_black_cells_of_row(l, j - 1, rows[(j - 2) & 3], rows[(j - 1) & 3], rows[j & 3]);
        int done = j - 2;
        if (done < 2 * begin - 1) continue;
        stencil s = make_stencil(l, done, done & 1, rows[(done - 1) & 3], rows[done & 3], rows[(done + 1) & 3]);
        compute_red_residual(width, residuals[done & 3], &s);
        if (done & 1 || done <= 2 * begin) continue;
        float *four[] = {residuals[(done + 1) & 3], residuals[(done + 2) & 3], residuals[(done + 3) & 3],
                         residuals[done & 3]};
        restrict_residual_row(c, done / 2 - 1, width, four, sum);
    }
}

/* Interpolates the coarse solution, with second order, to the red cells of fine row j. Weights: 1/2 for the coarse cell
 * that covers the red cell, 1/4 for each of the two coarse neighbours nearest to the red cell. The weight of a
 * neighbour is multiplied by the coefficient of the face to it, at most 1. */
static void interpolate_coarse_solution(const poisson_level *c, int j, float *restrict natural) {
    int width = c->width, upper = j & 1;
    ptrdiff_t at = poisson_row_offset(c, j >> 1), step = 2 * (ptrdiff_t)c->half;
    const float *row = c->solution + at;
    for (int odd = 0; odd < 2; odd++) {
        stencil s = make_stencil(c, j >> 1, odd, row - step, row, row + step);
        const float *restrict own = row + (ptrdiff_t)odd * c->half;
        const float *restrict h = upper ? s.right : s.left, *restrict v = upper ? s.up : s.down;
        const float *restrict fh = upper ? s.face_right : s.face_left, *restrict fv = upper ? s.face_up : s.face_down;
        float *restrict to = natural + odd;
        EACH(k) {
            float wh = fh[k] < 1.0f ? 0.25f * fh[k] : 0.25f, wv = fv[k] < 1.0f ? 0.25f * fv[k] : 0.25f;
            to[2 * (ptrdiff_t)k] = own[k] + (wh * (h[k] - own[k]) + wv * (v[k] - own[k]));
        }
    }
    const uint8_t *reassigned = poisson_reassigned_of_row(c, j >> 1);
    EACH_CELL_WITH_REASSIGNED_CHILDREN(c, reassigned, i) {
        if (!upper && reassigned[i] & POISSON_TO_LEFT) natural[i] = c->solution[cell_index(c, i - 1, j >> 1)];
        if (!upper && reassigned[i] & POISSON_TO_BELOW) natural[i] = c->solution[cell_index(c, i, (j >> 1) - 1)];
        if (upper && reassigned[i] & POISSON_TO_RIGHT) natural[i] = c->solution[cell_index(c, i + 1, j >> 1)];
        if (upper && reassigned[i] & POISSON_TO_ABOVE) natural[i] = c->solution[cell_index(c, i, (j >> 1) + 1)];
    }
}

/* Computes the red cells of smooth_and_restrict again, adds the correction from the coarse level, and smooths the
 * black, then the red cells. Rows of the chunk are computed in place, and the two rows beyond each edge of the chunk in
 * scratch memory. */
static void correct_and_smooth(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    const poisson_level *l = p->level;
    int width = l->width;
    float *scratch = scratch_of_chunk(p, begin), *edges[4], *correction = scratch + poisson_row_offset(l, 4);
    for (int k = 0; k < 4; k++) edges[k] = prepare_scratch_row(l, scratch, k);
#define ROW(j)                                                                                                         \
    ((j) < begin ? edges[(j)-begin + 2] : (j) >= end ? edges[(j)-end + 2] : l->solution + poisson_row_offset(l, j))
    for (int j = begin - 2; j <= end + 1; j++) {
        interpolate_coarse_solution(p->coarse, j, correction);
        compute_initial_values_of_red_cells(l, j, ROW(j) + (ptrdiff_t)(j & 1) * l->half, correction);
        if (j < begin) continue;
        relax_black_cells_of_row(l, j - 1, ROW(j - 2), ROW(j - 1), ROW(j));
        int done = j - 2;
        if (done < begin) continue;
        stencil s = make_stencil(l, done, done & 1, ROW(done - 1), ROW(done), ROW(done + 1));
        ptrdiff_t of = poisson_row_offset(l, done), half = (ptrdiff_t)(done & 1) * l->half;
        relax_half_row(width, ROW(done) + half, &s, l->rhs + of + half, l->inverse + of + half);
        if (!p->sum) continue;
        p->sum[done] = dot_product_of_rows(l, ROW(done), p->product + of);
        p->sum2[done] = dot_product_of_rows(l, ROW(done), l->rhs + of);
    }
#undef ROW
}

static void compute_search_direction_of_row(const poisson_loop_data *p, int j, float *restrict out) {
    ptrdiff_t at = poisson_row_offset(p->level, j);
    int width = p->level->half + p->level->width;
    const float *restrict z = p->level->solution + at, *restrict old = p->old_search + at;
    float beta = p->beta;
    EACH(k) out[k] = z[k] + beta * old[k];
}

static void update_search_direction(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    const poisson_level *l = p->level;
    float *scratch = scratch_of_chunk(p, begin),
          *edges[2] = {prepare_scratch_row(l, scratch, 0), prepare_scratch_row(l, scratch, 1)};
#define ROW(j) ((j) < begin ? edges[0] : (j) >= end ? edges[1] : p->search + poisson_row_offset(l, j))
    for (int j = begin - 1; j <= end; j++) {
        compute_search_direction_of_row(p, j, ROW(j));
        int done = j - 1;
        if (done < begin) continue;
        float *product = p->product + poisson_row_offset(l, done);
        multiply_row_by_matrix(l, done, product, ROW(done - 1), ROW(done), ROW(done + 1));
        p->sum[done] = dot_product_of_rows(l, ROW(done), product);
    }
#undef ROW
}

static void update_solution(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    const poisson_level *l = p->level;
    int width = l->half + l->width;
    float alpha = p->alpha;
    for (int j = begin; j < end; j++) {
        ptrdiff_t at = poisson_row_offset(l, j);
        float *restrict q = p->q + at, *restrict rhs = l->rhs + at;
        const float *restrict search = p->search + at, *restrict product = p->product + at;
        EACH(k) {
            q[k] += alpha * search[k];
            rhs[k] -= alpha * product[k];
        }
        p->sum[j] = dot_product_of_rows(l, rhs, rhs);
    }
}

static double sum_of_values(const float *restrict values, int count) {
    double lanes[PD_LANES] = {0}, total = 0.0;
    int k = 0;
    for (; k + PD_LANES <= count; k += PD_LANES)
        for (int lane = 0; lane < PD_LANES; lane++) lanes[lane] += (double)values[k + lane];
    for (; k < count; k++) total += (double)values[k];
    for (int lane = 0; lane < PD_LANES; lane++) total += lanes[lane];
    return total;
}

static void subtract_mean(float *restrict values, int count, float mean) {
    for (int k = 0; k < count; k++) values[k] = clamp_to_finite(values[k] - mean);
}

const pd_poisson_kernels PD_LEVEL_NAME(pd_poisson_kernels) = {
    .load_natural_rows = load_natural_rows,
    .store_natural_rows = store_natural_rows,
    .rescale_rows = rescale_rows,
    .sweep_rows = sweep_rows,
    .sweep_chunk_edges = sweep_chunk_edges,
    .compute_residual = compute_residual,
    .smooth_and_restrict = smooth_and_restrict,
    .correct_and_smooth = correct_and_smooth,
    .update_search_direction = update_search_direction,
    .update_solution = update_solution,
    .sum = sum_of_values,
    .subtract = subtract_mean,
};

/* ---- Coefficients on all levels ---- */

static inline float clamp_coefficient(float a) {
    return a > POISSON_LEAST ? (a < POISSON_MOST ? a : POISSON_MOST) : 0.0f;
}

static void load_row_of_coefficients(const poisson_loop_data *p, float *to, const float *natural, int j) {
    const poisson_level *l = p->level;
    int width = l->width;
    float *restrict even = to + poisson_row_offset(l, j), *restrict odd = even + l->half;
    split_even_and_odd(width, even, odd, natural + pd_element_index(p->layout, 0, j));
    for (int i = l->nx; i < 2 * width; i++) even[(i & 1) * l->half + (i >> 1)] = 0.0f;
    EACH(k) even[k] = clamp_coefficient(even[k]);
    EACH(k) odd[k] = clamp_coefficient(odd[k]);
}

static void set_bits_of_nonzero_coefficients(const poisson_loop_data *p, uint64_t *bits, const float *natural, int j) {
    const float *from = natural + pd_element_index(p->layout, 0, j);
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
    const poisson_loop_data *p = context;
    const poisson_level *l = p->level;
    for (int j = begin; j < end; j++) {
        load_row_of_coefficients(p, l->face_x, p->face_x, j);
        load_row_of_coefficients(p, l->open, p->open, j);
        set_bits_of_nonzero_coefficients(p, p->left, p->face_x, j);
        set_bits_of_nonzero_coefficients(p, p->open_bits, p->open, j);
        /* Faces on the border are closed. */
        l->face_x[poisson_row_offset(l, j)] = 0.0f;
        p->left[(size_t)j * (size_t)p->words] &= ~(uint64_t)1;
        if (j == 0) continue;
        load_row_of_coefficients(p, l->face_y, p->face_y, j);
        set_bits_of_nonzero_coefficients(p, p->lower, p->face_y, j);
    }
}

/* Returns the poisson_kind of the block that begins with element k of both halves of row j. */
static poisson_kind classify_cells(const poisson_level *l, int j, int k) {
    pd_floatw low = pd_set(FLT_MAX), high = pd_set(0), d = pd_set(0);
    const float *row = l->face_x + poisson_row_offset(l, j);
    for (int odd = 0; odd < 2; odd++) {
        stencil s = make_stencil(l, j, odd, row, row, row);
        const float *faces[] = {s.face_left, s.face_right, s.face_down, s.face_up};
        for (int face = 0; face < 4; face++) {
            pd_floatw a = pd_load_all(faces[face] + k);
            low = pd_min(low, a);
            high = pd_max(high, a);
        }
        d = pd_max(d, pd_load_all(l->open + poisson_row_offset(l, j) + (ptrdiff_t)odd * l->half + k));
    }
    if (pd_movemask(pd_less(pd_set(0), d))) return POISSON_OTHER_COEFFICIENTS;
    if (!pd_movemask(pd_less(pd_set(0), high))) return POISSON_ALL_ZERO;
    bool ones = !pd_movemask(pd_less(low, pd_set(1))) && !pd_movemask(pd_less(pd_set(1), high));
    return ones ? POISSON_ALL_ONE : POISSON_OTHER_COEFFICIENTS;
}

static void invert_diagonals(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    const poisson_level *l = p->level;
    int width = l->width;
    for (int j = begin; j < end; j++) {
        uint8_t *kinds = poisson_kinds_of_row(l, j);
        EACH_VECTOR(k) kinds[k / PD_LANES] = (uint8_t)classify_cells(l, j, k);
        const float *row = l->face_x + poisson_row_offset(l, j);
        for (int odd = 0; odd < 2; odd++) {
            stencil s = make_stencil(l, j, odd, row, row, row);
            ptrdiff_t at = poisson_row_offset(l, j) + (ptrdiff_t)odd * l->half;
            EACH_VECTOR(k) {
                pd_floatw across = load_sum(s.face_left, s.face_right, k), along = load_sum(s.face_down, s.face_up, k);
                pd_floatw diagonal = pd_add(pd_add(across, along), pd_load_all(l->open + at + k));
                pd_maskw active = pd_less(pd_set(0), diagonal);
                pd_store_all(l->inverse + at + k, pd_zero_unset_lanes(active, pd_div(pd_set(1), diagonal)));
            }
        }
    }
}

/* Halves the coefficient d of a coarse cell if one of its fluid children has d = 0. The fluid then extends beyond the
 * other children, and the coarse cell's centre is farther from the surface or open side. sum: by coarse cell of the
 * row, the sum of the children's d. */
static void halve_surface_coefficients(const poisson_level *l, int j, float *restrict sum) {
    int width = l->width;
    ptrdiff_t at = poisson_row_offset(l, j), step = 2 * (ptrdiff_t)l->half;
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

/* Coefficients of faces of a coarse cell's children (its four fine cells): of the faces between them, and of the outer
 * faces of the red children, lower left and upper right. */
typedef struct children {
    float bottom, top;        /* face between the two lower, between the two upper children */
    float left, right;        /* face between the two left, between the two right children */
    float to_left, to_below;  /* left and lower face of the lower left child */
    float to_right, to_above; /* right and upper face of the upper right child */
} children;

static children read_face_coefficients_of_children(const poisson_level *l, int i, int j) {
    ptrdiff_t step = 2 * (ptrdiff_t)l->half, even = poisson_row_offset(l, 2 * j) + i, odd = even + l->half;
    const float *fx = l->face_x, *fy = l->face_y;
    return (children){fx[odd],  fx[odd + step], fy[even + step],     fy[odd + step],
                      fx[even], fy[even],       fx[even + step + 1], fy[odd + 2 * step]};
}

/* Returns the bits of poisson_level.reassigned for a coarse cell. Faces with coefficients up to 0.05 count as closed.
 * If no two children are connected, none is reassigned: the medium is porous, and no wall crosses the cell. */
static uint8_t choose_reassigned_children(const children *c) {
    const float open = 0.05f;
    bool bottom = c->bottom > open, top = c->top > open, left = c->left > open, right = c->right > open;
    bool to_left = c->to_left > open, to_below = c->to_below > open;
    bool to_right = c->to_right > open, to_above = c->to_above > open;
    if ((bottom && right) || (left && top) || !(bottom || top || left || right)) return 0;
    if (!(bottom || left || to_left || to_below) || !(top || right || to_right || to_above)) return 0;
    if (bottom && left) {
        if (to_right && (c->to_right >= c->to_above || !to_above)) return POISSON_UPPER_RIGHT | POISSON_TO_RIGHT;
        return to_above ? POISSON_UPPER_RIGHT | POISSON_TO_ABOVE : 0;
    }
    if (left) return to_left ? POISSON_LOWER_LEFT | POISSON_UPPER_LEFT | POISSON_TO_LEFT : 0;
    if (bottom) return to_below ? POISSON_LOWER_LEFT | POISSON_LOWER_RIGHT | POISSON_TO_BELOW : 0;
    if (to_left && (c->to_left >= c->to_below || !to_below)) return POISSON_LOWER_LEFT | POISSON_TO_LEFT;
    return to_below ? POISSON_LOWER_LEFT | POISSON_TO_BELOW : 0;
}

static void find_reassigned_children(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    const poisson_level *l = p->level, *c = p->coarse;
    int width = l->width;
    for (int j = begin; j < end; j++) {
        uint8_t *row = poisson_reassigned_of_row(c, j), *lower = poisson_kinds_of_row(l, 2 * j),
                *upper = poisson_kinds_of_row(l, 2 * j + 1);
        uint8_t any = 0;
        EACH_VECTOR(k) {
            bool mixed =
                lower[k / PD_LANES] == POISSON_OTHER_COEFFICIENTS || upper[k / PD_LANES] == POISSON_OTHER_COEFFICIENTS;
            for (int i = k; i < k + PD_LANES && i < c->nx; i++) {
                children around = {0};
                if (mixed) around = read_face_coefficients_of_children(l, i, j);
                row[i] = mixed ? choose_reassigned_children(&around) : 0;
                any |= row[i];
            }
        }
        row[-POISSON_ROW_BYTES] = any;
    }
}

/* Compute the coefficient of a coarse face, vertical (x) or horizontal (y): half of the sum over the two fine faces
 * that it covers. Fine faces of reassigned children are left out. */
static void compute_coarse_coefficient_x(const poisson_level *l, const poisson_level *c, int i, int j) {
    const uint8_t *row = poisson_reassigned_of_row(c, j);
    if (i <= 0 || i >= c->nx) return;
    bool lower = !(row[i - 1] & POISSON_LOWER_RIGHT) && !(row[i] & POISSON_LOWER_LEFT);
    bool upper = !(row[i - 1] & POISSON_UPPER_RIGHT) && !(row[i] & POISSON_UPPER_LEFT);
    float a = l->face_x[cell_index(l, 2 * i, 2 * j)], b = l->face_x[cell_index(l, 2 * i, 2 * j + 1)];
    c->face_x[cell_index(c, i, j)] = 0.5f * ((lower ? a : 0.0f) + (upper ? b : 0.0f));
}
static void compute_coarse_coefficient_y(const poisson_level *l, const poisson_level *c, int i, int j) {
    uint8_t own = poisson_reassigned_of_row(c, j)[i], below = poisson_reassigned_of_row(c, j - 1)[i];
    bool left = !(below & POISSON_UPPER_LEFT) && !(own & POISSON_LOWER_LEFT);
    bool right = !(below & POISSON_UPPER_RIGHT) && !(own & POISSON_LOWER_RIGHT);
    float a = l->face_y[cell_index(l, 2 * i, 2 * j)], b = l->face_y[cell_index(l, 2 * i + 1, 2 * j)];
    c->face_y[cell_index(c, i, j)] = 0.5f * ((left ? a : 0.0f) + (right ? b : 0.0f));
}

static void correct_coefficients_of_reassigned_children(const poisson_level *l, const poisson_level *c, int j) {
    const uint8_t *row = poisson_reassigned_of_row(c, j), *below = poisson_reassigned_of_row(c, j - 1);
    EACH_CELL_WITH_REASSIGNED_CHILDREN(c, row, i) {
        compute_coarse_coefficient_x(l, c, i, j);
        compute_coarse_coefficient_x(l, c, i + 1, j);
        compute_coarse_coefficient_y(l, c, i, j);
    }
    EACH_CELL_WITH_REASSIGNED_CHILDREN(c, below, i) compute_coarse_coefficient_y(l, c, i, j);
}

/* Computes coarse coefficients: half of the Galerkin operator for constants on 2 x 2 cells. In a uniform region this is
 * the same equation on cells of twice the size. The factor 1/2 corrects piecewise constant aggregates (Braess 1995). */
static void compute_coarse_coefficients(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    const poisson_level *l = p->level, *c = p->coarse;
    int width = l->width, half = l->half;
    float *natural = prepare_natural_scratch_row(p, begin);
    for (int j = begin; j < end; j++) {
        ptrdiff_t at = poisson_row_offset(l, 2 * j), above = poisson_row_offset(l, 2 * j + 1),
                  to = poisson_row_offset(c, j);
        float *restrict sum = natural;
        const float *restrict a = l->face_x + at, *restrict b = l->face_x + above;
        EACH(k) sum[k] = 0.5f * (a[k] + b[k]);
        split_even_and_odd(c->width, c->face_x + to, c->face_x + to + c->half, natural);
        a = l->face_y + at;
        b = a + half;
        EACH(k) sum[k] = 0.5f * (a[k] + b[k]);
        split_even_and_odd(c->width, c->face_y + to, c->face_y + to + c->half, natural);
        a = l->open + at;
        b = l->open + above;
        const float *restrict a1 = a + half, *restrict b1 = b + half;
        correct_coefficients_of_reassigned_children(l, c, j);
        EACH(k) sum[k] = (a[k] + a1[k]) + (b[k] + b1[k]);
        halve_surface_coefficients(l, 2 * j, sum);
        split_even_and_odd(c->width, c->open + to, c->open + to + c->half, natural);
    }
}

const pd_poisson_setup_kernels PD_LEVEL_NAME(pd_poisson_setup_kernels) = {
    .load_coefficients = load_coefficients,
    .invert_diagonals = invert_diagonals,
    .find_reassigned_children = find_reassigned_children,
    .compute_coarse_coefficients = compute_coarse_coefficients,
};
