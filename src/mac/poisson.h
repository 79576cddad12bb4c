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
 * multigrid Poisson solver for fluids simulation on large grids", 2010). The result does not depend on the number of
 * threads or the SIMD level. */
#ifndef PUDDLE_MAC_POISSON_H
#define PUDDLE_MAC_POISSON_H

#include "core/parallel.h"
#include "mac/layout.h"

typedef struct pd_poisson {
    pd_layout layout;
    /* Filled in by the caller before pd_poisson_prepare; the elements of ghost cells are 0, but for the faces that they
     * share with a cell, which are 0 too. */
    float *face_x, *face_y;       /* coefficients of the left and of the lower face of each cell */
    float *open;                  /* d of each cell */
    float *q;                     /* solution; its content before a solve is the initial guess */
    float *rhs;                   /* r; the solver changes it: see pd_poisson_solve */
    struct pd_poisson_work *work; /* private */
} pd_poisson;

typedef enum pd_poisson_solver { PD_GAUSS_SEIDEL, PD_MULTIGRID } pd_poisson_solver;

typedef struct pd_poisson_method {
    pd_poisson_solver solver;
    int iterations;        /* sweeps over all cells, or at most this many cycles */
    float over_relaxation; /* Gauss-Seidel only: 1 to 2 */
    float tolerance;       /* multigrid only: stops when the rms of the residual over the cells is below this */
} pd_poisson_method;

typedef struct pd_poisson_report {
    int iterations;       /* done */
    double before, after; /* rms residual over the cells with a coefficient above 0, in the unit of r */
} pd_poisson_report;

/* Errors: OUT_OF_MEMORY. */
pd_result pd_poisson_create(pd_poisson **poisson, int nx, int ny, pd_error *error);
void pd_poisson_destroy(pd_poisson *poisson);
/* Call after the coefficients have changed: computes the coarse levels and finds the connected regions. */
void pd_poisson_prepare(pd_poisson *poisson, pd_pool *pool);
/* In a region of cells without any d, the equations have a solution only when the r of the region add up to 0: the mean
 * is subtracted first. All q are finite, whatever finite r is. */
void pd_poisson_solve(pd_poisson *poisson, const pd_poisson_method *method, pd_pool *pool, pd_poisson_report *report);

#endif
