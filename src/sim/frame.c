/* Frame of reference of a substep. */
#include "sim/frame.h"

#include "core/math.h"
#include "sim/world.h"

#include <math.h>

/* Returns the box that contains all particles during the next step, with a margin for forces at walls. */
static pd_box find_box_of_next_step(const pd_world *world) {
    const float reach = 10; /* greatest distance at which walls act on particles, rest spacings */
    const pd_particles *p = &world->particles;
    pd_box box = {p->x[0], p->y[0], p->x[0], p->y[0]};
    float fastest2 = 0;
    for (int i = 0; i < p->count; i++) {
        float x = p->x[i], y = p->y[i], speed2 = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i];
        box.low_x = x < box.low_x ? x : box.low_x;
        box.low_y = y < box.low_y ? y : box.low_y;
        box.high_x = x > box.high_x ? x : box.high_x;
        box.high_y = y > box.high_y ? y : box.high_y;
        fastest2 = speed2 > fastest2 ? speed2 : fastest2;
    }
    const pd_vec2 g = world->scene.gravity;
    const float dt = world->scene.dt, speed = sqrtf(fastest2) + pd_world_max_wall_speed(world);
    const float margin = reach * world->resolution.spacing + 2 * dt * (speed + dt * pd_hypotf(g.x, g.y));
    return (pd_box){box.low_x - margin, box.low_y - margin, box.high_x + margin, box.high_y + margin};
}

bool pd_frame_can_follow_fluid(const pd_world *world) {
    const pd_scene *scene = &world->scene;
    if (!world->method->law || world->particles.count == 0 || scene->container.shape != PD_CONTAINER_NONE ||
        world->tool.kind != PD_TOOL_NONE)
        return false;
    const pd_box box = find_box_of_next_step(world);
    /* Coordinates near the edge of the world, m, which stops particles. A particle beyond would also decide the mean
     * velocity alone. */
    const float farthest = 9e5f;
    if (!(box.low_x > -farthest && box.low_y > -farthest && box.high_x < farthest && box.high_y < farthest))
        return false;
    for (int i = 0; i < scene->emitter_count; i++) {
        const pd_emitter *e = &scene->emitters[i];
        const pd_box mouth = {e->position.x - e->width, e->position.y - e->width, e->position.x + e->width,
                              e->position.y + e->width};
        if (pd_boxes_overlap(&box, &mouth)) return false;
    }
    return pd_boxtree_first_overlap(pd_boundary_obstacle_tree(world->boundary), &box) < 0;
}

pd_vec2 pd_frame_compute_velocity(const pd_world *world) {
    const pd_particles *p = &world->particles;
    if (!world->frame_follows || p->count == 0) return (pd_vec2){0, 0};
    double x = 0, y = 0;
    for (int i = 0; i < p->count; i++) {
        x += (double)p->vx[i];
        y += (double)p->vy[i];
    }
    if (!isfinite(x) || !isfinite(y)) return (pd_vec2){0, 0};
    return (pd_vec2){(float)(x / p->count), (float)(y / p->count)};
}

/* Returns the frame's origin on one axis for particles with these coordinates, m. The origin is constant while the fluid moves
 * by less than GRAIN, because neighbour lists are valid only for one origin. It is 0 if the fluid is nearer to the scene's
 * origin than it is wide: so no coordinate becomes greater, and its transformation is exact. */
static float choose_origin(const float *coordinates, int count) {
    const double GRAIN = 64, FARTHEST = 9e5; /* near the edge of the world there is no origin but the scene's, m */
    float low = coordinates[0], high = low;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        low = coordinates[i] < low ? coordinates[i] : low;
        high = coordinates[i] > high ? coordinates[i] : high;
        sum += (double)coordinates[i];
    }
    const double nearest = fmax((double)low, -(double)high), farthest = fmax(-(double)low, (double)high);
    if (!(nearest > (double)high - (double)low + GRAIN / 2) || !(farthest < FARTHEST) || !isfinite(sum)) return 0;
    return (float)(GRAIN * round(sum / count / GRAIN));
}

/* Bodies and tools have places of their own, which would need the same transformation. Under methods that move particles on a
 * grid, displacements are not lost by rounding. */
static pd_vec2 compute_origin(const pd_world *world) {
    const pd_particles *p = &world->particles;
    if (!world->method->law || world->method->cell || world->scene.container.shape != PD_CONTAINER_NONE ||
        world->scene.body_count > 0 || world->tool.kind != PD_TOOL_NONE || p->count == 0)
        return (pd_vec2){0, 0};
    return (pd_vec2){choose_origin(p->x, p->count), choose_origin(p->y, p->count)};
}

static void shift(float *values, int count, double by) {
    if (by == 0) return;
    for (int i = 0; i < count; i++) values[i] = (float)((double)values[i] + by);
}

pd_frame pd_frame_enter(pd_world *world) {
    const pd_particles *p = &world->particles;
    const pd_frame frame = {pd_frame_compute_velocity(world), compute_origin(world)};
    shift(p->vx, p->count, -(double)frame.velocity.x);
    shift(p->vy, p->count, -(double)frame.velocity.y);
    shift(p->x, p->count, -(double)frame.origin.x);
    shift(p->y, p->count, -(double)frame.origin.y);
    pd_boundary_set_origin(world->boundary, frame.origin);
    return frame;
}

void pd_frame_leave(pd_world *world, const pd_frame *frame, float dt) {
    const pd_particles *p = &world->particles;
    pd_boundary_set_origin(world->boundary, (pd_vec2){0, 0});
    shift(p->vx, p->count, (double)frame->velocity.x);
    shift(p->vy, p->count, (double)frame->velocity.y);
    shift(p->old_x, p->count, (double)frame->origin.x);
    shift(p->old_y, p->count, (double)frame->origin.y);
    shift(p->x, p->count, (double)frame->origin.x + (double)frame->velocity.x * (double)dt);
    shift(p->y, p->count, (double)frame->origin.y + (double)frame->velocity.y * (double)dt);
}
