/* Pressure equation on a staggered grid, with fractional faces and a free surface:
 *
 *     sum over the four faces of a (q - q') + d q = r        in every cell with a face or a d above 0
 *
 * a: coefficient of the face between two cells (its open fraction; 0: closed)
 * q': value of q in the neighbour
 * d: coefficient to places where q = 0 (an open side, or the free surface: 1/distance in cells)
 * r: inflow of the cell
 * In all other cells q = 0.
 *
 * With r = -(net outflow through the faces)/cell in m/s, the velocity at a face minus the difference of q across it is
 * free of divergence. The pressure is then q density cell/dt.
 *
 * Solvers: Gauss-Seidel with over-relaxation in red-black order, and conjugate gradients preconditioned by a multigrid
 * V-cycle (Bridson, "Fluid Simulation for Computer Graphics", 2nd ed., ch. 5; McAdams, Sifakis, Teran, "A parallel
 * multigrid Poisson solver for fluids simulation on large grids", 2010).
 * Multigrid reduces the residual to a thousandth in 3 to 8 cycles at any size, with walls one cell thick in 5 to 11.
 * Where a quarter of single cells is solid it needs tens of cycles, and more in mazes of channels one cell wide. A
 * cycle costs as much as 6 to 10 sweeps. The result does not depend on the number of threads or the SIMD level.
 *
 * q is stored as floats. The residual of a smooth q is at least about 1e-7 times the greatest q, which is up to n^2/10
 * times r on n cells along a side. */
#ifndef PUDDLE_MAC_POISSON_POISSON_H
#define PUDDLE_MAC_POISSON_POISSON_H

#include "core/parallel.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Layout of all arrays on a staggered (marker-and-cell) grid, Harlow and Welch 1965.
 *
 * Rows have `stride` floats, the lowest row first. A ring of ghost cells surrounds the grid, so that stencils need no
 * branches at the border. Element pd_element_index(layout, i, j) of an array belongs to cell (i, j), to the vertical
 * face at its left or to the horizontal face below it. The faces at the right and the top of the grid belong to the
 * ghost cells (nx, j) and (i, ny). */

typedef struct pd_layout {
    int nx, ny;   /* numbers of columns and rows of cells */
    int stride;   /* distance of two rows, floats; a multiple of 16, at least nx + 2 */
    size_t count; /* number of floats in an array, with PD_LAYOUT_PADDING floats behind its rows */
} pd_layout;

enum { PD_LAYOUT_PADDING = 64 }; /* floats behind the rows, which vectors may read and write */

static inline pd_layout pd_layout_for_cells(int nx, int ny) {
    int stride = (nx + 2 + 15) / 16 * 16;
    /* Rows whose distance is a power of two compete for the same lines of the cache. */
    if (stride % 256 == 0) stride += 16;
    return (pd_layout){nx, ny, stride, (size_t)stride * (size_t)(ny + 2) + PD_LAYOUT_PADDING};
}

/* Returns the index of element (i, j), i in [-1, nx], j in [-1, ny]. */
static inline size_t pd_element_index(const pd_layout *layout, int i, int j) {
    return (size_t)(j + 1) * (size_t)layout->stride + (size_t)(i + 1);
}

typedef struct pd_poisson {
    pd_layout layout; /* layout of the arrays */
    /* Coefficients, set by the caller before pd_poisson_prepare: finite and at least 0. Values above 1e12 count as 1e12,
     * values up to 1e-12 as 0. Faces on the border of the grid count as closed. Ghost cells are not read. */
    float *face_x, *face_y;       /* by cell: coefficient a of its left face, of its lower face */
    float *open;                  /* by cell: coefficient d to places where q = 0 */
    float *q;                     /* solution; before a solve the initial guess */
    float *rhs;                   /* right-hand side r; pd_poisson_solve subtracts the mean of each closed region */
    struct pd_poisson_work *work; /* private to poisson.c */
} pd_poisson;

typedef enum pd_poisson_solver { PD_GAUSS_SEIDEL, PD_MULTIGRID } pd_poisson_solver;

typedef struct pd_poisson_method {
    pd_poisson_solver solver; /* iteration scheme */
    int iterations; /* number of Gauss-Seidel sweeps, or limit of multigrid cycles; 0: only the residual is computed */
    float over_relaxation; /* Gauss-Seidel only: factor omega, 1 to 2 */
    /* Multigrid only: the solver stops when the rms residual over the cells is at most this value, or when only rounding
     * errors are left. */
    float tolerance; /* greatest rms residual, in the unit of r */
} pd_poisson_method;

typedef struct pd_poisson_report {
    int iterations; /* number of sweeps or cycles done */
    /* rms residual before and after the solve, over the cells with a coefficient above 0, in the unit of r. With
     * multigrid `after` is updated in each cycle instead of computed from q, so that it lacks the rounding errors of
     * q. */
    double before, after;
} pd_poisson_report;

/* Creates the memory of an equation on nx x ny cells. Errors: OUT_OF_MEMORY. */
pd_result pd_poisson_create(pd_poisson **poisson, int nx, int ny, pd_error *error);
void pd_poisson_destroy(pd_poisson *poisson);
/* Computes the coefficients of the coarse levels, and finds the connected regions. Call it before the first solve and
 * after a change of coefficients. Cost: about that of one multigrid cycle. */
void pd_poisson_prepare(pd_poisson *poisson, pd_pool *pool);
/* Solves the equation. In a closed region, where all d are 0, the mean of r is subtracted from r before, since
 * otherwise no solution exists; and the mean of q is subtracted from q afterwards. For finite r and q, all q become
 * finite. report may be NULL. */
void pd_poisson_solve(pd_poisson *poisson, const pd_poisson_method *method, pd_pool *pool, pd_poisson_report *report);

/* Connected regions of cells of a pressure equation (poisson.h). A region is closed if the coefficient d, to an open
 * side or the surface, is 0 in all its cells. Its solution is determined up to a constant. */

typedef struct poisson_regions {
    int nx, ny, words; /* numbers of columns and rows of cells; number of 64-bit words in a row of bits */
    int cells;         /* number of cells with a coefficient above 0 */
    int closed;        /* number of closed regions, which have indices from 0 */
    /* Three bits for each cell, set by the caller. left, lower: the coefficient a of the cell's left or lower face is
     * above 0. open: the cell's coefficient d, to an open side or the surface, is above 0. */
    uint64_t *left, *lower, *open;
    /* One bit for each cell. active: at least one coefficient of the cell's equation is above 0. open_roots: the cell
     * is a root of the union-find trees in `label`, and its region is open: a cell of it has d > 0. */
    uint64_t *active, *open_roots;
    int32_t *label; /* union-find forest of the runs, a run being identified by its first cell (poisson.c) */
    double *sum;    /* by closed region: working memory for the sum of the values in its cells, then for their mean */
    int *count;     /* by closed region: number of cells */
} poisson_regions;

/* Allocates the arrays for nx x ny cells. Returns false if memory is missing. */
bool pd_poisson_regions_create(poisson_regions *regions, int nx, int ny);
void pd_poisson_regions_destroy(poisson_regions *regions);
void pd_poisson_regions_find(poisson_regions *regions);
/* Results of pd_poisson_regions_find_region_of_cell for cells in no closed region. */
enum {
    POISSON_REGION_OPEN = -1 /* the cell's region is open: d > 0 in at least one of its cells */,
    POISSON_NO_REGION = -2 /* all coefficients of the cell's equation are 0 */
};
/* Returns the index of the closed region that contains cell (i, j), or one of the negative constants above. Call
 * pd_poisson_regions_find before. */
int pd_poisson_regions_find_region_of_cell(const poisson_regions *regions, int i, int j);

#endif
