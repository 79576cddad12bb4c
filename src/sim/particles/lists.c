/* Allocates memory of neighbour lists, and builds the lists in parallel, chunk by chunk. */
#include "sim/particles/lists.h"

#include "core/array.h"
#include "core/error.h"
#include "core/memory.h"

/* Rows allocated for a chunk before its first search: 24 rows of deltas per group. Fluid at rest needs 18 to 20 rows per
 * group. Lists of offsets need twice as many rows, so the first search enlarges their memory. */
enum { INITIAL_ROWS = 24 * (PD_LIST_GRAIN / PD_LIST_GROUP) };

static int count_chunks_of_particles(int capacity) { return (capacity + PD_LIST_GRAIN - 1) / PD_LIST_GRAIN; }

static int count_groups_of_particles(int capacity) { return (capacity + PD_LIST_GROUP - 1) / PD_LIST_GROUP; }

int pd_lists_sentinel_index(int count) { return count_groups_of_particles(count) * PD_LIST_GROUP; }

/* Replaces the memory of a chunk by `rows` rows. The lists in it are lost. Returns false if memory runs out; then nothing
 * changes. */
static bool resize_chunk(pd_list_chunk *chunk, int rows) {
    int16_t *list = pd_allocate((size_t)rows * PD_LIST_GROUP, sizeof *list);
    if (!list) return false;
    pd_free(chunk->list);
    chunk->list = list;
    chunk->rows = rows;
    return true;
}

#define LIST_ARRAYS(lists, chunk_count, group_count, count)                                                            \
    PD_ARRAYS(PD_ARRAY((lists)->chunk, 0, chunk_count), PD_ARRAY((lists)->first, 0, group_count),                      \
              PD_ARRAY((lists)->length, 0, group_count), PD_ARRAY((lists)->has_offsets, 0, group_count),               \
              PD_ARRAY((lists)->weight, 0, count))

static bool allocate_lists(pd_lists *lists, int capacity) {
    int chunks = count_chunks_of_particles(capacity), groups = count_groups_of_particles(capacity);
    if (!pd_arrays_resize(LIST_ARRAYS(lists, chunks, groups, (size_t)capacity + PD_PADDING))) return false;
    lists->capacity = capacity;
    for (int c = 0; c < chunks; c++)
        if (!resize_chunk(&lists->chunk[c], INITIAL_ROWS)) return false;
    return true;
}

pd_result pd_lists_reserve(pd_lists *lists, int capacity, pd_error *error) {
    pd_lists larger = {0};
    if (capacity <= lists->capacity) return PD_OK;
    if (!allocate_lists(&larger, capacity)) {
        pd_lists_free(&larger);
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the neighbours of %d particles (use fewer)",
                       capacity);
    }
    pd_lists_free(lists);
    *lists = larger;
    return PD_OK;
}

void pd_lists_free(pd_lists *lists) {
    for (int c = 0; c < count_chunks_of_particles(lists->capacity); c++) pd_free(lists->chunk[c].list);
    pd_arrays_free(LIST_ARRAYS(lists, 0, 0, 0));
    *lists = (pd_lists){0};
}

typedef struct search {
    const pd_lists *lists;
    int count;          /* number of particles */
    pd_loop_body *find; /* loop that finds the lists of a chunk */
    void *context;      /* context of this loop */
} search;

static void repeat_search_of_outgrown_chunks(void *context, int begin, int end) {
    const search *s = context;
    for (int c = begin; c < end; c++) {
        int last = (c + 1) * PD_LIST_GRAIN < s->count ? (c + 1) * PD_LIST_GRAIN : s->count;
        if (s->lists->chunk[c].outgrown) s->find(s->context, c * PD_LIST_GRAIN, last);
    }
}

bool pd_lists_build(pd_lists *lists, int count, pd_pool *pool, pd_loop_body *find_neighbours, void *context) {
    bool again = false, whole = true;
    pd_parallel_for(pool, count, PD_LIST_GRAIN, find_neighbours, context);
    for (int c = 0; c < count_chunks_of_particles(count); c++) {
        pd_list_chunk *chunk = &lists->chunk[c];
        bool fits = chunk->needed <= chunk->rows;
        /* Allocates 1/16 more than needed, so that the memory need not grow again soon when neighbours are added. */
        chunk->outgrown = !fits && resize_chunk(chunk, chunk->needed + chunk->needed / 16);
        whole = whole && (fits || chunk->outgrown);
        again = again || chunk->outgrown;
    }
    if (again)
        pd_parallel_for(pool, count_chunks_of_particles(count), 1, repeat_search_of_outgrown_chunks,
                        &(search){lists, count, find_neighbours, context});
    return whole;
}
