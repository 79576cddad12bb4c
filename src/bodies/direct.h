/* Direct solution of the joints' equality rows, all at once: rigid joints hold at any ratio of masses, and chains do not
 * stretch. Springs are rows with a compliance, so that coupled springs are one step of backward Euler.
 *
 * The matrix J M^-1 J^T of the rows is sparse: rows are coupled if they share a body. It is factored as L D L^T within its
 * envelope (Jennings 1966, "A compact storage scheme for the solution of symmetric linear simultaneous equations"). For
 * chains in the order of their links the cost is that of Baraff 1996, "Linear-time dynamics using Lagrange multipliers".
 *
 * Rotation bends the paths of the points of attachment by a drift of second order. The solve pass corrects all of it. In the
 * relax pass the whole drift would conserve the energy of a pendulum, and none costs the fraction (angle of a step)^2 of it in
 * each step. Half of the drift is stable for light chains with heavy loads, which the whole is not. */
#ifndef PUDDLE_BODIES_DIRECT_H
#define PUDDLE_BODIES_DIRECT_H

#include "bodies/rows.h"

/* Factors the matrix of the direct rows of joints (pd_row.direct). Rigid rows that would make the envelope too large are left to
 * pd_row_solve: their `direct` becomes false. Returns false if a row with a compliance does not fit (pd_lines_factor). */
bool pd_direct_factor(pd_bodies *bodies);
/* Solves the factored rows for the velocities of a pass. Ropes and limits that would push back become slack: their `direct`
 * becomes false. */
void pd_direct_solve(pd_bodies *bodies, int pass);

#endif
