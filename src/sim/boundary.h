/* The solid world: a container and obstacles, as they stand during one substep.
 *
 * Nothing passes a wall, however fast: a contact is found along the whole way from where the particle was at the
 * beginning of the substep to where it wants to be at its end, in the frame of each obstacle (which may move and
 * turn). */
#ifndef PUDDLE_SIM_BOUNDARY_H
#define PUDDLE_SIM_BOUNDARY_H

#include <puddle/scene.h>
#include <puddle/view.h>

typedef struct pd_boundary pd_boundary;

typedef struct pd_contact {
    pd_vec2 normal;   /* unit, from the wall into the fluid */
    pd_vec2 velocity; /* of the wall at the contact, m/s */
} pd_contact;

/* Errors: OUT_OF_MEMORY. The scene's obstacles are read during creation only. */
pd_result pd_boundary_create(pd_boundary **boundary, const pd_scene *scene, pd_error *error);
void pd_boundary_destroy(pd_boundary *boundary);

/* Sets the substep: obstacles stand at their place at time `begin` where it starts, and at `end` where it ends (s). */
void pd_boundary_move(pd_boundary *boundary, double begin, double end);

/* A particle went from start (begin of the substep) to *position (its end). Puts *position on the near side of every
 * wall in its way and returns true when it touched one; *contact is the last wall touched. On return *position is
 * inside the container and outside every obstacle (at rest on the surface at the nearest), also where walls meet; a
 * particle that an obstacle squeezes against the container ends inside the container. *position is finite whatever
 * comes in: a NaN or infinite one falls back to start. Thread-safe: reads only. Fast when nothing is near. */
bool pd_boundary_contain(const pd_boundary *boundary, pd_vec2 start, pd_vec2 *position, pd_contact *contact);

/* No wall is in the way of any of `count` particles that go from (old_x, old_y) to (x, y): pd_boundary_contain would leave them all
 * where they want to be. False when in doubt; sharpest where they are near each other. */
bool pd_boundary_clear(const pd_boundary *boundary, int count, const float *old_x, const float *old_y, const float *x,
                       const float *y);

/* The nearest allowed place for a point, at the end of the substep; true when it had to move. */
bool pd_boundary_push_out(const pd_boundary *boundary, pd_vec2 *position);
/* Inside the container (within tolerance metres) and outside every obstacle. */
bool pd_boundary_allows(const pd_boundary *boundary, pd_vec2 position, float tolerance);
/* Distance to the nearest wall (container or obstacle; INFINITY when there is none) and the unit normal there, from
 * the wall into the fluid. */
float pd_boundary_distance(const pd_boundary *boundary, pd_vec2 position, pd_vec2 *normal);
/* The same with the velocity that the wall has where the point is, as if it were fixed to the wall. */
float pd_boundary_near(const pd_boundary *boundary, pd_vec2 position, pd_contact *contact);

/* Where the obstacles stand at the end of the substep, for drawing; the array belongs to the boundary. */
const pd_view_obstacle *pd_boundary_view(const pd_boundary *boundary, int *count);
/* The fastest any point of an obstacle moves, m/s. */
float pd_boundary_max_speed(const pd_boundary *boundary);

/* For those who measure the walls as a whole (sim/raster.h). The solids belong to the boundary. */
const struct pd_solid *pd_boundary_solids(const pd_boundary *boundary, int *count);
/* Shape and size only. */
pd_container pd_boundary_container(const pd_boundary *boundary);
/* How long the substep takes, s; 0 when no obstacle ever moves. */
double pd_boundary_seconds(const pd_boundary *boundary);

#endif
