/* Inner loops of position based fluids, compiled once for each SIMD level (core/simd.h). All levels give the same bits.
 *
 * Each lane of a vector is a particle of a group (sim/particles/lists.h), and each row of the group's list has one
 * neighbour of each particle. Both particles of a pair compute the same displacement x mass from the same numbers, with
 * opposite signs, so momentum is conserved. A particle is in its own list: at distance 0 it contributes to the density
 * but not to displacements. */
#include "methods/pbf/pbf.h"

#include "sim/particles/lists_wide.h"
#include "sim/particles/ramp.h"
#include "sim/walls/walls_wide.h"

#include <math.h>

/* Limit of the displacement of a pair, in units of h. */
static const float FARTHEST = 0.25f;

/* Densities between which the attraction by walls rises from 0 to its full value, in units of the density of a single
 * particle. Two particles 1.4 spacings apart have 1.1, and fall from corners (test_dry_particles_and_drops_fall). With 1.55 and
 * 1.85 they fall too, but a jet in a narrow full lane throws particles out at four times its speed. */
static const float ALONE = 1.2f, WITHIN_FLUID = 1.5f;

static void find_lists(void *context, int begin, int end) {
    const pbf_pass *pass = context;
    pd_list_builder finder;
    pd_list_builder_begin_chunk(&finder, &pass->state->fluid.lists, pass->neighbours, pass->particles, pass->h, begin);
    for (int i = begin; i < end; i += PD_LANES) pd_list_builder_build_list(&finder, i);
}

/* Returns max(1, inverse_mass / PBF_LIGHT). The relaxation is multiplied by this factor, and the artificial pressure
 * divided. Without this softening a pool of particles of 0.1 kg flies apart. */
PD_INLINE pd_floatw compute_softening_of_light_particles(pd_floatw inverse_mass) {
    return pd_max(pd_mul(inverse_mass, pd_set(1 / PBF_LIGHT)), pd_set(1));
}

/* Returns the kernel W6 without its factor: (1 - r^2)^3. */
PD_INLINE pd_floatw compute_poly6(const pd_pair *pair) {
    pd_floatw t = pd_max(pd_sub(pd_set(1), pair->r2), pd_set(0));
    return pd_mul(t, pd_mul(t, t));
}

/* Return the spiky kernel without its factor, (1 - r)^3, and its derivative without factor and sign, (1 - r)^2. */
PD_INLINE pd_floatw compute_spiky(const pd_pair *pair) { return pd_mul(pair->q, pd_mul(pair->q, pair->q)); }
PD_INLINE pd_floatw compute_spiky_slope(const pd_pair *pair) { return pd_mul(pair->q, pair->q); }

/* Returns the sum of max(0, value) over the lanes with a particle. */
PD_INLINE double sum_positive_lanes(const pd_list *list, pd_floatw value) {
    return (double)pd_sum(pd_zero_unset_lanes(list->live, pd_max(value, pd_set(0))));
}

/* Returns density / rest density of the particles of a group during the rest-density ramp, which gives each particle
 * its own rest density. ratio: density / parameter `rest_density`. */
static pd_floatw compute_ramped_ratio(const pbf_pass *pass, int i, int end, pd_floatw ratio) {
    float lanes[PD_LANES];
    pd_store_all(lanes, ratio);
    for (int k = 0; k < PD_LANES && i + k < end; k++)
        lanes[k] /= pd_density_ramp_factor(pass->motion->world, i + k, lanes[k]);
    return pd_load_all(lanes);
}

/* Clamps the constraint of particles of unyielding materials to at least 0, so that it does not attract. Attraction
 * would absorb the energy of their springs. Measured: rubber that falls by 0.55 m bounces by 0.04 m with attraction,
 * and by 0.21 m without. Other elastic materials need the attraction: their threads would crumble without it. */
static pd_floatw remove_attraction_of_unyielding(const pbf_pass *pass, int i, int end, pd_floatw constraint) {
    float lanes[PD_LANES];
    pd_store_all(lanes, constraint);
    for (int k = 0; k < PD_LANES && i + k < end; k++)
        if (lanes[k] < 0 && pass->unyielding[pass->particles->material[i + k]]) lanes[k] = 0;
    return pd_load_all(lanes);
}

/* Effect of walls on a group. gain, far_gain: near_gain and far_gain of pd_wall_weight. ratio: density / rest density,
 * multiplied by gain. */
typedef struct near_walls {
    pd_floatw gain, far_gain, ratio;
} near_walls;

/* Sets *walls_effect. Completes the gradient of the constraint (slope_x, slope_y) by walls, and multiplies the sum of
 * the neighbours' squared gradients by gain^2. factor: factor of the gradient kernel. */
static void add_walls_to_gradient(const pbf_pass *pass, int i, near_walls *walls_effect, pd_floatw factor,
                                  pd_floatw *slope_x, pd_floatw *slope_y, pd_floatw *squares) {
    const pd_walls *walls = &pass->state->fluid.walls;
    float x[PD_LANES], y[PD_LANES];
    pd_walls_load_gains(walls, i, &walls_effect->far_gain, &walls_effect->gain);
    walls_effect->ratio = pd_mul(walls_effect->ratio, walls_effect->gain);
    for (int k = 0; k < PD_LANES; k++) {
        const pd_wall_weight *weight = &walls->weight[walls->index[i + k]];
        x[k] = weight->hidden.near_slope[0];
        y[k] = weight->hidden.near_slope[1];
    }
    pd_floatw part = pd_div(walls_effect->ratio, factor);
    *slope_x = pd_mul(walls_effect->gain, pd_add(*slope_x, pd_mul(part, pd_load_all(x))));
    *slope_y = pd_mul(walls_effect->gain, pd_add(*slope_y, pd_mul(part, pd_load_all(y))));
    *squares = pd_mul(*squares, pd_mul(walls_effect->gain, walls_effect->gain));
}

/* Sets the near_push of a group's wall weights: displacements by walls of at most FARTHEST. Walls attract only particles
 * within fluid, so that single particles and loose pairs fall from corners and ceilings. In scenes with bodies two walls repel
 * only particles within fluid, so that single particles under a heavy body do not carry it. lambda: multiplied by gain. density:
 * sum of the kernel over the particle itself, 1, and its neighbours. */
static void set_wall_displacements(const pbf_pass *pass, int i, const near_walls *walls_effect, pd_floatw lambda,
                                   pd_floatw inverse_mass, pd_floatw density) {
    const pd_walls *walls = &pass->state->fluid.walls;
    float push[PD_LANES], in_fluid[PD_LANES];
    pd_floatw within = pd_mul(pd_sub(density, pd_set(ALONE)), pd_set(1 / (WITHIN_FLUID - ALONE)));
    within = pd_min(pd_max(within, pd_set(0)), pd_set(1));
    pd_store_all(in_fluid, within);
    lambda = pd_min(lambda, pd_mul(lambda, within));
    pd_store_all(push, pd_mul(pd_mul(lambda, inverse_mass), pd_mul(walls_effect->ratio, pd_set(pass->h))));
    for (int k = 0; k < PD_LANES; k++) {
        pd_wall_weight *weight = &walls->weight[walls->index[i + k]];
        if (weight->walls == 0) continue;
        if (pass->has_bodies && weight->walls > 1) push[k] *= in_fluid[k];
        float *slope = weight->hidden.near_slope;
        float length = fabsf(push[k]) * sqrtf(slope[0] * slope[0] + slope[1] * slope[1]);
        weight->near_push = length > FARTHEST * pass->h ? push[k] * (FARTHEST * pass->h / length) : push[k];
        pd_particle_limit_attraction(pass->motion->world, pass->particles->material[i + k], weight, &weight->near_push,
                                     slope, weight->near_slope_of_wall, 0, 1);
    }
}

PD_INLINE double compute_lambda_group(const pbf_pass *pass, int i, int end, bool masses_differ, bool uses_poly6) {
    const pd_list list = pd_lists_get_list(&pass->state->fluid.lists, i, end);
    pd_floatw own[4], density = pd_set(0), slope_x = pd_set(0), slope_y = pd_set(0), squares = pd_set(0);
    pd_load4(pass->state->position[i], 4, own);
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[4];
        pd_gather4(pass->state->position, 4, list.offset + (size_t)row * PD_LANES, other);
        pd_pair p = pd_compute_pair(own, other);
        density = pd_add(density, uses_poly6 ? compute_poly6(&p) : compute_spiky(&p));
        pd_floatw slope = pd_mul(compute_spiky_slope(&p), p.inverse_r), x = pd_mul(slope, p.dx),
                  y = pd_mul(slope, p.dy);
        slope_x = pd_add(slope_x, x);
        slope_y = pd_add(slope_y, y);
        pd_floatw square = pd_add(pd_mul(x, x), pd_mul(y, y));
        squares = pd_add(squares, masses_differ ? pd_mul(other[2], square) : square);
    }
    pd_floatw factor = pd_mul(pd_set(pass->gradient_factor), list.weight);
    if (!masses_differ) squares = pd_mul(own[2], squares);
    /* The contribution of the particle itself is 1. It is missing if the list is incomplete. */
    density = pd_max(density, pd_set(1));
    pd_floatw ratio = pd_mul(pd_mul(density, pd_set(pass->density_factor)), list.weight), one = pd_set(1);
    const bool walls = pd_walls_any_near(&pass->state->fluid.walls, i);
    near_walls w = {one, one, ratio};
    if (walls) add_walls_to_gradient(pass, i, &w, factor, &slope_x, &slope_y, &squares);
    ratio = w.ratio;
    pd_floatw slopes = pd_mul(own[2], pd_add(pd_mul(slope_x, slope_x), pd_mul(slope_y, slope_y)));
    slopes = pd_mul(pd_add(slopes, squares), pd_mul(factor, factor));
    pd_floatw c = pd_sub(pass->is_ramped ? compute_ramped_ratio(pass, i, end, ratio) : ratio, one);
    if (!pass->attracts) c = pd_max(c, pd_set(0));
    if (walls) c = pd_walls_weaken_cohesion(&pass->state->fluid.walls, i, c);
    if (pass->unyielding_only_repel) c = remove_attraction_of_unyielding(pass, i, end, c);
    pd_floatw relaxation = pd_mul(pd_set(pass->relaxation), compute_softening_of_light_particles(own[2]));
    pd_floatw lambda = pd_div(pd_sub(pd_set(0), c), pd_add(slopes, relaxation));
    if (walls) {
        lambda = pd_mul(lambda, w.gain);
        set_wall_displacements(pass, i, &w, lambda, own[2], density);
    }
    pd_store4(pass->state->lambda[i], 4, (pd_floatw[4]){own[0], own[1], lambda, own[2]});
    return sum_positive_lanes(&list, pd_sub(ratio, one));
}

static void compute_lambda(void *context, int begin, int end) {
    const pbf_pass *pass = context;
    double excess = 0;
    if (pass->uses_poly6)
        for (int i = begin; i < end; i += PD_LANES) excess += compute_lambda_group(pass, i, end, true, true);
    else if (pass->masses_differ)
        for (int i = begin; i < end; i += PD_LANES) excess += compute_lambda_group(pass, i, end, true, false);
    else
        for (int i = begin; i < end; i += PD_LANES) excess += compute_lambda_group(pass, i, end, false, false);
    pass->state->excess_sum[begin / PD_LIST_GRAIN] = excess;
}

PD_INLINE pd_floatw compute_power(pd_floatw base, int exponent) {
    pd_floatw result = pd_set(1);
    if (exponent == 8) {
        for (int k = 0; k < 3; k++) base = pd_mul(base, base);
        return base;
    }
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = pd_mul(result, base);
        base = pd_mul(base, base);
    }
    return result;
}

/* Compile-time constants of the displacement loop, which is compiled once for each combination in use. */
typedef struct displacement_kind {
    bool has_artificial_pressure; /* whether there is artificial pressure */
    bool is_exponent_8;           /* whether the exponent of the artificial pressure is 8 */
    bool has_light_particles;     /* whether compute_softening_of_light_particles may exceed 1 */
} displacement_kind;

PD_INLINE void compute_displacement_group(const pbf_pass *pass, int i, int end, displacement_kind kind) {
    const pd_list list = pd_lists_get_list(&pass->state->fluid.lists, i, end);
    pd_floatw own[4], move_x = pd_set(0), move_y = pd_set(0);
    pd_load4(pass->state->lambda[i], 4, own);
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[4];
        pd_gather4(pass->state->lambda, 4, list.offset + (size_t)row * PD_LANES, other);
        pd_pair p = pd_compute_pair(own, other);
        pd_floatw slope = pd_mul(compute_spiky_slope(&p), pd_set(pass->gradient_factor)),
                  lambda = pd_add(own[2], other[2]);
        if (kind.has_artificial_pressure) {
            /* t is at least 0.1, because smaller powers of t would be denormal numbers, which are slow. Where r >= 1
             * the slope is 0, so t does not matter. */
            pd_floatw t = pd_max(pd_mul(pd_sub(pd_set(1), p.r2), pd_set(pass->inverse_reach)), pd_set(0.1f));
            pd_floatw nearness = compute_power(pd_mul(t, pd_mul(t, t)), kind.is_exponent_8 ? 8 : pass->exponent);
            pd_floatw strength = pd_set(pass->strength);
            if (kind.has_light_particles)
                strength = pd_div(strength, compute_softening_of_light_particles(pd_max(own[3], other[3])));
            lambda = pd_sub(lambda, pd_mul(nearness, strength));
        }
        pd_floatw d = pd_min(pd_max(pd_mul(lambda, slope), pd_set(-FARTHEST)), pd_set(FARTHEST));
        d = pd_mul(d, p.inverse_r);
        move_x = pd_add(move_x, pd_mul(d, p.dx));
        move_y = pd_add(move_y, pd_mul(d, p.dy));
    }
    pd_floatw scale = pd_mul(pd_mul(pd_set(pass->h), own[3]), list.weight);
    pbf_state *state = pass->state;
    move_x = pd_mul(move_x, scale);
    move_y = pd_mul(move_y, scale);
    if (pd_walls_any_near(&state->fluid.walls, i)) pd_walls_add_displacements(&state->fluid.walls, i, &move_x, &move_y);
    move_x = pd_add(pd_load_all(state->correction_x + i), move_x);
    move_y = pd_add(pd_load_all(state->correction_y + i), move_y);
    pd_floatw x = pd_add(pd_load_all(pass->particles->x + i), move_x);
    pd_floatw y = pd_add(pd_load_all(pass->particles->y + i), move_y);
    pd_store_all(state->correction_x + i, move_x);
    pd_store_all(state->correction_y + i, move_y);
    pd_store_all(state->corrected_x + i, x);
    pd_store_all(state->corrected_y + i, y);
    pd_floatw h = pd_set(pass->inverse_h);
    pd_store4(state->position[i], 4, (pd_floatw[4]){pd_mul(x, h), pd_mul(y, h), own[3], pd_set(0)});
}

static void displace_particles(void *context, int begin, int end) {
    const pbf_pass *pass = context;
    const bool artificial = pass->strength > 0;
    if (artificial && pass->has_light_particles)
        for (int i = begin; i < end; i += PD_LANES)
            compute_displacement_group(pass, i, end, (displacement_kind){true, false, true});
    else if (artificial && pass->exponent == 8)
        for (int i = begin; i < end; i += PD_LANES)
            compute_displacement_group(pass, i, end, (displacement_kind){true, true, false});
    else if (artificial)
        for (int i = begin; i < end; i += PD_LANES)
            compute_displacement_group(pass, i, end, (displacement_kind){true, false, false});
    else
        for (int i = begin; i < end; i += PD_LANES)
            compute_displacement_group(pass, i, end, (displacement_kind){false, false, false});
}

/* Compile-time constants of the smoothing loop, which is compiled once for each combination in use. */
typedef struct smoothing_kind {
    bool viscous;            /* whether there is XSPH viscosity */
    bool masses_differ;      /* whether materials differ in mass */
    bool vortical;           /* whether there is vorticity confinement */
    bool viscosities_differ; /* whether materials differ in viscosity */
} smoothing_kind;

PD_INLINE double smooth_group_velocities(const pbf_pass *pass, int i, int end, smoothing_kind kind) {
    const pd_list list = pd_lists_get_list(&pass->state->fluid.lists, i, end);
    pd_floatw own[4], own_velocity[4], density = pd_set(0), drag_x = pd_set(0), drag_y = pd_set(0), curl = pd_set(0);
    pd_load4(pass->state->position[i], 4, own);
    pd_load4(pass->state->velocity[i], 4, own_velocity);
    pd_floatw twice = pd_add(own[2], own[2]);
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[4], other_velocity[4];
        pd_gather4(pass->state->position, 4, list.offset + (size_t)row * PD_LANES, other);
        pd_pair p = pd_compute_pair(own, other);
        pd_floatw w = compute_poly6(&p);
        density = pd_add(density, pass->uses_poly6 ? w : compute_spiky(&p));
        if (!kind.viscous && !kind.vortical) continue;
        pd_gather4(pass->state->velocity, 4, list.offset + (size_t)row * PD_LANES, other_velocity);
        pd_floatw vx = pd_sub(other_velocity[0], own_velocity[0]), vy = pd_sub(other_velocity[1], own_velocity[1]);
        if (kind.vortical) {
            pd_floatw slope = pd_mul(compute_spiky_slope(&p), p.inverse_r);
            curl = pd_add(curl, pd_mul(slope, pd_sub(pd_mul(vy, p.dx), pd_mul(vx, p.dy))));
        }
        /* 2 mj/(mi + mj): fraction of the velocity exchanged by XSPH that particle i gets */
        if (kind.masses_differ) w = pd_mul(w, pd_div(twice, pd_add(own[2], other[2])));
        if (kind.viscosities_differ) w = pd_mul(w, other_velocity[2]);
        drag_x = pd_add(drag_x, pd_mul(w, vx));
        drag_y = pd_add(drag_y, pd_mul(w, vy));
    }
    pd_floatw n = pd_mul(pd_mul(pd_max(density, pd_set(1)), pd_set(pass->density_factor)), list.weight);
    if (pd_walls_any_near(&pass->state->fluid.walls, i)) {
        pd_floatw far_gain, gain;
        pd_walls_load_gains(&pass->state->fluid.walls, i, &far_gain, &gain);
        n = pd_mul(n, gain);
    }
    pd_store(list.live, pass->particles->density + i, pd_mul(n, pd_set(pass->rest_density)));
    if (kind.viscous) {
        pd_floatw part = pd_set(pass->xsph * pass->smoothing_factor);
        if (kind.viscosities_differ) part = pd_mul(own_velocity[2], pd_set(pass->smoothing_factor));
        pd_store(list.live, pass->particles->vx + i, pd_add(own_velocity[0], pd_mul(drag_x, part)));
        pd_store(list.live, pass->particles->vy + i, pd_add(own_velocity[1], pd_mul(drag_y, part)));
    }
    if (kind.vortical) {
        curl = pd_mul(pd_mul(curl, pd_set(pass->gradient_factor * pass->inverse_h)), list.weight);
        pd_store4(pass->state->lambda[i], 4, (pd_floatw[4]){own[0], own[1], curl, own[2]});
    }
    return sum_positive_lanes(&list, pd_sub(n, pd_set(1)));
}

static void smooth_velocities(void *context, int begin, int end) {
    const pbf_pass *pass = context;
    double excess = 0;
    bool viscous = pass->xsph > 0, vortical = pass->vorticity > 0;
    if (vortical || pass->viscosities_differ)
        for (int i = begin; i < end; i += PD_LANES)
            excess += smooth_group_velocities(
                pass, i, end, (smoothing_kind){true, pass->masses_differ, vortical, pass->viscosities_differ});
    else if (viscous && pass->masses_differ)
        for (int i = begin; i < end; i += PD_LANES)
            excess += smooth_group_velocities(pass, i, end, (smoothing_kind){true, true, false, false});
    else if (viscous)
        for (int i = begin; i < end; i += PD_LANES)
            excess += smooth_group_velocities(pass, i, end, (smoothing_kind){true, false, false, false});
    else
        for (int i = begin; i < end; i += PD_LANES)
            excess += smooth_group_velocities(pass, i, end, (smoothing_kind){false, false, false, false});
    pass->state->excess_sum[begin / PD_LIST_GRAIN] = excess;
}

/* The gradient of |curl| is divided by (its length + CURL_PART x |curl|). This weakens vorticity confinement where the
 * gradient is small, as in a drop in rigid rotation. */
static const float CURL_PART = 0.5f;

/* Adds vorticity confinement to the velocities: a force perpendicular to the gradient of |curl|, in the curl's sense of
 * rotation (eq. 15, 16). */

PD_INLINE void confine_group_vorticity(const pbf_pass *pass, int i, int end) {
    const pd_list list = pd_lists_get_list(&pass->state->fluid.lists, i, end);
    pd_floatw own[4], x = pd_set(0), y = pd_set(0), none = pd_set(0);
    pd_load4(pass->state->lambda[i], 4, own);
    pd_floatw curl_size = pd_max(own[2], pd_sub(none, own[2]));
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[4];
        pd_gather4(pass->state->lambda, 4, list.offset + (size_t)row * PD_LANES, other);
        pd_pair p = pd_compute_pair(own, other);
        pd_floatw growth = pd_sub(pd_max(other[2], pd_sub(none, other[2])), curl_size);
        pd_floatw slope = pd_mul(pd_mul(compute_spiky_slope(&p), p.inverse_r), growth);
        x = pd_add(x, pd_mul(slope, p.dx));
        y = pd_add(y, pd_mul(slope, p.dy));
    }
    pd_floatw length2 = pd_add(pd_mul(x, x), pd_mul(y, y));
    pd_floatw length = pd_add(pd_add(pd_sqrt(length2), pd_mul(curl_size, pd_set(CURL_PART))), pd_set(1e-20f));
    pd_floatw force = pd_div(pd_mul(pd_set(pass->vorticity), own[2]), length);
    pd_store(list.live, pass->particles->vx + i, pd_add(pd_load_all(pass->particles->vx + i), pd_mul(force, y)));
    pd_store(list.live, pass->particles->vy + i, pd_sub(pd_load_all(pass->particles->vy + i), pd_mul(force, x)));
}

static void confine_vorticity(void *context, int begin, int end) {
    for (int i = begin; i < end; i += PD_LANES) confine_group_vorticity(context, i, end);
}

const pd_pbf_kernels PD_LEVEL_NAME(pd_pbf_kernels) = {
    .find_lists = find_lists,
    .compute_lambda = compute_lambda,
    .displace = displace_particles,
    .smooth_velocities = smooth_velocities,
    .confine_vorticity = confine_vorticity,
};
