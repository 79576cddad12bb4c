/* Transport of values along the velocities of a staggered grid.
 *
 * Semi-Lagrangian: the value at a place is that at the place where its fluid came from, found by going back with the
 * second-order Runge-Kutta method (Stam, "Stable Fluids", 1999). MacCormack: the error is estimated by going forth again
 * and half of it taken off, limited to the values around the place of origin (Selle, Fedkiw, Kim, Liu, Rossignac, "An
 * unconditionally stable MacCormack method", 2008). */
#ifndef PUDDLE_MAC_ADVECT_H
#define PUDDLE_MAC_ADVECT_H

#include "mac/mac.h"

/* Where the values of an array are located: cell centres, centres of vertical faces, of horizontal faces. */
typedef enum pd_location { PD_AT_CELLS, PD_AT_FACES_X, PD_AT_FACES_Y } pd_location;

enum { PD_MOST_TRANSPORTED = 4 };

typedef struct pd_transport {
    const pd_mac *mac; /* its velocities carry; they must be extrapolated (pd_mac_extrapolate) */
    pd_location location;
    float dt; /* s */
    /* Arrays that are transported alike, so that the places of origin are found once for all. All have the values in
     * walls set (pd_mac_extrapolate_cells for cells). No array of `to` or `result` is one of `from` or a velocity of mac. */
    int count;
    const float *from[PD_MOST_TRANSPORTED];
    float *to[PD_MOST_TRANSPORTED];
    /* Of the correction; NULL without one. Between the two calls the first array holds the places of origin. */
    float *result[PD_MOST_TRANSPORTED];
} pd_transport;

/* Semi-Lagrangian. */
void pd_advect(const pd_transport *transport, pd_pool *pool);
/* The MacCormack correction, after pd_advect wrote `to` (and it was extrapolated): adds half of the error to `to` and writes
 * that to `result`. */
void pd_advect_correct(const pd_transport *transport, pd_pool *pool);
/* Moves particles by dt, with the third-order Runge-Kutta method of Ralston; they may end in walls. Outside the grid they
 * move with the velocity at its edge. */
void pd_advect_particles(const pd_mac *mac, float dt, int begin, int end, float *x, float *y);
/* The velocities at particles, m/s. */
void pd_mac_velocities(const pd_mac *mac, int begin, int end, const float *x, const float *y, float *vx, float *vy);
/* Values of cells (extrapolated into walls) at points. */
void pd_mac_sample_cells(const pd_mac *mac, const float *values, int count, const float *x, const float *y, float *to);

#endif
