/* Moves particles apart that are too close together for a liquid.
 *
 * Tracers may be at any distance from each other, since the flow gathers them, for example at walls. After a switch to a
 * method whose particles have a density, pressure would drive close particles apart violently. */
#ifndef PUDDLE_SIM_PARTICLES_SPREAD_H
#define PUDDLE_SIM_PARTICLES_SPREAD_H

#include <puddle/world.h>

/* Moves particles that are closer than about the rest spacing away from each other, each by half of the overlap, in
 * repeated sweeps. No particle passes a wall, and isolated particles do not move. Call between steps, since the function
 * overwrites old_x and old_y. Cost: at most 160 sweeps of about half a substep each, fewer for more than 200,000
 * particles. The result does not depend on the number of threads. */
void pd_world_spread_particles(pd_world *world);

/* Spreads only the flagged particles (world->flags) and those that they push, in at most 20 sweeps. On return the flags
 * mark all particles that were moved or whose density has changed. */
void pd_world_spread_flagged_particles(pd_world *world);

#endif
