/* Equilibrium of fluid at rest when a scene starts.
 *
 * Regions are filled at one particle per spacing^2 (pd_resolution.spacing), but fluid under its weight is denser. Without
 * equilibrium a pool would fall by what it is compressed, and bounce for seconds.
 *
 * A connected part of the fluid is at rest if its particles have no velocity, air touches it only at the height of its
 * surface, and its particles have about the rest spacing. Scenes that list particles begin as listed. */
#ifndef PUDDLE_SIM_PARTICLES_SETTLE_H
#define PUDDLE_SIM_PARTICLES_SETTLE_H

#include <puddle/world.h>

/* Moves the particles of fluid at rest to where the running method has it at rest: first along gravity, to the densities
 * under the weight above (pd_density_law.at_rest), then by damped substeps of the method. Other particles do not move.
 * Ends as the beginning of a world: step, time and the method's state are reset. Call at time 0, after the method has
 * started. Does nothing for methods without a density law. Cost: at most 80 substeps, in deep fluid twice as many. If memory
 * is refused, particles may remain where the scene has them, and world->memory_refused is set. */
void pd_world_settle(pd_world *world);

#endif
