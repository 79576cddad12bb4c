/* Continuous collision detection by conservative advancement (Mirtich 1996, "Impulse-based dynamic simulation of rigid body
 * systems"): a body may move by its distance from another one along the separating direction, again and again.
 *
 * The path of a body is straight in the other mover's frame, as paths of particles are in the frames of obstacles
 * (sim/walls/solid.h). A body that stops is carried along with the other one until the end of the step. */
#include "bodies/continuous.h"

#include "bodies/joints.h"
#include "bodies/manifold.h"

static const double FAST = 0.25; /* motion of a fast body in half widths */
/* Overlap at which a body stops, in half widths. Above 0, so that bodies slide along walls without stopping. */
static const double OVERLAP = 0.1;

/* Path of a mover in the frame of another one. */
typedef struct path {
    pd_pose begin;                 /* pose at the beginning */
    pd_double2 way;                /* displacement of the centroid, m */
    double turned;                 /* angle of rotation, rad */
    double reach;                  /* greatest distance of a core from the centroid, m */
    const pd_container *container; /* the other mover, if it is the container; NULL: it has a shape */
    double slop;                   /* pd_bodies.slop */
    const pd_bodies *hinged;       /* all bodies, if a body hinged to the world moves against a wall; else NULL */
    int body;                      /* hinged: index of the body that moves */
} path;

static pd_pose compute_end(const pd_mover *mover) {
    pd_pose end = {mover->end, mover->pose.cosine, mover->pose.sine};
    pd_pose_turn(&end, mover->turned);
    return end;
}

static path compute_path(const pd_bodies *bodies, const pd_mover *mover, const pd_mover *other) {
    const pd_pose *a = &mover->pose, *b = &other->pose;
    pd_pose end = compute_end(other);
    path p = {.turned = mover->turned - other->turned, .reach = mover->shape->core_extent, .slop = bodies->slop};
    p.begin.center = pd_pose_to_local(b, a->center);
    p.begin.cosine = a->cosine * b->cosine + a->sine * b->sine;
    p.begin.sine = a->sine * b->cosine - a->cosine * b->sine;
    p.way = pd_minus(pd_pose_to_local(&end, mover->end), p.begin.center);
    p.container = other->shape ? NULL : &bodies->container;
    p.body = (int)(mover - bodies->movers);
    if (mover->hinged && other - bodies->movers >= bodies->body_count) p.hinged = bodies;
    return p;
}

static pd_pose compute_pose_on_path(const path *p, double fraction) {
    pd_pose pose = {pd_add_scaled(p->begin.center, fraction, p->way), p->begin.cosine, p->begin.sine};
    pd_pose_turn(&pose, fraction * p->turned);
    return pose;
}

/* Returns the separation at which a part stops, m, if it is `separation` at the beginning. A part that overlaps already may
 * overlap a little more, but not so much that it comes out on the other side. On a round container, whose inside is concave,
 * straight paths along the wall end outside by way^2 / (2 radius). */
static double compute_target(const path *p, const pd_part *part, const pd_part *other, double separation) {
    double bend = 0.0, target = -OVERLAP * part->half_width;
    double deepest = -0.5 * (part->half_width + (other ? other->half_width : part->half_width));
    if (!other && p->container->shape == PD_CONTAINER_CIRCLE)
        bend = pd_dot(p->way, p->way) / (2.0 * p->container->radius);
    target = pd_smaller(target - bend, separation - 0.5 * p->slop);
    return target >= deepest - bend ? target : pd_smaller(deepest - bend, separation);
}

/* Search for the end of a part's motion. */
typedef struct advance {
    double target; /* separation at which the part stops, m */
    double rest;   /* remaining fraction of the path */
    double least;  /* fraction of the path for which the part may move on */
    double gap;    /* distance from the target of the point that limits `least`, m */
    bool surface;  /* false: the separating side is an inner side of the other shape */
} advance;

/* Lowers a->least to the fraction for which a point of the part may move on, if it is `distance` in front of a plane.
 * Rotation by the angle t bends its path by at most t^2 reach / 2. */
static void limit_advance(const path *p, const pd_placed_part *moved, int point, double distance, pd_double2 normal,
                          advance *a) {
    if (p->hinged && pd_bodies_is_at_world_hinge(p->hinged, p->body, moved->part->point[point])) return;
    pd_double2 arm = pd_minus(moved->point[point], moved->pose.center);
    double approach =
        pd_dot(p->way, normal) + p->turned * pd_cross(arm, normal) + 0.5 * p->turned * p->turned * p->reach * a->rest;
    double gap = distance - a->target, least = approach > 0.0 ? pd_greater(gap, 0.0) / approach : INFINITY;
    if (least >= a->least) return;
    a->least = least;
    a->gap = gap;
}

/* Sets a->least for the pose *moved of a part. */
static void compute_advance(const path *p, const pd_placed_part *moved, const pd_placed_part *other, advance *a) {
    int count = moved->part->count;
    a->least = INFINITY;
    a->surface = true;
    if (!other) {
        pd_double2 normal;
        for (int k = 0; k < count; k++)
            for (int side = 0; side < pd_container_side_count(p->container); side++) {
                double distance = pd_distance_to_side(p->container, side, moved->point[k], &normal);
                limit_advance(p, moved, k, distance - moved->part->radius, normal, a);
            }
        return;
    }
    pd_separation s = pd_separation_of_parts(moved, other);
    double nearest = -INFINITY;
    for (int k = 0; k < count; k++) nearest = pd_greater(nearest, pd_dot(moved->point[k], s.normal));
    for (int k = 0; k < count; k++)
        limit_advance(p, moved, k, s.distance + nearest - pd_dot(moved->point[k], s.normal), s.normal, a);
    a->surface = s.outline;
}

static double compute_separation(const path *p, const pd_placed_part *moved, const pd_placed_part *other) {
    pd_double2 normal;
    double least = INFINITY;
    if (other) return pd_separation_of_parts(moved, other).distance;
    for (int k = 0; k < moved->part->count; k++)
        for (int side = 0; side < pd_container_side_count(p->container); side++)
            least = pd_smaller(least, pd_distance_to_side(p->container, side, moved->point[k], &normal));
    return least - moved->part->radius;
}

/* Returns the fraction of the path at which a part stops at another part, or `limit` if it does not stop before. */
static double find_stop(const path *p, const pd_part *part, const pd_part *other, double limit) {
    enum { ITERATIONS = 32 };
    static const pd_pose own_frame = {{0.0, 0.0}, 1.0, 0.0};
    pd_placed_part moved, placed, *to = other ? &placed : NULL;
    double fraction = 0.0;
    advance a = {0};
    if (other) pd_part_place(other, &own_frame, &placed);
    for (int i = 0; i < ITERATIONS; i++) {
        pd_pose pose = compute_pose_on_path(p, fraction);
        pd_part_place(part, &pose, &moved);
        if (i == 0) a.target = compute_target(p, part, other, compute_separation(p, &moved, to));
        a.rest = limit - fraction;
        compute_advance(p, &moved, to, &a);
        if (a.least >= a.rest) return limit;
        /* Through an inner side a body comes from a neighbouring part of the same shape. */
        if (a.gap <= 0.1 * p->slop) return a.surface ? fraction : limit;
        fraction += a.least;
    }
    return fraction;
}

/* Returns the fraction of its path at which a mover stops at another mover, or `limit`. */
static double find_stop_of_movers(const pd_mover *mover, const pd_mover *other, const path *p, double limit) {
    if (!other->shape) {
        for (int i = 0; i < mover->shape->part_count; i++) limit = find_stop(p, &mover->shape->parts[i], NULL, limit);
        return limit;
    }
    pd_double2 ends[2] = {p->begin.center, pd_add_scaled(p->begin.center, 1.0, p->way)};
    pd_box box = pd_box_around(ends, 2, mover->shape->extent + p->slop);
    const pd_boxtree *tree = &other->shape->tree;
    for (int n = pd_boxtree_first_overlap(tree, &box); n >= 0; n = pd_boxtree_next_overlap(tree, &box, n))
        for (int i = 0; i < mover->shape->part_count; i++)
            limit = find_stop(p, &mover->shape->parts[i], &other->shape->parts[tree->nodes[n].item], limit);
    return limit;
}

static double compute_motion(const pd_mover *mover) {
    return pd_length(pd_minus(mover->end, mover->pose.center)) + fabs(mover->turned) * mover->shape->core_extent;
}

/* Returns whether the boxes of two motions overlap. */
static bool do_motions_overlap(const pd_mover *a, const pd_mover *b) {
    double reach = a->shape->extent + b->shape->extent;
    pd_double2 p = a->pose.center, q = a->end, r = b->pose.center, s = b->end;
    return pd_smaller(p.x, q.x) - pd_greater(r.x, s.x) <= reach &&
           pd_smaller(r.x, s.x) - pd_greater(p.x, q.x) <= reach &&
           pd_smaller(p.y, q.y) - pd_greater(r.y, s.y) <= reach && pd_smaller(r.y, s.y) - pd_greater(p.y, q.y) <= reach;
}

/* Moves the mover to a fraction of its path, and along with the other mover to the end of the step. */
static void stop_at_fraction(pd_mover *mover, const pd_mover *other, const path *p, double fraction) {
    pd_pose end = compute_end(other);
    mover->end = pd_pose_to_world(&end, pd_add_scaled(p->begin.center, fraction, p->way));
    mover->turned = other->turned + fraction * p->turned;
    if (fraction > 0.0) return;
    /* A body that is jammed between others, and moves no more, does not gain speed. */
    mover->velocity = (pd_coordinates){0.5 * mover->velocity.x, 0.5 * mover->velocity.y, 0.5 * mover->velocity.angle};
}

/* Stops a mover at the first of the movers from `first` to `last` - 1. */
static void stop_at_first(pd_bodies *bodies, int body, int first, int last) {
    pd_mover *mover = &bodies->movers[body];
    double motion = compute_motion(mover), limit = FAST * mover->shape->half_width, fraction = 1.0;
    int nearest = -1;
    for (int i = first; i < last; i++) {
        const pd_mover *other = &bodies->movers[i];
        double all = motion + (i >= bodies->body_count && other->shape ? compute_motion(other) : 0.0);
        if (i == body || all <= limit || (other->shape && !do_motions_overlap(mover, other))) continue;
        if (i < bodies->body_count && pd_bodies_are_joined(bodies, body, i)) continue;
        path p = compute_path(bodies, mover, other);
        double stop = find_stop_of_movers(mover, other, &p, fraction);
        if (stop >= fraction) continue;
        fraction = stop;
        nearest = i;
    }
    if (nearest < 0) return;
    path p = compute_path(bodies, mover, &bodies->movers[nearest]);
    stop_at_fraction(mover, &bodies->movers[nearest], &p, fraction);
}

void pd_bodies_stop_fast(pd_bodies *bodies) {
    int walls = bodies->body_count, last = walls + bodies->wall_count + 1;
    double fastest_wall = 0.0;
    for (int w = walls; w < last - 1; w++) fastest_wall = pd_greater(fastest_wall, compute_motion(&bodies->movers[w]));
    for (int i = 0; i < bodies->body_count; i++) {
        const pd_mover *mover = &bodies->movers[i];
        if (compute_motion(mover) + fastest_wall <= FAST * mover->shape->half_width) continue;
        stop_at_first(bodies, i, 0, walls);
        /* Walls come last, so that bodies do not carry others through walls. */
        stop_at_first(bodies, i, walls, last);
    }
}
