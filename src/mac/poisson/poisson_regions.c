/* Connected regions, found from runs. A run is a range of cells in a row, each connected to its left neighbour, and is
 * identified by its first cell. Runs of neighbouring rows are joined by union-find. The root of a region is its run
 * with the lowest index. */
#include "mac/poisson/poisson_regions.h"

#include "core/memory.h"
#include "core/simd.h"
#include "mac/poisson/poisson_levels.h"

/* Range [begin, end) of columns. */
typedef struct run {
    int begin, end;
} run;

static const uint64_t all = ~(uint64_t)0;

static const uint64_t *row_of(const poisson_regions *r, const uint64_t *bits, int j) {
    return bits + (size_t)j * (size_t)r->words;
}

/* Returns the first i >= from whose bit is set (if flip = 0) or clear (if flip = all). Returns 64 * words if there is
 * none. */
static int find_next_bit(const uint64_t *row, int words, int from, uint64_t flip) {
    int w = from / 64;
    if (w >= words) return 64 * words;
    uint64_t word = (row[w] ^ flip) & (all << (from % 64));
    while (!word) {
        if (++w == words) return 64 * words;
        word = row[w] ^ flip;
    }
    return 64 * w + __builtin_ctzll(word);
}

static bool find_next_run(const poisson_regions *r, int j, run *found) {
    int begin = find_next_bit(row_of(r, r->active, j), r->words, found->end, 0);
    if (begin >= r->nx) return false;
    *found = (run){begin, find_next_bit(row_of(r, r->left, j), r->words, begin + 1, all)};
    if (found->end > r->nx) found->end = r->nx;
    return true;
}

static int find_run_begin(const poisson_regions *r, int j, int i) {
    const uint64_t *left = row_of(r, r->left, j);
    int w = i / 64;
    uint64_t word = ~left[w] & (all >> (63 - i % 64));
    while (!word) word = ~left[--w];
    return 64 * w + 63 - __builtin_clzll(word);
}

/* Returns the root of a union-find tree, and halves the path to it (van Leeuwen, van der Weide 1977). */
static int32_t find_root(int32_t *label, int32_t at) {
    while (label[at] != at) {
        label[at] = label[label[at]];
        at = label[at];
    }
    return at;
}

static bool is_region_of_root_open(const poisson_regions *r, int32_t at) {
    return r->open_roots[at / 64] >> (at % 64) & 1;
}
static void mark_region_of_root_open(poisson_regions *r, int32_t at) {
    r->open_roots[at / 64] |= (uint64_t)1 << (at % 64);
}

static void join_regions_of_runs(poisson_regions *r, int32_t a, int32_t b) {
    a = find_root(r->label, a);
    b = find_root(r->label, b);
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    r->label[high] = low;
    if (is_region_of_root_open(r, high)) mark_region_of_root_open(r, low);
}

static void mark_active_cells(poisson_regions *r) {
    r->cells = 0;
    for (int j = 0; j < r->ny; j++) {
        const uint64_t *left = row_of(r, r->left, j), *lower = row_of(r, r->lower, j), *open = row_of(r, r->open, j);
        const uint64_t *upper = j + 1 < r->ny ? row_of(r, r->lower, j + 1) : NULL;
        uint64_t *active = r->active + (size_t)j * (size_t)r->words;
        for (int w = 0; w < r->words; w++) {
            uint64_t right = left[w] >> 1 | (w + 1 < r->words ? left[w + 1] << 63 : 0);
            active[w] = left[w] | right | lower[w] | open[w] | (upper ? upper[w] : 0);
            r->cells += __builtin_popcountll(active[w]);
        }
    }
}

/* Joins run `upper` of row j with the runs of row j - 1 to which it is connected. */
static void join_with_runs_below(poisson_regions *r, int j, run upper) {
    const uint64_t *lower = row_of(r, r->lower, j), *left = row_of(r, r->left, j - 1);
    for (int i = upper.begin; (i = find_next_bit(lower, r->words, i, 0)) < upper.end;) {
        join_regions_of_runs(r, upper.begin + r->nx * j, find_run_begin(r, j - 1, i) + r->nx * (j - 1));
        i = find_next_bit(left, r->words, i + 1, all);
    }
}

void pd_poisson_regions_find(poisson_regions *r) {
    mark_active_cells(r);
    for (size_t w = 0; w < ((size_t)r->nx * (size_t)r->ny + 63) / 64; w++) r->open_roots[w] = 0;
    for (int j = 0; j < r->ny; j++) {
        for (run a = {0, 0}; find_next_run(r, j, &a);) {
            int32_t at = a.begin + r->nx * j;
            r->label[at] = at;
            if (find_next_bit(row_of(r, r->open, j), r->words, a.begin, 0) < a.end) mark_region_of_root_open(r, at);
            if (j) join_with_runs_below(r, j, a);
        }
    }
    /* The label of a run's first cell becomes -1 if the region is open, or -2 - k if it is the closed region k. */
    r->closed = 0;
    for (int j = 0; j < r->ny; j++) {
        for (run a = {0, 0}; find_next_run(r, j, &a);) {
            int32_t at = a.begin + r->nx * j;
            if (r->label[at] != at) {
                r->label[at] = r->label[r->label[at]];
            } else if (is_region_of_root_open(r, at)) {
                r->label[at] = -1;
            } else {
                r->count[r->closed] = 0;
                r->label[at] = -2 - r->closed++;
            }
            if (r->label[at] < -1) r->count[-2 - r->label[at]] += a.end - a.begin;
        }
    }
}

/* Returns the index of the closed region that contains run a of row j, or POISSON_REGION_OPEN. */
static int closed_region_of_run(const poisson_regions *r, int j, run a) { return -2 - r->label[a.begin + r->nx * j]; }

int pd_poisson_regions_find_region_of_cell(const poisson_regions *r, int i, int j) {
    if (!(row_of(r, r->active, j)[i / 64] >> (i % 64) & 1)) return POISSON_NO_REGION;
    int begin = find_run_begin(r, j, i);
    return closed_region_of_run(r, j, (run){begin, begin + 1});
}

typedef struct balance {
    const poisson_regions *regions;
    const pd_layout *layout;
    float *values; /* by cell: values from which the means of closed regions are subtracted */
    const pd_poisson_kernels *kernels;
} balance;

static void subtract_means_of_closed_regions(void *context, int begin, int end) {
    const balance *b = context;
    const poisson_regions *r = b->regions;
    for (int j = begin; j < end; j++) {
        for (run a = {0, 0}; find_next_run(r, j, &a);) {
            int number = closed_region_of_run(r, j, a);
            if (number < 0) continue;
            b->kernels->subtract(b->values + pd_element_index(b->layout, a.begin, j), a.end - a.begin,
                                 (float)r->sum[number]);
        }
    }
}

void pd_poisson_regions_subtract_means(poisson_regions *r, float *values, const pd_layout *layout, pd_pool *pool) {
    if (!r->closed) return;
    const pd_poisson_kernels *kernels = PD_SIMD_PICK(pd_poisson_kernels);
    for (int k = 0; k < r->closed; k++) r->sum[k] = 0.0;
    for (int j = 0; j < r->ny; j++) {
        for (run a = {0, 0}; find_next_run(r, j, &a);) {
            int number = closed_region_of_run(r, j, a);
            if (number >= 0)
                r->sum[number] += kernels->sum(values + pd_element_index(layout, a.begin, j), a.end - a.begin);
        }
    }
    for (int k = 0; k < r->closed; k++) r->sum[k] /= r->count[k];
    balance b = {r, layout, values, kernels};
    pd_parallel_for(pool, r->ny, 32, subtract_means_of_closed_regions, &b);
}

void pd_poisson_regions_destroy(poisson_regions *r) {
    pd_free(r->left);
    pd_free(r->lower);
    pd_free(r->open);
    pd_free(r->active);
    pd_free(r->open_roots);
    pd_free(r->label);
    pd_free(r->sum);
    pd_free(r->count);
}

bool pd_poisson_regions_create(poisson_regions *r, int nx, int ny) {
    size_t cells = (size_t)nx * (size_t)ny;
    *r = (poisson_regions){.nx = nx, .ny = ny, .words = nx / 64 + 1};
    size_t words = (size_t)r->words * (size_t)ny;
    r->left = pd_allocate(words, sizeof *r->left);
    r->lower = pd_allocate(words, sizeof *r->lower);
    r->open = pd_allocate(words, sizeof *r->open);
    r->active = pd_allocate(words, sizeof *r->active);
    r->open_roots = pd_allocate(cells / 64 + 1, sizeof *r->open_roots);
    r->label = pd_allocate(cells, sizeof *r->label);
    /* A closed region has at least two cells. */
    r->sum = pd_allocate(cells / 2 + 1, sizeof *r->sum);
    r->count = pd_allocate(cells / 2 + 1, sizeof *r->count);
    return r->left && r->lower && r->open && r->active && r->open_roots && r->label && r->sum && r->count;
}
