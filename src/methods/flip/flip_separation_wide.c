/* Separation of particles in the liquid, compiled once for each SIMD level (core/simd.h). The lanes of a vector are
 * candidates: particles that may be within reach of one particle. All levels give the same bits.
 *
 * The grid does not resolve positions of particles within a cell. Where the flow stretches them into sheets, or rises
 * from a wall, slits and holes smaller than a cell would remain. Particles closer than the spacing at rest therefore
 * repel one another, which changes positions but no velocities.
 *
 * Source: Ando, Tsuruno, "A Particle-based Method for Preserving Fluid Sheets", 2011, section 3, with the weight 1 -
 * (r/reach)^2, which needs no square root. */
#include "core/random.h"
#include "core/simd.h"
#include "methods/flip/flip.h"

#include <math.h>

enum {
    ROWS = 3,              /* rows of cells around a particle */
    MOST_CANDIDATES = 128, /* greatest number of candidates in one of these rows; at rest there are twelve */
    MOST_VECTORS = ROWS * MOST_CANDIDATES / PD_LANES,
};

/* A vector of PD_LANES candidates: the consecutive particles from `first` on. weights: by lane, the candidate's weight
 * at the distance 0: 1, or 0 in lanes behind the last candidate. */
typedef struct candidates {
    int first;
    const float *weights;
} candidates;

static const float ONES_THEN_ZEROS[2 * PD_LANES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* Candidates in the 3 x 3 buckets around a particle. The vectors row[k] to row[k + 1] - 1 are the candidates in row k:
 * the row below (k = 0), the particle's own row (1), the row above (2). */
typedef struct surroundings {
    candidates vectors[MOST_VECTORS]; /* vectors of all rows */
    int row[ROWS + 1];                /* by row: index of its first vector */
} surroundings;

/* Lists the candidates for all particles in a bucket: the particles in the 3 x 3 buckets around it. If one of the three
 * rows has more than MOST_CANDIDATES particles (coarse grid, heaped particles), only a random range of them is listed,
 * to limit the cost. */
static inline void list_candidates_around_bucket(const flip_loop_data *s, int column, int row, surroundings *around) {
    const int columns = s->state->columns, rows = s->state->mac->layout.ny;
    const int left = column > 0 ? column - 1 : 0, right = column + 1 < columns ? column + 1 : column;
    int count = 0;
    for (int k = 0; k < ROWS; k++) {
        int j = row + k - 1;
        around->row[k] = count;
        if (j < 0 || j >= rows) continue;
        int first = s->start[j * columns + left], left_over = s->start[j * columns + right + 1] - first;
        if (left_over > MOST_CANDIDATES) {
            uint64_t seed = pd_random_mix_bits((uint64_t)(j * columns + column));
            first += (int)(seed % ((uint64_t)(left_over - MOST_CANDIDATES) + 1));
            left_over = MOST_CANDIDATES;
        }
        for (; left_over > PD_LANES; left_over -= PD_LANES, first += PD_LANES)
            around->vectors[count++] = (candidates){first, ONES_THEN_ZEROS};
        if (left_over > 0) around->vectors[count++] = (candidates){first, ONES_THEN_ZEROS + PD_LANES - left_over};
    }
    around->row[ROWS] = count;
}

/* Writes two bits for each particle of row j to neighbours.key, which is unused after the sort: 1: the particle cannot
 * reach the row of cells below; 2: it cannot reach the row above. A separate loop does this, since in
 * compute_separation_shift the operations would form a chain of latencies. */
static inline void mark_rows_out_of_reach(const flip_loop_data *s, int j) {
    const int columns = s->state->columns, end = s->start[(j + 1) * columns];
    const float *restrict y = s->particles->y;
    const float scale = s->inverse_cell, low = s->origin_y, rounding = 0.01f;
    const float reach = sqrtf(1 / s->inverse_reach2) * scale + rounding;
    uint32_t *restrict out = s->world->neighbours.key;
    for (int i = s->start[j * columns]; i < end; i++) {
        float height = (y[i] - low) * scale - (float)j;
        out[i] = (height > reach ? 1u : 0u) | (1 - height > reach ? 2u : 0u);
    }
}

typedef float four __attribute__((vector_size(16)));

/* Returns the sums over the lanes of x (element 0) and of y (element 1), added in the order of pd_sum. */
static inline four sum_lanes_of_two_vectors(pd_floatw x, pd_floatw y) {
    four a = (four)pd_quarter_sums(x), b = (four)pd_quarter_sums(y);
    four halves = __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
    return halves + __builtin_shufflevector(halves, halves, 2, 3, 2, 3);
}

/* Computes the shift of particle i: the sum of w (dx, dy) over the candidates in the vectors [begin, end), w = 1 - r^2 /
 * reach^2 (at least 0), (dx, dy): vector from the candidate to the particle, r: its length. Writes the shift to old_x[i]
 * and old_y[i], which are working memory here. */
static inline void compute_separation_shift(const flip_loop_data *s, int i, const candidates *vectors, int begin,
                                            int end) {
    const pd_particles *p = s->particles;
    const pd_floatw x = pd_set(p->x[i]), y = pd_set(p->y[i]), scale = pd_set(s->inverse_reach2), zero = pd_set(0);
    pd_floatw sum_x = zero, sum_y = zero;
    for (int k = begin; k < end; k++) {
        pd_floatw dx = pd_sub(x, pd_load_all(p->x + vectors[k].first));
        pd_floatw dy = pd_sub(y, pd_load_all(p->y + vectors[k].first));
        pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_mul(dy, dy));
        pd_floatw weight = pd_max(pd_sub(pd_load_all(vectors[k].weights), pd_mul(r2, scale)), zero);
        sum_x = pd_add(sum_x, pd_mul(weight, dx));
        sum_y = pd_add(sum_y, pd_mul(weight, dy));
    }
    four sums = sum_lanes_of_two_vectors(sum_x, sum_y);
    p->old_x[i] = sums[0];
    p->old_y[i] = sums[1];
}

static inline void scale_and_clamp_shifts(float *restrict shift, int count, float factor, float limit) {
    for (int i = 0; i < count; i++) {
        float scaled = factor * shift[i];
        scaled = scaled > -limit ? scaled : -limit;
        shift[i] = scaled < limit ? scaled : limit;
    }
}

void PD_LEVEL_NAME(pd_flip_separate)(void *context, int begin, int end) {
    const flip_loop_data *s = context;
    const int columns = s->state->columns, *start = s->start;
    const uint32_t *out = s->world->neighbours.key;
    surroundings around;
    for (int j = begin; j < end; j++) {
        mark_rows_out_of_reach(s, j);
        for (int c = 0; c < columns; c++) {
            int first = start[j * columns + c], last = start[j * columns + c + 1];
            if (first == last) continue;
            list_candidates_around_bucket(s, c, j, &around);
            for (int i = first; i < last; i++)
                compute_separation_shift(s, i, around.vectors, around.row[out[i] & 1],
                                         around.row[ROWS - (out[i] >> 1)]);
        }
    }
    int first = start[begin * columns], count = start[end * columns] - first;
    scale_and_clamp_shifts(s->particles->old_x + first, count, s->separation, s->most_shift);
    scale_and_clamp_shifts(s->particles->old_y + first, count, s->separation, s->most_shift);
}
