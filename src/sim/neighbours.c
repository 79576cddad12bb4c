#include "sim/neighbours.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, MINIMUM_BUCKETS = 4096, BUCKETS_PER_PARTICLE = 4, FARTHEST_CELL = 1 << 28 };

static int bucket_limit(int capacity) {
    return capacity * BUCKETS_PER_PARTICLE + MINIMUM_BUCKETS;
}

pd_result pd_neighbours_reserve(pd_neighbours *neighbours, int capacity, pd_error *error) {
    if (capacity <= neighbours->capacity) return PD_OK;
    int buckets = bucket_limit(capacity);
    size_t padded = (size_t)capacity + PD_PADDING;
    int *start = pd_allocate((size_t)buckets + 1, sizeof *start);
    uint32_t *key = pd_allocate(padded, sizeof *key), *order = pd_allocate(padded, sizeof *order);
    void *scratch = pd_allocate(padded, sizeof(float));
    if (!start || !key || !order || !scratch) {
        pd_free(start), pd_free(key), pd_free(order), pd_free(scratch);
        return pd_fail(error, PD_ITEM_OUT_OF_MEMORY, "no memory for the neighbours of %d particles (use fewer)",
                       capacity);
    }
    pd_neighbours_free(neighbours);
    *neighbours = (pd_neighbours){.start = start, .key = key, .order = order, .scratch = scratch, .capacity = capacity};
    return PD_OK;
}

void pd_neighbours_free(pd_neighbours *neighbours) {
    pd_free(neighbours->start), pd_free(neighbours->key), pd_free(neighbours->order), pd_free(neighbours->scratch);
    *neighbours = (pd_neighbours){0};
}

static int cell_of(float position, float inverse_size) {
    float cell = floorf(position * inverse_size);
    return (int)fminf(fmaxf(cell, -(float)FARTHEST_CELL), (float)FARTHEST_CELL);
}

static int wrap(int cell, int period) {
    int rest = cell % period;
    return rest < 0 ? rest + period : rest;
}

/* Chooses W, H and the origin: the bounding box with a margin of one cell, folded when that would be too many buckets. */
static void choose_fold(pd_neighbours *n, const pd_particles *p) {
    float low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
    for (int i = 0; i < p->count; i++) {
        low_x = p->x[i] < low_x ? p->x[i] : low_x;
        high_x = p->x[i] > high_x ? p->x[i] : high_x;
    }
    for (int i = 0; i < p->count; i++) {
        low_y = p->y[i] < low_y ? p->y[i] : low_y;
        high_y = p->y[i] > high_y ? p->y[i] : high_y;
    }
    if (p->count == 0) low_x = low_y = high_x = high_y = 0;
    n->origin_x = cell_of(low_x, n->inverse_size) - 1;
    n->origin_y = cell_of(low_y, n->inverse_size) - 1;
    int64_t columns = (int64_t)cell_of(high_x, n->inverse_size) - n->origin_x + 2;
    int64_t rows = (int64_t)cell_of(high_y, n->inverse_size) - n->origin_y + 2;
    int64_t limit = bucket_limit(p->count);
    if (columns * (rows + 2) > limit) {
        int64_t side = (int64_t)sqrt((double)limit) / 3 * 3;
        if (columns > side && rows > side) {
            columns = rows = side;
        } else if (columns > side) {
            columns = limit / (rows + 2);
        } else {
            rows = limit / columns / 3 * 3;
        }
    }
    n->columns = (int)(columns < 3 ? 3 : columns);
    n->rows = (int)((rows + 2) / 3 * 3);
}

typedef struct sort_job {
    pd_neighbours *n;
    const pd_particles *p;
    const void *from;
    void *to;
} sort_job;

static void compute_keys(void *context, int begin, int end) {
    const sort_job *job = context;
    pd_neighbours *n = job->n;
    for (int i = begin; i < end; i++) {
        int cx = wrap(cell_of(job->p->x[i], n->inverse_size) - n->origin_x, n->columns);
        int cy = wrap(cell_of(job->p->y[i], n->inverse_size) - n->origin_y, n->rows);
        n->key[i] = (uint32_t)(cy * n->columns + cx);
    }
}

/* Stable, so that the order within a bucket does not depend on anything but the order before. */
static void count_and_order(pd_neighbours *n, int count) {
    int buckets = n->columns * n->rows;
    memset(n->start, 0, ((size_t)buckets + 1) * sizeof *n->start);
    for (int i = 0; i < count; i++) n->start[n->key[i] + 1]++;
    for (int b = 0; b < buckets; b++) n->start[b + 1] += n->start[b];
    for (int i = 0; i < count; i++) n->order[n->start[n->key[i]]++] = (uint32_t)i;
    memmove(n->start + 1, n->start, (size_t)buckets * sizeof *n->start);
    n->start[0] = 0;
}

static void gather_words(void *context, int begin, int end) {
    const sort_job *job = context;
    const uint32_t *from = job->from, *order = job->n->order;
    uint32_t *to = job->to;
    for (int i = begin; i < end; i++) to[i] = from[order[i]];
}

static void gather_bytes(void *context, int begin, int end) {
    const sort_job *job = context;
    const uint8_t *from = job->from;
    const uint32_t *order = job->n->order;
    uint8_t *to = job->to;
    for (int i = begin; i < end; i++) to[i] = from[order[i]];
}

/* Gathers an array of four-byte elements into the scratch memory and swaps the two: no copy back. */
static void *carry(pd_neighbours *n, pd_pool *pool, int count, void *array) {
    sort_job job = {.n = n, .from = array, .to = n->scratch};
    pd_parallel_for(pool, count, GRAIN, gather_words, &job);
    n->scratch = array;
    return job.to;
}

void pd_neighbours_sort(pd_neighbours *n, pd_particles *p, float h, pd_pool *pool) {
    PD_ASSERT(p->count <= n->capacity && p->capacity <= n->capacity);
    n->inverse_size = 1 / h;
    choose_fold(n, p);
    sort_job job = {.n = n, .p = p};
    pd_parallel_for(pool, p->count, GRAIN, compute_keys, &job);
    count_and_order(n, p->count);
    float **arrays[] = {&p->x, &p->y, &p->vx, &p->vy, &p->old_x, &p->old_y, &p->previous_x, &p->previous_y};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) *arrays[a] = carry(n, pool, p->count, *arrays[a]);
    p->id = carry(n, pool, p->count, p->id);
    job = (sort_job){.n = n, .from = p->material, .to = n->scratch};
    pd_parallel_for(pool, p->count, GRAIN, gather_bytes, &job);
    memcpy(p->material, n->scratch, (size_t)p->count);
}

void pd_neighbours_around(const pd_neighbours *n, int column, int row, pd_ranges *ranges) {
    int W = n->columns, count = 0;
    for (int dy = -1; dy <= 1; dy++) {
        const int *start = n->start + (size_t)wrap(row + dy, n->rows) * (size_t)W;
        int left = column > 0 ? column - 1 : 0, right = column < W - 1 ? column + 1 : W - 1;
        ranges->begin[count] = start[left];
        ranges->end[count++] = start[right + 1];
        int across = column == 0 ? W - 1 : column == W - 1 ? 0 : -1; /* the neighbour beyond the fold */
        if (across < 0 || start[across] == start[across + 1]) continue;
        ranges->begin[count] = start[across];
        ranges->end[count++] = start[across + 1];
    }
    ranges->count = count;
}
