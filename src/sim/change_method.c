/* Change of a running world's method. */
#include "core/error.h"
#include "core/memory.h"
#include "sim/particles/ramp.h"
#include "sim/particles/settle.h"
#include "sim/particles/spread.h"
#include "sim/step.h"
#include "sim/units.h"

#include <stdio.h>
#include <string.h>

/* Makes `method` the running method: creates its state and its particle columns, and destroys the state of the old method.
 * On an error the old method and its state remain. */
static pd_result switch_method(pd_world *world, const pd_method *method, pd_error *error) {
    const pd_method *before = world->method;
    void *state = world->state;
    world->method = method;
    world->state = NULL;
    pd_world_update_parameters(world);
    pd_result result = pd_method_init(world, error);
    if (result == PD_OK) result = pd_method_resize(world, world->particles.capacity, error);
    if (result == PD_OK)
        result = pd_particles_set_method_columns(&world->particles, method->columns, method->column_count, error);
    if (result == PD_OK) {
        pd_method_destroy(before, state);
        return PD_OK;
    }
    pd_method_destroy(method, world->state);
    world->method = before;
    world->state = state;
    pd_world_update_parameters(world);
    return result;
}

/* Computes the pressures of the particles under the running method, Pa / pd_units_particle_mass, into the array old_x,
 * which the next substep overwrites. Returns NULL if the method has no pressures of particles. */
static const float *compute_present_pressures(const pd_world *world) {
    const pd_particles *p = &world->particles;
    if (!pd_method_compute_pressures(world, p->old_x)) return NULL;
    for (int i = 0; i < p->count; i++) p->old_x[i] /= (float)pd_units_particle_mass(world);
    return p->old_x;
}

pd_result pd_world_set_method(pd_world *world, const char *name, pd_error *error) {
    const pd_method *method = pd_world_find_method(name, error), *before = world->method;
    float parameter[PD_MAX_PARAMETERS];
    if (!method) return PD_BAD_INPUT;
    pd_step_finish(world);
    if (method == before) return PD_OK;
    memcpy(parameter, world->parameter, sizeof parameter);
    size_t refusals = pd_memory_refused_request_count();
    const float *pressure = world->substep_total > 0 ? compute_present_pressures(world) : NULL;
    if (pd_memory_refused_request_count() != refusals) return pd_fail_memory(error, "the method");
    pd_result result = switch_method(world, method, error);
    if (result != PD_OK) return result;
    snprintf(world->scene.method, sizeof world->scene.method, "%s", method->info.name);
    world->profile = (pd_profile){0};
    if (world->substep_total == 0)
        pd_world_fill_from_scene(world); /* as if the scene had begun with this method */
    else
        pd_density_ramp_begin_method(world, pressure);
    bool has_densities = world->substep_total > 0 && before->law;
    pd_particles *p = &world->particles;
    for (int i = 0; i < p->count; i++) {
        float per_area = pd_method_compute_particles_per_area(before, parameter, p->density[i]);
        p->density[i] = has_densities ? pd_method_compute_density(method, world->parameter, per_area) : 0;
    }
    if (world->substep_total > 0 && method->law && !before->law) pd_world_spread_particles(world);
    pd_method_start(world, before);
    if (world->substep_total == 0) pd_world_settle(world);
    return PD_OK;
}
