/* Memory from the allocator of the program (puddle/memory.h). */
#ifndef PUDDLE_CORE_MEMORY_H
#define PUDDLE_CORE_MEMORY_H

#include <puddle/memory.h>
#include <stddef.h>

enum {
    PD_ALIGNMENT = 64, /* bytes: a cache line, and the widest vector */
    PD_PADDING = 32,   /* elements behind every particle array, so that vectors may be read past its end */
};

/* How often this thread was refused memory so far. A step or a command that cannot fail compares the numbers before and after:
 * where they differ, the result may not be that with memory. */
size_t pd_memory_refusals(void);

/* Like calloc, realloc, strdup and strndup. NULL when there is no memory. Free with pd_memory_free. */
void *pd_memory_zeroed(size_t count, size_t size);
void *pd_memory_resize(void *memory, size_t size);
char *pd_memory_text(const char *text);
char *pd_memory_part(const char *text, size_t length);
/* Moves the text of a stream (open_memstream) to the allocator's memory. NULL when there is no memory. Frees the stream's. */
char *pd_memory_adopt(char *text, size_t length);

/* An array for SIMD: count elements of size bytes, zeroed, aligned to PD_ALIGNMENT. NULL when there is no memory. Free with
 * pd_free. */
void *pd_allocate(size_t count, size_t size);
void pd_free(void *memory);

/* Copies a struct of `own` bytes to a program that was compiled with `size` bytes for it. Members that only the program has
 * become 0. */
void pd_copy_struct(void *to, size_t size, const void *from, size_t own);

#endif
