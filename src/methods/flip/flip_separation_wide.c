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
    MOST_CANDIDATES = 128, /* in a row; at rest there are twelve */
    MOST_VECTORS = ROWS * MOST_CANDIDATES / PD_LANES,
};

/* Consecutive particles, from `first` on. Weights: the greatest one of each lane, 1, or 0 behind the last candidate. */
typedef struct candidates {
    int first;
    const float *weights;
} candidates;

static const float ONES_THEN_ZEROS[2 * PD_LANES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* The particles in the buckets around one, as vectors; returns their number. Longer ranges, of a coarse grid or of heaped
 * particles, are sampled, which bounds the cost. */
static inline int candidates_around(const flip_pass *s, int column, int row, candidates *vectors) {
    const int columns = s->state->columns, rows = s->state->mac->layout.ny;
    const int left = column > 0 ? column - 1 : 0, right = column + 1 < columns ? column + 1 : column;
    int count = 0;
    for (int j = row > 0 ? row - 1 : 0; j <= row + 1 && j < rows; j++) {
        int first = s->start[j * columns + left], left_over = s->start[j * columns + right + 1] - first;
        if (left_over > MOST_CANDIDATES) {
            uint64_t seed = pd_random_mix((uint64_t)(j * columns + column));
            first += (int)(seed % ((uint64_t)(left_over - MOST_CANDIDATES) + 1));
            left_over = MOST_CANDIDATES;
        }
        for (; left_over > PD_LANES; left_over -= PD_LANES, first += PD_LANES)
            vectors[count++] = (candidates){first, ONES_THEN_ZEROS};
        if (left_over > 0) vectors[count++] = (candidates){first, ONES_THEN_ZEROS + PD_LANES - left_over};
    }
    return count;
}

typedef float four __attribute__((vector_size(16)));

/* Sums over the lanes of x and y, in the order of pd_sum: elements 0 and 1. */
static inline four sums_of(pd_floatw x, pd_floatw y) {
    four a = (four)pd_quarter_sums(x), b = (four)pd_quarter_sums(y);
    four halves = __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
    return halves + __builtin_shufflevector(halves, halves, 2, 3, 2, 3);
}

/* What all of the candidates add to the shift of particle i, into old_x and old_y. */
static inline void separate(const flip_pass *s, int i, const candidates *around, int vectors) {
    const pd_particles *p = s->particles;
    const pd_floatw x = pd_set(p->x[i]), y = pd_set(p->y[i]), scale = pd_set(s->inverse_reach2), zero = pd_set(0);
    pd_floatw sum_x = zero, sum_y = zero;
    for (int k = 0; k < vectors; k++) {
        pd_floatw dx = pd_sub(x, pd_load_all(p->x + around[k].first));
        pd_floatw dy = pd_sub(y, pd_load_all(p->y + around[k].first));
        pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_mul(dy, dy));
        pd_floatw weight = pd_max(pd_sub(pd_load_all(around[k].weights), pd_mul(r2, scale)), zero);
        sum_x = pd_add(sum_x, pd_mul(weight, dx));
        sum_y = pd_add(sum_y, pd_mul(weight, dy));
    }
    four sums = sums_of(sum_x, sum_y);
    p->old_x[i] = sums[0];
    p->old_y[i] = sums[1];
}

static inline void scale_and_clamp(float *restrict shift, int count, float part, float most) {
    for (int i = 0; i < count; i++) {
        float scaled = part * shift[i];
        scaled = scaled > -most ? scaled : -most;
        shift[i] = scaled < most ? scaled : most;
    }
}

void PD_LEVEL_NAME(flip_separate)(void *context, int begin, int end) {
    const flip_pass *s = context;
    const int columns = s->state->columns, *start = s->start;
    candidates around[MOST_VECTORS];
    for (int j = begin; j < end; j++)
        for (int c = 0; c < columns; c++) {
            int first = start[j * columns + c], last = start[j * columns + c + 1];
            if (first == last) continue;
            int vectors = candidates_around(s, c, j, around);
            for (int i = first; i < last; i++) separate(s, i, around, vectors);
        }
    int first = start[begin * columns], count = start[end * columns] - first;
    scale_and_clamp(s->particles->old_x + first, count, s->separation, s->most_shift);
    scale_and_clamp(s->particles->old_y + first, count, s->separation, s->most_shift);
}
