/* Frame of reference of a substep. Fluid that falls freely in open space is computed in a frame that moves with it, so that
 * limits of speed and of substeps depend on the motion within the fluid alone. */
#ifndef PUDDLE_SIM_FRAME_H
#define PUDDLE_SIM_FRAME_H

#include <puddle/world.h>

/* Returns whether the frame moves with the fluid in the next step: particles carry the fluid, there is no container, no tool
 * is in use, and the fluid cannot reach an obstacle, a body or an emitter within the step. */
bool pd_frame_can_follow_fluid(const pd_world *world);
/* Returns the velocity of the frame in the next substep, m/s: the mean velocity of the particles, or 0 if the frame does not
 * move (pd_world.frame_follows). */
pd_vec2 pd_frame_compute_velocity(const pd_world *world);
/* Begins a substep: subtracts the frame's velocity from those of the particles. */
void pd_frame_enter(pd_world *world, pd_vec2 velocity);
/* Ends a substep of dt (s): adds the frame's velocity, and its displacement to the positions. */
void pd_frame_leave(pd_world *world, pd_vec2 velocity, float dt);

#endif
