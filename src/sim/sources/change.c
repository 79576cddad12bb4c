/* Zones in which one material changes into another, at the end of each step. */
#include "core/math.h"
#include "scene/geometry.h"
#include "sim/world.h"

#include <string.h>

static const uint64_t STRIDE =
    0x9e3779b97f4a7c15u; /* increment of SplitMix64, which decorrelates consecutive numbers */

/* Returns a hash of seed, step and zone, from which `draw` computes random numbers by particle id. These do not depend on
 * the particles' order in memory, or on other zones of the scene. */
static uint64_t hash_of_zone(const pd_world *world, int index) {
    uint64_t hash = pd_random_mix_bits(world->scene.seed + STRIDE);
    hash = pd_random_mix_bits(hash + (world->step + 1) * STRIDE);
    return pd_random_mix_bits(hash + ((uint64_t)index + 1) * STRIDE);
}

/* Returns a random number, uniform in [0, 1). It has 53 bits: the probability of a slow change in a short step may be below
 * 2^-24. */
static double draw(uint64_t hash, uint32_t id) {
    return (double)(pd_random_mix_bits(hash + ((uint64_t)id + 1) * STRIDE) >> 11) * 0x1p-53;
}

static void change_material(pd_world *world, int index) {
    const pd_change *change = &world->scene.changes[index];
    pd_particles *p = &world->particles;
    double probability = -pd_expm1(-(double)change->rate * world->scene.dt); /* 1 if the rate is infinite */
    uint64_t hash = hash_of_zone(world, index);
    for (int i = 0; i < p->count; i++) {
        if (p->material[i] != change->from || world->flags[i]) continue;
        if (!pd_zone_contains(&change->area, (pd_vec2){p->x[i], p->y[i]}) || draw(hash, p->id[i]) >= probability)
            continue;
        p->material[i] = (uint8_t)change->to;
        world->flags[i] = true;
    }
}

void pd_world_change_materials(pd_world *world) {
    if (world->scene.change_count == 0) return;
    /* A flag marks a particle that has changed in this step. It changes only once: otherwise zones from A to B and from B
     * to A would cancel. */
    memset(world->flags, 0, (size_t)world->particles.count);
    for (int i = 0; i < world->scene.change_count; i++) change_material(world, i);
}
