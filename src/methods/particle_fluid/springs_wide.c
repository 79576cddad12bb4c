/* Inner loop of springs, compiled once for each SIMD level (core/simd.h). All levels give the same bits. */
#include "core/simd.h"
#include "methods/particle_fluid/springs.h"

#include <string.h>

/* Returns rest lengths after plastic flow (algorithm 4, without new springs): the deformation beyond yield x rest
 * length changes them. */
static inline pd_floatw adjust_rest_length(pd_floatw rest, pd_floatw r, pd_floatw yield, pd_floatw plasticity,
                                           pd_floatw shortest) {
    pd_floatw zero = pd_set(0), slack = pd_mul(rest, yield);
    pd_floatw stretched = pd_max(pd_sub(pd_sub(r, rest), slack), zero);
    pd_floatw squeezed = pd_max(pd_sub(pd_sub(rest, slack), r), zero);
    return pd_max(pd_add(rest, pd_mul(plasticity, pd_sub(stretched, squeezed))), shortest);
}

/* Removes the springs whose bits in `kept` are 0. The others remain in order. Returns the number of the others. */
static int remove_broken(uint32_t *other, float *rest, int count, const unsigned *kept) {
    int left = 0;
    for (int k = 0; k < count; k++)
        if (kept[k / PD_LANES] >> k % PD_LANES & 1) {
            other[left] = other[k];
            rest[left] = rest[k];
            left++;
        }
    return left;
}

static void pull(const springs_pull *s, int slot) {
    uint32_t *other = s->springs->other + (size_t)slot * SPRINGS_PER_PARTICLE;
    float *rests = s->springs->rest + (size_t)slot * SPRINGS_PER_PARTICLE;
    const float *xs = s->springs->x, *ys = s->springs->y;
    int material = s->springs->material[slot], count = s->springs->count[slot];
    unsigned kept[SPRINGS_PER_PARTICLE / PD_LANES];
    bool all = true;
    pd_floatw x = pd_set(xs[slot]), y = pd_set(ys[slot]), move_x = pd_set(0), move_y = pd_set(0), one = pd_set(1);
    for (int b = 0; b < count; b += PD_LANES) {
        int lanes = count - b < PD_LANES ? count - b : PD_LANES;
        pd_maskw used = pd_lane_range(0, lanes);
        pd_floatw slots = pd_load_words32(used, other + b);
        pd_floatw dx = pd_sub(pd_gather(xs, slots), x), dy = pd_sub(pd_gather(ys, slots), y);
        pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_add(pd_mul(dy, dy), pd_set(1e-12f * s->h * s->h)));
        pd_floatw inverse_r = pd_rsqrt(r2), r = pd_mul(r2, inverse_r);
        pd_floatw rest = adjust_rest_length(pd_load_all(rests + b), r, pd_set(s->yield[material]),
                                            pd_set(s->plasticity[material]), pd_set(s->shortest));
        pd_store(used, rests + b, rest);
        /* Springs whose rest length is still h have no force. They are removed, like broken springs. */
        pd_maskw intact = pd_and(pd_less(rest, pd_set(s->h)), pd_less(r, pd_set(s->break_length)));
        kept[b / PD_LANES] = pd_movemask(pd_and(intact, used));
        all = all && kept[b / PD_LANES] == pd_movemask(used);
        /* Algorithm 6: each end is displaced by half of dt^2 k (1 - L/h)(L - r). */
        pd_floatw share = pd_max(pd_sub(one, pd_mul(rest, pd_set(s->inverse_h))), pd_set(0));
        pd_floatw d = pd_mul(pd_mul(pd_set(0.5f * s->stiffness[material]), share), pd_sub(r, rest));
        d = pd_max(pd_set(-s->farthest), pd_sub(pd_set(0), pd_max(pd_set(-s->farthest), pd_sub(pd_set(0), d))));
        d = pd_zero_unset_lanes(pd_and(intact, used), pd_mul(d, inverse_r));
        move_x = pd_add(move_x, pd_mul(d, dx));
        move_y = pd_add(move_y, pd_mul(d, dy));
    }
    s->springs->move_x[slot] = pd_sum(move_x);
    s->springs->move_y[slot] = pd_sum(move_y);
    if (!all) s->springs->count[slot] = (uint8_t)remove_broken(other, rests, count, kept);
}

void PD_LEVEL_NAME(springs_pull)(void *context, int begin, int end) {
    const springs_pull *s = context;
    /* Slots are visited in their order in memory, not in that of the particles. */
    for (int slot = begin; slot < end; slot++)
        if (s->springs->particle[slot] != SPRINGS_NO_SLOT) pull(s, slot);
}
