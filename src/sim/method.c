/* Calls of the functions in a method's table, with defaults for missing functions. */
#include "sim/method.h"

#include "core/error.h"
#include "core/memory.h"
#include "sim/world.h"

#include <math.h>
#include <string.h>

static void check_method_table(const pd_method *method) {
    const pd_method_info *info = &method->info;
    PD_ASSERT(method->step && info->name && info->title && info->source);
    PD_ASSERT(method->column_count <= PD_MAX_METHOD_COLUMNS);
    PD_ASSERT(info->parameter_count <= PD_MAX_PARAMETERS);
    for (int i = 0; i < info->parameter_count; i++)
        PD_ASSERT(strlen(info->name) + strlen(pd_method_parameter_at(info, i)->key) + 2 <= PD_MAX_KEY);
    PD_ASSERT(info->field_count <= PD_MAX_FIELDS && info->number_count <= PD_MAX_NUMBERS);
    PD_ASSERT(info->view_count > 0);
    for (int v = 0; v < info->view_count; v++) {
        bool found = !pd_method_view_at(info, v)->field;
        for (int f = 0; f < info->field_count && !found; f++)
            found = strcmp(pd_method_view_at(info, v)->field, pd_method_field_at(info, f)->name) == 0;
        PD_ASSERT(found);
    }
}

pd_result pd_method_init(pd_world *world, pd_error *error) {
    const pd_method *method = world->method;
    check_method_table(method);
    world->state = pd_allocate(1, method->state_size);
    if (!world->state) return pd_fail_memory(error, "the world");
    return method->init ? method->init(world, world->state, error) : PD_OK;
}

pd_result pd_method_resize(pd_world *world, int capacity, pd_error *error) {
    return world->method->resize ? world->method->resize(world->state, capacity, error) : PD_OK;
}

pd_result pd_method_allocate_for_parameters(pd_world *world, pd_error *error) {
    return world->method->adapt ? world->method->adapt(world, world->state, error) : PD_OK;
}

pd_result pd_method_apply_edit(pd_world *world, const pd_edited *edit, const pd_boundary *before, pd_error *error) {
    return world->method->edit ? world->method->edit(world, world->state, edit, before, error) : PD_OK;
}

void pd_method_start(pd_world *world, const pd_method *before) {
    if (world->method->start) world->method->start(world, world->state, before);
}

void pd_method_reset(pd_world *world) {
    if (world->method->reset) world->method->reset(world, world->state);
}

int pd_method_substep_limits(const pd_world *world, pd_substep_limit limits[PD_MAX_COSTS]) {
    if (!world->method->substep_limits) return 0;
    int count = world->method->substep_limits(world, world->state, limits);
    PD_ASSERT(count <= PD_MAX_COSTS);
    return count;
}

double pd_method_narrowest_flow_gap(const pd_world *world) {
    return (double)(world->method->cell ? world->method->cell(world->state) : world->resolution.spacing);
}

void pd_method_step(pd_world *world, float dt) { world->method->step(world, world->state, dt); }

int pd_method_density_errors(const pd_world *world, const float **errors) {
    *errors = NULL;
    return world->method->convergence ? world->method->convergence(world->state, errors) : 0;
}

bool pd_method_write_warning(const pd_world *world, int index, char *text, size_t size) {
    const pd_method *method = world->method;
    return method->warning && method->warning(world, world->state, index, text, size);
}

void pd_method_describe_view(const pd_world *world, pd_view *view) {
    if (world->method->view) world->method->view(world, world->state, view);
}

void pd_method_compute_field(const pd_world *world, int index, pd_field *field) {
    if (world->method->field) world->method->field(world, world->state, index, field);
}

double pd_method_compute_number(const pd_world *world, int index) {
    return world->method->number ? world->method->number(world, world->state, index) : NAN;
}

void pd_method_compute_impulses(const pd_world *world) {
    if (world->method->impulses) world->method->impulses(world, world->state);
}

pd_result pd_method_copy_cells(const pd_world *world, pd_cells *cells, pd_error *error) {
    *cells = (pd_cells){0};
    return world->method->cells ? world->method->cells(world, world->state, cells, error) : PD_OK;
}

void pd_method_save_or_load_state(pd_world *world, pd_archive *archive) {
    if (world->method->serialize) world->method->serialize(world, world->state, archive);
}

size_t pd_method_serialized_bytes(const pd_world *world) {
    return world->method->saved_bytes ? world->method->saved_bytes(world->state) : 0;
}

void pd_method_destroy(const pd_method *method, void *state) {
    if (state && method->destroy) method->destroy(state);
    pd_free(state);
}

float pd_method_compute_particles_per_area(const pd_method *method, const float *parameter, float density) {
    if (!method->law) return 0;
    return method->law->particles_per_area ? method->law->particles_per_area(parameter, density) : density;
}

float pd_method_compute_density(const pd_method *method, const float *parameter, float particles_per_area) {
    if (!method->law) return 0;
    return method->law->density_of ? method->law->density_of(parameter, particles_per_area) : particles_per_area;
}

bool pd_method_compute_pressures(const pd_world *world, float *pressure) {
    const pd_density_law *law = world->method->law;
    if (!law || !law->compute_pressures) return false;
    law->compute_pressures(world, pressure);
    return true;
}

pd_fluid_at_rest pd_method_find_fluid_at_rest(const pd_world *world, float mass, float pressure) {
    const pd_density_law *law = world->method->law;
    if (!law) return (pd_fluid_at_rest){0};
    if (law->at_rest) return law->at_rest(world, mass, pressure);
    float per_area = 1 / (world->resolution.spacing * world->resolution.spacing);
    return (pd_fluid_at_rest){per_area, pd_method_compute_density(world->method, world->parameter, per_area)};
}
