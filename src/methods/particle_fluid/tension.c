/* Surface tension: parameters by material, limits of the substep, the warning about tension above its limit, copies of
 * the particles in the order of the cell sort, and the forces. */
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
 * factor 1.4 is measured: with it drops of 300, 1,500 and 6,000 particles oscillate with Rayleigh's period within 12 %
 * in all three methods (test_drops_ring checks this). */
static const float ENERGY = 1.4f / (2 * 0.21564f);

#define TENSION_ARRAYS(t, count)                                                                                       \
    PD_ARRAYS(                                                                                                         \
        PD_ARRAY((t)->sorted.x, 0, count), PD_ARRAY((t)->sorted.y, 0, count), PD_ARRAY((t)->sorted.vx, 0, count),      \
        PD_ARRAY((t)->sorted.vy, 0, count), PD_ARRAY((t)->sorted.id, 0, count), PD_ARRAY((t)->record, 0, count),       \
        PD_ARRAY((t)->inverse_mass, 0, count), PD_ARRAY((t)->affinity, 0, count), PD_ARRAY((t)->strength, 0, count))

static pd_result reserve_tension_arrays(tension *tension, int capacity, pd_error *error) {
    tension->kept.count = 0;
    pd_result result = pd_neighbours_reserve(&tension->neighbours, capacity, error);
    if (result == PD_OK) result = pd_lists_reserve(&tension->lists, capacity, error);
    if (result == PD_OK) result = pd_walls_reserve(&tension->walls, capacity, error);
    if (result != PD_OK) return result;
    if (!pd_list_validity_reserve(&tension->kept, capacity) ||
        !pd_arrays_resize(TENSION_ARRAYS(tension, capacity + PD_PADDING)))
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the surface tension of %d particles (use fewer)",
                       capacity);
    tension->sorted.capacity = capacity;
    return PD_OK;
}

pd_result pd_tension_enable(tension *tension, bool enabled, pd_error *error) {
    int capacity = tension->capacity;
    if (enabled == tension->enabled) return PD_OK;
    if (!enabled) pd_tension_free(tension);
    if (enabled && capacity > 0 && reserve_tension_arrays(tension, capacity, error) != PD_OK) return PD_FAILED;
    tension->capacity = capacity;
    tension->enabled = enabled;
    return PD_OK;
}

pd_result pd_tension_resize(tension *tension, int capacity, pd_error *error) {
    pd_result result = tension->enabled ? reserve_tension_arrays(tension, capacity, error) : PD_OK;
    if (result == PD_OK) tension->capacity = capacity;
    return result;
}

void pd_tension_free(tension *t) {
    pd_lists_free(&t->lists);
    pd_walls_free(&t->walls);
    pd_neighbours_free(&t->neighbours);
    pd_list_validity_free(&t->kept);
    pd_arrays_free(TENSION_ARRAYS(t, 0));
    *t = (tension){0};
}

void pd_tension_set_material(tension_rule *rule, const pd_world *world, int material, float most_tension,
                             const char *remedy, float contact_angle) {
    const float most_wetting = 2;                            /* with more, drops of few particles do not come to rest */
    float cosine = pd_sinf((90 - contact_angle) * PI / 180); /* exactly 0 at 90 degrees */
    float gamma = fminf(world->property[material][PD_TENSION], rule->own_gamma + most_tension);
    float added_gamma = fmaxf(gamma - rule->own_gamma, 0);
    rule->gamma[material] = gamma;
    rule->remedy[material] = remedy;
    rule->wetting[material] =
        added_gamma > 0 ? fmaxf(fminf(cosine * gamma / added_gamma, most_wetting), -most_wetting) : 0;
}

/* Rounds to two significant digits. round: floor or ceil. */
static double round_to_two_digits(double value, double (*round)(double)) {
    if (!(value > 0)) return 0;
    double unit = pd_pow(10, floor(pd_log10(value)) - 1);
    return round(value / unit) * unit;
}

/* Writes a warning if a surface tension exceeds its limit, or if no material's tension exceeds the one that the method
 * itself produces. If several materials exceed their limits, the warning names the one with the least limit. The limit
 * is rounded down, the other value up, so that the advice works. */
static bool write_tension_warning(const pd_world *world, char *text, size_t size) {
    tension_rule rule = pd_particle_compute_tension_rule(world);
    float greatest = pd_particle_find_greatest_property_value(world, PD_TENSION);
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
            (double)world->property[least][PD_TENSION], round_to_two_digits((double)rule.gamma[least], floor),
            rule.remedy[least]);
        return true;
    }
    if (!(greatest > 0) || greatest > rule.own_gamma) return false;
    snprintf(text, size,
             "a surface tension of %.3g m^3/s^2 has no effect: the method itself has %.2g at this particle size (raise "
             "the surface tension, or use more particles)",
             (double)greatest, round_to_two_digits((double)rule.own_gamma, ceil));
    return true;
}

/* Longest stable substep, in units of sqrt(H^3 m / Gamma). Measured in position based fluids with 1,500 particles and
 * the greatest tension. A drop that starts as an ellipse with the axes 2 : 1 has after 5 s a speed of 0.07 m/s with
 * 0.05, and of 0.35 m/s with 0.065. In SPH and double density relaxation other limits are shorter. */
static const float SUBSTEP = 0.05f;

static float compute_longest_tension_substep(const pd_world *world, float greatest_tension) {
    tension_rule rule = pd_particle_compute_tension_rule(world);
    float most = 0;
    (void)greatest_tension;
    for (int m = 0; m < world->scene.material_count; m++)
        most = fmaxf(most, (rule.gamma[m] - rule.own_gamma) / world->scene.materials[m].mass);
    return most > 0 ? SUBSTEP * sqrtf(rule.radius * rule.radius * rule.radius / most) : INFINITY;
}

typedef struct stage {
    tension_pass pass;
    const tension_rule *rule;
    const pd_impulses *impulses;
    int grain;         /* particles in a chunk of the loop that adds to the walls' impulses */
    float wall_factor; /* dt kappa / H, m/s */
    const pd_tension_kernels *kernels;
    const pd_particles *particles; /* the world's particles */
    const uint32_t *world_order;   /* by particle of the world: its index before the world's last sort */
    /* Values by material. */
    float inverse_mass[PD_MAX_MATERIALS]; /* 1/(mass of a particle) */
    float root_gamma[PD_MAX_MATERIALS];   /* sqrt(Gamma), m^1.5/s */
    float added_gamma[PD_MAX_MATERIALS];  /* Gamma without the part that the method itself produces, m^3/s^2 */
    float strength[PD_MAX_MATERIALS];     /* kappa in units of the greatest kappa */
} stage;

static void invert_world_order_in_range(void *context, int begin, int end) {
    const stage *stage = context;
    uint32_t *index = stage->pass.tension->neighbours.key;
    for (int i = begin; i < end; i++) index[stage->world_order[i]] = (uint32_t)i;
}

static void update_copy_order_in_range(void *context, int begin, int end) {
    const stage *stage = context;
    const uint32_t *index = stage->pass.tension->neighbours.key;
    uint32_t *order = stage->pass.tension->neighbours.order;
    for (int i = begin; i < end; i++) order[i] = index[order[i]];
}

static void copy_particles_in_range(void *context, int begin, int end) {
    const stage *stage = context;
    const pd_particles *p = stage->particles, *sorted = &stage->pass.tension->sorted;
    const uint32_t *order = stage->pass.tension->neighbours.order;
    for (int i = begin; i < end; i++) {
        sorted->x[i] = p->x[order[i]];
        sorted->y[i] = p->y[order[i]];
        sorted->id[i] = p->id[order[i]];
    }
}

static void copy_particles(stage *stage, pd_world *world) {
    stage->pass.tension->sorted.count = world->particles.count;
    pd_parallel_for(world->pool, world->particles.count, PD_MOTION_GRAIN, copy_particles_in_range, stage);
}

/* Updates the copies of the particles in their order of an earlier substep. Returns true if the lists of that substep
 * can be used again. This is possible even if the world's particles were sorted once since then. */
static bool try_update_copies(stage *stage, pd_world *world) {
    tension *tension = stage->pass.tension;
    uint64_t sorts = world->neighbours.sorts - tension->kept.sorts;
    bool same = world->substeps_done > 0 && tension->kept.count == world->particles.count &&
                tension->kept.h == stage->pass.radius;
    if (!same || sorts > 1) return false;
    if (sorts == 1) {
        pd_parallel_for(world->pool, tension->kept.count, PD_MOTION_GRAIN, invert_world_order_in_range, stage);
        pd_parallel_for(world->pool, tension->kept.count, PD_MOTION_GRAIN, update_copy_order_in_range, stage);
        tension->kept.sorts++;
    }
    copy_particles(stage, world);
    return pd_list_validity_are_all_particles_near(&tension->kept, &tension->sorted, world->pool);
}

static void write_records_in_range(void *context, int begin, int end) {
    const stage *stage = context;
    const pd_particles *sorted = &stage->pass.tension->sorted;
    const uint32_t *order = stage->pass.tension->neighbours.order;
    for (int i = begin; i < end; i++) {
        float *record = stage->pass.tension->record[i];
        record[0] = sorted->x[i] * stage->pass.inverse_radius;
        record[1] = sorted->y[i] * stage->pass.inverse_radius;
        int material = stage->particles->material[order[i]];
        stage->pass.tension->inverse_mass[i] = stage->inverse_mass[material];
        stage->pass.tension->affinity[i] = 1 + stage->rule->wetting[material];
        if (!stage->pass.gammas_differ) continue;
        record[2] = stage->root_gamma[material];
        record[3] = stage->added_gamma[material];
        stage->pass.tension->strength[i] = stage->strength[material];
    }
}

/* Applies the forces between particle i and walls: A N times the gradient of W, and A a max(1 - D - H_w, 0) times the
 * gradient of H_w, with the symbols of tension.h. The walls get the opposite impulse; several walls share it in
 * proportion to their slopes. */
static void apply_wall_tension_forces(const stage *stage, int chunk_begin, int i, const pd_wall_weight *weight) {
    const tension *tension = stage->pass.tension;
    float a = tension->affinity[i], fluid = stage->pass.gammas_differ ? tension->strength[i] * (a - 1) : a - 1;
    float nx = tension->record[i][4] - fluid * weight->hidden.near_slope[0];
    float ny = tension->record[i][5] - fluid * weight->hidden.near_slope[1];
    float x = -stage->wall_factor * a * (weight->near_hessian[0] * nx + weight->near_hessian[1] * ny);
    float y = -stage->wall_factor * a * (weight->near_hessian[1] * nx + weight->near_hessian[2] * ny);
    float pull = stage->wall_factor * a * tension->record[i][7];
    x += pull * weight->hidden.near_slope[0];
    y += pull * weight->hidden.near_slope[1];
    float share[PD_MOST_WALLS], sum = 0;
    for (int k = 0; k < weight->walls; k++)
        sum += share[k] = pd_hypotf(weight->near_slope_of_wall[k][0], weight->near_slope_of_wall[k][1]);
    if (!(sum > 0) || !isfinite(x) || !isfinite(y)) return;
    tension->sorted.vx[i] += x * tension->inverse_mass[i];
    tension->sorted.vy[i] += y * tension->inverse_mass[i];
    float speed = pd_hypotf(tension->sorted.vx[i], tension->sorted.vy[i]),
          slow = stage->pass.speed_limit / fmaxf(speed, stage->pass.speed_limit);
    tension->sorted.vx[i] *= slow;
    tension->sorted.vy[i] *= slow;
    for (int k = 0; k < weight->walls; k++)
        pd_impulses_add(stage->impulses, chunk_begin, stage->grain, weight->wall[k], -(double)(x * share[k] / sum),
                        -(double)(y * share[k] / sum), (pd_vec2){tension->sorted.x[i], tension->sorted.y[i]});
}

static void apply_tension_in_range(void *context, int begin, int end) {
    stage *stage = context;
    const pd_particles *p = stage->particles, *sorted = &stage->pass.tension->sorted;
    const uint32_t *order = stage->pass.tension->neighbours.order;
    for (int i = begin; i < end; i++) {
        sorted->vx[i] = p->vx[order[i]];
        sorted->vy[i] = p->vy[order[i]];
    }
    stage->kernels->apply_tension_forces(&stage->pass, begin, end);
    const pd_walls *walls = &stage->pass.tension->walls;
    for (int i = begin; i < end; i++)
        if (walls->index[i]) apply_wall_tension_forces(stage, begin, i, &walls->weight[walls->index[i]]);
    for (int i = begin; i < end; i++) {
        p->vx[order[i]] = sorted->vx[i];
        p->vy[order[i]] = sorted->vy[i];
    }
}

static void compute_all_normals(stage *stage, pd_world *world, bool reuse_lists) {
    tension *tension = stage->pass.tension;
    int count = world->particles.count;
    if (reuse_lists) {
        pd_parallel_for(world->pool, count, PD_LIST_GRAIN, stage->kernels->compute_normals, &stage->pass);
        return;
    }
    tension->kept.count = 0;
    if (pd_lists_build(&tension->lists, count, world->pool, stage->kernels->find_lists_and_compute_normals,
                       &stage->pass))
        pd_list_validity_record_positions(&tension->kept, &tension->sorted, stage->pass.radius,
                                          world->neighbours.sorts);
}

/* Computes for each material the tension that this force must add to the method's own, Gamma - own_gamma. Returns the
 * greatest of these, m^3/s^2. */
static float compute_strengths(stage *stage, const pd_world *world) {
    float greatest = 0;
    for (int m = 0; m < world->scene.material_count; m++) {
        stage->inverse_mass[m] = 1 / world->scene.materials[m].mass;
        stage->root_gamma[m] = sqrtf(fmaxf(stage->rule->gamma[m], stage->rule->own_gamma));
        stage->added_gamma[m] = fmaxf(stage->rule->gamma[m] - stage->rule->own_gamma, 0);
        greatest = fmaxf(greatest, stage->added_gamma[m]);
    }
    for (int m = 0; m < world->scene.material_count && greatest > 0; m++) {
        stage->strength[m] = stage->added_gamma[m] / greatest;
        if (stage->strength[m] != 1) stage->pass.gammas_differ = true;
    }
    return greatest;
}

void pd_tension_apply(tension *tension, pd_world *world, const tension_rule *rule, float dt, float speed_limit) {
    const pd_particles *p = &world->particles;
    float h = rule->radius, slope = 24 / (PI * h * h * rule->rest_density);
    stage s = {.rule = rule,
               .impulses = pd_boundary_impulses(world->boundary),
               .grain = pd_impulse_chunk_size(p->count),
               .kernels = PD_SIMD_PICK(pd_tension_kernels),
               .particles = p,
               .world_order = world->neighbours.order};
    float gamma = compute_strengths(&s, world);
    if (!(gamma > 0) || !tension->enabled) return;
    s.pass = (tension_pass){.tension = tension,
                            .radius = h,
                            .inverse_radius = 1 / h,
                            .normal_factor = slope,
                            .density_factor = slope / 6,
                            .force_factor = ENERGY * gamma / h * slope / h * dt,
                            .speed_limit = speed_limit,
                            .gammas_differ = s.pass.gammas_differ};
    s.wall_factor = ENERGY * gamma / h / h * dt;
    bool kept = try_update_copies(&s, world);
    if (!kept) {
        pd_neighbours_compute_order(&tension->neighbours, p, h, world->pool);
        copy_particles(&s, world);
    }
    pd_walls_rule walls = {.radius = h,
                           .outside = rule->outside,
                           .body_outside = rule->outside,
                           .weight = rule->wall_density,
                           .ahead = -dt,
                           .smooth_near_kernel = true,
                           .needs_near_hessian = true,
                           .x = tension->sorted.x,
                           .y = tension->sorted.y};
    pd_walls_compute_weights(&tension->walls, world, &walls);
    pd_parallel_for(world->pool, p->count, PD_MOTION_GRAIN, write_records_in_range, &s);
    for (int i = p->count; i <= pd_lists_sentinel_index(p->count); i++) {
        memcpy(tension->record[i], (tension_record){PD_SENTINEL_POSITION, PD_SENTINEL_POSITION},
               sizeof(tension_record));
        tension->inverse_mass[i] = 1;
    }
    compute_all_normals(&s, world, kept);
    pd_parallel_for(world->pool, p->count, s.grain, apply_tension_in_range, &s);
}

static void apply_tension(particle_step *step) {
    tension_rule rule = pd_particle_compute_tension_rule(step->motion.world);
    pd_tension_apply(&step->fluid->tension, step->motion.world, &rule, step->motion.dt, step->motion.speed_limit);
}

static pd_result adapt_tension(particle_fluid *fluid, const pd_world *world, pd_error *error) {
    return pd_tension_enable(&fluid->tension, pd_particle_find_greatest_property_value(world, PD_TENSION) > 0, error);
}

static pd_result resize_tension(particle_fluid *fluid, int capacity, pd_error *error) {
    return pd_tension_resize(&fluid->tension, capacity, error);
}

static void destroy_tension(particle_fluid *fluid) { pd_tension_free(&fluid->tension); }

extern const particle_force pd_force_of_tension;
const particle_force pd_force_of_tension = {
    .stage = "tension",
    .property = PD_TENSION,
    .step = apply_tension,
    .longest = compute_longest_tension_substep,
    .warning = write_tension_warning,
    .adapt = adapt_tension,
    .resize = resize_tension,
    .destroy = destroy_tension,
};
