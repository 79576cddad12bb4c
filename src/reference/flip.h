/* Reference of FLIP: scalar, in double precision, projection by Gauss-Seidel. It shares no code with the library's flip
 * method. Cells are liquid, air or wall. Cells above the rest density get an outflow, which preserves the volume
 * (Müller, Ten Minute Physics 18). Unsupported: obstacles, emitters, tools. */
#ifndef PUDDLE_REFERENCE_FLIP_H
#define PUDDLE_REFERENCE_FLIP_H

#include "reference/cells.h"

typedef struct reference_flip {
    int count;                      /* number of particles */
    double *x, *y, *vx, *vy, *mass; /* by particle: position, m; velocity, m/s; mass */
    int nx, ny;                     /* numbers of cells, with one layer of wall cells on each side */
    double cell, low_x, low_y;      /* side of a cell, and lower left corner of the grid, m */
    double spacing;                 /* rest distance of particles, m */
    double *u, *v;                  /* velocities at the left (u) and lower (v) face of each cell, m/s */
    double *old_u, *old_v;          /* these velocities before walls and projection act, m/s */
    double *weight_u, *weight_v;    /* sums of mass times interpolation weight at the faces */
    double *open;                   /* by cell: 0 for a wall, else 1 */
    double *density;                /* by cell: number of particles, interpolated to the cell centres */
    int *liquid;                    /* by cell: 1 if it contains a particle and is no wall, else 0 */
    double blend;                   /* fraction of FLIP in the transfer of velocities to particles, 0 (only PIC) to 1 */
    int sweeps;                     /* number of Gauss-Seidel sweeps in a substep */
    double gravity_x, gravity_y;    /* gravity, m/s^2 */
    pd_container container;         /* container of the world */
} reference_flip;

/* Creates a reference with the particles and parameters of a world of method flip. Errors: OUT_OF_MEMORY,
 * PARAMETER_UNKNOWN. */
pd_result reference_flip_create(reference_flip **created, const pd_world *world, pd_error *error);
void reference_flip_destroy(reference_flip *flip);
/* Computes a substep of dt seconds. */
void reference_flip_step(reference_flip *flip, double dt);

#endif
