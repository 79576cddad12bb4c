#include "sim/lists.h"

#include "core/error.h"
#include "core/memory.h"

enum { USUAL = 32 * (PD_LIST_GRAIN / PD_LIST_GROUP) }; /* rows for a stretch, to begin with: 32 neighbours each */

static int stretches_of(int capacity) { return (capacity + PD_LIST_GRAIN - 1) / PD_LIST_GRAIN; }

static int groups_of(int capacity) { return (capacity + PD_LIST_GROUP - 1) / PD_LIST_GROUP; }

int pd_lists_sentinel(int count) { return groups_of(count) * PD_LIST_GROUP; }

static uint32_t *allocate_places(size_t rows) { return pd_allocate(rows * PD_LIST_GROUP, sizeof(uint32_t)); }

pd_result pd_lists_reserve(pd_lists *lists, int capacity, pd_error *error) {
    if (capacity <= lists->capacity) return PD_OK;
    int stretches = stretches_of(capacity);
    pd_lists larger = {.capacity = capacity, .stretches = stretches, .rows = (size_t)stretches * USUAL};
    larger.place = allocate_places(larger.rows);
    larger.first = pd_allocate((size_t)groups_of(capacity), sizeof *larger.first);
    larger.length = pd_allocate((size_t)groups_of(capacity), sizeof *larger.length);
    larger.weight = pd_allocate((size_t)capacity + PD_PADDING, sizeof *larger.weight);
    larger.needed = pd_allocate((size_t)stretches, sizeof *larger.needed);
    larger.begin = pd_allocate((size_t)stretches + 1, sizeof *larger.begin);
    if (!larger.place || !larger.first || !larger.length || !larger.weight || !larger.needed || !larger.begin) {
        pd_lists_free(&larger);
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the neighbours of %d particles (use fewer)",
                       capacity);
    }
    for (int s = 0; s <= stretches; s++) larger.begin[s] = (size_t)s * USUAL;
    pd_lists_free(lists);
    *lists = larger;
    return PD_OK;
}

void pd_lists_free(pd_lists *lists) {
    pd_free(lists->place), pd_free(lists->first), pd_free(lists->length), pd_free(lists->weight);
    pd_free(lists->needed), pd_free(lists->begin);
    *lists = (pd_lists){0};
}

/* Rows for a stretch: a quarter more than it needs, and not less than half as much again as the others do on average, so that what
 * flows from one into the next has room there too. */
static size_t room_for(const pd_lists *lists, int s, size_t mean) {
    size_t room = (size_t)lists->needed[s] * 5 / 4, least = mean * 3 / 2;
    room = room > least ? room : least;
    return room > USUAL ? room : USUAL;
}

/* Room for what the last search has needed; false: there was enough, or there is no memory. What was found is lost. */
static bool grow(pd_lists *lists, int count) {
    int stretches = stretches_of(count);
    size_t sum = 0, rows = 0;
    bool enough = true;
    for (int s = 0; s < stretches; s++) {
        sum += (size_t)lists->needed[s];
        enough &= (size_t)lists->needed[s] <= lists->begin[s + 1] - lists->begin[s];
    }
    if (enough) return false;
    for (int s = 0; s < stretches; s++) rows += room_for(lists, s, sum / (size_t)stretches);
    rows += (size_t)(lists->stretches - stretches) * USUAL;
    if (rows > lists->rows) {
        uint32_t *place = allocate_places(rows);
        if (!place) return false;
        pd_free(lists->place);
        lists->place = place;
        lists->rows = rows;
    }
    for (int s = 0; s < lists->stretches; s++)
        lists->begin[s + 1] = lists->begin[s] + (s < stretches ? room_for(lists, s, sum / (size_t)stretches) : USUAL);
    return true;
}

void pd_lists_make(pd_lists *lists, int count, pd_pool *pool, pd_loop_body *find, void *context) {
    do pd_parallel_for(pool, count, PD_LIST_GRAIN, find, context);
    while (grow(lists, count));
}
