/* Sticky walls (Clavet, Beaudoin, Poulin 2005, section 6.1).
 *
 * Walls attract particles of sticky materials nearer than the stick distance. At the distance d the attraction is k d
 * (1 - d/d_stick), k: stickiness. It is 0 at the wall and at the stick distance, and greatest halfway. Not in the
 * paper: walls also damp the velocity along them. The rate at the wall is sqrt(k), the angular frequency of the
 * attracting spring. Without this damping thin films would accelerate along walls. Attraction and damping are relative
 * to the wall, so that a moving wall carries the fluid along. Both act on the velocities at the beginning of a substep,
 * before the prediction. */
#include "methods/particle_fluid/particle_fluid.h"

#include <math.h>

/* Limit of stickiness x dt^2, by which the program chooses substeps. Attraction is clamped to this limit. */
static const float STICKIEST = 0.1f;

static float compute_longest_stick_substep(const pd_world *world, float greatest_stickiness) {
    (void)world;
    return sqrtf(STICKIEST / fmaxf(greatest_stickiness, 1e-12f));
}

static void apply_stickiness_in_range(void *context, int begin, int end) {
    const particle_step *step = context;
    const pd_world *world = step->motion.world;
    const pd_particles *p = &world->particles;
    const float dt = step->motion.dt, reach = world->parameter[step->traits->stick_distance];
    for (int i = begin; i < end; i++) {
        float stickiness = world->property[p->material[i]][PD_STICKINESS];
        pd_contact wall;
        if (!(stickiness > 0)) continue;
        float d =
            fmaxf(pd_boundary_find_nearest_wall_within(world->boundary, (pd_vec2){p->x[i], p->y[i]}, reach, &wall), 0);
        if (!(d < reach)) continue;
        float nearness = 1 - d / reach;
        float speed = fminf(stickiness * dt, STICKIEST / dt) * d * nearness;
        float x = dt * sqrtf(stickiness) * nearness, damping = x / (1 + x);
        float vx = p->vx[i] - wall.velocity.x, vy = p->vy[i] - wall.velocity.y;
        float normal_speed = vx * wall.normal.x + vy * wall.normal.y;
        float to_wall_x = speed * wall.normal.x + damping * (vx - normal_speed * wall.normal.x);
        float to_wall_y = speed * wall.normal.y + damping * (vy - normal_speed * wall.normal.y);
        p->vx[i] -= to_wall_x;
        p->vy[i] -= to_wall_y;
        pd_motion_add_wall_impulse(&step->motion, begin, step->grain, i, wall.wall, to_wall_x, to_wall_y);
    }
}

static void apply_stickiness(particle_step *step) {
    const pd_world *world = step->motion.world;
    if (pd_particle_find_greatest_property_value(world, PD_STICKINESS) > 0)
        pd_parallel_for(world->pool, world->particles.count, step->grain, apply_stickiness_in_range, step);
}

extern const particle_force pd_force_of_stickiness;
const particle_force pd_force_of_stickiness = {
    .property = PD_STICKINESS, .step = apply_stickiness, .longest = compute_longest_stick_substep};
