/* The rest-density ramp: introduces a method gradually to fluid that is not at the method's own rest density.
 *
 * Methods compress under weight by different amounts. A nearly incompressible method would accelerate fluid that is
 * denser than its rest density violently apart. So in its first substep each particle gets the rest density at which
 * its pressure is zero, and these converge to the method's own within a second or two. A compressible method gets fluid
 * that is less dense than it would be at rest, which would collapse under its weight: the method starts with a higher
 * stiffness (ddr_stiffness_factor), unless the fluid is still in the state in which a compressible method left it.
 *
 * world->ramp is 1 when a method starts and decays to 0. */
#ifndef PUDDLE_SIM_PARTICLES_RAMP_H
#define PUDDLE_SIM_PARTICLES_RAMP_H

#include "sim/method.h"

/* Column of methods that are not compressible: each particle's factor on the rest density when the ramp started; 1 for
 * particles added later. */
#define PD_RAMP_COLUMN                                                                                                 \
    {                                                                                                                  \
        .name = "ramp_factor", .width = 4, .sorted = true, .saved = true, .real = true, .optional = true,              \
        .initial = 0x3f800000 /* 1.0f */                                                                               \
    }

/* Starts the ramp for the world's method, which follows `before`; NULL: at the scene's beginning, where the ramp is
 * needed only if particles are closer together than the rest spacing (squeezed: see pd_region_fill), or a region is too
 * full. */
void pd_ramp_begin(pd_world *world, const pd_method *before, bool squeezed);
/* Starts the ramp, or goes on with it, for the particles whose world->flags are set: they were moved closer together than the
 * others, which stay at the rest density that they have. For methods of particles that are not compressible; others bear it. */
void pd_ramp_begin_flagged(pd_world *world);
/* Decays the ramp after a substep of dt seconds. */
void pd_ramp_advance(pd_world *world, float dt);
/* Factor on the rest density of particle i while world->ramp is not 0. equilibrium: the factor at which its pressure is
 * zero now; it is stored in the first substep, for flagged particles if it is above 1, and ignored later. */
float pd_ramp_factor(const pd_world *world, int i, float equilibrium);
/* Whether the ramp's state is valid, for snapshots, which may be damaged. */
bool pd_ramp_valid(const pd_world *world);

#endif
