/* The view of a world (particles, walls, and the fields of its method), and its statistics. */
#include "sim/view.h"

#include "core/math.h"
#include "core/memory.h"
#include "sim/world.h"
#include "sim/world_bodies.h"

#include <math.h>
#include <string.h>

typedef struct bounds {
    pd_vec2 low, high;
} bounds;

static void extend_bounds(bounds *b, float x, float y, float radius) {
    b->low.x = fminf(b->low.x, x - radius);
    b->low.y = fminf(b->low.y, y - radius);
    b->high.x = fmaxf(b->high.x, x + radius);
    b->high.y = fmaxf(b->high.y, y + radius);
}

/* Returns a box twice as large as the bounding box of the scene's vortons, since the fluid around them moves too. */
static bounds compute_scene_vorton_bounds(const pd_scene *scene) {
    const pd_vorton *first = &scene->vortons[0];
    bounds b = {first->position, first->position};
    for (int n = 0; n < scene->vorton_count; n++) {
        const pd_vorton *v = &scene->vortons[n];
        extend_bounds(&b, v->position.x, v->position.y, 3 * v->core);
    }
    float margin = 0.5f * fmaxf(b.high.x - b.low.x, b.high.y - b.low.y);
    if (!(margin > 0)) margin = 1; /* m; a single point vortex has no extent */
    return (bounds){{b.low.x - margin, b.low.y - margin}, {b.high.x + margin, b.high.y + margin}};
}

/* Sets view->low and view->high in a world without container: the corners of a box that contains all particles and
 * vortices. The box also contains a constant box, so that the camera does not move with the fluid: 1 m around the middle of the
 * fluid at the start, or in a scene without particles compute_scene_vorton_bounds. */
static void set_bounds_from_fluid(const pd_world *world, pd_view *view) {
    const pd_view_vortices *v = &view->vortices;
    const pd_vec2 center = world->resolution.center;
    bounds b = {{center.x - 1, center.y - 1}, {center.x + 1, center.y + 1}};
    if (view->count == 0 && v->id && world->scene.vorton_count > 0) b = compute_scene_vorton_bounds(&world->scene);
    for (int i = 0; i < view->count; i++) extend_bounds(&b, view->x[i], view->y[i], 0);
    for (int n = 0; n < v->count; n++) extend_bounds(&b, v->x[n], v->y[n], v->core[n]);
    view->low = b.low;
    view->high = b.high;
}

/* Returns the characteristic circulation for the legend of vortices, m^2/s. It is the greatest of
 *
 * - |circulation| of the scene's vortons
 * - 3 x speed scale / length x mean area: vorticity of flows driven by gravity
 * - 2 x root mean square circulation, which changes slowly
 *
 * The last two are computed from the vortices that the method creates (area > 0). */
static float compute_circulation_scale(const pd_world *world, const pd_view *view) {
    const pd_view_vortices *v = &view->vortices;
    float greatest = 0;
    double area = 0, squares = 0;
    int count = 0;
    for (int n = 0; n < world->scene.vorton_count; n++)
        greatest = fmaxf(greatest, fabsf(world->scene.vortons[n].circulation));
    for (int n = 0; n < v->count; n++) {
        if (!(v->area[n] > 0)) continue;
        area += (double)v->area[n];
        squares += (double)v->circulation[n] * (double)v->circulation[n];
        count++;
    }
    if (count == 0) return greatest;
    float slow = 3 * view->speed_scale / world->resolution.length * (float)(area / count);
    return fmaxf(greatest, fmaxf(slow, 2 * (float)sqrt(squares / count)));
}

/* Sets the descriptions of the view's fields. pd_view_field computes the values on request. */
static void set_field_descriptions(const pd_world *world, pd_view *view) {
    const pd_method_info *info = &world->method->info;
    pd_field_cache *cache = world->fields;
    for (int i = 0; i < info->field_count; i++) {
        if (cache->version[i] != world->version)
            cache->field[i] = (pd_field){.info = *pd_method_field_at(info, i), .layers = 1};
        cache->list[i] = &cache->field[i];
    }
    view->fields = cache->list;
    view->field_count = info->field_count;
    view->world = world;
}

static bool has_velocity_field(const pd_method_info *info) {
    for (int i = 0; i < info->field_count; i++) {
        const pd_field_info *field = pd_method_field_at(info, i);
        if (field->support == PD_FIELD_OF_CELLS && strcmp(field->name, "velocity_x") == 0) return true;
    }
    return false;
}

static void fill_view(const pd_world *world, pd_view *view) {
    const pd_particles *p = &world->particles;
    const pd_container *c = &world->scene.container;
    const pd_resolution *resolution = &world->resolution;
    *view = (pd_view){
        .count = p->count,
        .particles_are_tracers = !world->method->law && has_velocity_field(&world->method->info),
        .x = p->x,
        .y = p->y,
        .previous_x = p->previous_x,
        .previous_y = p->previous_y,
        .vx = p->vx,
        .vy = p->vy,
        .density = world->method->law ? p->density : NULL,
        .id = p->id,
        .material = p->material,
        .gravity = world->scene.gravity,
        .speed_scale = sqrtf(resolution->gravity * resolution->length),
        .spacing = resolution->spacing,
        .length_scale = resolution->length,
        .fluid_height = pd_depth_height(world),
        .load = pd_resolution_compute_load(resolution),
        .materials = world->scene.materials,
        .material_count = world->scene.material_count,
        .container = *c,
        .drains = world->scene.drains,
        .drain_count = world->scene.drain_count,
        .emitters = world->scene.emitters,
        .emitter_count = world->scene.emitter_count,
        .time = pd_world_time(world),
    };
    view->obstacles = pd_boundary_obstacle_areas(world->boundary, &view->obstacle_count);
    pd_world_view_bodies(world, view);
    float half_width = c->shape == PD_CONTAINER_BOX ? c->width / 2 : c->radius;
    float half_height = c->shape == PD_CONTAINER_BOX ? c->height / 2 : c->radius;
    view->low = (pd_vec2){-half_width, -half_height};
    view->high = (pd_vec2){half_width, half_height};
    set_field_descriptions(world, view);
    pd_method_describe_view(world, view);
    if (c->shape == PD_CONTAINER_NONE) set_bounds_from_fluid(world, view);
    if (view->vortices.id && !(view->circulation_scale > 0))
        view->circulation_scale = compute_circulation_scale(world, view);
}

void pd_world_fill_view(const pd_world *world, pd_view *view, size_t size) {
    pd_view own;
    fill_view(world, &own);
    pd_copy_struct(view, size, &own, sizeof own);
}

static void update_cached_field(const pd_world *world, int index) {
    pd_field_cache *cache = world->fields;
    if (cache->version[index] == world->version) return;
    pd_field *field = &cache->field[index];
    *field = (pd_field){.info = *pd_method_field_at(&world->method->info, index), .layers = 1};
    pd_method_compute_field(world, index, field);
    if (!(field->high > field->low)) field->high = field->low + 1;
    cache->version[index] = world->version;
}

const pd_field *pd_view_field(const pd_view *view, const char *name) {
    for (int i = 0; name && i < view->field_count; i++) {
        if (strcmp(view->fields[i]->info.name, name) != 0) continue;
        if (view->world) update_cached_field(view->world, i);
        return view->fields[i];
    }
    return NULL;
}

/* Returns the sum of a field's layers in cell (i, j); NAN: no fluid. */
static float sum_cell_layers(const pd_field *field, int i, int j) {
    size_t cells = (size_t)field->nx * (size_t)field->ny, k = (size_t)j * (size_t)field->nx + (size_t)i;
    float sum = field->values[k];
    for (int layer = 1; layer < field->layers; layer++) sum += field->values[(size_t)layer * cells + k];
    return sum;
}

float pd_field_at(const pd_field *field, pd_vec2 position) {
    if (field->info.support != PD_FIELD_OF_CELLS || !field->values) return NAN;
    float x = (position.x - field->origin.x) / field->cell, y = (position.y - field->origin.y) / field->cell;
    if (!(x >= 0 && y >= 0 && x < (float)field->nx && y < (float)field->ny)) return NAN;
    if (isnan(sum_cell_layers(field, (int)x, (int)y))) return NAN;
    float left = floorf(x - 0.5f), below = floorf(y - 0.5f), sum = 0, weights = 0;
    for (int k = 0; k < 4; k++) {
        int i = (int)left + (k & 1), j = (int)below + (k >> 1);
        if (i < 0 || j < 0 || i >= field->nx || j >= field->ny) continue;
        float value = sum_cell_layers(field, i, j);
        if (isnan(value)) continue;
        float weight = (1 - fabsf(x - 0.5f - (float)i)) * (1 - fabsf(y - 0.5f - (float)j));
        sum += weight * value;
        weights += weight;
    }
    return sum / weights;
}

double pd_view_number(const pd_view *view, const char *name) {
    if (!view->world) return NAN;
    const pd_method_info *info = &view->world->method->info;
    for (int i = 0; i < info->number_count; i++)
        if (strcmp(pd_method_number_at(info, i)->name, name) == 0) return pd_method_compute_number(view->world, i);
    return NAN;
}

void pd_field_cache_free(pd_field_cache *cache) {
    for (int i = 0; cache && i < PD_MAX_FIELDS; i++) pd_free(cache->buffer[i]);
    pd_memory_free(cache);
}

float *pd_field_buffer(const pd_world *world, int index, size_t count) {
    pd_field_cache *cache = world->fields;
    if (count <= cache->capacity[index]) return cache->buffer[index];
    pd_free(cache->buffer[index]);
    cache->capacity[index] = 0;
    cache->buffer[index] = pd_allocate(count + count / 4 + PD_PADDING, sizeof(float));
    if (cache->buffer[index]) cache->capacity[index] = count + count / 4;
    return cache->buffer[index];
}

float pd_field_compute_legend_end(const pd_world *world, int index, float magnitude) {
    static const double factors[] = {1, 2, 5, 10};
    float *scale = &world->fields->scale[index];
    if (!(magnitude > 0) || !isfinite(magnitude)) return *scale > 0 ? *scale : 1;
    if (magnitude <= 1.25f * *scale && magnitude >= 0.2f * *scale) return *scale;
    double power = pd_pow(10, floor(pd_log10((double)magnitude)));
    int k = 0;
    while (k < 3 && factors[k] * power < (double)magnitude) k++;
    *scale = (float)(factors[k] * power);
    return *scale;
}

float pd_field_compute_legend_end_from_rms(const pd_world *world, int index, const pd_field *field,
                                           float least_magnitude) {
    double squares = 0, cells = 0;
    for (size_t k = 0; field->values && k < (size_t)field->nx * (size_t)field->ny; k++) {
        double value = field->values[k];
        if (!isfinite(value)) continue;
        squares += value * value;
        cells++;
    }
    float magnitude = cells > 0 ? (float)(3 * sqrt(squares / cells)) : 0;
    return pd_field_compute_legend_end(world, index, fmaxf(magnitude, least_magnitude));
}

void pd_field_compute_speed(const pd_world *world, int index, pd_field *field) {
    const pd_particles *p = &world->particles;
    float *values = pd_field_buffer(world, index, (size_t)p->count);
    for (int i = 0; values && i < p->count; i++) values[i] = sqrtf(p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i]);
    field->values = values;
    field->low = 0;
    field->high = 2 * sqrtf(world->resolution.gravity * world->resolution.length);
}

void pd_field_compute_relative_density(const pd_world *world, int index, float rest_density, pd_field *field) {
    const pd_particles *p = &world->particles;
    float *values = pd_field_buffer(world, index, (size_t)p->count);
    for (int i = 0; values && i < p->count; i++) values[i] = p->density[i] / rest_density;
    field->values = values;
    field->low = 0;
    field->high = 2;
}

/* Sums and maxima over all particles. Masses are those of the materials, without a unit (sim/world.h). */
typedef struct particle_sums {
    double mass, energy, momentum_x, momentum_y, mass_x, mass_y, speed2, fastest2, density, densest, excess;
} particle_sums;

static particle_sums sum_particles(const pd_world *world, const pd_view *view) {
    const pd_particles *p = &world->particles;
    particle_sums s = {0};
    for (int i = 0; i < p->count; i++) {
        double mass = world->scene.materials[p->material[i]].mass;
        double vx = p->vx[i], vy = p->vy[i], speed2 = vx * vx + vy * vy;
        s.mass += mass;
        s.energy += mass * speed2 / 2;
        s.momentum_x += mass * vx;
        s.momentum_y += mass * vy;
        s.mass_x += mass * p->x[i];
        s.mass_y += mass * p->y[i];
        s.speed2 += speed2;
        s.fastest2 = fmax(s.fastest2, speed2);
        if (!view->density) continue;
        s.density += p->density[i];
        s.densest = fmax(s.densest, p->density[i]);
        s.excess += fmax(0, p->density[i] / view->rest_density - 1);
    }
    return s;
}

/* Members of pd_statistics that are replaced by the method's own number of the same name, if it has one. */
#define QUANTITY(field)                                                                                                \
    { #field, offsetof(pd_statistics, field) }
static const struct quantity {
    const char *name;
    size_t offset; /* offset of the member in pd_statistics, bytes */
} quantities[] = {
    QUANTITY(kinetic_energy), QUANTITY(momentum_x),    QUANTITY(momentum_y), QUANTITY(center_x),
    QUANTITY(center_y),       QUANTITY(rms_speed),     QUANTITY(max_speed),  QUANTITY(mean_density),
    QUANTITY(max_density),    QUANTITY(density_error), QUANTITY(divergence), QUANTITY(circulation),
};

void pd_world_fill_statistics(const pd_world *world, pd_statistics *statistics, size_t size) {
    pd_view view;
    pd_world_view(world, &view);
    particle_sums s = sum_particles(world, &view);
    double count = view.count > 0 ? view.count : 1, mass = s.mass > 0 ? s.mass : 1;
    double kilograms = pd_units_particle_mass(world);
    pd_statistics own = {
        .step = world->step,
        .time = pd_world_time(world),
        .particles = view.count,
        .substeps = world->substeps,
        .kinetic_energy = s.energy * kilograms,
        .momentum_x = s.momentum_x * kilograms,
        .momentum_y = s.momentum_y * kilograms,
        .center_x = s.mass_x / mass,
        .center_y = s.mass_y / mass,
        .rms_speed = sqrt(s.speed2 / count),
        .max_speed = sqrt(s.fastest2),
        .mean_density = view.density ? s.density / count : NAN,
        .max_density = view.density ? s.densest : NAN,
        .density_error = view.density ? s.excess / count : NAN,
        .divergence = NAN,
        .circulation = NAN,
        .step_ms = world->step_seconds * 1e3,
    };
    /* The method's numbers replace members of the same name: tracers, for example, do not carry the fluid's mass. */
    const pd_method_info *info = &world->method->info;
    for (int i = 0; i < info->number_count; i++)
        for (size_t q = 0; q < sizeof quantities / sizeof *quantities; q++)
            if (strcmp(pd_method_number_at(info, i)->name, quantities[q].name) == 0)
                *(double *)(void *)((char *)&own + quantities[q].offset) = pd_method_compute_number(world, i);
    pd_copy_struct(statistics, size, &own, sizeof own);
}
