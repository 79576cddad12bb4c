/* Emitters, drains, and zones in which materials change. All act once a step. */
#ifndef PUDDLE_SIM_SOURCES_SOURCES_H
#define PUDDLE_SIM_SOURCES_SOURCES_H

#include "sim/particles/near.h"

/* Progress of the emission of one step. Emission is divided into several calls, since a step may emit ten million
 * particles. */
typedef struct pd_emission {
    bool under_way; /* the emission of the present step has begun and is incomplete */
    int emitter;    /* index of the emitter that emits now */
    bool begun;     /* this emitter has begun to emit: the members below are set */
    /* Interval (from, until] of emission times that are due, in units of 1 / rate since the emitter's start. */
    double from, until;
    int column;             /* column of the jet's lattice that emits now */
    double next_particle;   /* number of the next particle in this column, counted from the start of the emitter */
    int free_capacity;      /* number of particles that can still be added; 0: no memory, or the compartment is full */
    bool rejected;          /* this emitter could not add a particle in this step, since its place was not free */
    pd_near_particles near; /* particles around the emitter's mouth, to find out which places are free */
} pd_emission;

/* Add, remove and change particles once a step. pd_world_emit_particles returns after about seconds_limit of wall time,
 * and returns whether the step's emission is complete. */
bool pd_world_emit_particles(pd_world *world, double seconds_limit);
void pd_world_drain_particles(pd_world *world);
void pd_world_change_materials_in_zones(pd_world *world);

#endif
