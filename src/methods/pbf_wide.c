/* Where position based fluids spend their time. Compiled once for each SIMD level (core/simd.h); every level gives the same
 * bits.
 *
 * A pair gives both of its particles the same numbers, computed alike from either side, so that what one gains the other
 * loses. The particle itself is in its list: it is at no distance, and gives itself density but no displacement. */
#include "methods/pbf.h"

#include "sim/lists_wide.h"

#include <math.h>

/* Squared part of h that keeps 1/r finite at distance 0; the most that a pair moves, in units of h. */
static const float TINY = 1e-12f, FARTHEST = 0.25f;

static void find(void *pass, int begin, int end) {
    const pbf_pass *s = pass;
    pd_finder finder;
    pd_finder_begin(&finder, &s->state->lists, s->neighbours, s->particles, s->h, begin);
    for (int i = begin; i < end; i++) pd_finder_list(&finder, i);
    pd_finder_end(&finder, begin);
}

/* The neighbours of one vector: the way to them, its length's square and inverse, in units of h. */
typedef struct pair {
    pd_floatw dx, dy, r2, inverse_r;
} pair;

static inline pair way_to(const pbf_pass *s, const float *own, const pd_floatw other[4]) {
    pair p;
    p.dx = pd_mul(pd_sub(other[0], pd_set(own[0])), pd_set(s->inverse_h));
    p.dy = pd_mul(pd_sub(other[1], pd_set(own[1])), pd_set(s->inverse_h));
    p.r2 = pd_add(pd_mul(p.dx, p.dx), pd_add(pd_mul(p.dy, p.dy), pd_set(TINY)));
    return p;
}

/* W6 without its factor: (1 - r^2)^3. */
static inline pd_floatw poly6(const pair *p) {
    pd_floatw t = pd_max(pd_sub(pd_set(1), p->r2), pd_set(0));
    return pd_mul(t, pd_mul(t, t));
}

/* Slope of the spiky kernel over r, without its factor: (1 - r)^2 / r. Fills the pair's 1/r. */
static inline pd_floatw spiky(pair *p) {
    p->inverse_r = pd_rsqrt(p->r2);
    pd_floatw q = pd_max(pd_sub(pd_set(1), pd_mul(p->r2, p->inverse_r)), pd_set(0));
    return pd_mul(pd_mul(q, q), p->inverse_r);
}

static inline double weigh_one(const pbf_pass *s, int i) {
    const pbf_state *state = s->state;
    const uint32_t *place = state->lists.place + (size_t)state->lists.first[i] * PD_LANES;
    const float *own = state->place[i];
    pd_floatw density = pd_set(0), gradient_x = pd_set(0), gradient_y = pd_set(0), others = pd_set(0);
    for (int b = 0; b < state->lists.length[i]; b++) {
        pd_floatw other[4];
        pd_gather4((const pbf_record *)state->place, place + b * PD_LANES, other);
        pair p = way_to(s, own, other);
        density = pd_add(density, poly6(&p));
        pd_floatw slope = spiky(&p), x = pd_mul(slope, p.dx), y = pd_mul(slope, p.dy);
        gradient_x = pd_add(gradient_x, x);
        gradient_y = pd_add(gradient_y, y);
        others = pd_add(others, pd_mul(other[2], pd_add(pd_mul(x, x), pd_mul(y, y))));
    }
    float weight = state->lists.weight[i], factor = s->gradient_factor * weight;
    float x = pd_sum(gradient_x), y = pd_sum(gradient_y);
    float ratio = pd_sum(density) * s->density_factor * weight;
    if (s->eased) ratio /= pd_world_eased(s->motion->world, i, ratio);
    float c = ratio - 1;
    float slopes = (own[2] * (x * x + y * y) + pd_sum(others)) * factor * factor;
    float held = s->cohesion || c > 0 ? c : 0;
    float *record = state->pushed[i];
    record[0] = own[0], record[1] = own[1], record[3] = own[2];
    record[2] = -held / (slopes + s->relaxation);
    return c > 0 ? (double)c : 0;
}

static void weigh(void *pass, int begin, int end) {
    const pbf_pass *s = pass;
    double excess = 0;
    for (int i = begin; i < end; i++) excess += weigh_one(s, i);
    s->state->excess[begin / PD_LIST_GRAIN] = excess;
}

static inline pd_floatw power(pd_floatw a, int exponent) {
    pd_floatw result = pd_set(1);
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = pd_mul(result, a);
        a = pd_mul(a, a);
    }
    return result;
}

/* At most `most`, at least -most. */
static inline pd_floatw within(pd_floatw a, float most) {
    pd_floatw above = pd_max(a, pd_set(-most)), none = pd_set(0);
    return pd_sub(none, pd_max(pd_sub(none, above), pd_set(-most)));
}

static inline void push_one(const pbf_pass *s, int i, bool artificial) {
    const pbf_state *state = s->state;
    const uint32_t *place = state->lists.place + (size_t)state->lists.first[i] * PD_LANES;
    const float *own = state->pushed[i];
    pd_floatw move_x = pd_set(0), move_y = pd_set(0);
    for (int b = 0; b < state->lists.length[i]; b++) {
        pd_floatw other[4];
        pd_gather4((const pbf_record *)state->pushed, place + b * PD_LANES, other);
        pair p = way_to(s, own, other);
        pd_floatw slope = pd_mul(spiky(&p), pd_set(s->gradient_factor)), lambda = pd_add(pd_set(own[2]), other[2]);
        if (artificial) {
            pd_floatw t = pd_max(pd_mul(pd_sub(pd_set(1), p.r2), pd_set(s->inverse_reach)), pd_set(0));
            pd_floatw nearness = power(pd_mul(t, pd_mul(t, t)), s->exponent);
            lambda = pd_sub(lambda, pd_mul(nearness, pd_set(s->strength)));
        }
        /* Times 1/r: of the pair's way, which is at most 1. */
        pd_floatw d = pd_mul(within(pd_mul(lambda, pd_mul(slope, pd_mul(p.r2, p.inverse_r))), FARTHEST), p.inverse_r);
        move_x = pd_add(move_x, pd_mul(d, p.dx));
        move_y = pd_add(move_y, pd_mul(d, p.dy));
    }
    float scale = s->h * own[3] * state->lists.weight[i];
    state->moved[i][0] += pd_sum(move_x) * scale;
    state->moved[i][1] += pd_sum(move_y) * scale;
}

static void push(void *pass, int begin, int end) {
    const pbf_pass *s = pass;
    if (s->strength > 0)
        for (int i = begin; i < end; i++) push_one(s, i, true);
    else
        for (int i = begin; i < end; i++) push_one(s, i, false);
}

/* What of smoothing is known when the program is compiled: a loop of each kind. */
typedef struct kind {
    bool viscous, materials, vortical;
} kind;

static inline double smooth_one(const pbf_pass *s, int i, kind k) {
    const pbf_state *state = s->state;
    const uint32_t *place = state->lists.place + (size_t)state->lists.first[i] * PD_LANES;
    const float *own = state->place[i], *moving = state->moving[i];
    const int material = s->particles->material[i];
    pd_floatw density = pd_set(0), drag_x = pd_set(0), drag_y = pd_set(0), curl = pd_set(0);
    for (int b = 0; b < state->lists.length[i]; b++) {
        pd_floatw other[4], velocity[4];
        pd_gather4((const pbf_record *)state->place, place + b * PD_LANES, other);
        pair p = way_to(s, own, other);
        pd_floatw w = poly6(&p);
        density = pd_add(density, w);
        if (!k.viscous && !k.vortical) continue;
        pd_gather4((const pbf_record *)state->moving, place + b * PD_LANES, velocity);
        pd_floatw vx = pd_sub(velocity[0], pd_set(moving[0])), vy = pd_sub(velocity[1], pd_set(moving[1]));
        if (k.vortical) {
            pd_floatw slope = spiky(&p);
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
        float part = s->xsph * s->density_factor;
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
static inline void confine_one(const pbf_pass *s, int i) {
    const pbf_state *state = s->state;
    const uint32_t *place = state->lists.place + (size_t)state->lists.first[i] * PD_LANES;
    const float *own = state->pushed[i];
    pd_floatw towards_x = pd_set(0), towards_y = pd_set(0), none = pd_set(0);
    for (int b = 0; b < state->lists.length[i]; b++) {
        pd_floatw other[4];
        pd_gather4((const pbf_record *)state->pushed, place + b * PD_LANES, other);
        pair p = way_to(s, own, other);
        pd_floatw slope = pd_mul(spiky(&p), pd_max(other[2], pd_sub(none, other[2])));
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
