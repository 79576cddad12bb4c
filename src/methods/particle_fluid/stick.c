#include "methods/particle_fluid/stick.h"

#include <math.h>

/* Stickiness times dt^2 is clamped to this; the automatic substep keeps it below. */
static const float STICKIEST = 0.1f;

static float greatest_stickiness(const pd_world *world) {
    float value = 0;
    for (int m = 0; m < world->scene.material_count; m++) value = fmaxf(value, world->property[m][PD_STICKINESS]);
    return value;
}

pd_substep_limit stick_limit(const pd_world *world, int parameter) {
    float sticky = greatest_stickiness(world);
    return (pd_substep_limit){parameter, sticky, sqrtf(STICKIEST / fmaxf(sticky, 1e-12f))};
}

typedef struct stick_job {
    const pd_motion *motion;
    float reach;
    int grain;
} stick_job;

static void stick_range(void *context, int begin, int end) {
    const stick_job *job = context;
    const pd_world *world = job->motion->world;
    const pd_particles *p = &world->particles;
    const float dt = job->motion->dt;
    for (int i = begin; i < end; i++) {
        float stickiness = world->property[p->material[i]][PD_STICKINESS];
        pd_contact wall;
        if (!(stickiness > 0)) continue;
        float d = fmaxf(pd_boundary_near_within(world->boundary, (pd_vec2){p->x[i], p->y[i]}, job->reach, &wall), 0);
        if (!(d < job->reach)) continue;
        float nearness = 1 - d / job->reach;
        float speed = fminf(stickiness * dt, STICKIEST / dt) * d * nearness;
        float x = dt * sqrtf(stickiness) * nearness, damping = x / (1 + x);
        float vx = p->vx[i] - wall.velocity.x, vy = p->vy[i] - wall.velocity.y;
        float normal_speed = vx * wall.normal.x + vy * wall.normal.y;
        float to_wall_x = speed * wall.normal.x + damping * (vx - normal_speed * wall.normal.x);
        float to_wall_y = speed * wall.normal.y + damping * (vy - normal_speed * wall.normal.y);
        p->vx[i] -= to_wall_x;
        p->vy[i] -= to_wall_y;
        pd_motion_react(job->motion, begin, job->grain, i, wall.wall, to_wall_x, to_wall_y);
    }
}

void stick_apply(const pd_motion *motion, float reach, int grain) {
    stick_job job = {motion, reach, grain};
    if (!(greatest_stickiness(motion->world) > 0)) return;
    pd_parallel_for(motion->world->pool, motion->world->particles.count, grain, stick_range, &job);
}
