/* Plain scalar form of the velocities of vortices (Saffman, "Vortex Dynamics" 1992, ch. 2 and 7): all pairs, one after the
 * other, with their images in a circle. */
#ifndef PUDDLE_REFERENCE_VORTEX_H
#define PUDDLE_REFERENCE_VORTEX_H

#include <puddle/puddle.h>

typedef struct reference_vortices {
    int count;
    const double *x, *y;       /* m, from the circle's centre */
    const double *circulation; /* m^2/s, counterclockwise */
    const double *core;        /* m; 0: a point vortex */
    double radius;             /* of the circle, m; 0: without walls */
} reference_vortices;

/* Writes the velocities (m/s) at `count` positions (m). */
void reference_vortex_velocities(const reference_vortices *vortices, int count, const double *x, const double *y,
                                 double *vx, double *vy);

/* A world's vortices and the tracers that they carry, without forces, viscosity and obstacles; containers but circles are
 * open space. */
typedef struct reference_vortex {
    reference_vortices vortices;
    int count;   /* of places: vortices, then tracers */
    int stride;  /* a step moves every stride-th place; 1 but for many, which would take minutes */
    double turn; /* rad/s, of the fastest core */
    double *x, *y, *from_x, *from_y, *sum_x, *sum_y, *rate_x, *rate_y, *circulation, *core;
} reference_vortex;

/* Errors: OUT_OF_MEMORY. */
pd_result reference_vortex_create(reference_vortex **created, const pd_world *world, pd_error *error);
void reference_vortex_destroy(reference_vortex *reference);
double reference_vortex_share(const reference_vortex *reference);
/* One substep of dt seconds: the midpoint rule, or where cores turn by more than 0.1 the classical Runge-Kutta method. */
void reference_vortex_step(reference_vortex *reference, double dt);

#endif
