/* Lines: springs and ropes, whose force acts along the line between two points.
 *
 * A line turns within a solver step, so its length is not linear in the velocities. pd_lines_solve iterates (a chord method:
 * the matrix remains, and pd_row.drift becomes what the present velocities give), so that lengths are exact at the end of the
 * step.
 *
 * The tension T of a line of length L also acts across: with the stiffness T / L against rotation of the line, and T times the
 * part of an arm along the line against rotation of the body (geometric stiffness: Andrews, Teichmann, Kry 2017, "Geometric
 * stiffness for real-time constrained multibody dynamics"). Explicit steps are stable up to a limit (pd_row_set_spring). Light
 * bodies between heavy ones exceed it. Further direct rows are the part of these stiffnesses beyond the limit, in an implicit
 * step: one row across the line and one for the rotation of each body. */
#ifndef PUDDLE_BODIES_LINES_H
#define PUDDLE_BODIES_LINES_H

#include "bodies/rows.h"

enum { PD_LINE_ROWS = 4 }; /* the row along a line, and the further ones */

static inline bool pd_joint_is_line(const pd_joint *joint) {
    return joint->def.type == PD_JOINT_SPRING || joint->def.type == PD_JOINT_ROPE;
}
/* Sets the row along a line. */
void pd_line_set_row(const pd_bodies *bodies, const pd_joint *joint, pd_row *row, double h);
/* Sets the further rows of a line, for the tension in the step before. */
void pd_line_set_further_rows(const pd_bodies *bodies, pd_joint *joint, double h);
/* Factors the matrix of the direct rows. If the rows of lines do not fit, the further rows are left out, or all of them: springs
 * of which some are softer than the others would gain energy. */
void pd_lines_factor(pd_bodies *bodies);
/* Solves the direct rows for the velocities of the solve pass. An iteration whose changes do not halve begins again with ten times
 * the tension: stiffness across damps the motion that it cannot follow. */
void pd_lines_solve(pd_bodies *bodies, double h);

#endif
