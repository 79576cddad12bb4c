#include "test.h"

#include "core/parallel.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_COUNT = 5000 };

typedef struct tally {
    int visits[MAX_COUNT];    /* not atomic: ThreadSanitizer reports an item in two chunks */
    atomic_int chunks, wrong; /* wrong: a failing assert calls longjmp, which a worker must not */
    int count, grain;
} tally;

static void visit(void *context, int begin, int end) {
    tally *t = context;
    if (begin % t->grain != 0 || (end - begin != t->grain && end != t->count)) atomic_fetch_add(&t->wrong, 1);
    for (int i = begin; i < end; i++) t->visits[i]++;
    atomic_fetch_add(&t->chunks, 1);
}

static void every_item_once(void **state) {
    (void)state;
    static tally t;
    static const int threads[] = {1, 2, 3, 16};
    static const int counts[] = {0, 1, 2, 3, 7, 64, 65, 1000, MAX_COUNT};
    static const int grains[] = {1, 2, 64, 999, 1000, INT_MAX};
    for (int n = 0; n < 4; n++) {
        pd_pool *pool;
        assert_int_equal(pd_pool_create(&pool, threads[n], NULL), PD_OK);
        assert_int_equal(pd_pool_thread_count(pool), threads[n]);
        for (int c = 0; c < 9; c++) {
            for (int g = 0; g < 6; g++) {
                t = (tally){.count = counts[c], .grain = grains[g]};
                pd_parallel_for(pool, t.count, t.grain, visit, &t);
                assert_int_equal(t.wrong, 0);
                assert_int_equal(t.chunks, t.count / t.grain + (t.count % t.grain != 0));
                for (int i = 0; i < MAX_COUNT; i++) assert_int_equal(t.visits[i], i < t.count);
            }
        }
        pd_pool_destroy(pool);
    }
}

typedef struct sum_job {
    const int64_t *in;
    int64_t *out;
} sum_job;

static void add_neighbours(void *context, int begin, int end) {
    sum_job *job = context;
    for (int i = begin; i < end; i++) job->out[i] = job->in[i] + job->in[(i + 1) % 256];
}

/* Each loop reads what other threads wrote in the loop before: detects chunks that run too early, too late or twice. */
static void loops_follow_each_other(void **state) {
    (void)state;
    int64_t a[256], b[256], want[256], next[256];
    static const int threads[] = {1, 2, 5};
    for (int n = 0; n < 3; n++) {
        pd_pool *pool;
        assert_int_equal(pd_pool_create(&pool, threads[n], NULL), PD_OK);
        for (int i = 0; i < 256; i++) a[i] = want[i] = i;
        for (int round = 0; round < 2000; round++) {
            pd_parallel_for(pool, 256, 1 + round % 40, add_neighbours, &(sum_job){a, b});
            pd_parallel_for(pool, 256, 16, add_neighbours, &(sum_job){b, a});
            for (int twice = 0; twice < 2; twice++) {
                add_neighbours(&(sum_job){want, next}, 0, 256);
                for (int i = 0; i < 256; i++) want[i] = next[i] & 0xffffffffff;
            }
            for (int i = 0; i < 256; i++) a[i] &= 0xffffffffff;
            assert_memory_equal(a, want, sizeof a);
        }
        pd_pool_destroy(pool);
    }
}

static void idle_work(void *context, int begin, int end) {
    atomic_int *total = context;
    atomic_fetch_add(total, end - begin);
}

/* Pauses between loops, by busy waiting, that are long enough for the workers to sleep. */
static void workers_wake_again(void **state) {
    (void)state;
    pd_pool *pool;
    assert_int_equal(pd_pool_create(&pool, 4, NULL), PD_OK);
    atomic_int total = 0;
    for (int round = 0; round < 200; round++) {
        pd_parallel_for(pool, 100, 1, idle_work, &total);
        clock_t begin = clock();
        while (clock() - begin < CLOCKS_PER_SEC / 5000) {}
    }
    assert_int_equal(total, 20000);
    pd_pool_destroy(pool);
}

static void bounds_of_creation(void **state) {
    (void)state;
    pd_pool *pool;
    assert_int_equal(pd_pool_create(&pool, 0, NULL), PD_OK);
    assert_in_range(pd_pool_thread_count(pool), 1, PD_POOL_THREADS);
    pd_pool_destroy(pool);
    assert_int_equal(pd_pool_create(&pool, 100000, NULL), PD_OK);
    assert_int_equal(pd_pool_thread_count(pool), PD_POOL_THREADS);
    atomic_int total = 0;
    for (int round = 0; round < 20; round++) pd_parallel_for(pool, 1000, 1, idle_work, &total);
    assert_int_equal(total, 20000);
    pd_pool_destroy(pool);
    pd_pool_destroy(NULL);
    for (int round = 0; round < 100; round++) { /* destroyed before its threads have started */
        assert_int_equal(pd_pool_create(&pool, 4, NULL), PD_OK);
        pd_pool_destroy(pool);
    }
}

TEST_GROUP(parallel) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_once),
        cmocka_unit_test(loops_follow_each_other),
        cmocka_unit_test(workers_wake_again),
        cmocka_unit_test(bounds_of_creation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
