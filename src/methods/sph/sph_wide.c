/* Inner loops of SPH, compiled once for each SIMD level (core/simd.h). All levels give the same bits.
 *
 * Each lane of a vector is a particle of a group (sim/particles/lists.h), and each row of the group's list has one
 * neighbour of each particle. The forces on both particles of a pair are opposite up to rounding. A particle is in its
 * own list: at distance 0 it contributes to the density but not to forces. */
#include "methods/particle_fluid/motion_wide.h"
#include "methods/sph/sph.h"

#include "sim/particles/lists_wide.h"
#include "sim/particles/ramp.h"
#include "sim/walls/walls_wide.h"

#include <math.h>

/* Returns the rest densities of a group's particles. They differ from the parameter `rest_density` during the
 * rest-density ramp. live_lanes: number of particles in the group. */
static pd_floatw compute_rest_densities(const sph_pass *pass, int i, int live_lanes, pd_floatw density,
                                        pd_floatw near_density) {
    pd_floatw rest = pd_set(pass->rest_density);
    if (!pass->is_ramped) return rest;
    float effective[PD_LANES], rest_density[PD_LANES];
    pd_store_all(effective, pd_add(density, pd_mul(near_density, pd_set(pass->near_stiffness / pass->stiffness))));
    pd_store_all(rest_density, rest);
    for (int k = 0; k < live_lanes; k++)
        rest_density[k] *= pd_density_ramp_factor(pass->world, i + k, effective[k] / pass->rest_density);
    return pd_load_all(rest_density);
}

/* Sets far_push and near_push of a group's wall weights: the walls change velocities by the gradients of the energies
 * of pressure and near pressure. pressure, near_pressure: multiplied by far_gain and near_gain of the walls. */
static void set_wall_velocity_changes(const sph_pass *pass, int i, pd_floatw density, pd_floatw near_density,
                                      pd_floatw pressure, pd_floatw near_pressure) {
    const pd_walls *walls = &pass->state->fluid.walls;
    float far[PD_LANES], near[PD_LANES], at_rest[PD_LANES];
    pd_floatw scale = pd_mul(pd_set(-pass->wall_factor), pd_load_all(pass->state->inverse_mass + i));
    pd_floatw part = pd_div(near_density, density);
    pd_store_all(far, pd_mul(scale, pd_div(pressure, density)));
    pd_store_all(at_rest, pd_mul(scale, pd_div(pd_mul(near_pressure, pd_set(-2.5f * PARTICLE_NEAR_SHARE)), density)));
    pd_store_all(near, pd_mul(scale, pd_mul(pd_div(near_pressure, density), part)));
    for (int k = 0; k < PD_LANES; k++) {
        pd_wall_weight *w = &walls->weight[walls->index[i + k]];
        if (w->walls == 0) continue;
        w->far_push = far[k];
        w->near_push = near[k];
        w->far_push_at_rest = at_rest[k] * w->far_gain / w->near_gain;
    }
}

/* Limits the attraction of a group by walls. Called once in a substep, because it changes the wall weights. */
static void limit_attraction_by_walls(const sph_pass *pass, int i, pd_floatw inverse_density) {
    const pd_walls *walls = &pass->state->fluid.walls;
    float sum[PD_LANES];
    pd_store_all(sum, pd_div(pd_set(1 / pass->density_factor), inverse_density));
    for (int k = 0; k < PD_LANES; k++) {
        pd_wall_weight *w = &walls->weight[walls->index[i + k]];
        if (w->walls == 0) continue;
        pd_particle_limit_attraction(pass->world, pass->particles->material[i + k], w, &w->far_push,
                                     w->hidden.far_slope, w->far_slope_of_wall, w->far_push_at_rest,
                                     pd_particle_compute_part_within_fluid(sum[k] / w->far_gain));
    }
}

/* Returns the particles' factors of viscosity (value 7 of sph_record). The viscosity of a pair is the product of both
 * factors: the geometric mean of both viscosities. The denominators limit the exchanged velocity to the pair's
 * difference, for any viscosity and substep. */
PD_INLINE pd_floatw compute_viscous_factors(const sph_pass *pass, int i, int live_lanes, pd_floatw density) {
    pd_floatw one = pd_set(1);
    if (!pass->viscosities_differ) return pd_div(one, pd_sqrt(pd_add(one, pd_mul(pd_set(pass->viscosity), density))));
    float own[PD_LANES] = {0};
    for (int k = 0; k < live_lanes; k++) own[k] = pass->material_viscosity[pass->particles->material[i + k]];
    pd_floatw viscosity = pd_load_all(own);
    return pd_sqrt(pd_div(viscosity, pd_add(one, pd_mul(viscosity, density))));
}

/* Computes density, near density, pressures and the effect of walls on a group. The share of the kernel that walls hide
 * counts as fluid (sim/walls/walls.h): the gain of the walls multiplies densities and pressures. Reads values 0 to 3 of
 * records, and writes values 4 to 7. */
PD_INLINE void compute_density_group(const sph_pass *pass, int i, int end) {
    pd_list list = pd_lists_get_list(&pass->state->fluid.lists, i, end);
    pd_floatw own[4], density = pd_set(0), near_density = pd_set(0);
    pd_load4(pass->state->record[i], 8, own);
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[4];
        pd_gather4(*pass->state->record, 8, list.offset + (size_t)row * PD_LANES, other);
        pd_pair p = pd_compute_pair(own, other);
        pd_floatw q2 = pd_mul(p.q, p.q);
        density = pd_add(density, q2);
        near_density = pd_add(near_density, pd_mul(q2, p.q));
    }
    /* The contribution of the particle itself is 1. It is missing if the list is incomplete. */
    density = pd_max(density, pd_set(1));
    near_density = pd_max(near_density, pd_set(1));
    pd_floatw n = pd_mul(pd_mul(density, pd_set(pass->density_factor)), list.weight);
    pd_floatw near_n = pd_mul(pd_mul(near_density, pd_set(pass->near_factor)), list.weight), one = pd_set(1);
    pd_floatw gain = one, near_gain = one;
    const bool walls = pd_walls_any_near(&pass->state->fluid.walls, i);
    if (walls) {
        pd_walls_load_gains(&pass->state->fluid.walls, i, &gain, &near_gain);
        n = pd_mul(n, gain);
        near_n = pd_mul(near_n, near_gain);
    }
    const int live = end - i < PD_LANES ? end - i : PD_LANES;
    pd_floatw rest = compute_rest_densities(pass, i, live, n, near_n);
    pd_floatw pressure = pd_mul(pd_set(pass->stiffness), pd_sub(n, rest));
    pd_floatw near_pressure = pd_mul(pd_set(pass->near_stiffness), near_n), inverse = pd_div(one, n);
    pd_floatw pair_pressure = pressure, pair_near_pressure = near_pressure;
    if (walls) {
        pressure = pd_walls_weaken_cohesion(&pass->state->fluid.walls, i, pressure);
        pair_pressure = pd_mul(pressure, gain);
        pair_near_pressure = pd_mul(near_pressure, near_gain);
        set_wall_velocity_changes(pass, i, n, near_n, pair_pressure, pair_near_pressure);
    }
    pd_floatw record[4] = {
        inverse,
        pd_mul(pair_pressure, pd_set(pass->pressure_factor)),
        pd_mul(pair_near_pressure, pd_set(pass->near_pressure_factor)),
        compute_viscous_factors(pass, i, live, n),
    };
    pd_store4(pass->state->record[i] + 4, 8, record);
    pd_store(list.live, pass->particles->density + i, n);
}

static void find_lists_and_compute_density(void *context, int begin, int end) {
    const sph_pass *pass = context;
    pd_list_builder finder;
    pd_list_builder_begin_chunk(&finder, &pass->state->fluid.lists, pass->neighbours, pass->particles, pass->h, begin);
    for (int i = begin; i < end; i += PD_LANES) {
        pd_list_builder_build_list(&finder, i);
        /* Computes the densities while the list is in the cache. If the list is incomplete, pd_lists_build searches
         * again: the factor of the ramp must be computed once, from a complete list. */
        if (pd_list_builder_fits_memory(&finder)) compute_density_group(pass, i, end);
    }
}

static void compute_density(void *context, int begin, int end) {
    for (int i = begin; i < end; i += PD_LANES) compute_density_group(context, i, end);
}

/* Compile-time constants of the pressure loop, which is compiled once for each combination in use. */
typedef struct loop_kind {
    bool viscous;       /* whether some viscosity is above 0 */
    bool masses_differ; /* whether materials differ in mass */
} loop_kind;

/* Returns 2 mj/(mi + mj): fraction of the velocity exchanged by viscosity that particle i gets. own_inverse_mass: 1/mi.
 * other_offset: offset of the record of particle j. */
PD_INLINE pd_floatw compute_fraction_of_velocity_exchange(const sph_pass *pass, pd_floatw own_inverse_mass,
                                                          const uint32_t *other_offset) {
    pd_floatw other = pd_gather(pass->state->inverse_mass, pd_load_record_indices(other_offset));
    return pd_div(pd_add(own_inverse_mass, own_inverse_mass), pd_add(own_inverse_mass, other));
}

PD_INLINE void apply_pressure_group(const sph_pass *pass, int i, int end, loop_kind kind) {
    const pd_list list = pd_lists_get_list(&pass->state->fluid.lists, i, end);
    pd_floatw own[8], force_x = pd_set(0), force_y = pd_set(0), drag_x = pd_set(0), drag_y = pd_set(0);
    pd_load8(pass->state->record[i], own);
    const pd_floatw *own_pressure = own + 4;
    pd_floatw inverse_mass = pd_load_all(pass->state->inverse_mass + i);
    for (int row = 0; row < list.length; row++) {
        const uint32_t *offset = list.offset + (size_t)row * PD_LANES;
        pd_floatw other[8];
        pd_gather8(*pass->state->record, offset, other);
        const pd_floatw *pressure = other + 4;
        pd_pair p = pd_compute_pair(own, other);
        pd_floatw force =
            pd_add(pd_add(own_pressure[1], pressure[1]), pd_mul(pd_add(own_pressure[2], pressure[2]), p.q));
        force = pd_mul(pd_mul(pd_mul(force, pressure[0]), p.q), p.inverse_r);
        force_x = pd_add(force_x, pd_mul(force, p.dx));
        force_y = pd_add(force_y, pd_mul(force, p.dy));
        if (!kind.viscous) continue;
        /* Kernel W6. Pairs in lists of an earlier substep may be farther apart than h. */
        pd_floatw near = pd_max(pd_sub(pd_set(1), p.r2), pd_set(0));
        pd_floatw part = pd_mul(pd_mul(pd_mul(pressure[3], near), near), near);
        if (kind.masses_differ) part = pd_mul(part, compute_fraction_of_velocity_exchange(pass, inverse_mass, offset));
        drag_x = pd_add(drag_x, pd_mul(part, pd_sub(other[2], own[2])));
        drag_y = pd_add(drag_y, pd_mul(part, pd_sub(other[3], own[3])));
    }
    pd_floatw scale = pd_mul(pd_mul(pd_mul(pd_set(pass->dt), inverse_mass), list.weight), own_pressure[0]);
    pd_floatw viscous = pd_mul(own_pressure[3], pd_set(pass->viscosity_factor));
    pd_floatw vx = pd_add(pd_sub(own[2], pd_mul(force_x, scale)), pd_mul(drag_x, viscous));
    pd_floatw vy = pd_add(pd_sub(own[3], pd_mul(force_y, scale)), pd_mul(drag_y, viscous));
    if (pd_walls_any_near(&pass->state->fluid.walls, i)) {
        limit_attraction_by_walls(pass, i, own_pressure[0]);
        pd_walls_add_displacements(&pass->state->fluid.walls, i, &vx, &vy);
    }
    pd_motion_store_velocities(pass->particles, i, list.live, vx, vy, pass->speed_limit);
}

static void apply_pressure(void *context, int begin, int end) {
    const sph_pass *pass = context;
    if (pass->viscous && pass->masses_differ)
        for (int i = begin; i < end; i += PD_LANES) apply_pressure_group(pass, i, end, (loop_kind){true, true});
    else if (pass->viscous)
        for (int i = begin; i < end; i += PD_LANES) apply_pressure_group(pass, i, end, (loop_kind){true, false});
    else
        for (int i = begin; i < end; i += PD_LANES) apply_pressure_group(pass, i, end, (loop_kind){false, false});
}

const pd_sph_kernels PD_LEVEL_NAME(pd_sph_kernels) = {
    .find_lists_and_compute_density = find_lists_and_compute_density,
    .compute_density = compute_density,
    .apply_pressure = apply_pressure,
};
