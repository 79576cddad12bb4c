/* Substeps of rigid bodies. */
#include "bodies/contacts.h"
#include "bodies/joints.h"
#include "bodies/rows.h"
#include "core/array.h"

/* ---- Fast bodies ----
 *
 * Continuous collision detection by conservative advancement (Mirtich 1996, "Impulse-based dynamic simulation of rigid body
 * systems"): a body may move by its distance from another one along the separating direction, again and again.
 *
 * The path of a body is straight in the other mover's frame, as paths of particles are in the frames of obstacles
 * (sim/walls/solid.h). A body that stops is carried along with the other one until the end of the step. */

static const double FAST = 0.25; /* motion of a fast body in half widths */
/* Overlap at which a body stops, in half widths. Above 0, so that bodies slide along walls without stopping. */
static const double OVERLAP = 0.1;

/* Path of a mover in the frame of another one. */
typedef struct path {
    pd_pose begin;                 /* pose at the beginning */
    pd_double2 displacement;       /* displacement of the centroid, m */
    double rotation;               /* angle of rotation, rad */
    double reach;                  /* greatest distance of the mover's cores from its centroid, m */
    const pd_container *container; /* the other mover, if it is the container; NULL: it has a shape */
    double slop;                   /* pd_bodies.slop */
    const pd_bodies *hinged;       /* set only if the mover is hinged to the world and the other one is a wall */
    int body;                      /* index of the mover; used with `hinged` */
} path;

static pd_pose compute_end(const pd_mover *mover) {
    pd_pose end = {mover->end, mover->pose.cosine, mover->pose.sine};
    pd_pose_turn(&end, mover->rotation);
    return end;
}

static path compute_path(const pd_bodies *bodies, const pd_mover *mover, const pd_mover *other) {
    const pd_pose *a = &mover->pose, *b = &other->pose;
    pd_pose end = compute_end(other);
    path p = {.rotation = mover->rotation - other->rotation, .reach = mover->shape->core_extent, .slop = bodies->slop};
    p.begin.center = pd_pose_to_local(b, a->center);
    p.begin.cosine = a->cosine * b->cosine + a->sine * b->sine;
    p.begin.sine = a->sine * b->cosine - a->cosine * b->sine;
    p.displacement = pd_minus(pd_pose_to_local(&end, mover->end), p.begin.center);
    p.container = other->shape ? NULL : &bodies->container;
    p.body = (int)(mover - bodies->movers);
    if (mover->hinged && other - bodies->movers >= bodies->body_count) p.hinged = bodies;
    return p;
}

static pd_pose compute_pose_on_path(const path *p, double fraction) {
    pd_pose pose = {pd_add_scaled(p->begin.center, fraction, p->displacement), p->begin.cosine, p->begin.sine};
    pd_pose_turn(&pose, fraction * p->rotation);
    return pose;
}

/* Returns the separation at which a part stops, m. separation: separation of the part at the beginning. A part that already
 * overlaps may overlap a little more, but not come out on the other side. Straight paths along the wall of a round container
 * end outside by displacement^2 / (2 radius). */
static double compute_target(const path *p, const pd_part *part, const pd_part *other, double separation) {
    double bend = 0.0, target = -OVERLAP * part->half_width;
    double deepest = -0.5 * (part->half_width + (other ? other->half_width : part->half_width));
    if (!other && p->container->shape == PD_CONTAINER_CIRCLE)
        bend = pd_dot(p->displacement, p->displacement) / (2.0 * p->container->radius);
    target = pd_smaller(target - bend, separation - 0.5 * p->slop);
    return target >= deepest - bend ? target : pd_smaller(deepest - bend, separation);
}

/* Search for the end of a part's motion. */
typedef struct advance {
    double target; /* separation at which the part stops, m */
    double rest;   /* remaining fraction of the path */
    double least;  /* fraction of the path for which the part may move on */
    double gap;    /* the point that limits `least`: its separation minus `target` at the present fraction, m */
    bool surface;  /* false: the separating side is an inner side of the other shape */
} advance;

/* Lowers a->least to the fraction for which a point of the part may move on, if it is `distance` in front of a plane.
 * Rotation by the angle t bends its path by at most t^2 reach / 2. */
static void limit_advance(const path *p, const pd_placed_part *moved, int point, double distance, pd_double2 normal,
                          advance *a) {
    if (p->hinged && pd_bodies_is_at_world_hinge(p->hinged, p->body, moved->part->point[point])) return;
    pd_double2 arm = pd_minus(moved->point[point], moved->pose.center);
    double approach = pd_dot(p->displacement, normal) + p->rotation * pd_cross(arm, normal) +
                      0.5 * p->rotation * p->rotation * p->reach * a->rest;
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
    pd_double2 ends[2] = {p->begin.center, pd_add_scaled(p->begin.center, 1.0, p->displacement)};
    pd_box box = pd_box_around(ends, 2, mover->shape->extent + p->slop);
    const pd_boxtree *tree = &other->shape->tree;
    for (int n = pd_boxtree_first_overlap(tree, &box); n >= 0; n = pd_boxtree_next_overlap(tree, &box, n))
        for (int i = 0; i < mover->shape->part_count; i++)
            limit = find_stop(p, &mover->shape->parts[i], &other->shape->parts[tree->nodes[n].item], limit);
    return limit;
}

static double compute_motion(const pd_mover *mover) {
    return pd_length(pd_minus(mover->end, mover->pose.center)) + fabs(mover->rotation) * mover->shape->core_extent;
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
    mover->end = pd_pose_to_world(&end, pd_add_scaled(p->begin.center, fraction, p->displacement));
    mover->rotation = other->rotation + fraction * p->rotation;
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

/* Shortens the motion of fast bodies in a solver step (pd_mover.end, pd_mover.rotation), so that they do not pass through
 * walls, the container or each other. A body is fast if it moves by more than a quarter of its half width, relative to the
 * other. Velocities remain, so that the body bounces in the next step. Exception: jammed bodies lose speed. */
static void stop_fast_bodies(pd_bodies *bodies) {
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

static const double LONGEST_STEP = 1.0 / 480.0; /* longest solver step, s */
/* Greatest distance at which contacts are sought, in half widths of a body. Faster bodies stop by continuous collision
 * detection. */
static const double WIDEST_MARGIN = 0.25;
static const double WIDEST_TURN = 0.78; /* greatest angle of rotation in a solver step, rad: an eighth of a turn */

static pd_coordinates add_scaled(pd_coordinates a, double t, pd_coordinates b) {
    return (pd_coordinates){a.x + t * b.x, a.y + t * b.y, a.angle + t * b.angle};
}

/* ---- Movers ---- */

/* Sets the box of a mover. Only bodies of one part have a tight box. */
static void set_box(pd_mover *mover) {
    double reach = mover->shape->extent + mover->margin;
    pd_double2 c = mover->pose.center;
    mover->low_x = c.x - reach;
    mover->low_y = c.y - reach;
    mover->high_x = c.x + reach;
    mover->high_y = c.y + reach;
    if (mover->shape->part_count > 1 || !mover->parts) return;
    pd_double2 low = mover->parts->point[0], high = low;
    for (int k = 1; k < mover->shape->parts->count; k++) {
        pd_double2 p = mover->parts->point[k];
        low = (pd_double2){pd_smaller(low.x, p.x), pd_smaller(low.y, p.y)};
        high = (pd_double2){pd_greater(high.x, p.x), pd_greater(high.y, p.y)};
    }
    reach = mover->shape->parts->radius + mover->margin;
    mover->low_x = low.x - reach;
    mover->low_y = low.y - reach;
    mover->high_x = high.x + reach;
    mover->high_y = high.y + reach;
}

/* Places a body at the beginning of a solver step. share: part of the substep's velocity change that acts in it. */
static void place_body(const pd_bodies *bodies, const pd_body *body, double h, double share, pd_placed_part *parts,
                       pd_mover *mover) {
    *mover = (pd_mover){.shape = &body->shape, .first_pair = -1, .parts = parts, .pose = body->now};
    for (int k = 0; k < body->shape.part_count; k++) pd_part_place(&body->shape.parts[k], &mover->pose, &parts[k]);
    mover->force = add_scaled((pd_coordinates){0.0, 0.0, 0.0}, share, body->state.change);
    mover->velocity = add_scaled(body->state.velocity, 1.0, mover->force);
    mover->inverse_mass = 1.0 / body->mass;
    mover->inverse_inertia = body->fixed_angle ? 0.0 : 1.0 / body->inertia;
    double motion = h * (pd_length((pd_double2){mover->velocity.x, mover->velocity.y}) +
                         fabs(mover->velocity.angle) * body->shape.extent);
    mover->margin = 2.0 * bodies->slop + pd_smaller(motion, WIDEST_MARGIN * body->shape.half_width);
    set_box(mover);
}

/* Returns the pose of a wall's centroid at a fraction of the substep. */
static pd_pose compute_wall_pose(const pd_body_wall *wall, double fraction) {
    pd_pose pose = wall->end;
    if (fraction < 1.0) {
        pose = wall->begin;
        pose.center = pd_add_scaled(pose.center, fraction, pd_minus(wall->end.center, pose.center));
        pd_pose_turn(&pose, fraction * wall->rotation);
    }
    pose.center = pd_pose_to_world(&pose, wall->shape.centroid);
    return pose;
}

static void place_wall(const pd_bodies *bodies, const pd_body_wall *wall, double h, double from, double to,
                       pd_mover *mover) {
    *mover = (pd_mover){.shape = &wall->shape, .pose = compute_wall_pose(wall, from)};
    mover->end = compute_wall_pose(wall, to).center;
    pd_double2 way = pd_minus(mover->end, mover->pose.center);
    mover->rotation = (to - from) * wall->rotation;
    mover->velocity = (pd_coordinates){way.x / h, way.y / h, mover->rotation / h};
    mover->margin = 2.0 * bodies->slop + pd_length(way) + fabs(mover->rotation) * wall->shape.extent;
    set_box(mover);
}

/* ---- Solver step ---- */

static void warm_start(pd_bodies *bodies) {
    for (int i = 0; i < bodies->row_count; i++)
        pd_row_apply_impulse(&bodies->rows[i], bodies->movers, bodies->rows[i].impulse);
}

/* Direct rows and contacts solve in turn, which needs more sweeps than contacts alone. Direct rows come first, since they have no
 * warm start. */
static void solve(pd_bodies *bodies, int pass, double h) {
    int sweeps = bodies->direct_count > 0 ? 4 : pass == PD_PASS_SOLVE ? 1 : 2;
    if (pass == PD_PASS_SOLVE) pd_direct_solve(bodies, pass);
    for (int k = 0; k < sweeps; k++) {
        pd_bodies_solve_joints(bodies, pass, h);
        pd_bodies_solve_contacts(bodies, pass);
    }
}

/* Limits speed and spin, which only contradictory joints or stiff springs can make so great. */
static void limit_velocity(const pd_bodies *bodies, double h, pd_coordinates *velocity) {
    double speed = pd_length((pd_double2){velocity->x, velocity->y}), spin = WIDEST_TURN / h;
    if (speed > bodies->greatest_speed) {
        velocity->x *= bodies->greatest_speed / speed;
        velocity->y *= bodies->greatest_speed / speed;
    }
    velocity->angle = pd_greater(pd_smaller(velocity->angle, spin), -spin);
}

static void compute_ends(pd_bodies *bodies, double h) {
    for (int i = 0; i < bodies->body_count; i++) {
        pd_mover *mover = &bodies->movers[i];
        limit_velocity(bodies, h, &mover->velocity);
        const pd_double2 *c = &mover->pose.center;
        mover->end = (pd_double2){c->x + h * mover->velocity.x + mover->impact_delay.x,
                                  c->y + h * mover->velocity.y + mover->impact_delay.y};
        mover->rotation = h * mover->velocity.angle + mover->impact_delay.angle;
    }
}

/* Adds the impulse of a row to the sums of the wall or the world. */
static void add_wall_impulse(pd_bodies *bodies, const pd_row *row, int mover, double arm, double impulse) {
    if (mover < bodies->body_count) return;
    int wall = mover - bodies->body_count;
    pd_coordinates *sum = wall < bodies->wall_count ? &bodies->walls[wall].impulse : &bodies->world_impulse;
    pd_double2 center = bodies->movers[mover].pose.center;
    sum->x += impulse * row->axis.x;
    sum->y += impulse * row->axis.y;
    sum->angle += impulse * (arm + pd_cross(center, row->axis));
}

static void store_contact_impulses(pd_bodies *bodies) {
    for (int i = 0; i < bodies->contact_count; i++) {
        pd_body_contact *contact = &bodies->contacts[i];
        const pd_row *normal = &bodies->rows[2 * i], *friction = normal + 1;
        contact->normal_impulse = normal->impulse;
        contact->friction_impulse = friction->impulse;
        add_wall_impulse(bodies, normal, normal->b, normal->arm_b, contact->impact[0]);
        add_wall_impulse(bodies, friction, friction->b, friction->arm_b, contact->impact[1]);
    }
}

static bool is_finite(const pd_mover *mover) {
    return isfinite(mover->end.x) && isfinite(mover->end.y) && isfinite(mover->rotation) &&
           isfinite(mover->velocity.x) && isfinite(mover->velocity.y) && isfinite(mover->velocity.angle);
}

static void store_step(pd_bodies *bodies, double h) {
    for (int i = 0; i < bodies->body_count; i++) {
        pd_body *body = &bodies->bodies[i];
        pd_body_state *state = &body->state;
        const pd_mover *mover = &bodies->movers[i];
        if (!is_finite(mover)) { /* forces beyond the range of doubles */
            state->velocity = (pd_coordinates){0.0, 0.0, 0.0};
            continue;
        }
        body->now.center = mover->end;
        pd_pose_turn(&body->now, mover->rotation);
        state->pose = (pd_coordinates){mover->end.x, mover->end.y, state->pose.angle + mover->rotation};
        state->velocity = mover->velocity;
        limit_velocity(bodies, h, &state->velocity);
    }
    for (int i = 0; i < bodies->row_count; i++) {
        const pd_row *row = &bodies->rows[i];
        add_wall_impulse(bodies, row, row->a, row->arm_a, -row->impulse);
        add_wall_impulse(bodies, row, row->b, row->arm_b, row->impulse);
    }
    store_contact_impulses(bodies);
    pd_bodies_store_joint_impulses(bodies, h);
    bodies->solver_seconds = h;
}

/* Returns whether there is memory for all rows. */
static bool reserve_rows(pd_bodies *bodies) {
    int most = 2 * bodies->contact_count + PD_JOINT_IMPULSES * bodies->joint_count + 2;
    return PD_ARRAY_RESERVE(bodies->rows, bodies->row_capacity, 0, most);
}

/* Moves the bodies through the part of a substep between the fractions `from` and `to`, h seconds. */
static void compute_solver_step(pd_bodies *bodies, double h, double from, double to) {
    int count = bodies->body_count;
    pd_placed_part *parts = bodies->parts;
    for (int i = 0; i < count; parts += bodies->bodies[i++].shape.part_count)
        place_body(bodies, &bodies->bodies[i], h, to - from, parts, &bodies->movers[i]);
    for (int w = 0; w < bodies->wall_count; w++)
        place_wall(bodies, &bodies->walls[w], h, from, to, &bodies->movers[count + w]);
    bodies->movers[count + bodies->wall_count] = (pd_mover){.pose = {{0.0, 0.0}, 1.0, 0.0}};
    pd_bodies_set_joint_inertia(bodies, h);
    pd_bodies_find_pairs(bodies);
    pd_bodies_find_contacts(bodies, h);
    if (!reserve_rows(bodies)) return;
    bool bounces = pd_bodies_set_contact_rows(bodies, h);
    pd_bodies_add_joint_rows(bodies, h);
    if (bounces) pd_bodies_apply_impacts(bodies, h);
    warm_start(bodies);
    solve(bodies, PD_PASS_SOLVE, h);
    compute_ends(bodies, h);
    solve(bodies, PD_PASS_RELAX, h);
    stop_fast_bodies(bodies);
    store_step(bodies, h);
}

/* ---- Substep ---- */

static void begin_substep(pd_bodies *bodies) {
    for (int w = 0; w < bodies->wall_count; w++) bodies->walls[w].impulse = (pd_coordinates){0.0, 0.0, 0.0};
    bodies->world_impulse = (pd_coordinates){0.0, 0.0, 0.0};
    for (int i = 0; i < bodies->body_count; i++) {
        pd_body *body = &bodies->bodies[i];
        pd_body_state *s = &body->state;
        s->before = s->pose;
        s->contact_change = (pd_coordinates){-(s->velocity.x + s->change.x), -(s->velocity.y + s->change.y),
                                             -(s->velocity.angle + s->change.angle)};
        body->now = pd_pose_of(&body->state.pose);
    }
}

/* Sets mean_velocity, not_withheld and contact_change at the end of the motion. */
static void end_motion(pd_bodies *bodies, double dt) {
    for (int i = 0; i < bodies->body_count; i++) {
        pd_body_state *s = &bodies->bodies[i].state;
        pd_coordinates mean = {(s->pose.x - s->before.x) / dt, (s->pose.y - s->before.y) / dt,
                               (s->pose.angle - s->before.angle) / dt};
        pd_coordinates withheld = add_scaled(s->withheld[1].change, bodies->mean_part, s->withheld[0].change);
        bodies->bodies[i].not_withheld = add_scaled(add_scaled(mean, -1.0, s->mean_velocity), -1.0, withheld);
        s->mean_velocity = mean;
        s->contact_change = add_scaled(s->contact_change, 1.0, s->velocity);
    }
}

void pd_bodies_begin_substep(pd_bodies *bodies, double dt) {
    if (!(dt > 0.0) || bodies->body_count == 0) return;
    int count = (int)ceil(0.9999 * dt / LONGEST_STEP); /* 0.9999: rounding errors must not add a step */
    bodies->mean_part = (count + 1) / (2.0 * count);   /* each solver step begins with an equal share of the change */
    begin_substep(bodies);
    for (int k = 0; k < count; k++) compute_solver_step(bodies, dt / count, (double)k / count, (double)(k + 1) / count);
    for (int w = 0; w < bodies->wall_count; w++) {
        bodies->walls[w].begin = bodies->walls[w].end;
        bodies->walls[w].rotation = 0.0;
    }
    end_motion(bodies, dt);
}

void pd_bodies_end_substep(pd_bodies *bodies, double dt, pd_vec2 gravity, const pd_coordinates *impulses,
                           double least_mass) {
    for (int i = 0; i < bodies->body_count; i++) {
        pd_body *body = &bodies->bodies[i];
        const pd_coordinates *c = &body->state.pose;
        pd_coordinates sum = {0.0, 0.0, 0.0};
        if (impulses) sum = impulses[i];
        double mass = pd_greater(body->mass, least_mass), angular = sum.angle - (c->x * sum.y - c->y * sum.x);
        body->state.change.x = (sum.x + body->mass * gravity.x * dt) / mass;
        body->state.change.y = (sum.y + body->mass * gravity.y * dt) / mass;
        body->state.change.angle = body->fixed_angle ? 0.0 : angular / body->inertia * (body->mass / mass);
    }
}
