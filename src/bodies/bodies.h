/* Rigid bodies: shapes with mass that move by forces, contacts and joints.
 *
 * A substep of the world:
 *     pd_bodies_set_wall_motion(...)            for each wall that moves
 *     pd_bodies_begin_substep(bodies, dt)       the bodies move from state.before to state.pose
 *     ...                                       the fluid moves; walls of bodies go from pose to pose
 *     pd_bodies_end_substep(bodies, dt, ...)    gravity and impulses of the fluid: state.change, for the next substep
 *
 * A substep consists of solver steps of at most 1/480 s. Each finds the contacts anew and is one substep of the "soft step"
 * of Catto 2024, "Solver2D" (Box2D 3): sequential impulses with warm starting, soft contacts, relaxation. Beyond Box2D:
 * - Impacts with restitution come first (contacts.c), so that impulses travel through rows of bodies.
 * - Equality rows of joints are solved directly (rows.h), so that joints are rigid at any ratio of masses.
 * - Springs and ropes are solved with them, at exact lengths (joints.h), so that they gain no energy.
 * - Bodies stop where they touch others on their way (solver.c), so that nothing passes through.
 *
 * Everything is scalar and in double precision, in the order of the indices, and has the same bits everywhere. */
#ifndef PUDDLE_BODIES_BODIES_H
#define PUDDLE_BODIES_BODIES_H

#include "bodies/shape.h"
#include "core/archive.h"

enum {
    PD_WORLD_BODY = -1,              /* in a joint, in place of a body: the world at rest */
    PD_FIRST_WALL = 1 << 30,         /* pd_body_contact.other of wall 0 */
    PD_CONTAINER_OTHER = 0x7fffffff, /* pd_body_contact.other of the container */
    PD_JOINT_IMPULSES = 5,           /* most rows of a joint: those of a motor with limits */
};

/* Pose of a rigid body (x, y: centroid, m; angle: rad, counterclockwise), or its rate of change, or an impulse with its
 * angular impulse. */
typedef struct pd_coordinates {
    double x, y, angle;
} pd_coordinates;

/* Definition of a body. The unit of mass is that of the fluid's impulses. */
typedef struct pd_body_def {
    pd_area area;      /* circle, box, polyline or polygon, at the initial pose */
    float density;     /* mass per m^2 */
    float friction;    /* coefficient of friction; between bodies: the geometric mean */
    float restitution; /* ratio of speeds after and before an impact, 0 to 1; between bodies: the greater */
    pd_vec2 velocity;  /* velocity of the centroid, m/s */
    float spin;        /* angular velocity, degrees/s counterclockwise */
    bool fixed_angle;  /* the body does not turn */
} pd_body_def;

/* Velocity change of a body for which a coupling with a grid withholds the impulse of the fluid until the next substep, and
 * this impulse (mac/coupling.h). */
typedef struct pd_withheld {
    pd_coordinates change, impulse;
} pd_withheld;

/* State of a body that later substeps read. */
typedef struct pd_body_state {
    pd_coordinates pose;           /* pose at the end of the last substep */
    pd_coordinates before;         /* pose at the beginning of the last substep */
    pd_coordinates velocity;       /* velocity at the end of the last substep, after contacts and joints */
    pd_coordinates change;         /* velocity change by fluid and gravity, which acts in the next substep */
    pd_coordinates contact_change; /* velocity change by contacts, joints and the drag in the last substep */
    pd_coordinates mean_velocity;  /* (pose - before)/dt of the last substep */
    /* By the last solve of a coupling, and the rest of those by the solve before, 1 - pd_bodies.mean_part. */
    pd_withheld withheld[2];
} pd_body_state;

typedef struct pd_body {
    pd_rigid_shape shape;
    double mass, inertia; /* mass; moment of inertia about the centroid, mass x m^2 */
    double friction, restitution;
    bool fixed_angle;
    pd_body_state state;
    pd_pose now; /* state.pose within a substep */
    /* Change of state.mean_velocity in the present substep, without that for which an impulse is withheld. */
    pd_coordinates not_withheld;
} pd_body;

/* Definition of a joint. Points are in the world's frame, at the poses that the bodies have when the joint is added. */
typedef struct pd_joint_def {
    pd_joint_type type;
    int bodies[2];      /* indices of bodies; one of them may be PD_WORLD_BODY */
    pd_vec2 at[2];      /* points of attachment; only springs and ropes use at[1], on the second body */
    pd_vec2 axis;       /* slider: direction of motion, of any length except 0 */
    bool limited;       /* hinge, motor, slider: whether `lower` and `upper` apply */
    float lower, upper; /* limits of the first body's motion relative to the second from its pose now: degrees or m */
    float speed;        /* motor: speed of the first body relative to the second, degrees/s */
    float greatest_torque; /* motor: limit of the torque, mass x m^2/s^2 */
    float length;          /* spring, rope: length, m; NAN: the present distance of the points */
    float stiffness;       /* spring: force per extension, mass/s^2 */
    float damping;         /* spring: force per speed, mass/s */
    float breaks_at;       /* force at which the joint breaks, mass x m/s^2; INFINITY: never */
} pd_joint_def;

/* State of a joint that later substeps read. */
typedef struct pd_joint_state {
    pd_double2 anchor[2];              /* by body: point of attachment in the body's frame, m */
    pd_double2 axis;                   /* slider: direction of motion in the frame of the first body */
    double angle;                      /* relative angle at which the joint was added, rad */
    double length;                     /* spring, rope: length, m */
    double impulse[PD_JOINT_IMPULSES]; /* impulses in the last solver step, for warm starting */
    double force;                      /* force in the last solver step, mass x m/s^2 */
    int64_t broken;                    /* 1: the joint broke, and acts no more */
} pd_joint_state;

typedef struct pd_joint {
    pd_joint_def def;
    pd_joint_state state;
    int first_row, row_count; /* rows of the joint in the present solver step whose impulses are stored */
    double tension;           /* spring, rope: greatest tension in the present solver step, mass x m/s^2 */
} pd_joint;

/* Contact point in the last solver step. The list is sorted by the first six members. It is a part of the state, since its
 * impulses warm start the next solver step. */
typedef struct pd_body_contact {
    int32_t body, other;      /* indices of two bodies, body < other; PD_FIRST_WALL + wall; PD_CONTAINER_OTHER */
    int32_t part[2];          /* parts of the two shapes */
    int32_t feature[2];       /* pd_manifold_point.feature */
    pd_double2 point, normal; /* point, m; unit vector from `body` to `other` */
    double separation;        /* distance of the surfaces, m; below 0: depth of the overlap */
    double normal_impulse;    /* impulse along the normal, 0 or more; force = impulse / pd_bodies.solver_seconds */
    double friction_impulse;  /* impulse on `other` along the normal turned counterclockwise by 90 degrees */
    double impact[2];         /* further impulses, of an impact with restitution, along both directions */
} pd_body_contact;

/* A wall: an obstacle that moves on a given path. */
typedef struct pd_body_wall {
    pd_rigid_shape shape;
    pd_pose begin, end;     /* pose of pd_area.center at the beginning and end of the substep */
    double rotation;        /* angle of rotation in the substep, rad */
    pd_coordinates impulse; /* impulse by the bodies in the last substep; angular: about the origin */
} pd_body_wall;

/* A spring that pulls a point of a body to a target, as the mouse does. */
typedef struct pd_body_drag {
    int64_t body;          /* index of the body; -1: none */
    pd_double2 anchor;     /* point in the body's frame, m */
    pd_double2 target;     /* target, m */
    double greatest_force; /* limit of each component of the force, mass x m/s^2 */
    double impulse[2];     /* impulse in the last solver step */
} pd_body_drag;

typedef struct pd_bodies {
    pd_container container;
    double slop; /* overlap that contacts leave, m: 1e-4 of the container's size */
    double
        push_speed; /* greatest speed at which overlaps are pushed apart, m/s: one size of the container in a second */
    double greatest_speed; /* greatest speed of a body, m/s: 100, in large containers more */
    pd_body *bodies;
    pd_joint *joints;
    pd_body_wall *walls;
    pd_body_contact *contacts;
    int body_count, joint_count, wall_count, contact_count;
    double solver_seconds; /* duration of the last solver step, s; 0: none yet */
    double
        mean_part; /* part of a velocity change that the mean velocity of the substep gets; the next one gets the rest */
    pd_body_drag drag;
    pd_coordinates
        world_impulse; /* impulse by the bodies on container and world in the last substep; angular: about the
                                   * origin */
    int body_capacity, joint_capacity, wall_capacity, contact_capacity;
    /* Memory of a solver step (bodies/rows.h). */
    struct pd_mover *movers;       /* bodies, walls, and the world at rest with the container */
    pd_placed_part *parts;         /* parts of all bodies in the world's frame */
    struct pd_direct_row *direct;  /* rows that are solved directly (below) */
    double *envelope;              /* elements of their matrix */
    struct pd_row *rows;           /* two rows for each contact, then the rows of joints */
    pd_body_contact *old_contacts; /* contacts of the solver step before, for warm starting */
    struct pd_pair *pairs;         /* pairs of movers whose boxes overlap */
    int *order;                    /* bodies in the order of their boxes along x */
    int direct_count, direct_capacity, envelope_capacity;
    int line_rows; /* rows of a spring or rope that may be direct in the present solver step (bodies/joints.h) */
    int mover_capacity, part_capacity, row_capacity, row_count, old_capacity, pair_capacity, pair_count, order_capacity;
} pd_bodies;

/* Creates an empty list of bodies in a container. */
pd_bodies *pd_bodies_create(const pd_container *container);
void pd_bodies_destroy(pd_bodies *bodies);

/* Add a body, a joint or a wall at the end of its list. On an error the lists are unchanged. Errors: OUT_OF_MEMORY. */
pd_result pd_bodies_add_body(pd_bodies *bodies, const pd_body_def *def, pd_error *error);
pd_result pd_bodies_add_joint(pd_bodies *bodies, const pd_joint_def *def, pd_error *error);
pd_result pd_bodies_add_wall(pd_bodies *bodies, const pd_area *area, pd_error *error);

/* Sets the poses of pd_area.center of a wall at the beginning and end of the coming substep, and the angle by which the wall
 * turns, rad. Walls without a call stay where they are. */
void pd_bodies_set_wall_motion(pd_bodies *bodies, int wall, const pd_pose *begin, const pd_pose *end, double rotation);
/* Begins to drag a body at a point (m, world's frame) with a force of at most greatest_force in each component. */
void pd_bodies_begin_drag(pd_bodies *bodies, int body, pd_vec2 point, double greatest_force);
/* Sets the target of the drag for the coming substeps, m. */
void pd_bodies_move_drag(pd_bodies *bodies, pd_vec2 target);
void pd_bodies_end_drag(pd_bodies *bodies);

/* Moves the bodies through a substep of dt seconds. */
void pd_bodies_begin_substep(pd_bodies *bodies, double dt);
/* Sets the velocity changes for the next substep: (J + m g dt) / max(m, least_mass), with gravity g (m/s^2) and the impulses J
 * of the fluid. Rotations have the same factor. least_mass keeps light bodies in particles stable (5 particle masses).
 * impulses: by body, with the angular impulse about the origin; NULL: there is no fluid. */
void pd_bodies_end_substep(pd_bodies *bodies, double dt, pd_vec2 gravity, const pd_coordinates *impulses,
                           double least_mass);

/* Reads, writes or hashes the state: poses, velocities, joints, contacts, drag. The lists must have been made from the
 * same definitions; archive->failed is set if the state does not fit them or is not finite. */
void pd_bodies_save_or_load(pd_bodies *bodies, pd_archive *archive);

/* Returns a bound of the speed of all points of the bodies in the next substep before contacts act, m/s. */
double pd_bodies_max_speed(const pd_bodies *bodies);
/* Returns center, cosine and sine of a pose. */
pd_pose pd_pose_of(const pd_coordinates *pose);
/* Returns the pose of pd_area.center of a body's shape for a pose of its centroid (state.before or state.pose), for the
 * obstacle that represents the body in the fluid. */
pd_pose pd_body_area_pose(const pd_body *body, const pd_coordinates *pose);

#endif
