/* The nozzle before an emitter's mouth, for methods whose particles carry the fluid and are not moved by a grid.
 *
 * Particles that have just been emitted have no fluid behind them. Left to the method, cohesion would pull them forward into the
 * jet and sideways into a thread, and pressure would burst them back towards the mouth. So particles in the nozzle, a box as wide
 * as the mouth and a few spacings longer than the way of a step, are held: they keep the jet's velocity whatever acts on them,
 * while other particles feel them as usual. A particle is held until it reaches the nozzle's end or touches a wall.
 *
 * No list of these particles outlives a step: at its beginning those are held that lie in the nozzle with exactly the jet's
 * velocity. Other particles do not keep that velocity, since forces act on them.
 *
 * In still fluid a nozzle is the end of a pipe: it pushes away what covers its mouth (pd_nozzle_take), fluid cannot follow
 * through the mouth from behind (pd_nozzle_hold), and in a full container it does nothing (pd_nozzle_full). Solvers of the
 * film industry also prescribe the velocity in a submerged source (Houdini's FLIP Boundary: Velocity; SPlisHSPlasH's emitters). */
#ifndef PUDDLE_SIM_SOURCES_NOZZLE_H
#define PUDDLE_SIM_SOURCES_NOZZLE_H

#include <puddle/world.h>

/* A particle in a nozzle. */
typedef struct pd_nozzle_particle {
    uint32_t id;
    int emitter; /* -1: released */
    pd_vec2 at;
} pd_nozzle_particle;

/* The particles that nozzles hold during a step, by id (sim/sources/nozzle.h). */
typedef struct pd_nozzle {
    pd_nozzle_particle *particle;
    int count, capacity;
} pd_nozzle;

/* A new particle needs this distance to all others, in units of the rest spacing, else it is not emitted. */
#define PD_EMITTER_FREE_DISTANCE 0.6f

/* Unit vector of an emitter's direction. */
pd_vec2 pd_emitter_along(const pd_emitter *emitter);

/* Whether an emitter has a nozzle: not under methods where a grid moves the particles, nor where the jet would be much denser
 * than the fluid at rest. */
bool pd_nozzle_used(const pd_world *world, const pd_emitter *emitter);
/* Whether the fluid that lies where an emitter's nozzle is, or would be, is clearly denser than at rest, and than its jet: that
 * of a container that the emitter has filled. It then emits nothing. Never for methods without a density. Cost: one pass over
 * the particles. */
bool pd_nozzle_full(const pd_world *world, const pd_emitter *emitter);
/* For an emitter all of whose candidates were rejected in this step. If its nozzle holds nothing, gives the jet's velocity to the
 * slower particles that lie in the nozzle: they are held and move on, and the emitter has room behind them. Else fluid at rest
 * in the mouth, as in a lane between walls, would block it for ever. Nothing happens where the fluid is denser than at rest, and
 * for an emitter with too few particles to fill its mouth, which would drive more fluid than it emits. Returns the number of
 * passes over the particles, up to three. */
int pd_nozzle_take(pd_world *world, int emitter);
/* Lists the particles that nozzles hold in the coming step; without memory for the list they hold none. Cost: one pass
 * over the particles for each active emitter. */
void pd_nozzle_list(pd_world *world);
/* After a substep of dt seconds: moves the listed particles with their jet's velocity, and puts others that have come through the
 * mouth from behind back behind it. Cost: one pass over the particles, and one for each emitter whose nozzle holds any. */
void pd_nozzle_hold(pd_world *world, float dt);

#endif
