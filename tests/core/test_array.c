/* Arrays that grow: values, zeroes, alignment, and memory that is refused. Small requests, which never fail. */
#include "core/array.h"
#include "core/memory.h"
#include "refusing.h"
#include "test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct arrays {
    double *number;
    char *letter;
    int *place;
} arrays;

#define ALL(a, kept, count)                                                                                            \
    PD_ARRAYS(PD_ARRAY((a)->number, kept, count), PD_ARRAY((a)->letter, kept, 2 * (count)),                            \
              PD_ARRAY((a)->place, 0, count))

static void test_values_are_kept_and_the_rest_is_zero(void **state) {
    (void)state;
    arrays a = {0};
    assert_true(pd_arrays_resize(ALL(&a, 0, 3)));
    for (int i = 0; i < 3; i++) a.number[i] = i + 1, a.letter[i] = (char)('a' + i), a.place[i] = 7;
    assert_true(pd_arrays_resize(ALL(&a, 3, 100)));
    for (int i = 0; i < 100; i++) {
        assert_true(a.number[i] == (i < 3 ? i + 1 : 0));
        assert_int_equal(a.letter[i], i < 3 ? 'a' + i : 0);
        assert_int_equal(a.place[i], 0);
    }
    assert_int_equal((uintptr_t)a.letter % PD_ALIGNMENT, 0);
    pd_arrays_free(ALL(&a, 0, 0));
    assert_null(a.number);
    assert_int_equal(memory.blocks, 0);
}

static void test_all_arrays_change_or_none(void **state) {
    (void)state;
    arrays a = {0};
    assert_true(pd_arrays_resize(ALL(&a, 0, 2)));
    a.number[1] = 5;
    for (long from = 1; from <= 3; from++) {
        arrays before = a;
        refuse(REFUSE_ONE, from);
        assert_false(pd_arrays_resize(ALL(&a, 2, 50)));
        assert_true(was_refused());
        assert_memory_equal(&a, &before, sizeof a);
        assert_true(a.number[1] == 5);
        assert_int_equal(memory.blocks, 3);
    }
    pd_arrays_free(ALL(&a, 0, 0));
}

static void test_one_array_grows(void **state) {
    (void)state;
    int *values = NULL, capacity = 0;
    for (int n = 0; n < 1000; n++) {
        assert_true(PD_ARRAY_RESERVE(values, capacity, n, n + 1));
        assert_true(capacity > n);
        values[n] = n;
    }
    for (int n = 0; n < 1000; n++) assert_int_equal(values[n], n);
    refuse(REFUSE_ONE, 1);
    int *before = values, room = capacity;
    assert_true(PD_ARRAY_RESERVE(values, capacity, 1000, capacity)); /* requests nothing */
    assert_false(PD_ARRAY_RESERVE(values, capacity, 1000, capacity + 1));
    was_refused();
    assert_ptr_equal(values, before);
    assert_int_equal(capacity, room);
    pd_free(values);
}

static void test_a_list_grows(void **state) {
    (void)state;
    double *values = NULL;
    int capacity = 0, growths = 0;
    for (int n = 0; n < 1000; n++) {
        int before = capacity;
        assert_true(PD_LIST_RESERVE(values, capacity, n + 1));
        growths += capacity != before;
        values[n] = n;
    }
    for (int n = 0; n < 1000; n++) assert_true(values[n] == n);
    assert_true(growths <= 10); /* doubles */
    assert_true(PD_LIST_RESERVE(values, capacity, 9 * capacity + 1));
    int room = capacity;
    refuse(REFUSE_ONE, 1);
    assert_false(PD_LIST_RESERVE(values, capacity, room + 1));
    was_refused();
    assert_int_equal(capacity, room);
    pd_memory_free(values);
    assert_int_equal(memory.blocks, 0);
}

/* ---- Small requests ---- */

static char user_pointer[1]; /* the user pointer of the allocator */

static void *refuse_all(size_t size, void *user) {
    (void)size, (void)user;
    return NULL;
}

static void exit_with_size(size_t size, void *user) { _exit(user == user_pointer ? (int)size : 1); }

/* A refused small request calls the program's function. Without one it says so and aborts. */
static void test_small_requests_never_fail(void **state) {
    (void)state;
    pd_allocator allocator = {refuse_all, NULL, refusing_release, user_pointer, exit_with_size};
    for (int has_function = 0; has_function < 2; has_function++) {
        int status, ends[2];
        char said[100] = "";
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) {
            signal(SIGABRT, SIG_DFL);
            dup2(ends[1], STDERR_FILENO);
            if (!has_function) allocator.exhausted = NULL;
            pd_set_allocator(&allocator);
            pd_memory_require(3, 7);
            _exit(0);
        }
        close(ends[1]);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(read(ends[0], said, sizeof said - 1) >= 0);
        close(ends[0]);
        if (has_function)
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 21);
        else
            assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        assert_string_equal(said, has_function ? "" : "puddle: no memory for 21 bytes (close other programs)\n");
    }
}

/* The library requests again when the program's function returns. */
static void test_small_requests_are_repeated(void **state) {
    (void)state;
    refuse(REFUSE_ONE, 1);
    size_t refusals = pd_memory_refused_request_count();
    int *values = pd_memory_require(4, sizeof *values);
    assert_true(values[0] == 0 && values[3] == 0);
    assert_int_equal(pd_memory_refused_request_count(), refusals);
    assert_null(pd_memory_new(1)); /* the refusal meets the next request that may fail */
    assert_int_equal(pd_memory_refused_request_count(), refusals + 1);
    was_refused();
    pd_memory_free(values);
    assert_int_equal(memory.blocks, 0);
}

TEST_GROUP(array) {
    set_refusing_allocator();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_kept_and_the_rest_is_zero),
        cmocka_unit_test(test_all_arrays_change_or_none),
        cmocka_unit_test(test_one_array_grows),
        cmocka_unit_test(test_a_list_grows),
        cmocka_unit_test(test_small_requests_never_fail),
        cmocka_unit_test(test_small_requests_are_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
