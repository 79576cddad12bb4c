/* Shapes of rigid bodies and walls: convex parts, mass and moment of inertia. */
#ifndef PUDDLE_BODIES_SHAPE_H
#define PUDDLE_BODIES_SHAPE_H

#include "sim/walls/solid.h"
#include <math.h>
#include <stdint.h>

enum { PD_PART_POINTS = 8 }; /* most corners of a convex part, as in Box2D */

/* Convex part: a core, widened by `radius` on all sides. The core is a point (disc), a segment (capsule) or a convex
 * polygon. Side k goes from point k to the next point, counterclockwise. A segment has two sides, one for each face. */
typedef struct pd_part {
    int count;                         /* number of points of the core */
    uint32_t inner;                    /* bit k: side k is shared with another part of the shape, and no outline */
    double radius;                     /* radius of the rounded edge, m */
    double half_width;                 /* half the least width of the part, m */
    pd_double2 point[PD_PART_POINTS];  /* points of the core */
    pd_double2 normal[PD_PART_POINTS]; /* by side: unit normal, outwards */
    pd_double2 before[PD_PART_POINTS]; /* by point: point before it on the outline of the shape; itself at a free end */
    pd_double2 after[PD_PART_POINTS];  /* by point: point after it on the outline of the shape; itself at a free end */
} pd_part;

/* A part in the frame of the world or of another shape. */
typedef struct pd_placed_part {
    const pd_part *part;
    pd_pose pose;                                             /* pose of the shape of the part */
    pd_double2 point[PD_PART_POINTS], normal[PD_PART_POINTS]; /* points and normals of the part in this frame */
} pd_placed_part;

/* Shape in its own frame, whose origin is the centroid. */
typedef struct pd_rigid_shape {
    pd_part *parts;       /* parts that cover the shape */
    int part_count;       /* number of elements of `parts` */
    pd_boxtree tree;      /* tree of the parts' boxes */
    pd_double2 centroid;  /* centroid in the frame of the area (origin: pd_area.center), m */
    double area;          /* area, m^2 */
    double second_moment; /* polar second moment of area about the centroid, m^4 */
    double extent;        /* greatest distance of the shape from the centroid, m */
    double core_extent;   /* greatest distance of the parts' cores from the centroid, m */
    double half_width;    /* least pd_part.half_width of all parts, m */
} pd_rigid_shape;

/* Initializes the shape of a circle, box, polyline or polygon. Polylines have at least the radius least_radius (m) for
 * contacts. Their mass is that of the segments' rectangles and of half a disc at each end, so each bend by the angle phi
 * counts r^2 (tan(phi / 2) - phi / 2) too much. Free with pd_rigid_shape_free. */
void pd_rigid_shape_init(pd_rigid_shape *shape, const pd_area *area, double least_radius);
void pd_rigid_shape_free(pd_rigid_shape *shape);
/* Sets *placed to the part in the frame of `pose`, the pose of its shape. */
void pd_part_place(const pd_part *part, const pd_pose *pose, pd_placed_part *placed);
/* Turns a pose about its center by an angle, rad. For small angles, as in a solver step, computes the series of sine and
 * cosine, whose errors are below 1e-17. */
void pd_pose_turn(pd_pose *pose, double angle);
/* Returns a box around points, widened by `margin` (m). */
pd_box pd_box_around(const pd_double2 *points, int count, double margin);

static inline pd_double2 pd_to_double2(pd_vec2 v) { return (pd_double2){v.x, v.y}; }
static inline double pd_cross(pd_double2 a, pd_double2 b) { return a.x * b.y - a.y * b.x; }
static inline double pd_length(pd_double2 v) { return sqrt(pd_dot(v, v)); }
/* Unlike fmin and fmax, these return the same zero for -0 and +0 on every processor. */
static inline double pd_smaller(double a, double b) { return a < b ? a : b; }
static inline double pd_greater(double a, double b) { return a > b ? a : b; }

/* Decomposition of simple polygons into convex parts. */

/* Divides a simple polygon into convex parts of at most PD_PART_POINTS points, without new points: ear clipping, then
 * removal of diagonals (Hertel, Mehlhorn 1983, "Fast triangulation of simple polygons"; at most four times the least
 * number of parts, if no part reaches PD_PART_POINTS). *parts: array of *part_count parts, relative to `origin`, with
 * memory for one more part; free with pd_memory_free. Cost: that of pd_polygon_triangulate, and O(count log count). */
void pd_convex_parts_create(const pd_vec2 *points, int count, pd_double2 origin, pd_part **parts, int *part_count);

#endif
