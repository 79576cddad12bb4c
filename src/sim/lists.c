#include "sim/lists.h"

#include "core/error.h"
#include "core/memory.h"

enum { USUAL_LENGTH = 32 }; /* rows to a group, to begin with */

static int stretches_of(int capacity) { return (capacity + PD_LIST_GRAIN - 1) / PD_LIST_GRAIN; }

static int groups_of(int capacity) { return (capacity + PD_LIST_GROUP - 1) / PD_LIST_GROUP; }

int pd_lists_nobody(int count) { return groups_of(count) * PD_LIST_GROUP; }

static uint32_t *allocate_places(int stretches, size_t stretch) {
    return pd_allocate((size_t)stretches * stretch * PD_LIST_GROUP, sizeof(uint32_t));
}

pd_result pd_lists_reserve(pd_lists *lists, int capacity, pd_error *error) {
    if (capacity <= lists->capacity) return PD_OK;
    pd_lists larger = {.capacity = capacity, .stretches = stretches_of(capacity)};
    size_t usual = (size_t)USUAL_LENGTH * (PD_LIST_GRAIN / PD_LIST_GROUP);
    larger.stretch = lists->stretch > usual ? lists->stretch : usual;
    larger.place = allocate_places(larger.stretches, larger.stretch);
    larger.first = pd_allocate((size_t)groups_of(capacity), sizeof *larger.first);
    larger.length = pd_allocate((size_t)groups_of(capacity), sizeof *larger.length);
    larger.weight = pd_allocate((size_t)capacity + PD_PADDING, sizeof *larger.weight);
    larger.needed = pd_allocate((size_t)larger.stretches, sizeof *larger.needed);
    if (!larger.place || !larger.first || !larger.length || !larger.weight || !larger.needed) {
        pd_lists_free(&larger);
        return pd_fail(error, PD_ITEM_OUT_OF_MEMORY, "no memory for the neighbours of %d particles (use fewer)",
                       capacity);
    }
    pd_lists_free(lists);
    *lists = larger;
    return PD_OK;
}

void pd_lists_free(pd_lists *lists) {
    pd_free(lists->place), pd_free(lists->first), pd_free(lists->length), pd_free(lists->weight);
    pd_free(lists->needed);
    *lists = (pd_lists){0};
}

/* Room for the densest stretch and a quarter more; false: there is no need or no memory. What was found is lost. */
static bool grow(pd_lists *lists, int count) {
    size_t needed = 0;
    for (int s = 0; s < stretches_of(count); s++)
        if ((size_t)lists->needed[s] > needed) needed = (size_t)lists->needed[s];
    if (needed <= lists->stretch || lists->refused) return false;
    size_t stretch = needed + needed / 4;
    uint32_t *place = allocate_places(lists->stretches, stretch);
    lists->refused = !place;
    if (!place) return false;
    pd_free(lists->place);
    lists->place = place;
    lists->stretch = stretch;
    return true;
}

void pd_lists_make(pd_lists *lists, int count, pd_pool *pool, pd_body *find, void *context) {
    do pd_parallel_for(pool, count, PD_LIST_GRAIN, find, context);
    while (grow(lists, count));
}
