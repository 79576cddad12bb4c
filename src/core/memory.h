/* Memory from the program's allocator (puddle/memory.h). */
#ifndef PUDDLE_CORE_MEMORY_H
#define PUDDLE_CORE_MEMORY_H

#include <puddle/memory.h>
#include <stddef.h>

enum {
    PD_ALIGNMENT = 64, /* alignment of arrays, bytes: a cache line, and the widest vector */
    PD_PADDING = 32,   /* elements behind every particle array, since vectors may read past its end */
};

/* Returns how many memory requests of this thread the allocator has refused so far. Steps and commands cannot fail: if
 * this number grows during a step or command, its result may be incomplete. */
size_t pd_memory_refused_request_count(void);

/* The three functions below work like calloc, realloc and a copy of `size` bytes. They return NULL if memory runs out. Free
 * with pd_memory_free. */
void *pd_memory_new_zeroed(size_t count, size_t element_size);
void *pd_memory_resize(void *memory, size_t size);
void *pd_memory_copy(const void *bytes, size_t size);

/* The four functions below are for small requests: structs, names, lists of some KiB. They never return NULL: the
 * allocator's `exhausted` answers a refusal, which is not counted. They work like calloc, realloc, strdup and strndup. Free
 * with pd_memory_free. */
void *pd_memory_require(size_t count, size_t element_size);
void *pd_memory_require_resized(void *memory, size_t size);
char *pd_memory_copy_text(const char *text);
char *pd_memory_copy_text_part(const char *text, size_t length);

/* Copies a text that open_memstream() has allocated into memory of the program's allocator, and frees the original.
 * Returns NULL if memory runs out. Free with pd_memory_free. */
char *pd_memory_move_stream_text(char *text, size_t length);

/* Allocates a zeroed array for SIMD, aligned to PD_ALIGNMENT. Returns NULL if memory runs out. Free with pd_free. */
void *pd_allocate(size_t count, size_t element_size);
void pd_free(void *memory);

/* Copies a struct of this library, from_size bytes, to a program compiled with another version, in which the struct
 * has to_size bytes. Members that only the program's struct has become 0. */
void pd_copy_struct(void *to, size_t to_size, const void *from, size_t from_size);

#endif
