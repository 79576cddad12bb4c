/* Obstacles that move: on their paths, and with the pointer's tool. */
#ifndef PUDDLE_SIM_WALLS_OBSTACLES_H
#define PUDDLE_SIM_WALLS_OBSTACLES_H

#include <puddle/world.h>

/* The motion of the walls in the last substep, which ended at the present time: what reads the boundary between two steps finds
 * their velocities. */
typedef struct pd_wall_motion {
    double begin; /* time at which the substep began, s; the present time: the walls are at rest */
    int obstacle; /* that the tool moved; -1: none */
    pd_vec2 from; /* m: offset of that obstacle at the substep's beginning */
} pd_wall_motion;

/* Moves the obstacles to where they are in a substep, on their paths and by the tool (tool_before: its position at the
 * substep's beginning). begin, end: times, s. */
void pd_world_move_boundary(pd_world *world, pd_vec2 tool_before, double begin, double end);
/* Puts the obstacles where they are at the present time, at rest. */
void pd_world_rest_obstacles(pd_world *world);
/* Puts the obstacles where they are at the present time, with the motion of the last substep: world->wall_motion. */
void pd_world_restore_obstacles(pd_world *world);
/* The greatest speed of a wall in the coming step, m/s: of obstacles on their paths, and of the one that the tool moves. */
float pd_world_wall_speed(const pd_world *world);

#endif
