/* Selects the SIMD level at run time, and has the tables of permutations. */
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

/* ---- Tables of permutations for pd_compress and pd_expand on processors without such instructions ---- */

/* Bit b of the mask m: 1 if lane b is set. */
#define BIT(m, b) ((uint64_t)((m) >> (b)&1))
/* Number of set lanes below lane b of the mask m. */
#define BELOW_1(m) BIT(m, 0)
#define BELOW_2(m) (BELOW_1(m) + BIT(m, 1))
#define BELOW_3(m) (BELOW_2(m) + BIT(m, 2))
#define BELOW_4(m) (BELOW_3(m) + BIT(m, 3))
#define BELOW_5(m) (BELOW_4(m) + BIT(m, 4))
#define BELOW_6(m) (BELOW_5(m) + BIT(m, 5))
#define BELOW_7(m) (BELOW_6(m) + BIT(m, 6))

#define MOVED(m, b) (BIT(m, b) * b << 8 * BELOW_##b(m))
#define COMPRESS(m) MOVED(m, 1) | MOVED(m, 2) | MOVED(m, 3) | MOVED(m, 4) | MOVED(m, 5) | MOVED(m, 6) | MOVED(m, 7)
#define TAKEN(m, b) (BELOW_##b(m) << 8 * b)
#define EXPAND(m)   TAKEN(m, 1) | TAKEN(m, 2) | TAKEN(m, 3) | TAKEN(m, 4) | TAKEN(m, 5) | TAKEN(m, 6) | TAKEN(m, 7)

#define FOUR(of, m)    of(m), of(m + 1), of(m + 2), of(m + 3)
#define SIXTEEN(of, m) FOUR(of, m), FOUR(of, m + 4), FOUR(of, m + 8), FOUR(of, m + 12)
#define ALL(of)                                                                                                        \
    SIXTEEN(of, 0), SIXTEEN(of, 16), SIXTEEN(of, 32), SIXTEEN(of, 48), SIXTEEN(of, 64), SIXTEEN(of, 80),               \
        SIXTEEN(of, 96), SIXTEEN(of, 112), SIXTEEN(of, 128), SIXTEEN(of, 144), SIXTEEN(of, 160), SIXTEEN(of, 176),     \
        SIXTEEN(of, 192), SIXTEEN(of, 208), SIXTEEN(of, 224), SIXTEEN(of, 240)

const uint64_t pd_compress_order[256] = {ALL(COMPRESS)}, pd_expand_order[256] = {ALL(EXPAND)};
