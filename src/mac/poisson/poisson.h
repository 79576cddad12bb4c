/* The pressure equation on a staggered grid, with fractional faces and a free surface:
 *
 *     sum over the four faces of a (q - q') + d q = r        in every cell with a face or a d above 0,
 *
 * a: coefficient of the face between two cells (its open fraction; 0: closed), q': the neighbour's q, d: coefficients to
 * places where q = 0 (an open side, the free surface: 1/distance in cells), r: inflow of the cell. q is 0 in all other
 * cells. With r = -(net outflow through the faces)/cell, in m/s, the velocity u at a face, minus the difference of q
 * across it, is free of divergence, and the pressure is q density cell / dt.
 *
 * Solvers: Gauss-Seidel with over-relaxation in red-black order, and conjugate gradients preconditioned by a multigrid
 * V-cycle (Bridson, "Fluid Simulation for Computer Graphics", 2nd ed., ch. 5; McAdams, Sifakis, Teran, "A parallel
 * multigrid Poisson solver for fluids simulation on large grids", 2010). The latter takes 3 to 8 cycles for a residual
 * of a thousandth at any size (5 to 11 with walls one cell thick; tens where a quarter of single cells is solid, and
 * more in mazes of channels one cell wide). A cycle costs as much as 6 to 10 sweeps. The result does not depend on the
 * number of threads or the SIMD level.
 *
 * q is stored as floats: the residual of a smooth q cannot become much less than 1e-7 times the greatest q, which is up
 * to n^2/10 times r on n cells along a side. */
#ifndef PUDDLE_MAC_POISSON_POISSON_H
#define PUDDLE_MAC_POISSON_POISSON_H

#include "core/parallel.h"
#include "mac/layout.h"

typedef struct pd_poisson {
    pd_layout layout;
    /* Filled in by the caller before pd_poisson_prepare, finite and at least 0. Values up to 1e-12 count as 0, those above
     * 1e12 as that. The faces of the border count as closed, and ghost cells are not read. */
    float *face_x, *face_y;       /* coefficients of the left and of the lower face of each cell */
    float *open;                  /* d of each cell */
    float *q;                     /* solution; its content before a solve is the initial guess */
    float *rhs;                   /* r; a solve subtracts means from it: see pd_poisson_solve */
    struct pd_poisson_work *work; /* private */
} pd_poisson;

typedef enum pd_poisson_solver { PD_GAUSS_SEIDEL, PD_MULTIGRID } pd_poisson_solver;

typedef struct pd_poisson_method {
    pd_poisson_solver solver;
    int iterations;        /* sweeps over all cells, or at most this many cycles; 0: only the residual is computed */
    float over_relaxation; /* Gauss-Seidel only: 1 to 2 */
    /* Multigrid only: stops when the rms of the residual over the cells is not above this, or when rounding errors are
     * all that is left of it. */
    float tolerance;
} pd_poisson_method;

typedef struct pd_poisson_report {
    int iterations; /* done */
    /* rms residual over the cells with a coefficient above 0, in the unit of r; `after` without the rounding errors of
     * the last steps of multigrid. */
    double before, after;
} pd_poisson_report;

/* Errors: OUT_OF_MEMORY. */
pd_result pd_poisson_create(pd_poisson **poisson, int nx, int ny, pd_error *error);
void pd_poisson_destroy(pd_poisson *poisson);
/* Call after the coefficients have changed, and before the first solve: computes the coarse levels and finds the
 * connected regions. Costs about as much as a cycle. */
void pd_poisson_prepare(pd_poisson *poisson, pd_pool *pool);
/* In a region of cells without any d, the equations have a solution only when the r of the region add up to 0: their
 * mean is subtracted first, and that of the region's q afterwards. For finite r and q, all q become finite. report may
 * be NULL. */
void pd_poisson_solve(pd_poisson *poisson, const pd_poisson_method *method, pd_pool *pool, pd_poisson_report *report);

#endif
