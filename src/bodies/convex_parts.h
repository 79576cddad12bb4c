/* Decomposition of simple polygons into convex parts. */
#ifndef PUDDLE_BODIES_CONVEX_PARTS_H
#define PUDDLE_BODIES_CONVEX_PARTS_H

#include "bodies/shape.h"

/* Divides a simple polygon into convex parts of at most PD_PART_POINTS points, without new points: ear clipping, then
 * removal of diagonals (Hertel, Mehlhorn 1983, "Fast triangulation of simple polygons"; at most four times the least
 * number of parts, if no part reaches PD_PART_POINTS). *parts: array of *part_count parts, relative to `origin`, with
 * memory for one more part; free with pd_memory_free. Returns false if memory runs out. Cost: that of pd_polygon_triangulate, and O(count log count). */
bool pd_convex_parts_create(const pd_vec2 *points, int count, pd_double2 origin, pd_part **parts, int *part_count);

#endif
