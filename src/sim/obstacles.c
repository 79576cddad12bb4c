/* Obstacles that the pointer's tool moves. */
#include "sim/solid.h"
#include "sim/world.h"

#include <math.h>

/* m: in a world without a container */
static const double FARTHEST = 1e5;

void pd_world_place_obstacles(pd_world *world) {
    for (int i = 0; i < world->scene.obstacle_count; i++)
        pd_boundary_displace(world->boundary, i, world->obstacle_offset[i], world->obstacle_offset[i]);
    world->moved_obstacle = -1;
}

/* How far a centre must be shifted to be in the container. */
static pd_double2 way_into_container(const pd_container *c, pd_double2 center) {
    double x = c->shape == PD_CONTAINER_BOX ? 0.5 * (double)c->width : FARTHEST;
    double y = c->shape == PD_CONTAINER_BOX ? 0.5 * (double)c->height : FARTHEST;
    pd_double2 inside = {fmin(fmax(center.x, -x), x), fmin(fmax(center.y, -y), y)};
    double distance = hypot(center.x, center.y), radius = c->radius;
    if (c->shape == PD_CONTAINER_CIRCLE && distance > radius)
        inside = (pd_double2){center.x * radius / distance, center.y * radius / distance};
    return pd_minus(inside, center);
}

/* The obstacle takes part in the tool's motion in this substep; its centre stays in the container. */
static void follow_tool(pd_world *world, pd_vec2 tool_before, double begin, double end) {
    int index = world->tool.obstacle, count;
    pd_vec2 before = world->obstacle_offset[index];
    pd_vec2 after = {before.x + (world->tool_now.x - tool_before.x), before.y + (world->tool_now.y - tool_before.y)};
    if (!isfinite(after.x) || !isfinite(after.y)) after = before;
    pd_boundary_displace(world->boundary, index, before, after);
    pd_boundary_move(world->boundary, begin, end);
    const pd_solid *solid = &pd_boundary_solids(world->boundary, &count)[index];
    pd_double2 back = way_into_container(&world->scene.container, solid->end.center);
    if (back.x != 0 || back.y != 0) {
        after = (pd_vec2){(float)(after.x + back.x), (float)(after.y + back.y)};
        pd_boundary_displace(world->boundary, index, before, after);
        pd_boundary_move(world->boundary, begin, end);
    }
    world->obstacle_offset[index] = after;
    world->moved_obstacle = index;
}

void pd_world_move_boundary(pd_world *world, pd_vec2 tool_before, double begin, double end) {
    int last = world->moved_obstacle;
    if (last >= 0)
        pd_boundary_displace(world->boundary, last, world->obstacle_offset[last], world->obstacle_offset[last]);
    world->moved_obstacle = -1;
    if (world->tool.kind == PD_TOOL_MOVE)
        follow_tool(world, tool_before, begin, end);
    else
        pd_boundary_move(world->boundary, begin, end);
}

float pd_world_wall_speed(const pd_world *world) {
    float speed = pd_boundary_max_speed(world->boundary);
    if (world->tool.kind != PD_TOOL_MOVE) return speed;
    float dx = world->tool.position.x - world->tool_from.x, dy = world->tool.position.y - world->tool_from.y;
    return speed + hypotf(dx, dy) / world->scene.dt;
}

int pd_world_obstacle_at(const pd_world *world, pd_vec2 point, float within) {
    int count, nearest = -1;
    const pd_solid *solids = pd_boundary_solids(world->boundary, &count);
    double least = within;
    for (int i = 0; i < count; i++) {
        pd_touch touch;
        pd_double2 p = {point.x, point.y};
        double distance =
            pd_solid_distance(&solids[i], pd_to_local(&solids[i].end, p), 2 * (double)within + 1e-6, &touch);
        if (!(distance <= least)) continue;
        least = distance;
        nearest = i;
    }
    return nearest;
}
