/* Geometry of a scene's areas: sizes and containment. */
#ifndef PUDDLE_SCENE_GEOMETRY_H
#define PUDDLE_SCENE_GEOMETRY_H

#include <puddle/scene.h>

/* Unless a comment says otherwise, functions accept areas of regions, drains and changes. These are circles, boxes,
 * ellipses and images without an angle, and bounding boxes of listed particles. */

/* Returns whether an area is a polyline or polygon. */
static inline bool pd_area_has_points(const pd_area *area) {
    return area->shape == PD_SHAPE_POLYLINE || area->shape == PD_SHAPE_POLYGON;
}
/* Returns the vector v rotated counterclockwise. */
pd_vec2 pd_rotate(pd_vec2 v, double degrees);
/* Turns an obstacle about its centre: sets the angle of a box or polygon to `degrees`, and rotates the points of a
 * polyline. */
void pd_area_rotate(pd_area *area, double degrees);
/* Returns half the width and half the height of an area, m. */
pd_vec2 pd_area_half_size(const pd_area *area);
/* Returns the area, m^2. Pixels of an image without fluid do not count. */
double pd_area_square_metres(const pd_area *area);
/* Returns a region's area, m^2. For a list of particles: number of particles x spacing^2, their area at rest. */
double pd_region_square_metres(const pd_region *region);
/* Returns the area of a container, m^2. INFINITY: it has no walls. */
double pd_container_square_metres(const pd_container *container);
bool pd_area_contains_point(const pd_area *area, pd_vec2 point);
/* Returns an image's pixel at a point: the index of a material, or PD_NO_FLUID. Outside of the image: PD_NO_FLUID. */
int pd_image_pixel_at(const pd_area *image, pd_vec2 point);
/* Returns whether an area is an image that has a pixel of this material. */
bool pd_image_has_material(const pd_area *area, int material);
bool pd_image_is_empty(const pd_area *image);
/* Returns the number of pixels in the images of all regions. */
long long pd_scene_image_pixel_count(const pd_scene *scene);
/* Returns whether a drain or a change (circle or box) contains a point. Computed in single precision, for each particle
 * in each step. */
bool pd_zone_contains_point(const pd_area *zone, pd_vec2 point);
/* Returns the fraction (0 .. 1) of a square cell that an area covers, from 4 x 4 samples. cell_size: side of the
 * cell, m. */
float pd_area_fraction_in_cell(const pd_area *area, pd_vec2 center, float cell_size);
/* Returns whether an area is wholly outside the container. */
bool pd_area_is_outside_container(const pd_area *area, const pd_container *container);
/* Returns whether an obstacle wholly covers an area at time 0. The obstacle is a circle, box or polygon, also a rotated
 * one; false for other shapes. In a circular obstacle, the bounding box of an elliptical area is tested. */
bool pd_area_is_covered_by_obstacle(const pd_area *area, const pd_area *obstacle);

/* Bounding box, m. */
typedef struct pd_extent {
    pd_vec2 low, high; /* lower left and upper right corner */
} pd_extent;

/* Finds the bounding box of the scene's regions, which also are pictures and listed particles. Without regions: the box of
 * the vortons and obstacles (angles of boxes do not count), since the flow around both is the scene's content. Without both: the box of the emitters' positions. Returns false, and does not set *extent, if the
 * scene has none of them. */
bool pd_scene_find_fluid_extent(const pd_scene *scene, pd_extent *extent);

#endif
