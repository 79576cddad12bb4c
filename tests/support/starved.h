/* An allocator that refuses memory for more particles of one world. */
#ifndef PUDDLE_TESTS_STARVED_H
#define PUDDLE_TESTS_STARVED_H

#include "core/memory.h"
#include "sim/world.h"

#include <stdlib.h>

static const pd_world *starved; /* memory for more of its particles is refused; NULL: of none */

/* Returns whether a request is for an array for SIMD (core/memory.h): a multiple of the alignment, and room to align it. */
static inline bool is_array(size_t size) { return size % PD_ALIGNMENT == sizeof(void *); }

/* Returns whether a request is for more particles. Lists that grow by whole KiB are not (sim/tools/tools.h,
 * sim/sources/sources.h). */
static inline bool is_growth(size_t size) {
    return starved && is_array(size) && size > (size_t)starved->particles.capacity &&
           (size - PD_ALIGNMENT - sizeof(void *)) % 1024 != 0;
}

static inline void *allocate_unless_starved(size_t size, void *user) {
    (void)user;
    return is_growth(size) ? NULL : malloc(size);
}

static inline void *resize(void *memory, size_t size, void *user) {
    (void)user;
    return realloc(memory, size);
}

static inline void release(void *memory, void *user) {
    (void)user;
    free(memory);
}

/* Blocks of malloc() remain valid. */
static inline void set_starving_allocator(void) {
    pd_set_allocator(&(pd_allocator){allocate_unless_starved, resize, release, NULL, NULL});
}

#endif
