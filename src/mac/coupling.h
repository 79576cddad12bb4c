/* Rigid bodies in the pressure equation.
 *
 * The pressure that a projection computes gives the impulse J to the bodies (mac/reaction.h). The fluid resists changes of
 * the walls' velocities: J contains -A dv, where dv is the change of the walls' mean velocities from the last substep to this
 * one, and A is the matrix of added masses of all bodies. An explicit coupling, M dv' = J + M g dt, is unstable where A > M.
 * The velocity change dv' of the next substep therefore solves
 *
 *     (M + A) dv' = J + W + A u + M (g dt + c)
 *
 * W: impulse that was withheld from the bodies before, for a part of dv: A dv' of the last solves
 * u: the part of dv that was not withheld: by contacts and joints, and all changes for which nothing was withheld
 * c: change of velocity by contacts, joints and the drag in this substep, which stands for that of the next one
 *
 * J + W + A u does not depend on dv, so the equation is that of the monolithic coupling of Batty, Bertails and Bridson 2007, one
 * substep late. The coupling is stable at all densities, and at rest the force is J. With W the impulses that bodies get sum up
 * to those of the fluid, also where A grows in a substep, as in impacts. Where A shrinks, W makes oscillations of light bodies
 * grow. So W is a part of A dv' for bodies lighter than 0.4 of the fluid that they displace, and 0 beside other walls and for
 * bodies thinner than two cells, where A changes fast. Mean velocities get a part of a change only in the following substep,
 * and so does W (pd_bodies.mean_part).
 *
 * At no-slip walls J contains friction too. It becomes implicit by the mass D of the viscous layer that moves along with a
 * wall, density x perimeter x sqrt(viscosity dt): the matrix is M + A + D. Explicit friction would spin light bodies up.
 *
 * Conjugate gradients solve for y = dv' - u:  (M + A + D) y = J + W + M (g dt + c - u) - D u.
 * A product A p needs the pressure of the motion p of all bodies: one loose solve of the pressure equation. */
#ifndef PUDDLE_MAC_COUPLING_H
#define PUDDLE_MAC_COUPLING_H

#include "mac/mac.h"

typedef struct pd_world pd_world;

/* Sets members of the world's pd_coupled_body: correction, what an impulse J on the body lacks for the change dv' - c of its
 * velocity, and withheld. J are the sums of the present substep in the impulses of the boundary. unit: impulse on a length of
 * 1 m where q = 1. viscosity: m^2/s. Call it after pd_mac_add_wall_impulses, while mac->poisson has the coefficients of the
 * projection. Overwrites q and rhs of mac->poisson. */
void pd_mac_set_body_corrections(pd_mac *mac, const pd_world *world, double unit, float dt, double viscosity);
/* Limits the velocities at the faces of cells that a body covers partly. Call it after the projection. A gap that closes
 * within a substep would give a jet of hundreds of m/s. */
void pd_mac_limit_velocities_beside_bodies(pd_mac *mac, const pd_world *world);

#endif
