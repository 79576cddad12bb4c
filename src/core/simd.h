/* SIMD vectors of 16 floats with the same bits on every processor.
 *
 * A pd_floatw has 16 lanes at every level: one AVX-512 register, two of AVX2, or four of the compiler's own vectors,
 * which are registers of SSE2 or NEON. Only operations that IEEE 754 rounds correctly are used (no fused multiply-add,
 * no hardware estimates) and sums over the lanes have one fixed order, so all levels give the same result bit for bit.
 * Files named *_wide.c are compiled once for each level, with PD_LEVEL set; core/simd.c picks the level at run time. */
#ifndef PUDDLE_CORE_SIMD_H
#define PUDDLE_CORE_SIMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PD_LEVEL_BASELINE 0
#define PD_LEVEL_AVX2     1
#define PD_LEVEL_AVX512   2

/* Return the number and the name of the SIMD level in use: the processor's best, or that of pd_simd_select. */
int pd_simd_level(void);
const char *pd_simd_level_name(void);
/* Gets the address of the definition of `name` for the SIMD level in use. *_wide.c files define one PD_LEVEL_NAME(name)
 * for each level. */
#if defined(__x86_64__) && !defined(PUDDLE_BASELINE_ONLY)
#define PD_SIMD_PICK(name)                                                                                             \
    (pd_simd_level() == PD_LEVEL_AVX512 ? &name##_avx512                                                               \
     : pd_simd_level() == PD_LEVEL_AVX2 ? &name##_avx2                                                                 \
                                        : &name##_baseline)
#else
#define PD_SIMD_PICK(name) (&name##_baseline)
#endif
/* Selects the SIMD level by its name, or "auto". Returns false if the processor or the build lacks the level. Call
 * before any world is created. */
bool pd_simd_select(const char *name);

/* Permutations of eight lanes, indexed by a mask. Byte k of an entry is the source lane of result lane k.
 * pd_compress_order moves the lanes whose mask bits are set to the front; pd_expand_order is its inverse. */
extern const uint64_t pd_compress_order[256], pd_expand_order[256];

#ifdef PD_LEVEL

enum { PD_LANES = 16 };

/* PD_INLINE marks functions with loops that are called with constant arguments. The compiler specialises a loop for
 * them only if the function is inlined. */
#ifdef __SANITIZE_ADDRESS__ /* with AddressSanitizer, inlined loops take minutes to compile */
#define PD_INLINE static inline
#else
#define PD_INLINE static inline __attribute__((always_inline))
#endif

#if PD_LEVEL == PD_LEVEL_AVX512
#include <immintrin.h>
typedef __m512 pd_floatw;
typedef __mmask16 pd_maskw;
#define PD_LEVEL_NAME(name) name##_avx512

static inline pd_floatw pd_set(float a) { return _mm512_set1_ps(a); }
static inline pd_floatw pd_add(pd_floatw a, pd_floatw b) { return _mm512_add_ps(a, b); }
static inline pd_floatw pd_sub(pd_floatw a, pd_floatw b) { return _mm512_sub_ps(a, b); }
static inline pd_floatw pd_mul(pd_floatw a, pd_floatw b) { return _mm512_mul_ps(a, b); }
static inline pd_floatw pd_div(pd_floatw a, pd_floatw b) { return _mm512_div_ps(a, b); }
static inline pd_floatw pd_sqrt(pd_floatw a) { return _mm512_sqrt_ps(a); }
static inline pd_floatw pd_max(pd_floatw a, pd_floatw b) { return _mm512_max_ps(a, b); }
static inline pd_floatw pd_min(pd_floatw a, pd_floatw b) { return _mm512_min_ps(a, b); }
static inline pd_maskw pd_less(pd_floatw a, pd_floatw b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
static inline pd_maskw pd_and(pd_maskw a, pd_maskw b) { return a & b; }
static inline pd_floatw pd_zero_unset_lanes(pd_maskw m, pd_floatw a) { return _mm512_maskz_mov_ps(m, a); }
/* Returns the mask of the lanes [low, high), 0 <= low <= high <= PD_LANES. */
static inline pd_maskw pd_lane_range(int low, int high) { return (pd_maskw)((1u << high) - (1u << low)); }
static inline pd_floatw pd_load(pd_maskw m, const float *p) { return _mm512_maskz_loadu_ps(m, p); }
static inline void pd_store(pd_maskw m, float *p, pd_floatw a) { _mm512_mask_storeu_ps(p, m, a); }
static inline pd_floatw pd_load_all(const float *p) { return _mm512_loadu_ps(p); }
static inline void pd_store_all(float *p, pd_floatw a) { _mm512_storeu_ps(p, a); }
/* Returns the mask as an integer: lane k is bit k. Parameters called `bits` below are such integers. */
static inline unsigned pd_movemask(pd_maskw m) { return m; }
/* Stores the lanes whose bits are set, one after the other. Writes PD_LANES floats; those behind the stored lanes are
 * undefined. */
static inline void pd_compress(unsigned bits, float *to, pd_floatw a) {
    _mm512_storeu_ps(to, _mm512_maskz_compress_ps((__mmask16)bits, a));
}
/* Inverse of pd_compress: loads consecutive floats into the lanes whose bits are set. The other lanes become 0. */
static inline pd_floatw pd_expand(unsigned bits, const float *from) {
    return _mm512_maskz_expand_ps((__mmask16)bits, _mm512_loadu_ps(from));
}
/* Returns from[index] in each lane. Elements have four bytes; an index is the bit pattern of an int. */
static inline pd_floatw pd_gather(const void *from, pd_floatw index) {
    return _mm512_i32gather_ps(_mm512_castps_si512(index), from, 4);
}
/* Loads the mask's lanes from an array of any four-byte elements. The other lanes become 0. */
static inline pd_floatw pd_load_words32(pd_maskw m, const void *p) { return _mm512_maskz_loadu_ps(m, p); }
/* Returns table[index] in each lane. The table has 32 floats; an index is the bit pattern of an int in 0 .. 31. */
static inline pd_floatw pd_lookup(const float *table, pd_floatw index) {
    return _mm512_permutex2var_ps(_mm512_loadu_ps(table), _mm512_castps_si512(index), _mm512_loadu_ps(table + 16));
}
/* Stores the offsets of the records first + k whose bit k is set, one after the other. The offset of a record is its
 * position, in floats, in an array of records of four floats: 4 times its index. Writes PD_LANES offsets; the others
 * are undefined. */
static inline void pd_compress_offsets(unsigned bits, uint32_t *to, uint32_t first) {
    __m512i lanes = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
    lanes = _mm512_add_epi32(lanes, _mm512_set1_epi32((int)(4 * first)));
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)bits, lanes));
}
/* Loads PD_LANES offsets and returns their record indices as bit patterns of ints, for pd_gather. */
static inline pd_floatw pd_load_record_indices(const uint32_t *p) {
    return _mm512_castsi512_ps(_mm512_srli_epi32(_mm512_loadu_si512(p), 2));
}
/* Stores the offset of one record PD_LANES times. */
static inline void pd_store_repeated_offset(uint32_t *to, uint32_t index) {
    _mm512_storeu_si512(to, _mm512_set1_epi32((int)(4 * index)));
}
/* Transposes in[0] .. in[3] in each quarter of the lanes, as a matrix of 4 x 4 floats. */
static inline void pd_transpose4(const pd_floatw in[4], pd_floatw out[4]) {
    __m512d low = _mm512_castps_pd(_mm512_unpacklo_ps(in[0], in[1])),
            high = _mm512_castps_pd(_mm512_unpackhi_ps(in[0], in[1])),
            low2 = _mm512_castps_pd(_mm512_unpacklo_ps(in[2], in[3])),
            high2 = _mm512_castps_pd(_mm512_unpackhi_ps(in[2], in[3]));
    out[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(low, low2));
    out[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low, low2));
    out[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(high, high2));
    out[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(high, high2));
}
/* Gathers the first four floats of PD_LANES records: out[k] is float k of every record. record_size: floats in a
 * record, 4 or 8. Offsets are those of records of four floats, so a record of 8 begins at twice its offset. Records
 * are aligned to 16 bytes; their elements may be four-byte integers. */
static inline void pd_gather4(const void *records, size_t record_size, const uint32_t *offsets, pd_floatw out[4]) {
    const float *from = records;
    pd_floatw rows[4];
    for (int k = 0; k < 4; k++) {
        rows[k] = _mm512_castps128_ps512(_mm_load_ps(from + record_size / 4 * offsets[k]));
        rows[k] = _mm512_insertf32x4(rows[k], _mm_load_ps(from + record_size / 4 * offsets[k + 4]), 1);
        rows[k] = _mm512_insertf32x4(rows[k], _mm_load_ps(from + record_size / 4 * offsets[k + 8]), 2);
        rows[k] = _mm512_insertf32x4(rows[k], _mm_load_ps(from + record_size / 4 * offsets[k + 12]), 3);
    }
    pd_transpose4(rows, out);
}
/* Gathers all eight floats of PD_LANES records of 8. Records are aligned to 32 bytes. */
static inline void pd_gather8(const float *from, const uint32_t *offsets, pd_floatw out[8]) {
    pd_floatw rows[8], t[8];
    for (int k = 0; k < 8; k++) {
        const uint32_t *o = offsets + (k < 4 ? k : k + 4);
        rows[k] = _mm512_castps256_ps512(_mm256_load_ps(from + 2 * (size_t)o[0]));
        rows[k] = _mm512_castpd_ps(_mm512_insertf64x4(_mm512_castps_pd(rows[k]),
                                                      _mm256_castps_pd(_mm256_load_ps(from + 2 * (size_t)o[4])), 1));
    }
    pd_transpose4(rows, t);
    pd_transpose4(rows + 4, t + 4);
    for (int k = 0; k < 4; k++) {
        out[k] = _mm512_shuffle_f32x4(t[k], t[k + 4], 0x88);
        out[k + 4] = _mm512_shuffle_f32x4(t[k], t[k + 4], 0xdd);
    }
}
/* Stores PD_LANES consecutive records of `record_size` floats: in[k] is float k of each. */
static inline void pd_store4(float *records, size_t record_size, const pd_floatw in[4]) {
    pd_floatw rows[4];
    pd_transpose4(in, rows);
    for (int k = 0; k < 4; k++, records += record_size) {
        _mm_store_ps(records, _mm512_castps512_ps128(rows[k]));
        _mm_store_ps(records + 4 * record_size, _mm512_extractf32x4_ps(rows[k], 1));
        _mm_store_ps(records + 8 * record_size, _mm512_extractf32x4_ps(rows[k], 2));
        _mm_store_ps(records + 12 * record_size, _mm512_extractf32x4_ps(rows[k], 3));
    }
}
/* Stores x and y as the first two floats of four records of 4 floats. low = x0 y0 x1 y1, high = x2 y2 x3 y3. */
static inline void pd_scatter2_quarter(float *records, const uint32_t *offsets, __m128 low, __m128 high) {
    _mm_storel_pi((__m64 *)(records + offsets[0]), low);
    _mm_storeh_pi((__m64 *)(records + offsets[1]), low);
    _mm_storel_pi((__m64 *)(records + offsets[2]), high);
    _mm_storeh_pi((__m64 *)(records + offsets[3]), high);
}
/* Stores x and y as the first two floats of PD_LANES records of 4 floats. If offsets are equal, the highest lane is
 * stored last. */
static inline void pd_scatter2(void *records, const uint32_t *offsets, pd_floatw x, pd_floatw y) {
    __m512 low = _mm512_unpacklo_ps(x, y), high = _mm512_unpackhi_ps(x, y);
    pd_scatter2_quarter(records, offsets, _mm512_castps512_ps128(low), _mm512_castps512_ps128(high));
    pd_scatter2_quarter(records, offsets + 4, _mm512_extractf32x4_ps(low, 1), _mm512_extractf32x4_ps(high, 1));
    pd_scatter2_quarter(records, offsets + 8, _mm512_extractf32x4_ps(low, 2), _mm512_extractf32x4_ps(high, 2));
    pd_scatter2_quarter(records, offsets + 12, _mm512_extractf32x4_ps(low, 3), _mm512_extractf32x4_ps(high, 3));
}
/* Adds the lanes as ints, which are stored as bit patterns of floats. */
static inline pd_floatw pd_add_ints(pd_floatw a, pd_floatw b) {
    return _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(a), _mm512_castps_si512(b)));
}
/* Returns an initial estimate of 1/sqrt(a) or 1/a by arithmetic on the bits of a: magic - (bits >> shift). */
static inline pd_floatw pd_estimate_from_bits(pd_floatw a, int magic, int shift) {
    __m512i bits = _mm512_srl_epi32(_mm512_castps_si512(a), _mm_cvtsi32_si128(shift));
    return _mm512_castsi512_ps(_mm512_sub_epi32(_mm512_set1_epi32(magic), bits));
}
/* Returns the sums of the lanes k, k + 4, k + 8 and k + 12 for k in 0 .. 3, in the order of pd_sum. */
static inline __m128 pd_quarter_sums(pd_floatw a) {
    __m256 half =
        _mm256_add_ps(_mm512_castps512_ps256(a), _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(a), 1)));
    return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}

#elif PD_LEVEL == PD_LEVEL_AVX2
#include <immintrin.h>
typedef struct pd_floatw {
    __m256 a, b;
} pd_floatw;
typedef pd_floatw pd_maskw;
#define PD_LEVEL_NAME(name) name##_avx2

static inline pd_floatw pd_set(float a) { return (pd_floatw){_mm256_set1_ps(a), _mm256_set1_ps(a)}; }
#define PD_BOTH(name, op)                                                                                              \
    static inline pd_floatw name(pd_floatw x, pd_floatw y) { return (pd_floatw){op(x.a, y.a), op(x.b, y.b)}; }
PD_BOTH(pd_add, _mm256_add_ps)
PD_BOTH(pd_sub, _mm256_sub_ps)
PD_BOTH(pd_mul, _mm256_mul_ps)
PD_BOTH(pd_div, _mm256_div_ps)
PD_BOTH(pd_max, _mm256_max_ps)
PD_BOTH(pd_min, _mm256_min_ps)
PD_BOTH(pd_and, _mm256_and_ps)
PD_BOTH(pd_zero_unset_lanes, _mm256_and_ps)
#undef PD_BOTH
static inline pd_floatw pd_sqrt(pd_floatw x) { return (pd_floatw){_mm256_sqrt_ps(x.a), _mm256_sqrt_ps(x.b)}; }
static inline pd_maskw pd_less(pd_floatw x, pd_floatw y) {
    return (pd_maskw){_mm256_cmp_ps(x.a, y.a, _CMP_LT_OQ), _mm256_cmp_ps(x.b, y.b, _CMP_LT_OQ)};
}
static inline pd_maskw pd_lane_range(int low, int high) {
    __m256i from = _mm256_set1_epi32(low - 1), to = _mm256_set1_epi32(high);
    __m256i first = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), second = _mm256_setr_epi32(8, 9, 10, 11, 12, 13, 14, 15);
    __m256i a = _mm256_and_si256(_mm256_cmpgt_epi32(first, from), _mm256_cmpgt_epi32(to, first));
    __m256i b = _mm256_and_si256(_mm256_cmpgt_epi32(second, from), _mm256_cmpgt_epi32(to, second));
    return (pd_maskw){_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)};
}
static inline pd_floatw pd_load(pd_maskw m, const float *p) {
    return (pd_floatw){_mm256_maskload_ps(p, _mm256_castps_si256(m.a)),
                       _mm256_maskload_ps(p + 8, _mm256_castps_si256(m.b))};
}
static inline void pd_store(pd_maskw m, float *p, pd_floatw x) {
    _mm256_maskstore_ps(p, _mm256_castps_si256(m.a), x.a);
    _mm256_maskstore_ps(p + 8, _mm256_castps_si256(m.b), x.b);
}
static inline pd_floatw pd_load_all(const float *p) { return (pd_floatw){_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
static inline void pd_store_all(float *p, pd_floatw x) {
    _mm256_storeu_ps(p, x.a);
    _mm256_storeu_ps(p + 8, x.b);
}
static inline unsigned pd_movemask(pd_maskw m) {
    return (unsigned)_mm256_movemask_ps(m.a) | (unsigned)_mm256_movemask_ps(m.b) << 8;
}
/* Returns the permutation of eight lanes that a table gives for the lowest eight bits of a mask. */
static inline __m256i pd_load_permutation(const uint64_t *table, unsigned bits) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(table + (bits & 255))));
}
static inline void pd_compress(unsigned bits, float *to, pd_floatw x) {
    _mm256_storeu_ps(to, _mm256_permutevar8x32_ps(x.a, pd_load_permutation(pd_compress_order, bits)));
    _mm256_storeu_ps(to + __builtin_popcount(bits & 255),
                     _mm256_permutevar8x32_ps(x.b, pd_load_permutation(pd_compress_order, bits >> 8)));
}
/* Returns a mask of eight lanes: all bits of lane k are set if bit k is set. */
static inline __m256 pd_lane_mask(unsigned bits) {
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), bit), bit));
}
static inline pd_floatw pd_expand(unsigned bits, const float *from) {
    __m256 a = _mm256_loadu_ps(from), b = _mm256_loadu_ps(from + __builtin_popcount(bits & 255));
    a = _mm256_permutevar8x32_ps(a, pd_load_permutation(pd_expand_order, bits));
    b = _mm256_permutevar8x32_ps(b, pd_load_permutation(pd_expand_order, bits >> 8));
    return (pd_floatw){_mm256_and_ps(a, pd_lane_mask(bits)), _mm256_and_ps(b, pd_lane_mask(bits >> 8))};
}
static inline pd_floatw pd_gather(const void *from, pd_floatw index) {
    return (pd_floatw){_mm256_i32gather_ps(from, _mm256_castps_si256(index.a), 4),
                       _mm256_i32gather_ps(from, _mm256_castps_si256(index.b), 4)};
}
static inline pd_floatw pd_load_words32(pd_maskw m, const void *p) { return pd_load(m, p); }
static inline pd_floatw pd_lookup(const float *table, pd_floatw index) { return pd_gather(table, index); }
static inline void pd_compress_offsets(unsigned bits, uint32_t *to, uint32_t first) {
    __m256i low = _mm256_slli_epi32(pd_load_permutation(pd_compress_order, bits), 2);
    __m256i high = _mm256_slli_epi32(pd_load_permutation(pd_compress_order, bits >> 8), 2);
    low = _mm256_add_epi32(low, _mm256_set1_epi32((int)(4 * first)));
    high = _mm256_add_epi32(high, _mm256_set1_epi32((int)(4 * first + 32)));
    _mm256_storeu_si256((__m256i *)to, low);
    _mm256_storeu_si256((__m256i *)(to + __builtin_popcount(bits & 255)), high);
}
static inline pd_floatw pd_load_record_indices(const uint32_t *p) {
    return (pd_floatw){_mm256_castsi256_ps(_mm256_srli_epi32(_mm256_loadu_si256((const __m256i *)p), 2)),
                       _mm256_castsi256_ps(_mm256_srli_epi32(_mm256_loadu_si256((const __m256i *)(p + 8)), 2))};
}
static inline void pd_store_repeated_offset(uint32_t *to, uint32_t index) {
    _mm256_storeu_si256((__m256i *)to, _mm256_set1_epi32((int)(4 * index)));
    _mm256_storeu_si256((__m256i *)(to + 8), _mm256_set1_epi32((int)(4 * index)));
}
static inline void pd_transpose4_half(const __m256 in[4], __m256 out[4]) {
    __m256d low = _mm256_castps_pd(_mm256_unpacklo_ps(in[0], in[1])),
            high = _mm256_castps_pd(_mm256_unpackhi_ps(in[0], in[1])),
            low2 = _mm256_castps_pd(_mm256_unpacklo_ps(in[2], in[3])),
            high2 = _mm256_castps_pd(_mm256_unpackhi_ps(in[2], in[3]));
    out[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(low, low2));
    out[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(low, low2));
    out[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(high, high2));
    out[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(high, high2));
}
static inline void pd_gather4_half(const float *from, size_t record_size, const uint32_t *offsets, __m256 out[4]) {
    __m256 rows[4];
    for (int k = 0; k < 4; k++)
        rows[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(from + record_size / 4 * offsets[k])),
                                       _mm_load_ps(from + record_size / 4 * offsets[k + 4]), 1);
    pd_transpose4_half(rows, out);
}
static inline void pd_gather4(const void *records, size_t record_size, const uint32_t *offsets, pd_floatw out[4]) {
    __m256 a[4], b[4];
    pd_gather4_half(records, record_size, offsets, a);
    pd_gather4_half(records, record_size, offsets + 8, b);
    for (int k = 0; k < 4; k++) out[k] = (pd_floatw){a[k], b[k]};
}
static inline void pd_gather8(const float *records, const uint32_t *offsets, pd_floatw out[8]) {
    pd_gather4(records, 8, offsets, out);
    pd_gather4(records + 4, 8, offsets, out + 4);
}
static inline void pd_store4_half(float *records, size_t record_size, const __m256 in[4]) {
    __m256 rows[4];
    pd_transpose4_half(in, rows);
    for (int k = 0; k < 4; k++, records += record_size) {
        _mm_store_ps(records, _mm256_castps256_ps128(rows[k]));
        _mm_store_ps(records + 4 * record_size, _mm256_extractf128_ps(rows[k], 1));
    }
}
static inline void pd_store4(float *records, size_t record_size, const pd_floatw in[4]) {
    pd_store4_half(records, record_size, (__m256[4]){in[0].a, in[1].a, in[2].a, in[3].a});
    pd_store4_half(records + 8 * record_size, record_size, (__m256[4]){in[0].b, in[1].b, in[2].b, in[3].b});
}
static inline void pd_scatter2_quarter(float *records, const uint32_t *offsets, __m128 low, __m128 high) {
    _mm_storel_pi((__m64 *)(records + offsets[0]), low);
    _mm_storeh_pi((__m64 *)(records + offsets[1]), low);
    _mm_storel_pi((__m64 *)(records + offsets[2]), high);
    _mm_storeh_pi((__m64 *)(records + offsets[3]), high);
}
static inline void pd_scatter2_half(float *records, const uint32_t *offsets, __m256 x, __m256 y) {
    __m256 low = _mm256_unpacklo_ps(x, y), high = _mm256_unpackhi_ps(x, y);
    pd_scatter2_quarter(records, offsets, _mm256_castps256_ps128(low), _mm256_castps256_ps128(high));
    pd_scatter2_quarter(records, offsets + 4, _mm256_extractf128_ps(low, 1), _mm256_extractf128_ps(high, 1));
}
static inline void pd_scatter2(void *records, const uint32_t *offsets, pd_floatw x, pd_floatw y) {
    pd_scatter2_half(records, offsets, x.a, y.a);
    pd_scatter2_half(records, offsets + 8, x.b, y.b);
}
static inline pd_floatw pd_add_ints(pd_floatw x, pd_floatw y) {
    return (pd_floatw){
        _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(x.a), _mm256_castps_si256(y.a))),
        _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(x.b), _mm256_castps_si256(y.b))),
    };
}
static inline pd_floatw pd_estimate_from_bits(pd_floatw x, int magic, int shift) {
    __m256i m = _mm256_set1_epi32(magic);
    __m128i s = _mm_cvtsi32_si128(shift);
    return (pd_floatw){_mm256_castsi256_ps(_mm256_sub_epi32(m, _mm256_srl_epi32(_mm256_castps_si256(x.a), s))),
                       _mm256_castsi256_ps(_mm256_sub_epi32(m, _mm256_srl_epi32(_mm256_castps_si256(x.b), s)))};
}
static inline __m128 pd_quarter_sums(pd_floatw x) {
    __m256 half = _mm256_add_ps(x.a, x.b);
    return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}

#else
#include <math.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif
/* Vectors of four floats or ints by the compiler's extension: registers of SSE2 or NEON. */
typedef float pd_four __attribute__((vector_size(16)));
typedef int32_t pd_ints __attribute__((vector_size(16))); /* a mask has 0 or -1 in each lane */
typedef struct pd_floatw {
    pd_four quarter[4];
} pd_floatw;
typedef struct pd_maskw {
    pd_ints quarter[4];
} pd_maskw;
#define PD_LEVEL_NAME(name) name##_baseline
#define PD_FOUR(expression)                                                                                            \
    for (int k = 0; k < 4; k++) result.quarter[k] = (expression);                                                      \
    return result

static inline pd_four pd_four_load(const void *p) {
    pd_four result;
    memcpy(&result, p, sizeof result);
    return result;
}
static inline void pd_four_store(void *p, pd_four a) { memcpy(p, &a, sizeof a); }
/* Return the greater and the lesser of a and b in every lane. */
static inline pd_four pd_four_max(pd_four a, pd_four b) {
#ifdef __SSE2__
    return _mm_max_ps(a, b);
#else
    pd_ints m = a > b;
    return (pd_four)((m & (pd_ints)a) | (~m & (pd_ints)b));
#endif
}
static inline pd_four pd_four_min(pd_four a, pd_four b) {
#ifdef __SSE2__
    return _mm_min_ps(a, b);
#else
    pd_ints m = a < b;
    return (pd_four)((m & (pd_ints)a) | (~m & (pd_ints)b));
#endif
}
static inline pd_four pd_four_sqrt(pd_four a) {
    for (int k = 0; k < 4; k++) a[k] = sqrtf(a[k]);
    return a;
}

static inline pd_floatw pd_set(float a) {
    pd_four same = {a, a, a, a};
    return (pd_floatw){{same, same, same, same}};
}
#define PD_BOTH(name, expression)                                                                                      \
    static inline pd_floatw name(pd_floatw a, pd_floatw b) {                                                           \
        pd_floatw result;                                                                                              \
        PD_FOUR(expression);                                                                                           \
    }
PD_BOTH(pd_add, a.quarter[k] + b.quarter[k])
PD_BOTH(pd_sub, a.quarter[k] - b.quarter[k])
PD_BOTH(pd_mul, a.quarter[k] * b.quarter[k])
PD_BOTH(pd_div, a.quarter[k] / b.quarter[k])
PD_BOTH(pd_max, pd_four_max(a.quarter[k], b.quarter[k]))
PD_BOTH(pd_min, pd_four_min(a.quarter[k], b.quarter[k]))
#undef PD_BOTH
static inline pd_floatw pd_sqrt(pd_floatw a) {
    pd_floatw result;
    PD_FOUR(pd_four_sqrt(a.quarter[k]));
}
static inline pd_maskw pd_less(pd_floatw a, pd_floatw b) {
    pd_maskw result;
    PD_FOUR(a.quarter[k] < b.quarter[k]);
}
static inline pd_maskw pd_and(pd_maskw a, pd_maskw b) {
    pd_maskw result;
    PD_FOUR(a.quarter[k] & b.quarter[k]);
}
static inline pd_maskw pd_lane_range(int low, int high) {
    const pd_ints lane = {0, 1, 2, 3};
    pd_maskw result;
    PD_FOUR((lane + 4 * k >= low) & (lane + 4 * k < high));
}
static inline pd_floatw pd_zero_unset_lanes(pd_maskw m, pd_floatw a) {
    pd_floatw result;
    PD_FOUR((pd_four)(m.quarter[k] & (pd_ints)a.quarter[k]));
}
static inline pd_floatw pd_load_all(const float *p) {
    pd_floatw result;
    PD_FOUR(pd_four_load(p + (size_t)k * 4));
}
static inline void pd_store_all(float *p, pd_floatw a) {
    for (int k = 0; k < 4; k++) pd_four_store(p + (size_t)k * 4, a.quarter[k]);
}
static inline unsigned pd_movemask(pd_maskw m) {
    unsigned bits = 0;
    for (int k = 0; k < 4; k++) {
#ifdef __SSE2__
        bits |= (unsigned)_mm_movemask_ps((pd_four)m.quarter[k]) << (4 * k);
#else
        pd_ints bit = m.quarter[k] & (pd_ints){1, 2, 4, 8};
        bits |= (unsigned)(bit[0] | bit[1] | bit[2] | bit[3]) << (4 * k);
#endif
    }
    return bits;
}
static inline pd_floatw pd_load_words32(pd_maskw m, const void *p) {
    unsigned bits = pd_movemask(m);
    float lanes[PD_LANES] = {0};
    for (; bits; bits &= bits - 1)
        memcpy(&lanes[__builtin_ctz(bits)], (const char *)p + (size_t)__builtin_ctz(bits) * 4, 4);
    return pd_load_all(lanes);
}
static inline pd_floatw pd_load(pd_maskw m, const float *p) { return pd_load_words32(m, p); }
static inline void pd_store(pd_maskw m, float *p, pd_floatw a) {
    float lanes[PD_LANES];
    pd_store_all(lanes, a);
    for (unsigned bits = pd_movemask(m); bits; bits &= bits - 1) p[__builtin_ctz(bits)] = lanes[__builtin_ctz(bits)];
}
static inline void pd_compress(unsigned bits, float *to, pd_floatw a) {
    float lanes[PD_LANES];
    pd_store_all(lanes, a);
    for (int k = 0; k < PD_LANES; k++, bits >>= 1) { /* branch-free: a branch would be mispredicted */
        *to = lanes[k];
        to += bits & 1;
    }
}
static inline pd_floatw pd_expand(unsigned bits, const float *from) {
    float lanes[PD_LANES] = {0};
    for (; bits; bits &= bits - 1, from++) lanes[__builtin_ctz(bits)] = *from;
    return pd_load_all(lanes);
}
static inline pd_floatw pd_gather(const void *from, pd_floatw index) {
    uint32_t indices[PD_LANES];
    float lanes[PD_LANES];
    memcpy(indices, index.quarter, sizeof indices);
    for (int k = 0; k < PD_LANES; k++) memcpy(&lanes[k], (const char *)from + (size_t)indices[k] * 4, 4);
    return pd_load_all(lanes);
}
static inline pd_floatw pd_lookup(const float *table, pd_floatw index) { return pd_gather(table, index); }
static inline void pd_compress_offsets(unsigned bits, uint32_t *to, uint32_t first) {
    for (uint32_t k = 0; k < PD_LANES; k++, bits >>= 1) {
        *to = 4 * (first + k);
        to += bits & 1;
    }
}
static inline pd_floatw pd_load_record_indices(const uint32_t *p) {
    uint32_t indices[PD_LANES];
    pd_floatw result;
    for (int k = 0; k < PD_LANES; k++) indices[k] = p[k] / 4;
    memcpy(result.quarter, indices, sizeof result.quarter);
    return result;
}
static inline void pd_store_repeated_offset(uint32_t *to, uint32_t index) {
    for (int k = 0; k < PD_LANES; k++) to[k] = 4 * index;
}
/* Computes quarter k of pd_transpose4. a, b, c and d are the quarters k of its input. */
static inline void pd_transpose4_quarter(pd_four a, pd_four b, pd_four c, pd_four d, int k, pd_floatw out[4]) {
    pd_four low = __builtin_shufflevector(a, b, 0, 4, 1, 5), high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    pd_four low2 = __builtin_shufflevector(c, d, 0, 4, 1, 5), high2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    out[0].quarter[k] = __builtin_shufflevector(low, low2, 0, 1, 4, 5);
    out[1].quarter[k] = __builtin_shufflevector(low, low2, 2, 3, 6, 7);
    out[2].quarter[k] = __builtin_shufflevector(high, high2, 0, 1, 4, 5);
    out[3].quarter[k] = __builtin_shufflevector(high, high2, 2, 3, 6, 7);
}
static inline void pd_gather4(const void *records, size_t record_size, const uint32_t *offsets, pd_floatw out[4]) {
    const float *from = records;
    for (int k = 0; k < 4; k++, offsets += 4)
        pd_transpose4_quarter(pd_four_load(from + record_size / 4 * offsets[0]),
                              pd_four_load(from + record_size / 4 * offsets[1]),
                              pd_four_load(from + record_size / 4 * offsets[2]),
                              pd_four_load(from + record_size / 4 * offsets[3]), k, out);
}
static inline void pd_gather8(const float *records, const uint32_t *offsets, pd_floatw out[8]) {
    pd_gather4(records, 8, offsets, out);
    pd_gather4(records + 4, 8, offsets, out + 4);
}
static inline void pd_store4(float *records, size_t record_size, const pd_floatw in[4]) {
    pd_floatw rows[4];
    for (int k = 0; k < 4; k++)
        pd_transpose4_quarter(in[0].quarter[k], in[1].quarter[k], in[2].quarter[k], in[3].quarter[k], k, rows);
    for (size_t k = 0; k < PD_LANES; k++) pd_four_store(records + record_size * k, rows[k % 4].quarter[k / 4]);
}
static inline void pd_scatter2(void *records, const uint32_t *offsets, pd_floatw x, pd_floatw y) {
    float *to = records;
    for (int k = 0; k < 4; k++, offsets += 4) {
        pd_four low = __builtin_shufflevector(x.quarter[k], y.quarter[k], 0, 4, 1, 5);
        pd_four high = __builtin_shufflevector(x.quarter[k], y.quarter[k], 2, 6, 3, 7);
        memcpy(to + offsets[0], &low, 8);
        memcpy(to + offsets[1], (const char *)&low + 8, 8);
        memcpy(to + offsets[2], &high, 8);
        memcpy(to + offsets[3], (const char *)&high + 8, 8);
    }
}
static inline pd_floatw pd_add_ints(pd_floatw a, pd_floatw b) {
    pd_floatw result;
    PD_FOUR((pd_four)((pd_ints)a.quarter[k] + (pd_ints)b.quarter[k]));
}
static inline pd_floatw pd_estimate_from_bits(pd_floatw a, int magic, int shift) {
    pd_floatw result;
    PD_FOUR((pd_four)(magic - ((pd_ints)a.quarter[k] >> shift)));
}
static inline pd_four pd_quarter_sums(pd_floatw a) {
    return (a.quarter[0] + a.quarter[2]) + (a.quarter[1] + a.quarter[3]);
}
static inline float pd_sum(pd_floatw a) {
    pd_four quarter = pd_quarter_sums(a);
    return (quarter[0] + quarter[2]) + (quarter[1] + quarter[3]);
}
#undef PD_FOUR
#endif

#if PD_LEVEL != PD_LEVEL_BASELINE
/* Returns the sum of the lanes, in one order for all levels: adds the upper half to the lower until one lane
 * remains. */
static inline float pd_sum(pd_floatw a) {
    __m128 quarter = pd_quarter_sums(a);
    quarter = _mm_add_ps(quarter, _mm_movehl_ps(quarter, quarter));
    return _mm_cvtss_f32(_mm_add_ss(quarter, _mm_movehdup_ps(quarter)));
}
#endif

static const uint32_t pd_consecutive_offsets[PD_LANES] = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60};
/* Load PD_LANES consecutive records: out[k] is float k of every record, as in pd_gather4 and pd_gather8. */
static inline void pd_load4(const void *records, size_t record_size, pd_floatw out[4]) {
    pd_gather4(records, record_size, pd_consecutive_offsets, out);
}
static inline void pd_load8(const float *records, pd_floatw out[8]) {
    pd_gather8(records, pd_consecutive_offsets, out);
}

/* Returns 1/sqrt(a) for a > 0 with a relative error of 5e-6, and a finite value for a = 0. An integer estimate and two
 * Newton steps round alike on every processor. */
static inline pd_floatw pd_rsqrt(pd_floatw a) {
    pd_floatw y = pd_estimate_from_bits(a, 0x5f3759df, 1), half = pd_mul(a, pd_set(0.5f)), k = pd_set(1.5f);
    y = pd_mul(y, pd_sub(k, pd_mul(pd_mul(half, y), y)));
    return pd_mul(y, pd_sub(k, pd_mul(pd_mul(half, y), y)));
}

/* Returns 1/a for a > 0 with a relative error of 3e-3. Enough for a force between two particles if both use the same
 * value. */
static inline pd_floatw pd_reciprocal(pd_floatw a) {
    pd_floatw y = pd_estimate_from_bits(a, 0x7ef311c7, 0);
    return pd_mul(y, pd_sub(pd_set(2), pd_mul(a, y)));
}

#endif
#endif
