/* Areas and containment of a scene's shapes. */
#ifndef PUDDLE_SCENE_GEOMETRY_H
#define PUDDLE_SCENE_GEOMETRY_H

#include <puddle/scene.h>

/* Circles, boxes, ellipses and images that are not turned, as regions, drains and changes are; particles by the rectangle
 * around them. */

/* Whether an area is given by points: a polyline or polygon. */
static inline bool pd_area_has_points(const pd_area *area) {
    return area->shape == PD_SHAPE_POLYLINE || area->shape == PD_SHAPE_POLYGON;
}
/* Counterclockwise. */
pd_vec2 pd_rotated(pd_vec2 v, double degrees);
/* Turns an obstacle's area: boxes and polygons have an angle, which is set, of polylines the points are turned. */
void pd_area_turn(pd_area *area, double degrees);
/* Half of the width and height, m. */
pd_vec2 pd_area_half_size(const pd_area *area);
/* m^2 */
double pd_area_size(const pd_area *area);
/* m^2: of a list of particles, what they take at rest. */
double pd_region_size(const pd_region *region);
bool pd_area_contains(const pd_area *area, pd_vec2 point);
/* The pixel of an image at a point: a material, or PD_NO_FLUID, also outside. */
int pd_image_at(const pd_area *image, pd_vec2 point);
/* Whether an area is an image, and some pixel has this material. */
bool pd_image_uses(const pd_area *area, int material);
bool pd_image_is_empty(const pd_area *image);
/* Of the images of all regions together. */
long long pd_image_pixels(const pd_scene *scene);
/* The same of a circle or box, in floats: of drains and changes, for each particle in each step. */
bool pd_zone_contains(const pd_area *zone, pd_vec2 point);
/* The part of a square cell around `center` that lies in an area, 0 .. 1, from 4 x 4 samples. */
float pd_area_cover(const pd_area *area, pd_vec2 center, float cell);
/* True if no part of the area lies inside the container. */
bool pd_area_outside(const pd_area *area, const pd_container *container);
/* True if an obstacle's area covers the whole area at time 0. For an ellipse in a circle its bounding rectangle counts;
 * false for polylines. */
bool pd_area_covered(const pd_area *area, const pd_area *obstacle);

#endif
