/* Loops of deviator.h, compiled once for each SIMD level (core/simd.h). All levels give the same
 * bits. The candidates around a particle are contiguous ranges of the sorted arrays, and a vector has PD_LANES of them. */
#include "methods/particle_fluid/deviator.h"

#include "core/simd.h"

/* Term added to r^2, so that 1/r is finite at distance 0. */
static const float TINY = 1e-12f;

/* Candidates around the bucket of the present particle. */
typedef struct around {
    int bucket;
    pd_ranges ranges;
} around;

static void find_candidates(const deviator_pass *pass, int i, around *around) {
    const pd_neighbours *n = pass->neighbours;
    int bucket = (int)n->key[n->order[i]];
    if (bucket == around->bucket) return;
    around->bucket = bucket;
    pd_neighbours_list_ranges(n, bucket % n->columns, bucket / n->columns, &around->ranges);
    for (int r = 0; r < around->ranges.count; r++)
        pd_limit_candidate_range(&around->ranges.begin[r], &around->ranges.end[r], pass->id[i]);
}

/* Vector (dx, dy) from a particle to PD_LANES candidates, q = max(1 - r, 0), and q/r. q is 0 beyond the range. */
typedef struct pairs {
    pd_floatw dx, dy, q, q_over_r;
} pairs;

PD_INLINE pairs compute_pairs(const deviator *d, int i, int at, int end) {
    pairs p = {.dx = pd_sub(pd_load_all(d->x + at), pd_set(d->x[i])),
               .dy = pd_sub(pd_load_all(d->y + at), pd_set(d->y[i]))};
    pd_floatw r2 = pd_add(pd_mul(p.dx, p.dx), pd_mul(p.dy, p.dy)), inverse_r = pd_rsqrt(pd_add(r2, pd_set(TINY)));
    p.q = pd_max(pd_sub(pd_set(1), pd_mul(r2, inverse_r)), pd_set(0));
    p.q = pd_zero_unset_lanes(pd_lane_range(0, end - at < PD_LANES ? end - at : PD_LANES), p.q);
    p.q_over_r = pd_mul(p.q, inverse_r);
    return p;
}

/* Returns ((1 - r^2) inverse_reach)^(3 exponent) times the strength. The base is at least 0.1, because denormal numbers are
 * slow. */
PD_INLINE pd_floatw compute_repulsion(const deviator_repulsion *repulsion, const pairs *p) {
    pd_floatw r2 = pd_add(pd_mul(p->dx, p->dx), pd_mul(p->dy, p->dy)), result = pd_set(repulsion->strength);
    pd_floatw t = pd_max(pd_mul(pd_sub(pd_set(1), r2), pd_set(repulsion->inverse_reach)), pd_set(0.1f));
    t = pd_mul(t, pd_mul(t, t));
    for (int exponent = repulsion->exponent; exponent; exponent >>= 1) {
        if (exponent & 1) result = pd_mul(result, t);
        t = pd_mul(t, t);
    }
    return result;
}

static void compute_deviator(const deviator_pass *pass, int i, const pd_ranges *ranges) {
    const deviator *d = pass->deviator;
    pd_floatw normal = pd_set(0), shear = pd_set(0);
    for (int n = 0; n < ranges->count; n++)
        for (int at = ranges->begin[n], end = ranges->end[n]; at < end; at += PD_LANES) {
            pairs p = compute_pairs(d, i, at, end);
            pd_floatw far = pd_add(pd_set(d->far[i]), pd_load_all(d->far + at));
            pd_floatw near = pd_add(pd_set(d->near[i]), pd_load_all(d->near + at));
            if (pass->repulsion.strength > 0) near = pd_add(near, compute_repulsion(&pass->repulsion, &p));
            pd_floatw force = pd_mul(pd_add(far, pd_mul(near, p.q)), pd_mul(pd_load_all(d->pair + at), p.q_over_r));
            normal = pd_add(normal, pd_mul(force, pd_sub(pd_mul(p.dx, p.dx), pd_mul(p.dy, p.dy))));
            shear = pd_add(shear, pd_mul(force, pd_mul(p.dx, p.dy)));
        }
    float scale = 0.5f * pass->h * d->weight[i] * d->pair[i];
    d->normal[i] = 0.5f * scale * pd_sum(normal);
    d->shear[i] = scale * pd_sum(shear);
}

static void compute_deviators(void *context, int begin, int end) {
    const deviator_pass *pass = context;
    around around = {.bucket = -1};
    for (int i = begin; i < end; i++) {
        pass->deviator->normal[i] = pass->deviator->shear[i] = 0;
        if (!(pass->deviator->weight[i] > 0)) continue;
        find_candidates(pass, i, &around);
        compute_deviator(pass, i, &around.ranges);
    }
}

static void compute_force(const deviator_pass *pass, int i, const pd_ranges *ranges) {
    const deviator *d = pass->deviator;
    pd_floatw x = pd_set(0), y = pd_set(0), own_area = pd_set(d->area[i]);
    for (int n = 0; n < ranges->count; n++)
        for (int at = ranges->begin[n], end = ranges->end[n]; at < end; at += PD_LANES) {
            pairs p = compute_pairs(d, i, at, end);
            pd_floatw area = pd_load_all(d->area + at);
            pd_floatw normal =
                pd_add(pd_mul(area, pd_set(d->normal[i])), pd_mul(own_area, pd_load_all(d->normal + at)));
            pd_floatw shear = pd_add(pd_mul(area, pd_set(d->shear[i])), pd_mul(own_area, pd_load_all(d->shear + at)));
            pd_floatw weight =
                pd_mul(p.q_over_r, pd_sub(pd_set(2), pd_mul(pd_set(d->known[i]), pd_load_all(d->known + at))));
            x = pd_add(x, pd_mul(weight, pd_add(pd_mul(normal, p.dx), pd_mul(shear, p.dy))));
            y = pd_add(y, pd_mul(weight, pd_sub(pd_mul(shear, p.dx), pd_mul(normal, p.dy))));
        }
    const float slope = 12 / (3.14159265f * pass->h * pass->h * pass->h);
    d->force_x[i] = slope * pd_sum(x);
    d->force_y[i] = slope * pd_sum(y);
}

static void compute_forces(void *context, int begin, int end) {
    const deviator_pass *pass = context;
    around around = {.bucket = -1};
    for (int i = begin; i < end; i++) {
        pass->deviator->force_x[i] = pass->deviator->force_y[i] = 0;
        if (!(pass->deviator->reach[i] > DEVIATOR_LEAST_REACH)) continue;
        find_candidates(pass, i, &around);
        compute_force(pass, i, &around.ranges);
    }
}

const deviator_kernels PD_LEVEL_NAME(deviator_kernels) = {.compute_deviators = compute_deviators,
                                                          .compute_forces = compute_forces};
