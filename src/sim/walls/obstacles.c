/* Motion of obstacles by PD_TOOL_MOVE, and their poses at a time. */
#include "core/math.h"
#include "scene/geometry.h"
#include "sim/walls/solid.h"
#include "sim/world.h"

static const double FARTHEST = 1e5; /* bound of coordinates of centres in a world without a container, m */

void pd_world_restore_obstacles(pd_world *world) {
    const pd_wall_motion *motion = &world->wall_motion;
    for (int i = 0; i < world->scene.obstacle_count; i++) {
        pd_vec2 end = world->obstacle_offset[i], begin = i == motion->obstacle ? motion->from : end;
        pd_boundary_set_obstacle_offsets(world->boundary, i, begin, end);
    }
    pd_boundary_move_obstacles(world->boundary, motion->begin, pd_world_time(world));
}

void pd_world_place_obstacles_at_rest(pd_world *world) {
    world->wall_motion = (pd_wall_motion){.begin = pd_world_time(world), .obstacle = -1};
    pd_world_restore_obstacles(world);
}

/* Returns the greatest speed at which the tool moves an obstacle, m/s: TIMES the greatest speed of the scene's own motion.
 * Faster obstacles would tear the fluid apart. */
static double greatest_speed(const pd_world *world) {
    static const double TIMES = 3;
    const pd_scene *scene = &world->scene;
    double speed = sqrt((double)world->resolution.gravity * (double)world->resolution.length);
    for (int i = 0; i < PD_WALLS && scene->container.shape == PD_CONTAINER_BOX; i++) {
        const pd_wall *wall = &scene->container.walls[i];
        speed = fmax(speed, fmax(fabs((double)wall->inflow),
                                 fabs((double)wall->velocity))); /* fmax ignores NaN, the value of an unset setting */
    }
    for (int i = 0; i < scene->emitter_count; i++) speed = fmax(speed, fabs((double)scene->emitters[i].speed));
    return TIMES * speed;
}

/* Discs that contain an obstacle, and must remain in the container: one around each corner, or for a spinning obstacle one
 * that contains it at any angle. */
typedef struct outline {
    const pd_solid *solid;
    int corners;
    double radius;
} outline;

static outline outline_of(const pd_solid *solid) {
    const pd_obstacle *o = &solid->obstacle;
    if (o->spin != 0 || o->area.shape == PD_SHAPE_CIRCLE) return (outline){solid, 1, solid->extent};
    if (o->area.shape == PD_SHAPE_BOX) return (outline){solid, 4, 0};
    return (outline){solid, o->area.point_count, solid->radius};
}

/* Returns corner k relative to the obstacle's centre, m. */
static pd_double2 corner_of(const outline *o, int k) {
    const pd_solid *solid = o->solid;
    pd_double2 corner = {k & 1 ? solid->half.x : -solid->half.x, k & 2 ? solid->half.y : -solid->half.y};
    bool points = pd_area_has_points(&solid->obstacle.area);
    if (o->corners == 1 && !points) return (pd_double2){0, 0};
    if (points) {
        if (solid->obstacle.spin != 0) return (pd_double2){0, 0};
        corner = (pd_double2){solid->obstacle.area.points[k].x, solid->obstacle.area.points[k].y};
    }
    return pd_rotated_by_pose(&solid->end, corner);
}

/* Returns the coordinate of a centre that moves from x towards `to` within [low, high]. Its distance to low and to high
 * remains at least `remaining` x the present distance. A centre beyond an end only moves back. */
static double move_coordinate(double x, double to, double low, double high, double remaining) {
    double bottom = fmin(low, x), top = fmax(high, x);
    return fmin(fmax(to, bottom + remaining * (x - bottom)), top - remaining * (top - x));
}

static pd_double2 center_in_box(const pd_container *c, const outline *o, pd_double2 from, pd_double2 to, double gap,
                                double remaining) {
    pd_double2 low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (int k = 0; k < o->corners; k++) {
        pd_double2 corner = corner_of(o, k);
        low = (pd_double2){fmin(low.x, corner.x), fmin(low.y, corner.y)};
        high = (pd_double2){fmax(high.x, corner.x), fmax(high.y, corner.y)};
    }
    double x = 0.5 * (double)c->width - gap - o->radius, y = 0.5 * (double)c->height - gap - o->radius;
    return (pd_double2){move_coordinate(from.x, to.x, -x - low.x, x - high.x, remaining),
                        move_coordinate(from.y, to.y, -y - low.y, y - high.y, remaining)};
}

/* Returns the distance, m, of the corner farthest from the container's centre. *farthest: this corner. */
static double farthest_corner(const outline *o, pd_double2 center, pd_double2 *farthest) {
    double most = -1;
    for (int k = 0; k < o->corners; k++) {
        pd_double2 corner = pd_add_scaled(center, 1, corner_of(o, k));
        double distance = pd_hypot(corner.x, corner.y);
        if (distance <= most) continue;
        most = distance;
        *farthest = corner;
    }
    return most;
}

/* Returns the centre nearest to `to` with all corners in a round container. Each corner limits the centre to a disc. The
 * centre is found by repeated projection onto the disc from which it is farthest. */
static pd_double2 center_in_circle(const pd_container *c, const outline *o, pd_double2 from, pd_double2 to, double gap,
                                   double remaining) {
    enum { PROJECTIONS = 32 };
    pd_double2 corner = to, center = to;
    double now = farthest_corner(o, from, &corner), most = fmax((double)c->radius - gap - o->radius, now);
    double limit = most - remaining * (most - now), distance = 0;
    for (int k = 0; k < PROJECTIONS; k++) {
        distance = farthest_corner(o, center, &corner);
        if (distance <= limit) return center;
        center = pd_add_scaled(center, limit / distance - 1, corner);
    }
    return farthest_corner(o, center, &corner) <= limit + 0.5 * gap ? center : from;
}

/* Returns the centre of the obstacle that the pointer drags, `seconds` after the centre was at `from`, if the pointer moves by
 * `way` (m). A gap to the container closes gradually, and at most to pd_method_narrowest_gap: a narrower gap would press the
 * fluid out faster without limit. */
static pd_double2 center_after(const pd_world *world, const pd_solid *solid, pd_double2 from, pd_double2 way,
                               double seconds) {
    static const double CLOSING = 0.05; /* time constant of a closing gap, s */
    const pd_container *c = &world->scene.container;
    outline o = outline_of(solid);
    double length = pd_hypot(way.x, way.y), most = greatest_speed(world) * seconds,
           remaining = CLOSING / (CLOSING + seconds);
    pd_double2 to = pd_add_scaled(from, length > most ? most / length : 1, way);
    if (c->shape == PD_CONTAINER_BOX) return center_in_box(c, &o, from, to, pd_method_narrowest_gap(world), remaining);
    if (c->shape == PD_CONTAINER_CIRCLE)
        return center_in_circle(c, &o, from, to, pd_method_narrowest_gap(world), remaining);
    return (pd_double2){fmin(fmax(to.x, -FARTHEST), FARTHEST), fmin(fmax(to.y, -FARTHEST), FARTHEST)};
}

/* Moves the obstacle with the tool in a substep. Sets world->tool_lag to its remaining distance from the tool. */
static void move_with_tool(pd_world *world, pd_vec2 tool_before, double begin, double end) {
    int index = world->tool.obstacle, count;
    pd_vec2 before = world->obstacle_offset[index], after = before;
    pd_double2 way = {world->tool_now.x - tool_before.x + world->tool_lag.x,
                      world->tool_now.y - tool_before.y + world->tool_lag.y};
    pd_boundary_set_obstacle_offsets(world->boundary, index, before, before);
    pd_boundary_move_obstacles(world->boundary, begin, end);
    const pd_solid *solid = &pd_boundary_solids(world->boundary, &count)[index];
    if (isfinite(way.x) && isfinite(way.y)) {
        pd_double2 center = solid->end.center,
                   moved = pd_minus(center_after(world, solid, center, way, end - begin), center);
        after = (pd_vec2){(float)(before.x + moved.x), (float)(before.y + moved.y)};
        world->tool_lag = (pd_vec2){(float)(way.x - moved.x), (float)(way.y - moved.y)};
    }
    pd_boundary_set_obstacle_offsets(world->boundary, index, before, after);
    pd_boundary_move_obstacles(world->boundary, begin, end);
    world->obstacle_offset[index] = after;
    world->wall_motion.obstacle = index;
    world->wall_motion.from = before;
}

void pd_world_move_boundary(pd_world *world, pd_vec2 tool_before, double begin, double end) {
    int last = world->wall_motion.obstacle;
    if (last >= 0)
        pd_boundary_set_obstacle_offsets(world->boundary, last, world->obstacle_offset[last],
                                         world->obstacle_offset[last]);
    world->wall_motion = (pd_wall_motion){.begin = begin, .obstacle = -1};
    if (world->tool.kind == PD_TOOL_MOVE)
        move_with_tool(world, tool_before, begin, end);
    else
        pd_boundary_move_obstacles(world->boundary, begin, end);
}

float pd_world_max_wall_speed(const pd_world *world) {
    float speed = pd_boundary_max_speed(world->boundary);
    if (world->tool.kind != PD_TOOL_MOVE) return speed;
    int count;
    const pd_solid *solid = &pd_boundary_solids(world->boundary, &count)[world->tool.obstacle];
    pd_double2 way = {(double)world->tool.position.x - world->tool_from.x,
                      (double)world->tool.position.y - world->tool_from.y};
    pd_double2 center = solid->end.center, to = center_after(world, solid, center, way, world->scene.dt);
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
            pd_solid_distance(&solids[i], pd_to_local(&solids[i].end, p), 2 * (double)max_distance + 1e-6, &touch);
        if (!(distance <= least)) continue;
        least = distance;
        nearest = i;
    }
    return nearest;
}
