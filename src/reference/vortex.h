/* Reference of the vortex method: velocities as sums over all pairs, with image vortices in a circle (Saffman, "Vortex
 * Dynamics" 1992, ch. 2 and 7). */
#ifndef PUDDLE_REFERENCE_VORTEX_H
#define PUDDLE_REFERENCE_VORTEX_H

#include <puddle/puddle.h>

/* Vortices, owned by the caller. */
typedef struct reference_vortices {
    int count;                 /* number of vortices */
    const double *x, *y;       /* positions from the circle's centre, m */
    const double *circulation; /* circulations, m^2/s, counterclockwise */
    const double *core;        /* core radii, m; 0: a point vortex */
    double radius;             /* radius of the circular container, m; 0: no walls */
} reference_vortices;

/* Computes the velocities (m/s) that the vortices induce at `count` positions (m). */
void reference_vortex_compute_velocities(const reference_vortices *vortices, int count, const double *x,
                                         const double *y, double *vx, double *vy);

/* Vortices and tracers of a world. Unsupported: forces, viscosity, obstacles, containers other than circles, which
 * count as open space. */
typedef struct reference_vortex {
    reference_vortices vortices; /* their arrays are the beginnings of x, y, circulation and core */
    int count;                   /* number of vortices and tracers together */
    int stride; /* a step moves only every stride-th vortex or tracer; 1 unless moving all would take minutes */
    /* greatest |circulation|/(2 x core area) of a vortex: how fast its core turns, rad/s */
    double greatest_core_rotation;
    double *x, *y, *from_x, *from_y;         /* positions now, and at the beginning of the substep, m */
    double *rate_x, *rate_y, *sum_x, *sum_y; /* velocities in a Runge-Kutta stage, and their weighted sums, m/s */
    double *circulation, *core;              /* arrays of `vortices` */
} reference_vortex;

/* Creates a reference with the vortices and tracers of a world. Errors: OUT_OF_MEMORY. */
pd_result reference_vortex_create(reference_vortex **created, const pd_world *world, pd_error *error);
void reference_vortex_destroy(reference_vortex *vortex);
/* Returns the fraction of the vortices and tracers that a step moves (stride). */
double reference_vortex_moved_fraction(const reference_vortex *vortex);
/* Computes a substep of dt seconds by the midpoint rule, or by the classical Runge-Kutta method if a vortex's core
 * turns by more than 0.1 rad in dt. */
void reference_vortex_step(reference_vortex *vortex, double dt);

#endif
