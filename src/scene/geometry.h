/* Areas and containment of a scene's shapes. */
#ifndef PUDDLE_SCENE_GEOMETRY_H
#define PUDDLE_SCENE_GEOMETRY_H

#include <puddle/scene.h>

/* Half of the width and height, m. */
pd_vec2 pd_region_half_size(const pd_region *region);
/* m^2 */
double pd_region_area(const pd_region *region);
/* True if no part of the region lies inside the container. */
bool pd_region_outside(const pd_region *region, const pd_container *container);
/* True if the obstacle covers the whole region at time 0. For an ellipse in a circle its bounding rectangle counts;
 * false for polylines. */
bool pd_region_covered(const pd_region *region, const pd_obstacle *obstacle);
bool pd_region_contains(const pd_region *region, pd_vec2 point);
/* The part of a square cell around `center` that lies in a region, 0 .. 1, from 4 x 4 samples. */
float pd_region_cover(const pd_region *region, pd_vec2 center, float cell);

bool pd_drain_contains(const pd_drain *drain, pd_vec2 point);

#endif
