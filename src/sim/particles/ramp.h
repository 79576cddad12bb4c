/* The rest-density ramp: gradual transition from the present density of the fluid to a method's own rest density.
 *
 * Methods compress under weight by different amounts. A nearly incompressible method would drive fluid apart that is
 * denser than its rest density. So in the first substep each particle gets the rest density at which its pressure is
 * zero, which converges to the method's own within two seconds. A compressible method gets fluid that is less dense
 * than under its own equilibrium, and would let it collapse. So the method begins with a higher stiffness
 * (ddr_compute_ramp_stiffness_factor), unless the fluid still has the state of a compressible method.
 *
 * world->ramp is 1 when a method begins and decays to 0. */
#ifndef PUDDLE_SIM_PARTICLES_RAMP_H
#define PUDDLE_SIM_PARTICLES_RAMP_H

#include "sim/method.h"

/* Column for particles of methods that are not compressible: factor by which the particle's rest density was multiplied at
 * the beginning of the ramp. New particles have the factor 1. */
#define PD_RAMP_COLUMN                                                                                                 \
    {                                                                                                                  \
        .name = "ramp_factor", .width = 4, .sorted = true, .saved = true, .real = true, .optional = true,              \
        .initial = 0x3f800000 /* 1.0f */                                                                               \
    }

/* Begins the ramp after a change of the method, or when a scene starts (previous_method = NULL). A starting scene gets a
 * ramp only if particles are closer than the rest spacing (particles_squeezed: result of pd_region_add_particles), or if a
 * region has more particles than fit. */
void pd_density_ramp_begin(pd_world *world, const pd_method *previous_method, bool particles_squeezed);
/* Begins the ramp again for the flagged particles (world->flags), which were moved closer together. Other particles remain
 * at their rest density. Does nothing for compressible methods and grids, which need no ramp. */
void pd_density_ramp_begin_for_flagged(pd_world *world);
/* Reduces world->ramp after a substep of dt seconds. */
void pd_density_ramp_decay(pd_world *world, float dt);
/* Returns the factor by which the rest density of particle i is multiplied during the ramp (world->ramp > 0).
 * equilibrium_factor: factor at which the particle's pressure is 0 now. In the first substep it is stored as the initial
 * factor (at least 1 for flagged particles). */
float pd_density_ramp_factor(const pd_world *world, int i, float equilibrium_factor);
/* Returns whether the state of the ramp that was read from a snapshot is valid. */
bool pd_density_ramp_is_valid(const pd_world *world);

#endif
