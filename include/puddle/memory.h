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

/** Functions by which the library gets its memory. They behave like malloc(), realloc() and free().
 *
 * Several threads may call them at the same time. */
typedef struct pd_allocator {
    void *(*allocate)(size_t size, void *user);             /**< Returns `size` bytes. NULL: there is no memory. */
    void *(*resize)(void *memory, size_t size, void *user); /**< Resizes a block. On failure it returns NULL. */
    void (*release)(void *memory, void *user);              /**< Frees a block. NULL is allowed. */
    void *user;                                             /**< Passed to each of the functions. */
} pd_allocator;

/** Sets the functions by which the library gets its memory. NULL (default): malloc(), realloc() and free().
 *
 * Call before any other function of the library: a block is freed by the functions that are set at that time.
 * libyaml, which reads scene files, and the threads of the system do not use these functions. */
PD_API void pd_set_allocator(const pd_allocator *allocator);
/** Returns `size` bytes for arrays that the library frees: lists of a scene, pixels. NULL: out of memory. */
PD_API void *pd_memory_new(size_t size);
/** Frees memory of pd_memory_new(), and texts and bytes that functions of the library returned. NULL is allowed. */
PD_API void pd_memory_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
