/* FLIP in plain form: scalar, double precision, cells that are liquid, air or wall, Gauss-Seidel.
 *
 * Like reference_ddr it is the reference for the optimised method, shares no code with the library, and has no obstacles,
 * emitters and tools. It keeps the volume by the divergence of cells that are too full (Müller, Ten Minute Physics 18). */
#ifndef PUDDLE_REFERENCE_FLIP_H
#define PUDDLE_REFERENCE_FLIP_H

#include "reference/cells.h"

typedef struct reference_flip {
    int count;
    double *x, *y, *vx, *vy, *mass;
    int nx, ny; /* cells, with one row or column of walls on each side */
    double cell, low_x, low_y, spacing;
    double *u, *v, *old_u, *old_v, *weight_u, *weight_v; /* by face: m/s, and sums of the particles' weights */
    double *open, *density;                              /* by cell: 0: wall; particles */
    int *liquid;
    double blend;
    int sweeps;
    double gravity_x, gravity_y;
    pd_container container;
} reference_flip;

/* Copies the particles of a world and its flip parameters. Errors: OUT_OF_MEMORY, PARAMETER_UNKNOWN. */
pd_result reference_flip_create(reference_flip **created, const pd_world *world, pd_error *error);
void reference_flip_destroy(reference_flip *reference);
/* One substep of dt seconds. */
void reference_flip_step(reference_flip *reference, double dt);

#endif
