/* The rigid bodies of a world, between the solver (bodies/bodies.h) and the fluid.
 *
 * A substep: obstacles move (sim/walls/obstacles.h); pd_world_begin_bodies moves the bodies, which are walls of the fluid;
 * the method moves the fluid; pd_world_end_bodies gives its impulses to the bodies.
 *
 * The solver computes in SI units per metre of depth: masses in kg/m. Functions do nothing in a world without bodies. */
#ifndef PUDDLE_SIM_WORLD_BODIES_H
#define PUDDLE_SIM_WORLD_BODIES_H

#include "bodies/bodies.h"
#include "scene/edit.h"
#include "sim/walls/solid.h"
#include <puddle/world.h>

typedef struct pd_archive pd_archive;
typedef struct pd_boundary pd_boundary;
typedef struct pd_world_bodies pd_world_bodies;

/* Creates the bodies of a scene at time 0. *bodies is NULL if the scene has none. Errors: OUT_OF_MEMORY. */
pd_result pd_world_bodies_create(pd_world_bodies **bodies, const pd_scene *scene, pd_error *error);
void pd_world_bodies_destroy(pd_world_bodies *bodies);
/* Creates the bodies of an edited scene. Bodies and joints that remain keep their state, except bodies whose place was edited
 * and their joints. Errors: OUT_OF_MEMORY. */
pd_result pd_world_bodies_create_after_edit(pd_world_bodies **bodies, const pd_world *world, const pd_edited *edit,
                                            pd_error *error);
/* Sets the bodies to their state at time 0. */
void pd_world_reset_bodies(pd_world *world);
/* Begins the sums of the impulses of contacts and joints in a step (pd_world_body.contact_force_x). */
void pd_world_clear_constraint_impulses(pd_world *world);
/* Moves the bodies and their walls through a substep of `seconds`, after pd_world_move_obstacles. */
void pd_world_begin_bodies(pd_world *world, double seconds);
/* Gives gravity and the impulses of the fluid to the bodies, at the end of a substep of `seconds`. */
void pd_world_end_bodies(pd_world *world, double seconds);
/* Sets the walls of the bodies in a boundary: with the motion of the last substep, or (rests) at rest at their present
 * places. */
void pd_world_bodies_set_walls(const pd_world_bodies *bodies, pd_boundary *boundary, bool rests);
/* Returns a bound of the speed of all points of the bodies in the next substep, m/s. */
double pd_world_max_body_speed(const pd_world *world);
/* Returns the characteristic speed of a world without its bodies, m/s: the greatest of sqrt(g L) and the speeds of obstacles and
 * emitters. */
double pd_world_characteristic_speed(const pd_world *world);
/* Returns the factor in [0, 1] on a change of a body's velocity by the fluid. The fluid accelerates bodies to at most twice the
 * characteristic speed: pressures between closing walls, and crowded particles, would throw light bodies. */
double pd_world_limit_push(const pd_world *world, int body, const pd_coordinates *change);
/* Returns the solver of the world's bodies (bodies/bodies.h); NULL: there are none. */
const struct pd_bodies *pd_world_solver(const pd_world *world);
/* Body in the pressure equation of a grid (mac/coupling.h). Impulses and masses have the unit of pd_impulses; angular
 * impulses are about the centroid. */
typedef struct pd_coupled_body {
    pd_coordinates correction; /* pd_world_end_bodies adds it to the impulse; 0 at the beginning of a substep */
    pd_withheld withheld[2];   /* the next pd_body_state.withheld; 0 before a solve */
    /* Memory of the solver. */
    double mass, inertia;  /* of the body, or the least ones */
    double mass_ratio;     /* (mass of the body)/mass */
    double perimeter, wet; /* covered length of faces, and its part in the fluid, in cells */
    double added;          /* estimated added mass */
    double friction;       /* mass of the viscous layer */
    bool unresolved;       /* another wall is near, or the body is thinner than two cells */
    pd_coordinates given;  /* impulse of the fluid and gravity */
    pd_coordinates sum;    /* right-hand side */
    pd_coordinates residual, next, direction, product, solution;
} pd_coupled_body;
/* Returns an array with an element for each body. The world must have bodies. */
pd_coupled_body *pd_world_coupled_bodies(const pd_world *world);
/* Reads, writes or hashes the state of the bodies. */
void pd_world_save_or_load_bodies(pd_world *world, pd_archive *archive);
/* Sets the bodies and joints of a view. */
void pd_world_view_bodies(const pd_world *world, pd_view *view);
/* Sets the bodies and joints of a copy of the world's scene to their present state, and removes broken joints. */
void pd_world_set_present_bodies(const pd_world *world, pd_scene *scene);

typedef struct pd_world pd_world;

/* Gap between a side of a body and another wall. */
typedef struct pd_narrow_gap {
    int body;          /* index of the body */
    int wall;          /* the other wall: PD_CONTAINER_WALL, or the index of a solid */
    pd_double2 end[2]; /* ends of the gap, midway between both walls, m */
    pd_double2 normal; /* unit vector from the body to the other wall */
} pd_narrow_gap;

/* Calls `visit` for each gap that is narrower than `widest` (m) at both ends, in their poses at the end of the substep. A gap
 * between two bodies is visited once. Joined bodies and sides that bodies touch at one point have no gap. */
void pd_world_visit_narrow_gaps(const pd_world *world, double widest,
                                void (*visit)(void *context, const pd_narrow_gap *gap), void *context);

#endif
