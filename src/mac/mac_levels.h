/* Loops over the rows [begin, end) and the columns [0, nx) of a grid, compiled for each SIMD level (mac_wide.c). */
#ifndef PUDDLE_MAC_MAC_LEVELS_H
#define PUDDLE_MAC_MAC_LEVELS_H

#include "mac/mac.h"

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

#endif
