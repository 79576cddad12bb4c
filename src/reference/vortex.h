/* Reference of vortex methods: velocities as sums over all pairs, with image vortices in a circle (Saffman, "Vortex
 * Dynamics" 1992, ch. 2 and 7). */
#ifndef PUDDLE_REFERENCE_VORTEX_H
#define PUDDLE_REFERENCE_VORTEX_H

#include <puddle/puddle.h>

typedef struct reference_vortices {
    int count;
    const double *x, *y;       /* positions from the circle's centre, m */
    const double *circulation; /* circulations, m^2/s, counterclockwise */
    const double *core;        /* core radii, m; 0: a point vortex */
    double radius;             /* radius of the circular container, m; 0: no walls */
} reference_vortices;

/* Computes the velocities that the vortices induce at `count` positions (m), m/s. */
void reference_vortex_velocities(const reference_vortices *vortices, int count, const double *x, const double *y,
                                 double *vx, double *vy);

/* Vortices and tracers of a world. Unsupported: forces, viscosity, obstacles. Containers other than circles count as
 * open space. */
typedef struct reference_vortex {
    reference_vortices vortices;
    int count;        /* number of vortices and tracers together; vortices come first */
    int stride;       /* a step moves every stride-th of them; above 1 for so many that moving all would take minutes */
    double core_spin; /* angular velocity of the fastest core, rad/s */
    double *x, *y, *from_x, *from_y, *sum_x, *sum_y, *rate_x, *rate_y, *circulation, *core;
} reference_vortex;

/* Copies the vortices and tracers of a world. Errors: OUT_OF_MEMORY. */
pd_result reference_vortex_create(reference_vortex **created, const pd_world *world, pd_error *error);
void reference_vortex_destroy(reference_vortex *vortex);
double reference_vortex_moved_fraction(const reference_vortex *vortex);
/* Computes a substep of dt seconds by the midpoint rule, or by the classical Runge-Kutta method if a core turns by more
 * than 0.1 rad. */
void reference_vortex_step(reference_vortex *vortex, double dt);

#endif
