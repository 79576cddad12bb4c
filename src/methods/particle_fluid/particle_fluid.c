/* Functions that the particle fluids share: memory, forces, limits, warnings, fields, and the parts of a substep. */
#include "methods/particle_fluid/particle_fluid.h"

#include "core/archive.h"
#include "core/array.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/timer.h"
#include "sim/step.h"
#include "sim/view.h"
#include "sim/world.h"

#include <math.h>

extern const particle_force pd_force_of_tension, pd_force_of_viscosity, pd_force_of_stickiness, pd_force_of_springs;

/* Non-pressure forces, in the order in which they act. */
static const particle_force *const forces[] = {
    &pd_force_of_tension,
    &pd_force_of_viscosity,
    &pd_force_of_stickiness,
    &pd_force_of_springs,
};
enum { FORCES = sizeof forces / sizeof *forces };

float pd_particle_find_greatest_property_value(const pd_world *world, pd_property property) {
    float greatest = 0;
    for (int m = 0; m < world->scene.material_count; m++) greatest = fmaxf(greatest, world->property[m][property]);
    return greatest;
}

tension_rule pd_particle_compute_tension_rule(const pd_world *world) {
    const particle_traits *traits = particle_traits_of(world);
    float outside = traits->tension_outside > 0 ? traits->tension_outside : traits->outside;
    tension_rule rule = {.radius = traits->tension_radius * world->parameter[traits->radius],
                         .rest_density = world->parameter[traits->rest_density],
                         .wall_density = world->parameter[traits->wall_density],
                         .outside = outside / traits->tension_radius};
    traits->complete_tension_rule(world, &rule);
    return rule;
}

/* Describes the arrays of the method's state (particle_traits.arrays) for pd_arrays_resize and pd_arrays_free, with the
 * sizes for `capacity` particles. Returns the number of arrays. */
static size_t describe_arrays(particle_fluid *fluid, int capacity, pd_array arrays[PARTICLE_MOST_ARRAYS]) {
    const particle_array *array = fluid->traits->arrays;
    size_t number = 0;
    for (; number < PARTICLE_MOST_ARRAYS && array[number].element_size > 0; number++)
        arrays[number] = (pd_array){.variable = (char *)fluid + array[number].pointer_offset,
                                    .count = (size_t)(capacity / array[number].particles_per_element) + PD_PADDING,
                                    .size = array[number].element_size};
    return number;
}

pd_result pd_particle_fluid_init(pd_world *world, void *state, pd_error *error) {
    particle_fluid *fluid = state;
    fluid->traits = particle_traits_of(world);
    return pd_particle_fluid_adapt(world, state, error);
}

pd_result pd_particle_fluid_resize(void *state, int capacity, pd_error *error) {
    particle_fluid *fluid = state;
    const bool uses_lists = fluid->traits->uses_lists;
    pd_array arrays[PARTICLE_MOST_ARRAYS];
    pd_result result = pd_walls_reserve(&fluid->walls, capacity, error);
    if (result == PD_OK && uses_lists) result = pd_lists_reserve(&fluid->lists, capacity, error);
    for (int f = 0; f < FORCES && result == PD_OK; f++)
        if (forces[f]->resize) result = forces[f]->resize(fluid, capacity, error);
    if (result != PD_OK) return result;
    if ((uses_lists && !pd_list_validity_reserve(&fluid->kept, capacity)) ||
        !pd_arrays_resize(arrays, describe_arrays(fluid, capacity, arrays)))
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d particles (use fewer)", capacity);
    return PD_OK;
}

pd_result pd_particle_fluid_adapt(pd_world *world, void *state, pd_error *error) {
    pd_result result = PD_OK;
    for (int f = 0; f < FORCES && result == PD_OK; f++)
        if (forces[f]->adapt) result = forces[f]->adapt(state, world, error);
    return result;
}

pd_result pd_particle_fluid_apply_edit(pd_world *world, void *state, const pd_edited *edit, const pd_boundary *before,
                                       pd_error *error) {
    (void)world, (void)before, (void)error;
    for (int f = 0; f < FORCES; f++)
        if (forces[f]->edit) forces[f]->edit(state, edit);
    return PD_OK;
}

void pd_particle_fluid_reset(pd_world *world, void *state) {
    for (int f = 0; f < FORCES; f++)
        if (forces[f]->reset) forces[f]->reset(state, world);
}

void pd_particle_fluid_save_or_load(pd_world *world, void *state, pd_archive *archive) {
    (void)world;
    for (int f = 0; f < FORCES; f++)
        if (forces[f]->serialize) forces[f]->serialize(state, archive);
}

size_t pd_particle_fluid_saved_bytes(const void *state) {
    size_t bytes = 0;
    for (int f = 0; f < FORCES; f++)
        if (forces[f]->saved_bytes) bytes += forces[f]->saved_bytes(state);
    return bytes;
}

void pd_particle_fluid_destroy(void *state) {
    particle_fluid *fluid = state;
    pd_array arrays[PARTICLE_MOST_ARRAYS];
    pd_arrays_free(arrays, describe_arrays(fluid, 0, arrays));
    pd_lists_free(&fluid->lists);
    pd_list_validity_free(&fluid->kept);
    pd_walls_free(&fluid->walls);
    pd_deviator_free(&fluid->deviator);
    for (int f = 0; f < FORCES; f++)
        if (forces[f]->destroy) forces[f]->destroy(fluid);
}

/* Lists the limits of the substep. Limits by forces are sorted by the index of the parameter: if limits are equal, the
 * first one is reported. */
int pd_particle_fluid_substep_limits(const pd_world *world, const void *state, pd_substep_limit *limits) {
    const particle_traits *traits = particle_traits_of(world);
    (void)state;
    int count = 0;
    limits[count++] = traits->pressure_limit(world);
    limits[count++] = pd_motion_substep_limit(world, world->parameter[traits->radius]);
    const int first = count;
    for (int f = 0; f < FORCES; f++) {
        if (!forces[f]->longest) continue;
        float greatest = pd_particle_find_greatest_property_value(world, forces[f]->property);
        int parameter = pd_method_parameter_of_property(&world->method->info, (int)forces[f]->property), k = count++;
        for (; k > first && limits[k - 1].parameter > parameter; k--) limits[k] = limits[k - 1];
        limits[k] = (pd_substep_limit){parameter, greatest, forces[f]->longest(world, greatest)};
    }
    return count;
}

bool pd_particle_fluid_write_warning(const pd_world *world, const void *state, int index, char *text, size_t size) {
    (void)state;
    for (int f = 0; f < FORCES; f++)
        if (forces[f]->warning && forces[f]->warning(world, text, size) && index-- == 0) return true;
    const particle_traits *traits = particle_traits_of(world);
    const float way = traits->most_radii * world->parameter[traits->radius];
    return index == 0 && pd_motion_write_warning(world, way, text, size);
}

const pd_field_info pd_particle_fluid_fields[PARTICLE_FIELDS] = {
    [PARTICLE_FIELD_SPEED] = PD_SPEED_FIELD,
    [PARTICLE_FIELD_DENSITY] = PD_DENSITY_FIELD,
    [PARTICLE_FIELD_PRESSURE] = {"pressure", "pressure", "Pa", PD_FIELD_OF_PARTICLES},
};

const pd_view_mode pd_particle_fluid_views[PARTICLE_VIEWS] = {
    PD_PARTICLE_VIEWS,
    {"density", PD_VIEW_PARTICLES, "density"},
    {"pressure", PD_VIEW_PARTICLES, "pressure"},
};

void pd_particle_fluid_describe_view(const pd_world *world, const void *state, pd_view *view) {
    const particle_traits *traits = particle_traits_of(world);
    (void)state;
    view->rest_density = world->parameter[traits->rest_density];
    view->radius = world->parameter[traits->radius];
}

void pd_particle_fluid_compute_field(const pd_world *world, void *state, int index, pd_field *field) {
    float rest_density = world->parameter[particle_traits_of(world)->rest_density];
    (void)state;
    if (index == PARTICLE_FIELD_SPEED) pd_field_compute_speed(world, index, field);
    if (index == PARTICLE_FIELD_DENSITY) pd_field_compute_relative_density(world, index, rest_density, field);
    if (index == PARTICLE_FIELD_PRESSURE) {
        float *values = pd_field_buffer(world, index, (size_t)world->particles.count);
        if (values) pd_method_compute_pressures(world, values);
        field->values = values;
        /* pressure of water at the depth 2 L, L: resolution.length */
        field->high = (float)(2 * PD_DENSITY_OF_MASS_1) * world->resolution.gravity * world->resolution.length;
        field->low = -field->high;
    }
}

/* Sets step->viscosity, viscosities_differ and masses_differ. */
static void set_material_factors(particle_step *step) {
    const pd_world *world = step->motion.world;
    float standard = pd_world_property_default(world, PD_VISCOSITY);
    for (int m = 0; m < world->scene.material_count; m++) {
        float own = world->scene.materials[m].property[PD_VISCOSITY];
        bool relative = step->traits->relative_viscosity && !isnan(own);
        step->viscosity[m] = relative ? own / standard : 1;
        if (step->viscosity[m] != 1) step->viscosities_differ = true;
        if (step->motion.inverse_mass[m] != step->motion.inverse_mass[0]) step->masses_differ = true;
    }
}

particle_step pd_particle_step_begin(pd_world *world, particle_fluid *fluid, float dt) {
    particle_step step = {.motion = pd_motion_begin(world, world->parameter[fluid->traits->radius], dt),
                          .fluid = fluid,
                          .traits = fluid->traits,
                          .prediction_time = dt,
                          .grain = pd_impulse_chunk_size(world->particles.count),
                          .stage_begin = pd_now()};
    set_material_factors(&step);
    return step;
}

void pd_particle_step_end_stage(particle_step *step, const char *name) {
    pd_stage_end(step->motion.world, name, &step->stage_begin);
}

static void apply_forces(particle_step *step, bool after_sort) {
    for (int f = 0; f < FORCES; f++) {
        if (forces[f]->after_sort != after_sort) continue;
        forces[f]->step(step);
        if (forces[f]->stage) pd_particle_step_end_stage(step, forces[f]->stage);
    }
}

static void predict_positions_in_range(void *context, int begin, int end) {
    const particle_step *step = context;
    const pd_particles *p = &step->motion.world->particles;
    pd_motion_apply_external_forces(&step->motion, begin, end);
    for (int i = begin; i < end; i++) {
        p->old_x[i] = p->x[i];
        p->old_y[i] = p->y[i];
        p->x[i] += p->vx[i] * step->prediction_time;
        p->y[i] += p->vy[i] * step->prediction_time;
    }
}

void pd_particle_step_predict_positions(particle_step *step) {
    pd_world *world = step->motion.world;
    apply_forces(step, false);
    pd_parallel_for(world->pool, world->particles.count, PD_MOTION_GRAIN, predict_positions_in_range, step);
    pd_particle_step_end_stage(step, "forces");
}

bool pd_particle_step_sort_if_needed(particle_step *step, bool lists_valid) {
    pd_world *world = step->motion.world;
    if (lists_valid && !pd_springs_need_cell_sort(world)) return true;
    pd_neighbours_sort(&world->neighbours, &world->particles, step->motion.radius, world->pool);
    return false;
}

void pd_particle_step_apply_forces_after_sort(particle_step *step) { apply_forces(step, true); }

void pd_particle_step_compute_wall_weights(const particle_step *step, bool smooth_near_kernel, const float *x,
                                           const float *y) {
    pd_world *world = step->motion.world;
    pd_walls_rule rule = {.radius = step->motion.radius,
                          .outside = step->traits->outside,
                          .body_outside = step->traits->body_outside,
                          .weight = world->parameter[step->traits->wall_density],
                          .ahead = step->prediction_time - step->motion.dt, /* walls at the time of the positions */
                          .smooth_near_kernel = smooth_near_kernel,
                          .x = x,
                          .y = y};
    pd_walls_compute_weights(&step->fluid->walls, world, &rule);
}

bool pd_particle_step_make_lists(const particle_step *step, pd_loop_body *find, void *pass) {
    pd_world *world = step->motion.world;
    particle_fluid *fluid = step->fluid;
    fluid->kept.count = 0;
    if (!pd_lists_build(&fluid->lists, world->particles.count, world->pool, find, pass)) return false;
    pd_list_validity_record_world(&fluid->kept, world, step->motion.radius);
    return true;
}

void pd_particle_step_add_wall_impulses(const particle_step *step, int begin, int end, float seconds, const float *x,
                                        const float *y) {
    const pd_impulses *impulses = pd_boundary_impulses(step->motion.world->boundary);
    const uint8_t *material = step->motion.world->particles.material;
    const pd_walls *walls = &step->fluid->walls;
    for (int i = begin; i < end; i++) {
        if (!walls->index[i]) continue;
        float mass_per_second = 1 / (step->motion.inverse_mass[material[i]] * seconds);
        pd_walls_add_reaction_impulses(impulses, begin, step->grain, &walls->weight[walls->index[i]], mass_per_second,
                                       (pd_vec2){x[i], y[i]});
    }
}
