/* Separation of particles in the liquid. The grid does not see how particles lie within a cell: where the flow stretches
 * them into sheets, or rises from a wall, slits and holes smaller than a cell would stay. Particles closer than the spacing
 * at rest repel one another, which changes positions but no velocities.
 *
 * Ando, Tsuruno, "A Particle-based Method for Preserving Fluid Sheets", 2011, section 3; with the weight 1 - (r/reach)^2,
 * which takes no root.
 *
 * Compiled once for each SIMD level (core/simd.h), with the same bits at each: the lanes of a vector are candidates. */
#include "core/random.h"
#include "core/simd.h"
#include "methods/flip/flip.h"

enum {
    ROWS = 3,              /* of cells around a particle */
    GROUP = 4,             /* particles of a bucket that share the loads of candidates */
    MOST_CANDIDATES = 128, /* in a row; at rest there are twelve */
};

/* The particles in the buckets around one, by row. */
typedef struct candidates {
    int begin[ROWS], end[ROWS];
} candidates;

/* Longer ranges, of a coarse grid or of heaped particles, are sampled, which bounds the cost. */
static candidates candidates_around(const flip_pass *s, int column, int row) {
    const int columns = s->state->columns, rows = s->state->mac->layout.ny;
    const int first = column > 0 ? column - 1 : 0, last = column + 1 < columns ? column + 1 : column;
    candidates around = {0};
    for (int k = 0; k < ROWS; k++) {
        int j = row + k - 1;
        if (j < 0 || j >= rows) continue;
        int begin = s->start[j * columns + first], end = s->start[j * columns + last + 1];
        int spare = end - begin - MOST_CANDIDATES;
        if (spare > 0) {
            begin += (int)(pd_random_mix((uint64_t)(j * columns + column)) % ((uint64_t)spare + 1));
            end = begin + MOST_CANDIDATES;
        }
        around.begin[k] = begin;
        around.end[k] = end;
    }
    return around;
}

static float within(float a, float most) {
    a = a > -most ? a : -most;
    return a < most ? a : most;
}

/* What all of the candidates add to the shifts of particles i .. i + count - 1; count is a constant. */
PD_INLINE void separate_group(const flip_pass *s, int i, int count, const candidates *around) {
    const pd_particles *p = s->particles;
    const pd_floatw one = pd_set(1), zero = pd_set(0), scale = pd_set(s->inverse_reach2);
    const float most = s->most_shift, part = s->separation;
    pd_floatw x[GROUP], y[GROUP], sum_x[GROUP], sum_y[GROUP];
    for (int k = 0; k < count; k++) {
        x[k] = pd_set(p->x[i + k]);
        y[k] = pd_set(p->y[i + k]);
        sum_x[k] = sum_y[k] = zero;
    }
    for (int r = 0; r < ROWS; r++)
        for (int j = around->begin[r]; j < around->end[r]; j += PD_LANES) {
            int left = around->end[r] - j;
            pd_maskw lanes = pd_span(0, left < PD_LANES ? left : PD_LANES);
            /* Lanes beyond the range are not read: behind the last particle there may be bits that are no numbers. */
            pd_floatw other_x = pd_load(lanes, p->x + j), other_y = pd_load(lanes, p->y + j);
            pd_floatw most_weight = pd_mask(lanes, one);
            for (int k = 0; k < count; k++) {
                pd_floatw dx = pd_sub(x[k], other_x), dy = pd_sub(y[k], other_y);
                pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_mul(dy, dy));
                pd_floatw weight = pd_max(pd_sub(most_weight, pd_mul(r2, scale)), zero);
                sum_x[k] = pd_add(sum_x[k], pd_mul(weight, dx));
                sum_y[k] = pd_add(sum_y[k], pd_mul(weight, dy));
            }
        }
    for (int k = 0; k < count; k++) {
        p->old_x[i + k] = within(part * pd_sum(sum_x[k]), most);
        p->old_y[i + k] = within(part * pd_sum(sum_y[k]), most);
    }
}

void PD_LEVEL_NAME(flip_separate)(void *context, int begin, int end) {
    const flip_pass *s = context;
    const int columns = s->state->columns;
    for (int j = begin; j < end; j++)
        for (int c = 0; c < columns; c++) {
            int i = s->start[j * columns + c], last = s->start[j * columns + c + 1];
            if (i == last) continue;
            candidates around = candidates_around(s, c, j);
            for (; i + GROUP <= last; i += GROUP) separate_group(s, i, GROUP, &around);
            if (i + 2 <= last) {
                separate_group(s, i, 2, &around);
                i += 2;
            }
            if (i < last) separate_group(s, i, 1, &around);
        }
}
