/* The rest-density ramp: gradual transition from the present pressure of the fluid to the method's own.
 *
 * Each particle gets a factor on its rest density, with which its pressure is a chosen one, and which converges to 1
 * within two seconds. A ramp begins when
 *
 *     particles are too close: moved out of walls, or more than fit    the pressure becomes 0
 *     the method changes                                               the pressure remains that of the method before
 *     gravity becomes weaker                                           the pressure falls as gravity does
 *
 * Otherwise the pressure would drive the fluid apart. world->ramp decays from 1 to 0. The factor of a particle is
 * 1 + (f - 1) world->ramp, f: its value in PD_RAMP_COLUMN. */
#ifndef PUDDLE_SIM_PARTICLES_RAMP_H
#define PUDDLE_SIM_PARTICLES_RAMP_H

#include "sim/method.h"

/* Column for particles of methods with a density law: factor f on the particle's rest density at the beginning of the
 * ramp. New particles have the factor 1. A negative value waits for the next substep, which knows the density:
 *
 *     world->ramp == 1    - density / rest density of fluid at rest under the pressure that the particle gets
 *     world->ramp < 1     - present factor of the particle, whose pressure is then multiplied by world->ramp_kept */
#define PD_RAMP_COLUMN                                                                                                 \
    {                                                                                                                  \
        .name = "ramp_factor", .width = 4, .sorted = true, .saved = true, .real = true, .optional = true,              \
        .initial = 0x3f800000 /* 1.0f */                                                                               \
    }

/* Begins the ramp of a starting scene if particles are closer than the rest spacing (particles_squeezed: result of
 * pd_region_add_particles), or if a region has more particles than fit. Ends any other ramp. */
void pd_density_ramp_begin_scene(pd_world *world, bool particles_squeezed);
/* Begins the ramp after a change of the method. pressure: by particle, under the method before, Pa /
 * pd_units_particle_mass; NULL: unknown, the pressure becomes 0. */
void pd_density_ramp_begin_method(pd_world *world, const float *pressure);
/* Begins the ramp again for the flagged particles (world->flags), which were moved closer together: their pressure
 * becomes 0. Other particles remain at their rest density. Does nothing for grids, which need no ramp. */
void pd_density_ramp_begin_for_flagged(pd_world *world);
/* Begins the ramp again for all particles if gravity is weaker than in the last step. Called when a step begins. */
void pd_density_ramp_follow_gravity(pd_world *world);
/* Reduces world->ramp after a substep of dt seconds. */
void pd_density_ramp_decay(pd_world *world, float dt);
/* Returns the factor by which the rest density of particle i is multiplied in this substep (world->ramp > 0). Stores the
 * factor if it waits for this substep. density: density / rest density of the particle, in the same measure as
 * pd_fluid_at_rest.density. */
float pd_density_ramp_factor(const pd_world *world, int i, float density);
/* Returns the factor of particle i in the last substep. 1 without a ramp. */
float pd_density_ramp_present_factor(const pd_world *world, int i);
/* Returns whether the state of the ramp that was read from a snapshot is valid. */
bool pd_density_ramp_is_valid(const pd_world *world);

#endif
