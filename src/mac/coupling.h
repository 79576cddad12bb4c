/* Inertia of the fluid around rigid bodies.
 *
 * The pressure on a body contains -A dv: the fluid resists the change dv of the velocity of the body's wall. A is the
 * matrix of added masses of all bodies. An explicit coupling, M dv' = J + M g dt, is unstable where A > M. The change
 * dv' of the next substep therefore solves
 *
 *     (M + A) dv' = J + A dv + M g dt
 *
 * dv: change of the wall's velocity in this substep, with contacts and joints; J: impulse of the pressure. The method is
 * stable for all densities, and the force is that of the monolithic coupling (Batty, Bertails, Bridson 2007) one substep
 * late. Conjugate gradients solve for y = dv' - dv. Each iteration needs one product A p: the pressure of the bodies'
 * motion p, for all bodies together. */
#ifndef PUDDLE_MAC_COUPLING_H
#define PUDDLE_MAC_COUPLING_H

#include "mac/mac.h"

typedef struct pd_world pd_world;

/* Adds (M + A) y - (J + M g dt - M dv) - A y = M (dv + y) - J - M g dt to the impulses on the bodies of a world, which are
 * J before. Call it after pd_mac_add_wall_impulses, with the coefficients of mac->poisson that J belongs to. Overwrites q
 * and rhs of mac->poisson. unit: impulse of the pressure on a length of 1 m where q is 1. */
void pd_mac_add_inertia_of_fluid(pd_mac *mac, const pd_world *world, double unit, float dt);
/* Limits the velocities at the open faces of cells that a body covers partly, after the projection. The last narrow gap
 * between closing walls would give jets of hundreds of m/s. */
void pd_mac_limit_velocities_beside_bodies(pd_mac *mac, const pd_world *world);

#endif
