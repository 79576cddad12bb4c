/* Frame of reference of a substep. Fluid alone in open space is computed in a frame that moves with the fluid, so that limits
 * of speed and of substeps depend on the motion within the fluid alone. Far from the scene's origin the frame also has an
 * origin near the fluid: floats then have enough digits for small displacements. */
#ifndef PUDDLE_SIM_FRAME_H
#define PUDDLE_SIM_FRAME_H

#include <puddle/world.h>

typedef struct pd_frame {
    pd_vec2 velocity; /* velocity of the frame, m/s */
    pd_vec2 origin;   /* origin of the frame at the beginning of the substep, m */
} pd_frame;

/* Returns whether the frame moves with the fluid in the next step: particles carry the fluid, there is no container, no tool
 * is in use, and the fluid cannot reach an obstacle, a body or an emitter within the step. */
bool pd_frame_can_follow_fluid(const pd_world *world);
/* Returns the velocity of the frame in the next substep, m/s: the mean velocity of the particles, or 0 if the frame does not
 * move (pd_world.frame_follows). */
pd_vec2 pd_frame_compute_velocity(const pd_world *world);
/* Begins a substep: computes the frame, and transforms positions and velocities of the particles to it. */
pd_frame pd_frame_enter(pd_world *world);
/* Ends a substep of dt (s): transforms positions and velocities back. */
void pd_frame_leave(pd_world *world, const pd_frame *frame, float dt);

#endif
