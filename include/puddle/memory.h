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
 * The library calls these functions from several threads at the same time.
 *
 * Memory that grows with particles, cells, pictures, the lists of a scene and logs may be refused. The function that
 * needed the memory then fails and changes nothing. Other requests are small: mostly some KiB, at most 3 MiB for the
 * outline of a body. `exhausted` answers their refusal. */
typedef struct pd_allocator {
    void *(*allocate)(size_t size, void *user); /**< Returns `size` bytes. NULL: there is no memory. */
    void *(*resize)(void *memory, size_t size,
                    void *user);               /**< Resizes a block. NULL: there is no memory, and the block remains. */
    void (*release)(void *memory, void *user); /**< Frees a block. NULL is allowed. */
    void *user;                                /**< Passed to each of the functions. */
    /** Called when a small request is refused. The function frees memory and returns, and the library requests again, or
     * it ends the program. NULL (default): prints a line to the standard error stream and calls abort(). */
    void (*exhausted)(size_t size, void *user);
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
