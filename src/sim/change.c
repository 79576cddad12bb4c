/* Places where one material turns into another, once a step. */
#include "scene/geometry.h"
#include "sim/world.h"

#include <math.h>
#include <string.h>

static const uint64_t STRIDE = 0x9e3779b97f4a7c15u; /* SplitMix64's: what follows one another falls far apart */

/* What is drawn depends on nothing but seed, step, place and particle: not on the order in which particles lie in memory,
 * and not on what else drew before, so that a scene with one change more leaves the others as they were. */
static uint64_t lot_of(const pd_world *world, int index) {
    uint64_t lot = pd_random_mix(world->scene.seed + STRIDE);
    lot = pd_random_mix(lot + (world->step + 1) * STRIDE);
    return pd_random_mix(lot + ((uint64_t)index + 1) * STRIDE);
}

/* Uniform in [0, 1), of as many bits as a double holds: a slow change over a short step is rarer than one in 2^24. */
static double draw(uint64_t lot, uint32_t id) {
    return (double)(pd_random_mix(lot + ((uint64_t)id + 1) * STRIDE) >> 11) * 0x1p-53;
}

static void change_material(pd_world *world, int index) {
    const pd_change *change = &world->scene.changes[index];
    const pd_drain place = {change->shape, change->center, change->radius, change->size}; /* the same two shapes */
    pd_particles *p = &world->particles;
    double chance = -expm1(-(double)change->rate * world->scene.dt); /* 1 where the rate is infinite */
    uint64_t lot = lot_of(world, index);
    for (int i = 0; i < p->count; i++) {
        if (p->material[i] != change->from || world->flags[i]) continue;
        if (!pd_drain_contains(&place, (pd_vec2){p->x[i], p->y[i]}) || draw(lot, p->id[i]) >= chance) continue;
        p->material[i] = (uint8_t)change->to;
        world->flags[i] = true;
    }
}

void pd_world_change(pd_world *world) {
    if (world->scene.change_count == 0) return;
    /* Marks what has changed in this step: two changes there and back must not cancel within one. */
    memset(world->flags, 0, (size_t)world->particles.count);
    for (int i = 0; i < world->scene.change_count; i++) change_material(world, i);
}
