#include "bodies/joints.h"

#include "bodies/rows.h"

/* ---- Springs and ropes ----
 *
 * Lines: springs and ropes, whose force acts along the line between two points.
 *
 * A line turns within a solver step, so its length is not linear in the velocities. lines_solve iterates (a chord method:
 * the matrix remains, and pd_row.drift becomes what the present velocities give), so that lengths are exact at the end of the
 * step.
 *
 * The tension T of a line of length L also acts across: with the stiffness T / L against rotation of the line, and T times the
 * part of an arm along the line against rotation of the body (geometric stiffness: Andrews, Teichmann, Kry 2017, "Geometric
 * stiffness for real-time constrained multibody dynamics"). Explicit steps are stable up to a limit (pd_row_set_spring). Light
 * bodies between heavy ones exceed it. Further direct rows are the part of these stiffnesses beyond the limit, in an implicit
 * step: one row across the line and one for the rotation of each body. */

enum { LINE_ROWS = 4 }; /* the row along a line, and the further ones */

static bool is_line(const pd_joint *joint) {
    return joint->def.type == PD_JOINT_SPRING || joint->def.type == PD_JOINT_ROPE;
}

/* Stiffness across a line in units of mass / h^2 above which a row is as good as rigid. The limit keeps the matrix regular. */
static const double RIGID = 1e8;

/* Compliance of ropes relative to the inverse of their effective mass. Below a light body hang up to 1e5 times its mass. */
static const double COMPLIANCE = 1e-8;

/* A line at certain poses of its bodies. */
typedef struct line {
    pd_double2 arm_a, arm_b; /* from the centroids to the points of attachment, m */
    pd_double2 axis;         /* unit vector from the first point to the second */
    double length;           /* m */
} line;

static line compute_line(const pd_joint *joint, const pd_pose *a, const pd_pose *b) {
    line l = {pd_pose_rotate(a, joint->state.anchor[0]), pd_pose_rotate(b, joint->state.anchor[1]), {0.0, 1.0}, 0.0};
    pd_double2 way = pd_minus(pd_add_scaled(b->center, 1.0, l.arm_b), pd_add_scaled(a->center, 1.0, l.arm_a));
    l.length = pd_length(way);
    if (l.length > 0.0) l.axis = (pd_double2){way.x / l.length, way.y / l.length};
    return l;
}

/* Returns the pose of a mover at the end of the solver step, at its present velocity. */
static pd_pose compute_end(const pd_mover *mover, double h) {
    pd_pose end = mover->pose;
    end.center.x += h * mover->velocity.x + mover->impact_delay.x;
    end.center.y += h * mover->velocity.y + mover->impact_delay.y;
    pd_pose_turn(&end, h * mover->velocity.angle + mover->impact_delay.angle);
    return end;
}

/* Impulses of a rope are positive when they pull, those of a spring negative. */
static double get_sign(const pd_joint *joint) { return joint->def.type == PD_JOINT_ROPE ? -1.0 : 1.0; }

/* ---- Rows ---- */

/* Sets the row along a line. */
static void line_set_row(const pd_bodies *bodies, const pd_joint *joint, pd_row *row, double h) {
    const pd_mover *movers = bodies->movers;
    int world = bodies->body_count + bodies->wall_count;
    int a = joint->def.bodies[0] < 0 ? world : joint->def.bodies[0],
        b = joint->def.bodies[1] < 0 ? world : joint->def.bodies[1];
    line l = compute_line(joint, &movers[a].pose, &movers[b].pose);
    double sign = get_sign(joint), extension = l.length - joint->state.length;
    pd_row_set_axis(row, movers, a, b, (pd_double2){sign * l.axis.x, sign * l.axis.y}, l.arm_a, l.arm_b);
    if (joint->def.type == PD_JOINT_ROPE) {
        pd_stiffness stiffness = pd_stiffness_of_joint(h);
        pd_row_set_at_least(row, -extension, 0.0, bodies->push_speed, &stiffness, h);
        if (row->mass > 0.0) row->compliance = COMPLIANCE / row->mass;
    } else
        pd_row_set_spring(row, movers, extension, joint->def.stiffness, joint->def.damping, h);
}

/* Sets the further rows for joint->tension. Impulses remain. */
static void set_further_rows(const pd_bodies *bodies, const pd_joint *joint, double h) {
    const pd_mover *movers = bodies->movers;
    pd_row *rows = &bodies->rows[joint->first_row];
    int a = rows->a, b = rows->b, world = bodies->body_count + bodies->wall_count;
    double impulse[LINE_ROWS], tension = rows->direct ? joint->tension : 0.0;
    if (!(tension > 0.0) || bodies->line_rows < LINE_ROWS) return;
    line l = compute_line(joint, &movers[a].pose, &movers[b].pose);
    for (int k = 1; k < LINE_ROWS; k++) impulse[k] = rows[k].impulse;
    pd_row_set_axis(&rows[1], movers, a, b, (pd_double2){-l.axis.y, l.axis.x}, l.arm_a, l.arm_b);
    pd_row_set_rotation(&rows[2], movers, world, a);
    pd_row_set_rotation(&rows[3], movers, world, b);
    double stiffness[LINE_ROWS] = {0.0, l.length > 0.0 ? tension / l.length : 0.0, tension * pd_dot(l.axis, l.arm_a),
                                   -tension * pd_dot(l.axis, l.arm_b)};
    for (int k = 1; k < LINE_ROWS; k++) {
        double most = RIGID * rows[k].mass / (h * h);
        pd_row_set_spring(&rows[k], movers, 0.0, pd_greater(pd_smaller(stiffness[k], most), 0.0), 0.0, h);
        rows[k].impulse = rows[k].before = impulse[k];
    }
}

/* ---- Solution ---- */

/* Leaves the rows of all lines from an index on to pd_row_solve. */
static void leave_out_rows(pd_bodies *bodies, int first) {
    for (int i = 0; i < bodies->joint_count; i++) {
        const pd_joint *joint = &bodies->joints[i];
        if (joint->row_count == 0 || !is_line(joint)) continue;
        for (int k = first; k < LINE_ROWS; k++) {
            pd_row *row = &bodies->rows[joint->first_row + k];
            if (k > 0) pd_row_apply_impulse(row, bodies->movers, -row->impulse);
            if (k > 0) row->impulse = 0.0;
            row->direct = false;
        }
    }
}

/* Factors the matrix of the direct rows. If the rows of lines do not fit, the further rows are left out, or all of them: springs
 * of which some are softer than the others would gain energy. */
static void lines_factor(pd_bodies *bodies) {
    while (!pd_direct_factor(bodies)) {
        bodies->line_rows = bodies->line_rows > 1 ? 1 : 0;
        leave_out_rows(bodies, bodies->line_rows);
    }
}

/* Returns the drift of a line with which its length is exact for the present velocities. */
static double compute_drift(const pd_bodies *bodies, const pd_joint *joint, double h) {
    const pd_row *row = &bodies->rows[joint->first_row];
    const pd_mover *a = &bodies->movers[row->a], *b = &bodies->movers[row->b];
    pd_pose end_a = compute_end(a, h), end_b = compute_end(b, h);
    double longer = compute_line(joint, &end_a, &end_b).length - compute_line(joint, &a->pose, &b->pose).length;
    return get_sign(joint) * longer / h - pd_row_velocity(row, bodies->movers);
}

static bool is_active(const pd_bodies *bodies, const pd_joint *joint) {
    return joint->row_count > 0 && is_line(joint) && bodies->rows[joint->first_row].direct;
}

/* Removes the further rows of ropes that became slack. */
static void release_slack_ropes(pd_bodies *bodies) {
    bool released = false;
    for (int i = 0; i < bodies->joint_count; i++) {
        const pd_joint *joint = &bodies->joints[i];
        if (joint->row_count == 0 || !is_line(joint) || is_active(bodies, joint)) continue;
        for (int k = 1; k < LINE_ROWS; k++) {
            pd_row *row = &bodies->rows[joint->first_row + k];
            if (!row->direct) continue;
            pd_row_apply_impulse(row, bodies->movers, -row->impulse);
            row->impulse = 0.0;
            row->direct = false;
            released = true;
        }
    }
    if (released) lines_factor(bodies);
}

/* Restores the impulses of the direct rows before lines_solve, so that redundant rows are solved once, however many iterations
 * there are: each solution of rows that contradict each other increases their impulses. */
static void restore_impulses(pd_bodies *bodies) {
    for (int i = 0; i < bodies->direct_count; i++) {
        pd_row *row = &bodies->rows[bodies->direct[i].row];
        pd_row_apply_impulse(row, bodies->movers, row->before - row->impulse);
        row->impulse = row->before;
    }
}

/* Restores the impulses, removes the drifts and increases the tensions. */
static void begin_again(pd_bodies *bodies, double h) {
    const double factor = 10.0; /* chosen: with 2 or 4 the solution may need more than MOST iterations */
    for (int i = 0; i < bodies->joint_count; i++) {
        pd_joint *joint = &bodies->joints[i];
        if (!is_active(bodies, joint)) continue;
        double tension = -get_sign(joint) * bodies->rows[joint->first_row].impulse / h;
        joint->tension = pd_greater(factor * joint->tension, tension);
    }
    restore_impulses(bodies);
    for (int i = 0; i < bodies->joint_count; i++) {
        const pd_joint *joint = &bodies->joints[i];
        if (!is_active(bodies, joint)) continue;
        bodies->rows[joint->first_row].drift = 0.0;
        set_further_rows(bodies, joint, h);
    }
    lines_factor(bodies);
}

/* Sets the drifts for the present velocities. Returns the greatest change, m/s. */
static double update_drifts(pd_bodies *bodies, double h) {
    double greatest = 0.0;
    for (int i = 0; i < bodies->joint_count; i++) {
        const pd_joint *joint = &bodies->joints[i];
        if (!is_active(bodies, joint)) continue;
        pd_row *row = &bodies->rows[joint->first_row];
        double drift = compute_drift(bodies, joint, h);
        greatest = pd_greater(greatest, fabs(drift - row->drift));
        row->drift = drift;
    }
    return greatest;
}

/* Solves the direct rows for the velocities of the solve pass. An iteration whose changes do not halve begins again with ten times
 * the tension: stiffness across damps the motion that it cannot follow. */
static void lines_solve(pd_bodies *bodies, double h) {
    enum { MOST = 20 };
    const double small = 1e-7; /* change of the drifts at which the iteration ends, m/s */
    double before = INFINITY;
    for (int i = 0; i < bodies->direct_count; i++) {
        pd_row *row = &bodies->rows[bodies->direct[i].row];
        row->before = row->impulse;
    }
    pd_direct_solve(bodies, PD_PASS_SOLVE);
    for (int i = 0; i < MOST; i++) {
        release_slack_ropes(bodies);
        double change = update_drifts(bodies, h);
        if (change <= small) return;
        bool converges = change < 0.5 * before;
        if (converges)
            restore_impulses(bodies);
        else
            begin_again(bodies, h);
        before = converges ? change : INFINITY;
        pd_direct_solve(bodies, PD_PASS_SOLVE);
    }
    begin_again(bodies, h); /* without drift the step is linear, and gains no energy */
    pd_direct_solve(bodies, PD_PASS_SOLVE);
    release_slack_ropes(bodies);
}

/* ---- Joints as constraint rows ---- */

static const double degrees = 0.017453292519943295;
static const double DRAG_FREQUENCY = 5.0, DRAG_DAMPING = 0.7; /* frequency (Hz) and damping ratio of the drag */
static const double FASTEST_TURN = 10.0; /* greatest speed at which errors of angles are corrected, rad/s */

static pd_double2 turn_left(pd_double2 v) { return (pd_double2){-v.y, v.x}; }

static pd_coordinates get_coordinates(const pd_bodies *bodies, int body) {
    return body >= 0 ? bodies->bodies[body].state.pose : (pd_coordinates){0.0, 0.0, 0.0};
}

/* Sets anchors, axis, angle and length of a joint from the present poses of its bodies. */
static void set_geometry(const pd_bodies *bodies, pd_joint *joint) {
    const pd_joint_def *def = &joint->def;
    bool two_points = def->type == PD_JOINT_SPRING || def->type == PD_JOINT_ROPE;
    pd_double2 at[2] = {pd_to_double2(def->at[0]), pd_to_double2(def->at[two_points])}, axis = pd_to_double2(def->axis);
    pd_coordinates c[2] = {get_coordinates(bodies, def->bodies[0]), get_coordinates(bodies, def->bodies[1])};
    pd_pose pose = pd_pose_of(&c[0]), other = pd_pose_of(&c[1]);
    joint->state = (pd_joint_state){{pd_pose_to_local(&pose, at[0]), pd_pose_to_local(&other, at[1])}};
    joint->state.angle = c[1].angle - c[0].angle;
    joint->state.length = isnan(def->length) ? pd_length(pd_minus(at[1], at[0])) : def->length;
    double length = pd_length(axis);
    axis = length > 0.0 ? (pd_double2){axis.x / length, axis.y / length} : (pd_double2){1.0, 0.0};
    joint->state.axis =
        (pd_double2){pose.cosine * axis.x + pose.sine * axis.y, pose.cosine * axis.y - pose.sine * axis.x};
}

/* ---- Collisions ---- */

bool pd_bodies_are_joined(const pd_bodies *bodies, int a, int b) {
    for (int i = 0; i < bodies->joint_count; i++) {
        const int *body = bodies->joints[i].def.bodies;
        bool both = (body[0] == a && body[1] == b) || (body[0] == b && body[1] == a);
        if (both && pd_joint_stops_collisions(&bodies->joints[i])) return true;
    }
    return false;
}

int pd_joint_find_hinged_body(const pd_joint *joint, pd_double2 *anchor) {
    const int *body = joint->def.bodies;
    bool turns = joint->def.type == PD_JOINT_HINGE || joint->def.type == PD_JOINT_MOTOR;
    if (!turns || joint->state.broken || (body[0] >= 0 && body[1] >= 0)) return -1;
    int own = body[0] >= 0 ? 0 : 1;
    *anchor = joint->state.anchor[own];
    return body[own];
}

/* Returns the distance of a point from the nearest corner of a shape, or from the far side of a rounded end, m. In a disc it is
 * the distance from the edge. */
static double compute_distance_to_corner(const pd_rigid_shape *shape, pd_double2 point) {
    double nearest = INFINITY;
    for (int i = 0; i < shape->part_count; i++) {
        const pd_part *part = &shape->parts[i];
        for (int k = 0; k < part->count; k++) {
            double distance = pd_length(pd_minus(point, part->point[k]));
            distance = part->count > 1 ? part->radius + distance : pd_greater(part->radius - distance, 0.0);
            nearest = pd_smaller(nearest, distance);
        }
    }
    return nearest;
}

bool pd_bodies_is_at_world_hinge(const pd_bodies *bodies, int body, pd_double2 point) {
    const double more = 1.25; /* chosen: walls may be a little thicker than the body */
    const pd_rigid_shape *shape = &bodies->bodies[body].shape;
    const double most = 1.5 * shape->half_width; /* the nearest corner of a pendulum's bob is far away from the hinge */
    for (int i = 0; i < bodies->joint_count; i++) {
        pd_double2 anchor = {0.0, 0.0};
        if (pd_joint_find_hinged_body(&bodies->joints[i], &anchor) != body) continue;
        double corner = pd_smaller(compute_distance_to_corner(shape, anchor), most);
        if (pd_length(pd_minus(point, anchor)) <= more * corner + bodies->slop) return true;
    }
    return false;
}

/* ---- Inertia ----
 *
 * A force F at the arm r turns a body like a spring of the stiffness F r (geometric stiffness: Andrews, Teichmann, Kry 2017,
 * "Geometric stiffness for real-time constrained multibody dynamics"). A body that is small for its arms would turn too fast
 * for the solver step. So its inertia is at least LEAST_INERTIA x mass x r^2, which is negligible against its inertia about the
 * joint. For great forces the inertia is at least h^2 F r / 2, twice the limit of stability. */

static const double LEAST_INERTIA = 1e-3;

/* Returns the inertia of a body with its present joints, without the limit for great forces. */
static double compute_inertia(const pd_bodies *bodies, int body) {
    double arm = 0.0;
    for (int i = 0; i < bodies->joint_count; i++) {
        const pd_joint *joint = &bodies->joints[i];
        for (int k = 0; k < 2 && !joint->state.broken; k++)
            if (joint->def.bodies[k] == body) arm = pd_greater(arm, pd_length(joint->state.anchor[k]));
    }
    return pd_greater(bodies->bodies[body].inertia, LEAST_INERTIA * bodies->bodies[body].mass * arm * arm);
}

/* The angular momentum of the bodies' spins remains when the inertia increases. */
void pd_bodies_attach_joint(pd_bodies *bodies, const pd_joint_def *def) {
    double before[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++)
        if (def->bodies[k] >= 0) before[k] = compute_inertia(bodies, def->bodies[k]);
    pd_joint *joint = &bodies->joints[bodies->joint_count++];
    *joint = (pd_joint){.def = *def};
    set_geometry(bodies, joint);
    for (int k = 0; k < 2; k++)
        if (def->bodies[k] >= 0)
            bodies->bodies[def->bodies[k]].state.velocity.angle *= before[k] / compute_inertia(bodies, def->bodies[k]);
}

void pd_bodies_set_joint_inertia(pd_bodies *bodies, double h) {
    for (int i = 0; i < bodies->joint_count; i++) {
        const pd_joint *joint = &bodies->joints[i];
        for (int k = 0; k < 2 && !joint->state.broken; k++) {
            int body = joint->def.bodies[k];
            if (body < 0) continue;
            double arm = pd_length(joint->state.anchor[k]);
            if (is_line(joint)) bodies->movers[body].line_count++;
            bodies->movers[body].arm = pd_greater(bodies->movers[body].arm, arm);
            bodies->movers[body].stiffness += joint->state.force * arm;
        }
    }
    for (int i = 0; i < bodies->body_count; i++) {
        pd_mover *mover = &bodies->movers[i];
        double least = LEAST_INERTIA * bodies->bodies[i].mass * mover->arm * mover->arm;
        if (least * mover->inverse_inertia > 1.0) mover->inverse_inertia = 1.0 / least;
        mover->excess = pd_greater(0.5 * h * h * mover->stiffness * mover->inverse_inertia, 1.0);
        mover->inverse_inertia /= mover->excess;
        mover->velocity.angle /= mover->excess;
    }
}

/* A joint within a solver step. */
typedef struct frame {
    const pd_mover *movers;
    int a, b;                /* movers */
    pd_double2 arm_a, arm_b; /* from the centroids to the points of attachment, m */
    pd_double2 way;          /* from the first point of attachment to the second, m */
    pd_double2 drift;        /* velocity by which the points move apart because the bodies turn within the step, m/s */
    double angle;            /* relative angle since the joint was added, rad */
    double h;                /* duration of the solver step, s */
    double fastest;          /* pd_bodies.push_speed */
    pd_stiffness stiffness;
} frame;

static frame compute_frame(const pd_bodies *bodies, int a, int b, const pd_double2 *anchor, double h) {
    int world = bodies->body_count + bodies->wall_count;
    frame f = {.movers = bodies->movers,
               .a = a < 0 ? world : a,
               .b = b < 0 ? world : b,
               .h = h,
               .fastest = bodies->push_speed};
    const pd_pose *pose_a = &f.movers[f.a].pose, *pose_b = &f.movers[f.b].pose;
    f.arm_a = pd_pose_rotate(pose_a, anchor[0]);
    f.arm_b = pd_pose_rotate(pose_b, anchor[1]);
    f.way = pd_minus(pd_add_scaled(pose_b->center, 1.0, f.arm_b), pd_add_scaled(pose_a->center, 1.0, f.arm_a));
    f.angle = get_coordinates(bodies, b).angle - get_coordinates(bodies, a).angle;
    f.stiffness = pd_stiffness_of_joint(h);
    double spin_a = f.movers[f.a].velocity.angle, spin_b = f.movers[f.b].velocity.angle;
    f.drift = pd_add_scaled((pd_double2){0.0, 0.0}, 0.5 * h * spin_a * spin_a, f.arm_a);
    f.drift = pd_add_scaled(f.drift, -0.5 * h * spin_b * spin_b, f.arm_b);
    return f;
}

/* Sets two rows that keep the points of attachment together. */
static int set_point_rows(const frame *f, pd_row *rows) {
    pd_row_set_axis(&rows[0], f->movers, f->a, f->b, (pd_double2){1.0, 0.0}, f->arm_a, f->arm_b);
    pd_row_set_axis(&rows[1], f->movers, f->a, f->b, (pd_double2){0.0, 1.0}, f->arm_a, f->arm_b);
    pd_row_set_equal(&rows[0], f->way.x, f->fastest, &f->stiffness, f->h);
    pd_row_set_equal(&rows[1], f->way.y, f->fastest, &f->stiffness, f->h);
    rows[0].drift = f->drift.x;
    rows[1].drift = f->drift.y;
    return 2;
}

/* Sets a row of the relative rotation. */
static int set_rotation_row(const frame *f, pd_row *row) {
    pd_row_set_rotation(row, f->movers, f->a, f->b);
    pd_row_set_equal(row, f->angle, FASTEST_TURN, &f->stiffness, f->h);
    return 1;
}

/* Makes a row, and a copy of it in the opposite direction, the lower and the upper limit of a value. */
static int set_limit_rows(const frame *f, pd_row *rows, double value, double lower, double upper) {
    rows[1] = rows[0];
    rows[1].axis = (pd_double2){-rows[0].axis.x, -rows[0].axis.y};
    rows[1].arm_a = -rows[0].arm_a;
    rows[1].arm_b = -rows[0].arm_b;
    double fastest = rows[0].axis.x == 0.0 && rows[0].axis.y == 0.0 ? FASTEST_TURN : f->fastest;
    pd_row_set_at_least(&rows[0], value - lower, 0.0, fastest, &f->stiffness, f->h);
    pd_row_set_at_least(&rows[1], upper - value, 0.0, fastest, &f->stiffness, f->h);
    return 2;
}

/* Sets the row of a motor. Its effective mass is that without pd_mover.excess: else the impulse of a motor that other joints hold
 * would grow exponentially, as it makes forces, which make the inertia greater. */
static int set_motor_row(const frame *f, const pd_joint_def *def, pd_row *row) {
    const pd_mover *a = &f->movers[f->a], *b = &f->movers[f->b];
    double inverse = a->excess * a->inverse_inertia + b->excess * b->inverse_inertia;
    pd_row_set_rotation(row, f->movers, f->a, f->b);
    row->mass = inverse > 0.0 ? 1.0 / inverse : 0.0;
    pd_row_set_motor(row, -def->speed * degrees, def->greatest_torque * f->h);
    return 1;
}

/* Rows have the velocity of the second body relative to the first; limits and speeds of definitions those of the first body
 * relative to the second. */
static int set_hinge_rows(const frame *f, const pd_joint *joint, pd_row *rows) {
    const pd_joint_def *def = &joint->def;
    int count = set_point_rows(f, rows);
    if (def->type == PD_JOINT_MOTOR) count += set_motor_row(f, def, &rows[count]);
    if (!def->limited) return count;
    pd_row_set_rotation(&rows[count], f->movers, f->a, f->b);
    return count + set_limit_rows(f, &rows[count], f->angle, -def->upper * degrees, -def->lower * degrees);
}

/* Sets rows across the axis, of the rotation, and for the limits along the axis. The force acts on the first body at the
 * second body's point. */
static int set_slider_rows(const frame *f, const pd_joint *joint, pd_row *rows) {
    pd_double2 axis = pd_pose_rotate(&f->movers[f->a].pose, joint->state.axis), across = turn_left(axis);
    pd_double2 arm_a = pd_add_scaled(f->arm_a, 1.0, f->way);
    pd_row_set_axis(&rows[0], f->movers, f->a, f->b, across, arm_a, f->arm_b);
    pd_row_set_equal(&rows[0], pd_dot(across, f->way), f->fastest, &f->stiffness, f->h);
    int count = 1 + set_rotation_row(f, &rows[1]);
    if (!joint->def.limited) return count;
    pd_row_set_axis(&rows[count], f->movers, f->a, f->b, axis, arm_a, f->arm_b);
    return count + set_limit_rows(f, &rows[count], pd_dot(axis, f->way), -joint->def.upper, -joint->def.lower);
}

static int set_joint_rows(const frame *f, const pd_joint *joint, pd_row *rows) {
    switch (joint->def.type) {
    case PD_JOINT_WELD: {
        int count = set_point_rows(f, rows);
        return count + set_rotation_row(f, &rows[count]);
    }
    case PD_JOINT_SLIDER:
        return set_slider_rows(f, joint, rows);
    default:
        return set_hinge_rows(f, joint, rows);
    }
}

/* Set the impulses of rows from stored impulses, and back. */
static void load_impulses(pd_row *rows, int count, const double *impulse, double scale) {
    for (int k = 0; k < count; k++) {
        rows[k].impulse = pd_smaller(pd_greater(scale * impulse[k], rows[k].low), rows[k].high);
        /* Ropes and limits that were taut in the step before. */
        if (rows[k].low == 0.0) rows[k].direct = rows[k].impulse > 0.0;
    }
}

static void store_impulses(const pd_row *rows, int count, double *impulse) {
    for (int k = 0; k < count; k++) impulse[k] = rows[k].impulse;
}

static int set_drag_rows(const pd_bodies *bodies, double h, pd_row *rows) {
    const pd_body_drag *drag = &bodies->drag;
    pd_double2 anchors[2] = {drag->target, drag->anchor};
    frame f = compute_frame(bodies, PD_WORLD_BODY, (int)drag->body, anchors, h);
    f.stiffness = pd_stiffness_of_spring(DRAG_FREQUENCY, DRAG_DAMPING, h);
    f.fastest = INFINITY;
    int count = set_point_rows(&f, rows);
    for (int k = 0; k < count; k++) {
        rows[k].high = drag->greatest_force * h;
        rows[k].low = -rows[k].high;
        rows[k].pass[PD_PASS_RELAX] = rows[k].pass[PD_PASS_SOLVE];
        rows[k].direct = false;
    }
    return count;
}

void pd_bodies_add_joint_rows(pd_bodies *bodies, double h) {
    double scale = bodies->solver_seconds > 0.0 ? h / bodies->solver_seconds : 0.0;
    bodies->line_rows = LINE_ROWS;
    for (int i = 0; i < bodies->joint_count; i++) {
        pd_joint *joint = &bodies->joints[i];
        pd_row *rows = &bodies->rows[bodies->row_count];
        joint->first_row = bodies->row_count;
        joint->row_count = 0;
        if (joint->state.broken) continue;
        frame f = compute_frame(bodies, joint->def.bodies[0], joint->def.bodies[1], joint->state.anchor, h);
        f.angle -= joint->state.angle;
        bool line = is_line(joint);
        joint->row_count = line ? 1 : set_joint_rows(&f, joint, rows);
        if (line) line_set_row(bodies, joint, rows, h);
        load_impulses(rows, joint->row_count, joint->state.impulse, scale);
        /* Sets the further rows of a line, for the tension in the step before. */
        if (line) {
            double impulse = -get_sign(joint) * joint->state.impulse[0];
            joint->tension = bodies->solver_seconds > 0.0 ? pd_greater(impulse, 0.0) / bodies->solver_seconds : 0.0;
            for (int k = 1; k < LINE_ROWS; k++) bodies->rows[joint->first_row + k] = (pd_row){.impulse = 0.0};
            set_further_rows(bodies, joint, h);
        }
        bodies->row_count += line ? LINE_ROWS : joint->row_count;
    }
    if (bodies->drag.body >= 0) {
        pd_row *rows = &bodies->rows[bodies->row_count];
        bodies->row_count += set_drag_rows(bodies, h, rows);
        load_impulses(rows, 2, bodies->drag.impulse, scale);
    }
    lines_factor(bodies);
    /* Direct rows need no warm start, which would let the impulses of redundant rows grow. */
    for (int i = 0; i < bodies->direct_count; i++) bodies->rows[bodies->direct[i].row].impulse = 0.0;
}

void pd_bodies_solve_joints(pd_bodies *bodies, int pass, double h) {
    for (int i = 2 * bodies->contact_count; i < bodies->row_count; i++)
        if (!bodies->rows[i].direct) pd_row_solve(&bodies->rows[i], bodies->movers, pass);
    if (pass == PD_PASS_SOLVE)
        lines_solve(bodies, h);
    else
        pd_direct_solve(bodies, pass);
}

void pd_bodies_store_joint_impulses(pd_bodies *bodies, double h) {
    for (int i = 0; i < bodies->joint_count; i++) {
        pd_joint *joint = &bodies->joints[i];
        const pd_row *rows = &bodies->rows[joint->first_row];
        pd_double2 sum = {0.0, 0.0};
        for (int k = 0; k < joint->row_count; k++) sum = pd_add_scaled(sum, rows[k].impulse, rows[k].axis);
        store_impulses(rows, joint->row_count, joint->state.impulse);
        joint->state.force = pd_length(sum) / h;
        if (joint->state.force > joint->def.breaks_at) joint->state.broken = 1;
    }
    if (bodies->drag.body >= 0) store_impulses(&bodies->rows[bodies->row_count - 2], 2, bodies->drag.impulse);
}
