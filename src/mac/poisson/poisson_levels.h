/* Inside the solver of the pressure equation: the arrays of one grid level, and the loops over their rows, which are
 * compiled once for each SIMD level.
 *
 * Arrays are split by colour: a row holds the cells with even i first, then, `half` floats later, those with odd i, so
 * that red and black cells ((i + j) even and odd) are contiguous half rows: a sweep over one colour computes and loads
 * nothing of the other, and the two children of a coarse cell in a row have the same index in both halves. */
#ifndef PUDDLE_MAC_POISSON_POISSON_LEVELS_H
#define PUDDLE_MAC_POISSON_POISSON_LEVELS_H

#include "core/parallel.h"
#include "mac/layout.h"

#include <stdint.h>

/* Coefficients up to the first count as 0, those above the second as the second: then neither the inverse of a sum nor
 * a product with a scaled right-hand side overflows. */
#define POISSON_LEAST 1e-12f
#define POISSON_MOST  1e12f

enum {
    POISSON_ROWS_BELOW = 3, /* ghost rows, whose coefficients are 0 */
    POISSON_ROWS_ABOVE = 4,
    POISSON_SCRATCH_ROWS = 9, /* per chunk of rows */
    POISSON_ROW_BYTES = 8,    /* before the bytes of a row in `detached` */
};

/* Of the coefficients of 16 consecutive cells of either half of a row. */
typedef enum poisson_kind {
    POISSON_MIXED,
    POISSON_UNIFORM, /* all faces are 1, and d is 0 */
    POISSON_EMPTY,   /* all are 0 */
} poisson_kind;

/* A coarse cell that a wall crosses stands for the cells of one side only. One of its two red children, the lower left
 * or the upper right one, is then detached, together with the children connected to it: it belongs to the coarse cell
 * beyond its outer face. Without this, coarse levels leak through walls that are thinner than their cells. */
enum {
    POISSON_LOWER_LEFT = 1, /* children that are detached */
    POISSON_LOWER_RIGHT = 2,
    POISSON_UPPER_LEFT = 4,
    POISSON_UPPER_RIGHT = 8,
    POISSON_TO_LEFT = 16, /* where the lower left one belongs */
    POISSON_TO_BELOW = 32,
    POISSON_TO_RIGHT = 64, /* where the upper right one belongs */
    POISSON_TO_ABOVE = 128,
};

/* Array pointers are to row 0; cell (i, j) is at j*2*half + (i & 1)*half + (i >> 1). */
typedef struct poisson_level {
    int nx, ny;
    int half;  /* a multiple of 16; more than nx/2 + 1 and `width` */
    int width; /* of a half row, rounded up to a multiple of 16: what loops pass over; behind the cells all is 0 */
    float *face_x, *face_y, *open;
    float *inverse; /* 1/(sum of the coefficients of a cell), 0 in cells without any */
    float *rhs, *solution;
    uint8_t *kinds; /* a poisson_kind for each vector of a half row, of both halves */
    /* Of coarse levels, in natural order: what is detached of the children of each cell, and before the row 8 bytes
     * for the whole row, of which the first is 0 when nothing is. */
    uint8_t *detached;
} poisson_level;

static inline ptrdiff_t poisson_row(const poisson_level *level, int j) { return (ptrdiff_t)j * 2 * level->half; }

static inline uint8_t *poisson_kinds(const poisson_level *level, int j) {
    return level->kinds + (ptrdiff_t)j * (level->width / 16);
}

static inline uint8_t *poisson_detached(const poisson_level *level, int j) {
    return level->detached + (ptrdiff_t)j * (2 * level->width + 16);
}

/* What the loops over rows read and write: each uses the part that it needs. */
typedef struct poisson_pass {
    const poisson_level *level, *coarse;
    int grain;      /* rows of a chunk */
    float *scratch; /* POISSON_SCRATCH_ROWS rows of `level` for each chunk */
    /* Results of each row, [j]. */
    double *sum, *sum2;
    float *greatest;
    /* Arrays of level 0. */
    const float *rhs;
    float *q, *search, *old_search, *product;
    float alpha, beta, over_relaxation, scale;
    /* The caller's arrays. */
    const pd_layout *layout;
    const float *face_x, *face_y, *open;
    float *natural;
    /* Bits of each row: the cell's left face, its lower face, its d are above 0. */
    int words;
    uint64_t *left, *lower, *open_bits;
} poisson_pass;

/* Loop bodies over rows; their context is a poisson_pass. */
typedef struct poisson_setup_kernels {
    pd_loop_body *load_coefficients; /* rows of level 0, from the caller's arrays */
    pd_loop_body *invert;            /* level->inverse and kinds */
    pd_loop_body *detach;            /* coarse->detached; rows of `coarse` */
    pd_loop_body *coarsen;           /* coarse coefficients; rows of `coarse` */
} poisson_setup_kernels;

extern const poisson_setup_kernels poisson_setup_kernels_baseline, poisson_setup_kernels_avx2,
    poisson_setup_kernels_avx512;

typedef struct poisson_kernels {
    pd_loop_body *load;        /* natural * scale to q, and the row's greatest absolute value */
    pd_loop_body *store;       /* q * scale to natural */
    pd_loop_body *rescale;     /* q *= scale */
    pd_loop_body *sweep;       /* Gauss-Seidel: red and black cells, without the black ones of the chunk's edges */
    pd_loop_body *sweep_edges; /* those */
    pd_loop_body *residual;    /* product = rhs - A q; sum: of its squares; sum2: of those of rhs */
    pd_loop_body *descend;     /* rows of `coarse`: smooths from 0, restricts the residual to coarse->rhs */
    pd_loop_body *ascend;      /* adds the coarse solution and smooths; sum: solution . product; sum2: solution . rhs */
    pd_loop_body *direct;      /* search = solution + beta old_search, product = A search; sum: their product */
    pd_loop_body *advance;     /* q += alpha search, rhs -= alpha product; sum: of the squares of rhs */
    /* Of consecutive values, not rows: their sum, and subtraction of their mean. */
    double (*sum)(const float *values, int count);
    void (*subtract)(float *values, int count, float mean);
} poisson_kernels;

extern const poisson_kernels poisson_kernels_baseline, poisson_kernels_avx2, poisson_kernels_avx512;

#endif
