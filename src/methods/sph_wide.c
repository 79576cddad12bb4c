/* Where SPH spends its time. Compiled once for each SIMD level (core/simd.h); every level gives the same bits.
 *
 * A pair gives both of its particles the same numbers, computed alike from either side, so that what one gains the other
 * loses. The particle itself is in its list: it is at no distance, and gives itself density but no force. */
#include "methods/sph.h"

#include "sim/lists_wide.h"

#include <math.h>

/* The neighbours of one vector: the way to them, its length's inverse, and q = 1 - r/h, 0 beyond h. */
typedef struct pair {
    pd_floatw dx, dy, r2, inverse_r, q;
} pair;

PD_INLINE pair pair_of(const sph_pass *s, const float *own, pd_floatw x, pd_floatw y) {
    pair p;
    p.dx = pd_sub(x, pd_set(own[0]));
    p.dy = pd_sub(y, pd_set(own[1]));
    p.r2 = pd_add(pd_mul(p.dx, p.dx), pd_mul(p.dy, p.dy));
    p.inverse_r = pd_rsqrt(p.r2);
    p.q = pd_max(pd_sub(pd_set(1), pd_mul(pd_mul(p.r2, p.inverse_r), pd_set(s->inverse_h))), pd_set(0));
    return p;
}

/* Density, near density and pressures from the distances of neighbours. */
PD_INLINE void weigh_one(const sph_pass *s, int i, const float *r2, int vectors, float weight) {
    pd_floatw density = pd_set(0), near_density = pd_set(0);
    for (int b = 0; b < vectors; b++) {
        pd_floatw distance2 = pd_load_all(r2 + b * PD_LANES);
        pd_floatw r = pd_mul(distance2, pd_rsqrt(distance2));
        pd_floatw q = pd_max(pd_sub(pd_set(1), pd_mul(r, pd_set(s->inverse_h))), pd_set(0)), q2 = pd_mul(q, q);
        density = pd_add(density, q2);
        near_density = pd_add(near_density, pd_mul(q2, q));
    }
    float n = pd_sum(density) * s->density_factor * weight, near_n = pd_sum(near_density) * s->near_factor * weight;
    float rest = s->rest_density;
    if (s->eased) rest *= pd_world_eased(s->world, i, (n + s->near_stiffness / s->stiffness * near_n) / rest);
    float pressure = s->stiffness * (n - rest), near_pressure = s->near_stiffness * near_n, inverse = 1 / n;
    float *record = s->state->pressure[i];
    record[0] = inverse;
    record[1] = pressure * inverse * s->pressure_factor;
    record[2] = near_pressure * inverse * s->near_pressure_factor;
    record[3] = 1 / sqrtf(1 + s->viscosity * n);
    s->particles->density[i] = n;
    s->state->total[i] = pressure / 2 + near_pressure * (5 - 3 * near_n / n) / 4;
}

/* Each particle is weighed after the search for the next one: what the search has written is then in the cache. */
static void weigh(void *pass, int begin, int end) {
    const sph_pass *s = pass;
    pd_finder finder;
    pd_finder_begin(&finder, &s->state->lists, s->neighbours, s->particles, s->h, begin);
    for (int i = begin; i <= end; i++) {
        if (i < end) pd_finder_list(&finder, i);
        if (i > begin)
            weigh_one(s, i - 1, finder.r2[(i - 1) & 1], s->state->lists.length[i - 1], s->state->lists.weight[i - 1]);
    }
    pd_finder_end(&finder, begin);
}

/* What of the pass is known when the program is compiled: a loop of each kind. */
typedef struct kind {
    bool viscous, materials;
} kind;

/* The part of the difference of two velocities that viscosity takes away: W6 over the brakes of both. */
PD_INLINE pd_floatw brake(const sph_pass *s, const pair *p, const float *own, pd_floatw other) {
    pd_floatw near = pd_sub(pd_set(1), pd_mul(p->r2, pd_set(s->inverse_h * s->inverse_h)));
    near = pd_max(near, pd_set(0));
    pd_floatw brakes = pd_mul(pd_set(own[3] * s->viscosity_factor), other);
    return pd_mul(brakes, pd_mul(near, pd_mul(near, near)));
}

PD_INLINE void push_one(const sph_pass *s, int i, kind k) {
    const pd_lists *lists = &s->state->lists;
    const uint32_t *place = lists->place + (size_t)lists->first[i] * PD_LANES;
    const float *own = s->state->motion[i], *pressed = s->state->pressure[i];
    const int material = s->particles->material[i];
    pd_floatw sum[4] = {pd_set(0), pd_set(0), pd_set(0), pd_set(0)}; /* of pressure x, y; of viscosity x, y */
    for (int b = 0; b < lists->length[i]; b++) {
        pd_floatw other[4], pressure[4];
        pd_gather4(*s->state->motion, place + b * PD_LANES, other);
        pd_gather4(*s->state->pressure, place + b * PD_LANES, pressure);
        pair p = pair_of(s, own, other[0], other[1]);
        pd_floatw by_own = pd_add(pd_set(pressed[1]), pd_mul(pd_set(pressed[2]), p.q));
        pd_floatw by_other = pd_add(pressure[1], pd_mul(pressure[2], p.q));
        pd_floatw force = pd_add(pd_mul(by_own, pressure[0]), pd_mul(by_other, pd_set(pressed[0])));
        force = pd_mul(pd_mul(force, p.q), p.inverse_r);
        sum[0] = pd_add(sum[0], pd_mul(force, p.dx));
        sum[1] = pd_add(sum[1], pd_mul(force, p.dy));
        if (!k.viscous) continue;
        pd_floatw part = brake(s, &p, pressed, pressure[3]);
        if (k.materials)
            part = pd_mul(part, pd_lookup(s->share[material],
                                          pd_gather(s->state->material, pd_load_places(place + b * PD_LANES))));
        sum[2] = pd_add(sum[2], pd_mul(part, pd_sub(other[2], pd_set(own[2]))));
        sum[3] = pd_add(sum[3], pd_mul(part, pd_sub(other[3], pd_set(own[3]))));
    }
    float scale = s->dt * s->inverse_mass[material] * lists->weight[i], total[4];
    pd_sum4(sum, total);
    float vx = own[2] - total[0] * scale + total[2], vy = own[3] - total[1] * scale + total[3];
    float speed2 = vx * vx + vy * vy;
    if (!(speed2 <= s->fastest * s->fastest)) {
        float slow = speed2 < INFINITY ? s->fastest / sqrtf(speed2) : 0;
        vx = slow > 0 ? vx * slow : 0, vy = slow > 0 ? vy * slow : 0;
    }
    s->particles->vx[i] = vx;
    s->particles->vy[i] = vy;
}

static void push(void *pass, int begin, int end) {
    const sph_pass *s = pass;
    if (s->viscous && s->materials)
        for (int i = begin; i < end; i++) push_one(s, i, (kind){true, true});
    else if (s->viscous)
        for (int i = begin; i < end; i++) push_one(s, i, (kind){true, false});
    else
        for (int i = begin; i < end; i++) push_one(s, i, (kind){false, false});
}

const sph_kernels PD_LEVEL_NAME(sph_kernels) = {.weigh = weigh, .push = push};
