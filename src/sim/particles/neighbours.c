/* The cell sort (neighbours.h): sorts particles by cell, reorders their arrays, and lists candidates around a cell. */
#include "sim/particles/neighbours.h"

#include "core/array.h"
#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum {
    PARTICLES_PER_CHUNK = 4096, /* particles in a chunk of parallel work */
    MINIMUM_BUCKETS = 4096, /* greatest number of buckets without particles; each particle adds BUCKETS_PER_PARTICLE */
    BUCKETS_PER_PARTICLE = 4,
    FARTHEST_CELL = 1 << 28, /* limit of the coordinates of a cell */
};

static int compute_greatest_bucket_count(int capacity) { return capacity * BUCKETS_PER_PARTICLE + MINIMUM_BUCKETS; }

#define NEIGHBOUR_ARRAYS(n, bucket_count, count)                                                                       \
    PD_ARRAYS(PD_ARRAY((n)->start, 0, bucket_count), PD_ARRAY((n)->key, 0, count), PD_ARRAY((n)->order, 0, count))

pd_result pd_neighbours_reserve(pd_neighbours *neighbours, int capacity, pd_error *error) {
    if (capacity <= neighbours->capacity) return PD_OK;
    if (!pd_arrays_resize(
            NEIGHBOUR_ARRAYS(neighbours, compute_greatest_bucket_count(capacity) + 1, (size_t)capacity + PD_PADDING)))
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the neighbours of %d particles (use fewer)",
                       capacity);
    *neighbours = (pd_neighbours){
        .start = neighbours->start, .key = neighbours->key, .order = neighbours->order, .capacity = capacity};
    return PD_OK;
}

void pd_neighbours_free(pd_neighbours *neighbours) {
    pd_arrays_free(NEIGHBOUR_ARRAYS(neighbours, 0, 0));
    *neighbours = (pd_neighbours){0};
}

/* Returns the index of the cell that contains the coordinate `position`, limited to +-FARTHEST_CELL. Uses only operations
 * that compilers vectorize on any processor. per_metre: number of cells per metre. */
static inline int compute_cell_index(float position, float per_metre) {
    const float farthest = FARTHEST_CELL;
    float cell = position * per_metre;
    cell = cell > -farthest ? cell : -farthest;
    cell = cell < farthest ? cell : farthest;
    int whole = (int)cell;
    return whole - (cell < (float)whole);
}

static int wrap_cell(int cell, int period) {
    int remainder = cell % period;
    return remainder < 0 ? remainder + period : remainder;
}

/* Computes minimum and maximum in eight independent chains: one chain would wait for the latency of each comparison. */
static void find_min_and_max(const float *values, int count, float *low, float *high) {
    enum { CHAINS = 8 };
    float least[CHAINS], greatest[CHAINS];
    for (int k = 0; k < CHAINS; k++) least[k] = greatest[k] = count > 0 ? values[0] : 0;
    int i = 0;
    for (; i + CHAINS <= count; i += CHAINS)
        for (int k = 0; k < CHAINS; k++) {
            least[k] = values[i + k] < least[k] ? values[i + k] : least[k];
            greatest[k] = values[i + k] > greatest[k] ? values[i + k] : greatest[k];
        }
    for (; i < count; i++) {
        least[0] = values[i] < least[0] ? values[i] : least[0];
        greatest[0] = values[i] > greatest[0] ? values[i] : greatest[0];
    }
    *low = least[0];
    *high = greatest[0];
    for (int k = 1; k < CHAINS; k++) {
        *low = least[k] < *low ? least[k] : *low;
        *high = greatest[k] > *high ? greatest[k] : *high;
    }
}

static int64_t round_up_to_multiple(int64_t value, int64_t factor) { return (value + factor - 1) / factor * factor; }
static int64_t round_down_to_multiple(int64_t value, int64_t factor) { return value / factor * factor; }

/* Sets the numbers of columns and rows of buckets, and the origin of the cells. The buckets cover the particles' bounding
 * box with a margin of one radius. If this would need too many buckets, several cells share a bucket. */
static void choose_cell_grid(pd_neighbours *n, const pd_particles *p) {
    enum { X = PD_COLUMNS_PER_RADIUS, Y = PD_ROWS_PER_RADIUS };
    float low_x, low_y, high_x, high_y;
    find_min_and_max(p->x, p->count, &low_x, &high_x);
    find_min_and_max(p->y, p->count, &low_y, &high_y);
    n->farthest = fmaxf(fmaxf(fabsf(low_x), fabsf(high_x)), fmaxf(fabsf(low_y), fabsf(high_y)));
    n->origin_x = compute_cell_index(low_x, n->per_metre_x) - X;
    n->origin_y = compute_cell_index(low_y, n->per_metre_y) - Y;
    int64_t columns = (int64_t)compute_cell_index(high_x, n->per_metre_x) - n->origin_x + X + 1;
    int64_t rows = (int64_t)compute_cell_index(high_y, n->per_metre_y) - n->origin_y + Y + 1;
    int64_t limit = compute_greatest_bucket_count(p->count);
    columns = round_up_to_multiple(columns, PD_COLUMN_COLOURS);
    rows = round_up_to_multiple(rows, PD_COLOURS);
    n->folded = columns * rows > limit;
    if (n->folded) {
        int64_t side = (int64_t)sqrt((double)limit);
        if (columns > side && rows > side) {
            columns = round_down_to_multiple(side, PD_COLUMN_COLOURS);
            rows = round_down_to_multiple(side, PD_COLOURS);
        } else if (columns > side) {
            columns = round_down_to_multiple(limit / rows, PD_COLUMN_COLOURS);
        } else {
            rows = round_down_to_multiple(limit / columns, PD_COLOURS);
        }
    }
    n->columns = (int)columns;
    n->rows = (int)rows;
}

typedef struct sort_job {
    const pd_neighbours *n;
    const pd_particles *p;
    const void *from; /* column before the sort */
    void *to;         /* receives the reordered column */
} sort_job;

static void compute_bucket_keys(void *context, int begin, int end) {
    const sort_job *job = context;
    const pd_neighbours n = *job->n;
    const float *x = job->p->x, *y = job->p->y;
    if (n.folded) {
        for (int i = begin; i < end; i++) {
            int cx = wrap_cell(compute_cell_index(x[i], n.per_metre_x) - n.origin_x, n.columns);
            int cy = wrap_cell(compute_cell_index(y[i], n.per_metre_y) - n.origin_y, n.rows);
            n.key[i] = (uint32_t)(cy * n.columns + cx);
        }
        return;
    }
    for (int i = begin; i < end; i++) {
        int cx = compute_cell_index(x[i], n.per_metre_x) - n.origin_x,
            cy = compute_cell_index(y[i], n.per_metre_y) - n.origin_y;
        n.key[i] = (uint32_t)(cy * n.columns + cx);
    }
}

void pd_neighbours_sort_keys(pd_neighbours *n, int key_count, int bucket_count) {
    memset(n->start, 0, ((size_t)bucket_count + 1) * sizeof *n->start);
    for (int i = 0; i < key_count; i++) n->start[n->key[i] + 1]++;
    for (int b = 0; b < bucket_count; b++) n->start[b + 1] += n->start[b];
    for (int i = 0; i < key_count; i++) n->order[n->start[n->key[i]]++] = (uint32_t)i;
    memmove(n->start + 1, n->start, (size_t)bucket_count * sizeof *n->start);
    n->start[0] = 0;
}

static void reorder_words(void *context, int begin, int end) {
    const sort_job *job = context;
    const uint32_t *from = job->from, *order = job->n->order;
    uint32_t *to = job->to;
    for (int i = begin; i < end; i++) to[i] = from[order[i]];
}

static void reorder_bytes(void *context, int begin, int end) {
    const sort_job *job = context;
    const uint8_t *from = job->from;
    const uint32_t *order = job->n->order;
    uint8_t *to = job->to;
    for (int i = begin; i < end; i++) to[i] = from[order[i]];
}

/* Copies a column's array in the new order to the particles' spare array, then swaps the two arrays. Columns of bytes are
 * copied back, since the spare array has four bytes for each particle. */
static void reorder_column(const pd_neighbours *n, pd_particles *p, int column, pd_pool *pool) {
    void *array = pd_particles_column_array(p, column);
    bool bytes = pd_particles_column(p, column)->width == 1;
    sort_job job = {.n = n, .from = array, .to = p->spare};
    pd_parallel_for(pool, p->count, PARTICLES_PER_CHUNK, bytes ? reorder_bytes : reorder_words, &job);
    if (bytes) {
        memcpy(array, p->spare, (size_t)p->count);
        return;
    }
    pd_particles_set_column_array(p, column, p->spare);
    p->spare = array;
}

void pd_neighbours_compute_order(pd_neighbours *n, const pd_particles *p, float h, pd_pool *pool) {
    PD_ASSERT(p->count <= n->capacity);
    n->per_metre_x = PD_COLUMNS_PER_RADIUS / h;
    n->per_metre_y = PD_ROWS_PER_RADIUS / h;
    choose_cell_grid(n, p);
    sort_job job = {.n = n, .p = p};
    pd_parallel_for(pool, p->count, PARTICLES_PER_CHUNK, compute_bucket_keys, &job);
    pd_neighbours_sort_keys(n, p->count, n->columns * n->rows);
}

void pd_neighbours_sort(pd_neighbours *n, pd_particles *p, float h, pd_pool *pool) {
    PD_ASSERT(p->capacity <= n->capacity);
    pd_neighbours_compute_order(n, p, h, pool);
    pd_neighbours_reorder_particles(n, p, true, pool);
    n->sorts++;
}

void pd_neighbours_reorder_particles(const pd_neighbours *n, pd_particles *p, bool reorders_old_positions,
                                     pd_pool *pool) {
    for (int k = 0; k < pd_particles_column_count(p); k++) {
        const void *array = pd_particles_column_array(p, k);
        if (!reorders_old_positions && (array == p->old_x || array == p->old_y)) continue;
        if (pd_particles_column(p, k)->sorted && array) reorder_column(n, p, k, pool);
    }
}

static void add_range(const pd_neighbours *n, int row, int left, int right, pd_ranges *ranges) {
    const int *start = n->start + (size_t)row * (size_t)n->columns;
    int begin = start[left], end = start[right + 1];
    ranges->row[ranges->count] = row;
    ranges->begin[ranges->count] = begin;
    ranges->end[ranges->count] = end;
    ranges->count += end > begin;
}

void pd_neighbours_list_ranges(const pd_neighbours *n, int column, int row, pd_ranges *ranges) {
    int W = n->columns, left = column - PD_COLUMNS_PER_RADIUS, right = column + PD_COLUMNS_PER_RADIUS;
    ranges->count = 0;
    for (int dy = -PD_ROWS_PER_RADIUS; dy <= PD_ROWS_PER_RADIUS; dy++) {
        int y = row + dy;
        if (y < 0)
            y += n->rows;
        else if (y >= n->rows)
            y -= n->rows;
        if (left < 0) { /* the cells around the bucket wrap around in x: two ranges */
            add_range(n, y, 0, right, ranges);
            add_range(n, y, left + W, W - 1, ranges);
        } else if (right >= W) {
            add_range(n, y, 0, right - W, ranges);
            add_range(n, y, left, W - 1, ranges);
        } else {
            add_range(n, y, left, right, ranges);
        }
    }
}
