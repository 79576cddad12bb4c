/* Tests are shortened under sanitizers: they run about 4 times slower under AddressSanitizer, and about 50 times under
 * ThreadSanitizer, in whose builds there is only baseline code (core/simd.h). In the short run of scripts/test.sh they are
 * shortened too. */
#ifndef PUDDLE_TESTS_SANITIZERS_H
#define PUDDLE_TESTS_SANITIZERS_H

#include "cmocka_all.h"

#include <stdbool.h>
#include <stdlib.h>

#ifndef __has_feature
#define __has_feature(x) 0 /* of Clang; GCC defines macros */
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

#define UNDER_SANITIZERS (UNDER_ADDRESS_SANITIZER || UNDER_THREAD_SANITIZER)

/* scripts/test.sh sets the variable, with --all it does not. A test program that is run by hand runs everything. */
static inline bool in_short_run(void) { return getenv("PUDDLE_SHORT_TESTS") != NULL; }

/* For tests that sample a range of inputs: fewer of them are enough. */
static inline bool is_shortened(void) { return UNDER_SANITIZERS || in_short_run(); }

/* Numbers of threads, whose results are compared with those of one. A shortened test has one of them. */
static const int SEVERAL_THREADS[] = {3, 2, 8};
static inline int thread_counts(void) { return is_shortened() ? 1 : 3; }

/* The number of frames of a test that checks every frame: `usual`, a quarter of it under AddressSanitizer and in the
 * short run, a tenth under ThreadSanitizer, but at least `least`. */
static inline int fewer_frames(int usual, int least) {
    int frames = usual;
    if (UNDER_ADDRESS_SANITIZER || in_short_run()) frames = usual / 4;
    if (UNDER_THREAD_SANITIZER) frames = usual / 10;
    return frames > least ? frames : least;
}

/* For tests that measure the state after many frames, which cannot be shortened. Sanitizers find no more errors in them than
 * in the first frames of other tests: contract.h runs every method in every bundled scene, test_methods_extremes.c
 * sets every parameter to the ends of its range. */
static inline void skip_under_sanitizers(void) {
    if (UNDER_SANITIZERS) skip();
}

/* For cases that are long by nature. Another case of the same program, or another turn of the same loop, must remain in the short
 * run. scripts/test.sh counts the lines. */
static inline void skip_in_short(void) {
    if (!in_short_run()) return;
    print_message("left out of the short run\n");
    skip();
}

/* For tests that do on threads only what others do. */
static inline void skip_under_thread_sanitizer(void) {
    if (UNDER_THREAD_SANITIZER) skip();
}

#endif
