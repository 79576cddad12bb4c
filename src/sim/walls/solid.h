/* One obstacle or body: shape, pose, and continuous collision detection for moving points.
 *
 * A path is straight in the obstacle's frame: its start is transformed with the pose at the beginning of the substep,
 * its end with the pose at the end. So points do not tunnel at any speed, and the end of one substep is exactly the
 * beginning of the next. All computations are in double precision. */
#ifndef PUDDLE_SIM_WALLS_SOLID_H
#define PUDDLE_SIM_WALLS_SOLID_H

#include "sim/walls/boxtree.h"
#include <puddle/scene.h>
#include <puddle/view.h>

/* Vector in double precision. */
typedef struct pd_double2 {
    double x, y;
} pd_double2;

typedef struct pd_pose {
    pd_double2 center;   /* position of the obstacle's center, m */
    double cosine, sine; /* cosine and sine of the obstacle's angle */
} pd_pose;

/* Straight piece of a polyline: one or more segments that deviate from a line by at most the least contact margin. */
typedef struct pd_chord {
    pd_double2 begin, along; /* along: unit vector from `begin` to the end */
    double length;           /* length, m; 0: a single point */
} pd_chord;

/* Distances to a polygon from the centres of square cells that cover its bounding box, in the polygon's frame. */
typedef struct pd_distance_grid {
    double cell; /* side of a cell, m */
    int columns, rows;
    float *distance; /* by cell, row by row: signed distance, m; negative inside */
} pd_distance_grid;

/* Motion of a body in a substep: poses of pd_area.center at its beginning and end. */
typedef struct pd_solid_motion {
    pd_pose begin, end;
    double rotation; /* angle of rotation in the substep, rad, counterclockwise */
    double angle;    /* angle at the end, rad */
} pd_solid_motion;

typedef struct pd_solid {
    pd_obstacle
        obstacle;    /* copy of the scene's obstacle, or one at rest with the area of a body; with its own points */
    bool is_body;    /* the solid is a body: its motion is given */
    double angle;    /* body: angle at the end of the substep, degrees */
    double radius;   /* circle: radius, m; polyline: half the thickness, m; polygon: 0 */
    pd_double2 half; /* box: half the sides, m */
    double extent;   /* greatest distance from the center to a point of the solid, m */
    /* Contact margin, m: particles are moved this far outside, so that rounding does not move them inside. */
    double margin;
    double least_margin; /* lower bound of `margin`, which applies near the origin, m */
    double shift;        /* upper bound of the displacement of any point of the solid in the substep, m */
    /* Displacement by a tool from the path of motion in the scene, at the beginning and the end of the substep, m. */
    pd_double2 begin_offset, end_offset;
    double rotation;                 /* angle of rotation in the substep, rad, counterclockwise */
    pd_pose begin, end;              /* pose at the beginning and end of the substep */
    pd_double2 velocity;             /* velocity of the center in the last substep, m/s; NAN: there was no substep */
    pd_double2 velocity_before_step; /* `velocity` at the beginning of the step */
    /* Members for polylines and polygons, in the solid's frame. Contacts use the segments. Wall weights of polylines
     * (sim/walls/walls.h) use the chords, since a drawn wall has many segments much shorter than the kernel radius. */
    pd_box bounds;                   /* bounding box of the points */
    pd_boxtree segments, chord_tree; /* bounding-box trees over the segments, over `chords` */
    pd_chord *chords;                /* polyline: its straight pieces (pd_chord) */
    int chord_count;                 /* number of elements of `chords` */
    /* Members for polygons (sim/walls/polygon.h). */
    int (*triangles)[3];     /* indices of each triangle's points; there are point_count - 2 triangles */
    struct pd_inset *insets; /* by point: how it moves when the outline is moved inwards */
    pd_distance_grid grid;
    double winding; /* 1: points are counterclockwise; -1: clockwise */
} pd_solid;

/* Contact of a path with the surface, in the solid's frame. */
typedef struct pd_touch {
    double fraction;          /* position of the contact on the path: 0 at its start, 1 at its end */
    double depth;             /* depth of the path's start below the surface, m; 0: the start is outside */
    pd_double2 point, normal; /* contact on the surface, m; normal there, out of the solid */
} pd_touch;

/* Initializes a solid with a copy of the obstacle. least_margin: pd_solid.least_margin. Free with
 * pd_solid_free. */
void pd_solid_init(pd_solid *solid, const pd_obstacle *obstacle, double least_margin);
void pd_solid_free(pd_solid *solid);
/* Sets the poses of a substep from begin_time to end_time (s). Sets *swept to the bounding box of the solid during the
 * substep, widened by twice the contact margin. */
void pd_solid_move(pd_solid *solid, double begin_time, double end_time, pd_box *swept);
/* Does the same for a body with the given motion in `seconds`. */
void pd_solid_move_body(pd_solid *solid, const pd_solid_motion *motion, double seconds, pd_box *swept);
/* Returns whether the solid's angle may change. */
bool pd_solid_may_turn(const pd_solid *solid);
/* Sets *view to the solid's shape for drawing: its center at the end of the substep, its angle at `time` (s). */
void pd_solid_get_area(const pd_solid *solid, double time, pd_area *view);
/* Returns the greatest speed of the solid's points on the scene's path, m/s. */
double pd_solid_max_speed(const pd_solid *solid);
/* Return the number of segments of a polyline or polygon, and the ends of a segment in the solid's frame. A polyline of one
 * point has one segment. */
int pd_solid_segment_count(const pd_solid *solid);
void pd_solid_get_segment_ends(const pd_solid *solid, int segment, pd_double2 *a, pd_double2 *b);
/* Returns a box in the solid's frame at the end of the substep that contains *box (in the world's frame), widened by
 * `margin` (m). */
pd_box pd_solid_box_to_local(const pd_solid *solid, const pd_box *box, double margin);
/* Returns a lower bound of the distance (m) from a point in the solid's frame to the solid. Cost: O(1). */
double pd_solid_least_distance(const pd_solid *solid, pd_double2 local_point);
/* Returns false if no point in *box comes within `reach` (m) of the solid during the substep. The pose may be extrapolated
 * by `ahead` substeps from the end of the substep. Cost: O(1) if the solid moves, otherwise O(log points). */
bool pd_solid_may_be_near_box(const pd_solid *solid, const pd_box *box, double reach, double ahead);
/* Returns false if a point that moves from start to end during the substep cannot touch the solid. Cost: O(1). */
bool pd_solid_may_touch_path(const pd_solid *solid, pd_double2 start, pd_double2 end);

/* Finds the first contact of a point that moves from start to end during the substep: the place where the point comes
 * nearer than half a contact margin. A start inside the solid is a contact, unless the path leaves through the nearest
 * side. Returns whether there is a contact. Cost: O(1); polylines and polygons: O(log points) if few segments are near. */
bool pd_solid_find_first_touch(const pd_solid *solid, pd_double2 start, pd_double2 end, pd_touch *touch);
/* Returns the signed distance of a point in the solid's frame (negative inside), and sets *nearest to the nearest point of
 * the surface. For speed, segments of polylines farther away than max_distance (m) may be ignored. The same holds for
 * sides of polygons if the point is outside. Returns INFINITY if all segments are ignored. */
double pd_solid_distance(const pd_solid *solid, pd_double2 local_point, double max_distance, pd_touch *nearest);

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
