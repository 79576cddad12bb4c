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

/* Returns the rest densities of a group's particles, which differ from the parameter while the rest-density ramp
 * lasts. */
static pd_floatw rest_densities(const sph_pass *s, int i, int live, pd_floatw n, pd_floatw near_n) {
    pd_floatw rest = pd_set(s->rest_density);
    if (!s->ramped) return rest;
    float density[PD_LANES], rest_density[PD_LANES];
    pd_store_all(density, pd_add(n, pd_mul(near_n, pd_set(s->near_stiffness / s->stiffness))));
    pd_store_all(rest_density, rest);
    for (int k = 0; k < live; k++)
        rest_density[k] *= pd_density_ramp_factor(s->world, i + k, density[k] / s->rest_density);
    return pd_load_all(rest_density);
}

/* Computes the changes of velocity of a group by its walls: the gradients of the energies of pressure and near pressure
 * with respect to the hidden shares (sim/walls/walls.h). pressure, near_pressure: already times far_gain, near_gain. */
static void push_off_walls(const sph_pass *s, int i, pd_floatw n, pd_floatw near_n, pd_floatw pressure,
                           pd_floatw near_pressure) {
    const pd_walls *walls = &s->state->fluid.walls;
    float far[PD_LANES], near[PD_LANES];
    pd_floatw scale = pd_mul(pd_set(-s->wall_factor), pd_load_all(s->state->inverse_mass + i));
    pd_floatw part = pd_div(near_n, n);
    pd_store_all(far, pd_mul(scale, pd_div(pressure, n)));
    pd_store_all(near, pd_mul(scale, pd_mul(pd_div(near_pressure, n), part)));
    for (int k = 0; k < PD_LANES; k++) {
        pd_wall_weight *w = &walls->weight[walls->index[i + k]];
        if (w->walls == 0) continue;
        w->far_push = far[k];
        w->near_push = near[k];
    }
}

/* Returns a factor for each particle of a group. The viscosity of a pair is the product of both factors, which limits
 * the exchanged velocity to the pair's difference for any viscosity and substep. Between different materials it is the
 * geometric mean. */
PD_INLINE pd_floatw viscous_factors(const sph_pass *s, int i, int live, pd_floatw n) {
    pd_floatw one = pd_set(1);
    if (!s->viscosities_differ) return pd_div(one, pd_sqrt(pd_add(one, pd_mul(pd_set(s->viscosity), n))));
    float own[PD_LANES] = {0};
    for (int k = 0; k < live; k++) own[k] = s->material_viscosity[s->particles->material[i + k]];
    pd_floatw viscosity = pd_load_all(own);
    return pd_sqrt(pd_div(viscosity, pd_add(one, pd_mul(viscosity, n))));
}

/* Computes density, near density, pressures and the effect of walls. Near walls the hidden share of the kernel counts
 * as fluid (sim/walls/walls.h), and the pressures on neighbours are multiplied by the same gain as the densities. Reads
 * the first halves of records and writes the second ones. */
PD_INLINE void compute_density_group(const sph_pass *s, int i, int end) {
    pd_list list = pd_lists_get_list(&s->state->fluid.lists, i, end);
    pd_floatw own[4], density = pd_set(0), near_density = pd_set(0);
    pd_load4(s->state->record[i], 8, own);
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[4];
        pd_gather4(*s->state->record, 8, list.offset + (size_t)row * PD_LANES, other);
        pd_pair p = pd_compute_pair(own, other);
        pd_floatw q2 = pd_mul(p.q, p.q);
        density = pd_add(density, q2);
        near_density = pd_add(near_density, pd_mul(q2, p.q));
    }
    /* The particle's own contribution is 1; it may be missing where ranges were cut or memory ran out. */
    density = pd_max(density, pd_set(1));
    near_density = pd_max(near_density, pd_set(1));
    pd_floatw n = pd_mul(pd_mul(density, pd_set(s->density_factor)), list.weight);
    pd_floatw near_n = pd_mul(pd_mul(near_density, pd_set(s->near_factor)), list.weight), one = pd_set(1);
    pd_floatw gain = one, near_gain = one;
    const bool walls = pd_walls_any_near(&s->state->fluid.walls, i);
    if (walls) {
        pd_walls_load_gains(&s->state->fluid.walls, i, &gain, &near_gain);
        n = pd_mul(n, gain);
        near_n = pd_mul(near_n, near_gain);
    }
    const int live = end - i < PD_LANES ? end - i : PD_LANES;
    pd_floatw rest = rest_densities(s, i, live, n, near_n);
    pd_floatw pressure = pd_mul(pd_set(s->stiffness), pd_sub(n, rest));
    pd_floatw near_pressure = pd_mul(pd_set(s->near_stiffness), near_n), inverse = pd_div(one, n);
    pd_floatw pair_pressure = pressure, pair_near_pressure = near_pressure;
    if (walls) {
        pair_pressure = pd_mul(pressure, gain);
        pair_near_pressure = pd_mul(near_pressure, near_gain);
        push_off_walls(s, i, n, near_n, pair_pressure, pair_near_pressure);
    }
    pd_floatw record[4] = {
        inverse,
        pd_mul(pair_pressure, pd_set(s->pressure_factor)),
        pd_mul(pair_near_pressure, pd_set(s->near_pressure_factor)),
        viscous_factors(s, i, live, n),
    };
    pd_store4(s->state->record[i] + 4, 8, record);
    /* The mechanical pressure, for the views: pair forces from the mean of two pressures are half the gradient.
     * tests/test_sph_column.c compares it with the weight of a column. */
    pd_floatw part = pd_sub(pd_set(1.25f), pd_mul(pd_set(0.75f), pd_mul(near_n, inverse)));
    pd_store(list.live, s->particles->density + i, n);
    pd_store(list.live, s->pressure + i, pd_add(pd_mul(pressure, pd_set(0.5f)), pd_mul(near_pressure, part)));
}

static void find_and_compute_density(void *pass, int begin, int end) {
    const sph_pass *s = pass;
    pd_list_builder finder;
    pd_list_builder_begin_chunk(&finder, &s->state->fluid.lists, s->neighbours, s->particles, s->h, begin);
    for (int i = begin; i < end; i += PD_LANES) {
        pd_list_builder_build_list(&finder, i);
        /* The list is still in the cache. If the list is incomplete, pd_lists_build searches again: a ramp's factor must
         * be computed once, from the whole list. */
        if (pd_list_builder_fits_memory(&finder)) compute_density_group(s, i, end);
    }
}

static void compute_density(void *pass, int begin, int end) {
    for (int i = begin; i < end; i += PD_LANES) compute_density_group(pass, i, end);
}

/* Compile-time constants of the loop, which is compiled once for each combination. */
typedef struct kind {
    bool viscous, masses_differ;
} kind;

/* Returns particle i's share of the velocity that viscosity exchanges: 2 mj/(mi + mj). */
PD_INLINE pd_floatw exchange_share(const sph_pass *s, pd_floatw own, const uint32_t *offset) {
    pd_floatw other = pd_gather(s->state->inverse_mass, pd_load_record_indices(offset));
    return pd_div(pd_add(own, own), pd_add(own, other));
}

PD_INLINE void apply_pressure_group(const sph_pass *s, int i, int end, kind k) {
    const pd_list list = pd_lists_get_list(&s->state->fluid.lists, i, end);
    pd_floatw own[8], force_x = pd_set(0), force_y = pd_set(0), drag_x = pd_set(0), drag_y = pd_set(0);
    pd_load8(s->state->record[i], own);
    const pd_floatw *own_pressure = own + 4;
    pd_floatw inverse_mass = pd_load_all(s->state->inverse_mass + i);
    for (int row = 0; row < list.length; row++) {
        const uint32_t *offset = list.offset + (size_t)row * PD_LANES;
        pd_floatw other[8];
        pd_gather8(*s->state->record, offset, other);
        const pd_floatw *pressure = other + 4;
        pd_pair p = pd_compute_pair(own, other);
        pd_floatw force =
            pd_add(pd_add(own_pressure[1], pressure[1]), pd_mul(pd_add(own_pressure[2], pressure[2]), p.q));
        force = pd_mul(pd_mul(pd_mul(force, pressure[0]), p.q), p.inverse_r);
        force_x = pd_add(force_x, pd_mul(force, p.dx));
        force_y = pd_add(force_y, pd_mul(force, p.dy));
        if (!k.viscous) continue;
        /* Kernel W6. A pair of kept lists may be farther apart than h. */
        pd_floatw near = pd_max(pd_sub(pd_set(1), p.r2), pd_set(0));
        pd_floatw part = pd_mul(pd_mul(pd_mul(pressure[3], near), near), near);
        if (k.masses_differ) part = pd_mul(part, exchange_share(s, inverse_mass, offset));
        drag_x = pd_add(drag_x, pd_mul(part, pd_sub(other[2], own[2])));
        drag_y = pd_add(drag_y, pd_mul(part, pd_sub(other[3], own[3])));
    }
    pd_floatw scale = pd_mul(pd_mul(pd_mul(pd_set(s->dt), inverse_mass), list.weight), own_pressure[0]);
    pd_floatw viscous = pd_mul(own_pressure[3], pd_set(s->viscosity_factor));
    pd_floatw vx = pd_add(pd_sub(own[2], pd_mul(force_x, scale)), pd_mul(drag_x, viscous));
    pd_floatw vy = pd_add(pd_sub(own[3], pd_mul(force_y, scale)), pd_mul(drag_y, viscous));
    if (pd_walls_any_near(&s->state->fluid.walls, i)) pd_walls_add_displacements(&s->state->fluid.walls, i, &vx, &vy);
    motion_store_velocities(s->particles, i, list.live, vx, vy, s->fastest);
}

static void apply_pressure(void *pass, int begin, int end) {
    const sph_pass *s = pass;
    if (s->viscous && s->masses_differ)
        for (int i = begin; i < end; i += PD_LANES) apply_pressure_group(s, i, end, (kind){true, true});
    else if (s->viscous)
        for (int i = begin; i < end; i += PD_LANES) apply_pressure_group(s, i, end, (kind){true, false});
    else
        for (int i = begin; i < end; i += PD_LANES) apply_pressure_group(s, i, end, (kind){false, false});
}

const sph_kernels PD_LEVEL_NAME(sph_kernels) = {
    .find_and_compute_density = find_and_compute_density,
    .compute_density = compute_density,
    .apply_pressure = apply_pressure,
};
