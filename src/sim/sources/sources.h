/* Emitters, drains and zones of change, once a step. */
#ifndef PUDDLE_SIM_SOURCES_SOURCES_H
#define PUDDLE_SIM_SOURCES_SOURCES_H

#include "sim/particles/near.h"

/* Progress of the emission of a step, which can be interrupted, since a step may emit ten million particles. */
typedef struct pd_emission {
    bool under_way;         /* emission of the present step is incomplete */
    int emitter;            /* index of the present emitter */
    bool begun;             /* the emitter has begun, and `near` lists the particles around its mouth */
    double from, until;     /* births in (from, until] are due, in units of 1 / rate since the emitter's start */
    int column;             /* present column of the jet */
    double birth;           /* number of the next birth in this column */
    int capacity;           /* remaining number of particles with memory */
    bool emitted, rejected; /* the present emitter has emitted, or had to reject, a candidate */
    pd_near near;
} pd_emission;

/* Add, remove and change particles once a step. pd_world_emit_particles returns after about `seconds` of wall time, false if the
 * emission is incomplete. */
bool pd_world_emit_particles(pd_world *world, double seconds);
void pd_world_drain_particles(pd_world *world);
void pd_world_change_materials(pd_world *world);

#endif
