/* Tests of a single SIMD level, skipped if the processor or build lacks it. */
#ifndef PUDDLE_TESTS_LEVELS_H
#define PUDDLE_TESTS_LEVELS_H

#include "test.h"

#include "core/simd.h"

static inline void use_level(const char *name) {
    if (pd_simd_select(name)) return;
    print_message("this processor or build has no %s\n", name);
    skip();
}

/* Teardown of tests that call use_level. */
static inline int use_best_level(void **state) {
    (void)state;
    return pd_simd_select("auto") ? 0 : -1;
}

/* The state of these tests is the level's name. */
#define AT_LEVEL(test, level)                                                                                          \
    { #test ", " level, test, NULL, use_best_level, level }
#define AT_WIDE_LEVELS(test) AT_LEVEL(test, "avx2"), AT_LEVEL(test, "avx512")
/* Baseline last: what the tests of all levels share is made at a faster one. */
#define AT_EVERY_LEVEL(test) AT_WIDE_LEVELS(test), AT_LEVEL(test, "baseline")

#endif
