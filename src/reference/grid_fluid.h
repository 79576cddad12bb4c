/* Reference of the grid fluid: scalar, sequential, double precision, without code of the library.
 *
 * Pressure: Gauss-Seidel with over-relaxation over all cells in order. Transport: semi-Lagrangian along straight lines,
 * with bilinear samples. Walls: masks of whole cells; all sides are closed and slippery, obstacles stand still.
 * Unsupported: emitters, tools, viscosity, vorticity confinement. One smoke stands for all dyes by its weight. */
#ifndef PUDDLE_REFERENCE_GRID_FLUID_H
#define PUDDLE_REFERENCE_GRID_FLUID_H

#include <puddle/puddle.h>

enum { REFERENCE_GRID_SWEEPS = 40 };

/* Arrays have nx * ny elements, the lowest row first, including a ring of solid cells around the grid. */
typedef struct reference_grid_fluid {
    int nx, ny;
    double cell;     /* side of a cell, m */
    double *u, *v;   /* horizontal and vertical velocity at the left and lower face of each cell, m/s */
    double *fluid;   /* 1 in fluid, 0 in walls */
    double *smoke;   /* excess of mass over the surroundings, in the materials' unit of mass */
    double *p;       /* pressure of the last step minus hydrostatic pressure of the surroundings, Pa */
    double *next[3]; /* u, v and smoke after transport */
    /* Parameters, which may be changed between steps. density: kg/m^3. */
    double density, over_relaxation, buoyancy, gravity_x, gravity_y;
    int sweeps;
} reference_grid_fluid;

/* Copies fields and parameters of a world whose method is `grid`. A face's velocity is the mean of its cells'
 * velocities. Errors: OUT_OF_MEMORY, PARAMETER_UNKNOWN. */
pd_result reference_grid_fluid_create(reference_grid_fluid **created, const pd_world *world, pd_error *error);
void reference_grid_fluid_destroy(reference_grid_fluid *grid);
/* Computes a substep of dt seconds: transport, forces, projection. */
void reference_grid_fluid_step(reference_grid_fluid *grid, double dt);
/* Returns the rms divergence over the fluid's cells, 1/s. */
double reference_grid_fluid_rms_divergence(const reference_grid_fluid *grid);

#endif
