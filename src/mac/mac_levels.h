/* Loops over the rows [begin, end) and the columns [0, nx) of a grid, compiled for each SIMD level (mac_wide.c). */
#ifndef PUDDLE_MAC_MAC_LEVELS_H
#define PUDDLE_MAC_MAC_LEVELS_H

#include "mac/mac.h"
#include <stdint.h>

/* Writes scale x (net outflow of each cell, m/s: sum over the faces of open fraction x outward velocity). */
typedef void pd_mac_outflow_rows(const pd_mac *mac, float *outflow, float scale, int begin, int end);
/* Subtracts the differences of q from the velocities at the open faces between two cells. */
typedef void pd_mac_gradient_rows(pd_mac *mac, const float *q, int begin, int end);

#define PD_MAC_DECLARE(level)                                                                                          \
    pd_mac_outflow_rows pd_mac_compute_outflow_##level;                                                                \
    pd_mac_gradient_rows pd_mac_subtract_gradient_##level;
PD_MAC_DECLARE(baseline)
PD_MAC_DECLARE(avx2)
PD_MAC_DECLARE(avx512)

/* Free surface on a staggered grid: loops over rows, compiled for each SIMD level (mac_wide.c), and the
 * extrapolation of velocities into air. */

/* Arguments of the loops in pd_liquid_kernels. Each loop uses some of the members. */
typedef struct pd_liquid_loop_data {
    pd_mac *mac;             /* grid */
    const pd_liquid *liquid; /* liquid on this grid */
    /* By face: factor in velocity -= factor x (difference of q across the face). factor = f/(relative density), where f
     * is:
     * - between two liquid cells: 1
     * - between a liquid cell and air: 1/(distance from the liquid cell's centre to the surface, in cells)
     * - elsewhere: 0 */
    float *gradient_factor_x, *gradient_factor_y;
    /* known, by face: 1: the face's velocity is the liquid's; n + 1: its velocity is extrapolated, in layer n; 0: its
     * velocity is unknown. beside_known, by face: above 0 if the face's velocity is unknown and the velocity of at least
     * one of the 8 neighbouring faces is known. */
    uint8_t *known, *beside_known;
    bool vertical; /* true: faces below cells; false: faces at the left of cells */
} pd_liquid_loop_data;

/* Loop bodies over rows of cells, with a pd_liquid_loop_data as context. The last row includes the faces at the grid's
 * upper border. */
typedef struct pd_liquid_kernels {
    pd_loop_body *compute_gradient_factors;    /* computes gradient_factor_x and gradient_factor_y */
    pd_loop_body *set_pressure_coefficients;   /* coefficients of poisson, from the gradient factors */
    pd_loop_body *subtract_pressure_gradients; /* velocity -= gradient factor x difference of q */
    /* Sets `known` to 1 at faces beside liquid, and where known_x or known_y of pd_liquid is above 0. */
    pd_loop_body *mark_known_faces;
    pd_loop_body *mark_faces_beside_known;  /* computes beside_known from `known` */
    pd_loop_body *clear_unknown_velocities; /* sets unknown velocities to 0; rows 0 to ny + 1 of the array */
} pd_liquid_kernels;

extern const pd_liquid_kernels pd_liquid_kernels_baseline, pd_liquid_kernels_avx2, pd_liquid_kernels_avx512;

#endif
