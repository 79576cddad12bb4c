/* Memory from the program's allocator, with a count of refused requests. */
#include "core/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *system_allocate(size_t size, void *user) {
    (void)user;
    return malloc(size);
}

static void *system_resize(void *memory, size_t size, void *user) {
    (void)user;
    return realloc(memory, size);
}

static void system_release(void *memory, void *user) {
    (void)user;
    free(memory);
}

static const pd_allocator system_allocator = {
    .allocate = system_allocate, .resize = system_resize, .release = system_release};
static pd_allocator current = {.allocate = system_allocate, .resize = system_resize, .release = system_release};

void pd_set_allocator(const pd_allocator *allocator) { current = allocator ? *allocator : system_allocator; }

/* Number of memory requests of this thread that the allocator refused. Pool threads request no memory in loops, so
 * the thread that calls the library counts all refused requests. */
static _Thread_local size_t refused_requests;

static void *count_refused_request_if_null(void *memory) {
    refused_requests += memory == NULL;
    return memory;
}

size_t pd_memory_refused_request_count(void) { return refused_requests; }

void *pd_memory_new(size_t size) { return count_refused_request_if_null(current.allocate(size, current.user)); }

void pd_memory_free(void *memory) { current.release(memory, current.user); }

void *pd_memory_resize(void *memory, size_t size) {
    return memory ? count_refused_request_if_null(current.resize(memory, size, current.user)) : pd_memory_new(size);
}

void *pd_memory_new_zeroed(size_t count, size_t element_size) {
    if (element_size && count > SIZE_MAX / element_size) return count_refused_request_if_null(NULL);
    void *memory = pd_memory_new(count * element_size);
    return memory ? memset(memory, 0, count * element_size) : NULL;
}

void *pd_memory_copy(const void *bytes, size_t size) {
    void *copy = pd_memory_new(size + 1); /* an allocator may return NULL for 0 bytes */
    return copy && size ? memcpy(copy, bytes, size) : copy;
}

void *pd_memory_require_resized(void *memory, size_t size) {
    void *resized;
    while (!(resized = memory ? current.resize(memory, size, current.user) : current.allocate(size, current.user))) {
        if (!current.exhausted) {
            fprintf(stderr, "puddle: no memory for %zu bytes (close other programs)\n", size);
            abort();
        }
        current.exhausted(size, current.user);
    }
    return resized;
}

void *pd_memory_require(size_t count, size_t element_size) {
    size_t size = count * element_size + (count == 0); /* an allocator may return NULL for 0 bytes */
    return memset(pd_memory_require_resized(NULL, size), 0, size);
}

char *pd_memory_copy_text_part(const char *text, size_t length) {
    return memcpy(pd_memory_require(length + 1, 1), text, length);
}

char *pd_memory_move_stream_text(char *text, size_t length) {
    char *copy = pd_memory_copy(text, length + 1);
    free(text);
    return copy;
}

char *pd_memory_copy_text(const char *text) { return pd_memory_copy_text_part(text, strlen(text)); }

/* The array begins at an aligned address inside a larger block. The block's address is stored before the array, for
 * pd_free. */
void *pd_allocate(size_t count, size_t element_size) {
    if (element_size && count > (SIZE_MAX - 2 * PD_ALIGNMENT) / element_size)
        return count_refused_request_if_null(NULL);
    size_t bytes = (count * element_size + PD_ALIGNMENT - 1) / PD_ALIGNMENT * PD_ALIGNMENT;
    char *block = pd_memory_new(bytes + PD_ALIGNMENT + sizeof block);
    if (!block) return NULL;
    char *memory = block + sizeof block + PD_ALIGNMENT - 1;
    memory -= (uintptr_t)memory % PD_ALIGNMENT;
    memcpy(memory - sizeof block, &block, sizeof block);
    return memset(memory, 0, bytes);
}

void pd_free(void *memory) {
    char *block = NULL;
    if (memory) memcpy(&block, (char *)memory - sizeof block, sizeof block);
    pd_memory_free(block);
}

void pd_copy_struct(void *to, size_t to_size, const void *from, size_t from_size) {
    size_t common = to_size < from_size ? to_size : from_size;
    memcpy(to, from, common);
    memset((char *)to + common, 0, to_size - common);
}
