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

void pd_frame_enter(pd_world *world, pd_vec2 velocity) {
    const pd_particles *p = &world->particles;
    if (velocity.x == 0 && velocity.y == 0) return;
    for (int i = 0; i < p->count; i++) {
        p->vx[i] -= velocity.x;
        p->vy[i] -= velocity.y;
    }
}

void pd_frame_leave(pd_world *world, pd_vec2 velocity, float dt) {
    const pd_particles *p = &world->particles;
    const float x = velocity.x * dt, y = velocity.y * dt;
    if (velocity.x == 0 && velocity.y == 0) return;
    for (int i = 0; i < p->count; i++) {
        p->vx[i] += velocity.x;
        p->vy[i] += velocity.y;
        p->x[i] += x;
        p->y[i] += y;
    }
}
