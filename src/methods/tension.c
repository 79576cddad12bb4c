#include "methods/tension.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "methods/motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float PI = 3.14159265f;
static const float ENERGY = 4.637f; /* kappa H / Gamma */

static pd_result reserve(tension *t, int capacity, pd_error *error) {
    size_t padded = (size_t)capacity + PD_PADDING;
    tension_record *record = pd_allocate(padded, sizeof *record);
    float *inverse_mass = pd_allocate(padded, sizeof *inverse_mass);
    pd_result result = PD_OK;
    if (!record || !inverse_mass)
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the surface tension of %d particles (use fewer)",
                         capacity);
    if (result == PD_OK) result = pd_lists_reserve(&t->lists, capacity, error);
    if (result == PD_OK) result = pd_walls_reserve(&t->walls, capacity, error);
    if (result != PD_OK) {
        pd_free(record);
        pd_free(inverse_mass);
        return result;
    }
    pd_free(t->record);
    pd_free(t->inverse_mass);
    t->record = record;
    t->inverse_mass = inverse_mass;
    return PD_OK;
}

pd_result tension_want(tension *t, bool wanted, pd_error *error) {
    int capacity = t->capacity;
    if (wanted == t->wanted) return PD_OK;
    if (!wanted) tension_free(t);
    if (wanted && capacity > 0 && reserve(t, capacity, error) != PD_OK) return PD_FAILED;
    t->capacity = capacity;
    t->wanted = wanted;
    return PD_OK;
}

pd_result tension_resize(tension *t, int capacity, pd_error *error) {
    pd_result result = t->wanted ? reserve(t, capacity, error) : PD_OK;
    if (result == PD_OK) t->capacity = capacity;
    return result;
}

void tension_free(tension *t) {
    pd_lists_free(&t->lists);
    pd_walls_free(&t->walls);
    pd_free(t->record);
    pd_free(t->inverse_mass);
    *t = (tension){0};
}

bool tension_warning(float gamma, float own, float most, char *text, size_t size) {
    if (!(gamma > 0) || (gamma > own && gamma <= most)) return false;
    if (gamma > most)
        snprintf(
            text, size,
            "a surface tension of %.3g m^3/s^2 is stronger than the pressure, whose drops it deforms (use up to %.2g, "
            "or a higher stiffness)",
            (double)gamma, (double)most);
    else
        snprintf(
            text, size,
            "a surface tension of %.3g m^3/s^2 changes nothing: the method's own is %.2g with these particles (use "
            "more, or more particles)",
            (double)gamma, (double)own);
    return true;
}

float tension_substep(float gamma, float radius) {
    return gamma > 0 ? 0.08f * sqrtf(radius * radius * radius / gamma) : INFINITY;
}

typedef struct stage {
    tension_pass pass;
    const pd_world *world;
    float inverse_mass[PD_MAX_MATERIALS];
} stage;

static void record_range(void *context, int begin, int end) {
    const stage *s = context;
    const pd_particles *p = s->pass.particles;
    for (int i = begin; i < end; i++) {
        float *record = s->pass.tension->record[i];
        record[0] = p->x[i] * s->pass.inverse_radius;
        record[1] = p->y[i] * s->pass.inverse_radius;
        s->pass.tension->inverse_mass[i] = s->inverse_mass[p->material[i]];
    }
}

static void record_sentinels(tension *t, int count) {
    for (int i = count; i <= pd_lists_sentinel(count); i++) {
        memcpy(t->record[i], (tension_record){PD_SENTINEL_POSITION, PD_SENTINEL_POSITION}, sizeof(tension_record));
        t->inverse_mass[i] = 1;
    }
}

void tension_apply(tension *t, pd_world *world, const tension_force *force) {
    const tension_kernels *kernels = PD_SIMD_PICK(tension_kernels);
    const pd_particles *p = &world->particles;
    float h = force->radius, slope = 24 / (PI * h * h * force->rest_density);
    if (!(force->gamma > 0) || !t->wanted) return;
    stage s = {.pass = {.particles = p,
                        .neighbours = &world->neighbours,
                        .tension = t,
                        .radius = h,
                        .inverse_radius = 1 / h,
                        .normal_factor = slope,
                        .force_factor = ENERGY * force->gamma / h * slope / h * force->dt,
                        .fastest = force->fastest},
               .world = world};
    for (int m = 0; m < world->scene.material_count; m++) s.inverse_mass[m] = 1 / world->scene.materials[m].mass;
    pd_walls_rule rule = {
        .radius = h, .outside = force->outside, .weight = force->wall_density, .ahead = -force->dt, .smooth = true};
    pd_neighbours_sort(&world->neighbours, &world->particles, h, world->pool);
    pd_walls_find(&t->walls, world, &rule);
    pd_parallel_for(world->pool, p->count, PD_MOTION_GRAIN, record_range, &s);
    record_sentinels(t, p->count);
    pd_lists_make(&t->lists, p->count, world->pool, kernels->find_normals, &s.pass);
    pd_parallel_for(world->pool, p->count, PD_LIST_GRAIN, kernels->kick, &s.pass);
}
