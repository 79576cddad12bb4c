/* Memory from the program's allocator (puddle/memory.h). */
#ifndef PUDDLE_CORE_MEMORY_H
#define PUDDLE_CORE_MEMORY_H

#include <puddle/memory.h>
#include <stddef.h>

enum {
    PD_ALIGNMENT = 64, /* bytes: a cache line, and the widest vector */
    PD_PADDING = 32,   /* elements behind every particle array: vectors may read past its end */
};

/* Returns how many requests of this thread were refused so far. A step or a command cannot fail: if the number grows
 * during one, its result may be incomplete. */
size_t pd_memory_refusals(void);

/* Work like calloc, realloc, strdup and strndup. Return NULL if memory runs out. Free with pd_memory_free. */
void *pd_memory_zeroed(size_t count, size_t size);
void *pd_memory_resize(void *memory, size_t size);
char *pd_memory_text(const char *text);
char *pd_memory_text_part(const char *text, size_t length);
/* Moves text of open_memstream to the allocator's memory and frees the original. Returns NULL if memory runs out. */
char *pd_memory_adopt(char *text, size_t length);

/* Allocates an array for SIMD: zeroed, aligned to PD_ALIGNMENT. Returns NULL if memory runs out. Free with pd_free. */
void *pd_allocate(size_t count, size_t size);
void pd_free(void *memory);

/* Copies a struct of `own` bytes into one of `size` bytes, compiled for another version of the library. Members beyond
 * `own` become 0. */
void pd_copy_struct(void *to, size_t size, const void *from, size_t own);

#endif
