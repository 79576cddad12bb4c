/* How many particles a scene starts with. */
#ifndef PUDDLE_SCENE_CONTENT_COUNTS_H
#define PUDDLE_SCENE_CONTENT_COUNTS_H

#include <puddle/scene.h>

/* The number of particles of each region (counts: one int per region), and their total. A region with count or spacing
 * has that count, or one particle per spacing^2 of its area. The others share the rest of scene->particles (of 1500
 * when that is 0) in proportion to their areas; if there is no rest, they get as many particles per area as the regions
 * with count or spacing have on average. When scene->particles is given, all numbers are scaled to this total and
 * rounded by the method of largest remainders. Errors: SCENE_TOO_LARGE above PD_MAX_PARTICLES, OUT_OF_MEMORY. */
pd_result pd_regions_counts(const pd_scene *scene, int *counts, int *total, pd_error *error);

/* Scales explicit settings of methods and materials with the resolution like the defaults, so that the fluid stays the
 * same. fineness: ratio of the new spacing to the old one. */
void pd_scene_rescale(pd_scene *scene, double fineness);

#endif
