/* Polygons as obstacles: signed distance, outline moved inwards, and shares of a kernel that a polygon hides
 * (sim/walls/walls.h). Points are in the solid's frame. */
#ifndef PUDDLE_SIM_WALLS_POLYGON_H
#define PUDDLE_SIM_WALLS_POLYGON_H

#include "sim/walls/solid.h"

/* Motion of a corner inwards: a displacement by depth x shift_per_depth moves both sides at the corner inwards by `depth`
 * (m). */
typedef struct pd_inset {
    pd_double2
        shift_per_depth;   /* displacement of the corner / depth; length 1 to 2, and 2 at corners below 60 degrees */
    double greatest_depth; /* m: half the distance to the opposite side / length of shift_per_depth */
} pd_inset;

/* Sets triangles, insets and winding of a polygon whose tree of segments is built. Returns false if memory runs out.
 * Cost: that of pd_polygon_triangulate. */
bool pd_polygon_prepare_solid(pd_solid *solid);
/* Returns whether a point is inside the polygon. Cost: O(log points + sides to the right of the point). */
bool pd_polygon_contains(const pd_solid *solid, pd_double2 p);
/* Computes pd_solid_distance of a polygon. */
double pd_polygon_distance(const pd_solid *solid, pd_double2 p, double max_distance, pd_touch *nearest);
/* Returns corner i, moved inwards by min(depth, pd_inset.greatest_depth), m. i = point_count means corner 0. */
pd_double2 pd_polygon_inset_corner(const pd_solid *solid, int corner, double depth);
/* Returns whether the polygon is thicker than 2 x depth at a side. The side then remains parallel to itself when its corners
 * move inwards by `depth` (m). */
bool pd_polygon_is_thick_at_side(const pd_solid *solid, int side, double depth);

/* Shares of two kernels that a wall hides, where r = distance / kernel radius < 1.
 * Index 0: kernel (1 - r)^2. Index 1: kernel (1 - r)^3, or (1 - r^2)^3 if `smooth_near_kernel` is set. */
typedef struct pd_hidden_parts {
    double value[2], x[2], y[2]; /* hidden share by kernel, and components of the share's gradient */
} pd_hidden_parts;

/* Returns the shares of kernels of radius h (m) about p that a polygon hides. Gradients are in 1/h. The polygon counts as
 * smaller by outside x h on all sides. Exact: the divergence theorem turns the area integral into integrals along the sides.
 * Cost: O(log points), and a logarithm and an arc tangent for each side within reach. */
pd_hidden_parts pd_polygon_compute_hidden_shares(const pd_solid *solid, pd_double2 p, double h, double outside,
                                                 bool smooth_near_kernel);

#endif
