/* Exchange of circulation between neighbouring vortons. Compiled once for each SIMD level (core/simd.h), with the same
 * bits. */
#include "core/simd.h"
#include "methods/vortex/vortex.h"

enum { REACH = 4 /* range of the exchange, cells: 2.9 cores */ };

/* Returns exp(-r2) for 0 <= r2 <= 9: a series for exp(-r2/32), squared five times. Relative error 2e-6. */
static inline pd_floatw exp_of_minus(pd_floatw r2) {
    pd_floatw t = pd_mul(r2, pd_set(1.0f / 32)), one = pd_set(1), e = one;
    for (int k = 6; k > 0; k--) e = pd_sub(one, pd_mul(pd_mul(t, pd_set(1.0f / (float)k)), e));
    for (int k = 0; k < 5; k++) e = pd_mul(e, e);
    return e;
}

/* Returns `sum` plus the circulation that element n of vortons_by_cell exchanges with the elements `from` to `to` -
 * 1. */
static inline pd_floatw add_circulation_exchanges(const vortex_exchange *e, int n, int from, int to, pd_floatw sum) {
    pd_floatw x = pd_set(e->x[n]), y = pd_set(e->y[n]), area = pd_set(e->area[n]), own = pd_set(e->circulation[n]);
    pd_floatw inverse_width2 = pd_set(e->inverse_width2), far = pd_set(9);
    for (int b = from; b < to; b += PD_LANES) {
        pd_maskw used = pd_lane_range(0, to - b < PD_LANES ? to - b : PD_LANES);
        pd_floatw dx = pd_sub(pd_load(used, e->x + b), x), dy = pd_sub(pd_load(used, e->y + b), y);
        pd_floatw r2 = pd_mul(pd_add(pd_mul(dx, dx), pd_mul(dy, dy)), inverse_width2);
        pd_floatw given = pd_mul(area, pd_load(used, e->circulation + b));
        pd_floatw returned = pd_mul(pd_load(used, e->area + b), own);
        pd_floatw all = pd_mul(pd_sub(given, returned), exp_of_minus(pd_min(r2, far)));
        sum = pd_add(sum, pd_zero_unset_lanes(pd_and(used, pd_less(r2, far)), all));
    }
    return sum;
}

void PD_LEVEL_NAME(pd_vortex_exchange_circulation)(const vortex_exchange *e, int begin, int end) {
    const pd_layout *l = e->layout;
    for (int n = begin; n < end; n++) {
        int cell = e->cell_of[e->vortons_by_cell[n]], row = cell / l->stride, column = cell % l->stride;
        int left = column - REACH < 0 ? 0 : column - REACH;
        int right = column + REACH >= l->stride ? l->stride - 1 : column + REACH;
        pd_floatw sum = pd_set(0);
        for (int j = row - REACH < 0 ? 0 : row - REACH; j <= row + REACH && j < l->ny + 2; j++)
            sum = add_circulation_exchanges(e, n, e->start[j * l->stride + left], e->start[j * l->stride + right + 1],
                                            sum);
        e->circulation_change[n] = pd_sum(sum) * e->factor;
    }
}
