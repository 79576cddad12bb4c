/* Memory of neighbour lists (sim/particles/lists.h): a chunk whose lists do not fit gets more, and is made again alone. */
#include "refusing.h"
#include "sim/particles/lists.h"
#include "test.h"

enum { CHUNKS = 8, COUNT = (CHUNKS - 1) * PD_LIST_GRAIN + 40, FEW = 100, FULL = 5, MANY = 5000 };

typedef struct fake {
    pd_lists lists;
    int calls[CHUNKS];
    int needed[CHUNKS]; /* rows */
} fake;

static void find(void *context, int begin, int end) {
    fake *f = context;
    int chunk = begin / PD_LIST_GRAIN;
    assert_int_equal(begin % PD_LIST_GRAIN, 0);
    assert_int_equal(end, chunk + 1 < CHUNKS ? begin + PD_LIST_GRAIN : COUNT);
    f->calls[chunk]++;
    f->lists.chunk[chunk].needed = f->needed[chunk];
}

/* The lists of a fluid whose chunk FULL outgrows its memory. */
static bool make(fake *f, refusal mode) {
    pd_pool *pool = NULL;
    assert_int_equal(pd_pool_create(&pool, 1, NULL), PD_OK);
    assert_int_equal(pd_lists_reserve(&f->lists, COUNT, NULL), PD_OK);
    for (int c = 0; c < CHUNKS; c++) f->needed[c] = c == FULL ? MANY : FEW;
    refuse(mode, 1);
    bool whole = pd_lists_build(&f->lists, COUNT, pool, find, f);
    pd_pool_destroy(pool);
    return whole;
}

static void only_a_full_chunk_is_made_again(void **state) {
    (void)state;
    fake f = {0};
    assert_true(make(&f, REFUSE_NONE));
    for (int c = 0; c < CHUNKS; c++) assert_int_equal(f.calls[c], c == FULL ? 2 : 1);
    assert_true(f.lists.chunk[FULL].rows >= MANY);
    for (int c = 0; c < CHUNKS; c++)
        if (c != FULL) assert_true(f.lists.chunk[c].rows < MANY / 2);
    pd_lists_free(&f.lists);
}

/* Without memory a chunk has as much as before, and nothing is found again. */
static void a_full_chunk_without_memory(void **state) {
    (void)state;
    fake f = {0};
    assert_false(make(&f, REFUSE_ALL_FROM));
    assert_true(was_refused());
    for (int c = 0; c < CHUNKS; c++) {
        assert_int_equal(f.calls[c], 1);
        assert_true(f.lists.chunk[c].rows >= FEW && f.lists.chunk[c].rows < MANY / 2);
    }
    pd_lists_free(&f.lists);
    assert_int_equal(memory.blocks, 0);
}

TEST_GROUP(neighbour_lists) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_full_chunk_is_made_again),
        cmocka_unit_test(a_full_chunk_without_memory),
    };
    set_refusing_allocator();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
