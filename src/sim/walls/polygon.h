/* Polygons as obstacles: signed distance, outline moved inwards, and hidden shares of kernels (sim/walls/walls.h). Points
 * are in the solid's frame. */
#ifndef PUDDLE_SIM_WALLS_POLYGON_H
#define PUDDLE_SIM_WALLS_POLYGON_H

#include "sim/walls/solid.h"

/* How a corner moves when the outline is moved inwards. If both sides at the corner move inwards by `depth` (m), the
 * corner moves by depth x shift_per_depth. */
typedef struct pd_inset {
    /* Displacement of the corner / depth; length 1 to 2, and 2 at corners below 60 degrees. */
    pd_double2 shift_per_depth;
    double greatest_depth; /* depth at which the corner has moved half way to the opposite side, m */
} pd_inset;

/* Sets triangles, insets and winding of a polygon whose tree of segments is built. Cost: that of
 * pd_polygon_triangulate. */
void pd_polygon_prepare_solid(pd_solid *solid);
/* Returns a lower bound of the signed distance from p, m. Cost: O(1). */
double pd_polygon_least_distance(const pd_solid *solid, pd_double2 p);
/* Returns whether a point is inside the polygon. Cost: O(log points + sides to the right of the point). */
bool pd_polygon_contains(const pd_solid *solid, pd_double2 p);
/* pd_solid_distance for solids that are polygons. */
double pd_polygon_distance(const pd_solid *solid, pd_double2 p, double max_distance, pd_touch *nearest);
/* Returns the position of a corner when the outline is moved inwards by min(depth, pd_inset.greatest_depth), m. corner =
 * point_count means corner 0. */
pd_double2 pd_polygon_inset_corner(const pd_solid *solid, int corner, double depth);
/* Returns whether the polygon is thicker than 2 x depth (m) at a side. The side then remains parallel to itself when the
 * outline is moved inwards by `depth`. */
bool pd_polygon_is_thick_at_side(const pd_solid *solid, int side, double depth);

/* Returns how often the polygon's outline, moved inwards by `depth` (m), turns around a point: 1 inside, 0 outside. Cost:
 * O(log points + sides to the right of the point). */
int pd_polygon_count_inset_turns(const pd_solid *solid, pd_double2 p, double depth);

enum { PD_POLYGON_GROUP = 8 }; /* number of points for which shares are computed at once */

/* Shares of two kernels that lie inside a polygon, and their gradients (x, y), 1/h, for each point of a group. First index: 0
 * kernel (1 - r)^2, with r = distance / kernel radius; 1 kernel (1 - r)^3, or (1 - r^2)^3 if `smooth` is true. */
typedef struct pd_polygon_shares {
    double value[2][PD_POLYGON_GROUP], x[2][PD_POLYGON_GROUP], y[2][PD_POLYGON_GROUP];
} pd_polygon_shares;

/* Computes the shares of kernels of radius h (m) around the points (x, y) of a group that lie inside a polygon. The polygon is
 * treated as smaller by outside x h on all sides. near: by point: 0: the shares are set to 0, 1: they are computed. Exact:
 * the divergence theorem turns the integrals over the area into integrals along the sides. Cost: O(log points), and for each
 * side within reach of a point about 150 operations, for all points at once. */
typedef void pd_polygon_hidden_shares(const pd_solid *solid, const double *x, const double *y, const double *near,
                                      double h, double outside, bool smooth, pd_polygon_shares *shares);
extern pd_polygon_hidden_shares pd_polygon_compute_hidden_shares_baseline, pd_polygon_compute_hidden_shares_avx2,
    pd_polygon_compute_hidden_shares_avx512;

#endif
