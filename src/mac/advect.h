/* Transport of values along the velocities of a staggered grid.
 *
 * Semi-Lagrangian: the new value at a point is the old value at the point's origin, where its fluid was dt ago. The
 * origin is found by the second-order Runge-Kutta method, backwards in time (Stam, "Stable Fluids", 1999).
 * MacCormack: a transport forth and back estimates the error. Half of the error is subtracted, and the result is
 * limited to the values around the origin (Selle, Fedkiw, Kim, Liu, Rossignac, "An unconditionally stable MacCormack
 * method", 2008). */
#ifndef PUDDLE_MAC_ADVECT_H
#define PUDDLE_MAC_ADVECT_H

#include "mac/mac.h"

/* Location of the values of an array: cell centres, centres of vertical faces, centres of horizontal faces. */
typedef enum pd_location { PD_AT_CELLS, PD_AT_FACES_X, PD_AT_FACES_Y } pd_location;

enum { PD_MOST_TRANSPORTED = 4 };

typedef struct pd_transport {
    /* grid whose velocities move the values; extrapolate them before (pd_mac_extrapolate_velocities) */
    const pd_mac *mac;
    pd_location location; /* location of the values on the grid */
    float dt;             /* time step, s */
    /* Arrays at the same `location`, transported together so that each origin is traced once. Extrapolate their
     * values into walls before (pd_mac_extrapolate_velocities, pd_mac_extrapolate_cells). `to` and `result` must
     * differ from `from` and from the velocities of `mac`. */
    int count;                              /* number of arrays in from, to and result */
    const float *from[PD_MOST_TRANSPORTED]; /* values before the time step */
    float *to[PD_MOST_TRANSPORTED];         /* semi-Lagrangian results of pd_advect_arrays */
    /* Arrays for the results of pd_correct_advection_maccormack; all NULL without a correction. pd_advect_arrays stores
     * the indices of the origins in result[0], for the correction. */
    float *result[PD_MOST_TRANSPORTED]; /* results after the MacCormack correction, or NULL */
} pd_transport;

/* Writes the values after the time dt to `to`, by the semi-Lagrangian method. */
void pd_advect_arrays(const pd_transport *transport, pd_pool *pool);
/* Writes the values of `to` with the MacCormack correction to `result`. Call
 * pd_advect_arrays first, and then extrapolate `to` into walls. */
void pd_correct_advection_maccormack(const pd_transport *transport, pd_pool *pool);
/* Moves particles by the time dt with the third-order Runge-Kutta method of Ralston. Particles may end in walls. A
 * particle outside of the grid moves with the velocity at the grid's edge. */
void pd_advect_particles(const pd_mac *mac, float dt, int begin, int end, float *x, float *y);
/* Writes the velocities at particles, m/s. */
void pd_mac_interpolate_velocities(const pd_mac *mac, int begin, int end, const float *x, const float *y, float *vx,
                                   float *vy);
/* Interpolates cell values at points. Call pd_mac_extrapolate_cells for `values` first. */
void pd_mac_interpolate_cell_values(const pd_mac *mac, const float *values, int count, const float *x, const float *y,
                                    float *to);

/* Loops of mac/advect.h, compiled for each SIMD level (advect_wide.c). */

/* Loop over the rows [begin, end) of the transported arrays. dt: time step divided by the cell size, s/m. */
typedef void pd_advect_rows(const pd_transport *transport, float dt, int begin, int end);
typedef void pd_advect_particles_range(const pd_mac *mac, float dt, int count, float *x, float *y);
typedef void pd_mac_sample_range(const pd_mac *mac, const float *values, int count, const float *x, const float *y,
                                 float *to);
typedef void pd_mac_velocities_range(const pd_mac *mac, int count, const float *x, const float *y, float *vx,
                                     float *vy);

#define PD_ADVECT_DECLARE(level)                                                                                       \
    pd_advect_rows pd_advect_rows_##level;                                                                             \
    pd_advect_rows pd_correct_advection_of_rows_##level;                                                               \
    pd_advect_particles_range pd_advect_particles_##level;                                                             \
    pd_mac_velocities_range pd_mac_interpolate_velocities_##level;                                                     \
    pd_mac_sample_range pd_mac_interpolate_cell_values_##level;
PD_ADVECT_DECLARE(baseline)
PD_ADVECT_DECLARE(avx2)
PD_ADVECT_DECLARE(avx512)

#endif
