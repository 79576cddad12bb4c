/* Arrays of one grid level of the pressure equation, and the loops over their rows, compiled once for each SIMD level.
 *
 * A row stores the cells with even i first, then, `half` floats later, those with odd i. Red and black cells ((i + j)
 * even and odd) are then contiguous half rows, and a sweep over one colour reads only the arrays of that colour. The
 * two children of a coarse cell in a row have the same index in both halves. */
#ifndef PUDDLE_MAC_POISSON_POISSON_LEVELS_H
#define PUDDLE_MAC_POISSON_POISSON_LEVELS_H

#include "core/parallel.h"
#include "mac/poisson/poisson.h"

#include <stdint.h>

/* Range of coefficients: values up to POISSON_LEAST count as 0, values above POISSON_MOST as POISSON_MOST. Then neither
 * the inverse of a sum nor a product with a scaled right-hand side overflows. */
#define POISSON_LEAST 1e-12f
#define POISSON_MOST  1e12f

enum {
    POISSON_ROWS_BELOW = 3, /* ghost rows below the grid, whose coefficients are 0 */
    POISSON_ROWS_ABOVE = 4,
    POISSON_SCRATCH_ROWS = 9, /* rows of working memory for each chunk of rows */
    POISSON_ROW_BYTES = 8,    /* bytes before each row of `reassigned` */
};

/* Class of the coefficients (poisson.h) of a block: 16 neighbouring elements in each half of a row. */
typedef enum poisson_kind {
    POISSON_OTHER_COEFFICIENTS, /* neither of the two cases below */
    POISSON_ALL_ONE,            /* all face coefficients a are 1, and all coefficients d are 0 */
    POISSON_ALL_ZERO,           /* all coefficients a and d are 0 */
} poisson_kind;

/* Bits of poisson_level.reassigned.
 *
 * The children of a coarse cell are the four fine cells that it covers. If a wall separates them, the coarse cell
 * represents only the children on one side of the wall: otherwise coarse levels would leak through thin walls. The
 * children on the other side are reassigned: they belong to a neighbouring coarse cell. They include exactly one of the
 * two red children (lower left, upper right), and this neighbour lies beyond an outer face of this red child. */
enum {
    POISSON_LOWER_LEFT = 1, /* the first four bits: which children are reassigned */
    POISSON_LOWER_RIGHT = 2,
    POISSON_UPPER_LEFT = 4,
    POISSON_UPPER_RIGHT = 8,
    POISSON_TO_LEFT = 16, /* the last four bits: the neighbouring coarse cell to which they belong */
    POISSON_TO_BELOW = 32,
    POISSON_TO_RIGHT = 64,
    POISSON_TO_ABOVE = 128,
};

/* One level of the multigrid hierarchy. Pointers are to row 0. Cell (i, j) has the index j*2*half + (i & 1)*half + (i
 * >> 1). */
typedef struct poisson_level {
    int nx, ny; /* numbers of columns and rows of cells */
    int half;   /* floats from the even to the odd half of a row; a multiple of 16, above nx/2 + 1 and `width` */
    int width;  /* length of loops over a half row: its cells, rounded up to a multiple of 16. Extra elements are 0 */
    float *face_x, *face_y, *open; /* coefficients, as in pd_poisson */
    float *inverse;        /* by cell: 1/(sum of the coefficients of its equation); 0 if all coefficients are 0 */
    float *rhs, *solution; /* right-hand side and solution of this level */
    uint8_t *kinds;        /* poisson_kind of each block of 16 cells, shared by both halves */
    /* Coarse levels only. By coarse cell: which of its children belong to a neighbouring coarse cell, as bits
     * POISSON_LOWER_LEFT to POISSON_TO_ABOVE. Rows are in natural order, not split into even and odd halves. 8 bytes
     * precede each row. The first of them is 0 if no cell of the row has such children. */
    uint8_t *reassigned;
} poisson_level;

static inline ptrdiff_t poisson_row_offset(const poisson_level *level, int j) { return (ptrdiff_t)j * 2 * level->half; }

static inline uint8_t *poisson_kinds_of_row(const poisson_level *level, int j) {
    return level->kinds + (ptrdiff_t)j * (level->width / 16);
}

static inline uint8_t *poisson_reassigned_of_row(const poisson_level *level, int j) {
    return level->reassigned + (ptrdiff_t)j * (2 * level->width + 16);
}

/* Arguments of the loops over rows. Each loop uses some of the members. */
typedef struct poisson_loop_data {
    const poisson_level *level, *coarse; /* the level of the loop, and the next coarser level */
    int grain;                           /* number of rows in a chunk of parallel work */
    float *scratch;                      /* POISSON_SCRATCH_ROWS rows of `level` for each chunk */
    /* Results of a loop, one for each row. The comments of pd_poisson_kernels define them. */
    double *sum, *sum2;
    float *greatest; /* by row: greatest absolute value */
    /* Arrays of level 0. */
    const float *rhs;             /* right-hand side */
    float *q;                     /* solution */
    float *search, *old_search;   /* present and last search direction of the conjugate gradients */
    float *product;               /* A search or the residual (pd_poisson_kernels), A: matrix of the equation */
    float alpha, beta;            /* step length of the conjugate gradients, and factor on old_search */
    float over_relaxation, scale; /* factor omega of Gauss-Seidel; factor on the values of `natural` or q */
    /* Arrays of the caller, with the layout of pd_poisson. */
    const pd_layout *layout;             /* layout of the caller's arrays */
    const float *face_x, *face_y, *open; /* coefficients, as in pd_poisson */
    float *natural;                      /* array that a loop reads or writes, with rows in natural order */
    /* One bit for each cell: left: the left face's coefficient is above 0; lower: the lower face's coefficient is above
     * 0; open_bits: the coefficient d is above 0. words: number of 64-bit words in a row of bits. */
    int words;
    uint64_t *left, *lower, *open_bits;
} poisson_loop_data;

/* Loop bodies over rows; their context is a poisson_loop_data. */
typedef struct pd_poisson_setup_kernels {
    pd_loop_body *load_coefficients;           /* copies the caller's coefficients to level 0, and computes the bits */
    pd_loop_body *invert_diagonals;            /* computes level->inverse and level->kinds */
    pd_loop_body *find_reassigned_children;    /* loop over rows of `coarse`: computes coarse->reassigned */
    pd_loop_body *compute_coarse_coefficients; /* loop over rows of `coarse`: computes its coefficients */
} pd_poisson_setup_kernels;

extern const pd_poisson_setup_kernels pd_poisson_setup_kernels_baseline, pd_poisson_setup_kernels_avx2,
    pd_poisson_setup_kernels_avx512;

typedef struct pd_poisson_kernels {
    /* q = natural * scale; greatest: greatest absolute value of the row in `natural` */
    pd_loop_body *load_natural_rows;
    pd_loop_body *store_natural_rows; /* natural = q * scale */
    pd_loop_body *rescale_rows;       /* q *= scale */
    pd_loop_body *sweep_rows; /* Gauss-Seidel: red cells, then black cells except in a chunk's first and last row */
    pd_loop_body *sweep_chunk_edges;   /* Gauss-Seidel: black cells in a chunk's first and last row */
    pd_loop_body *compute_residual;    /* product = rhs - A q; sum: sum of the squares of product; sum2: of rhs */
    pd_loop_body *smooth_and_restrict; /* loop over rows of `coarse`: smooths `level` from 0, computes coarse->rhs */
    /* adds the coarse solution, smooths; sum: solution . product, sum2: solution . rhs */
    pd_loop_body *correct_and_smooth;
    /* search = solution + beta old_search, product = A search; sum: search . product */
    pd_loop_body *update_search_direction;
    pd_loop_body *update_solution; /* q += alpha search, rhs -= alpha product; sum: sum of the squares of rhs */
    /* sum: returns the sum of `count` values. subtract: subtracts `mean` from each of `count` values. */
    double (*sum)(const float *values, int count);
    void (*subtract)(float *values, int count, float mean);
} pd_poisson_kernels;

extern const pd_poisson_kernels pd_poisson_kernels_baseline, pd_poisson_kernels_avx2, pd_poisson_kernels_avx512;

#endif
