#include "sim/particles/lists.h"

#include "core/error.h"
#include "core/memory.h"

enum { INITIAL_ROWS = 32 * (PD_LIST_GRAIN / PD_LIST_GROUP) }; /* of a chunk: 32 for each group */

static int chunks_of(int capacity) { return (capacity + PD_LIST_GRAIN - 1) / PD_LIST_GRAIN; }

static int groups_of(int capacity) { return (capacity + PD_LIST_GROUP - 1) / PD_LIST_GROUP; }

int pd_lists_sentinel(int count) { return groups_of(count) * PD_LIST_GROUP; }

static uint32_t *allocate_offsets(size_t rows) { return pd_allocate(rows * PD_LIST_GROUP, sizeof(uint32_t)); }

pd_result pd_lists_reserve(pd_lists *lists, int capacity, pd_error *error) {
    if (capacity <= lists->capacity) return PD_OK;
    int chunks = chunks_of(capacity);
    pd_lists larger = {.capacity = capacity, .chunks = chunks, .rows = (size_t)chunks * INITIAL_ROWS};
    larger.offset = allocate_offsets(larger.rows);
    larger.first = pd_allocate((size_t)groups_of(capacity), sizeof *larger.first);
    larger.length = pd_allocate((size_t)groups_of(capacity), sizeof *larger.length);
    larger.weight = pd_allocate((size_t)capacity + PD_PADDING, sizeof *larger.weight);
    larger.needed = pd_allocate((size_t)chunks, sizeof *larger.needed);
    larger.begin = pd_allocate((size_t)chunks + 1, sizeof *larger.begin);
    if (!larger.offset || !larger.first || !larger.length || !larger.weight || !larger.needed || !larger.begin) {
        pd_lists_free(&larger);
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the neighbours of %d particles (use fewer)",
                       capacity);
    }
    for (int c = 0; c <= chunks; c++) larger.begin[c] = (size_t)c * INITIAL_ROWS;
    pd_lists_free(lists);
    *lists = larger;
    return PD_OK;
}

void pd_lists_free(pd_lists *lists) {
    pd_free(lists->offset);
    pd_free(lists->first);
    pd_free(lists->length);
    pd_free(lists->weight);
    pd_free(lists->needed);
    pd_free(lists->begin);
    *lists = (pd_lists){0};
}

/* Rows to reserve for a chunk: a quarter more than it needs, and at least 1.5 times the mean of all chunks, so that
 * particles can flow from one chunk into another without growing the memory again. */
static size_t rows_for(const pd_lists *lists, int chunk, size_t mean) {
    size_t rows = (size_t)lists->needed[chunk] * 5 / 4, least = mean * 3 / 2;
    rows = rows > least ? rows : least;
    return rows > INITIAL_ROWS ? rows : INITIAL_ROWS;
}

static bool complete(const pd_lists *lists, int count) {
    for (int c = 0; c < chunks_of(count); c++)
        if ((size_t)lists->needed[c] > lists->begin[c + 1] - lists->begin[c]) return false;
    return true;
}

/* Reserves what the last search needed, which discards the lists; false when there is no memory. */
static bool grow(pd_lists *lists, int count) {
    int chunks = chunks_of(count);
    size_t sum = 0, rows = 0;
    for (int c = 0; c < chunks; c++) sum += (size_t)lists->needed[c];
    size_t mean = sum / (size_t)chunks;
    for (int c = 0; c < chunks; c++) rows += rows_for(lists, c, mean);
    rows += (size_t)(lists->chunks - chunks) * INITIAL_ROWS;
    if (rows > lists->rows) {
        uint32_t *offset = allocate_offsets(rows);
        if (!offset) return false;
        pd_free(lists->offset);
        lists->offset = offset;
        lists->rows = rows;
    }
    for (int c = 0; c < lists->chunks; c++)
        lists->begin[c + 1] = lists->begin[c] + (c < chunks ? rows_for(lists, c, mean) : INITIAL_ROWS);
    return true;
}

bool pd_lists_make(pd_lists *lists, int count, pd_pool *pool, pd_loop_body *find, void *context) {
    for (;;) {
        pd_parallel_for(pool, count, PD_LIST_GRAIN, find, context);
        if (complete(lists, count)) return true;
        if (!grow(lists, count)) return false;
    }
}
