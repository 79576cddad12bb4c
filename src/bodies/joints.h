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

#endif
