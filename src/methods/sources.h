/* Sources of volume on a staggered grid, for methods whose fluid fills the container. Sources are emitters, and the
 * tools push and pull. */
#ifndef PUDDLE_METHODS_SOURCES_H
#define PUDDLE_METHODS_SOURCES_H

#include "mac/mac.h"
#include "sim/world.h"

/* Mouth of an emitter: the rectangle in which the emitter adds volume. Its width is the emitter's width. Its length is
 * speed x dt, but at least two cells. */
typedef struct pd_mouth {
    const pd_emitter *emitter; /* the emitter, in the scene */
    float ax, ay;              /* direction of the jet, a unit vector */
    float cell;                /* side of a cell, m */
    float ahead;               /* length of the mouth along the jet, m */
    float reach;               /* greatest distance of a point of the mouth from the emitter's position, m */
    pd_cell_box box;           /* cells that contain the mouth */
} pd_mouth;
/* Computes the mouth of an emitter. emitter: index in the scene. Returns false if the emitter is not active now. */
bool pd_find_emitter_mouth(const pd_world *world, const pd_mac *mac, int emitter, float dt, pd_mouth *mouth);
/* Returns the fraction, [0, 1], of the cell around `center` that is inside the mouth. */
float pd_mouth_fraction_in_cell(const pd_mouth *mouth, pd_vec2 center);

/* Sets source[cell] to the area that emitters, push and pull add per area and time, 1/s. Returns false if no emitter
 * and no such tool exists; then `source` is unchanged. */
bool pd_find_volume_sources(const pd_world *world, const pd_mac *mac, float dt, float *source);

#endif
