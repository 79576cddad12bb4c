/* Gathers of neighbouring floats, for interpolation on grids. One load for each lane brings two or four floats, which
 * takes less than half the time of gather instructions: many processors split these into a load for each float. */
#ifndef PUDDLE_CORE_SIMD_PAIRS_H
#define PUDDLE_CORE_SIMD_PAIRS_H

#include "core/simd.h"

#include <string.h>

#ifdef PD_LEVEL

/* pd_gather_pairs(from, index, &first, &second): from[index] and from[index + 1] in each lane.
 * pd_gather_fours(from, record_size, index, out): from[record_size * index + k] in each lane of out[k], k = 0 .. 3.
 * pd_lerp(start, end, fraction): start + (end - start) * fraction in each lane. */

#if PD_LEVEL == PD_LEVEL_BASELINE
static inline void pd_gather_pairs(const float *from, const int *index, pd_floatw *first, pd_floatw *second) {
    for (int k = 0; k < 4; k++, index += 4) {
        struct {
            float value[2];
        } pair[4];
        for (int lane = 0; lane < 4; lane++) memcpy(&pair[lane], from + index[lane], sizeof pair[lane]);
        pd_four low = pd_four_load(pair), high = pd_four_load(pair + 2);
        first->quarter[k] = __builtin_shufflevector(low, high, 0, 2, 4, 6);
        second->quarter[k] = __builtin_shufflevector(low, high, 1, 3, 5, 7);
    }
}
static inline void pd_gather_fours(const float *from, size_t record_size, const int *index, pd_floatw out[4]) {
    for (int k = 0; k < 4; k++, index += 4)
        pd_transpose4_quarter(pd_four_load(from + record_size * (size_t)index[0]),
                              pd_four_load(from + record_size * (size_t)index[1]),
                              pd_four_load(from + record_size * (size_t)index[2]),
                              pd_four_load(from + record_size * (size_t)index[3]), k, out);
}
#else
/* Loads two neighbouring floats at each of two indices, each pair as one double: one load for two floats. */
static inline __m128 pd_load_two_pairs(const float *from, const int *index) {
    double pair[2];
    memcpy(&pair[0], from + index[0], sizeof *pair);
    memcpy(&pair[1], from + index[1], sizeof *pair);
    return _mm_castpd_ps(_mm_set_pd(pair[1], pair[0]));
}
/* Gathers eight lanes for pd_gather_pairs. */
static inline void pd_gather_pairs_half(const float *from, const int *index, __m256 *first, __m256 *second) {
    __m256 a = _mm256_castps128_ps256(pd_load_two_pairs(from, index));
    __m256 b = _mm256_castps128_ps256(pd_load_two_pairs(from, index + 2));
    a = _mm256_insertf128_ps(a, pd_load_two_pairs(from, index + 4), 1);
    b = _mm256_insertf128_ps(b, pd_load_two_pairs(from, index + 6), 1);
    *first = _mm256_shuffle_ps(a, b, 0x88);
    *second = _mm256_shuffle_ps(a, b, 0xdd);
}
static inline __m256 pd_load_two_quads(const float *from, size_t record_size, const int *index) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from + record_size * (size_t)index[0])),
                                _mm_loadu_ps(from + record_size * (size_t)index[4]), 1);
}
#if PD_LEVEL == PD_LEVEL_AVX512
static inline pd_floatw pd_join_halves(__m256 low, __m256 high) {
    return _mm512_castpd_ps(
        _mm512_insertf64x4(_mm512_castps_pd(_mm512_castps256_ps512(low)), _mm256_castps_pd(high), 1));
}
#else
static inline pd_floatw pd_join_halves(__m256 low, __m256 high) { return (pd_floatw){low, high}; }
#endif
static inline void pd_gather_pairs(const float *from, const int *index, pd_floatw *first, pd_floatw *second) {
    __m256 low[2], high[2];
    pd_gather_pairs_half(from, index, &low[0], &low[1]);
    pd_gather_pairs_half(from, index + 8, &high[0], &high[1]);
    *first = pd_join_halves(low[0], high[0]);
    *second = pd_join_halves(low[1], high[1]);
}
static inline void pd_gather_fours(const float *from, size_t record_size, const int *index, pd_floatw out[4]) {
    pd_floatw rows[4];
    for (int k = 0; k < 4; k++)
        rows[k] = pd_join_halves(pd_load_two_quads(from, record_size, index + k),
                                 pd_load_two_quads(from, record_size, index + 8 + k));
#if PD_LEVEL == PD_LEVEL_AVX512
    pd_transpose4(rows, out);
#else
    __m256 a[4], b[4];
    pd_transpose4_half((__m256[4]){rows[0].a, rows[1].a, rows[2].a, rows[3].a}, a);
    pd_transpose4_half((__m256[4]){rows[0].b, rows[1].b, rows[2].b, rows[3].b}, b);
    for (int k = 0; k < 4; k++) out[k] = (pd_floatw){a[k], b[k]};
#endif
}
#endif

static inline pd_floatw pd_lerp(pd_floatw start, pd_floatw end, pd_floatw fraction) {
    return pd_add(start, pd_mul(pd_sub(end, start), fraction));
}

#endif
#endif
