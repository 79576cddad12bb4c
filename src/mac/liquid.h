/* Free surface on a staggered grid: loops over rows, compiled for each SIMD level (liquid_wide.c), and the
 * extrapolation of velocities into air. */
#ifndef PUDDLE_MAC_LIQUID_H
#define PUDDLE_MAC_LIQUID_H

#include "mac/mac.h"

#include <stdint.h>

/* Data of the loops. Each loop uses some of the members. */
typedef struct pd_liquid_pass {
    pd_mac *mac;
    const pd_liquid *liquid;
    /* By face: velocity -= slope x difference of q across the face. The slope is divided by the relative density at the
     * face. Before that it is:
     * - between two liquid cells: 1
     * - between a liquid cell and air: 1/(distance from the liquid cell's centre to the surface, in cells)
     * - elsewhere: 0 */
    float *slope_x, *slope_y;
    /* known, by face: 1: velocity of the liquid; n + 1: extrapolated in layer n; 0: not yet extrapolated. near, by face:
     * above 0 if the velocity is unknown and a neighbouring one is known. */
    uint8_t *known, *near;
    bool vertical; /* true: faces below cells; false: faces at the left of cells */
} pd_liquid_pass;

/* Loop bodies over rows of cells, with a pd_liquid_pass as context. The last row includes the faces at the grid's upper
 * border. */
typedef struct pd_liquid_kernels {
    pd_loop_body *find_slopes;        /* computes slope_x and slope_y */
    pd_loop_body *set_coefficients;   /* coefficients of the pressure equation, from the slopes */
    pd_loop_body *subtract_gradients; /* velocity -= slope times difference of q */
    pd_loop_body
        *mark_known; /* sets `known` at faces beside liquid, and at faces with known_x or known_y of pd_liquid */
    pd_loop_body *mark_near;     /* sets `near` above 0 at unknown faces next to a known one, else to 0 */
    pd_loop_body *clear_unknown; /* sets unknown velocities to 0; rows 0 to ny + 1 of the array */
} pd_liquid_kernels;

extern const pd_liquid_kernels pd_liquid_kernels_baseline, pd_liquid_kernels_avx2, pd_liquid_kernels_avx512;

/* Extrapolates the velocities at the liquid's faces into air, `layers` faces deep. Velocities farther away become 0. */
void pd_liquid_extrapolate(pd_liquid_pass *pass, int layers, pd_pool *pool);

#endif
