#include "methods/stick.h"

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

/* vx, vy: the velocity that particle i, of the chunk from `begin` on, loses to a wall, m/s. */
static void lose(const stick_job *job, int begin, int i, int wall, float vx, float vy) {
    const pd_world *world = job->motion->world;
    const pd_particles *p = &world->particles;
    p->vx[i] -= vx;
    p->vy[i] -= vy;
    if (!isfinite(vx) || !isfinite(vy)) return;
    double mass = 1 / (double)job->motion->inverse_mass[p->material[i]];
    pd_impulse_add(pd_boundary_impulses(world->boundary), begin, job->grain, wall, mass * (double)vx,
                   mass * (double)vy);
}

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
        lose(job, begin, i, wall.wall, to_wall_x, to_wall_y);
    }
}

void stick_apply(const pd_motion *motion, float reach, int grain) {
    stick_job job = {motion, reach, grain};
    if (!(greatest_stickiness(motion->world) > 0)) return;
    pd_parallel_for(motion->world->pool, motion->world->particles.count, grain, stick_range, &job);
}
