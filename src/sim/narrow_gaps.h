/* Narrow gaps between the sides of bodies and other walls, which hold a film of fluid. */
#ifndef PUDDLE_SIM_NARROW_GAPS_H
#define PUDDLE_SIM_NARROW_GAPS_H

#include "sim/walls/solid.h"

typedef struct pd_world pd_world;

/* Gap between a side of a body and another wall. */
typedef struct pd_narrow_gap {
    int body;          /* index of the body */
    int wall;          /* the other wall: PD_CONTAINER_WALL, or the index of a solid */
    pd_double2 end[2]; /* ends of the gap, midway between both walls, m */
    pd_double2 normal; /* unit vector from the body to the other wall */
} pd_narrow_gap;

/* Calls `visit` for each gap that is narrower than `widest` (m) at both ends, in their poses at the end of the substep. A gap
 * between two bodies is visited once. Joined bodies and sides that bodies touch at one point have no gap. */
void pd_world_visit_narrow_gaps(const pd_world *world, double widest,
                                void (*visit)(void *context, const pd_narrow_gap *gap), void *context);

#endif
