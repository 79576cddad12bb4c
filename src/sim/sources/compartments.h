/* Compartments: the parts of the container that obstacles separate from one another. An emitter fills its compartment until
 * the particles there have the density of fluid at rest.
 *
 * The compartment of an emitter consists of the cells of a raster that are connected with its mouth through open faces.
 * Bodies do not separate compartments, since fluid moves them. They take up a part of a compartment's area. The raster
 * is recomputed where obstacles move. Everything is a function of the scene, the time and the obstacles' offsets, so
 * snapshots contain no compartments. */
#ifndef PUDDLE_SIM_SOURCES_COMPARTMENTS_H
#define PUDDLE_SIM_SOURCES_COMPARTMENTS_H

#include <puddle/world.h>

typedef struct pd_compartments pd_compartments;

/* Returns how many of `count` particles still fit into an emitter's compartment at the rest density, from 0 to count.
 * Returns count without a container, under methods without a density, if a solid covers the mouth, and if memory runs
 * out. Cost: one pass over the particles if the compartment could be full; O(cells) after an obstacle has moved. */
int pd_compartments_limit_emission(pd_world *world, int emitter, int count);
/* Writes why an active emitter added nothing in the last step: its compartment is full, or a solid covers its mouth. Returns
 * false if neither holds. */
bool pd_emitter_write_warning(const pd_world *world, int emitter, char *text, size_t size);
/* Frees the compartments of a world. The next call of pd_compartments_limit_emission computes them anew: call after
 * every change of the scene's obstacles and emitters. */
void pd_compartments_free(pd_world *world);

#endif
