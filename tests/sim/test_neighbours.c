/* The cell sort against brute force: the same neighbours, also where the grid wraps around; the same order on any
 * number of threads. */
#include "test.h"

#include "core/random.h"
#include "sim/particles/neighbours.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const float H = 0.1f;

static void scatter(pd_particles *p, int count, float width, float height, uint64_t seed) {
    pd_random random = {seed};
    *p = (pd_particles){0};
    assert_int_equal(pd_particles_reserve(p, count, NULL), PD_OK);
    for (int i = 0; i < count; i++) {
        float x = (pd_random_below_one(&random) - 0.5f) * width, y = (pd_random_below_one(&random) - 0.5f) * height;
        pd_particles_add(p, (pd_vec2){x, y}, (pd_vec2){x, -y}, i % 3);
    }
}

static int brute_force(const pd_particles *p, int i) {
    int count = 0;
    for (int j = 0; j < p->count; j++) {
        float dx = p->x[j] - p->x[i], dy = p->y[j] - p->y[i];
        count += j != i && dx * dx + dy * dy < H * H;
    }
    return count;
}

static int in_ranges(const pd_particles *p, const pd_ranges *ranges, int i) {
    int count = 0;
    for (int r = 0; r < ranges->count; r++)
        for (int j = ranges->begin[r]; j < ranges->end[r]; j++) {
            float dx = p->x[j] - p->x[i], dy = p->y[j] - p->y[i];
            count += j != i && dx * dx + dy * dy < H * H;
        }
    return count;
}

/* The ranges around every particle contain each of its neighbours once; every particle is in one cell. */
static void expect_all_found(const pd_neighbours *n, const pd_particles *p) {
    int seen = 0;
    for (int row = 0; row < n->rows; row++)
        for (int column = 0; column < n->columns; column++) {
            pd_ranges ranges;
            pd_neighbours_list_ranges(n, column, row, &ranges);
            const int *start = n->start + row * n->columns + column;
            for (int i = start[0]; i < start[1]; i++) {
                assert_int_equal(in_ranges(p, &ranges, i), brute_force(p, i));
                seen++;
            }
        }
    assert_int_equal(seen, p->count);
    assert_int_equal(n->rows % PD_COLOURS, 0);
    assert_int_equal(n->columns % PD_COLUMN_COLOURS, 0);
}

static void check_cloud(int count, float width, float height) {
    pd_pool *pool;
    pd_particles p;
    pd_neighbours n = {0};
    assert_int_equal(pd_pool_create(&pool, 2, NULL), PD_OK);
    scatter(&p, count, width, height, 7);
    assert_int_equal(pd_neighbours_reserve(&n, p.capacity, NULL), PD_OK);
    for (int repeat = 0; repeat < 2; repeat++) { /* the second sort starts from sorted arrays */
        pd_neighbours_sort(&n, &p, H, pool);
        expect_all_found(&n, &p);
    }
    for (int i = 0; i < p.count; i++) { /* all arrays are sorted alike */
        assert_true(p.vx[i] == p.x[i] && p.vy[i] == -p.y[i]);
        assert_int_equal(p.material[i], p.id[i] % 3);
    }
    pd_neighbours_free(&n);
    pd_particles_free(&p);
    pd_pool_destroy(pool);
}

static void test_against_brute_force(void **state) {
    (void)state;
    check_cloud(2000, 2, 2);
    check_cloud(1, 2, 2);
    check_cloud(500, 0.05f, 0.05f); /* in one or two cells */
}

/* Widely spread particles make the grid wrap around; no neighbour may be lost, found twice, or found across the
 * wrap. */
static void test_folding(void **state) {
    (void)state;
    check_cloud(1500, 4000, 4000);
    check_cloud(1500, 40000, 0.3f);
    check_cloud(1500, 0.3f, 40000);
    check_cloud(1500, 1e30f, 1e30f);
}

static void test_no_particles(void **state) {
    (void)state;
    pd_pool *pool;
    pd_particles p = {0};
    pd_neighbours n = {0};
    assert_int_equal(pd_pool_create(&pool, 1, NULL), PD_OK);
    assert_int_equal(pd_particles_reserve(&p, 16, NULL), PD_OK);
    assert_int_equal(pd_neighbours_reserve(&n, p.capacity, NULL), PD_OK);
    pd_neighbours_sort(&n, &p, H, pool);
    assert_int_equal(n.start[n.columns * n.rows], 0);
    pd_neighbours_free(&n);
    pd_particles_free(&p);
    pd_pool_destroy(pool);
}

static void test_threads_agree(void **state) {
    (void)state;
    pd_particles p[3];
    for (int threads = 1; threads <= 3; threads++) {
        pd_pool *pool;
        pd_neighbours n = {0};
        pd_particles *mine = &p[threads - 1];
        assert_int_equal(pd_pool_create(&pool, threads, NULL), PD_OK);
        scatter(mine, 50000, 10, 10, 3);
        assert_int_equal(pd_neighbours_reserve(&n, mine->capacity, NULL), PD_OK);
        pd_neighbours_sort(&n, mine, H, pool);
        assert_memory_equal(mine->x, p[0].x, sizeof(float) * 50000);
        assert_memory_equal(mine->id, p[0].id, sizeof(uint32_t) * 50000);
        pd_neighbours_free(&n);
        pd_pool_destroy(pool);
    }
    for (int k = 0; k < 3; k++) pd_particles_free(&p[k]);
}

/* Every window of a long range is chosen by some seed, also the first and the last; a short range is not cut. */
static void test_long_ranges_are_cut(void **state) {
    (void)state;
    int begin = 7, end = 7 + PD_LONGEST_RANGE;
    pd_limit_candidate_range(&begin, &end, 1);
    assert_int_equal(begin, 7);
    assert_int_equal(end, 7 + PD_LONGEST_RANGE);
    bool chosen[4] = {false};
    for (uint32_t seed = 0; seed < 100; seed++) {
        begin = 7, end = 7 + PD_LONGEST_RANGE + 3;
        pd_limit_candidate_range(&begin, &end, seed);
        assert_int_equal(end - begin, PD_LONGEST_RANGE);
        assert_in_range(begin, 7, 10);
        chosen[begin - 7] = true;
    }
    for (int k = 0; k < 4; k++) assert_true(chosen[k]);
}

TEST_GROUP(neighbours) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_brute_force), cmocka_unit_test(test_folding),
        cmocka_unit_test(test_no_particles),        cmocka_unit_test(test_threads_agree),
        cmocka_unit_test(test_long_ranges_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
