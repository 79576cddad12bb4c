/* Initial numbers of particles in regions, and the scaling of settings with the resolution. */
#ifndef PUDDLE_SCENE_CONTENT_COUNTS_H
#define PUDDLE_SCENE_CONTENT_COUNTS_H

#include <puddle/scene.h>

/* Computes the number of particles of each region (counts: one int per region, or NULL) and their total. Errors: SCENE_TOO_LARGE
 * above PD_MAX_PARTICLES.
 * - A region with `count` gets this number, one with `spacing` area / spacing^2.
 * - Other regions share the rest of scene->particles (default 1500) in proportion to their areas. If no rest is left,
 *   their particles per area are the average of the regions with count or spacing.
 * - If scene->particles is given, all numbers are scaled to this total and rounded by the method of largest
 *   remainders. */
pd_result pd_regions_compute_particle_counts(const pd_scene *scene, int *counts, int *total, pd_error *error);

/* Scales the parameters and material properties that a scene sets, by the powers with which their defaults scale with
 * the resolution. The fluid then behaves the same. spacing_ratio: new particle spacing / old particle spacing. */
void pd_scene_scale_settings(pd_scene *scene, double spacing_ratio);

#endif
