/* Spreading of particles that lie too close together to be a liquid.
 *
 * Tracers may: a flow carries them along however near each other they come, and where it meets a wall they gather. A method
 * whose particles have a density would throw them apart. */
#ifndef PUDDLE_SIM_PARTICLES_SPREAD_H
#define PUDDLE_SIM_PARTICLES_SPREAD_H

#include <puddle/world.h>

/* Moves particles that are nearer to each other than about the rest spacing apart, half of the way each, in sweeps over
 * all of them; none leaves the container or passes a wall. Those that have room stay where they are. Not while a step is
 * under way: it uses old_x and old_y. Cost: about half a substep for each of at most 160 sweeps, of
 * fewer for more than 200,000 particles; a crowd costs no more. The same bits on any number of threads. */
void pd_world_spread(pd_world *world);

/* The same of the particles whose world->flags are set, and of those that they push: in fewer sweeps, since the rest of the
 * fluid is at rest as it is. Then those are flagged that have moved, and all around them whose density has changed by it. */
void pd_world_spread_flagged(pd_world *world);

#endif
