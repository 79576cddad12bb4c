/* Where position based fluids spend their time. Compiled once for each SIMD level (core/simd.h); every level gives the same
 * bits.
 *
 * A pair gives both of its particles the same numbers, computed alike from either side, so that what one gains the other
 * loses. The particle itself is in its list: it is at no distance, and gives itself density but no displacement. */
#include "methods/pbf.h"

#include "sim/lists_wide.h"

#include <math.h>

/* The most that a pair moves, in units of h. */
static const float FARTHEST = 0.25f;

static void find(void *pass, int begin, int end) {
    const pbf_pass *s = pass;
    pd_finder finder;
    pd_finder_begin(&finder, &s->state->lists, s->neighbours, s->particles, s->h, begin);
    for (int i = begin; i < end; i++) pd_finder_list(&finder, i);
    pd_finder_end(&finder, begin);
}

/* The neighbours of one vector: the way to them, its length's square and inverse, in units of h. */
typedef struct pair {
    pd_floatw dx, dy, r2, inverse_r, q; /* q = 1 - r, 0 beyond */
} pair;

PD_INLINE pair way_to(const float *own, const pd_floatw other[4]) {
    pair p;
    p.dx = pd_sub(other[0], pd_set(own[0]));
    p.dy = pd_sub(other[1], pd_set(own[1]));
    p.r2 = pd_add(pd_mul(p.dx, p.dx), pd_mul(p.dy, p.dy));
    p.inverse_r = pd_rsqrt(p.r2);
    p.q = pd_max(pd_sub(pd_set(1), pd_mul(p.r2, p.inverse_r)), pd_set(0));
    return p;
}

/* W6 without its factor: (1 - r^2)^3. */
PD_INLINE pd_floatw poly6(const pair *p) {
    pd_floatw t = pd_max(pd_sub(pd_set(1), p->r2), pd_set(0));
    return pd_mul(t, pd_mul(t, t));
}

/* The spiky kernel without its factor: (1 - r)^3; and its slope: (1 - r)^2. */
PD_INLINE pd_floatw spiky(const pair *p) { return pd_mul(p->q, pd_mul(p->q, p->q)); }
PD_INLINE pd_floatw slope_of(const pair *p) { return pd_mul(p->q, p->q); }

PD_INLINE double weigh_one(const pbf_pass *s, int i, bool materials, bool poly) {
    const pbf_state *state = s->state;
    const uint32_t *place = state->lists.place + (size_t)state->lists.first[i] * PD_LANES;
    const float *own = state->place[i];
    pd_floatw sum[4] = {pd_set(0), pd_set(0), pd_set(0), pd_set(0)}; /* density, slopes x, y, their squares */
    for (int b = 0; b < state->lists.length[i]; b++) {
        pd_floatw other[4];
        pd_gather4(*state->place, place + b * PD_LANES, other);
        pair p = way_to(own, other);
        sum[0] = pd_add(sum[0], poly ? poly6(&p) : spiky(&p));
        pd_floatw slope = pd_mul(slope_of(&p), p.inverse_r), x = pd_mul(slope, p.dx), y = pd_mul(slope, p.dy);
        sum[1] = pd_add(sum[1], x);
        sum[2] = pd_add(sum[2], y);
        pd_floatw square = pd_add(pd_mul(x, x), pd_mul(y, y));
        sum[3] = pd_add(sum[3], materials ? pd_mul(other[2], square) : square);
    }
    float weight = state->lists.weight[i], factor = s->gradient_factor * weight, total[4];
    pd_sum4(sum, total);
    float others = materials ? total[3] : own[2] * total[3];
    float slopes = (own[2] * (total[1] * total[1] + total[2] * total[2]) + others) * factor * factor;
    float ratio = total[0] * s->density_factor * weight;
    if (s->eased) ratio /= pd_world_eased(s->motion->world, i, ratio);
    float c = ratio - 1, held = s->cohesion || c > 0 ? c : 0;
    float *record = state->pushed[i];
    record[0] = own[0], record[1] = own[1], record[3] = own[2];
    record[2] = -held / (slopes + s->relaxation);
    return c > 0 ? (double)c : 0;
}

static void weigh(void *pass, int begin, int end) {
    const pbf_pass *s = pass;
    double excess = 0;
    if (s->poly)
        for (int i = begin; i < end; i++) excess += weigh_one(s, i, true, true);
    else if (s->materials)
        for (int i = begin; i < end; i++) excess += weigh_one(s, i, true, false);
    else
        for (int i = begin; i < end; i++) excess += weigh_one(s, i, false, false);
    s->state->excess[begin / PD_LIST_GRAIN] = excess;
}

PD_INLINE pd_floatw power(pd_floatw a, int exponent) {
    pd_floatw result = pd_set(1);
    if (exponent == 8) {
        for (int k = 0; k < 3; k++) a = pd_mul(a, a);
        return a;
    }
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = pd_mul(result, a);
        a = pd_mul(a, a);
    }
    return result;
}

/* What of pushing is known when the program is compiled: a loop of each kind. */
typedef struct pushing {
    bool artificial, eighth; /* there is artificial pressure; its exponent is 8 */
} pushing;

PD_INLINE void push_one(const pbf_pass *s, int i, pushing k) {
    const pbf_state *state = s->state;
    const uint32_t *place = state->lists.place + (size_t)state->lists.first[i] * PD_LANES;
    const float *own = state->pushed[i];
    pd_floatw move_x = pd_set(0), move_y = pd_set(0);
    for (int b = 0; b < state->lists.length[i]; b++) {
        pd_floatw other[4];
        pd_gather4(*state->pushed, place + b * PD_LANES, other);
        pair p = way_to(own, other);
        pd_floatw slope = pd_mul(slope_of(&p), pd_set(s->gradient_factor)), lambda = pd_add(pd_set(own[2]), other[2]);
        if (k.artificial) {
            /* Beyond the radius, and just within, it counts for nothing; but its powers must not become denormal, which is slow. */
            pd_floatw t = pd_max(pd_mul(pd_sub(pd_set(1), p.r2), pd_set(s->inverse_reach)), pd_set(0.1f));
            pd_floatw nearness = power(pd_mul(t, pd_mul(t, t)), k.eighth ? 8 : s->exponent);
            lambda = pd_sub(lambda, pd_mul(nearness, pd_set(s->strength)));
        }
        pd_floatw d = pd_min(pd_max(pd_mul(lambda, slope), pd_set(-FARTHEST)), pd_set(FARTHEST));
        d = pd_mul(d, p.inverse_r);
        move_x = pd_add(move_x, pd_mul(d, p.dx));
        move_y = pd_add(move_y, pd_mul(d, p.dy));
    }
    float scale = s->h * own[3] * state->lists.weight[i];
    state->moved[i][0] += pd_sum(move_x) * scale;
    state->moved[i][1] += pd_sum(move_y) * scale;
}

static void push(void *pass, int begin, int end) {
    const pbf_pass *s = pass;
    if (s->strength > 0 && s->exponent == 8)
        for (int i = begin; i < end; i++) push_one(s, i, (pushing){true, true});
    else if (s->strength > 0)
        for (int i = begin; i < end; i++) push_one(s, i, (pushing){true, false});
    else
        for (int i = begin; i < end; i++) push_one(s, i, (pushing){false, false});
}

/* What of smoothing is known when the program is compiled: a loop of each kind. */
typedef struct kind {
    bool viscous, materials, vortical;
} kind;

PD_INLINE double smooth_one(const pbf_pass *s, int i, kind k) {
    const pbf_state *state = s->state;
    const uint32_t *place = state->lists.place + (size_t)state->lists.first[i] * PD_LANES;
    const float *own = state->place[i], *moving = state->moving[i];
    const int material = s->particles->material[i];
    pd_floatw density = pd_set(0), drag_x = pd_set(0), drag_y = pd_set(0), curl = pd_set(0);
    for (int b = 0; b < state->lists.length[i]; b++) {
        pd_floatw other[4], velocity[4];
        pd_gather4(*state->place, place + b * PD_LANES, other);
        pair p = way_to(own, other);
        pd_floatw w = poly6(&p);
        density = pd_add(density, s->poly ? w : spiky(&p));
        if (!k.viscous && !k.vortical) continue;
        pd_gather4(*state->moving, place + b * PD_LANES, velocity);
        pd_floatw vx = pd_sub(velocity[0], pd_set(moving[0])), vy = pd_sub(velocity[1], pd_set(moving[1]));
        if (k.vortical) {
            pd_floatw slope = pd_mul(slope_of(&p), p.inverse_r);
            curl = pd_add(curl, pd_mul(slope, pd_sub(pd_mul(vy, p.dx), pd_mul(vx, p.dy))));
        }
        if (k.materials)
            w = pd_mul(w,
                       pd_lookup(s->share[material], pd_gather(state->material, pd_load_places(place + b * PD_LANES))));
        drag_x = pd_add(drag_x, pd_mul(w, vx));
        drag_y = pd_add(drag_y, pd_mul(w, vy));
    }
    float weight = state->lists.weight[i], n = pd_sum(density) * s->density_factor * weight;
    s->particles->density[i] = n * s->rest_density;
    if (k.viscous) {
        float part = s->xsph * s->smoothing_factor;
        s->particles->vx[i] = moving[0] + pd_sum(drag_x) * part;
        s->particles->vy[i] = moving[1] + pd_sum(drag_y) * part;
    }
    if (k.vortical) state->pushed[i][2] = pd_sum(curl) * s->gradient_factor * s->inverse_h * weight;
    return n > 1 ? (double)n - 1 : 0;
}

static void smooth(void *pass, int begin, int end) {
    const pbf_pass *s = pass;
    double excess = 0;
    bool viscous = s->xsph > 0, vortical = s->vorticity > 0;
    if (vortical)
        for (int i = begin; i < end; i++) excess += smooth_one(s, i, (kind){true, s->materials, true});
    else if (viscous && s->materials)
        for (int i = begin; i < end; i++) excess += smooth_one(s, i, (kind){true, true, false});
    else if (viscous)
        for (int i = begin; i < end; i++) excess += smooth_one(s, i, (kind){true, false, false});
    else
        for (int i = begin; i < end; i++) excess += smooth_one(s, i, (kind){false, false, false});
    s->state->excess[begin / PD_LIST_GRAIN] = excess;
}

/* Where curl grows, and across that way a force which turns with the curl (eq. 15, 16). */
PD_INLINE void confine_one(const pbf_pass *s, int i) {
    const pbf_state *state = s->state;
    const uint32_t *place = state->lists.place + (size_t)state->lists.first[i] * PD_LANES;
    const float *own = state->pushed[i];
    pd_floatw towards_x = pd_set(0), towards_y = pd_set(0), none = pd_set(0);
    for (int b = 0; b < state->lists.length[i]; b++) {
        pd_floatw other[4];
        pd_gather4(*state->pushed, place + b * PD_LANES, other);
        pair p = way_to(own, other);
        pd_floatw slope = pd_mul(pd_mul(slope_of(&p), p.inverse_r), pd_max(other[2], pd_sub(none, other[2])));
        towards_x = pd_add(towards_x, pd_mul(slope, p.dx));
        towards_y = pd_add(towards_y, pd_mul(slope, p.dy));
    }
    float x = pd_sum(towards_x), y = pd_sum(towards_y), length2 = x * x + y * y;
    if (!(length2 > 1e-20f)) return;
    float force = s->vorticity * own[2] / sqrtf(length2);
    s->particles->vx[i] += force * y;
    s->particles->vy[i] -= force * x;
}

static void confine(void *pass, int begin, int end) {
    for (int i = begin; i < end; i++) confine_one(pass, i);
}

const pbf_kernels PD_LEVEL_NAME(pbf_kernels) = {
    .find = find,
    .weigh = weigh,
    .push = push,
    .smooth = smooth,
    .confine = confine,
};
