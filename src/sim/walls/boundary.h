/* The container and the obstacles during one substep.
 *
 * Collision detection is continuous, so particles do not pass through walls at any speed: a contact is searched along
 * the whole straight path from the particle's position at the beginning of the substep to the desired one at its end,
 * in the frame of each obstacle (which may move and turn). */
#ifndef PUDDLE_SIM_WALLS_BOUNDARY_H
#define PUDDLE_SIM_WALLS_BOUNDARY_H

#include "sim/walls/impulses.h"
#include <puddle/scene.h>
#include <puddle/view.h>

typedef struct pd_boundary pd_boundary;

typedef struct pd_contact {
    pd_vec2 normal;   /* unit, from the wall into the fluid; in a sharp wedge out of the wedge */
    pd_vec2 velocity; /* of the wall at the contact, m/s */
    int wall;         /* PD_CONTAINER_WALL, or the index of an obstacle */
} pd_contact;

/* Errors: OUT_OF_MEMORY. The scene's obstacles are read during creation only. */
pd_result pd_boundary_create(pd_boundary **boundary, const pd_scene *scene, pd_error *error);
void pd_boundary_destroy(pd_boundary *boundary);

/* Sets the substep: the poses of the obstacles at its beginning and its end are those at the times `begin` and `end`
 * (s). */
void pd_boundary_move(pd_boundary *boundary, double begin, double end);
/* Begins a step: records the velocities of the obstacles. */
void pd_boundary_begin_step(pd_boundary *boundary);

/* Sets how far an obstacle is from its path in the scene at the beginning and at the end of the substep (m); takes effect
 * with the next pd_boundary_move. */
void pd_boundary_displace(pd_boundary *boundary, int obstacle, pd_vec2 begin, pd_vec2 end);

/* A particle moves from start (beginning of the substep) to *position (its end). Moves *position to the near side of
 * every wall on the path and returns true when it touched one; *contact is the last wall touched. On return *position
 * is inside the container and outside every obstacle (on the surface at the nearest), also where walls meet; a particle
 * that an obstacle squeezes against the container ends inside the container. *position is always finite: NaN or an
 * infinite one is replaced by start. Thread-safe: reads only. Fast when no wall is near. */
bool pd_boundary_contain(const pd_boundary *boundary, pd_vec2 start, pd_vec2 *position, pd_contact *contact);

enum { PD_MOST_PATHS = 16 };
/* Of `count` <= PD_MOST_PATHS particles that move from (old_x, old_y) to (x, y), a bit (1 << k) for each whose path may be near
 * a wall; pd_boundary_contain would change none of the others. Cheapest for particles close together: what is near the box
 * of all paths is found once. */
uint32_t pd_boundary_near_paths(const pd_boundary *boundary, int count, const float *old_x, const float *old_y,
                                const float *x, const float *y);

/* Goes through the particles [begin, end) whose paths may be near a wall:
 *     pd_near_paths near = pd_near_paths_of(boundary, begin, end, old_x, old_y, x, y);
 *     for (int i; (i = pd_near_paths_next(&near)) >= 0;) ...
 * The loop's body may move particle i alone. */
typedef struct pd_near_paths {
    const pd_boundary *boundary;
    const float *old_x, *old_y, *x, *y;
    int begin, end; /* of the particles that have not been tested */
    uint32_t near;  /* of those tested last, a bit for each that is to come */
    int first;      /* number of the lowest bit's particle */
} pd_near_paths;
pd_near_paths pd_near_paths_of(const pd_boundary *boundary, int begin, int end, const float *old_x, const float *old_y,
                               const float *x, const float *y);
/* -1: there are no more. */
int pd_near_paths_next(pd_near_paths *paths);

/* pd_boundary_contain for `count` particles, for tracers: what they touched is not asked for. */
void pd_boundary_contain_tracers(const pd_boundary *boundary, int count, const float *old_x, const float *old_y,
                                 float *x, float *y);

/* Moves a point to an allowed place near it, as the walls are at the end of the substep; true when it moved. */
bool pd_boundary_push_out(const pd_boundary *boundary, pd_vec2 *position);
/* Whether a position is inside the container and outside every obstacle, within `tolerance` (m). */
bool pd_boundary_allows(const pd_boundary *boundary, pd_vec2 position, float tolerance);
/* Distance to the nearest wall (container or obstacle; INFINITY when there is none) and the unit normal there, from
 * the wall into the fluid. */
float pd_boundary_distance(const pd_boundary *boundary, pd_vec2 position, pd_vec2 *normal);
/* The same with the velocity of the wall, extended to the point as that of a rigid body. */
float pd_boundary_near(const pd_boundary *boundary, pd_vec2 position, pd_contact *contact);
/* The same, faster, for walls nearer than `within` (m); where there is none, returns `within`, and *contact is of no wall. */
float pd_boundary_near_within(const pd_boundary *boundary, pd_vec2 position, float within, pd_contact *contact);

/* The obstacles in their poses at the end of the substep, for drawing; the array belongs to the boundary. */
const pd_area *pd_boundary_view(const pd_boundary *boundary, int *count);
/* The greatest speed of any point of an obstacle, m/s. */
float pd_boundary_max_speed(const pd_boundary *boundary);

/* What the fluid gives to the walls. The sums belong to the boundary. */
pd_impulses *pd_boundary_impulses(pd_boundary *boundary);
/* All obstacles, for mac/raster/raster.h and sim/walls/walls.h; the array belongs to the boundary. */
const struct pd_solid *pd_boundary_solids(const pd_boundary *boundary, int *count);
/* Bounding boxes of the obstacles during the substep; the items are their indices. */
const struct pd_boxtree *pd_boundary_tree(const pd_boundary *boundary);
/* Shape and size of the container; other fields are not set. */
pd_container pd_boundary_container(const pd_boundary *boundary);
/* The duration of the substep, s; 0 when no obstacle ever moves. */
double pd_boundary_seconds(const pd_boundary *boundary);

#endif
