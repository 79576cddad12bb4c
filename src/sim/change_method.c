/* Another law for the same fluid. */
#include "core/error.h"
#include "core/memory.h"
#include "sim/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Methods compress under their weight by different amounts. One that finds the fluid denser than it would have it would let it burst:
 * so in the first substep every particle gets the rest density at which it is content where it is, and they all come to
 * the method's own in a second or two. Meanwhile a particle's tag holds the bits of that factor.
 *
 * A soft method instead would let the fluid drop: it begins firmer than it is, unless the fluid is still as it left it. */
static const float RAMP_TIME = 0.6f, RAMP_END = 1e-3f, LEAST = 0.25f, MOST = 4;

void pd_world_advance_ramp(pd_world *world, float dt) {
    if (world->ramp == 0) return;
    world->ramp *= expf(-dt / RAMP_TIME);
    if (world->ramp < RAMP_END) world->ramp = 0;
}

float pd_world_ramp_factor(const pd_world *world, int i, float equilibrium) {
    uint32_t *tag = &world->particles.tag[i];
    float factor = fminf(fmaxf(equilibrium, LEAST), MOST);
    if (world->ramp == 1)
        memcpy(tag, &factor, sizeof factor);
    else if (*tag == PD_NO_TAG)
        return 1;
    else
        memcpy(&factor, tag, sizeof factor);
    return 1 + (factor - 1) * world->ramp;
}

bool pd_world_ramp_valid(const pd_world *world) {
    const pd_particles *p = &world->particles;
    if (!(world->ramp >= 0 && world->ramp <= 1)) return false;
    if (world->ramp == 0 || world->method->compressible) return true;
    for (int i = 0; p->tag && i < p->count; i++) {
        float factor;
        memcpy(&factor, &p->tag[i], sizeof factor);
        if (p->tag[i] != PD_NO_TAG && !(factor >= LEAST && factor <= MOST)) return false;
    }
    return p->tag != NULL;
}

pd_result pd_world_set_method(pd_world *world, const char *name, pd_error *error) {
    PD_ASSERT(!pd_world_stepping(world));
    const pd_method *method = pd_world_find_method(name, error), *before = world->method;
    if (!method) return PD_BAD_INPUT;
    if (method == before) return PD_OK;
    void *state = pd_allocate(1, method->state_size);
    if (!state) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the world");
    pd_result result = method->init(world, state, error);
    if (result == PD_OK) result = method->resize(state, world->particles.capacity, error);
    if (result == PD_OK && !method->compressible && !pd_particles_tag(&world->particles))
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the world");
    if (result != PD_OK) {
        method->destroy(state);
        pd_free(state);
        return result;
    }
    pd_particles *p = &world->particles;
    for (int i = 0; i < p->count; i++) p->density[i] = before->particles_per_area(world, p->density[i]);
    before->destroy(world->state);
    pd_free(world->state);
    world->method = method;
    world->state = state;
    snprintf(world->scene.method, sizeof world->scene.method, "%s", method->info.name);
    world->profile = (pd_profile){0};
    pd_world_refresh_parameters(world);
    bool densities_known = world->substep_total > 0;
    if (p->tag) memset(p->tag, 0xff, (size_t)p->count * sizeof *p->tag); /* PD_NO_TAG each */
    bool as_left = method->compressible && world->left_compressible;
    world->left_compressible = before->compressible;
    world->ramp = !densities_known ? 0 : as_left ? 1 - world->ramp : 1;
    for (int i = 0; i < p->count; i++) p->density[i] = densities_known ? method->density_of(world, p->density[i]) : 0;
    return PD_OK;
}
