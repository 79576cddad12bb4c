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
/* Moves the bodies and their walls through a substep of `seconds`, after pd_world_move_obstacles. */
void pd_world_begin_bodies(pd_world *world, double seconds);
/* Gives gravity and the impulses of the fluid to the bodies, at the end of a substep of `seconds`. */
void pd_world_end_bodies(pd_world *world, double seconds);
/* Sets the walls of the bodies in a boundary: with the motion of the last substep, or (rests) at rest at their present
 * places. */
void pd_world_bodies_set_walls(const pd_world_bodies *bodies, pd_boundary *boundary, bool rests);
/* Returns a bound of the speed of all points of the bodies in the next substep, m/s. */
double pd_world_max_body_speed(const pd_world *world);
/* Returns the solver of the world's bodies (bodies/bodies.h); NULL: there are none. */
const struct pd_bodies *pd_world_solver(const pd_world *world);
/* Memory of the solver of mac/coupling.h for a body, in the unit of impulses (sim/walls/impulses.h). */
typedef struct pd_coupled_body {
    double mass, inertia, wet, perimeter;
    pd_coordinates first, residual, next, direction, product, solution;
    pd_coordinates correction; /* added to the impulse on the body in pd_world_end_bodies; angular: about the centroid */
} pd_coupled_body;
/* Returns this memory, by body. */
pd_coupled_body *pd_world_coupled_bodies(const pd_world *world);
/* Reads, writes or hashes the state of the bodies. */
void pd_world_save_or_load_bodies(pd_world *world, pd_archive *archive);
/* Sets the bodies and joints of a view. */
void pd_world_view_bodies(const pd_world *world, pd_view *view);
/* Sets the bodies and joints of a copy of the world's scene to their present state, and removes broken joints. */
void pd_world_set_present_bodies(const pd_world *world, pd_scene *scene);

#endif
