/* Aligned memory for arrays that are read and written in SIMD vectors. */
#ifndef PUDDLE_CORE_MEMORY_H
#define PUDDLE_CORE_MEMORY_H

#include <stddef.h>

enum {
    PD_ALIGNMENT = 64, /* bytes: a cache line, and the widest vector */
    PD_PADDING = 32,   /* elements behind every particle array, so that vectors may be read past its end */
};

/* count elements of size bytes, zeroed, aligned to PD_ALIGNMENT; NULL when there is no memory. Free with pd_free. */
void *pd_allocate(size_t count, size_t size);
void pd_free(void *memory);

/* Copies a struct of `own` bytes to a program that was compiled with `size` bytes for it. Members that only the program has
 * become 0. */
void pd_copy_struct(void *to, size_t size, const void *from, size_t own);

#endif
