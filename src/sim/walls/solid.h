/* One obstacle: its shape and pose, and continuous collision detection for moving points. Computed in double precision
 * in the obstacle's frame: the start of a path is transformed by the pose at the beginning of the substep, its end by
 * the pose at the end, and the path between them is straight in this frame. So points do not tunnel at any speed of
 * either, and the end of one substep is exactly the beginning of the next. */
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

/* One or more segments of a polyline that lie on a line, within the least contact margin. */
typedef struct pd_chord {
    pd_double2 begin, along; /* along: unit */
    double length;           /* m; 0: of a single point */
} pd_chord;

typedef struct pd_solid {
    pd_obstacle obstacle; /* points: a copy */
    double radius;        /* of a circle; polyline: half the thickness; polygon: 0 */
    pd_double2 half;      /* of the sides of a box */
    double extent;        /* greatest distance of a point of it from the center */
    double margin; /* contact margin, m: points are put this far outside, so that rounding does not put them inside */
    double least_margin;
    double shift;                        /* m: bound on how far any point of it moves during the substep */
    pd_double2 begin_offset, end_offset; /* m: displacement from the scene's path, at the beginning and the end */
    double turned;                       /* rad, counterclockwise, during the substep */
    pd_pose begin, end;
    pd_double2 velocity; /* m/s: of the centre, in the last substep of a length above 0; NAN: there was none */
    pd_double2 velocity_before_step;
    /* Of a polyline or polygon, in its own frame. The chords, of polylines alone, are for what it hides (sim/walls/walls.h): a
     * drawn wall has many segments that are much shorter than h. Contacts are with the segments. */
    pd_box bounds; /* of its points */
    pd_boxtree segments, chord_tree;
    pd_chord *chords;
    int chord_count;
    /* Of a polygon (sim/walls/polygon.h). */
    int (*triangles)[3];     /* indices of points; point_count - 2 of them fill it */
    struct pd_inset *insets; /* by point */
    double winding;          /* 1: the points go round counterclockwise; -1: clockwise */
} pd_solid;

/* A contact on the surface, in the solid's frame. */
typedef struct pd_touch {
    double fraction; /* of the path */
    double depth;    /* m: of the path's start below the surface; 0: the start is outside */
    pd_double2 point, normal;
} pd_touch;

/* Copies the obstacle; least_margin: m. False when there is no memory. Free with pd_solid_free in any case. */
bool pd_solid_init(pd_solid *solid, const pd_obstacle *obstacle, double least_margin);
void pd_solid_free(pd_solid *solid);
/* Sets both poses; begin, end: times, s. *swept: bounding box of the solid during the substep, with its contact
 * margin. */
void pd_solid_move(pd_solid *solid, double begin, double end, pd_box *swept);
void pd_solid_view(const pd_solid *solid, double time, pd_area *view);
/* The speed of its fastest point, m/s. */
double pd_solid_speed(const pd_solid *solid);
/* The segments of a polyline or polygon, in the solid's own frame; a single point is a segment too. */
int pd_solid_segments(const pd_solid *solid);
void pd_solid_segment(const pd_solid *solid, int segment, pd_double2 *a, pd_double2 *b);
/* For a solid that does not move in this substep: a box in its frame that holds a box of the world, widened by `by` (m). */
pd_box pd_solid_local_box(const pd_solid *solid, const pd_box *box, double by);
/* False when the solid is certainly not within reach of paths in a box that touches its swept box: tells curved walls from
 * the boxes about them. */
bool pd_solid_touches(const pd_solid *solid, const pd_box *box);

/* Whether a point moving from start (at the beginning of the substep) to end (at its end) comes nearer than half a
 * contact margin, and the first such contact. A start inside is a contact, unless the path leaves through the nearest
 * side. Cost: O(1); polylines and polygons: O(log points) when few segments are near. */
bool pd_solid_sweep(const pd_solid *solid, pd_double2 start, pd_double2 end, pd_touch *touch);
/* Signed distance of a point in the solid's frame (negative inside), and the nearest point of the surface. Of a
 * polyline, or a polygon from outside, segments farther than `within` may be ignored: INFINITY when all are. */
double pd_solid_distance(const pd_solid *solid, pd_double2 local, double within, pd_touch *nearest);

static inline pd_double2 pd_to_local(const pd_pose *pose, pd_double2 p) {
    double x = p.x - pose->center.x, y = p.y - pose->center.y;
    return (pd_double2){pose->cosine * x + pose->sine * y, pose->cosine * y - pose->sine * x};
}

static inline pd_double2 pd_turned(const pd_pose *pose, pd_double2 v) {
    return (pd_double2){pose->cosine * v.x - pose->sine * v.y, pose->cosine * v.y + pose->sine * v.x};
}

static inline pd_double2 pd_to_world(const pd_pose *pose, pd_double2 p) {
    pd_double2 turned = pd_turned(pose, p);
    return (pd_double2){turned.x + pose->center.x, turned.y + pose->center.y};
}

static inline double pd_dot(pd_double2 a, pd_double2 b) { return a.x * b.x + a.y * b.y; }
static inline pd_double2 pd_minus(pd_double2 a, pd_double2 b) { return (pd_double2){a.x - b.x, a.y - b.y}; }
/* a + t b */
static inline pd_double2 pd_along(pd_double2 a, double t, pd_double2 b) {
    return (pd_double2){a.x + t * b.x, a.y + t * b.y};
}

#endif
