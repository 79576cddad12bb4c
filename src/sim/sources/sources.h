/* Emitters, drains and zones of change, once a step. */
#ifndef PUDDLE_SIM_SOURCES_SOURCES_H
#define PUDDLE_SIM_SOURCES_SOURCES_H

#include "sim/particles/near.h"

/* Progress of a step's emission. It can be interrupted, since a step may emit ten million particles. */
typedef struct pd_emission {
    bool under_way; /* the present step's emission is incomplete */
    int emitter;    /* index of the present emitter */
    bool begun;     /* the present emitter has begun: the members below are set */
    double from,
        until; /* interval (from, until] of emission times that are due, in units of 1 / rate since the emitter's start */
    int column;             /* present column of the jet's lattice */
    double next_particle;   /* number of the next particle in this column, from the start of the emitter */
    int free_capacity;      /* number of particles that can still be added; 0: no memory, or the nozzle is full */
    bool emitted, rejected; /* a new particle was added; one was rejected, as its place was not free */
    pd_near_particles near; /* particles around the mouth, for the search of free places */
} pd_emission;

/* Add, remove and change particles once a step. pd_world_emit_particles returns after about seconds_limit of wall time,
 * and returns whether the step's emission is complete. */
bool pd_world_emit_particles(pd_world *world, double seconds_limit);
void pd_world_drain_particles(pd_world *world);
void pd_world_change_materials(pd_world *world);

#endif
