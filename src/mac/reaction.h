/* Impulses that the pressure on a staggered grid gives to walls.
 *
 * The pressure of each fluid cell acts on the covered parts of the cell's faces. The sum over all walls is the opposite
 * of the momentum that pd_mac_project_velocities adds to the open parts of all faces. */
#ifndef PUDDLE_MAC_REACTION_H
#define PUDDLE_MAC_REACTION_H

#include "mac/mac.h"
#include "sim/walls/impulses.h"

/* Time integral of the pressure, in units of impulse per m. weight = density * gravity * time. At position x:
 * - fluid without a surface, whose q lacks the hydrostatic pressure: unit * q + level + weight . x
 * - in cells of liquid: the greater of 0 and unit * q + relative density * weight . (x - centre of the cell). The
 *   second term is the gradient at rest. Without it the lift of a body would be a staircase of its height, with steps
 *   of a cell. */
typedef struct pd_mac_pressure {
    const float *q; /* by cell: solution of the pressure equation; 0 outside of the fluid */
    double unit, level;
    pd_double2 weight;       /* gradient of the pressure at rest */
    double body_share;       /* factor on level and weight at bodies */
    const pd_liquid *liquid; /* liquid with a surface; NULL: none */
} pd_mac_pressure;

/* Adds the impulses of `pressure` on the walls to `impulses` of the present substep. */
void pd_mac_add_wall_impulses(pd_mac *mac, const pd_boundary *boundary, const pd_impulses *impulses,
                              const pd_mac_pressure *pressure);
/* Sums over all faces, weighted by their open fractions. Faces on the border of the grid count half. */
typedef struct pd_mac_sums {
    double x, y, squares; /* sums of the x velocities, the y velocities (m/s) and the squares of both (m^2/s^2) */
} pd_mac_sums;
pd_mac_sums pd_mac_sum_face_velocities(const pd_mac *mac);

/* Returns the place of a position in cells from the grid's lower left corner, m. */
pd_vec2 pd_mac_place(const pd_mac *mac, pd_double2 at);
/* Returns the index of the wall nearest to a partly covered face or cell. at: position in cells from the grid's lower
 * left corner. */
int pd_mac_find_nearest_wall(const pd_mac *mac, const pd_boundary *boundary, pd_double2 at);

#endif
