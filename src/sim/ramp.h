/* The rest-density ramp: how a method comes into force on fluid that is not at its own rest density.
 *
 * Methods compress under weight by different amounts. A stiff one that takes over fluid denser than it would have it would let it
 * burst: in its first substep every particle therefore gets as rest density the one at which it feels no pressure where it is,
 * and all come to the method's own within a second or two. A compressible method takes over fluid that is less dense than
 * it would be at rest and would let it drop: it begins stiffer than it is (ddr_firmness), unless the fluid is still as it
 * left it.
 *
 * world->ramp is 1 when a method begins and decays to 0. */
#ifndef PUDDLE_SIM_RAMP_H
#define PUDDLE_SIM_RAMP_H

#include "sim/world.h"

/* Each particle's factor on the rest density when the ramp began: a column of methods that are not compressible. 1 of particles
 * that came later. */
#define PD_RAMP_COLUMN                                                                                                 \
    { .name = "ramp_factor", .width = 4, .sorted = true, .saved = true, .real = true, .optional = true,                \
      .initial = 0x3f800000 /* 1.0f */ }

/* The world's method begins: after `before`, or (NULL) at the scene's beginning, where it needs the ramp only when regions are
 * squeezed between walls. */
void pd_ramp_begin(pd_world *world, const pd_method *before, bool squeezed);
/* After a substep of dt seconds. */
void pd_ramp_advance(pd_world *world, float dt);
/* Factor on the rest density of particle i while world->ramp is not 0. equilibrium: the factor at which it would feel no pressure,
 * which is kept in the first substep. */
float pd_ramp_factor(const pd_world *world, int i, float equilibrium);
/* Whether the ramp's state is possible; a damaged file may hold anything. */
bool pd_ramp_valid(const pd_world *world);

#endif
