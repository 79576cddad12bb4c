/* Zones in which one material changes into another, at the end of each step. */
#include "core/math.h"
#include "scene/geometry.h"
#include "sim/world.h"

#include <string.h>

static const uint64_t STRIDE =
    0x9e3779b97f4a7c15u; /* increment of SplitMix64, which decorrelates consecutive numbers */

/* Returns a hash of seed, step and zone. draw_uniform computes random numbers from this hash and a particle's id. They do
 * not depend on the order of particles in memory, or on other zones of the scene. */
static uint64_t hash_zone(const pd_world *world, int zone) {
    uint64_t hash = pd_random_mix_bits(world->scene.seed + STRIDE);
    hash = pd_random_mix_bits(hash + (world->step + 1) * STRIDE);
    return pd_random_mix_bits(hash + ((uint64_t)zone + 1) * STRIDE);
}

/* Returns a random number, uniform in [0, 1), with 53 bits: the probability of a slow change in a short step may be less
 * than 2^-24. */
static double draw_uniform(uint64_t zone_hash, uint32_t particle_id) {
    return (double)(pd_random_mix_bits(zone_hash + ((uint64_t)particle_id + 1) * STRIDE) >> 11) * 0x1p-53;
}

static void change_material_in_zone(pd_world *world, int zone) {
    const pd_change *change = &world->scene.changes[zone];
    pd_particles *p = &world->particles;
    double probability = -pd_expm1(-(double)change->rate * world->scene.dt); /* 1 if the rate is infinite */
    uint64_t hash = hash_zone(world, zone);
    for (int i = 0; i < p->count; i++) {
        if (p->material[i] != change->from || world->flags[i]) continue;
        if (!pd_zone_contains_point(&change->area, (pd_vec2){p->x[i], p->y[i]}) ||
            draw_uniform(hash, p->id[i]) >= probability)
            continue;
        p->material[i] = (uint8_t)change->to;
        world->flags[i] = true;
    }
}

void pd_world_change_materials(pd_world *world) {
    if (world->scene.change_count == 0) return;
    /* Flags mark particles that have changed in this step. A particle changes only once a step: otherwise a zone from
     * material A to B and a zone from B to A would cancel each other. */
    memset(world->flags, 0, (size_t)world->particles.count);
    for (int i = 0; i < world->scene.change_count; i++) change_material_in_zone(world, i);
}
