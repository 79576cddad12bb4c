#include "mac/poisson/poisson.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "mac/poisson/poisson_levels.h"
#include <math.h>

/* ---- Regions ----
 *
 * Connected regions, found from runs. A run is a range of cells in a row, each connected to its left neighbour, and is
 * identified by its first cell. Runs of neighbouring rows are joined by union-find. The root of a region is its run
 * with the lowest index. */

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

/* For each closed region: subtracts the mean of the values in its cells from these values. */
static void regions_subtract_means(poisson_regions *r, float *values, const pd_layout *layout, pd_pool *pool) {
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

/* ---- Solvers: Gauss-Seidel, and conjugate gradients with multigrid ---- */

enum {
    MAX_LEVELS = 32,        /* greatest number of levels */
    COARSEST = 8,           /* greatest number of cells along a side of the coarsest level */
    COARSEST_SWEEPS = 12,   /* enough to reduce the coarsest level's residual to about a thousandth */
    SERIAL_CELLS = 96 * 96, /* levels with fewer cells run on one thread, which is faster than waking more threads */
    LEAST_ROWS = 8,         /* least number of rows in a chunk */
    CHUNKS_PER_THREAD =
        4, /* number of chunks for each thread: above 1, so that an interrupted thread delays others less */
    MAX_CHUNKS = CHUNKS_PER_THREAD * PD_POOL_THREADS,
};

static const float coarsest_over_relaxation = 1.4f; /* factor omega of the sweeps on the coarsest level */
static const double rounding_error = 1e-5;          /* relative residual below which rounding errors may dominate */

struct pd_poisson_work {
    poisson_level levels[MAX_LEVELS];               /* levels of the multigrid hierarchy, the finest first */
    int level_count;                                /* number of levels */
    poisson_regions regions;                        /* connected regions of cells */
    float *q, *rhs, *search, *old_search, *product; /* arrays of poisson_loop_data, in the layout of level 0 */
    float *scratch, *greatest;                      /* arrays of poisson_loop_data */
    double *sum, *sum2;                             /* arrays of poisson_loop_data */
    pd_pool *pool;                                  /* threads of the present solve */
    const pd_poisson_kernels *kernels;              /* loop bodies of the present SIMD level */
    float *memory[MAX_LEVELS];                      /* by level: allocated memory of its arrays of floats */
    uint8_t *bytes[MAX_LEVELS];                     /* by level: allocated memory of its arrays of bytes */
};

/* Runs a loop over the rows of a level, or (coarse_rows) over the rows of the next coarser level. Small levels run on
 * one thread. */
static void run_loop_over_rows(struct pd_poisson_work *work, poisson_loop_data *data, pd_loop_body *body,
                               bool coarse_rows) {
    const poisson_level *level = data->level;
    int rows = coarse_rows ? data->coarse->ny : level->ny, threads = pd_pool_thread_count(work->pool);
    int chunks = CHUNKS_PER_THREAD * threads;
    data->grain = (rows + chunks - 1) / chunks;
    if (data->grain < LEAST_ROWS) data->grain = LEAST_ROWS;
    data->scratch = work->scratch;
    if (threads == 1 || (double)level->nx * level->ny < SERIAL_CELLS || data->grain >= rows) {
        data->grain = rows;
        body(data, 0, rows);
    } else {
        pd_parallel_for(work->pool, rows, data->grain, body, data);
    }
}

static double sum_of_row_results(const double *values, int count) {
    double sum = 0.0;
    for (int j = 0; j < count; j++) sum += values[j];
    return sum;
}

static poisson_loop_data make_loop_data(struct pd_poisson_work *work, int level) {
    return (poisson_loop_data){.level = &work->levels[level], .coarse = &work->levels[level + 1]};
}

void pd_poisson_prepare(pd_poisson *poisson, pd_pool *pool) {
    struct pd_poisson_work *work = poisson->work;
    poisson_regions *regions = &work->regions;
    work->pool = pool;
    const pd_poisson_setup_kernels *kernels = PD_SIMD_PICK(pd_poisson_setup_kernels);
    poisson_loop_data data = make_loop_data(work, 0);
    data.layout = &poisson->layout;
    data.face_x = poisson->face_x;
    data.face_y = poisson->face_y;
    data.open = poisson->open;
    data.words = regions->words;
    data.left = regions->left;
    data.lower = regions->lower;
    data.open_bits = regions->open;
    run_loop_over_rows(work, &data, kernels->load_coefficients, false);
    pd_poisson_regions_find(regions);
    for (int level = 0; level < work->level_count; level++) {
        data = make_loop_data(work, level);
        run_loop_over_rows(work, &data, kernels->invert_diagonals, false);
        if (level + 1 == work->level_count) break;
        run_loop_over_rows(work, &data, kernels->find_reassigned_children, true);
        run_loop_over_rows(work, &data, kernels->compute_coarse_coefficients, true);
    }
}

/* Solves the coarsest level by Gauss-Seidel sweeps from 0. */
static void solve_coarsest_level(struct pd_poisson_work *work) {
    poisson_loop_data data = make_loop_data(work, work->level_count - 1);
    const poisson_level *level = data.level;
    data.q = level->solution;
    data.over_relaxation = coarsest_over_relaxation;
    float *solution = level->solution;
    for (ptrdiff_t k = 0; k < poisson_row_offset(level, level->ny); k++) solution[k] = 0.0f;
    for (int i = 0; i < COARSEST_SWEEPS; i++) run_loop_over_rows(work, &data, work->kernels->sweep_rows, false);
}

/* Runs one multigrid V-cycle: sets the solution of level 0 to an approximation of A^-1 rhs. Writes dot products, by
 * row: solution . work->product to work->sum, solution . rhs to work->sum2. */
static void run_v_cycle(struct pd_poisson_work *work) {
    int last = work->level_count - 1;
    for (int level = 0; level < last; level++) {
        poisson_loop_data data = make_loop_data(work, level);
        run_loop_over_rows(work, &data, work->kernels->smooth_and_restrict, true);
    }
    solve_coarsest_level(work);
    for (int level = last - 1; level >= 0; level--) {
        poisson_loop_data data = make_loop_data(work, level);
        data.product = work->product;
        if (level == 0) {
            data.sum = work->sum;
            data.sum2 = work->sum2;
        }
        run_loop_over_rows(work, &data, work->kernels->correct_and_smooth, false);
    }
}

static double compute_rms_over_cells(const struct pd_poisson_work *work, const double *row_squares) {
    return sqrt(sum_of_row_results(row_squares, work->levels[0].ny) / (work->regions.cells ? work->regions.cells : 1));
}

/* Computes rhs - A q and returns its rms. */
static double compute_residual(struct pd_poisson_work *work, const float *rhs, float *residual) {
    poisson_loop_data data = make_loop_data(work, 0);
    data.q = work->q;
    data.rhs = rhs;
    data.product = residual;
    data.sum = work->sum;
    data.sum2 = work->sum2;
    run_loop_over_rows(work, &data, work->kernels->compute_residual, false);
    return compute_rms_over_cells(work, work->sum);
}

static void swap_arrays(float **a, float **b) {
    float *c = *a;
    *a = *b;
    *b = c;
}

static void solve_by_gauss_seidel(struct pd_poisson_work *work, const pd_poisson_method *method,
                                  pd_poisson_report *report) {
    poisson_level *level = &work->levels[0];
    report->before = compute_residual(work, work->rhs, work->product);
    swap_arrays(&level->rhs, &work->rhs);
    poisson_loop_data data = make_loop_data(work, 0);
    data.q = work->q;
    data.over_relaxation = method->over_relaxation;
    for (int i = 0; i < method->iterations; i++) {
        run_loop_over_rows(work, &data, work->kernels->sweep_rows, false);
        if (data.grain < level->ny) run_loop_over_rows(work, &data, work->kernels->sweep_chunk_edges, false);
    }
    swap_arrays(&level->rhs, &work->rhs);
    report->iterations = method->iterations;
    report->after = compute_residual(work, work->rhs, work->product);
}

/* Runs one step of flexible conjugate gradients (Notay 2000): makes the preconditioned residual conjugate to the last
 * search direction, for which work->product still contains A times this direction. first: there is no last direction.
 * *curvature: search . A search of the last step, then of this step. Returns false if rounding errors or overflow leave
 * no search direction. */
static bool run_conjugate_gradient_step(struct pd_poisson_work *work, bool first, double *curvature) {
    poisson_level *level = &work->levels[0];
    run_v_cycle(work);
    double overlap = sum_of_row_results(work->sum, level->ny), slope = sum_of_row_results(work->sum2, level->ny);
    poisson_loop_data data = make_loop_data(work, 0);
    swap_arrays(&work->search, &work->old_search);
    data.q = work->q;
    data.search = work->search;
    data.old_search = first ? level->solution : work->old_search;
    data.product = work->product;
    data.sum = work->sum;
    data.beta = first ? 0.0f : (float)(-overlap / *curvature);
    if (!isfinite(data.beta)) return false;
    run_loop_over_rows(work, &data, work->kernels->update_search_direction, false);
    *curvature = sum_of_row_results(work->sum, level->ny);
    data.alpha = (float)(slope / *curvature); /* slope = search . rhs too, since old_search . rhs = 0 */
    if (!(*curvature > 0.0) || !isfinite(data.alpha)) return false;
    run_loop_over_rows(work, &data, work->kernels->update_solution, false);
    return true;
}

/* Runs conjugate gradients until the residual is within the tolerance, or consists of rounding errors only. The latter
 * is assumed when the residual rises while it is small (`rounding`): in badly conditioned problems a large residual may
 * also rise for some steps. The updated residual loses its lowest digits, so it is computed anew whenever it has become
 * 1e4 times smaller. */
static void solve_by_conjugate_gradients(struct pd_poisson_work *work, const pd_poisson_method *method,
                                         double tolerance, pd_poisson_report *report) {
    float *residual = work->levels[0].rhs;
    double computed = compute_residual(work, work->rhs, residual), least = computed, curvature = 0.0;
    double rounding = rounding_error * fmax(computed, compute_rms_over_cells(work, work->sum2));
    *report = (pd_poisson_report){0, computed, computed};
    bool first = true;
    while (report->iterations < method->iterations && report->after > tolerance) {
        if (!run_conjugate_gradient_step(work, first, &curvature)) break;
        first = false;
        report->iterations++;
        report->after = compute_rms_over_cells(work, work->sum);
        if (!isfinite(report->after)) break;
        if (report->after < 1e-4 * computed) {
            first = true;
            report->after = compute_residual(work, work->rhs, residual);
            if (report->after > 0.5 * computed) break;
            computed = report->after;
            least = computed;
        }
        if (least < rounding && report->after > least) break;
        least = fmin(least, report->after);
    }
}

static float greatest_row_result(const struct pd_poisson_work *work) {
    float result = 0.0f;
    for (int j = 0; j < work->levels[0].ny; j++)
        if (work->greatest[j] > result) result = work->greatest[j];
    return result;
}

/* Copies the caller's right-hand side and initial guess to work->rhs and work->q, whose rows are split into even and
 * odd halves. Multiplies both by a power of two, so that products of their values neither overflow nor vanish. Returns
 * this power. */
static float load_scaled_rhs_and_guess(pd_poisson *poisson) {
    struct pd_poisson_work *work = poisson->work;
    poisson_loop_data data = make_loop_data(work, 0);
    data.layout = &poisson->layout;
    data.greatest = work->greatest;
    data.natural = poisson->rhs;
    data.q = work->rhs;
    run_loop_over_rows(work, &data, work->kernels->load_natural_rows, false);
    float r = greatest_row_result(work);
    data.natural = poisson->q;
    data.q = work->q;
    run_loop_over_rows(work, &data, work->kernels->load_natural_rows, false);
    float q = greatest_row_result(work), most = r > q ? r : q;
    if ((most > 1e-6f && most < 1e6f) || most == 0.0f) return 1.0f;
    int exponent;
    frexpf(most, &exponent);
    exponent = exponent > 120 ? 120 : exponent < -120 ? -120 : exponent;
    data.scale = ldexpf(1.0f, -exponent);
    run_loop_over_rows(work, &data, work->kernels->rescale_rows, false);
    data.q = work->rhs;
    run_loop_over_rows(work, &data, work->kernels->rescale_rows, false);
    return data.scale;
}

void pd_poisson_solve(pd_poisson *poisson, const pd_poisson_method *method, pd_pool *pool, pd_poisson_report *report) {
    struct pd_poisson_work *work = poisson->work;
    work->pool = pool;
    work->kernels = PD_SIMD_PICK(pd_poisson_kernels);
    regions_subtract_means(&work->regions, poisson->rhs, &poisson->layout, pool);
    float scale = load_scaled_rhs_and_guess(poisson);
    pd_poisson_report done;
    if (method->solver == PD_GAUSS_SEIDEL)
        solve_by_gauss_seidel(work, method, &done);
    else
        solve_by_conjugate_gradients(work, method, (double)method->tolerance * (double)scale, &done);
    done.before /= (double)scale;
    done.after /= (double)scale;
    poisson_loop_data data = make_loop_data(work, 0);
    data.layout = &poisson->layout;
    data.natural = poisson->q;
    data.q = work->q;
    data.scale = 1.0f / scale;
    run_loop_over_rows(work, &data, work->kernels->store_natural_rows, false);
    regions_subtract_means(&work->regions, poisson->q, &poisson->layout, pool);
    if (report) *report = done;
}

static int round_up_to_16(int a) { return (a + 15) / 16 * 16; }

static poisson_level make_level_layout(int nx, int ny) {
    poisson_level level = {.nx = nx, .ny = ny, .width = round_up_to_16((nx + 1) / 2)};
    int half = nx / 2 + 2 > level.width + 1 ? nx / 2 + 2 : level.width + 1;
    level.half = round_up_to_16(half);
    /* Rows whose distance is a power of two compete for the same lines of the cache. */
    if (level.half % 128 == 0) level.half += 16;
    return level;
}

/* Allocates the arrays of a level and sets the pointers to their rows 0. */
static bool allocate_level_arrays(struct pd_poisson_work *work, int level_index, float ***arrays, int count) {
    poisson_level *level = &work->levels[level_index];
    size_t row = 2 * (size_t)level->half, kinds = (size_t)level->width / 16, reassigned = 2 * (size_t)level->width + 16;
    size_t rows = (size_t)level->ny + POISSON_ROWS_BELOW + POISSON_ROWS_ABOVE, size = row * rows + 16;
    float *memory = work->memory[level_index] = pd_allocate(size * (size_t)count, sizeof(float));
    uint8_t *bytes = work->bytes[level_index] = pd_allocate((kinds + reassigned) * rows, 1);
    if (!memory || !bytes) return false;
    level->kinds = bytes + kinds * POISSON_ROWS_BELOW;
    level->reassigned = bytes + kinds * rows + reassigned * POISSON_ROWS_BELOW + POISSON_ROW_BYTES;
    for (int k = 0; k < count; k++) *arrays[k] = memory + size * (size_t)k + row * POISSON_ROWS_BELOW;
    return true;
}

static bool create_levels(struct pd_poisson_work *work, int nx, int ny) {
    for (bool coarsest = false; !coarsest; nx = (nx + 1) / 2, ny = (ny + 1) / 2) {
        int number = work->level_count++;
        poisson_level *level = &work->levels[number];
        *level = make_level_layout(nx, ny);
        float **arrays[] = {&level->face_x, &level->face_y,    &level->open,  &level->inverse,
                            &level->rhs,    &level->solution,  &work->rhs,    &work->q,
                            &work->search,  &work->old_search, &work->product};
        if (!allocate_level_arrays(work, number, arrays, number ? 6 : 11)) return false;
        coarsest = number && nx <= COARSEST && ny <= COARSEST;
    }
    return true;
}

static bool create_solver_work(struct pd_poisson_work *work, int nx, int ny) {
    if (!create_levels(work, nx, ny) || !pd_poisson_regions_create(&work->regions, nx, ny)) return false;
    int chunks = (ny + LEAST_ROWS - 1) / LEAST_ROWS;
    if (chunks > MAX_CHUNKS) chunks = MAX_CHUNKS;
    size_t row = 2 * (size_t)work->levels[0].half;
    work->scratch = pd_allocate(row * POISSON_SCRATCH_ROWS * (size_t)chunks, sizeof(float));
    work->greatest = pd_allocate((size_t)ny, sizeof(float));
    work->sum = pd_allocate((size_t)ny, sizeof(double));
    work->sum2 = pd_allocate((size_t)ny, sizeof(double));
    return work->scratch && work->greatest && work->sum && work->sum2;
}

static void destroy_solver_work(struct pd_poisson_work *work) {
    if (!work) return;
    for (int k = 0; k < MAX_LEVELS; k++) pd_free(work->memory[k]), pd_free(work->bytes[k]);
    pd_poisson_regions_destroy(&work->regions);
    pd_free(work->scratch);
    pd_free(work->greatest);
    pd_free(work->sum);
    pd_free(work->sum2);
    pd_free(work);
}

void pd_poisson_destroy(pd_poisson *poisson) {
    if (!poisson) return;
    destroy_solver_work(poisson->work);
    pd_free(poisson->face_x);
    pd_free(poisson->face_y);
    pd_free(poisson->open);
    pd_free(poisson->q);
    pd_free(poisson->rhs);
    pd_free(poisson);
}

pd_result pd_poisson_create(pd_poisson **created, int nx, int ny, pd_error *error) {
    *created = NULL;
    pd_poisson *poisson = pd_allocate(1, sizeof *poisson);
    if (poisson) {
        poisson->layout = pd_layout_for_cells(nx, ny);
        size_t count = poisson->layout.count;
        poisson->face_x = pd_allocate(count, sizeof(float));
        poisson->face_y = pd_allocate(count, sizeof(float));
        poisson->open = pd_allocate(count, sizeof(float));
        poisson->q = pd_allocate(count, sizeof(float));
        poisson->rhs = pd_allocate(count, sizeof(float));
        poisson->work = pd_allocate(1, sizeof *poisson->work);
        if (poisson->face_x && poisson->face_y && poisson->open && poisson->q && poisson->rhs && poisson->work &&
            create_solver_work(poisson->work, nx, ny)) {
            *created = poisson;
            return PD_OK;
        }
    }
    pd_poisson_destroy(poisson);
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for a grid of %d x %d cells (lower the resolution)", nx,
                   ny);
}
