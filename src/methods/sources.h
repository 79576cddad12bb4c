/* Emitters, push and pull as sources of volume on a staggered grid, for methods whose fluid fills the container. */
#ifndef PUDDLE_METHODS_SOURCES_H
#define PUDDLE_METHODS_SOURCES_H

#include "mac/mac.h"
#include "sim/world.h"

/* Mouth of an emitter: a rectangle of the emitter's width, whose length is the distance emitted in dt but at least two
 * cells. */
typedef struct pd_mouth {
    const pd_emitter *emitter;
    /* Unit vector (ax, ay) of the direction. Side of a cell, length of the mouth, distance of its farthest point, m. */
    float ax, ay, cell, ahead, reach;
    pd_cell_box box;
} pd_mouth;
/* Computes the mouth of an emitter. Returns false if the emitter is not active now. */
bool pd_find_mouth(const pd_world *world, const pd_mac *mac, int emitter, float dt, pd_mouth *mouth);
/* Returns the share of a cell or face at p inside the mouth, [0, 1]. */
float pd_mouth_share(const pd_mouth *mouth, pd_vec2 p);

/* Sets `source`, 1/s for each cell, to the volume that push, pull and emitters add. Returns false if there are none. */
bool pd_find_volume_sources(const pd_world *world, const pd_mac *mac, float dt, float *source);

#endif
