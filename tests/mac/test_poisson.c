/* The pressure equation on staggered grids: exact solutions, convergence of both solvers, regions without a place where
 * q = 0, coefficients and right-hand sides of any size, and the same bits on any number of threads and SIMD level. */
#include "poisson.h"

#include "levels.h"
#include "sanitizers.h"

/* ---- Exact solutions ---- */

/* cos(k pi x) cos(l pi y) is an eigenvector in a closed box. */
static void cosines_are_exact(void **state) {
    (void)state;
    static const int sizes[][2] = {{64, 64}, {100, 37}, {17, 90}};
    pd_pool *pool = pool_of(1);
    for (int s = 0; s < COUNT(sizes); s++) {
        int nx = sizes[s][0], ny = sizes[s][1];
        pd_poisson *p = poisson_of(nx, ny);
        open_faces(p);
        pd_poisson_prepare(p, pool);
        for (int k = 0; k < 4; k++) {
            double a = (k + 1) * pi / nx, b = 2 * k * pi / ny;
            double eigenvalue = 4 * pow(sin(0.5 * a), 2) + 4 * pow(sin(0.5 * b), 2);
            EACH_CELL(p, i, j) * at(p, p->rhs, i, j) = (float)(eigenvalue * cos(a * (i + 0.5)) * cos(b * (j + 0.5)));
            random_values(p, p->q, 3, 1);
            multigrid(p, pool, 30, 1e-7 * eigenvalue);
            EACH_CELL(p, i, j) assert_float_equal(*at(p, p->q, i, j), cos(a * (i + 0.5)) * cos(b * (j + 0.5)), 2e-5);
        }
        pd_poisson_destroy(p);
    }
    pd_pool_destroy(pool);
}

/* A random q is found again from r = A q, in a region without d but for its mean. */
static void finds_the_solution_of_a_product(void **state) {
    (void)state;
    pd_pool *pool = pool_of(1);
    for (int k = 0; k < KINDS; k++) {
        pd_poisson *p = problem_of((kind)k, 75, 61), *exact = problem_of((kind)k, 75, 61);
        random_values(exact, exact->q, 11, 1);
        double sum = 0.0, cells = 0.0;
        EACH_CELL(p, i, j) {
            size_t c = pd_element_index(&p->layout, i, j);
            if (diagonal(p, c) <= 0) exact->q[c] = 0.0f;
            if (diagonal(p, c) > 0) sum += (double)exact->q[c], cells++;
        }
        double mean = k == OPEN_SIDE || k == SURFACE ? 0.0 : sum / cells;
        EACH_CELL(p, i, j) * at(p, p->rhs, i, j) = (float)product(exact, pd_element_index(&p->layout, i, j));
        pd_poisson_prepare(p, pool);
        multigrid(p, pool, 60, 1e-6);
        EACH_CELL(p, i, j) {
            size_t c = pd_element_index(&p->layout, i, j);
            double expected = diagonal(p, c) > 0 ? (double)exact->q[c] - mean : 0.0;
            assert_float_equal(p->q[c], expected, 1e-3);
        }
        pd_poisson_destroy(p);
        pd_poisson_destroy(exact);
    }
    pd_pool_destroy(pool);
}

/* ---- Convergence ---- */

/* Of a random r, or of a smooth one, which the coarse levels must solve. */
static void fill_rhs(pd_poisson *p, bool smooth) {
    double nx = p->layout.nx, ny = p->layout.ny;
    random_values(p, p->rhs, 5, 1);
    memset(p->q, 0, p->layout.count * sizeof *p->q);
    if (!smooth) return;
    EACH_CELL(p, i, j)
    *at(p, p->rhs, i, j) = (float)(cos(pi * (i + 0.5) / nx) * cos(pi * (j + 0.5) / ny) + 0.3 * (i + 0.5) / nx);
}

static void check_convergence(kind k, int nx, int ny, pd_pool *pool) {
    pd_poisson *p = problem_of(k, nx, ny);
    pd_poisson_prepare(p, pool);
    for (int smooth = 0; smooth < 2; smooth++) {
        fill_rhs(p, smooth);
        double before = multigrid(p, pool, 0, 0).before, greatest = 0.0;
        pd_poisson_report report = multigrid(p, pool, most_cycles[k], 1e-3 * before);
        print_message("%s, %d x %d%s: %d cycles to %.1e\n", kind_names[k], nx, ny, smooth ? ", smooth" : "",
                      report.iterations, report.after / before);
        assert_true(report.after <= 1e-3 * before);
        EACH_CELL(p, i, j) greatest = fmax(greatest, fabs((double)*at(p, p->q, i, j)));
        /* Rounding errors of q, and of the mean that was subtracted from r. */
        assert_float_equal(residual(p), report.after, 1e-4 * before + 3e-7 * greatest);
    }
    pd_poisson_destroy(p);
}

static void multigrid_converges(void **state) {
    (void)state;
    static const int sizes[][2] = {{64, 64},  {129, 129}, {37, 53},   {128, 128}, {160, 100}, {100, 200},
                                   {400, 30}, {256, 256}, {255, 257}, {512, 256}, {512, 512}, {1024, 1024}};
    int count = UNDER_ADDRESS_SANITIZER ? 6 : in_short_run() ? 9 : COUNT(sizes);
    pd_pool *pool = pool_of(1);
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; s < count; s++) check_convergence((kind)k, sizes[s][0], sizes[s][1], pool);
    pd_pool_destroy(pool);
}

/* Also where no tolerance can be reached: the solution is as good as floats allow, and not spoilt by further cycles. */
static void ends_at_rounding_errors(void **state) {
    (void)state;
    pd_pool *pool = pool_of(1);
    for (int k = 0; k < KINDS; k++) {
        pd_poisson *p = problem_of((kind)k, 64, 64);
        pd_poisson_prepare(p, pool);
        fill_rhs(p, false);
        pd_poisson_report report = multigrid(p, pool, 100, 0);
        print_message("%s: %d cycles to %.1e\n", kind_names[k], report.iterations, residual(p) / report.before);
        assert_true(report.iterations < 30);
        assert_true(residual(p) < 1e-5 * report.before);
        pd_poisson_destroy(p);
    }
    pd_pool_destroy(pool);
}

/* A square where q = 0 one cell outside: the error sin(pi x) sin(pi y) decreases by mu^2 in each sweep, mu = cos(pi/(n +
 * 1)) being the eigenvalue of Jacobi's iteration, and by about omega - 1 with the best omega (Young 1954). */
static void gauss_seidel_converges_as_theory(void **state) {
    (void)state;
    enum { SIDE = 31 };
    pd_pool *pool = pool_of(1);
    pd_poisson *p = poisson_of(SIDE, SIDE);
    open_faces(p);
    EACH_CELL(p, i, j) * at(p, p->open, i, j) = (float)((i % (SIDE - 1) == 0) + (j % (SIDE - 1) == 0));
    pd_poisson_prepare(p, pool);
    double step = pi / (SIDE + 1), mu = cos(step), best = 2 / (1 + sin(step));
    EACH_CELL(p, i, j) * at(p, p->q, i, j) = (float)(sin(step * (i + 1)) * sin(step * (j + 1)));
    double first = gauss_seidel(p, pool, 1, 1).after, after = gauss_seidel(p, pool, 20, 1).after;
    assert_float_equal(pow(after / first, 1.0 / 20), mu * mu, 1e-4);
    assert_float_equal(residual(p), after, 1e-3 * after);
    EACH_CELL(p, i, j) * at(p, p->q, i, j) = (float)(sin(step * (i + 1)) * sin(step * (j + 1)));
    gauss_seidel(p, pool, 50, best);
    pd_poisson_report report = gauss_seidel(p, pool, 30, best);
    assert_int_equal(report.iterations, 30);
    assert_float_equal(pow(report.after / report.before, 1.0 / 30), best - 1, 0.02);
    pd_poisson_destroy(p);
    pd_pool_destroy(pool);
}

/* Neither solver changes what is solved already. */
static void a_solution_stays(void **state) {
    (void)state;
    pd_pool *pool = pool_of(1);
    pd_poisson *p = problem_of(OBSTACLES, 120, 130);
    pd_poisson_prepare(p, pool);
    random_values(p, p->rhs, 5, 1);
    multigrid(p, pool, 30, 1e-5);
    float *q = malloc(p->layout.count * sizeof *q);
    assert_non_null(q);
    memcpy(q, p->q, p->layout.count * sizeof *q);
    for (int n = 0; n < fewer_frames(1000, 10); n++) assert_int_equal(multigrid(p, pool, 30, 2e-5).iterations, 0);
    EACH_CELL(p, i, j) assert_float_equal(*at(p, p->q, i, j), *at(p, q, i, j), 1e-5);
    for (int n = 0; n < 10; n++) gauss_seidel(p, pool, 10, 1.9);
    EACH_CELL(p, i, j) assert_float_equal(*at(p, p->q, i, j), *at(p, q, i, j), 1e-3);
    free(q);
    pd_poisson_destroy(p);
    pd_pool_destroy(pool);
}

static void mirrored_problems_have_mirrored_solutions(void **state) {
    (void)state;
    pd_pool *pool = pool_of(1);
    static const int sizes[][2] = {{64, 48}, {51, 77}};
    for (int s = 0; s < 2 * COUNT(sizes); s++) {
        int nx = sizes[s / 2][0], ny = sizes[s / 2][1];
        pd_poisson *p = problem_of(s % 2 ? SURFACE : THIN_WALLS, nx, ny), *m = poisson_of(nx, ny);
        random_values(p, p->rhs, 9, 1);
        EACH_CELL(p, i, j) {
            *at(m, m->rhs, nx - 1 - i, ny - 1 - j) = *at(p, p->rhs, i, j);
            *at(m, m->open, nx - 1 - i, ny - 1 - j) = *at(p, p->open, i, j);
            if (i) *at(m, m->face_x, nx - i, ny - 1 - j) = *at(p, p->face_x, i, j);
            if (j) *at(m, m->face_y, nx - 1 - i, ny - j) = *at(p, p->face_y, i, j);
        }
        pd_poisson_prepare(p, pool);
        pd_poisson_prepare(m, pool);
        multigrid(p, pool, 40, 1e-6);
        multigrid(m, pool, 40, 1e-6);
        EACH_CELL(p, i, j) assert_float_equal(*at(p, p->q, i, j), *at(m, m->q, nx - 1 - i, ny - 1 - j), 1e-3);
        pd_poisson_destroy(p);
        pd_poisson_destroy(m);
    }
    pd_pool_destroy(pool);
}

/* ---- Regions ---- */

/* Four closed regions and one with a d, of r that do not add up to 0, and a closed cell. */
static void closed_regions_are_balanced(void **state) {
    (void)state;
    pd_pool *pool = pool_of(1);
    pd_poisson *p = poisson_of(70, 50);
    open_faces(p);
    EACH_CELL(p, i, j) {
        if (i == 30 || i == 31) *at(p, p->face_x, i, j) = 0.0f; /* a column of its own, one cell wide */
        if (j == 21) *at(p, p->face_y, i, j) = 0.0f;
        if (i == 69 && j > 20) *at(p, p->open, i, j) = 2.0f;
    }
    for (int k = 0; k < 2; k++) { /* cell (50, 30) */
        *at(p, p->face_x, 50 + k, 30) = 0.0f;
        *at(p, p->face_y, 50, 30 + k) = 0.0f;
    }
    pd_poisson_prepare(p, pool);
    for (int solver = 0; solver < 2; solver++) {
        random_values(p, p->rhs, 5, 1);
        EACH_CELL(p, i, j) * at(p, p->rhs, i, j) += (float)(1 + (i > 30) + 2 * (j > 20));
        random_values(p, p->q, 6, 100);
        double after = solver ? multigrid(p, pool, 40, 1e-4).after : gauss_seidel(p, pool, 2000, 1.9).after;
        assert_true(after < 1e-2); /* rounding errors of a q of 3e3 in the open region */
        assert_float_equal(residual(p), after, 1e-3 + after);
        assert_true(*at(p, p->q, 50, 30) == 0.0f);
        double sums[6] = {0}, sizes[6] = {0};
        EACH_CELL(p, i, j) {
            int region = (i > 30) + (i > 29) + 3 * (j > 20);
            sums[region] += *at(p, p->q, i, j);
            sizes[region]++;
        }
        for (int region = 0; region < 5; region++) assert_float_equal(sums[region] / sizes[region], 0, 1e-3);
        assert_true(sums[5] / sizes[5] > 100);
    }
    pd_poisson_destroy(p);
    pd_pool_destroy(pool);
}

/* Spirals and combs that the search for regions passes from many sides: joined by their last cell only. */
static void winding_regions_are_found(void **state) {
    (void)state;
    pd_pool *pool = pool_of(1);
    pd_poisson *p = poisson_of(131, 40);
    for (int teeth_up = 0; teeth_up < 2; teeth_up++) {
        /* Columns that are joined in the last row or the first one: one region. The second comb is between its teeth. */
        EACH_CELL(p, i, j) {
            int spine = teeth_up ? 0 : 39;
            *at(p, p->face_x, i, j) = j == spine && i > 0 ? 1.0f : 0.0f;
            *at(p, p->face_y, i, j) = j > 0 && (i % 2 == 0 || (j != spine && j - 1 != spine)) ? 1.0f : 0.0f;
        }
        /* Of the spine the odd cells are not above a tooth. The other columns are 65 regions. */
        pd_poisson_prepare(p, pool);
        EACH_CELL(p, i, j) * at(p, p->rhs, i, j) = (float)i;
        multigrid(p, pool, 0, 0);
        double sum = 0.0;
        EACH_CELL(p, i, j) {
            bool comb = i % 2 == 0 || j == (teeth_up ? 0 : 39);
            if (comb) sum += *at(p, p->rhs, i, j);
            if (!comb) assert_true(*at(p, p->rhs, i, j) == 0.0f);
        }
        assert_float_equal(sum, 0, 0.05);
        assert_float_equal(*at(p, p->rhs, 2, 5) - *at(p, p->rhs, 0, 5), 2, 1e-4);
    }
    pd_poisson_destroy(p);
    pd_pool_destroy(pool);
}

/* ---- Any input ---- */

static void check_finite(const pd_poisson *p) {
    EACH_CELL(p, i, j) {
        size_t k = pd_element_index(&p->layout, i, j);
        assert_true(isfinite(p->q[k]));
        if (diagonal(p, k) <= 0) assert_true(p->q[k] == 0.0f);
    }
}

/* Faces closed with the given probability, otherwise of random coefficients, some of them tiny; some d, some of them
 * huge. */
static void random_coefficients(pd_poisson *p, pd_random *random, float closed, bool extreme) {
    EACH_CELL(p, i, j) {
        float x = pd_random_below_one(random), y = pd_random_below_one(random), d = pd_random_below_one(random);
        if (pd_random_below_one(random) < closed) x = 0.0f;
        if (pd_random_below_one(random) < closed) y = 0.0f;
        if (extreme && pd_random_below_one(random) < 0.1f) x *= 1e-5f;
        if (extreme && pd_random_below_one(random) < 0.05f) y *= 1e-30f;
        d = d < 0.95f ? 0.0f : extreme && d > 0.99f ? 1e6f * d : d > 0.999f ? 1e30f : d;
        *at(p, p->face_x, i, j) = i ? x : 0.0f;
        *at(p, p->face_y, i, j) = j ? y : 0.0f;
        *at(p, p->open, i, j) = d;
    }
}

static void random_masks(void **state) {
    (void)state;
    pd_pool *pool = pool_of(1);
    pd_random random = {17};
    for (int n = 0; n < fewer_frames(200, 20); n++) {
        int nx = 1 + (int)(100 * pd_random_below_one(&random)), ny = 1 + (int)(100 * pd_random_below_one(&random));
        bool extreme = n % 2;
        pd_poisson *p = poisson_of(nx, ny);
        random_coefficients(p, &random, 0.9f * pd_random_below_one(&random), extreme);
        pd_poisson_prepare(p, pool);
        float size = n % 5 ? 1.0f : powf(10.0f, between(&random, -37, 38));
        random_values(p, p->rhs, (uint64_t)n, size);
        random_values(p, p->q, (uint64_t)n + 7, n % 3 ? size : 1.0f);
        pd_poisson_report report = multigrid(p, pool, 100, 0);
        check_finite(p);
        assert_true(isfinite(report.before) && isfinite(report.after));
        random_values(p, p->rhs, (uint64_t)n, size);
        gauss_seidel(p, pool, 20, 1.99);
        check_finite(p);
        pd_poisson_destroy(p);
    }
    pd_pool_destroy(pool);
}

/* Obstacles of single cells, and channels one cell wide between them. */
static void scattered_solid_cells(void **state) {
    (void)state;
    pd_pool *pool = pool_of(1);
    for (int n = 0; n < 6; n++) {
        pd_random random = {(uint64_t)n};
        pd_poisson *p = poisson_of(120, 90);
        open_faces(p);
        EACH_CELL(p, i, j) {
            if (pd_random_below_one(&random) > 0.05f * (float)(n + 1)) continue;
            *at(p, p->face_x, i, j) = *at(p, p->face_y, i, j) = 0.0f;
            if (i < 119) *at(p, p->face_x, i + 1, j) = 0.0f;
            if (j < 89) *at(p, p->face_y, i, j + 1) = 0.0f;
        }
        pd_poisson_prepare(p, pool);
        random_values(p, p->rhs, 5, 1);
        double before = multigrid(p, pool, 0, 0).before;
        pd_poisson_report report = multigrid(p, pool, 60, 1e-3 * before);
        print_message("%d %% solid: %d cycles to %.1e\n", 5 * (n + 1), report.iterations, report.after / before);
        assert_true(report.after <= 1e-3 * before);
        pd_poisson_destroy(p);
    }
    pd_pool_destroy(pool);
}

/* Right-hand sides that differ by a power of two have solutions that do. */
static void size_does_not_matter(void **state) {
    (void)state;
    static const int exponents[] = {-100, -40, 40, 100};
    pd_pool *pool = pool_of(1);
    pd_poisson *p = problem_of(OBSTACLES, 50, 60);
    float *q = malloc(p->layout.count * sizeof *q);
    assert_non_null(q);
    pd_poisson_prepare(p, pool);
    for (int solver = 0; solver < 2; solver++) {
        for (int n = -1; n < COUNT(exponents); n++) {
            float factor = n < 0 ? 1.0f : ldexpf(1.0f, exponents[n]);
            random_values(p, p->rhs, 5, factor);
            random_values(p, p->q, 6, factor);
            if (solver) multigrid(p, pool, 8, 0);
            if (!solver) gauss_seidel(p, pool, 8, 1.7);
            if (n < 0) memcpy(q, p->q, p->layout.count * sizeof *q);
            EACH_CELL(p, i, j) assert_true(*at(p, p->q, i, j) == *at(p, q, i, j) * factor);
        }
        static const float extremes[] = {FLT_MAX, 1e-40f, FLT_MIN, 0.0f};
        for (int n = 0; n < COUNT(extremes); n++) {
            random_values(p, p->rhs, 5, extremes[n]);
            random_values(p, p->q, 6, extremes[COUNT(extremes) - 1 - n]);
            if (solver) multigrid(p, pool, 20, 0);
            if (!solver) gauss_seidel(p, pool, 20, 1.9);
            check_finite(p);
        }
    }
    free(q);
    pd_poisson_destroy(p);
    pd_pool_destroy(pool);
}

static void small_grids(void **state) {
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 2}, {2, 1},  {2, 2},  {3, 5},   {5, 3},   {1, 9},
                                   {9, 1}, {8, 8}, {9, 10}, {16, 1}, {1, 300}, {300, 1}, {37, 53}};
    pd_pool *pool = pool_of(1);
    for (int s = 0; s < COUNT(sizes); s++) {
        for (int open = 0; open < 3; open++) { /* closed; one cell with a d; all cells */
            pd_poisson *p = poisson_of(sizes[s][0], sizes[s][1]);
            open_faces(p);
            if (open == 1) *at(p, p->open, 0, 0) = 2.0f;
            if (open == 2) EACH_CELL(p, i, j) * at(p, p->open, i, j) = 1.0f;
            pd_poisson_prepare(p, pool);
            random_values(p, p->rhs, 5, 1);
            double before = multigrid(p, pool, 0, 0).before;
            pd_poisson_report report = multigrid(p, pool, 20, 1e-4 * before);
            assert_true(report.after <= 1e-4 * before);
            /* rounding errors of q, which grows with the square of the length */
            assert_true(residual(p) <= 2e-4 * before + 1e-7 * pow(sizes[s][0] + sizes[s][1], 2));
            check_finite(p);
            random_values(p, p->rhs, 5, 1);
            random_values(p, p->q, 6, 1);
            report = gauss_seidel(p, pool, 10, 1);
            assert_true(report.after <= report.before);
            pd_poisson_destroy(p);
        }
    }
    pd_pool_destroy(pool);
}

/* No cell has a coefficient: q becomes 0, and no cycle is spent. */
static void everything_closed(void **state) {
    (void)state;
    pd_pool *pool = pool_of(1);
    pd_poisson *p = poisson_of(40, 30);
    pd_poisson_prepare(p, pool);
    for (int solver = 0; solver < 2; solver++) {
        random_values(p, p->rhs, 5, 1);
        random_values(p, p->q, 6, 1);
        pd_poisson_report report = solver ? multigrid(p, pool, 10, 0) : gauss_seidel(p, pool, 1, 1.9);
        assert_true(report.before == 0.0 && report.after == 0.0);
        if (solver) assert_int_equal(report.iterations, 0);
        check_finite(p);
    }
    pd_poisson_destroy(p);
    pd_pool_destroy(pool);
}

/* Coefficients may change: what was there before does not matter, to the bit. */
static void prepared_anew(void **state) {
    (void)state;
    pd_pool *pool = pool_of(1);
    pd_poisson *a = problem_of(THIN_WALLS, 140, 110), *b = problem_of(SURFACE, 140, 110);
    pd_poisson_prepare(a, pool);
    random_values(a, a->rhs, 5, 1e20f);
    multigrid(a, pool, 5, 0);
    size_t bytes = a->layout.count * sizeof(float);
    memcpy(a->face_x, b->face_x, bytes), memcpy(a->face_y, b->face_y, bytes), memcpy(a->open, b->open, bytes);
    memset(a->q, 0, bytes);
    pd_poisson_prepare(a, pool);
    pd_poisson_prepare(b, pool);
    random_values(a, a->rhs, 8, 1), random_values(b, b->rhs, 8, 1);
    multigrid(a, pool, 4, 0), multigrid(b, pool, 4, 0);
    assert_memory_equal(a->q, b->q, bytes);
    pd_poisson_destroy(a);
    pd_poisson_destroy(b);
    pd_pool_destroy(pool);
}

/* ---- Bits ---- */

/* q after both solvers, from a random mask and a free surface. */
static float *results(int threads, const char *level) {
    if (!pd_simd_select(level)) return NULL;
    static const int sizes[][2] = {{150, 140}, {37, 53}, {300, 200}};
    pd_pool *pool = pool_of(threads);
    float *values = malloc(6 * 300 * 200 * sizeof *values), *next = values;
    assert_non_null(values);
    for (int s = 0; s < COUNT(sizes); s++) {
        pd_poisson *p = problem_of(s ? SURFACE : THIN_WALLS, sizes[s][0], sizes[s][1]);
        pd_random random = {4};
        if (s == 2) random_coefficients(p, &random, 0.2f, false);
        pd_poisson_prepare(p, pool);
        for (int solver = 0; solver < 2; solver++) {
            random_values(p, p->rhs, 3, 1);
            if (solver) multigrid(p, pool, 5, 0);
            if (!solver) gauss_seidel(p, pool, 5, 1.8);
            EACH_CELL(p, i, j) *next++ = *at(p, p->q, i, j);
        }
        pd_poisson_destroy(p);
    }
    for (; next < values + 6 * 300 * 200;) *next++ = 0.0f;
    pd_pool_destroy(pool);
    return values;
}

static void threads_and_levels_agree_to_the_bit(void **state) {
    use_level(*state);
    float *expected = results(1, "baseline");
    for (int threads = UNDER_ADDRESS_SANITIZER ? 3 : 1; threads <= 3; threads++) {
        float *values = results(threads, *state);
        assert_memory_equal(values, expected, 6 * 300 * 200 * sizeof *values);
        free(values);
    }
    free(expected);
}

TEST_GROUP(poisson) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cosines_are_exact),
        cmocka_unit_test(finds_the_solution_of_a_product),
        cmocka_unit_test(multigrid_converges),
        cmocka_unit_test(ends_at_rounding_errors),
        cmocka_unit_test(gauss_seidel_converges_as_theory),
        cmocka_unit_test(a_solution_stays),
        cmocka_unit_test(mirrored_problems_have_mirrored_solutions),
        cmocka_unit_test(closed_regions_are_balanced),
        cmocka_unit_test(winding_regions_are_found),
        cmocka_unit_test(random_masks),
        cmocka_unit_test(scattered_solid_cells),
        cmocka_unit_test(size_does_not_matter),
        cmocka_unit_test(small_grids),
        cmocka_unit_test(everything_closed),
        cmocka_unit_test(prepared_anew),
        AT_EVERY_LEVEL(threads_and_levels_agree_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
