/* Reference of the grid fluid: scalar, sequential, in double precision. It shares no code with the library's grid
 * method.
 *
 *     pressure    Gauss-Seidel with over-relaxation over all cells in order
 *     advection   semi-Lagrangian along straight lines, bilinear interpolation
 *     walls       whole cells; closed sides with free slip, obstacles at rest
 *     dyes        one field of smoke: the sum of their excess masses
 *
 * Unsupported: emitters, tools, viscosity, vorticity confinement. */
#ifndef PUDDLE_REFERENCE_GRID_FLUID_H
#define PUDDLE_REFERENCE_GRID_FLUID_H

#include <puddle/puddle.h>

enum { REFERENCE_GRID_SWEEPS = 40 };

/* Arrays have nx * ny elements, the lowest row first. The outermost cells are solid. */
typedef struct reference_grid_fluid {
    int nx, ny;      /* numbers of columns and rows of cells */
    double cell;     /* side of a cell, m */
    double *u, *v;   /* velocities at the left (u) and lower (v) face of each cell, m/s */
    double *fluid;   /* by cell: 1 in fluid, 0 in walls */
    double *smoke;   /* by cell: excess of mass over the surroundings, in the unit of pd_material.mass */
    double *p;       /* by cell: pressure of the last step without the hydrostatic part, Pa */
    double *next[3]; /* u, v and smoke after advection */
    /* Parameters of the method. May be changed between steps. density: kg/m^3. */
    double density, over_relaxation, buoyancy, gravity_x, gravity_y;
    int sweeps; /* number of Gauss-Seidel sweeps in a substep */
} reference_grid_fluid;

/* Creates a reference with the fields and parameters of a world of method grid. A face's velocity is the mean of its
 * two cells' velocities. Errors: OUT_OF_MEMORY, PARAMETER_UNKNOWN. */
pd_result reference_grid_fluid_create(reference_grid_fluid **created, const pd_world *world, pd_error *error);
void reference_grid_fluid_destroy(reference_grid_fluid *grid);
/* Computes a substep of dt seconds: advection, forces, projection. */
void reference_grid_fluid_step(reference_grid_fluid *grid, double dt);

#endif
