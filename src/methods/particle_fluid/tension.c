/* Surface tension: settings, limits, the warning, the copies of the particles, and the forces. */
#include "methods/particle_fluid/particle_fluid.h"

#include "core/array.h"
#include "core/error.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/simd.h"

#include <stdio.h>
#include <string.h>

static const float PI = 3.14159265f;

/* kappa = ENERGY x Gamma / H. The energy of both terms is 2 x 0.21564 kappa H per length of a straight surface. The
 * factor 1.25 is measured: with it drops oscillate with Rayleigh's period within 15 % (test_drops_ring has the
 * numbers). */
static const float ENERGY = 1.25f / (2 * 0.21564f);

#define TENSION_ARRAYS(t, count)                                                                                       \
    PD_ARRAYS(                                                                                                         \
        PD_ARRAY((t)->sorted.x, 0, count), PD_ARRAY((t)->sorted.y, 0, count), PD_ARRAY((t)->sorted.vx, 0, count),      \
        PD_ARRAY((t)->sorted.vy, 0, count), PD_ARRAY((t)->sorted.id, 0, count), PD_ARRAY((t)->record, 0, count),       \
        PD_ARRAY((t)->inverse_mass, 0, count), PD_ARRAY((t)->affinity, 0, count), PD_ARRAY((t)->strength, 0, count))

static pd_result reserve_particles(tension *t, int capacity, pd_error *error) {
    t->kept.count = 0;
    pd_result result = pd_neighbours_reserve(&t->neighbours, capacity, error);
    if (result == PD_OK) result = pd_lists_reserve(&t->lists, capacity, error);
    if (result == PD_OK) result = pd_walls_reserve(&t->walls, capacity, error);
    if (result != PD_OK) return result;
    if (!pd_kept_lists_reserve(&t->kept, capacity) || !pd_arrays_resize(TENSION_ARRAYS(t, capacity + PD_PADDING)))
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the surface tension of %d particles (use fewer)",
                       capacity);
    t->sorted.capacity = capacity;
    return PD_OK;
}

pd_result tension_enable(tension *t, bool enabled, pd_error *error) {
    int capacity = t->capacity;
    if (enabled == t->enabled) return PD_OK;
    if (!enabled) tension_free(t);
    if (enabled && capacity > 0 && reserve_particles(t, capacity, error) != PD_OK) return PD_FAILED;
    t->capacity = capacity;
    t->enabled = enabled;
    return PD_OK;
}

pd_result tension_resize(tension *t, int capacity, pd_error *error) {
    pd_result result = t->enabled ? reserve_particles(t, capacity, error) : PD_OK;
    if (result == PD_OK) t->capacity = capacity;
    return result;
}

void tension_free(tension *t) {
    pd_lists_free(&t->lists);
    pd_walls_free(&t->walls);
    pd_neighbours_free(&t->neighbours);
    pd_kept_lists_free(&t->kept);
    pd_arrays_free(TENSION_ARRAYS(t, 0));
    *t = (tension){0};
}

void tension_set(tension_rule *rule, const pd_world *world, int material, float most, const char *remedy, float angle) {
    const float most_wetting = 2;                    /* beyond this value drops of few particles boil */
    float cosine = pd_sinf((90 - angle) * PI / 180); /* exactly 0 at 90 degrees */
    float gamma = fminf(world->property[material][PD_TENSION], rule->own + most);
    float left = fmaxf(gamma - rule->own, 0);
    rule->gamma[material] = gamma;
    rule->remedy[material] = remedy;
    rule->wetting[material] = left > 0 ? fmaxf(fminf(cosine * gamma / left, most_wetting), -most_wetting) : 0;
}

/* Rounds to two significant digits, by floor or ceil. */
static double rounded_to_two_digits(double value, double (*round)(double)) {
    if (!(value > 0)) return 0;
    double unit = pd_pow(10, floor(pd_log10(value)) - 1);
    return round(value / unit) * unit;
}

/* Writes a warning if a surface tension is above what the method carries, or below the method's own. Of several
 * materials the one with the least limit is named. The advised number is rounded to two digits, on the side that
 * works. */
static bool warning(const pd_world *world, char *text, size_t size) {
    tension_rule rule = particle_tension_of(world);
    float greatest = particle_greatest(world, PD_TENSION);
    int least = -1;
    for (int m = 0; m < world->scene.material_count; m++) {
        if (!(world->property[m][PD_TENSION] > rule.gamma[m])) continue;
        if (least < 0 || rule.gamma[m] < rule.gamma[least]) least = m;
    }
    if (least >= 0) {
        snprintf(
            text, size,
            "a surface tension of %.3g m^3/s^2 exceeds the pressure between the particles: only %.2g acts (use at most "
            "this value, or %s)",
            (double)world->property[least][PD_TENSION], rounded_to_two_digits((double)rule.gamma[least], floor),
            rule.remedy[least]);
        return true;
    }
    if (!(greatest > 0) || greatest > rule.own) return false;
    snprintf(text, size,
             "a surface tension of %.3g m^3/s^2 has no effect: the method itself has %.2g at this particle size (raise "
             "the surface tension, or use more particles)",
             (double)greatest, rounded_to_two_digits((double)rule.own, ceil));
    return true;
}

/* Longest stable substep, in units of sqrt(H^3 m / Gamma). Measured in position based fluids with 1,500 particles and
 * the greatest tension: a drop that starts with the axes 2 : 1 moves after 5 s with 0.07 m/s at 0.05, and with 0.35 m/s
 * at 0.065. SPH and double density relaxation are calm even at 0.25, because their other limits are shorter. */
static const float SUBSTEP = 0.05f;

static float longest_substep(const pd_world *world, float greatest) {
    tension_rule rule = particle_tension_of(world);
    float most = 0;
    (void)greatest;
    for (int m = 0; m < world->scene.material_count; m++)
        most = fmaxf(most, (rule.gamma[m] - rule.own) / world->scene.materials[m].mass);
    return most > 0 ? SUBSTEP * sqrtf(rule.radius * rule.radius * rule.radius / most) : INFINITY;
}

typedef struct stage {
    tension_pass pass;
    const tension_rule *rule;
    const pd_impulses *impulses;
    int grain;       /* particles in a chunk of the loop that adds impulses of walls */
    float wall_kick; /* dt kappa / H, m/s */
    const tension_kernels *kernels;
    const pd_particles *particles; /* particles of the world */
    const uint32_t *world_order;   /* neighbours.order of the world: index before its last sort */
    float inverse_mass[PD_MAX_MATERIALS];
    float root[PD_MAX_MATERIALS]; /* sqrt(Gamma), m^1.5/s */
    float left[PD_MAX_MATERIALS]; /* Gamma without the method's own, m^3/s^2 */
    float strength[PD_MAX_MATERIALS];
} stage;

static void invert_range(void *context, int begin, int end) {
    const stage *s = context;
    uint32_t *index = s->pass.tension->neighbours.key;
    for (int i = begin; i < end; i++) index[s->world_order[i]] = (uint32_t)i;
}

static void reorder_range(void *context, int begin, int end) {
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

static void gather_copies(stage *s, pd_world *world) {
    s->pass.tension->sorted.count = world->particles.count;
    pd_parallel_for(world->pool, world->particles.count, PD_MOTION_GRAIN, gather_range, s);
}

/* Updates the copies of the particles. Returns true if the lists of an earlier substep can be used again. This is
 * possible even if the method has sorted the world's particles once since those lists were made. */
static bool update_copies(stage *s, pd_world *world) {
    tension *t = s->pass.tension;
    uint64_t sorts = world->neighbours.sorts - t->kept.sorts;
    bool same = world->substeps_done > 0 && t->kept.count == world->particles.count && t->kept.h == s->pass.radius;
    if (!same || sorts > 1) return false;
    if (sorts == 1) {
        pd_parallel_for(world->pool, t->kept.count, PD_MOTION_GRAIN, invert_range, s);
        pd_parallel_for(world->pool, t->kept.count, PD_MOTION_GRAIN, reorder_range, s);
        t->kept.sorts++;
    }
    gather_copies(s, world);
    return pd_kept_lists_all_particles_near(&t->kept, &t->sorted, world->pool);
}

static void record_range(void *context, int begin, int end) {
    const stage *s = context;
    const pd_particles *sorted = &s->pass.tension->sorted;
    const uint32_t *order = s->pass.tension->neighbours.order;
    for (int i = begin; i < end; i++) {
        float *record = s->pass.tension->record[i];
        record[0] = sorted->x[i] * s->pass.inverse_radius;
        record[1] = sorted->y[i] * s->pass.inverse_radius;
        int material = s->particles->material[order[i]];
        s->pass.tension->inverse_mass[i] = s->inverse_mass[material];
        s->pass.tension->affinity[i] = 1 + s->rule->wetting[material];
        if (!s->pass.mixed) continue;
        record[2] = s->root[material];
        record[3] = s->left[material];
        s->pass.tension->strength[i] = s->strength[material];
    }
}

static void record_sentinels(tension *t, int count) {
    for (int i = count; i <= pd_lists_sentinel_index(count); i++) {
        memcpy(t->record[i], (tension_record){PD_SENTINEL_POSITION, PD_SENTINEL_POSITION}, sizeof(tension_record));
        t->inverse_mass[i] = 1;
    }
}

/* Applies the forces between particle i and walls: A N times the gradient of W, and A a max(1 - D - H_w, 0) times the
 * gradient of H_w, with the terms of tension.h. The walls get the opposite impulse, several walls in proportion to
 * their slopes. */
static void kick_off_walls(const stage *s, int begin, int i, const pd_wall_weight *w) {
    const tension *t = s->pass.tension;
    float a = t->affinity[i], fluid = s->pass.mixed ? t->strength[i] * (a - 1) : a - 1;
    float nx = t->record[i][4] - fluid * w->hidden.near_slope[0];
    float ny = t->record[i][5] - fluid * w->hidden.near_slope[1];
    float x = -s->wall_kick * a * (w->near_hessian[0] * nx + w->near_hessian[1] * ny);
    float y = -s->wall_kick * a * (w->near_hessian[1] * nx + w->near_hessian[2] * ny);
    float pull = s->wall_kick * a * t->record[i][7];
    x += pull * w->hidden.near_slope[0];
    y += pull * w->hidden.near_slope[1];
    float share[PD_MOST_WALLS], sum = 0;
    for (int k = 0; k < w->walls; k++) sum += share[k] = pd_hypotf(w->near_part[k][0], w->near_part[k][1]);
    if (!(sum > 0) || !isfinite(x) || !isfinite(y)) return;
    t->sorted.vx[i] += x * t->inverse_mass[i];
    t->sorted.vy[i] += y * t->inverse_mass[i];
    float speed = pd_hypotf(t->sorted.vx[i], t->sorted.vy[i]), slow = s->pass.fastest / fmaxf(speed, s->pass.fastest);
    t->sorted.vx[i] *= slow;
    t->sorted.vy[i] *= slow;
    for (int k = 0; k < w->walls; k++)
        pd_impulses_add(s->impulses, begin, s->grain, w->wall[k], -(double)(x * share[k] / sum),
                        -(double)(y * share[k] / sum));
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
    const pd_walls *walls = &s->pass.tension->walls;
    for (int i = begin; i < end; i++)
        if (walls->index[i]) kick_off_walls(s, begin, i, &walls->weight[walls->index[i]]);
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
    if (pd_lists_build(&t->lists, count, world->pool, s->kernels->find_normals, &s->pass))
        pd_kept_lists_record_positions(&t->kept, &t->sorted, s->pass.radius, world->neighbours.sorts);
}

/* Computes the part of each material's tension that this force must produce: Gamma - own. Returns the greatest,
 * m^3/s^2. */
static float find_strengths(stage *s, const pd_world *world) {
    float greatest = 0;
    for (int m = 0; m < world->scene.material_count; m++) {
        s->inverse_mass[m] = 1 / world->scene.materials[m].mass;
        s->root[m] = sqrtf(fmaxf(s->rule->gamma[m], s->rule->own));
        s->left[m] = fmaxf(s->rule->gamma[m] - s->rule->own, 0);
        greatest = fmaxf(greatest, s->left[m]);
    }
    for (int m = 0; m < world->scene.material_count && greatest > 0; m++) {
        s->strength[m] = s->left[m] / greatest;
        if (s->strength[m] != 1) s->pass.mixed = true;
    }
    return greatest;
}

void tension_apply(tension *t, pd_world *world, const tension_rule *rule, float dt, float fastest) {
    const pd_particles *p = &world->particles;
    float h = rule->radius, slope = 24 / (PI * h * h * rule->rest_density);
    stage s = {.rule = rule,
               .impulses = pd_boundary_impulses(world->boundary),
               .grain = pd_impulse_chunk_size(p->count),
               .kernels = PD_SIMD_PICK(tension_kernels),
               .particles = p,
               .world_order = world->neighbours.order};
    float gamma = find_strengths(&s, world);
    if (!(gamma > 0) || !t->enabled) return;
    s.pass = (tension_pass){.tension = t,
                            .radius = h,
                            .inverse_radius = 1 / h,
                            .normal_factor = slope,
                            .density_factor = slope / 6,
                            .force_factor = ENERGY * gamma / h * slope / h * dt,
                            .fastest = fastest,
                            .mixed = s.pass.mixed};
    s.wall_kick = ENERGY * gamma / h / h * dt;
    bool kept = update_copies(&s, world);
    if (!kept) {
        pd_neighbours_compute_order(&t->neighbours, p, h, world->pool);
        gather_copies(&s, world);
    }
    pd_walls_rule walls = {.radius = h,
                           .outside = rule->outside,
                           .weight = rule->wall_density,
                           .ahead = -dt,
                           .smooth = true,
                           .bent = true,
                           .x = t->sorted.x,
                           .y = t->sorted.y};
    pd_walls_compute_weights(&t->walls, world, &walls);
    pd_parallel_for(world->pool, p->count, PD_MOTION_GRAIN, record_range, &s);
    record_sentinels(t, p->count);
    find_normals(&s, world, kept);
    pd_parallel_for(world->pool, p->count, s.grain, kick_range, &s);
}

static void apply(particle_step *step) {
    tension_rule rule = particle_tension_of(step->motion.world);
    tension_apply(&step->fluid->tension, step->motion.world, &rule, step->motion.dt, step->motion.fastest);
}

static pd_result adapt(particle_fluid *fluid, const pd_world *world, pd_error *error) {
    return tension_enable(&fluid->tension, particle_greatest(world, PD_TENSION) > 0, error);
}

static pd_result resize(particle_fluid *fluid, int capacity, pd_error *error) {
    return tension_resize(&fluid->tension, capacity, error);
}

static void destroy(particle_fluid *fluid) { tension_free(&fluid->tension); }

extern const particle_force force_of_tension;
const particle_force force_of_tension = {
    .stage = "tension",
    .property = PD_TENSION,
    .step = apply,
    .longest = longest_substep,
    .warning = warning,
    .adapt = adapt,
    .resize = resize,
    .destroy = destroy,
};
