/** @file
 * Memory of the library.
 */
#ifndef PUDDLE_MEMORY_H
#define PUDDLE_MEMORY_H

#include <puddle/version.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Functions that allocate, resize and free the library's memory, like malloc(), realloc() and free().
 *
 * The library calls these functions from several threads at the same time. */
typedef struct pd_allocator {
    void *(*allocate)(size_t size, void *user); /**< Returns `size` bytes. NULL: there is no memory. */
    void *(*resize)(void *memory, size_t size,
                    void *user);               /**< Resizes a block. NULL: there is no memory, and the block remains. */
    void (*release)(void *memory, void *user); /**< Frees a block. NULL is allowed. */
    void *user;                                /**< Passed to each of the three functions. */
} pd_allocator;

/** Sets the functions that allocate the library's memory. NULL (default): malloc(), realloc() and free().
 *
 * Call this function before any other function of the library: each block must be freed by the allocator that allocated it.
 * libyaml, which reads scene files, and the threads of the system do not use these functions. */
PD_API void pd_set_allocator(const pd_allocator *allocator);
/** Returns `size` bytes for arrays that the library frees: lists of a scene, pixels. NULL: out of memory. */
PD_API void *pd_memory_new(size_t size);
/** Frees memory of pd_memory_new(), and text or bytes that a function of the library returned. NULL is allowed. */
PD_API void pd_memory_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
