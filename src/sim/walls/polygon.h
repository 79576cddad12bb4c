/* Polygons as obstacles: the signed distance, the outline moved inwards, and what they hide of a kernel's disc.
 * Points p are in the solid's frame. */
#ifndef PUDDLE_SIM_WALLS_POLYGON_H
#define PUDDLE_SIM_WALLS_POLYGON_H

#include "sim/walls/solid.h"

/* Of one corner. Moving it by `depth` times `way` moves both its sides inwards by depth, up to `most`, half way to the other side
 * of the polygon. At corners below 60 degrees `way` is cut to a length of 2. */
typedef struct pd_inset {
    pd_double2 way;
    double most; /* m */
} pd_inset;

/* Fills triangles, insets and winding of a solid whose segments are set; false: no memory. Cost: that of pd_polygon_triangulate. */
bool pd_polygon_build(pd_solid *solid);
/* Whether a point is inside. Cost: O(log points) and the sides right of it. */
bool pd_polygon_contains(const pd_solid *solid, pd_double2 p);
/* pd_solid_distance of a polygon. */
double pd_polygon_distance(const pd_solid *solid, pd_double2 p, double within, pd_touch *nearest);
/* Corner number i (point_count: the first one again), moved inwards by a depth (m) as far as there is room. */
pd_double2 pd_polygon_inset(const pd_solid *solid, int i, double depth);
/* Whether moving both corners of a side inwards keeps it parallel: the polygon is thicker than twice the depth there. */
bool pd_polygon_is_thick(const pd_solid *solid, int side, double depth);

/* What a wall hides of the disc of radius 1 about a point, for the kernels (1 - r)^2 and (1 - r)^3 (smooth: (1 - r^2)^3), each
 * integrated over the disc; x and y: the gradient. */
typedef struct pd_hidden_parts {
    double value[2], x[2], y[2];
} pd_hidden_parts;

/* Of a polygon about a point, in units of h (m); the polygon counts as smaller by `outside` (h) on all sides. Exact: the
 * integral over the polygon is one along its sides, by the divergence theorem. Cost: O(log points), and a logarithm and an arc
 * tangent for each side within reach. */
pd_hidden_parts pd_polygon_hides(const pd_solid *solid, pd_double2 p, double h, double outside, bool smooth);

#endif
