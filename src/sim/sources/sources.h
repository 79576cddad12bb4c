/* Emitters, drains and zones of change, once a step. */
#ifndef PUDDLE_SIM_SOURCES_SOURCES_H
#define PUDDLE_SIM_SOURCES_SOURCES_H

#include "sim/particles/near.h"

/* Progress of a step's emission. It can be interrupted, since a step may emit ten million particles. */
typedef struct pd_emission {
    bool under_way;     /* the present step's emission is incomplete */
    int emitter;        /* index of the present emitter */
    bool begun;         /* the present emitter has begun: the members below are set */
    double from, until; /* particles with times in (from, until] are due; unit: 1 / rate, since the emitter's start */
    int column;         /* present column of the jet's lattice */
    double birth;       /* number of the next particle in this column */
    int capacity;       /* number of particles for which there is still memory */
    bool emitted, rejected; /* a new particle was added; one was rejected, as its place was not free */
    pd_near near;           /* particles around the mouth */
} pd_emission;

/* Add, remove and change particles once a step. pd_world_emit_particles returns after about `seconds` of wall time: true
 * if the step's emission is complete. */
bool pd_world_emit_particles(pd_world *world, double seconds);
void pd_world_drain_particles(pd_world *world);
void pd_world_change_materials(pd_world *world);

#endif
