/* How many particles a scene starts with. */
#ifndef PUDDLE_SCENE_COUNTS_H
#define PUDDLE_SCENE_COUNTS_H

#include <puddle/scene.h>

/* How many particles each region gets (counts: one int per region), and their total. A region with count or spacing (one
 * particle per spacing x spacing) says it itself; the others share what is left of scene->particles (or 1500 when that is 0) by
 * area; when nothing is left they get as many per area as those that said it. When scene->particles is given and regions say
 * otherwise, all counts are scaled so that the total is exactly scene->particles (largest remainders).
 * Errors: SCENE_TOO_LARGE above PD_MAX_PARTICLES, OUT_OF_MEMORY. */
pd_result pd_regions_counts(const pd_scene *scene, int *counts, int *total, pd_error *error);

#endif
