/* The container and the obstacles during one substep.
 *
 * Collision detection is continuous: a contact is searched along the straight path from a particle's position at the
 * beginning of the substep to its position at the end, in the frame of each obstacle (which may move and turn). So
 * particles do not pass through walls at any speed. */
#ifndef PUDDLE_SIM_WALLS_BOUNDARY_H
#define PUDDLE_SIM_WALLS_BOUNDARY_H

#include "sim/walls/impulses.h"
#include <puddle/scene.h>
#include <puddle/view.h>

typedef struct pd_boundary pd_boundary;

typedef struct pd_contact {
    pd_vec2 normal;   /* unit vector from the wall into the fluid; in a sharp wedge out of the wedge */
    pd_vec2 velocity; /* velocity of the wall at the contact, m/s */
    int wall;         /* PD_CONTAINER_WALL, or the index of an obstacle */
} pd_contact;

/* Creates a boundary from the scene's container and obstacles, which are copied. Errors: OUT_OF_MEMORY. */
pd_result pd_boundary_create(pd_boundary **boundary, const pd_scene *scene, pd_error *error);
void pd_boundary_destroy(pd_boundary *boundary);

/* Sets the poses of the obstacles at the beginning and end of a substep to those at the times `begin` and `end` (s). */
void pd_boundary_move_obstacles(pd_boundary *boundary, double begin, double end);
/* Records the velocities of the obstacles before a step. */
void pd_boundary_begin_step(pd_boundary *boundary);

/* Sets an obstacle's displacement from its path at the beginning and the end of the substep (m), for the next
 * pd_boundary_move_obstacles. */
void pd_boundary_displace_obstacle(pd_boundary *boundary, int obstacle, pd_vec2 begin, pd_vec2 end);

/* Stops a particle's motion from start (beginning of the substep) to *position (its end) at walls. If the path touches
 * a wall, moves *position to the near side, sets *contact to the last wall touched and returns true. On return
 * *position is finite, inside the container and outside every obstacle, even where walls meet. A particle squeezed
 * between an obstacle and the container ends inside the container. A start replaces a NaN or infinite position.
 * Thread-safe. Fast if no wall is near. */
bool pd_boundary_stop_at_walls(const pd_boundary *boundary, pd_vec2 start, pd_vec2 *position, pd_contact *contact);

enum { PD_MOST_PATHS = 16 };
/* Returns a mask of the particles whose paths from (old_x, old_y) to (x, y) may be near a wall: bit k for particle k of
 * `count` <= PD_MOST_PATHS. pd_boundary_stop_at_walls would not change the others. Fastest if the particles are close
 * together, since walls near the box of all paths are found once. */
uint32_t pd_boundary_near_paths(const pd_boundary *boundary, int count, const float *old_x, const float *old_y,
                                const float *x, const float *y);

/* Iterates over the particles in [begin, end) whose paths may be near a wall:
 *     pd_near_paths near = pd_near_paths_of(boundary, begin, end, old_x, old_y, x, y);
 *     for (int i; (i = pd_near_paths_next(&near)) >= 0;) ...
 * The loop's body may move only particle i. */
typedef struct pd_near_paths {
    const pd_boundary *boundary;
    const float *old_x, *old_y, *x, *y;
    int begin, end; /* range of the particles that are not tested yet */
    uint32_t near;  /* remaining mask of the block tested last */
    int first;      /* particle of the lowest bit */
} pd_near_paths;
pd_near_paths pd_near_paths_of(const pd_boundary *boundary, int begin, int end, const float *old_x, const float *old_y,
                               const float *x, const float *y);
/* Returns the next particle, or -1 at the end. */
int pd_near_paths_next(pd_near_paths *paths);

/* Calls pd_boundary_stop_at_walls for `count` tracers, without contacts. */
void pd_boundary_contain_tracers(const pd_boundary *boundary, int count, const float *old_x, const float *old_y,
                                 float *x, float *y);

/* Moves a point to an allowed place near it, at the end of the substep. Returns whether it moved. */
bool pd_boundary_push_out(const pd_boundary *boundary, pd_vec2 *position);
/* Returns whether a position is inside the container and outside every obstacle, within `tolerance` (m). */
bool pd_boundary_allows_position(const pd_boundary *boundary, pd_vec2 position, float tolerance);
/* Returns the distance to the nearest wall (container or obstacle; INFINITY: none), and its unit normal from the wall
 * into the fluid. */
float pd_boundary_distance(const pd_boundary *boundary, pd_vec2 position, pd_vec2 *normal);
/* Returns the distance to the nearest wall, with its normal and its velocity, extended to the point as a rigid
 * body's. */
float pd_boundary_nearest_wall(const pd_boundary *boundary, pd_vec2 position, pd_contact *contact);
/* Returns pd_boundary_nearest_wall for walls nearer than `within` (m), faster. Returns `within` if there are none; *contact is
 * then undefined. */
float pd_boundary_nearest_wall_within(const pd_boundary *boundary, pd_vec2 position, float within, pd_contact *contact);

/* Returns the obstacles in their poses at the end of the substep, for drawing. The boundary owns the array. */
const pd_area *pd_boundary_obstacle_areas(const pd_boundary *boundary, int *count);
/* Returns the greatest speed of any point of an obstacle, m/s. */
float pd_boundary_max_speed(const pd_boundary *boundary);

/* Returns the impulses of the fluid on the walls. The boundary owns the sums. */
pd_impulses *pd_boundary_impulses(pd_boundary *boundary);
/* Returns all obstacles, for mac/raster/raster.h and sim/walls/walls.h. The boundary owns the array. */
const struct pd_solid *pd_boundary_solids(const pd_boundary *boundary, int *count);
/* Returns the tree of the obstacles' bounding boxes during the substep. The items are indices of obstacles. */
const struct pd_boxtree *pd_boundary_tree(const pd_boundary *boundary);
/* Returns shape and size of the container only. */
pd_container pd_boundary_container(const pd_boundary *boundary);
/* Returns the duration of the substep, s; 0: no obstacle ever moves. */
double pd_boundary_substep_seconds(const pd_boundary *boundary);

#endif
