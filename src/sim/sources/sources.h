/* Emitters, drains, and zones in which materials change. All act once a step. */
#ifndef PUDDLE_SIM_SOURCES_SOURCES_H
#define PUDDLE_SIM_SOURCES_SOURCES_H

#include <puddle/world.h>

/* Add, remove and change particles once a step. */
void pd_world_emit_particles(pd_world *world);
void pd_world_drain_particles(pd_world *world);
void pd_world_change_materials_in_zones(pd_world *world);

/* The nozzle: a box before an emitter's mouth, in which particles have the jet's velocity.
 *
 * New particles have no fluid behind them. Cohesion would pull them forward into the jet and sideways into a thread.
 * Pressure would burst them back towards the mouth. So particles in the nozzle have the jet's velocity whatever forces
 * act on them. Other particles interact with them as usual. The box is as wide as the mouth. Its length is a few spacings
 * more than the distance that the jet moves in a step. A particle leaves the nozzle at the box's end or when it touches a
 * wall. Only methods whose particles carry the fluid and are not moved by a grid have nozzles.
 *
 * Each step lists the particles in nozzles anew: particles in the box with exactly the jet's velocity. Forces change the
 * velocity of all other particles, so these differ from the jet's.
 *
 * In fluid a nozzle acts like a piston at the end of a pipe, against any pressure:
 * - pd_nozzle_push_fluid gives the fluid before the mouth the velocity of the jet.
 * - pd_nozzle_move_particles closes the mouth to fluid from behind.
 * Solvers of the film industry also prescribe the velocity in a submerged source (Houdini's FLIP Boundary: Velocity;
 * SPlisHSPlasH's emitters). */

/* A particle in a nozzle. */
typedef struct pd_nozzle_particle {
    uint32_t id;           /* id of the particle */
    int emitter;           /* index of the emitter whose nozzle contains the particle; -1: the particle has left it */
    pd_vec2 path_position; /* position on the straight path through the nozzle, m */
} pd_nozzle_particle;

/* Particles in nozzles during a step, sorted by id. */
typedef struct pd_nozzle {
    pd_nozzle_particle *particle; /* listed particles, sorted by id */
    int count, capacity;          /* number of listed particles, and number for which memory is allocated */
} pd_nozzle;

/* Least distance from a newly emitted particle to all others, in units of the rest spacing. */
#define PD_EMITTER_FREE_DISTANCE 0.6f

/* Returns the direction of an emitter's jet, a unit vector. */
pd_vec2 pd_emitter_direction(const pd_emitter *emitter);

/* Returns whether an emitter has a nozzle. There is none if a grid moves the particles, or if the jet would be much denser
 * than the fluid at rest. */
bool pd_emitter_has_nozzle(const pd_world *world, const pd_emitter *emitter);
/* Returns whether an emitter's nozzle pushes the fluid before its mouth away: it has a nozzle, and its jet is dense enough to
 * fill the mouth. A thinner jet would push more fluid than it emits. */
bool pd_emitter_has_piston(const pd_world *world, const pd_emitter *emitter);
/* Pushes the fluid before a mouth away: sets the velocity of particles in the nozzle to the jet's, of those that flow back, or
 * of all slower ones. all: the emitter could not add a particle in this step because its place was taken. Does nothing if the
 * emitter has no piston. */
void pd_nozzle_push_fluid(pd_world *world, int emitter_index, bool all);
/* Lists the particles in nozzles for the coming step. If memory runs out, the list is short or empty. Cost: one pass over
 * the particles for each active emitter. */
void pd_nozzle_list_particles(pd_world *world);
/* Moves the listed particles with their jet's velocity after a substep of dt seconds. Moves other particles that passed
 * the mouth from behind back behind the mouth. Cost: one pass over the particles, and one for each emitter with
 * listed particles. */
void pd_nozzle_move_particles(pd_world *world, float dt);

#endif
