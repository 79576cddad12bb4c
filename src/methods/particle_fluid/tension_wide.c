/* Loops over neighbours of the surface tension, compiled once for each SIMD level (core/simd.h). All levels give the
 * same bits. */
#include "methods/particle_fluid/motion_wide.h"
#include "methods/particle_fluid/tension.h"

#include "sim/particles/lists_wide.h"
#include "sim/walls/walls_wide.h"

#include <math.h>

/* Pair in units of H. q = max(1 - r^2, 0). */
typedef struct pair {
    pd_floatw dx, dy, q;
} pair;

PD_INLINE pair pair_of(const pd_floatw *own, const pd_floatw *other) {
    pair p = {pd_sub(other[0], own[0]), pd_sub(other[1], own[1])};
    pd_floatw r2 = pd_add(pd_mul(p.dx, p.dx), pd_mul(p.dy, p.dy));
    p.q = pd_max(pd_sub(pd_set(1), r2), pd_set(0));
    return p;
}

/* Returns the factor s of a pair (tension.h): 1 - |sqrt(Gamma_i) - sqrt(Gamma_j)| / sqrt(Gamma_i + Gamma_j). In the
 * denominator the method's own tension is subtracted from both Gamma. For equal materials s is 1. */
PD_INLINE pd_floatw likeness(const pd_floatw *own, const pd_floatw *other) {
    pd_floatw difference = pd_sub(own[2], other[2]), sum = pd_max(pd_add(own[3], other[3]), pd_set(1e-30f));
    difference = pd_max(difference, pd_sub(other[2], own[2]));
    return pd_max(pd_sub(pd_set(1), pd_div(difference, pd_sqrt(sum))), pd_set(0));
}

/* Adds the walls' part, with the terms of tension.h:
 *     (x, y)  += A grad(H_w)
 *     beside   = max(1 - D - H_w, 0)
 *     missing  = A beside + (1 - A) max(1 - D, 0) */
static void add_walls(const tension *t, int i, pd_floatw *x, pd_floatw *y, pd_floatw *missing, pd_floatw *beside) {
    float slope_x[PD_LANES], slope_y[PD_LANES], hidden[PD_LANES], like[PD_LANES], unlike[PD_LANES];
    for (int k = 0; k < PD_LANES; k++) {
        const pd_wall_weight *w = &t->walls.weight[t->walls.index[i + k]];
        like[k] = w->walls > 0 ? t->affinity[i + k] : 1;
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

PD_INLINE void sum_normals(const tension_pass *s, int i, int end, bool mixed) {
    const pd_list list = pd_lists_get_list(&s->tension->lists, i, end);
    pd_floatw own[4], x = pd_set(0), y = pd_set(0), density = pd_set(0);
    pd_load4(s->tension->record[i], 8, own);
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[4];
        pd_gather4(*s->tension->record, 8, list.offset + (size_t)row * PD_LANES, other);
        pair p = pair_of(own, other);
        pd_floatw slope = pd_mul(p.q, p.q);
        if (mixed) slope = pd_mul(slope, likeness(own, other));
        density = pd_add(density, pd_mul(slope, p.q));
        x = pd_add(x, pd_mul(slope, p.dx));
        y = pd_add(y, pd_mul(slope, p.dy));
    }
    pd_floatw factor = pd_mul(pd_set(s->normal_factor), list.weight);
    x = pd_mul(x, factor);
    y = pd_mul(y, factor);
    density = pd_mul(density, pd_mul(pd_set(s->density_factor), list.weight));
    pd_floatw missing = pd_max(pd_sub(pd_set(1), density), pd_set(0)), beside = missing;
    if (pd_walls_any_near(&s->tension->walls, i)) add_walls(s->tension, i, &x, &y, &missing, &beside);
    missing = pd_mul(missing, pd_set(TENSION_COHESION));
    beside = pd_mul(beside, pd_set(TENSION_COHESION));
    if (mixed) {
        pd_floatw strength = pd_load_all(s->tension->strength + i);
        x = pd_mul(x, strength);
        y = pd_mul(y, strength);
        missing = pd_mul(missing, strength);
        beside = pd_mul(beside, strength);
    }
    pd_store4(s->tension->record[i] + 4, 8, (pd_floatw[4]){x, y, missing, beside});
}

PD_INLINE void find_normals_group(const tension_pass *s, int i, int end) {
    if (s->mixed)
        sum_normals(s, i, end, true);
    else
        sum_normals(s, i, end, false);
}

static void find_normals(void *pass, int begin, int end) {
    const tension_pass *s = pass;
    pd_list_builder finder;
    tension *t = s->tension;
    pd_list_builder_begin_chunk(&finder, &t->lists, &t->neighbours, &t->sorted, s->radius, begin);
    for (int i = begin; i < end; i += PD_LANES) {
        pd_list_builder_build_list(&finder, i);
        find_normals_group(s, i, end); /* the list is still in the cache */
    }
}

static void compute_normals(void *pass, int begin, int end) {
    const tension_pass *s = pass;
    for (int i = begin; i < end; i += PD_LANES) find_normals_group(s, i, end);
}

/* Changes the velocities of a group. A pair contributes the gradient of the energies of both particles: q^2 u - 4 q d
 * (d . u) + q^2 d m, with d: vector to the neighbour, u = kappa_i N_i - kappa_j N_j, m: sum of element 6 of both
 * records. */
PD_INLINE void kick_group(const tension_pass *s, int i, int end, bool mixed) {
    const pd_list list = pd_lists_get_list(&s->tension->lists, i, end);
    pd_floatw own[8], x = pd_set(0), y = pd_set(0), four = pd_set(4);
    pd_load8(s->tension->record[i], own);
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[8];
        pd_gather8(*s->tension->record, list.offset + (size_t)row * PD_LANES, other);
        pair p = pair_of(own, other);
        pd_floatw ux = pd_sub(own[4], other[4]), uy = pd_sub(own[5], other[5]);
        pd_floatw missing = pd_add(own[6], other[6]);
        if (mixed) {
            pd_floatw part = likeness(own, other);
            ux = pd_mul(ux, part);
            uy = pd_mul(uy, part);
            missing = pd_mul(missing, part);
        }
        pd_floatw along = pd_mul(four, pd_add(pd_mul(p.dx, ux), pd_mul(p.dy, uy)));
        along = pd_sub(along, pd_mul(p.q, missing));
        x = pd_add(x, pd_mul(p.q, pd_sub(pd_mul(p.q, ux), pd_mul(along, p.dx))));
        y = pd_add(y, pd_mul(p.q, pd_sub(pd_mul(p.q, uy), pd_mul(along, p.dy))));
    }
    pd_floatw scale = pd_mul(pd_mul(pd_set(s->force_factor), list.weight), pd_load_all(s->tension->inverse_mass + i));
    const pd_particles *p = &s->tension->sorted;
    pd_floatw vx = pd_add(pd_load_all(p->vx + i), pd_mul(x, scale));
    pd_floatw vy = pd_add(pd_load_all(p->vy + i), pd_mul(y, scale));
    motion_store_velocities(p, i, list.live, vx, vy, s->fastest);
}

static void kick(void *pass, int begin, int end) {
    const tension_pass *s = pass;
    for (int i = begin; i < end; i += PD_LANES) {
        if (s->mixed)
            kick_group(s, i, end, true);
        else
            kick_group(s, i, end, false);
    }
}

const tension_kernels PD_LEVEL_NAME(tension_kernels) = {
    .find_normals = find_normals, .normals = compute_normals, .kick = kick};
