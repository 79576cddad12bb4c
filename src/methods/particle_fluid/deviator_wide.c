/* Loops of deviator.h, compiled once for each SIMD level (core/simd.h). All levels give the same bits. Each lane of a vector is
 * a particle of a group (sim/particles/lists.h). Groups far from bodies are left out. */
#include "methods/particle_fluid/deviator.h"

#include "sim/particles/lists_wide.h"

/* Returns whether one of the particles i to i + PD_LANES - 1, before `end`, has a value above `least`. */
static bool is_any_above(const float *value, float least, int i, int end) {
    bool any = false;
    for (int k = i; k < i + PD_LANES && k < end; k++) any |= value[k] > least;
    return any;
}

/* Returns ((1 - r^2) inverse_reach)^(3 exponent) times the strength. The base is at least 0.1, because denormal numbers are
 * slow. */
PD_INLINE pd_floatw compute_repulsion(const deviator_repulsion *repulsion, const pd_pair *p) {
    pd_floatw result = pd_set(repulsion->strength);
    pd_floatw t = pd_max(pd_mul(pd_sub(pd_set(1), p->r2), pd_set(repulsion->inverse_reach)), pd_set(0.1f));
    t = pd_mul(t, pd_mul(t, t));
    for (int exponent = repulsion->exponent; exponent; exponent >>= 1) {
        if (exponent & 1) result = pd_mul(result, t);
        t = pd_mul(t, t);
    }
    return result;
}

PD_INLINE void compute_group_deviators(const deviator_pass *pass, int i, int end, bool repels) {
    const deviator *d = pass->deviator;
    const pd_list list = pd_lists_get_list(pass->lists, i, end);
    pd_floatw own[8], normal = pd_set(0), shear = pd_set(0);
    pd_load8(d->pair[i], own);
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[8];
        pd_gather8(*d->pair, list.offset + (size_t)row * PD_LANES, other);
        pd_pair p = pd_compute_pair(own, other);
        pd_floatw far = pd_add(own[2], other[2]), near = pd_add(own[3], other[3]);
        if (repels) near = pd_add(near, compute_repulsion(&pass->repulsion, &p));
        pd_floatw force = pd_mul(pd_mul(pd_add(far, pd_mul(near, p.q)), other[4]), pd_mul(p.q, p.inverse_r));
        normal = pd_add(normal, pd_mul(force, pd_sub(pd_mul(p.dx, p.dx), pd_mul(p.dy, p.dy))));
        shear = pd_add(shear, pd_mul(force, pd_mul(p.dx, p.dy)));
    }
    float t_xx[PD_LANES], t_xy[PD_LANES];
    pd_floatw scale = pd_mul(pd_mul(pd_load_all(d->weight + i), own[4]), pd_mul(list.weight, pd_set(0.5f * pass->h)));
    pd_store_all(t_xx, pd_mul(pd_mul(scale, pd_set(0.5f)), normal));
    pd_store_all(t_xy, pd_mul(scale, shear));
    for (int k = 0; k < PD_LANES && i + k < end; k++) {
        bool any = d->weight[i + k] > 0; /* other particles of the group may have no values */
        d->stress[i + k][3] = any ? t_xx[k] : 0;
        d->stress[i + k][4] = any ? t_xy[k] : 0;
    }
}

static void compute_deviators(void *context, int begin, int end) {
    const deviator_pass *pass = context;
    const deviator *d = pass->deviator;
    for (int i = begin; i < end; i += PD_LANES) {
        if (!is_any_above(d->weight, 0, i, end))
            for (int k = i; k < i + PD_LANES && k < end; k++) d->stress[k][3] = d->stress[k][4] = 0;
        else if (pass->repulsion.strength > 0)
            compute_group_deviators(pass, i, end, true);
        else
            compute_group_deviators(pass, i, end, false);
    }
}

static void compute_group_forces(const deviator_pass *pass, int i, int end) {
    const deviator *d = pass->deviator;
    const pd_list list = pd_lists_get_list(pass->lists, i, end);
    pd_floatw own[8], x = pd_set(0), y = pd_set(0);
    pd_load8(d->stress[i], own);
    for (int row = 0; row < list.length; row++) {
        pd_floatw other[8];
        pd_gather8(*d->stress, list.offset + (size_t)row * PD_LANES, other);
        pd_pair p = pd_compute_pair(own, other);
        pd_floatw normal = pd_add(pd_mul(other[2], own[3]), pd_mul(own[2], other[3]));
        pd_floatw shear = pd_add(pd_mul(other[2], own[4]), pd_mul(own[2], other[4]));
        pd_floatw weight = pd_mul(p.q, p.inverse_r);
        x = pd_add(x, pd_mul(weight, pd_add(pd_mul(normal, p.dx), pd_mul(shear, p.dy))));
        y = pd_add(y, pd_mul(weight, pd_sub(pd_mul(shear, p.dx), pd_mul(normal, p.dy))));
    }
    pd_floatw slope = pd_mul(list.weight, pd_set(12 / (3.14159265f * pass->h * pass->h * pass->h)));
    pd_store(list.live, d->force_x + i, pd_mul(x, slope));
    pd_store(list.live, d->force_y + i, pd_mul(y, slope));
}

static void compute_forces(void *context, int begin, int end) {
    const deviator_pass *pass = context;
    for (int i = begin; i < end; i += PD_LANES)
        if (is_any_above(pass->deviator->reach, DEVIATOR_LEAST_MOVED, i, end)) compute_group_forces(pass, i, end);
}

const pd_deviator_kernels PD_LEVEL_NAME(pd_deviator_kernels) = {.compute_deviators = compute_deviators,
                                                                .compute_forces = compute_forces};
