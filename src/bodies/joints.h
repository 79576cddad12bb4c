/* Joints as constraint rows. */
#ifndef PUDDLE_BODIES_JOINTS_H
#define PUDDLE_BODIES_JOINTS_H

#include "bodies/rows.h"

/* Adds a joint, for which there is memory, at the present poses of its bodies. */
void pd_bodies_attach_joint(pd_bodies *bodies, const pd_joint_def *def);
/* Returns whether the two bodies of a joint do not collide with each other. */
static inline bool pd_joint_stops_collisions(const pd_joint *joint) {
    return !joint->state.broken && joint->def.type != PD_JOINT_SPRING && joint->def.type != PD_JOINT_ROPE;
}
/* Returns whether a joint keeps two bodies from colliding with each other. */
bool pd_bodies_are_joined(const pd_bodies *bodies, int a, int b);
/* Returns the body that a joint hinges to the world at rest, and sets *anchor to the joint's point in its frame. -1: none. */
int pd_joint_find_hinged_body(const pd_joint *joint, pd_double2 *anchor);
/* Returns whether a point in a body's frame (m) is so near a hinge to the world that the body does not collide with walls there:
 * about as near as the body's nearest corner. Else a body that lies flush on a wall could not turn. */
bool pd_bodies_is_at_world_hinge(const pd_bodies *bodies, int body, pd_double2 point);
/* Increases the inertia of movers whose rotation would be unstable because of their joints. Call before rows are set. */
void pd_bodies_set_joint_inertia(pd_bodies *bodies, double h);
/* Adds the rows of all joints and of the drag to bodies->rows, behind the rows of the contacts. */
void pd_bodies_add_joint_rows(pd_bodies *bodies, double h);
/* Solves the rows of all joints once. */
void pd_bodies_solve_joints(pd_bodies *bodies, int pass, double h);
/* Stores impulses and forces of the joints at the end of a solver step. Breaks joints whose force is too great. */
void pd_bodies_store_joint_impulses(pd_bodies *bodies, double h);

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

enum { PD_LINE_ROWS = 4 }; /* the row along a line, and the further ones */

static inline bool pd_joint_is_line(const pd_joint *joint) {
    return joint->def.type == PD_JOINT_SPRING || joint->def.type == PD_JOINT_ROPE;
}

#endif
