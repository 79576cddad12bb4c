/* Emitters, drains and zones that change a material, once a step. */
#ifndef PUDDLE_SIM_SOURCES_SOURCES_H
#define PUDDLE_SIM_SOURCES_SOURCES_H

#include "sim/particles/near.h"

/* How far the emission of a step has come, so that it can be left and gone on with: it may be of ten million particles. */
typedef struct pd_emission {
    bool under_way;         /* the step has no substep yet */
    int emitter;            /* whose turn it is */
    bool open;              /* it has begun to send out, and what lies about its mouth is listed in `near` */
    double from, until;     /* births after `from` and until `until` are due, in units of 1 / rate since the start */
    int column;             /* of the jet, whose turn it is */
    double number;          /* of the next birth in it */
    int room;               /* for so many there is memory */
    bool emitted, rejected; /* any, by the emitter whose turn it is */
    pd_near near;
} pd_emission;

/* Emitters, drains and changes of material: once a step. Emission takes at most about `seconds` of wall time a call; false: it
 * is not finished. */
bool pd_world_emit(pd_world *world, double seconds);
void pd_world_drain(pd_world *world);
void pd_world_change(pd_world *world);

#endif
