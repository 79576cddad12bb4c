/* Functions that build neighbour lists and iterate over them, for loops compiled once for each SIMD level
 * (core/simd.h). */
#ifndef PUDDLE_SIM_PARTICLES_LISTS_WIDE_H
#define PUDDLE_SIM_PARTICLES_LISTS_WIDE_H

#include "core/memory.h"
#include "core/simd.h"
#include "sim/particles/lists.h"

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

_Static_assert((int)PD_LIST_GROUP == (int)PD_LANES && (int)PD_PADDING > (int)PD_LANES &&
                   PD_LIST_GRAIN % PD_LIST_GROUP == 0,
               "groups fill vectors");

enum {
    PD_MOST_FOUND = PD_MAX_RANGES * PD_LONGEST_RANGE,
    PD_COLUMN = PD_MOST_FOUND +
                2 * PD_LANES, /* number of allocated offsets in a column, with room for padding by whole vectors */
};

/* State while the lists of one chunk are built, group by group in the order of the cell sort. */
typedef struct pd_list_builder {
    pd_lists *lists;                 /* lists that are built */
    const pd_neighbours *neighbours; /* cell sort of the particles */
    const pd_particles *particles;   /* particles, in the order of the cell sort */
    float h;                         /* interaction radius: particles nearer than h are neighbours, m */
    uint32_t sentinel;               /* index of the sentinel's record, which pads columns */
    pd_list_chunk *chunk;            /* memory of the chunk's lists */
    int used;                        /* number of rows of the chunk's memory that are used so far */
    int bucket;                      /* bucket of the cell sort for which `around` is set; -1: none */
    pd_ranges around;                /* candidates around `bucket`, in ranges of at most PD_LONGEST_RANGE particles */
    float weight;                    /* (number of all candidates) / (number of candidates in `around`) */
    int found[PD_LANES];             /* by particle of the present group: number of neighbours found */
    /* By particle of the present group: its column, the offsets of its neighbours, then of the sentinel as padding. */
    _Alignas(64) uint32_t offset[PD_LANES][PD_COLUMN];
} pd_list_builder;

static inline void pd_list_builder_begin_chunk(pd_list_builder *builder, pd_lists *lists,
                                               const pd_neighbours *neighbours, const pd_particles *particles, float h,
                                               int first_particle) {
    builder->lists = lists;
    builder->neighbours = neighbours;
    builder->particles = particles;
    builder->h = h;
    builder->sentinel = (uint32_t)pd_lists_sentinel_index(particles->count);
    builder->chunk = &lists->chunk[first_particle / PD_LIST_GRAIN];
    builder->chunk->needed = PD_LIST_SLACK;
    builder->used = 0;
    builder->bucket = -1;
}

/* Sets builder->bucket, and builder->around to the candidates around it. Ranges longer than PD_LONGEST_RANGE are cut to a
 * part of this length, whose position depends on the id of the particle with the index `particle`. */
static inline void pd_list_builder_set_bucket(pd_list_builder *builder, int particle, int bucket) {
    const pd_neighbours *n = builder->neighbours;
    pd_ranges *around = &builder->around;
    if (bucket == builder->bucket) return;
    builder->bucket = bucket;
    builder->weight = 1;
    pd_neighbours_list_ranges(n, bucket % n->columns, bucket / n->columns, around);
    int total = 0, kept = 0;
    for (int r = 0; r < around->count; r++) {
        total += around->end[r] - around->begin[r];
        pd_limit_candidate_range(&around->begin[r], &around->end[r], builder->particles->id[particle]);
        kept += around->end[r] - around->begin[r];
    }
    if (total > kept) builder->weight = (float)total / (float)kept;
}

/* Appends the candidates nearer than h to the columns of particle_count particles of one bucket. The particles begin at
 * index first_particle and at lane first_lane of the group. The candidates are PD_LANES particles from first_candidate on,
 * of which those set in candidate_mask are compared. */
static inline void pd_list_builder_append_near(pd_list_builder *builder, int first_candidate, unsigned candidate_mask,
                                               int first_particle, int first_lane, int particle_count) {
    const float *x = builder->particles->x, *y = builder->particles->y;
    pd_floatw other_x = pd_load_all(x + first_candidate), other_y = pd_load_all(y + first_candidate),
              h2 = pd_set(builder->h * builder->h);
    for (int k = 0; k < particle_count; k++) {
        pd_floatw dx = pd_sub(other_x, pd_set(x[first_particle + k])),
                  dy = pd_sub(other_y, pd_set(y[first_particle + k]));
        pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_mul(dy, dy));
        unsigned bits = pd_movemask(pd_less(r2, h2)) & candidate_mask;
        int found = builder->found[first_lane + k];
        pd_compress_offsets(bits, builder->offset[first_lane + k] + found, (uint32_t)first_candidate);
        builder->found[first_lane + k] = found + __builtin_popcount(bits);
    }
}

/* Fills the columns of a group of particle_count particles with their neighbours. Returns the length of the longest
 * column. */
static inline int pd_list_builder_find_neighbours(pd_list_builder *builder, int first_particle, int particle_count) {
    const uint32_t *key = builder->neighbours->key, *order = builder->neighbours->order;
    for (int lane = 0; lane < PD_LANES; lane++) builder->found[lane] = 0;
    for (int lane = 0, next; lane < particle_count; lane = next) {
        uint32_t bucket = key[order[first_particle + lane]];
        next = lane + 1;
        while (next < particle_count && key[order[first_particle + next]] == bucket) next++;
        pd_list_builder_set_bucket(builder, first_particle + lane, (int)bucket);
        for (int r = 0; r < builder->around.count; r++)
            for (int at = builder->around.begin[r], end = builder->around.end[r]; at < end; at += PD_LANES) {
                unsigned lanes = (1U << (end - at < PD_LANES ? end - at : PD_LANES)) - 1;
                pd_list_builder_append_near(builder, at, lanes, first_particle + lane, lane, next - lane);
            }
        for (int k = lane; k < next; k++) builder->lists->weight[first_particle + k] = builder->weight;
    }
    int longest = 0;
    for (int lane = 0; lane < PD_LANES; lane++)
        longest = builder->found[lane] > longest ? builder->found[lane] : longest;
    return longest;
}

/* Writes a group's list from its columns. Call for the groups of a chunk in order.
 * - longest_column: length to which all columns are padded with the sentinel. Three more rows are padded too, because
 *   rows are read four at a time.
 * - column_lengths[lane * stride]: number of offsets in the lane's column
 * - columns[lane * stride * width]: first offset in the lane's column, with memory for longest_column + PD_LANES + 3
 * - own_offsets: offsets of the lanes' particles, for a list of deltas; NULL for a list of offsets */
PD_INLINE void pd_list_builder_write_list(pd_list_builder *builder, int group, int longest_column,
                                          const int *column_lengths, uint32_t *columns, uint32_t stride, uint32_t width,
                                          const uint32_t *own_offsets) {
    pd_lists *lists = builder->lists;
    uint32_t column_start[PD_LANES];
    for (uint32_t lane = 0; lane < PD_LANES; lane++) {
        column_start[lane] = lane * stride * width;
        for (int at = column_lengths[lane * stride]; at < longest_column + 3; at += PD_LANES)
            pd_store_repeated_offset(columns + column_start[lane] + at, builder->sentinel);
    }
    pd_list_chunk *chunk = builder->chunk;
    const int place = own_offsets ? 1 : 2, room = (chunk->rows - PD_LIST_SLACK - builder->used) / place;
    int length = longest_column < room ? longest_column : room;
    int16_t *list = chunk->list + (size_t)builder->used * PD_LANES;
    lists->first[group] = (uint32_t)builder->used;
    lists->length[group] = (uint16_t)length;
    lists->has_offsets[group] = !own_offsets;
    chunk->needed += longest_column * place;
    builder->used += length * place;
    for (int row = 0; row < length; row += 4) {
        pd_floatw rows[4];
        pd_gather4(columns + row, 4, column_start, rows);
        for (int k = 0; k < 4; k++) {
            int16_t *to = list + (row + k) * place * PD_LANES;
            if (own_offsets)
                pd_convert_offsets_to_deltas(to, rows[k], own_offsets);
            else
                pd_store_all((float *)(void *)to, rows[k]);
        }
    }
}

/* Builds the list of the group that begins with first_particle. Call for the groups of a chunk in order. */
static inline void pd_list_builder_build_list(pd_list_builder *builder, int first_particle) {
    int live =
        builder->particles->count - first_particle < PD_LANES ? builder->particles->count - first_particle : PD_LANES;
    pd_list_builder_write_list(builder, first_particle / PD_LANES,
                               pd_list_builder_find_neighbours(builder, first_particle, live), builder->found,
                               *builder->offset, 1, PD_COLUMN, NULL);
}

/* Returns whether all lists that were written so far fit the chunk's memory. */
static inline bool pd_list_builder_fits_memory(const pd_list_builder *builder) {
    return builder->chunk->needed <= builder->chunk->rows;
}

/* A group's list of offsets, for loops over neighbours. */
typedef struct pd_list {
    const uint32_t *offset; /* table of offsets of neighbours, PD_LANES in each row: one for each particle */
    int length;             /* number of rows of the table */
    pd_floatw weight;       /* by lane: pd_lists.weight of the particle */
    pd_maskw live;          /* mask of the lanes that contain a particle */
} pd_list;

/* Returns the list of the group that begins with first_particle. chunk_end: index behind the chunk's last particle. */
static inline pd_list pd_lists_get_list(const pd_lists *lists, int first_particle, int chunk_end) {
    return (pd_list){
        .offset = pd_lists_offsets(lists, first_particle / PD_LANES),
        .length = lists->length[first_particle / PD_LANES],
        .weight = pd_load_all(lists->weight + first_particle),
        .live = pd_lane_range(0, chunk_end - first_particle < PD_LANES ? chunk_end - first_particle : PD_LANES),
    };
}

/* Pairs of the particles of a group with their neighbours in one row of the list. dx, dy: vector to the neighbour; r2:
 * squared distance; inverse_r: 1/distance; all in units of h. */
typedef struct pd_pair {
    pd_floatw dx, dy, r2, inverse_r, q; /* q = max(1 - r, 0) */
} pd_pair;

/* Computes the pairs from the records of the particles and of their neighbours. A record begins with the position x, y, in
 * units of h. */
PD_INLINE pd_pair pd_compute_pair(const pd_floatw *own_record, const pd_floatw *neighbour_record) {
    pd_pair pair;
    pair.dx = pd_sub(neighbour_record[0], own_record[0]);
    pair.dy = pd_sub(neighbour_record[1], own_record[1]);
    pair.r2 = pd_add(pd_mul(pair.dx, pair.dx), pd_mul(pair.dy, pair.dy));
    pair.inverse_r = pd_rsqrt(pair.r2);
    pair.q = pd_max(pd_sub(pd_set(1), pd_mul(pair.r2, pair.inverse_r)), pd_set(0));
    return pair;
}

#endif
