/* Emitters, push and pull as sources of volume on a staggered grid, for methods whose fluid fills the container. */
#ifndef PUDDLE_METHODS_SOURCES_H
#define PUDDLE_METHODS_SOURCES_H

#include "mac/mac.h"
#include "sim/world.h"

/* The mouth of an emitter: a rectangle as wide as it and as long as it emits in dt, but at least two cells. */
typedef struct pd_mouth {
    const pd_emitter *emitter;
    float ax, ay, cell, ahead, reach; /* unit vector of its direction; m: cell, length, farthest point */
    pd_cell_box box;
} pd_mouth;
/* False: the emitter is not active now. */
bool pd_find_mouth(const pd_world *world, const pd_mac *mac, int emitter, float dt, pd_mouth *mouth);
/* How much of a cell or face at p lies in it, 0 .. 1. */
float pd_mouth_cover(const pd_mouth *mouth, pd_vec2 p);

/* Sets `source`, 1/s in each cell, to what push, pull and emitters ask for; false: none of them is there. */
bool pd_find_sources(const pd_world *world, const pd_mac *mac, float dt, float *source);

#endif
