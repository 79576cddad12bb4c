/* Plain scalar form of the velocities of vortices (Saffman, "Vortex Dynamics" 1992, ch. 2 and 7): all pairs, one after the
 * other, with their images in a circle. */
#ifndef PUDDLE_REFERENCE_VORTEX_H
#define PUDDLE_REFERENCE_VORTEX_H

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

#endif
