/* Motion of particles: external forces, coincident particles, speed limits, rounding errors. */
#include "methods/particle_fluid/motion.h"

#include "core/math.h"
#include "sim/frame.h"

#include <math.h>
#include <stdio.h>

/* MOST_RADII_PER_SUBSTEP: a substep is so short that the fastest particle moves at most this many interaction radii.
 * MOST_SUBSTEPS: greatest number of substeps of a step that result from MOST_RADII_PER_SUBSTEP. SPEED_LIMIT: speeds are
 * clamped to SPEED_LIMIT x MOST_RADII_PER_SUBSTEP radii per substep; above 1, because forces accelerate particles within
 * a substep. */
static const float MOST_RADII_PER_SUBSTEP = 1.0f, MOST_SUBSTEPS = 32, SPEED_LIMIT = 2;

pd_motion pd_motion_begin(pd_world *world, float radius, float dt) {
    pd_motion motion = {
        .world = world,
        .dt = dt,
        .radius = radius,
        .speed_limit = SPEED_LIMIT * MOST_RADII_PER_SUBSTEP * radius / dt,
        .tool = pd_tool_field_compute(world, dt),
    };
    for (int m = 0; m < world->scene.material_count; m++) {
        motion.inverse_mass[m] = 1 / world->scene.materials[m].mass;
        motion.gravity_factor[m] = 1;
    }
    return motion;
}

float pd_motion_greatest_speed(const pd_world *world) {
    const pd_particles *p = &world->particles;
    const pd_vec2 frame = pd_frame_compute_velocity(world);
    float fastest2 = 0;
    for (int i = 0; i < p->count; i++) {
        float vx = p->vx[i] - frame.x, vy = p->vy[i] - frame.y, speed2 = vx * vx + vy * vy;
        fastest2 = speed2 > fastest2 ? speed2 : fastest2;
    }
    return sqrtf(fastest2);
}

pd_substep_limit pd_motion_substep_limit(const pd_world *world, float radius) {
    float fastest = fmaxf(pd_motion_greatest_speed(world), pd_world_max_wall_speed(world));
    /* Without a container fluid may fall for long. The speed at the end of the step counts, since with the one at its
     * beginning a limit of one radius per substep (sph) would end the fall. */
    if (world->scene.container.shape == PD_CONTAINER_NONE && !world->frame_follows)
        fastest += pd_hypotf(world->scene.gravity.x, world->scene.gravity.y) * world->scene.dt;
    float courant = fmaxf(MOST_RADII_PER_SUBSTEP * radius / (fastest + 1e-15f), world->scene.dt / MOST_SUBSTEPS);
    return (pd_substep_limit){-1, fastest, courant};
}

bool pd_motion_write_warning(const pd_world *world, float way, char *text, size_t size) {
    const float near = 0.99f; /* speeds from this part of the limit on count as limited */
    const float fastest = way * (float)world->substeps / world->scene.dt;
    if (world->step == 0 || !(pd_motion_greatest_speed(world) >= near * fastest)) return false;
    snprintf(text, size, "speeds are limited to %.3g m/s (use fewer particles, %s)", (double)fastest,
             world->scene.substeps > 0 ? "or more substeps" : "or a smaller dt");
    return true;
}

void pd_motion_apply_external_forces(const pd_motion *motion, int begin, int end) {
    const pd_world *world = motion->world;
    const pd_particles *p = &world->particles;
    float gx = world->scene.gravity.x * motion->dt, gy = world->scene.gravity.y * motion->dt;
    float fastest = motion->speed_limit;
    for (int i = begin; i < end; i++) {
        float inverse_mass = motion->inverse_mass[p->material[i]], weight = motion->gravity_factor[p->material[i]];
        float vx = p->vx[i] + gx * weight, vy = p->vy[i] + gy * weight;
        if (motion->tool.kind != PD_TOOL_NONE)
            pd_tool_field_change_velocity(&motion->tool, motion->dt, inverse_mass, p->x[i], p->y[i], &vx, &vy);
        float speed2 = vx * vx + vy * vy;
        if (!(speed2 <= fastest * fastest)) {
            float slow = isfinite(speed2) ? fastest / sqrtf(speed2) : 0;
            vx = slow > 0 ? vx * slow : 0;
            vy = slow > 0 ? vy * slow : 0;
        }
        p->vx[i] = vx;
        p->vy[i] = vy;
    }
}

/* Number of following particles with which each particle is compared. Coincident particles are in the same cell, and
 * therefore nearly always this close in the order of the sort. */
enum { LOOK_AHEAD = 4 };

/* Displaces particle i by up to `distance` (m) in x and in y if one of the next LOOK_AHEAD particles has the same
 * position. */
static void separate_particle_if_coincident(const pd_particles *p, int i, int end, float distance) {
    for (int j = i + 1; j < end && j <= i + LOOK_AHEAD; j++) {
        if (p->x[i] != p->x[j] || p->y[i] != p->y[j]) continue;
        uint64_t bits = pd_random_mix_bits(p->id[i]);
        p->x[i] += distance * ((float)(bits >> 40) * 0x1p-23f - 1);
        p->y[i] += distance * ((float)(bits << 24 >> 40) * 0x1p-23f - 1);
        return;
    }
}

void pd_motion_add_wall_impulse(const pd_motion *motion, int chunk_begin, int grain, int i, int wall, float lost_vx,
                                float lost_vy) {
    const pd_world *world = motion->world;
    if (!isfinite(lost_vx) || !isfinite(lost_vy)) return;
    double mass = 1 / (double)motion->inverse_mass[world->particles.material[i]];
    pd_impulses_add(pd_boundary_impulses(world->boundary), chunk_begin, grain, wall, mass * (double)lost_vx,
                    mass * (double)lost_vy, (pd_vec2){world->particles.x[i], world->particles.y[i]});
}

void pd_motion_separate_coincident(const pd_motion *motion, int begin, int end) {
    enum { BLOCK = 64 };
    const pd_particles *p = &motion->world->particles;
    const float *x = p->x, *y = p->y;
    for (int block = begin; block < end; block += BLOCK) {
        int last = block + BLOCK < end ? block + BLOCK : end;
        /* Tests a block for coincident particles in a loop that vectorizes. The loop reads LOOK_AHEAD particles beyond
         * the block. Where these are beyond the range, the block counts as coincident without the test. */
        int coincident = block + BLOCK + LOOK_AHEAD > end;
        for (int d = 1; d <= LOOK_AHEAD && !coincident; d++)
            for (int i = block; i < last; i++) coincident |= (x[i] == x[i + d]) & (y[i] == y[i + d]);
        for (int i = block; i < last && coincident; i++)
            separate_particle_if_coincident(p, i, end, 1e-3f * motion->radius);
    }
}

typedef struct drift_job {
    const pd_motion *motion;
    const pd_walls *walls;
    double *sums;
} drift_job;

static void sum_drift_in_range(void *context, int begin, int end) {
    const drift_job *job = context;
    const pd_particles *p = &job->motion->world->particles;
    double x = 0, y = 0, total = 0, dt = (double)job->motion->dt;
    for (int i = begin; i < end; i++) {
        double mass = 1 / (double)job->motion->inverse_mass[p->material[i]];
        total += mass;
        x += mass * ((double)p->x[i] - p->old_x[i] - p->vx[i] * dt);
        y += mass * ((double)p->y[i] - p->old_y[i] - p->vy[i] * dt);
        if (!job->walls->index[i]) continue;
        float pushed_x, pushed_y;
        pd_walls_compute_displacement(&job->walls->weight[job->walls->index[i]], &pushed_x, &pushed_y);
        x -= mass * (double)pushed_x;
        y -= mass * (double)pushed_y;
    }
    double *sums = job->sums + 3 * (begin / PD_MOTION_GRAIN);
    sums[0] = x;
    sums[1] = y;
    sums[2] = total;
}

void pd_motion_compute_drift(pd_motion *motion, const pd_walls *walls, double *sums) {
    const pd_particles *p = &motion->world->particles;
    drift_job job = {motion, walls, sums};
    pd_parallel_for(motion->world->pool, p->count, PD_MOTION_GRAIN, sum_drift_in_range, &job);
    double x = 0, y = 0, mass = 0;
    for (int b = 0; b * PD_MOTION_GRAIN < p->count; b++) {
        x += sums[3 * b];
        y += sums[3 * b + 1];
        mass += sums[3 * b + 2];
    }
    bool known = mass > 0 && isfinite(x) && isfinite(y);
    motion->drift_x = known ? (float)(x / (mass * (double)motion->dt)) : 0;
    motion->drift_y = known ? (float)(y / (mass * (double)motion->dt)) : 0;
}
