/* Springs and ropes. */
#include "bodies/lines.h"

#include "bodies/direct.h"

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
    end.center.x += h * mover->velocity.x + mover->late.x;
    end.center.y += h * mover->velocity.y + mover->late.y;
    pd_pose_turn(&end, h * mover->velocity.angle + mover->late.angle);
    return end;
}

/* Impulses of a rope are positive when they pull, those of a spring negative. */
static double get_sign(const pd_joint *joint) { return joint->def.type == PD_JOINT_ROPE ? -1.0 : 1.0; }

/* ---- Rows ---- */

void pd_line_set_row(const pd_bodies *bodies, const pd_joint *joint, pd_row *row, double h) {
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
    double impulse[PD_LINE_ROWS], tension = rows->direct ? joint->tension : 0.0;
    if (!(tension > 0.0) || bodies->line_rows < PD_LINE_ROWS) return;
    line l = compute_line(joint, &movers[a].pose, &movers[b].pose);
    for (int k = 1; k < PD_LINE_ROWS; k++) impulse[k] = rows[k].impulse;
    pd_row_set_axis(&rows[1], movers, a, b, (pd_double2){-l.axis.y, l.axis.x}, l.arm_a, l.arm_b);
    pd_row_set_rotation(&rows[2], movers, world, a);
    pd_row_set_rotation(&rows[3], movers, world, b);
    double stiffness[PD_LINE_ROWS] = {0.0, l.length > 0.0 ? tension / l.length : 0.0, tension * pd_dot(l.axis, l.arm_a),
                                      -tension * pd_dot(l.axis, l.arm_b)};
    for (int k = 1; k < PD_LINE_ROWS; k++) {
        double most = RIGID * rows[k].mass / (h * h);
        pd_row_set_spring(&rows[k], movers, 0.0, pd_greater(pd_smaller(stiffness[k], most), 0.0), 0.0, h);
        rows[k].impulse = rows[k].before = impulse[k];
    }
}

void pd_line_set_further_rows(const pd_bodies *bodies, pd_joint *joint, double h) {
    double impulse = -get_sign(joint) * joint->state.impulse[0];
    joint->tension = bodies->solver_seconds > 0.0 ? pd_greater(impulse, 0.0) / bodies->solver_seconds : 0.0;
    for (int k = 1; k < PD_LINE_ROWS; k++) bodies->rows[joint->first_row + k] = (pd_row){.impulse = 0.0};
    set_further_rows(bodies, joint, h);
}

/* ---- Solution ---- */

/* Leaves the rows of all lines from an index on to pd_row_solve. */
static void leave_out_rows(pd_bodies *bodies, int first) {
    for (int i = 0; i < bodies->joint_count; i++) {
        const pd_joint *joint = &bodies->joints[i];
        if (joint->row_count == 0 || !pd_joint_is_line(joint)) continue;
        for (int k = first; k < PD_LINE_ROWS; k++) {
            pd_row *row = &bodies->rows[joint->first_row + k];
            if (k > 0) pd_row_apply_impulse(row, bodies->movers, -row->impulse);
            if (k > 0) row->impulse = 0.0;
            row->direct = false;
        }
    }
}

void pd_lines_factor(pd_bodies *bodies) {
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
    return joint->row_count > 0 && pd_joint_is_line(joint) && bodies->rows[joint->first_row].direct;
}

/* Removes the further rows of ropes that became slack. */
static void release_slack_ropes(pd_bodies *bodies) {
    bool released = false;
    for (int i = 0; i < bodies->joint_count; i++) {
        const pd_joint *joint = &bodies->joints[i];
        if (joint->row_count == 0 || !pd_joint_is_line(joint) || is_active(bodies, joint)) continue;
        for (int k = 1; k < PD_LINE_ROWS; k++) {
            pd_row *row = &bodies->rows[joint->first_row + k];
            if (!row->direct) continue;
            pd_row_apply_impulse(row, bodies->movers, -row->impulse);
            row->impulse = 0.0;
            row->direct = false;
            released = true;
        }
    }
    if (released) pd_lines_factor(bodies);
}

/* Restores the impulses of the direct rows before pd_lines_solve, so that redundant rows are solved once, however many iterations
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
    pd_lines_factor(bodies);
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

void pd_lines_solve(pd_bodies *bodies, double h) {
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
