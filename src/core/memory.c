#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *pd_allocate(size_t count, size_t size) {
    if (size && count > (SIZE_MAX - PD_ALIGNMENT) / size) return NULL;
    size_t bytes = (count * size + PD_ALIGNMENT - 1) / PD_ALIGNMENT * PD_ALIGNMENT;
    void *memory = aligned_alloc(PD_ALIGNMENT, bytes ? bytes : PD_ALIGNMENT);
    if (memory) memset(memory, 0, bytes);
    return memory;
}

void pd_free(void *memory) { free(memory); }

void pd_copy_struct(void *to, size_t size, const void *from, size_t own) {
    size_t common = size < own ? size : own;
    memcpy(to, from, common);
    memset((char *)to + common, 0, size - common);
}
