/* Inner loop of springs, compiled once for each SIMD level (core/simd.h). All levels give the same bits. */
#include "core/simd.h"
#include "methods/particle_fluid/springs.h"

#include <string.h>

/* Returns rest lengths after plastic flow (algorithm 4, without new springs). A deformation beyond yield x rest length
 * changes the rest length. */
static inline pd_floatw adjust_rest_length(pd_floatw rest_length, pd_floatw distance, pd_floatw yield,
                                           pd_floatw plasticity, pd_floatw least_rest_length) {
    pd_floatw zero = pd_set(0), slack = pd_mul(rest_length, yield);
    pd_floatw stretched = pd_max(pd_sub(pd_sub(distance, rest_length), slack), zero);
    pd_floatw squeezed = pd_max(pd_sub(pd_sub(rest_length, slack), distance), zero);
    return pd_max(pd_add(rest_length, pd_mul(plasticity, pd_sub(stretched, squeezed))), least_rest_length);
}

/* Removes the springs whose bits in `kept_bits` are 0. The other springs remain in order. Returns their number. */
static int remove_broken_springs(uint32_t *other_slot, float *rest_length, int count, const unsigned *kept_bits) {
    int left = 0;
    for (int k = 0; k < count; k++)
        if (kept_bits[k / PD_LANES] >> k % PD_LANES & 1) {
            other_slot[left] = other_slot[k];
            rest_length[left] = rest_length[k];
            left++;
        }
    return left;
}

static void sum_spring_displacements(const springs_pull *pull, int slot) {
    uint32_t *other = pull->springs->other_slot + (size_t)slot * SPRINGS_PER_PARTICLE;
    float *rests = pull->springs->rest_length + (size_t)slot * SPRINGS_PER_PARTICLE;
    const float *xs = pull->springs->x, *ys = pull->springs->y;
    int material = pull->springs->material[slot], count = pull->springs->spring_count[slot];
    unsigned kept[SPRINGS_PER_PARTICLE / PD_LANES];
    bool all = true;
    pd_floatw x = pd_set(xs[slot]), y = pd_set(ys[slot]), move_x = pd_set(0), move_y = pd_set(0), one = pd_set(1);
    for (int b = 0; b < count; b += PD_LANES) {
        int lanes = count - b < PD_LANES ? count - b : PD_LANES;
        pd_maskw used = pd_lane_range(0, lanes);
        pd_floatw slots = pd_load_words32(used, other + b);
        pd_floatw dx = pd_sub(pd_gather(xs, slots), x), dy = pd_sub(pd_gather(ys, slots), y);
        pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_add(pd_mul(dy, dy), pd_set(1e-12f * pull->h * pull->h)));
        pd_floatw inverse_r = pd_rsqrt(r2), r = pd_mul(r2, inverse_r);
        pd_floatw rest = adjust_rest_length(pd_load_all(rests + b), r, pd_set(pull->yield[material]),
                                            pd_set(pull->plasticity[material]), pd_set(pull->least_rest_length));
        pd_store(used, rests + b, rest);
        /* Springs whose rest length is still h have no force. They are removed, like broken springs. */
        pd_maskw intact = pd_and(pd_less(rest, pd_set(pull->h)), pd_less(r, pd_set(pull->break_length)));
        kept[b / PD_LANES] = pd_movemask(pd_and(intact, used));
        all = all && kept[b / PD_LANES] == pd_movemask(used);
        /* Algorithm 6: each end is displaced by half of dt^2 k (1 - L/h)(L - r). */
        pd_floatw share = pd_max(pd_sub(one, pd_mul(rest, pd_set(pull->inverse_h))), pd_set(0));
        pd_floatw d = pd_mul(pd_mul(pd_set(0.5f * pull->stiffness[material]), share), pd_sub(r, rest));
        d = pd_max(pd_set(-pull->displacement_limit),
                   pd_sub(pd_set(0), pd_max(pd_set(-pull->displacement_limit), pd_sub(pd_set(0), d))));
        d = pd_zero_unset_lanes(pd_and(intact, used), pd_mul(d, inverse_r));
        move_x = pd_add(move_x, pd_mul(d, dx));
        move_y = pd_add(move_y, pd_mul(d, dy));
    }
    pull->springs->move_x[slot] = pd_sum(move_x);
    pull->springs->move_y[slot] = pd_sum(move_y);
    if (!all) pull->springs->spring_count[slot] = (uint8_t)remove_broken_springs(other, rests, count, kept);
}

void PD_LEVEL_NAME(pd_springs_compute_displacements)(void *context, int begin, int end) {
    const springs_pull *pull = context;
    /* In the order of the slots, because springs->x and the lists are in this order. */
    for (int slot = begin; slot < end; slot++)
        if (pull->springs->particle[slot] != SPRINGS_NO_SLOT) sum_spring_displacements(pull, slot);
}
