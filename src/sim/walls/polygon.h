/* Polygons as obstacles: signed distance, outline moved inwards, hidden shares of a kernel. Points p are in the solid's
 * frame. */
#ifndef PUDDLE_SIM_WALLS_POLYGON_H
#define PUDDLE_SIM_WALLS_POLYGON_H

#include "sim/walls/solid.h"

/* Motion of a corner inwards. Moving the corner by depth x way moves both its sides inwards by depth, which is at most
 * `most`: half the distance to the opposite side. At corners below 60 degrees `way` has the length 2. */
typedef struct pd_inset {
    pd_double2 way;
    double most; /* greatest depth, m */
} pd_inset;

/* Sets triangles, insets and winding of a solid with segments. Returns false if memory runs out. Cost: that of
 * pd_polygon_triangulate. */
bool pd_polygon_build(pd_solid *solid);
/* Returns whether a point is inside. Cost: O(log points + sides to the right of the point). */
bool pd_polygon_contains(const pd_solid *solid, pd_double2 p);
double pd_polygon_distance(const pd_solid *solid, pd_double2 p, double within, pd_touch *nearest);
/* Returns corner i (point_count: corner 0), moved inwards by a depth (m) within its limit. */
pd_double2 pd_polygon_inset(const pd_solid *solid, int i, double depth);
/* Returns whether a side remains parallel when both its corners move inwards: there the polygon is thicker than twice
 * the depth. */
bool pd_polygon_is_thick(const pd_solid *solid, int side, double depth);

/* Shares of a kernel's disc of radius 1 that a wall hides, for the kernels (1 - r)^2 and (1 - r)^3 (smooth: (1 -
 * r^2)^3). x, y: gradient. */
typedef struct pd_hidden_parts {
    double value[2], x[2], y[2];
} pd_hidden_parts;

/* Returns the shares that a polygon hides around a point, in units of h (m). The polygon counts as smaller by `outside`
 * (h) on all sides. Exact: the divergence theorem turns the area integral into one along the sides. Cost: O(log
 * points), and a logarithm and an arc tangent for each side within reach. */
pd_hidden_parts pd_polygon_hidden_shares(const pd_solid *solid, pd_double2 p, double h, double outside, bool smooth);

#endif
