/* Shorter tests under AddressSanitizer, which is about 4 times slower, and in the short run of scripts/test.sh.
 * ThreadSanitizer runs the tests of the folder threads alone. It is about 50 times slower, as its builds have baseline code
 * only (core/simd.h). */
#ifndef PUDDLE_TESTS_SANITIZERS_H
#define PUDDLE_TESTS_SANITIZERS_H

#include "test.h"

#include <stdbool.h>
#include <stdlib.h>

#ifndef __has_feature
#define __has_feature(x) 0 /* defined by Clang; GCC has macros instead */
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define UNDER_ADDRESS_SANITIZER 1
#else
#define UNDER_ADDRESS_SANITIZER 0
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define UNDER_THREAD_SANITIZER 1
#else
#define UNDER_THREAD_SANITIZER 0
#endif

/* scripts/test.sh sets the variable, except with --all. A test program started by hand runs everything. */
static inline bool in_short_run(void) { return getenv("PUDDLE_SHORT_TESTS") != NULL; }

/* For tests that sample a range of inputs: shortened tests use fewer. */
static inline bool is_shortened(void) { return UNDER_ADDRESS_SANITIZER || in_short_run(); }

/* Numbers of threads whose results are compared with one thread. A shortened test uses one of them. */
static const int SEVERAL_THREADS[] = {3, 2, 8};
static inline int thread_counts(void) { return is_shortened() ? 1 : 3; }

/* Returns the frames of a test that checks every frame: `usual`, or a quarter if tests are shortened, and at least
 * `least`. */
static inline int fewer_frames(int usual, int least) {
    int frames = is_shortened() ? usual / 4 : usual;
    return frames > least ? frames : least;
}

/* Skips tests of the state after many frames. Sanitizers find the same errors in the first frames of other tests:
 * contract.h runs every method in every scene, test_methods_extremes.c every parameter at the ends of its range. */
static inline void skip_under_sanitizers(void) {
    if (UNDER_ADDRESS_SANITIZER) skip();
}

/* Skips long cases in the short run. Another case of the same program, or another round of the same loop, must remain.
 * scripts/test.sh counts the lines. */
static inline void skip_in_short(void) {
    if (!in_short_run()) return;
    print_message("left out of the short run\n");
    skip();
}

#endif
