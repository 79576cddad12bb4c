/* Filling regions with particles. */
#ifndef PUDDLE_SIM_REGIONS_H
#define PUDDLE_SIM_REGIONS_H

#include "core/random.h"
#include "sim/boundary.h"
#include "sim/particles.h"
#include <puddle/scene.h>

/* m^2 */
double pd_region_area(const pd_region *region);
/* No part of the region lies inside the container. */
bool pd_region_outside(const pd_region *region, const pd_container *container);
bool pd_region_contains(const pd_region *region, pd_vec2 point);

/* How many particles each region gets (counts: one int per region), and their total. A region with count or spacing (one
 * particle per spacing x spacing) says it itself; the others share what is left of scene->particles (or 1500 when that is 0) by
 * area; when nothing is left they get as many per area as those that said it. When scene->particles is given and regions say
 * otherwise, all counts are scaled so that the total is exactly scene->particles (largest remainders).
 * Errors: SCENE_TOO_LARGE above PD_MAX_PARTICLES, OUT_OF_MEMORY. */
pd_result pd_regions_counts(const pd_scene *scene, int *counts, int *total, pd_error *error);

/* Appends exactly `count` particles inside the region. Hex and grid lattices are centred on the region and mirror symmetric
 * in x; rows with a point too many spread the others evenly, so there are no holes. Random shakes a hex lattice as far as
 * no two points come nearer than about a third of the mean spacing: no two start on top of each other.
 * Points outside the container or inside an obstacle are moved to the nearest allowed place (pd_boundary_push_out).
 * Returns whether some were moved farther than half a spacing: they lie closer to others than they would.
 * Needs room in particles (asserted). Cost: O(count); no allocation. */
bool pd_region_fill(const pd_region *region, int count, const pd_boundary *boundary, pd_random *random,
                    pd_particles *particles);

#endif
