/* The impulse that the pressure on a staggered grid gives to the walls.
 *
 * A wall gets the pressure of each fluid cell on the covered parts of the cell's faces. Together this is the opposite of the
 * momentum that pd_mac_project gives to the open parts of all faces. */
#ifndef PUDDLE_MAC_REACTION_H
#define PUDDLE_MAC_REACTION_H

#include "mac/mac.h"
#include "sim/walls/impulses.h"

/* A pressure times a time, in the unit of the impulses over m: unit q + level + weight x, where weight is the density times
 * gravity times the time, and x the position. */
typedef struct pd_mac_pressure {
    const float *q; /* by cell; 0 in cells without fluid */
    double unit, level;
    pd_double2 weight;
} pd_mac_pressure;

/* Adds the impulses of this pressure to the present substep. */
void pd_mac_push_walls(pd_mac *mac, const pd_boundary *boundary, const pd_impulses *impulses,
                       const pd_mac_pressure *pressure);
/* Sums over the faces, with the open part of each; faces on the border of the grid have half a cell of fluid. */
typedef struct pd_mac_sums {
    double x, y, squares; /* of the velocities, m/s, and their squares */
} pd_mac_sums;
pd_mac_sums pd_mac_sum_faces(const pd_mac *mac);

/* The wall nearest to a face or a cell that walls cover in part. at: the place, in cells from the grid's corner. */
int pd_mac_wall_at(const pd_mac *mac, const pd_boundary *boundary, pd_double2 at);

#endif
