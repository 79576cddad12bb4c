/* One obstacle: shape, pose, and continuous collision detection for moving points.
 *
 * A path is straight in the obstacle's frame: its start is transformed with the pose at the beginning of the substep,
 * its end with the pose at the end. So points do not tunnel at any speed, and the end of one substep is exactly the
 * beginning of the next. Computed in double precision. */
#ifndef PUDDLE_SIM_WALLS_SOLID_H
#define PUDDLE_SIM_WALLS_SOLID_H

#include "sim/walls/boxtree.h"
#include <puddle/scene.h>
#include <puddle/view.h>

typedef struct pd_double2 {
    double x, y;
} pd_double2;

typedef struct pd_pose {
    pd_double2 center;
    double cosine, sine;
} pd_pose;

/* Straight piece of a polyline: one or more segments that deviate from a line by at most the least contact margin. */
typedef struct pd_chord {
    pd_double2 begin, along; /* along: unit vector from `begin` to the end */
    double length;           /* length, m; 0: a single point */
} pd_chord;

typedef struct pd_solid {
    pd_obstacle obstacle; /* copy of the scene's obstacle, with its own points */
    double radius;        /* circle: radius; polyline: half the thickness; polygon: 0 */
    pd_double2 half;      /* box: half the sides */
    double extent;        /* greatest distance of its points from the center, m */
    double margin; /* contact margin, m: points are put this far outside, so that rounding cannot put them inside */
    double least_margin;                 /* contact margin of a solid near the origin, m */
    double shift;                        /* upper bound of the displacement of its points in the substep, m */
    pd_double2 begin_offset, end_offset; /* displacements from the scene's path at begin and end of the substep, m */
    double turned;                       /* rotation in the substep, rad, counterclockwise */
    pd_pose begin, end;                  /* poses at begin and end of the substep */
    pd_double2 velocity;             /* velocity of the center in the last substep, m/s; NAN: there was no substep */
    pd_double2 velocity_before_step; /* `velocity` at the beginning of the step */
    /* Polylines and polygons, in the solid's frame. Contacts use the segments. Wall weights (sim/walls/walls.h) of
     * polylines use the chords, since a drawn wall has many segments much shorter than h. */
    pd_box bounds; /* bounding box of the points */
    pd_boxtree segments, chord_tree;
    pd_chord *chords;
    int chord_count;
    /* Polygons (sim/walls/polygon.h). */
    int (*triangles)[3];     /* indices of each triangle's points; there are point_count - 2 triangles */
    struct pd_inset *insets; /* by point */
    double winding;          /* 1: points are counterclockwise; -1: clockwise */
} pd_solid;

/* A contact on the surface, in the solid's frame. */
typedef struct pd_touch {
    double fraction; /* position on the path, [0, 1] */
    double depth;    /* depth of the path's start below the surface, m; 0: the start is outside */
    pd_double2 point, normal;
} pd_touch;

/* Initializes a solid with a copy of the obstacle. least_margin: m. Returns false if memory runs out. Call pd_solid_free
 * in any case. */
bool pd_solid_init(pd_solid *solid, const pd_obstacle *obstacle, double least_margin);
void pd_solid_free(pd_solid *solid);
/* Sets the poses of a substep from time `begin` to `end` (s). *swept: bounding box of the solid during the substep, with
 * its contact margin. */
void pd_solid_move(pd_solid *solid, double begin_time, double end_time, pd_box *swept);
/* Sets *view to the solid's shape and pose at `time` (s). */
void pd_solid_get_area(const pd_solid *solid, double time, pd_area *view);
/* Returns the speed of its fastest point, m/s. */
double pd_solid_max_speed(const pd_solid *solid);
/* Return number and ends of the segments of a polyline or polygon, in the solid's frame. A single point has one segment. */
int pd_solid_segment_count(const pd_solid *solid);
void pd_solid_segment_ends(const pd_solid *solid, int segment, pd_double2 *a, pd_double2 *b);
/* Returns a box in the frame of a solid at rest that contains *box (in the world's frame), widened by `by` (m). */
pd_box pd_solid_box_to_local(const pd_solid *solid, const pd_box *box, double margin);
/* Returns false if no path within *box can touch the solid. Unlike the overlap of boxes, this tests the outline of
 * polylines and polygons. Call if *box overlaps the solid's swept box. */
bool pd_solid_may_touch_box(const pd_solid *solid, const pd_box *box);

/* Finds the first contact of a point that moves from start to end during the substep: where it comes nearer than half a
 * contact margin. A start inside the solid is a contact, unless the path leaves through the nearest side. Returns
 * whether there is a contact. Cost: O(1); polylines and polygons: O(log points) if few segments are near. */
bool pd_solid_sweep(const pd_solid *solid, pd_double2 start, pd_double2 end, pd_touch *touch);
/* Returns the signed distance of a point in the solid's frame (negative inside), and the nearest point of the surface.
 * For speed, segments of a polyline farther away than `within` (m) may be ignored; also those of a polygon, if the point
 * is outside. Returns INFINITY if all are ignored. */
double pd_solid_distance(const pd_solid *solid, pd_double2 local_point, double within, pd_touch *nearest);

static inline pd_double2 pd_pose_to_local(const pd_pose *pose, pd_double2 p) {
    double x = p.x - pose->center.x, y = p.y - pose->center.y;
    return (pd_double2){pose->cosine * x + pose->sine * y, pose->cosine * y - pose->sine * x};
}

static inline pd_double2 pd_pose_rotate(const pd_pose *pose, pd_double2 v) {
    return (pd_double2){pose->cosine * v.x - pose->sine * v.y, pose->cosine * v.y + pose->sine * v.x};
}

static inline pd_double2 pd_pose_to_world(const pd_pose *pose, pd_double2 p) {
    pd_double2 turned = pd_pose_rotate(pose, p);
    return (pd_double2){turned.x + pose->center.x, turned.y + pose->center.y};
}

static inline double pd_dot(pd_double2 a, pd_double2 b) { return a.x * b.x + a.y * b.y; }
static inline pd_double2 pd_minus(pd_double2 a, pd_double2 b) { return (pd_double2){a.x - b.x, a.y - b.y}; }
/* Returns a + t b. */
static inline pd_double2 pd_add_scaled(pd_double2 a, double t, pd_double2 b) {
    return (pd_double2){a.x + t * b.x, a.y + t * b.y};
}

#endif
