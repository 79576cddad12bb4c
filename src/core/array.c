/* Arrays that grow. */
#include "core/array.h"

#include "core/memory.h"

#include <limits.h>
#include <string.h>

enum { SMALLEST_CAPACITY = 16 }; /* elements of the first allocation */

/* Returns the pointer that *variable contains. The variable may be a pointer of any type, so its bytes are copied. */
static void *read_pointer(const void *variable) {
    void *memory;
    memcpy(&memory, variable, sizeof memory);
    return memory;
}

static void write_pointer(void *variable, const void *memory) { memcpy(variable, &memory, sizeof memory); }

/* Resizes arrays[first] and all later arrays. Frees no old array before all new ones are allocated. */
static bool resize_arrays_from(const pd_array *arrays, size_t first, size_t array_count) {
    if (first == array_count) return true;
    const pd_array *array = &arrays[first];
    void *memory = pd_allocate(array->count, array->size);
    if (!memory || !resize_arrays_from(arrays, first + 1, array_count)) {
        pd_free(memory);
        return false;
    }
    if (array->kept > 0) memcpy(memory, read_pointer(array->variable), array->kept * array->size);
    pd_free(read_pointer(array->variable));
    write_pointer(array->variable, memory);
    return true;
}

bool pd_arrays_resize(const pd_array *arrays, size_t array_count) { return resize_arrays_from(arrays, 0, array_count); }

void pd_arrays_free(const pd_array *arrays, size_t array_count) {
    for (size_t k = 0; k < array_count; k++) {
        pd_free(read_pointer(arrays[k].variable));
        write_pointer(arrays[k].variable, NULL);
    }
}

bool pd_array_reserve(void *variable, int *capacity, int kept_count, int min_count, size_t element_size) {
    if (min_count <= *capacity) return true;
    int larger = min_count < INT_MAX / 2 ? min_count + min_count / 2 + SMALLEST_CAPACITY : min_count;
    if (!pd_arrays_resize(&(pd_array){variable, (size_t)kept_count, (size_t)larger, element_size}, 1)) return false;
    *capacity = larger;
    return true;
}

bool pd_list_reserve(void *variable, int *capacity, int min_count, size_t element_size) {
    if (min_count <= *capacity) return true;
    int larger = *capacity < INT_MAX / 2 ? 2 * *capacity : min_count;
    if (larger < SMALLEST_CAPACITY) larger = SMALLEST_CAPACITY;
    if (larger < min_count) larger = min_count;
    void *memory = pd_memory_resize(read_pointer(variable), (size_t)larger * element_size);
    if (!memory) return false;
    write_pointer(variable, memory);
    *capacity = larger;
    return true;
}

void pd_list_require(void *variable, int *capacity, int min_count, size_t element_size) {
    if (min_count <= *capacity) return;
    *capacity = min_count + min_count / 2 + SMALLEST_CAPACITY;
    write_pointer(variable, pd_memory_require_resized(read_pointer(variable), (size_t)*capacity * element_size));
}
