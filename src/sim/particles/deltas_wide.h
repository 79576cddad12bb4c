/* Compression of neighbour lists (sim/particles/lists.h) to 16 bits per neighbour, for loops that are compiled once for
 * each SIMD level (core/simd.h).
 *
 * Each function handles PD_LANES particles, one in each lane, and one neighbour of each particle. Particles and neighbours
 * are given by their offsets in arrays of records. The delta of a pair is (offset of the neighbour - offset of the
 * particle) / 4, which fits in 16 bits.
 *
 *     pd_convert_offsets_to_deltas    writes the deltas of neighbours with the given offsets
 *     pd_convert_deltas_to_offsets    writes the offsets of neighbours with the given deltas
 *     particle_offsets                offsets of the particles in the lanes
 *     sentinel                        offset for the delta PD_SENTINEL_DELTA: a record that pads short lists */
#ifndef PUDDLE_SIM_PARTICLES_DELTAS_WIDE_H
#define PUDDLE_SIM_PARTICLES_DELTAS_WIDE_H

#include "core/simd.h"
#include "sim/particles/lists.h"

#if PD_LEVEL == PD_LEVEL_AVX512
PD_INLINE void pd_convert_offsets_to_deltas(int16_t *deltas_out, pd_floatw offsets, const uint32_t *particle_offsets) {
    __m512i delta =
        _mm512_srai_epi32(_mm512_sub_epi32(_mm512_castps_si512(offsets), _mm512_loadu_si512(particle_offsets)), 2);
    _mm256_storeu_si256((__m256i *)deltas_out, _mm512_cvtsepi32_epi16(delta));
}
PD_INLINE void pd_convert_deltas_to_offsets(uint32_t *offsets_out, const int16_t *deltas_in,
                                            const uint32_t *particle_offsets, uint32_t sentinel) {
    __m512i delta = _mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)deltas_in));
    __m512i offset = _mm512_add_epi32(_mm512_loadu_si512(particle_offsets), _mm512_slli_epi32(delta, 2));
    __mmask16 padding = _mm512_cmpeq_epi32_mask(delta, _mm512_set1_epi32(PD_SENTINEL_DELTA));
    _mm512_storeu_si512(offsets_out, _mm512_mask_blend_epi32(padding, offset, _mm512_set1_epi32((int)sentinel)));
}
#elif PD_LEVEL == PD_LEVEL_AVX2
PD_INLINE __m256i pd_compute_eight_deltas(__m256 offsets, const uint32_t *particle_offsets) {
    __m256i difference =
        _mm256_sub_epi32(_mm256_castps_si256(offsets), _mm256_loadu_si256((const __m256i *)particle_offsets));
    return _mm256_srai_epi32(difference, 2);
}
PD_INLINE void pd_convert_offsets_to_deltas(int16_t *deltas_out, pd_floatw offsets, const uint32_t *particle_offsets) {
    __m256i deltas = _mm256_packs_epi32(pd_compute_eight_deltas(offsets.a, particle_offsets),
                                        pd_compute_eight_deltas(offsets.b, particle_offsets + 8));
    _mm256_storeu_si256((__m256i *)deltas_out, _mm256_permute4x64_epi64(deltas, 0xd8));
}
PD_INLINE void pd_convert_deltas_to_offsets(uint32_t *offsets_out, const int16_t *deltas_in,
                                            const uint32_t *particle_offsets, uint32_t sentinel) {
    for (int k = 0; k < PD_LANES; k += 8) {
        __m256i delta = _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(deltas_in + k)));
        __m256i offset =
            _mm256_add_epi32(_mm256_loadu_si256((const __m256i *)(particle_offsets + k)), _mm256_slli_epi32(delta, 2));
        __m256i padding = _mm256_cmpeq_epi32(delta, _mm256_set1_epi32(PD_SENTINEL_DELTA));
        offset = _mm256_blendv_epi8(offset, _mm256_set1_epi32((int)sentinel), padding);
        _mm256_storeu_si256((__m256i *)(offsets_out + k), offset);
    }
}
#elif defined(__SSE2__)
PD_INLINE void pd_convert_offsets_to_deltas(int16_t *deltas_out, pd_floatw offsets, const uint32_t *particle_offsets) {
    __m128i delta[4];
    for (int k = 0; k < 4; k++) {
        __m128i own_offset = _mm_loadu_si128((const __m128i *)(particle_offsets + 4 * k));
        delta[k] = _mm_srai_epi32(_mm_sub_epi32((__m128i)offsets.quarter[k], own_offset), 2);
    }
    _mm_storeu_si128((__m128i *)deltas_out, _mm_packs_epi32(delta[0], delta[1]));
    _mm_storeu_si128((__m128i *)(deltas_out + 8), _mm_packs_epi32(delta[2], delta[3]));
}
/* Writes the offsets of the neighbours in four lanes: offset of the lane's particle + 4 x delta, or `sentinel` where the
 * mask `padding` is set. deltas: delta in the upper 16 bits of each element. */
PD_INLINE void pd_convert_four_deltas_to_offsets(uint32_t *offsets_out, __m128i deltas, __m128i padding,
                                                 const uint32_t *particle_offsets, __m128i sentinel) {
    __m128i offset = _mm_add_epi32(_mm_loadu_si128((const __m128i *)particle_offsets), _mm_srai_epi32(deltas, 14));
    offset = _mm_or_si128(_mm_andnot_si128(padding, offset), _mm_and_si128(padding, sentinel));
    _mm_storeu_si128((__m128i *)offsets_out, offset);
}
PD_INLINE void pd_convert_deltas_to_offsets(uint32_t *offsets_out, const int16_t *deltas_in,
                                            const uint32_t *particle_offsets, uint32_t sentinel) {
    const __m128i far = _mm_set1_epi32((int)sentinel), zero = _mm_setzero_si128();
    for (int k = 0; k < PD_LANES; k += 8) {
        __m128i deltas = _mm_loadu_si128((const __m128i *)(deltas_in + k));
        __m128i padding = _mm_cmpeq_epi16(deltas, _mm_set1_epi16(PD_SENTINEL_DELTA));
        pd_convert_four_deltas_to_offsets(offsets_out + k, _mm_unpacklo_epi16(zero, deltas),
                                          _mm_unpacklo_epi16(padding, padding), particle_offsets + k, far);
        pd_convert_four_deltas_to_offsets(offsets_out + k + 4, _mm_unpackhi_epi16(zero, deltas),
                                          _mm_unpackhi_epi16(padding, padding), particle_offsets + k + 4, far);
    }
}
#else
typedef int16_t pd_shorts __attribute__((vector_size(8)));
PD_INLINE void pd_convert_offsets_to_deltas(int16_t *deltas_out, pd_floatw offsets, const uint32_t *particle_offsets) {
    for (int k = 0; k < 4; k++) {
        pd_ints delta = ((pd_ints)offsets.quarter[k] - (pd_ints)pd_four_load(particle_offsets + 4 * k)) >> 2,
                padding = delta > PD_MOST_DELTA;
        pd_shorts deltas = __builtin_convertvector((delta & ~padding) | (padding & PD_SENTINEL_DELTA), pd_shorts);
        memcpy(deltas_out + 4 * k, &deltas, sizeof deltas);
    }
}
PD_INLINE void pd_convert_deltas_to_offsets(uint32_t *offsets_out, const int16_t *deltas_in,
                                            const uint32_t *particle_offsets, uint32_t sentinel) {
    for (int k = 0; k < 4; k++) {
        pd_shorts deltas;
        memcpy(&deltas, deltas_in + 4 * k, sizeof deltas);
        pd_ints delta = __builtin_convertvector(deltas, pd_ints), padding = delta == PD_SENTINEL_DELTA;
        pd_ints offset = (pd_ints)pd_four_load(particle_offsets + 4 * k) + (delta << 2);
        pd_four_store(offsets_out + 4 * k, (pd_four)((offset & ~padding) | (padding & (int32_t)sentinel)));
    }
}
#endif

#endif
