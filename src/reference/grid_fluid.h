/* The grid fluid in plain form: scalar, sequential, double precision; Gauss-Seidel with over-relaxation over all cells in
 * order, semi-Lagrangian transport along straight lines with bilinear samples, walls as masks of whole cells.
 *
 * Like reference_ddr it is the reference for the optimised method and shares no code with the library. All sides of its
 * grid are closed and slippery, its obstacles stand still, and it has no emitters and tools. It has one smoke, which
 * stands for all dyes by its weight, and no viscosity and vorticity confinement: these parameters count as 0. */
#ifndef PUDDLE_REFERENCE_GRID_FLUID_H
#define PUDDLE_REFERENCE_GRID_FLUID_H

#include <puddle/puddle.h>

enum { REFERENCE_GRID_SWEEPS = 40 };

/* Arrays of nx * ny, the lowest row first; they include a ring of solid cells around the grid. */
typedef struct reference_grid_fluid {
    int nx, ny;
    double cell;     /* m, side of a cell */
    double *u, *v;   /* m/s: at the left and at the lower face of each cell */
    double *fluid;   /* 1 in fluid, 0 in walls */
    double *smoke;   /* mass above that of the surroundings, in the unit of the materials' mass */
    double *p;       /* Pa, of the last step; without the hydrostatic pressure of the surroundings */
    double *next[3]; /* transported u, v, smoke */
    /* May be changed between steps. density in kg/m^3. */
    double density, over_relaxation, buoyancy, gravity_x, gravity_y;
    int sweeps;
} reference_grid_fluid;

/* Copies the fields of a world of the grid fluid, velocities as means of neighbouring cells, and its parameters. Errors:
 * OUT_OF_MEMORY, PARAMETER_UNKNOWN. */
pd_result reference_grid_fluid_create(reference_grid_fluid **created, const pd_world *world, pd_error *error);
void reference_grid_fluid_destroy(reference_grid_fluid *reference);
/* One substep of dt seconds: transport, forces, projection. */
void reference_grid_fluid_step(reference_grid_fluid *reference, double dt);
/* The rms divergence over the fluid's cells, 1/s. */
double reference_grid_fluid_divergence(const reference_grid_fluid *reference);

#endif
