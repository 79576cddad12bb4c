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

static void free_arrays(tension *t) {
    pd_free(t->sorted.x);
    pd_free(t->sorted.y);
    pd_free(t->sorted.vx);
    pd_free(t->sorted.vy);
    pd_free(t->sorted.id);
    pd_free(t->record);
    pd_free(t->inverse_mass);
}

static bool allocate(tension *t, int capacity) {
    size_t padded = (size_t)capacity + PD_PADDING;
    t->sorted = (pd_particles){.capacity = capacity};
    t->sorted.x = pd_allocate(padded, sizeof *t->sorted.x);
    t->sorted.y = pd_allocate(padded, sizeof *t->sorted.y);
    t->sorted.vx = pd_allocate(padded, sizeof *t->sorted.vx);
    t->sorted.vy = pd_allocate(padded, sizeof *t->sorted.vy);
    t->sorted.id = pd_allocate(padded, sizeof *t->sorted.id);
    t->record = pd_allocate(padded, sizeof *t->record);
    t->inverse_mass = pd_allocate(padded, sizeof *t->inverse_mass);
    return t->sorted.x && t->sorted.y && t->sorted.vx && t->sorted.vy && t->sorted.id && t->record && t->inverse_mass;
}

static pd_result reserve(tension *t, int capacity, pd_error *error) {
    tension larger = {0};
    pd_result result = PD_OK;
    if (!allocate(&larger, capacity) || !pd_kept_reserve(&t->kept, capacity))
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the surface tension of %d particles (use fewer)",
                         capacity);
    if (result == PD_OK) result = pd_neighbours_reserve(&t->neighbours, capacity, error);
    if (result == PD_OK) result = pd_lists_reserve(&t->lists, capacity, error);
    if (result == PD_OK) result = pd_walls_reserve(&t->walls, capacity, error);
    t->kept.count = 0;
    if (result != PD_OK) {
        free_arrays(&larger);
        return result;
    }
    free_arrays(t);
    t->sorted = larger.sorted;
    t->record = larger.record;
    t->inverse_mass = larger.inverse_mass;
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
    pd_neighbours_free(&t->neighbours);
    pd_kept_free(&t->kept);
    free_arrays(t);
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
    const tension_kernels *kernels;
    const pd_particles *particles; /* the world's */
    const uint32_t *world_order;   /* by index in the world: the index before its last sort */
    float inverse_mass[PD_MAX_MATERIALS];
} stage;

/* ---- Order ---- */

static void invert_range(void *context, int begin, int end) {
    const stage *s = context;
    uint32_t *index = s->pass.tension->neighbours.key;
    for (int i = begin; i < end; i++) index[s->world_order[i]] = (uint32_t)i;
}

static void follow_range(void *context, int begin, int end) {
    const stage *s = context;
    const uint32_t *index = s->pass.tension->neighbours.key;
    uint32_t *order = s->pass.tension->neighbours.order;
    for (int i = begin; i < end; i++) order[i] = index[order[i]];
}

static void gather_range(void *context, int begin, int end) {
    const stage *s = context;
    const pd_particles *p = s->particles, *sorted = &s->pass.tension->sorted;
    const uint32_t *order = s->pass.tension->neighbours.order;
    for (int i = begin; i < end; i++) {
        sorted->x[i] = p->x[order[i]];
        sorted->y[i] = p->y[order[i]];
        sorted->id[i] = p->id[order[i]];
    }
}

static void gather(stage *s, pd_world *world) {
    s->pass.tension->sorted.count = world->particles.count;
    pd_parallel_for(world->pool, world->particles.count, PD_MOTION_GRAIN, gather_range, s);
}

/* Brings the particles' copies up to date. Returns whether the lists of an earlier substep serve: the world may have been
 * sorted once since, by the method. */
static bool follow(stage *s, pd_world *world) {
    tension *t = s->pass.tension;
    uint64_t sorts = world->neighbours.sorts - t->kept.sorts;
    bool same = world->substeps_done > 0 && t->kept.count == world->particles.count && t->kept.h == s->pass.radius;
    if (!same || sorts > 1) return false;
    if (sorts == 1) {
        pd_parallel_for(world->pool, t->kept.count, PD_MOTION_GRAIN, invert_range, s);
        pd_parallel_for(world->pool, t->kept.count, PD_MOTION_GRAIN, follow_range, s);
        t->kept.sorts++;
    }
    gather(s, world);
    return pd_kept_within(&t->kept, &t->sorted, world->pool);
}

/* ---- Force ---- */

static void record_range(void *context, int begin, int end) {
    const stage *s = context;
    const pd_particles *sorted = &s->pass.tension->sorted;
    const uint32_t *order = s->pass.tension->neighbours.order;
    for (int i = begin; i < end; i++) {
        float *record = s->pass.tension->record[i];
        record[0] = sorted->x[i] * s->pass.inverse_radius;
        record[1] = sorted->y[i] * s->pass.inverse_radius;
        s->pass.tension->inverse_mass[i] = s->inverse_mass[s->particles->material[order[i]]];
    }
}

static void record_sentinels(tension *t, int count) {
    for (int i = count; i <= pd_lists_sentinel(count); i++) {
        memcpy(t->record[i], (tension_record){PD_SENTINEL_POSITION, PD_SENTINEL_POSITION}, sizeof(tension_record));
        t->inverse_mass[i] = 1;
    }
}

static void kick_range(void *context, int begin, int end) {
    stage *s = context;
    const pd_particles *p = s->particles, *sorted = &s->pass.tension->sorted;
    const uint32_t *order = s->pass.tension->neighbours.order;
    for (int i = begin; i < end; i++) {
        sorted->vx[i] = p->vx[order[i]];
        sorted->vy[i] = p->vy[order[i]];
    }
    s->kernels->kick(&s->pass, begin, end);
    for (int i = begin; i < end; i++) {
        p->vx[order[i]] = sorted->vx[i];
        p->vy[order[i]] = sorted->vy[i];
    }
}

static void find_normals(stage *s, pd_world *world, bool kept) {
    tension *t = s->pass.tension;
    int count = world->particles.count;
    if (kept) {
        pd_parallel_for(world->pool, count, PD_LIST_GRAIN, s->kernels->normals, &s->pass);
        return;
    }
    t->kept.count = 0;
    if (pd_lists_make(&t->lists, count, world->pool, s->kernels->find_normals, &s->pass))
        pd_kept_record(&t->kept, &t->sorted, s->pass.radius, world->neighbours.sorts);
}

void tension_apply(tension *t, pd_world *world, const tension_force *force) {
    const pd_particles *p = &world->particles;
    float h = force->radius, slope = 24 / (PI * h * h * force->rest_density);
    if (!(force->gamma > 0) || !t->wanted) return;
    stage s = {.pass = {.tension = t,
                        .radius = h,
                        .inverse_radius = 1 / h,
                        .normal_factor = slope,
                        .force_factor = ENERGY * force->gamma / h * slope / h * force->dt,
                        .fastest = force->fastest},
               .kernels = PD_SIMD_PICK(tension_kernels),
               .particles = p,
               .world_order = world->neighbours.order};
    for (int m = 0; m < world->scene.material_count; m++) s.inverse_mass[m] = 1 / world->scene.materials[m].mass;
    bool kept = follow(&s, world);
    if (!kept) {
        pd_neighbours_place(&t->neighbours, p, h, world->pool);
        gather(&s, world);
    }
    pd_walls_rule rule = {.radius = h,
                          .outside = force->outside,
                          .weight = force->wall_density,
                          .ahead = -force->dt,
                          .smooth = true,
                          .x = t->sorted.x,
                          .y = t->sorted.y};
    pd_walls_find(&t->walls, world, &rule);
    pd_parallel_for(world->pool, p->count, PD_MOTION_GRAIN, record_range, &s);
    record_sentinels(t, p->count);
    find_normals(&s, world, kept);
    pd_parallel_for(world->pool, p->count, PD_LIST_GRAIN, kick_range, &s);
}
