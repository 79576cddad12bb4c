/* Motion of obstacles, on their paths and by the tool that moves them. */
#ifndef PUDDLE_SIM_WALLS_OBSTACLES_H
#define PUDDLE_SIM_WALLS_OBSTACLES_H

#include <puddle/world.h>

/* Motion of the obstacles in the last substep, which ended at the present time. Between
 * two steps, obstacles in the boundary have the velocities of this motion. */
typedef struct pd_wall_motion {
    double begin; /* time at which the substep began, s; equal to the present time: obstacles are at rest */
    int obstacle; /* index of the obstacle that the tool moved in the substep; -1: none */
    pd_vec2 from; /* displacement of this obstacle from its path in the scene at the beginning of the substep, m */
} pd_wall_motion;

/* Moves the obstacles during a substep from begin_time to end_time (s), on their paths and by the tool. tool_start:
 * position of the tool at the beginning of the substep, m. */
void pd_world_move_obstacles(pd_world *world, pd_vec2 tool_start, double begin_time, double end_time);
/* Sets the obstacles to their places at the present time, with velocity 0. */
void pd_world_place_obstacles_at_rest(pd_world *world);
/* Sets the obstacles to their places at the present time, with the velocities of the last substep (world->wall_motion). */
void pd_world_restore_obstacle_motion(pd_world *world);
/* Returns the greatest speed of an obstacle in the coming step, m/s, on its path and by the tool, or of a body. */
float pd_world_max_wall_speed(const pd_world *world);

#endif
