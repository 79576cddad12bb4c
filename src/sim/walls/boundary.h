/* The container, the obstacles and the bodies during one substep. A solid is an obstacle or a body: the bodies' indices follow
 * those of the obstacles.
 *
 * Collision detection is continuous: particles do not pass through walls at any speed. A contact is searched along the
 * straight path from a particle's position at the beginning of the substep to its position at the end. Each solid,
 * which may move and turn, is searched in its own frame. */
#ifndef PUDDLE_SIM_WALLS_BOUNDARY_H
#define PUDDLE_SIM_WALLS_BOUNDARY_H

#include "sim/walls/boxtree.h"
#include "sim/walls/impulses.h"
#include "sim/walls/solid.h"
#include <puddle/scene.h>
#include <puddle/view.h>

typedef struct pd_boundary pd_boundary;

typedef struct pd_contact {
    pd_vec2 normal;   /* unit vector from the wall into the fluid; in a sharp wedge: the direction out of the wedge */
    pd_vec2 velocity; /* velocity of the wall at the contact, m/s */
    int wall;         /* the wall that is touched: PD_CONTAINER_WALL, or the index of a solid */
} pd_contact;

/* Creates a boundary from the scene's container, obstacles and bodies, which are copied. Errors: OUT_OF_MEMORY. */
pd_result pd_boundary_create(pd_boundary **boundary, const pd_scene *scene, pd_error *error);
void pd_boundary_destroy(pd_boundary *boundary);

/* Sets the obstacles' poses for a substep from begin_time to end_time (s). */
void pd_boundary_move_obstacles(pd_boundary *boundary, double begin_time, double end_time);
/* Moves the bodies in the substep of the last pd_boundary_move_obstacles. motion: by body. */
void pd_boundary_move_bodies(pd_boundary *boundary, const pd_solid_motion *motion);
/* Sets the origin of the coordinates of all following calls, m, in a boundary without a container. The contact margins remain
 * those of the scene's coordinates, so that positions stay outside of walls when they are rounded there. (0, 0) restores the
 * scene's origin, and must follow before the obstacles move. */
void pd_boundary_set_origin(pd_boundary *boundary, pd_vec2 origin);
/* Records the obstacles' velocities at the beginning of a step (pd_solid.velocity_before_step). */
void pd_boundary_record_obstacle_velocities(pd_boundary *boundary);

/* Sets an obstacle's offsets (m) from its path in the scene at the beginning and the end of the substep. The next
 * pd_boundary_move_obstacles applies these offsets. */
void pd_boundary_set_obstacle_offsets(pd_boundary *boundary, int obstacle, pd_vec2 begin_offset, pd_vec2 end_offset);

/* Stops a particle at walls on its path from `start` (beginning of the substep) to *position (end). If the path touches a
 * wall, moves *position to the side of the wall where the path began, sets *contact to the last wall touched and returns
 * true. On return *position is finite, inside the container and outside every obstacle, even where walls meet. Exceptions:
 * a particle squeezed between an obstacle and the container ends inside the container, and a NaN or infinite position
 * becomes `start`. Thread-safe. */
bool pd_boundary_stop_at_walls(const pd_boundary *boundary, pd_vec2 start, pd_vec2 *position, pd_contact *contact);

/* Returns a mask of the particles whose straight paths from (old_x, old_y) to (x, y) may touch a wall: bit k for particle
 * k of `count` <= PD_MOST_PATHS. Other particles need no pd_boundary_stop_at_walls. Fastest if the particles are close
 * together, since walls near the box of all paths are searched once. */
uint32_t pd_boundary_mask_paths_near_walls(const pd_boundary *boundary, int count, const float *old_x,
                                           const float *old_y, const float *x, const float *y);

/* Iterates over the particles in [begin, end) whose paths may be near a wall:
 *     pd_near_paths near = pd_near_paths_begin(boundary, begin, end, old_x, old_y, x, y);
 *     for (int i; (i = pd_near_paths_next(&near)) >= 0;) ...
 * The loop's body may move only particle i. */
typedef struct pd_near_paths {
    const pd_boundary *boundary;
    const float *old_x, *old_y, *x, *y; /* begin and end of each particle's path, m */
    int begin, end;                     /* range of the particles that are not tested yet */
    uint32_t near; /* mask of particles in the last tested block that may be near walls and were not returned yet */
    int first;     /* index of the particle at bit 0 of `near` */
} pd_near_paths;
static inline pd_near_paths pd_near_paths_begin(const pd_boundary *boundary, int begin, int end, const float *old_x,
                                                const float *old_y, const float *x, const float *y) {
    return (pd_near_paths){
        .boundary = boundary, .old_x = old_x, .old_y = old_y, .x = x, .y = y, .begin = begin, .end = end};
}
/* Returns the index of the next particle whose path may be near a wall; -1: there is none left. */
int pd_near_paths_next(pd_near_paths *paths);

/* Stops `count` tracers at walls on their paths from (old_x, old_y) to (x, y), by pd_boundary_stop_at_walls. */
void pd_boundary_stop_tracers_at_walls(const pd_boundary *boundary, int count, const float *old_x, const float *old_y,
                                       float *x, float *y);

/* Moves a point that is in a wall at the end of the substep to a near place outside all walls. Returns whether the point
 * moved. If walls leave no such place, the point stays in a wall, within the container. */
bool pd_boundary_push_out_of_walls(const pd_boundary *boundary, pd_vec2 *position);
/* Returns whether a position is inside the container and outside every obstacle, within `tolerance` (m). */
bool pd_boundary_allows_position(const pd_boundary *boundary, pd_vec2 position, float tolerance);
/* Returns the distance to the nearest wall (container or obstacle; INFINITY: none), and sets *normal to the wall's
 * unit normal into the fluid. */
float pd_boundary_wall_distance(const pd_boundary *boundary, pd_vec2 position, pd_vec2 *normal);
/* Returns the distance to the nearest wall, m, and sets *contact to this wall. contact->velocity is the velocity of
 * the wall's rigid motion at the position. */
float pd_boundary_find_nearest_wall(const pd_boundary *boundary, pd_vec2 position, pd_contact *contact);
/* Returns the same as pd_boundary_find_nearest_wall, but faster, if a wall is nearer than max_distance (m). Otherwise
 * returns max_distance, and *contact is undefined. */
float pd_boundary_find_nearest_wall_within(const pd_boundary *boundary, pd_vec2 position, float max_distance,
                                           pd_contact *contact);

enum { PD_SEVERAL_WALLS = PD_CONTAINER_WALL - 1 };
/* Returns the index of the only wall that may be within `reach` (m) of a position, by the bounding boxes of the solids during
 * the substep. Returns PD_SEVERAL_WALLS if none or several may be. */
int pd_boundary_find_only_wall_within(const pd_boundary *boundary, pd_vec2 position, float reach);

/* Return the obstacles and the bodies in their poses at the end of the substep, for drawing. The boundary owns the arrays. */
const pd_area *pd_boundary_obstacle_areas(const pd_boundary *boundary, int *count);
const pd_area *pd_boundary_body_areas(const pd_boundary *boundary, int *count);
/* Returns the greatest speed of any point of an obstacle on its path, m/s. */
float pd_boundary_max_obstacle_speed(const pd_boundary *boundary);

/* Returns the sums of the impulses that the fluid gives to the walls. The boundary owns them. */
pd_impulses *pd_boundary_impulses(pd_boundary *boundary);
/* Returns the array of all solids, which the boundary owns. Sets *count to their number. */
const struct pd_solid *pd_boundary_solids(const pd_boundary *boundary, int *count);
/* Returns the tree of the solids' bounding boxes during the substep. The items are indices of solids. */
const struct pd_boxtree *pd_boundary_obstacle_tree(const pd_boundary *boundary);
/* Returns shape and size of the container; other members of the result are 0. */
pd_container pd_boundary_container(const pd_boundary *boundary);
/* Returns the duration of the substep, s, or 0 if no solid ever moves. */
double pd_boundary_substep_seconds(const pd_boundary *boundary);

#endif
