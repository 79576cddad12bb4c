/* Loops over neighbours of the surface tension, compiled once for each SIMD level (core/simd.h). All levels give the
 * same bits. */
#include "methods/particle_fluid/motion_wide.h"
#include "methods/particle_fluid/tension.h"

#include "sim/particles/lists_wide.h"
#include "sim/walls/walls_wide.h"

#include <math.h>

/* Vector (dx, dy) to the neighbour, in units of H, and q = max(1 - r^2, 0). */
typedef struct pair {
    pd_floatw dx, dy, q;
} pair;

PD_INLINE pair compute_vector_and_kernel(const pd_floatw *own, const pd_floatw *other) {
    pair p = {pd_sub(other[0], own[0]), pd_sub(other[1], own[1])};
    pd_floatw r2 = pd_add(pd_mul(p.dx, p.dx), pd_mul(p.dy, p.dy));
    p.q = pd_max(pd_sub(pd_set(1), r2), pd_set(0));
    return p;
}

/* Returns the factor s of a pair (tension.h): 1 - |sqrt(Gamma_i) - sqrt(Gamma_j)| / sqrt(Gamma_i + Gamma_j). In the
 * denominator own_gamma is subtracted from both Gamma. s is 1 for equal Gamma. */
PD_INLINE pd_floatw compute_likeness_of_materials(const pd_floatw *own, const pd_floatw *other) {
    pd_floatw difference = pd_sub(own[2], other[2]), sum = pd_max(pd_add(own[3], other[3]), pd_set(1e-30f));
    difference = pd_max(difference, pd_sub(other[2], own[2]));
    return pd_max(pd_sub(pd_set(1), pd_div(difference, pd_sqrt(sum))), pd_set(0));
}

/* Adds the walls to the sums over neighbours, with the symbols A, D, N and H_w of tension.h. (x, y): N. On entry *missing
 * is max(1 - D, 0).
 *     (x, y)  += A grad(H_w)
 *     beside   = max(1 - D - H_w, 0)
 *     missing  = A beside + (1 - A) max(1 - D, 0) */
static void add_walls_to_normals(const tension *tension, int i, pd_floatw *x, pd_floatw *y, pd_floatw *missing,
                                 pd_floatw *beside) {
    float slope_x[PD_LANES], slope_y[PD_LANES], hidden[PD_LANES], like[PD_LANES], unlike[PD_LANES];
    for (int k = 0; k < PD_LANES; k++) {
        const pd_wall_weight *w = &tension->walls.weight[tension->walls.index[i + k]];
        like[k] = w->walls > 0 ? tension->affinity[i + k] : 1;
        unlike[k] = 1 - like[k];
        slope_x[k] = like[k] * w->hidden.near_slope[0];
        slope_y[k] = like[k] * w->hidden.near_slope[1];
        hidden[k] = w->hidden.near;
    }
    *beside = pd_max(pd_sub(*missing, pd_load_all(hidden)), pd_set(0));
    *missing = pd_add(pd_mul(pd_load_all(like), *beside), pd_mul(pd_load_all(unlike), *missing));
    *x = pd_add(*x, pd_load_all(slope_x));
    *y = pd_add(*y, pd_load_all(slope_y));
}

PD_INLINE void compute_group_normals(const tension_pass *pass, int i, int end, bool gammas_differ) {
    const pd_list list = pd_lists_get_list(&pass->tension->lists, i, end);
    pd_floatw own[4], x = pd_set(0), y = pd_set(0), density = pd_set(0);
    pd_load4(pass->tension->record[i], 8, own);
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[4];
        pd_gather4(*pass->tension->record, 8, list.offset + (size_t)row * PD_LANES, other);
        pair p = compute_vector_and_kernel(own, other);
        pd_floatw slope = pd_mul(p.q, p.q);
        if (gammas_differ) slope = pd_mul(slope, compute_likeness_of_materials(own, other));
        density = pd_add(density, pd_mul(slope, p.q));
        x = pd_add(x, pd_mul(slope, p.dx));
        y = pd_add(y, pd_mul(slope, p.dy));
    }
    pd_floatw factor = pd_mul(pd_set(pass->normal_factor), list.weight);
    x = pd_mul(x, factor);
    y = pd_mul(y, factor);
    density = pd_mul(density, pd_mul(pd_set(pass->density_factor), list.weight));
    pd_floatw missing = pd_max(pd_sub(pd_set(1), density), pd_set(0)), beside = missing;
    if (pd_walls_any_near(&pass->tension->walls, i)) add_walls_to_normals(pass->tension, i, &x, &y, &missing, &beside);
    missing = pd_mul(missing, pd_set(TENSION_COHESION));
    beside = pd_mul(beside, pd_set(TENSION_COHESION));
    if (gammas_differ) {
        pd_floatw strength = pd_load_all(pass->tension->strength + i);
        x = pd_mul(x, strength);
        y = pd_mul(y, strength);
        missing = pd_mul(missing, strength);
        beside = pd_mul(beside, strength);
    }
    pd_store4(pass->tension->record[i] + 4, 8, (pd_floatw[4]){x, y, missing, beside});
}

PD_INLINE void compute_group_normals_specialised(const tension_pass *pass, int i, int end) {
    if (pass->gammas_differ)
        compute_group_normals(pass, i, end, true);
    else
        compute_group_normals(pass, i, end, false);
}

static void find_lists_and_compute_normals(void *context, int begin, int end) {
    const tension_pass *pass = context;
    pd_list_builder finder;
    tension *tension = pass->tension;
    pd_list_builder_begin_chunk(&finder, &tension->lists, &tension->neighbours, &tension->sorted, pass->radius, begin);
    for (int i = begin; i < end; i += PD_LANES) {
        pd_list_builder_build_list(&finder, i);
        compute_group_normals_specialised(pass, i, end); /* now, while the list is in the cache */
    }
}

static void compute_normals(void *context, int begin, int end) {
    const tension_pass *pass = context;
    for (int i = begin; i < end; i += PD_LANES) compute_group_normals_specialised(pass, i, end);
}

/* Changes the velocities of a group. A pair contributes the gradient of the energies of both particles: q^2 u - 4 q d
 * (d . u) + q^2 d m. d: vector to the neighbour. u = kappa_i N_i - kappa_j N_j. m: sum of value 6 of both records. */
PD_INLINE void apply_tension_to_group(const tension_pass *pass, int i, int end, bool gammas_differ) {
    const pd_list list = pd_lists_get_list(&pass->tension->lists, i, end);
    pd_floatw own[8], x = pd_set(0), y = pd_set(0), four = pd_set(4);
    pd_load8(pass->tension->record[i], own);
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[8];
        pd_gather8(*pass->tension->record, list.offset + (size_t)row * PD_LANES, other);
        pair p = compute_vector_and_kernel(own, other);
        pd_floatw ux = pd_sub(own[4], other[4]), uy = pd_sub(own[5], other[5]);
        pd_floatw missing = pd_add(own[6], other[6]);
        if (gammas_differ) {
            pd_floatw fraction = compute_likeness_of_materials(own, other);
            ux = pd_mul(ux, fraction);
            uy = pd_mul(uy, fraction);
            missing = pd_mul(missing, fraction);
        }
        pd_floatw along = pd_mul(four, pd_add(pd_mul(p.dx, ux), pd_mul(p.dy, uy)));
        along = pd_sub(along, pd_mul(p.q, missing));
        x = pd_add(x, pd_mul(p.q, pd_sub(pd_mul(p.q, ux), pd_mul(along, p.dx))));
        y = pd_add(y, pd_mul(p.q, pd_sub(pd_mul(p.q, uy), pd_mul(along, p.dy))));
    }
    pd_floatw scale =
        pd_mul(pd_mul(pd_set(pass->force_factor), list.weight), pd_load_all(pass->tension->inverse_mass + i));
    const pd_particles *p = &pass->tension->sorted;
    pd_floatw vx = pd_add(pd_load_all(p->vx + i), pd_mul(x, scale));
    pd_floatw vy = pd_add(pd_load_all(p->vy + i), pd_mul(y, scale));
    pd_motion_store_velocities(p, i, list.live, vx, vy, pass->speed_limit);
}

static void apply_tension_forces(void *context, int begin, int end) {
    const tension_pass *pass = context;
    for (int i = begin; i < end; i += PD_LANES) {
        if (pass->gammas_differ)
            apply_tension_to_group(pass, i, end, true);
        else
            apply_tension_to_group(pass, i, end, false);
    }
}

const pd_tension_kernels PD_LEVEL_NAME(pd_tension_kernels) = {
    .find_lists_and_compute_normals = find_lists_and_compute_normals,
    .compute_normals = compute_normals,
    .apply_tension_forces = apply_tension_forces};
