/* What tests do less of under a sanitizer. AddressSanitizer makes them 4 times longer; ThreadSanitizer, which is given plain code
 * only (core/simd.h), about 50 times. */
#ifndef PUDDLE_TESTS_SANITIZERS_H
#define PUDDLE_TESTS_SANITIZERS_H

#include "cmocka_all.h"

#include <stdbool.h>

#ifndef __has_feature
#define __has_feature(x) 0 /* Clang's way to tell; GCC has macros */
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

/* So many frames of a test that looks for mistakes in each of them, and finds most in the first: a quarter of them under
 * AddressSanitizer, a tenth under ThreadSanitizer, but no fewer than `least`. */
static inline int fewer_frames(int usual, int least) {
    int frames = UNDER_THREAD_SANITIZER ? usual / 10 : UNDER_ADDRESS_SANITIZER ? usual / 4 : usual;
    return frames > least ? frames : least;
}

/* For tests that measure what a fluid does in the end, and for long ones on a single thread: a tenth of them would measure nothing,
 * and ThreadSanitizer sees in them what it sees in the first frames of other tests with the same methods. */
static inline void skip_under_thread_sanitizer(void) {
    if (UNDER_THREAD_SANITIZER) skip();
}

#endif
