/* Spreading of particles that are too close together for a liquid.
 *
 * Tracers may be at any distance: a flow carries them together and gathers them at walls. A method whose particles have
 * a density would drive them apart violently. */
#ifndef PUDDLE_SIM_PARTICLES_SPREAD_H
#define PUDDLE_SIM_PARTICLES_SPREAD_H

#include <puddle/world.h>

/* Moves particles that are closer than about the rest spacing apart, each by half of the overlap, in sweeps over all of
 * them. No particle passes a wall, and isolated particles do not move. Call between steps: the function uses old_x and
 * old_y. Cost: at most 160 sweeps of about half a substep each, fewer for more than 200,000 particles. The result does
 * not depend on the number of threads. */
void pd_world_spread_particles(pd_world *world);

/* Spreads the flagged particles (world->flags) and those that they push, in at most 20 sweeps, since the rest of the
 * fluid is at rest. On return all particles are flagged that have moved or whose density has changed. */
void pd_world_spread_flagged_particles(pd_world *world);

#endif
