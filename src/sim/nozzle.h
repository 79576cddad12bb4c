/* The nozzle before an emitter's mouth, for methods whose particles carry the fluid.
 *
 * A row of particles that has just been emitted has no fluid behind it. Left to the method, cohesion would pull it
 * forward into the jet and sideways into a thread, and pressure would burst it back towards the mouth. So in a nozzle as
 * wide as the mouth, a few spacings longer than the way of a step, particles keep the jet's velocity, and the fluid
 * ahead of them feels them as it feels other particles. A particle leaves the nozzle for good when it reaches the end or
 * touches a wall.
 *
 * There is no state beside the particles: the nozzle holds those that lie in it with exactly the jet's velocity, which
 * forces that act on other particles change. */
#ifndef PUDDLE_SIM_NOZZLE_H
#define PUDDLE_SIM_NOZZLE_H

#include "sim/world.h"

/* Unit vector of an emitter's direction. */
pd_vec2 pd_emitter_along(const pd_emitter *emitter);

/* Whether an emitter has a nozzle: not where a grid moves the particles, nor where its rate is too high for its speed. */
bool pd_nozzle_used(const pd_world *world, const pd_emitter *emitter);
/* Lists the particles that nozzles hold in the coming step; without memory for the list they hold none. Cost: one pass
 * over the particles for each active emitter. */
void pd_nozzle_list(pd_world *world);
/* Gives the jet's velocity to all slower particles that lie in an emitter's nozzle where it holds none, so that the nozzle takes
 * them along and the jet begins behind them. For emitters whose jet was rejected: fluid that comes to rest in the mouth, as in a
 * lane between walls, would cover it for ever. Not where the fluid there is compressed, and not for a jet whose particles do not
 * fill the mouth: it would drive more fluid than it emits. Returns how many passes over the particles it took, up to three. */
int pd_nozzle_take(pd_world *world, int emitter);
/* After a substep of dt seconds: puts the listed particles where they move with the jet's velocity. */
void pd_nozzle_hold(pd_world *world, float dt);

#endif
