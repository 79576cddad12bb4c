/* Arrays of one grid level of the pressure equation, and the loops over their rows, compiled once for each SIMD level.
 *
 * A row stores the cells with even i first, then, `half` floats later, those with odd i. Red and black cells ((i + j)
 * even and odd) are then contiguous half rows, and a sweep over one colour reads only the arrays of that colour. The
 * two children of a coarse cell in a row have the same index in both halves. */
#ifndef PUDDLE_MAC_POISSON_POISSON_LEVELS_H
#define PUDDLE_MAC_POISSON_POISSON_LEVELS_H

#include "core/parallel.h"
#include "mac/layout.h"

#include <stdint.h>

/* Range of coefficients: values up to POISSON_LEAST count as 0, values above POISSON_MOST as POISSON_MOST. Then neither
 * the inverse of a sum nor a product with a scaled right-hand side overflows. */
#define POISSON_LEAST 1e-12f
#define POISSON_MOST  1e12f

enum {
    POISSON_ROWS_BELOW = 3, /* ghost rows below the grid, whose coefficients are 0 */
    POISSON_ROWS_ABOVE = 4,
    POISSON_SCRATCH_ROWS = 9, /* rows of working memory for each chunk of rows */
    POISSON_ROW_BYTES = 8,    /* bytes before each row of `detached` */
};

/* Class of a block of 16 cells in the red or the black half of a row. */
typedef enum poisson_kind {
    POISSON_MIXED,
    POISSON_UNIFORM, /* all face coefficients a are 1, and all d (poisson.h) are 0 */
    POISSON_EMPTY,   /* all a and d are 0 */
} poisson_kind;

/* Bits of poisson_level.detached. A coarse cell that a wall crosses represents the cells on one side only. One of its
 * two red children, the lower left or the upper right one, is then detached, with the children connected to it. The
 * detached children belong to the coarse cell beyond the red child's outer face. Otherwise coarse levels would leak
 * through walls thinner than their cells. */
enum {
    POISSON_LOWER_LEFT = 1, /* detached children */
    POISSON_LOWER_RIGHT = 2,
    POISSON_UPPER_LEFT = 4,
    POISSON_UPPER_RIGHT = 8,
    POISSON_TO_LEFT = 16, /* coarse cell to which the detached lower left child belongs */
    POISSON_TO_BELOW = 32,
    POISSON_TO_RIGHT = 64, /* coarse cell to which the detached upper right child belongs */
    POISSON_TO_ABOVE = 128,
};

/* Grid level. Pointers are to row 0. Cell (i, j) has the index j*2*half + (i & 1)*half + (i >> 1). */
typedef struct poisson_level {
    int nx, ny;
    int half;  /* floats from the even to the odd half of a row; a multiple of 16, above nx/2 + 1 and `width` */
    int width; /* length of loops over a half row: its cells, rounded up to a multiple of 16. Extra elements are 0 */
    float *face_x, *face_y, *open;
    float *inverse; /* by cell: 1/(sum of its coefficients); 0 if all coefficients are 0 */
    float *rhs, *solution;
    uint8_t *kinds; /* poisson_kind of each block of 16 cells, shared by both halves */
    /* Detached children of each cell; coarse levels only. Rows are in natural order, not split in halves. The first of
     * the 8 bytes before a row is 0 if no cell of the row has detached children. */
    uint8_t *detached; /* by coarse cell: bits POISSON_LOWER_LEFT to POISSON_TO_ABOVE */
} poisson_level;

static inline ptrdiff_t poisson_row_offset(const poisson_level *level, int j) { return (ptrdiff_t)j * 2 * level->half; }

static inline uint8_t *poisson_kinds_of_row(const poisson_level *level, int j) {
    return level->kinds + (ptrdiff_t)j * (level->width / 16);
}

static inline uint8_t *poisson_detached_of_row(const poisson_level *level, int j) {
    return level->detached + (ptrdiff_t)j * (2 * level->width + 16);
}

/* Data of the loops over rows. Each loop uses some of the members. */
typedef struct poisson_pass {
    const poisson_level *level, *coarse;
    int grain;      /* number of rows in a chunk of parallel work */
    float *scratch; /* POISSON_SCRATCH_ROWS rows of `level` for each chunk */
    /* Results of a loop, one for each row. The comments of poisson_kernels define them. */
    double *sum, *sum2;
    float *greatest; /* by row: greatest absolute value */
    /* Arrays of level 0. */
    const float *rhs; /* right-hand side */
    float *q, *search, *old_search, *product;
    float alpha, beta, over_relaxation, scale;
    /* Arrays of the caller, with the layout of pd_poisson. */
    const pd_layout *layout; /* layout of the caller's arrays */
    const float *face_x, *face_y, *open;
    float *natural; /* array of the caller to read or write, in natural order */
    /* One bit for each cell: the coefficient of the left face (left), of the lower face (lower) or d (open_bits) is
     * above 0. A row has `words` words. */
    int words; /* 64-bit words in a row of bits */
    uint64_t *left, *lower, *open_bits;
} poisson_pass;

/* Loop bodies over rows; their context is a poisson_pass. */
typedef struct poisson_setup_kernels {
    pd_loop_body *load_coefficients; /* reads the caller's coefficients to level 0 */
    pd_loop_body *invert;            /* computes level->inverse and level->kinds */
    pd_loop_body *detach;            /* loop over rows of `coarse`: computes coarse->detached */
    pd_loop_body *coarsen;           /* loop over rows of `coarse`: computes its coefficients */
} poisson_setup_kernels;

extern const poisson_setup_kernels poisson_setup_kernels_baseline, poisson_setup_kernels_avx2,
    poisson_setup_kernels_avx512;

typedef struct poisson_kernels {
    pd_loop_body *load;        /* q = natural * scale; greatest: greatest absolute value of the row */
    pd_loop_body *store;       /* natural = q * scale */
    pd_loop_body *rescale;     /* q *= scale */
    pd_loop_body *sweep;       /* Gauss-Seidel of red, then black cells, without black cells on the chunk's edges */
    pd_loop_body *sweep_edges; /* Gauss-Seidel of the black cells on the chunk's edges */
    pd_loop_body *residual;    /* product = rhs - A q; sum, sum2: squares of product and of rhs */
    pd_loop_body *descend;     /* loop over rows of `coarse`: smooths from 0, restricts the residual to coarse->rhs */
    pd_loop_body *ascend;      /* adds the coarse solution and smooths; sum, sum2: solution . product, solution . rhs */
    pd_loop_body *update_search; /* search = solution + beta old_search, product = A search; sum: search . product */
    pd_loop_body *advance;       /* q += alpha search, rhs -= alpha product; sum: squares of rhs */
    /* sum: returns the sum of `count` values. subtract: subtracts `mean` from each of `count` values. */
    double (*sum)(const float *values, int count);
    void (*subtract)(float *values, int count, float mean);
} poisson_kernels;

extern const poisson_kernels poisson_kernels_baseline, poisson_kernels_avx2, poisson_kernels_avx512;

#endif
