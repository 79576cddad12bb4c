/* Polygons: closed outlines of points, in either direction, without holes. Side i joins point i and the next one; the
 * last side ends at the first point. Polylines have no last side. */
#ifndef PUDDLE_SCENE_POLYGON_H
#define PUDDLE_SCENE_POLYGON_H

#include <puddle/scene.h>

/* Returns the area, m^2, positive for counterclockwise points. */
double pd_polygon_area(const pd_vec2 *points, int count);
/* Finds two sides that cross or touch, other than at the common point of adjacent sides. *first <= *second: indices of
 * the sides, equal for a side of length 0. count: at most PD_MAX_POINTS. Cost: O(count log count) if few sides overlap
 * along x, at most O(count^2). */
bool pd_polygon_find_crossing(const pd_vec2 *points, int count, int *first, int *second);
/* Fills a polygon whose sides do not cross with count - 2 counterclockwise triangles, by ear clipping (Meisters 1975,
 * "Polygons have ears"). Cost: O(count) per tested corner. Most outlines test few
 * corners per triangle; spirals are the worst. */
void pd_polygon_triangulate(const pd_vec2 *points, int count, int (*triangles)[3]);
/* Returns whether a polygon, rotated by its angle, wholly contains an area. The area is a circle, box, ellipse, image or
 * list of particles, and has no angle. */
bool pd_polygon_covers(const pd_area *polygon, const pd_area *area);
/* Removes points of a polyline that lie within `tolerance` (m) of the polyline through the remaining points (Ramer 1972, "An
 * iterative procedure for the polygonal approximation of plane curves"). Returns the number of remaining points.
 * Cost: O(count log count), at worst O(count^2). */
int pd_polyline_simplify(pd_vec2 *points, int count, float tolerance);

#endif
