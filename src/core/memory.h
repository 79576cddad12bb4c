/* Memory from the program's allocator (puddle/memory.h). */
#ifndef PUDDLE_CORE_MEMORY_H
#define PUDDLE_CORE_MEMORY_H

#include <puddle/memory.h>
#include <stddef.h>

enum {
    PD_ALIGNMENT = 64, /* alignment of arrays, bytes: a cache line, and the widest vector */
    PD_PADDING = 32,   /* elements behind every particle array, since vectors may read past its end */
};

/* Returns how many memory requests of this thread were refused so far. If the number grows during a step or a command,
 * which cannot fail, its result may be incomplete. */
size_t pd_memory_refusal_count(void);

/* Work like calloc, realloc, strdup and strndup. Return NULL if memory runs out. Free with pd_memory_free. */
void *pd_memory_new_zeroed(size_t count, size_t size);
void *pd_memory_resize(void *memory, size_t size);
char *pd_memory_copy_text(const char *text);
char *pd_memory_copy_text_part(const char *text, size_t length);
/* Moves a text of open_memstream, which malloc() has allocated, to the allocator's memory. Frees the original. Returns
 * NULL if memory runs out. */
char *pd_memory_move_text(char *text, size_t length);

/* Allocates a zeroed array for SIMD, aligned to PD_ALIGNMENT. Returns NULL if memory runs out. Free with pd_free. */
void *pd_allocate(size_t count, size_t size);
void pd_free(void *memory);

/* Copies a struct of this library, `own` bytes long, into a caller's of `size` bytes, compiled for another version. The
 * caller's further members become 0. */
void pd_copy_struct(void *to, size_t to_size, const void *from, size_t from_size);

#endif
