/* Polygons: closed outlines of points, in either direction, without holes. Side i goes from point i to the next one, the last
 * side back to the first point. */
#ifndef PUDDLE_SCENE_POLYGON_H
#define PUDDLE_SCENE_POLYGON_H

#include <puddle/scene.h>

/* m^2: positive where the points go round counterclockwise. */
double pd_polygon_area(const pd_vec2 *points, int count);
/* Whether two sides cross or touch other than where neighbours meet, or a side has no length (then both are that one); *first <=
 * *second. count: at most PD_MAX_POINTS. Cost: O(count log count) where few sides overlap along x, at worst its square. */
bool pd_polygon_crosses(const pd_vec2 *points, int count, int *first, int *second);
/* What is wrong with the points of an area as a polygon, as the text of a message, and the point at fault; false: nothing. */
bool pd_polygon_fault(const pd_area *area, int *point, char *text, size_t size);
/* The indices of count - 2 triangles, counterclockwise, that fill a polygon whose sides do not cross, by cutting off ears (Meisters
 * 1975, "Polygons have ears"). False: no memory. Cost: O(count) for each corner that is tried, few for each triangle of most
 * outlines; spirals are the worst. */
bool pd_polygon_triangulate(const pd_vec2 *points, int count, int (*triangles)[3]);
/* Whether a circle, box, ellipse, image or list of particles that is not turned lies inside a polygon, turned by its angle. */
bool pd_polygon_covers(const pd_area *polygon, const pd_area *area);

#endif
