/* Substeps of rigid bodies. */
#include "bodies/contacts.h"
#include "bodies/continuous.h"
#include "bodies/direct.h"
#include "bodies/joints.h"
#include "core/array.h"

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
        pd_pose_turn(&pose, fraction * wall->turned);
    }
    pose.center = pd_pose_to_world(&pose, wall->shape.centroid);
    return pose;
}

static void place_wall(const pd_bodies *bodies, const pd_body_wall *wall, double h, double from, double to,
                       pd_mover *mover) {
    *mover = (pd_mover){.shape = &wall->shape, .pose = compute_wall_pose(wall, from)};
    mover->end = compute_wall_pose(wall, to).center;
    pd_double2 way = pd_minus(mover->end, mover->pose.center);
    mover->turned = (to - from) * wall->turned;
    mover->velocity = (pd_coordinates){way.x / h, way.y / h, mover->turned / h};
    mover->margin = 2.0 * bodies->slop + pd_length(way) + fabs(mover->turned) * wall->shape.extent;
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
        mover->end =
            (pd_double2){c->x + h * mover->velocity.x + mover->late.x, c->y + h * mover->velocity.y + mover->late.y};
        mover->turned = h * mover->velocity.angle + mover->late.angle;
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
    return isfinite(mover->end.x) && isfinite(mover->end.y) && isfinite(mover->turned) && isfinite(mover->velocity.x) &&
           isfinite(mover->velocity.y) && isfinite(mover->velocity.angle);
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
        pd_pose_turn(&body->now, mover->turned);
        state->pose = (pd_coordinates){mover->end.x, mover->end.y, state->pose.angle + mover->turned};
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
    pd_bodies_stop_fast(bodies);
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
        s->constrained = (pd_coordinates){-(s->velocity.x + s->change.x), -(s->velocity.y + s->change.y),
                                          -(s->velocity.angle + s->change.angle)};
        body->now = pd_pose_of(&body->state.pose);
    }
}

/* Sets mean_velocity, unexpected and constrained at the end of the motion. */
static void end_motion(pd_bodies *bodies, double dt) {
    for (int i = 0; i < bodies->body_count; i++) {
        pd_body_state *s = &bodies->bodies[i].state;
        pd_coordinates mean = {(s->pose.x - s->before.x) / dt, (s->pose.y - s->before.y) / dt,
                               (s->pose.angle - s->before.angle) / dt};
        pd_coordinates expected = add_scaled(s->withheld.late_change, bodies->ramp, s->withheld.change);
        bodies->bodies[i].unexpected = add_scaled(add_scaled(mean, -1.0, s->mean_velocity), -1.0, expected);
        s->mean_velocity = mean;
        s->constrained = add_scaled(s->constrained, 1.0, s->velocity);
    }
}

void pd_bodies_begin_substep(pd_bodies *bodies, double dt) {
    if (!(dt > 0.0) || bodies->body_count == 0) return;
    int count = (int)ceil(0.9999 * dt / LONGEST_STEP); /* 0.9999: rounding errors must not add a step */
    bodies->ramp = (count + 1) / (2.0 * count);        /* each solver step begins with an equal share of the change */
    begin_substep(bodies);
    for (int k = 0; k < count; k++) compute_solver_step(bodies, dt / count, (double)k / count, (double)(k + 1) / count);
    for (int w = 0; w < bodies->wall_count; w++) {
        bodies->walls[w].begin = bodies->walls[w].end;
        bodies->walls[w].turned = 0.0;
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
