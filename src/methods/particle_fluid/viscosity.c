/* Drag of thick fluid on walls, in methods with particle_traits.relative_viscosity.
 *
 * The tangential velocity of particles within half an interaction radius of a wall decays. The rate is proportional to (viscosity /
 * default viscosity - 1). The viscosity between particles is part of the methods' pressure loops. */
#include "methods/particle_fluid/particle_fluid.h"

#include <math.h>

/* At a wall the velocity along the wall decays at the rate DRAG x (viscosity / default viscosity - 1) x sqrt(g/L), g:
 * gravity, L: resolution.length. DRAG is chosen so that honey stays on a floor and oil runs over it. */
static const float DRAG = 8;

static void apply_wall_drag_in_range(void *context, int begin, int end) {
    const particle_step *step = context;
    const pd_world *world = step->motion.world;
    const pd_particles *p = &world->particles;
    const pd_impulses *impulses = pd_boundary_impulses(world->boundary);
    const float reach = 0.5f * step->motion.radius;
    const float rate = DRAG * sqrtf(world->resolution.gravity / world->resolution.length) * step->motion.dt;
    for (int i = begin; i < end; i++) {
        float excess = step->viscosity[p->material[i]] - 1;
        pd_contact wall;
        if (!(excess > 0)) continue;
        float distance =
            fmaxf(pd_boundary_find_nearest_wall_within(world->boundary, (pd_vec2){p->x[i], p->y[i]}, reach, &wall), 0);
        if (!(distance < reach)) continue;
        float x = rate * excess * (1 - distance / reach), fraction = x / (1 + x);
        float vx = p->vx[i] - wall.velocity.x, vy = p->vy[i] - wall.velocity.y;
        float along = vy * wall.normal.x - vx * wall.normal.y;
        float lost_x = -fraction * along * wall.normal.y, lost_y = fraction * along * wall.normal.x;
        float mass = 1 / step->motion.inverse_mass[p->material[i]];
        p->vx[i] -= lost_x;
        p->vy[i] -= lost_y;
        pd_impulses_add(impulses, begin, step->grain, wall.wall, (double)(mass * lost_x), (double)(mass * lost_y),
                        (pd_vec2){p->x[i], p->y[i]});
    }
}

static void apply_wall_drag(particle_step *step) {
    const pd_world *world = step->motion.world;
    if (step->viscosities_differ)
        pd_parallel_for(world->pool, world->particles.count, step->grain, apply_wall_drag_in_range, step);
}

extern const particle_force pd_force_of_viscosity;
const particle_force pd_force_of_viscosity = {.property = PD_VISCOSITY, .step = apply_wall_drag};
