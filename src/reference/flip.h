/* Reference of FLIP: scalar, double precision, Gauss-Seidel, without code of the library. Cells are liquid, air or
 * wall. A divergence in cells that are too full preserves the volume (Müller, Ten Minute Physics 18). Unsupported:
 * obstacles, emitters, tools. */
#ifndef PUDDLE_REFERENCE_FLIP_H
#define PUDDLE_REFERENCE_FLIP_H

#include "reference/cells.h"

typedef struct reference_flip {
    int count;
    double *x, *y, *vx, *vy, *mass;
    int nx, ny; /* numbers of cells, including a row or column of wall cells at each side */
    double cell, low_x, low_y, spacing;
    double *u, *v, *old_u, *old_v, *weight_u,
        *weight_v;          /* at faces: velocities, m/s, and sums of the particles' weights */
    double *open, *density; /* in cells: 0 for a wall, else 1; number of particles */
    int *liquid;
    double blend;
    int sweeps;
    double gravity_x, gravity_y;
    pd_container container;
} reference_flip;

/* Copies the particles of a world and its flip parameters. Errors: OUT_OF_MEMORY, PARAMETER_UNKNOWN. */
pd_result reference_flip_create(reference_flip **created, const pd_world *world, pd_error *error);
void reference_flip_destroy(reference_flip *flip);
/* Computes a substep of dt seconds. */
void reference_flip_step(reference_flip *flip, double dt);

#endif
