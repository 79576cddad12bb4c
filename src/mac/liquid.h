/* Loops over rows of a grid with a free surface that are compiled for each SIMD level (liquid_wide.c), and the velocities
 * in air. */
#ifndef PUDDLE_MAC_LIQUID_H
#define PUDDLE_MAC_LIQUID_H

#include "mac/mac.h"

#include <stdint.h>

/* What the loops read and write: each uses the part that it needs. */
typedef struct pd_liquid_pass {
    pd_mac *mac;
    const pd_liquid *liquid;
    /* By face: a difference of q across it times this is the change of velocity. 1 between two cells of liquid, 1/distance
     * to the surface in cells beside one of them, 0 elsewhere; over the relative density. */
    float *slope_x, *slope_y;
    /* By face: 1: the velocity is known, n + 1: continued in layer n, 0: not known. */
    uint8_t *known, *near;
    bool vertical; /* the faces below cells; false: those at their left */
} pd_liquid_pass;

/* Loop bodies over the rows of cells, with the faces at the upper border in the last row; their context is a
 * pd_liquid_pass. */
typedef struct pd_liquid_kernels {
    pd_loop_body *find_slopes;
    pd_loop_body *set_coefficients;   /* of the pressure equation, from the slopes */
    pd_loop_body *subtract_gradients; /* from the velocities */
    pd_loop_body *mark_known;         /* faces beside liquid, and those that the liquid says are known */
    pd_loop_body *mark_near;          /* near: above 0 where a face is not known but one around it is */
    pd_loop_body *clear_unknown;      /* rows of the array, 0 .. ny + 1: velocities that are not known become 0 */
} pd_liquid_kernels;

extern const pd_liquid_kernels pd_liquid_kernels_baseline, pd_liquid_kernels_avx2, pd_liquid_kernels_avx512;

/* Continues the velocities of the liquid's faces into air, `layers` faces deep; velocities farther away become 0. */
void pd_liquid_extrapolate(pd_liquid_pass *pass, int layers, pd_pool *pool);

#endif
