/* Motion of obstacles on their paths and by PD_TOOL_MOVE. */
#include "core/math.h"
#include "scene/geometry.h"
#include "sim/walls/solid.h"
#include "sim/world.h"

static const double FARTHEST = 1e5; /* greatest |x| and |y| of an obstacle's centre in a world without a container, m */

void pd_world_restore_obstacle_motion(pd_world *world) {
    const pd_wall_motion *motion = &world->wall_motion;
    for (int i = 0; i < world->scene.obstacle_count; i++) {
        pd_vec2 end = world->obstacle_offset[i], begin = i == motion->obstacle ? motion->from : end;
        pd_boundary_set_obstacle_offsets(world->boundary, i, begin, end);
    }
    pd_boundary_move_obstacles(world->boundary, motion->begin, pd_world_time(world));
}

void pd_world_place_obstacles_at_rest(pd_world *world) {
    world->wall_motion = (pd_wall_motion){.begin = pd_world_time(world), .obstacle = -1};
    pd_world_restore_obstacle_motion(world);
}

/* Returns the greatest speed at which the tool moves an obstacle, m/s: FACTOR times the greatest of sqrt(g L)
 * (pd_resolution), the speeds of walls and the speeds of emitters. Faster obstacles would tear the fluid apart. */
static double compute_greatest_tool_speed(const pd_world *world) {
    static const double FACTOR = 3;
    const pd_scene *scene = &world->scene;
    double speed = sqrt((double)world->resolution.gravity * (double)world->resolution.length);
    for (int i = 0; i < PD_WALLS && scene->container.shape == PD_CONTAINER_BOX; i++) {
        const pd_wall *wall = &scene->container.walls[i];
        speed = fmax(speed, fmax(fabs((double)wall->inflow),
                                 fabs((double)wall->velocity))); /* fmax ignores NaN, the value of an unset setting */
    }
    for (int i = 0; i < scene->emitter_count; i++) speed = fmax(speed, fabs((double)scene->emitters[i].speed));
    return FACTOR * speed;
}

/* Discs that must remain in the container, so that the obstacle does: one around each corner, or for a spinning obstacle
 * one disc that contains the obstacle at any angle. */
typedef struct outline {
    const pd_solid *solid;
    int corners;   /* number of discs */
    double radius; /* radius of each disc, m */
} outline;

static outline compute_outline(const pd_solid *solid) {
    const pd_obstacle *o = &solid->obstacle;
    if (o->spin != 0 || o->area.shape == PD_SHAPE_CIRCLE) return (outline){solid, 1, solid->extent};
    if (o->area.shape == PD_SHAPE_BOX) return (outline){solid, 4, 0};
    return (outline){solid, o->area.point_count, solid->radius};
}

/* Returns the centre of disc k relative to the obstacle's centre, m. */
static pd_double2 compute_corner_offset(const outline *o, int k) {
    const pd_solid *solid = o->solid;
    pd_double2 corner = {k & 1 ? solid->half.x : -solid->half.x, k & 2 ? solid->half.y : -solid->half.y};
    bool points = pd_area_has_points(&solid->obstacle.area);
    if (o->corners == 1 && !points) return (pd_double2){0, 0};
    if (points) {
        if (solid->obstacle.spin != 0) return (pd_double2){0, 0};
        corner = (pd_double2){solid->obstacle.area.points[k].x, solid->obstacle.area.points[k].y};
    }
    return pd_pose_rotate(&solid->end, corner);
}

/* Returns the new coordinate of a centre that moves from `from` towards `target` within [low, high]. Its distances to
 * `low` and `high` decrease at most to remaining_gap_share x the present distances. A centre outside [low, high] only
 * moves back. */
static double move_center_coordinate(double from, double target, double low, double high, double remaining_gap_share) {
    double bottom = fmin(low, from), top = fmax(high, from);
    return fmin(fmax(target, bottom + remaining_gap_share * (from - bottom)), top - remaining_gap_share * (top - from));
}

static pd_double2 move_center_in_box(const pd_container *c, const outline *o, pd_double2 from, pd_double2 target,
                                     double least_gap, double remaining_gap_share) {
    pd_double2 low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (int k = 0; k < o->corners; k++) {
        pd_double2 corner = compute_corner_offset(o, k);
        low = (pd_double2){fmin(low.x, corner.x), fmin(low.y, corner.y)};
        high = (pd_double2){fmax(high.x, corner.x), fmax(high.y, corner.y)};
    }
    double x = 0.5 * (double)c->width - least_gap - o->radius, y = 0.5 * (double)c->height - least_gap - o->radius;
    return (pd_double2){move_center_coordinate(from.x, target.x, -x - low.x, x - high.x, remaining_gap_share),
                        move_center_coordinate(from.y, target.y, -y - low.y, y - high.y, remaining_gap_share)};
}

/* Finds the corner farthest from the container's centre, for an obstacle with this centre. Returns the corner's distance, m,
 * and sets *farthest to the corner. */
static double find_farthest_corner(const outline *o, pd_double2 center, pd_double2 *farthest) {
    double most = -1;
    for (int k = 0; k < o->corners; k++) {
        pd_double2 corner = pd_add_scaled(center, 1, compute_corner_offset(o, k));
        double distance = pd_hypot(corner.x, corner.y);
        if (distance <= most) continue;
        most = distance;
        *farthest = corner;
    }
    return most;
}

/* Returns the centre of the obstacle nearest to `target` with all corners in a round container. Each corner limits the centre
 * to a disc. Repeated projection onto the disc that the centre violates most finds the centre. */
static pd_double2 move_center_in_circle(const pd_container *c, const outline *o, pd_double2 from, pd_double2 target,
                                        double least_gap, double remaining_gap_share) {
    enum { PROJECTIONS = 32 };
    pd_double2 corner = target, center = target;
    double now = find_farthest_corner(o, from, &corner), most = fmax((double)c->radius - least_gap - o->radius, now);
    double limit = most - remaining_gap_share * (most - now), distance = 0;
    for (int k = 0; k < PROJECTIONS; k++) {
        distance = find_farthest_corner(o, center, &corner);
        if (distance <= limit) return center;
        center = pd_add_scaled(center, limit / distance - 1, corner);
    }
    return find_farthest_corner(o, center, &corner) <= limit + 0.5 * least_gap ? center : from;
}

/* Returns the centre of the obstacle that the pointer drags, `seconds` after the centre was at `from`, if the pointer
 * moves by tool_displacement (m). A gap to the container closes gradually, and at most to pd_method_narrowest_flow_gap: a
 * narrower gap would press the fluid out faster without limit. */
static pd_double2 find_center_after_drag(const pd_world *world, const pd_solid *solid, pd_double2 from,
                                         pd_double2 tool_displacement, double seconds) {
    static const double CLOSING = 0.05; /* time constant with which a gap closes, s */
    const pd_container *c = &world->scene.container;
    outline o = compute_outline(solid);
    double length = pd_hypot(tool_displacement.x, tool_displacement.y),
           most = compute_greatest_tool_speed(world) * seconds, remaining = CLOSING / (CLOSING + seconds);
    pd_double2 to = pd_add_scaled(from, length > most ? most / length : 1, tool_displacement);
    if (c->shape == PD_CONTAINER_BOX)
        return move_center_in_box(c, &o, from, to, pd_method_narrowest_flow_gap(world), remaining);
    if (c->shape == PD_CONTAINER_CIRCLE)
        return move_center_in_circle(c, &o, from, to, pd_method_narrowest_flow_gap(world), remaining);
    return (pd_double2){fmin(fmax(to.x, -FARTHEST), FARTHEST), fmin(fmax(to.y, -FARTHEST), FARTHEST)};
}

/* Moves the obstacle that the tool drags, in a substep. Sets world->tool_lag to the distance by which the obstacle then
 * lags the tool. */
static void drag_obstacle_with_tool(pd_world *world, pd_vec2 tool_start, double begin_time, double end_time) {
    int index = world->tool.obstacle, count;
    pd_vec2 before = world->obstacle_offset[index], after = before;
    pd_double2 tool_displacement = {world->tool_now.x - tool_start.x + world->tool_lag.x,
                                    world->tool_now.y - tool_start.y + world->tool_lag.y};
    pd_boundary_set_obstacle_offsets(world->boundary, index, before, before);
    pd_boundary_move_obstacles(world->boundary, begin_time, end_time);
    const pd_solid *solid = &pd_boundary_solids(world->boundary, &count)[index];
    if (isfinite(tool_displacement.x) && isfinite(tool_displacement.y)) {
        pd_double2 center = solid->end.center,
                   moved = pd_minus(
                       find_center_after_drag(world, solid, center, tool_displacement, end_time - begin_time), center);
        after = (pd_vec2){(float)(before.x + moved.x), (float)(before.y + moved.y)};
        world->tool_lag = (pd_vec2){(float)(tool_displacement.x - moved.x), (float)(tool_displacement.y - moved.y)};
    }
    pd_boundary_set_obstacle_offsets(world->boundary, index, before, after);
    pd_boundary_move_obstacles(world->boundary, begin_time, end_time);
    world->obstacle_offset[index] = after;
    world->wall_motion.obstacle = index;
    world->wall_motion.from = before;
}

void pd_world_move_obstacles(pd_world *world, pd_vec2 tool_start, double begin_time, double end_time) {
    int last = world->wall_motion.obstacle;
    if (last >= 0)
        pd_boundary_set_obstacle_offsets(world->boundary, last, world->obstacle_offset[last],
                                         world->obstacle_offset[last]);
    world->wall_motion = (pd_wall_motion){.begin = begin_time, .obstacle = -1};
    if (world->tool.kind == PD_TOOL_MOVE)
        drag_obstacle_with_tool(world, tool_start, begin_time, end_time);
    else
        pd_boundary_move_obstacles(world->boundary, begin_time, end_time);
}

float pd_world_max_wall_speed(const pd_world *world) {
    float speed = pd_boundary_max_obstacle_speed(world->boundary);
    if (world->tool.kind != PD_TOOL_MOVE) return speed;
    int count;
    const pd_solid *solid = &pd_boundary_solids(world->boundary, &count)[world->tool.obstacle];
    pd_double2 way = {(double)world->tool.position.x - world->tool_from.x,
                      (double)world->tool.position.y - world->tool_from.y};
    pd_double2 center = solid->end.center, to = find_center_after_drag(world, solid, center, way, world->scene.dt);
    return speed + (float)(pd_hypot(to.x - center.x, to.y - center.y) / (double)world->scene.dt);
}

int pd_world_obstacle_at(const pd_world *world, pd_vec2 point, float max_distance) {
    int count, nearest = -1;
    const pd_solid *solids = pd_boundary_solids(world->boundary, &count);
    double least = max_distance;
    for (int i = 0; i < count; i++) {
        pd_touch touch;
        pd_double2 p = {point.x, point.y};
        double distance =
            pd_solid_distance(&solids[i], pd_pose_to_local(&solids[i].end, p), 2 * (double)max_distance + 1e-6, &touch);
        if (!(distance <= least)) continue;
        least = distance;
        nearest = i;
    }
    return nearest;
}
