/* Selects the SIMD level at run time. */
#include "core/simd.h"

#include <string.h>

static const char *const names[] = {"baseline", "avx2", "avx512"};
static int forced = -1;

static int find_best_level(void) {
#if defined(__x86_64__) && !defined(PUDDLE_BASELINE_ONLY)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return PD_LEVEL_AVX512;
    if (__builtin_cpu_supports("avx2")) return PD_LEVEL_AVX2;
#endif
    return PD_LEVEL_BASELINE;
}

int pd_simd_level(void) { return forced >= 0 ? forced : find_best_level(); }

bool pd_simd_select(const char *name) {
    if (strcmp(name, "auto") == 0) {
        forced = -1;
        return true;
    }
    for (int level = 0; level <= find_best_level(); level++)
        if (strcmp(name, names[level]) == 0) {
            forced = level;
            return true;
        }
#if defined(__aarch64__)
    if (strcmp(name, "neon") == 0) { /* baseline vectors are NEON registers on this processor */
        forced = PD_LEVEL_BASELINE;
        return true;
    }
#endif
    return false;
}

const char *pd_simd_level_name(void) {
#if defined(__aarch64__)
    if (pd_simd_level() == PD_LEVEL_BASELINE) return "neon";
#endif
    return names[pd_simd_level()];
}
