/* Inline functions for the loops over rows of the pressure equation (poisson_wide.c, poisson_coarse_wide.c). */
#ifndef PUDDLE_MAC_POISSON_POISSON_ROWS_H
#define PUDDLE_MAC_POISSON_POISSON_ROWS_H

#include "core/simd.h"
#include "mac/poisson/poisson_levels.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

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

#endif
