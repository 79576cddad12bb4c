/* Constraint rows: one scalar constraint between two movers, solved by sequential impulses (Catto 2005, "Iterative dynamics
 * with temporal coherence", GDC) with soft constraints (Catto 2011, "Soft constraints", GDC; Catto 2024, "Solver2D").
 *
 * Velocity of a row: axis . (v_b - v_a) + arm_b w_b - arm_a w_a. An impulse acts on mover b, its opposite on mover a. */
#ifndef PUDDLE_BODIES_ROWS_H
#define PUDDLE_BODIES_ROWS_H

#include "bodies/bodies.h"

/* A body or a wall within a solver step. */
typedef struct pd_mover {
    const pd_rigid_shape *shape;          /* NULL: the container */
    const pd_placed_part *parts;          /* body: its parts in the world's frame; NULL: not a body */
    pd_pose pose;                         /* pose of the centroid at the beginning of the step */
    pd_coordinates velocity;              /* m/s, rad/s */
    pd_coordinates force;                 /* part of the velocity that forces gave in this step */
    double inverse_mass, inverse_inertia; /* 0: walls, and the rotation of bodies with a fixed angle */
    double arm;                           /* greatest arm of the joints, m */
    double stiffness;                     /* sum of force x arm of the joints in the step before, mass x m^2/s^2 */
    double excess;                        /* body: factor by which this stiffness increases the inertia, at least 1 */
    pd_coordinates impact_delay;          /* correction of the displacement: impacts act within the step */
    pd_double2 end;                       /* centroid at the end of the step, m */
    double rotation;                      /* angle of rotation in the step, rad */
    int first_pair;                       /* list of the pairs with greater movers; -1: none */
    int first_direct;                     /* index of the first direct row of the mover; -1: none */
    int line_count;                       /* number of springs and ropes at the mover */
    bool hinged;                          /* the body has a hinge or motor to the world */
    double margin;                        /* distance at which contacts are sought, m */
    double low_x, low_y, high_x, high_y;  /* box around the mover, widened by `margin` */
} pd_mover;

/* Pair of movers whose boxes overlap, in the list of the first mover (pd_mover.first_pair). */
typedef struct pd_pair {
    int other; /* index of the second mover, greater than that of the first */
    int next;  /* next pair of the list; -1: none */
} pd_pair;

/* Change of a row's impulse in a pass: -gain x velocity - offset - decay x impulse. */
typedef struct pd_softness {
    double gain, offset, decay;
} pd_softness;

/* Passes of a solver step. The velocities of the solve pass move the bodies; they contain corrections of errors. The relax
 * pass takes these corrections out of the velocities again. */
enum { PD_PASS_SOLVE, PD_PASS_RELAX, PD_PASSES };

typedef struct pd_row {
    int a, b;            /* indices of the movers */
    pd_double2 axis;     /* unit vector; 0 for rotations */
    double arm_a, arm_b; /* lever arms of the axis about the centroids, m; 1 for rotations */
    double mass;         /* effective mass */
    double impulse;      /* impulse in the solver step */
    double low, high;    /* bounds of the impulse */
    double friction;     /* friction row of a contact: coefficient of friction, which bounds the impulse */
    double restitution;  /* normal row of a contact: ratio of the speeds after and before an impact */
    pd_softness pass[PD_PASSES];
    bool direct;       /* the row is solved together with the other direct rows (below) */
    double correction; /* direct row: velocity against which the solve pass moves, to correct the error, m/s */
    double drift;      /* direct row: mean velocity in the step that its own rotation gives to the error, m/s */
    double compliance; /* direct row: velocity by which the row yields per impulse; 0: rigid */
    double before;     /* direct row: impulse before lines_solve */
    double pull;       /* direct row of a spring: velocity against which both passes move, m/s */
} pd_row;

/* Row of the matrix of the direct rows. */
typedef struct pd_direct_row {
    int row;        /* index of the pd_row */
    int first;      /* index of the first direct row that is coupled with this row */
    int offset;     /* pd_bodies.envelope[offset + k] is the element in column k, first <= k <= own index */
    double inverse; /* 1 / element of D */
    double change;  /* change of the impulse */
} pd_direct_row;

/* Softness of a constraint that holds like a damped spring, in the terms of Box2D 3 (b2MakeSoft). */
typedef struct pd_stiffness {
    double bias_rate;     /* velocity that corrects an error, per error, 1/s */
    double mass_scale;    /* factor on the effective mass */
    double impulse_scale; /* fraction of the impulse that decays in each solve */
} pd_stiffness;

/* Returns the stiffness of a spring with this frequency (Hz) and damping ratio in steps of h seconds. */
pd_stiffness pd_stiffness_of_spring(double frequency, double damping_ratio, double h);
/* Returns the stiffness of the rigid rows of joints. */
pd_stiffness pd_stiffness_of_joint(double h);
/* Sets movers, axis, arms and effective mass of a row through a point, whose vectors from the centroids are arm_a and
 * arm_b, m. */
void pd_row_set_axis(pd_row *row, const pd_mover *movers, int a, int b, pd_double2 axis, pd_double2 arm_a,
                     pd_double2 arm_b);
/* Sets movers and effective mass of a row of the relative rotation. */
void pd_row_set_rotation(pd_row *row, const pd_mover *movers, int a, int b);
/* Makes the row the constraint error = 0, which is solved directly, or as a spring where that is impossible. Errors are
 * corrected at a speed of at most `fastest` (m/s or rad/s). */
void pd_row_set_equal(pd_row *row, double error, double fastest, const pd_stiffness *stiffness, double h);
/* Makes the row the constraint error >= 0. A positive error may become 0 at the end of the step, but not less (speculative
 * contact). Down to -allowed (m or rad) the row is rigid, below it is a spring that corrects at a speed of at most `fastest`. */
void pd_row_set_at_least(pd_row *row, double error, double allowed, double fastest, const pd_stiffness *stiffness,
                         double h);
/* Makes the row a motor: velocity = speed, with an impulse of at most greatest_impulse. */
void pd_row_set_motor(pd_row *row, double speed, double greatest_impulse);
/* Makes the row a spring with a stiffness (force per error) and a damping coefficient (force per velocity), which is a direct row
 * if a part of its force acts implicitly. */
void pd_row_set_spring(pd_row *row, const pd_mover *movers, double error, double stiffness, double damping, double h);

static inline double pd_row_velocity(const pd_row *row, const pd_mover *movers) {
    const pd_coordinates *a = &movers[row->a].velocity, *b = &movers[row->b].velocity;
    return row->axis.x * (b->x - a->x) + row->axis.y * (b->y - a->y) + row->arm_b * b->angle - row->arm_a * a->angle;
}

static inline void pd_row_apply_impulse(const pd_row *row, pd_mover *movers, double impulse) {
    pd_mover *a = &movers[row->a], *b = &movers[row->b];
    a->velocity.x -= a->inverse_mass * impulse * row->axis.x;
    a->velocity.y -= a->inverse_mass * impulse * row->axis.y;
    a->velocity.angle -= a->inverse_inertia * impulse * row->arm_a;
    b->velocity.x += b->inverse_mass * impulse * row->axis.x;
    b->velocity.y += b->inverse_mass * impulse * row->axis.y;
    b->velocity.angle += b->inverse_inertia * impulse * row->arm_b;
}

static inline void pd_row_solve(pd_row *row, pd_mover *movers, int pass) {
    const pd_softness *soft = &row->pass[pass];
    double change = -soft->gain * pd_row_velocity(row, movers) - soft->offset - soft->decay * row->impulse;
    double impulse = pd_smaller(pd_greater(row->impulse + change, row->low), row->high);
    change = impulse - row->impulse;
    row->impulse = impulse;
    pd_row_apply_impulse(row, movers, change);
}

/* Direct solution of the joints' equality rows, all at once: rigid joints hold at any ratio of masses, and chains do not
 * stretch. Springs are rows with a compliance, so that coupled springs are one step of backward Euler.
 *
 * The matrix J M^-1 J^T of the rows is sparse: rows are coupled if they share a body. It is factored as L D L^T within its
 * envelope (Jennings 1966, "A compact storage scheme for the solution of symmetric linear simultaneous equations"). For
 * chains in the order of their links the cost is that of Baraff 1996, "Linear-time dynamics using Lagrange multipliers".
 *
 * Rotation bends the paths of the points of attachment by a drift of second order. The solve pass corrects all of it. In the
 * relax pass the whole drift would conserve the energy of a pendulum, and none costs the fraction (angle of a step)^2 of it in
 * each step. Half of the drift is stable for light chains with heavy loads, which the whole is not. */

/* Factors the matrix of the direct rows of joints (pd_row.direct). Rigid rows that would make the envelope too large are left to
 * pd_row_solve: their `direct` becomes false. Returns false if a row with a compliance does not fit (lines_factor). */
bool pd_direct_factor(pd_bodies *bodies);
/* Solves the factored rows for the velocities of a pass. Ropes and limits that would push back become slack: their `direct`
 * becomes false. */
void pd_direct_solve(pd_bodies *bodies, int pass);

#endif
