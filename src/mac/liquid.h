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
    /* By face: velocity -= factor x difference of q across the face. The factor is divided by the relative density at the
     * face. Before that it is:
     * - between two liquid cells: 1
     * - between a liquid cell and air: 1/(distance from the liquid cell's centre to the surface, in cells)
     * - elsewhere: 0 */
    float *gradient_factor_x, *gradient_factor_y;
    /* known, by face: 1: its velocity is the liquid's; n + 1: extrapolated in layer n; 0: unknown. near, by face:
     * above 0 if its velocity is unknown and the velocity of a neighbouring face is known. */
    uint8_t *known, *near;
    bool vertical; /* true: faces below cells; false: faces at the left of cells */
} pd_liquid_pass;

/* Loop bodies over rows of cells, with a pd_liquid_pass as context. The last row includes the faces at the grid's upper
 * border. */
typedef struct pd_liquid_kernels {
    pd_loop_body *compute_gradient_factors;    /* computes gradient_factor_x and gradient_factor_y */
    pd_loop_body *set_pressure_coefficients;   /* coefficients of the pressure equation, from the gradient factors */
    pd_loop_body *subtract_pressure_gradients; /* velocity -= gradient factor x difference of q */
    pd_loop_body
        *mark_known; /* sets `known` at faces beside liquid, and at faces with known_x or known_y of pd_liquid */
    pd_loop_body *mark_near;     /* sets `near` above 0 at faces not in `known` beside faces in `known`, else to 0 */
    pd_loop_body *clear_unknown; /* sets unknown velocities to 0; rows 0 to ny + 1 of the array */
} pd_liquid_kernels;

extern const pd_liquid_kernels pd_liquid_kernels_baseline, pd_liquid_kernels_avx2, pd_liquid_kernels_avx512;

/* Extrapolates the velocities at the liquid's faces into air, `layers` faces deep. Velocities farther away become 0. */
void pd_liquid_extrapolate_velocities(pd_liquid_pass *pass, int layers, pd_pool *pool);

#endif
