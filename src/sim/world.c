/* Creation, reset, change of scene and method, and destruction of a world, and access to its values. */
#include "sim/world.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "scene/content/counts.h"
#include "sim/particles/fill.h"
#include "sim/particles/ramp.h"
#include "sim/particles/settle.h"
#include "sim/particles/spread.h"
#include "sim/sources/compartments.h"
#include "sim/step.h"
#include "sim/view.h"
#include "sim/world_bodies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const pd_method *pd_world_find_method(const char *name, pd_error *error) {
    if (pd_method_check(name, error) != PD_OK) return NULL;
    int index = 0;
    while (strcmp(pd_method_at(index)->name, name) != 0) index++;
    return pd_method_table_at(index);
}

/* The arrays of pd_particles grow last. So after an error particles.capacity does not exceed the capacity of any array. */
pd_result pd_world_reserve_particles(pd_world *world, int capacity, pd_error *error) {
    if (capacity <= world->particles.capacity) return PD_OK;
    uint8_t *flags = pd_allocate((size_t)capacity + PD_PADDING, sizeof *flags);
    if (!flags) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d particles (use fewer)", capacity);
    pd_free(world->flags);
    world->flags = flags;
    pd_result result = pd_neighbours_reserve(&world->neighbours, capacity, error);
    if (result == PD_OK) result = pd_method_resize(world, capacity, error);
    if (result == PD_OK) result = pd_particles_reserve(&world->particles, capacity, error);
    return result;
}

/* Allocates the contents of a world, except its thread pool. Adds no particles.
 *
 * reference_gravity: gravity from which defaults are computed, m/s^2; 0: gravity of the scene. The two values differ if gravity
 * was changed in a running world. resolution: resolution from a snapshot; NULL: computed from the scene. */
static pd_result allocate_world(pd_world *world, float reference_gravity, const pd_resolution *resolution,
                                pd_error *error) {
    const pd_scene *scene = &world->scene;
    world->region_counts = pd_memory_require((size_t)scene->region_count, sizeof *world->region_counts);
    world->emitted_fraction = pd_memory_require((size_t)scene->emitter_count, sizeof *world->emitted_fraction);
    world->emitted = pd_memory_require((size_t)scene->emitter_count, sizeof *world->emitted);
    world->emitted_now = pd_memory_require((size_t)scene->emitter_count, sizeof *world->emitted_now);
    world->obstacle_offset = pd_memory_require((size_t)scene->obstacle_count, sizeof *world->obstacle_offset);
    world->wall_motion.obstacle = -1;
    world->fields = pd_memory_require(1, sizeof *world->fields);
    world->version = 1;
    pd_result result = pd_regions_compute_particle_counts(scene, world->region_counts, &world->region_total, error);
    if (result == PD_OK) result = pd_boundary_create(&world->boundary, scene, error);
    if (result == PD_OK) result = pd_world_bodies_create(&world->bodies, scene, error);
    if (result == PD_OK) {
        world->resolution = resolution ? *resolution : pd_resolution_compute(scene, world->region_total);
        if (reference_gravity > 0) world->resolution.gravity = reference_gravity;
        pd_world_update_parameters(world);
        result = pd_method_init(world, error);
    }
    const pd_method *method = world->method;
    if (result == PD_OK)
        result = pd_particles_set_method_columns(&world->particles, method->columns, method->column_count, error);
    int capacity = world->region_total + (scene->emitter_count ? world->region_total / 2 + 4096 : 0);
    if (result == PD_OK)
        result =
            pd_world_reserve_particles(world, capacity < PD_MAX_PARTICLES ? capacity + 1 : PD_MAX_PARTICLES, error);
    return result;
}

/* Returns whether the walls leave a place outside them. The search begins in the middle, and reaches the whole container. */
static bool has_place_outside_walls(const pd_world *world) {
    pd_vec2 place = {0, 0};
    pd_boundary_push_out_of_walls(world->boundary, &place);
    return pd_boundary_allows_position(world->boundary, place, 0);
}

/* Fills the world with the scene's particles and begins its method. Errors: SCENE_VALUE, if the walls leave no room for the
 * particles of the regions; OUT_OF_MEMORY, if memory was refused meanwhile. */
static pd_result begin_scene(pd_world *world, pd_error *error) {
    size_t refusals = pd_memory_refused_request_count();
    pd_world_fill_from_scene(world);
    if (world->region_total > 0 && world->particles.count == 0 && !has_place_outside_walls(world))
        return pd_fail(error, PD_ERROR_SCENE_VALUE,
                       "obstacles and bodies leave no room for the fluid (make them smaller)");
    pd_method_start(world, NULL);
    pd_world_settle(world);
    if (pd_memory_refused_request_count() == refusals) return PD_OK;
    return pd_fail_memory(error, "the world");
}

pd_result pd_world_create_at_resolution(pd_world **created, const pd_scene *scene, const pd_resolution *resolution,
                                        int threads, pd_error *error) {
    *created = NULL;
    pd_world *world = pd_memory_require(1, sizeof *world);
    pd_result result = pd_scene_check(scene, error);
    if (result == PD_OK) result = pd_scene_copy(&world->scene, scene, error);
    if (result == PD_OK) {
        world->method = pd_world_find_method(scene->method, error);
        if (!world->method) result = PD_BAD_INPUT;
    }
    if (result == PD_OK) result = pd_pool_create(&world->pool, threads, error);
    if (result == PD_OK) result = allocate_world(world, 0, resolution, error);
    if (result == PD_OK) result = begin_scene(world, error);
    if (result != PD_OK) {
        pd_world_destroy(world);
        return result;
    }
    *created = world;
    return PD_OK;
}

pd_result pd_world_check_def(const pd_world_def *def, pd_error *error) {
    if (def->size == sizeof *def) return PD_OK;
    return pd_fail(error, PD_ERROR_USAGE,
                   "cannot create a world: its definition has %zu of %zu bytes (begin with pd_world_def_default)",
                   def->size, sizeof *def);
}

pd_result pd_world_create(pd_world **world, const pd_world_def *def, pd_error *error) {
    *world = NULL;
    pd_result result = pd_world_check_def(def, error);
    if (result == PD_OK && !def->scene)
        result = pd_fail(error, PD_ERROR_USAGE, "cannot create a world: its definition has no scene (set one)");
    return result == PD_OK ? pd_world_create_at_resolution(world, def->scene, NULL, def->threads, error) : result;
}

/* Frees everything except the pool, which a rebuilt world reuses. */
static void free_world_contents(pd_world *world) {
    if (world->state) pd_method_destroy(world->method, world->state);
    pd_compartments_free(world);
    pd_field_cache_free(world->fields);
    pd_memory_free(world->region_counts);
    pd_memory_free(world->emitted_fraction);
    pd_memory_free(world->emitted);
    pd_memory_free(world->emitted_now);
    pd_memory_free(world->obstacle_offset);
    pd_free(world->nozzle.particle);
    pd_free(world->calm.particle);
    pd_free(world->flags);
    pd_neighbours_free(&world->neighbours);
    pd_particles_free(&world->particles);
    pd_boundary_destroy(world->boundary);
    pd_world_bodies_destroy(world->bodies);
    pd_scene_free(&world->scene);
}

void pd_world_destroy(pd_world *world) {
    if (!world) return;
    free_world_contents(world);
    pd_pool_destroy(world->pool);
    pd_memory_free(world);
}

pd_result pd_world_rebuild(pd_world *world, const pd_scene *scene, float reference_gravity, pd_error *error) {
    pd_world built = {.pool = world->pool, .tool = world->tool, .tool_from = world->tool_from};
    pd_result result = pd_scene_check(scene, error);
    if (result == PD_OK) result = pd_scene_copy(&built.scene, scene, error);
    if (result == PD_OK) {
        built.method = pd_world_find_method(scene->method, error);
        if (!built.method) result = PD_BAD_INPUT;
    }
    if (result == PD_OK) result = allocate_world(&built, reference_gravity, NULL, error);
    if (result == PD_OK) result = begin_scene(&built, error);
    if (result != PD_OK) {
        free_world_contents(&built);
        return result;
    }
    free_world_contents(world);
    *world = built;
    return PD_OK;
}

void pd_world_fill_from_scene(pd_world *world) {
    const pd_scene *scene = &world->scene;
    world->step = world->substep_total = 0;
    world->substeps = world->substeps_done = 0;
    world->step_seconds = 0;
    world->random = (pd_random){scene->seed};
    memset(world->emitted_fraction, 0, (size_t)scene->emitter_count * sizeof *world->emitted_fraction);
    memset(world->emitted, 0, (size_t)scene->emitter_count * sizeof *world->emitted);
    memset(world->emitted_now, 0, (size_t)scene->emitter_count * sizeof *world->emitted_now);
    memset(world->obstacle_offset, 0, (size_t)scene->obstacle_count * sizeof *world->obstacle_offset);
    pd_world_reset_bodies(world);
    pd_world_place_obstacles_at_rest(world);
    world->tool_lag = (pd_vec2){0, 0};
    if (world->tool.kind == PD_TOOL_MOVE)
        world->tool_from = world->tool.position; /* the moved obstacle does not lag the tool */
    world->particles.count = 0;
    world->particles.next_id = 0;
    memset(world->poured, 0, sizeof world->poured);
    world->pour_incomplete = world->memory_refused = false;
    bool squeezed = false;
    pd_particles *p = &world->particles;
    for (int i = 0; i < scene->region_count; i++)
        if (scene->regions[i].area.shape != PD_SHAPE_PARTICLES)
            squeezed |= pd_region_add_particles(&scene->regions[i], world->region_counts[i], world->boundary,
                                                &world->random, p);
    pd_vortons_add_velocities(scene->vortons, scene->vorton_count, p);
    for (int i = 0; i < scene->region_count; i++) /* after the vortons: listed particles have their final velocities */
        if (scene->regions[i].area.shape == PD_SHAPE_PARTICLES)
            squeezed |= pd_region_add_listed_particles(&scene->regions[i], world->boundary, p);
    /* Particles that were moved out of an obstacle are too close together. The ramp lets their distances grow slowly. */
    pd_density_ramp_begin_scene(world, squeezed);
    size_t bytes = (size_t)p->count * sizeof(float);
    memcpy(p->previous_x, p->x, bytes);
    memcpy(p->previous_y, p->y, bytes);
    memset(p->density, 0, bytes);
    pd_depth_measure(world);
    pd_impulses_clear_totals(pd_boundary_impulses(world->boundary));
    world->version++;
}

void pd_world_reset(pd_world *world) {
    pd_step_finish(world);
    pd_world_fill_from_scene(world);
    pd_method_reset(world);
    pd_world_settle(world);
}

pd_result pd_world_set_particle_count(pd_world *world, int particles, pd_error *error) {
    pd_scene scene;
    pd_step_finish(world);
    pd_result result = pd_scene_copy(&scene, &world->scene, error);
    if (result != PD_OK) return result;
    result = pd_scene_set_particle_count(&scene, particles, error);
    if (result == PD_OK && world->region_total > 0)
        pd_scene_scale_settings(&scene, sqrt((double)world->region_total / particles));
    if (result == PD_OK) result = pd_world_rebuild(world, &scene, world->resolution.gravity, error);
    pd_scene_free(&scene);
    return result;
}

pd_result pd_world_set_scene(pd_world *world, const pd_scene *scene, pd_error *error) {
    pd_step_finish(world);
    pd_result result = pd_world_rebuild(world, scene, 0, error);
    if (result != PD_OK) return result;
    pd_world_set_tool(world, &(pd_tool){.kind = PD_TOOL_NONE});
    return PD_OK;
}

static pd_tool valid_tool_or_none(const pd_scene *scene, const pd_tool *tool) {
    pd_tool next = *tool;
    if (next.kind != PD_TOOL_PAINT && next.kind != PD_TOOL_POUR) next.material = 0;
    if (next.kind != PD_TOOL_MOVE) next.obstacle = 0;
    bool usable = isfinite(next.position.x) && isfinite(next.position.y) && isfinite(next.velocity.x) &&
                  isfinite(next.velocity.y) && isfinite(next.radius) && next.radius > 0 && next.material >= 0 &&
                  next.material < scene->material_count;
    if (next.kind == PD_TOOL_MOVE)
        usable = usable && next.obstacle >= 0 && next.obstacle < scene->obstacle_count + scene->body_count &&
                 next.obstacle < PD_MAX_ITEMS;
    return usable && next.kind != PD_TOOL_NONE ? next : (pd_tool){.kind = PD_TOOL_NONE};
}

void pd_world_set_tool(pd_world *world, const pd_tool *tool) {
    pd_step_finish(world);
    const pd_tool *last = &world->tool, next = valid_tool_or_none(&world->scene, tool);
    /* An obstacle moved by the tool must not jump. */
    bool moves = last->kind == PD_TOOL_MOVE || next.kind == PD_TOOL_MOVE;
    bool begins = last->kind == PD_TOOL_NONE, ends = next.kind == PD_TOOL_NONE;
    if (begins || ends || (moves && (last->kind != next.kind || last->obstacle != next.obstacle)))
        world->tool_from = next.position; /* the new stroke begins at rest */
    world->tool = next;
}

pd_tool pd_world_tool(const pd_world *world) { return world->tool; }

static float clamp_acceleration(float acceleration) {
    const float most = PD_MAX_ACCELERATION;
    return fminf(fmaxf(acceleration, -most), most);
}

void pd_world_set_gravity(pd_world *world, pd_vec2 gravity) {
    if (!isfinite(gravity.x) || !isfinite(gravity.y)) return;
    pd_step_finish(world);
    world->scene.gravity = (pd_vec2){clamp_acceleration(gravity.x), clamp_acceleration(gravity.y)};
}

pd_vec2 pd_world_gravity(const pd_world *world) { return world->scene.gravity; }
const pd_scene *pd_world_scene(const pd_world *world) { return &world->scene; }
const pd_method_info *pd_world_method(const pd_world *world) { return &world->method->info; }
int pd_world_threads(const pd_world *world) { return pd_pool_thread_count(world->pool); }
double pd_world_time(const pd_world *world) { return (double)world->step * world->scene.dt; }
uint64_t pd_world_steps(const pd_world *world) { return world->step; }
int pd_world_particles(const pd_world *world) { return world->particles.count; }
bool pd_world_is_pour_incomplete(const pd_world *world) { return world->pour_incomplete; }
bool pd_world_was_refused_memory(const pd_world *world) { return world->memory_refused; }
int pd_world_substeps(const pd_world *world) { return world->substeps; }
int pd_world_density_errors(const pd_world *world, const float **errors) {
    return pd_method_density_errors(world, errors);
}

void pd_world_impulse_on_obstacle(const pd_world *world, int obstacle, double *x, double *y) {
    const pd_impulses *impulses = pd_boundary_impulses(world->boundary);
    bool valid = obstacle >= PD_CONTAINER_WALL && obstacle < world->scene.obstacle_count;
    const double *total = impulses->total + (valid ? PD_IMPULSE_PARTS * (obstacle + 1) : 0);
    double kilograms = pd_units_particle_mass(world);
    if (valid && world->step > 0) pd_method_compute_impulses(world);
    if (x) *x = valid ? kilograms * total[0] : NAN;
    if (y) *y = valid ? kilograms * total[1] : NAN;
}

const pd_profile *pd_world_profile(const pd_world *world) { return &world->profile; }
void pd_world_reset_profile(pd_world *world) { world->profile = (pd_profile){0}; }
_Static_assert((int)PD_MAX_THREADS == (int)PD_POOL_THREADS, "one limit with two names: core does not include world.h");
const char *pd_simd_name(void) { return pd_simd_level_name(); }
const char *pd_version(void) { return PD_VERSION; }

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
