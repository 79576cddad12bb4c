/* One obstacle: its shape, where it stands, and how a moving point meets it. The maths is done in double and in the
 * obstacle's own frame, where it rests: a point at the beginning of a substep is seen from the pose at the beginning, a
 * point at the end from the pose at the end, and in between it goes straight. So nothing slips through however fast
 * either moves, and one substep's end is exactly the next one's beginning. */
#ifndef PUDDLE_SIM_SOLID_H
#define PUDDLE_SIM_SOLID_H

#include "sim/boxtree.h"
#include <puddle/scene.h>
#include <puddle/view.h>

typedef struct pd_double2 {
    double x, y;
} pd_double2;

typedef struct pd_pose {
    pd_double2 center;
    double cosine, sine;
} pd_pose;

typedef struct pd_solid {
    pd_obstacle obstacle; /* points: a copy */
    double radius;        /* circle: of the circle; polyline: half the thickness */
    pd_double2 half;      /* box */
    double extent;        /* no point is farther from the center */
    double margin;        /* a point is put this far outside the surface, so that rounding does not put it inside */
    double least_margin;
    double shift;  /* no point of it moved farther during the substep */
    double turned; /* rad, counterclockwise, during the substep */
    pd_pose begin, end;
    pd_boxtree segments; /* polyline, in its own frame */
} pd_solid;

/* A place on the surface, in the solid's own frame. */
typedef struct pd_touch {
    double fraction; /* of the way */
    double depth;    /* m below the surface at the start of the way; 0: it came from outside */
    pd_double2 point, normal;
} pd_touch;

/* Copies the obstacle; least_margin: m. False when there is no memory. Free with pd_solid_free in any case. */
bool pd_solid_init(pd_solid *solid, const pd_obstacle *obstacle, double least_margin);
void pd_solid_free(pd_solid *solid);
/* Sets both poses (s); *swept: the box it stays in, with its contact margin around it. */
void pd_solid_move(pd_solid *solid, double begin, double end, pd_box *swept);
void pd_solid_view(const pd_solid *solid, double time, pd_view_obstacle *view);
/* m/s of its fastest point. */
double pd_solid_speed(const pd_solid *solid);
/* A polyline's segments, in the solid's own frame; a single point is a segment too. */
int pd_solid_segments(const pd_solid *solid);
void pd_solid_segment(const pd_solid *solid, int segment, pd_double2 *a, pd_double2 *b);

/* Does a point that goes from start (at the beginning) to end (at the end) come nearer than half a contact margin? The first such place.
 * A start inside counts, unless the point leaves by the nearest side. Cost: O(1), polylines O(log points) when little is near. */
bool pd_solid_sweep(const pd_solid *solid, pd_double2 start, pd_double2 end, pd_touch *touch);
/* Signed distance of a point in the solid's frame (negative inside), its nearest place on the surface. Polylines of more
 * than a few points are searched only as far as `within`. */
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
