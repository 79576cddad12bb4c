/* Arrays that grow, singly or several together. */
#ifndef PUDDLE_CORE_ARRAY_H
#define PUDDLE_CORE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Request to resize one array. */
typedef struct pd_array {
    void *variable; /* address of the caller's pointer to the array */
    size_t kept;    /* number of old elements to copy to the new memory */
    size_t count;   /* number of elements in the new memory */
    size_t size;    /* size of an element, bytes */
} pd_array;

/* Makes a pd_array for the array to which a pointer variable such as state->x points. */
#define PD_ARRAY(variable, kept, count)                                                                                \
    { &(variable), (size_t)(kept), (size_t)(count), sizeof *(variable) }
/* Expands to the two arguments `arrays, array_count` of the functions below, from a list of PD_ARRAY(...). */
#define PD_ARRAYS(...) (const pd_array[]){__VA_ARGS__}, sizeof((const pd_array[]){__VA_ARGS__}) / sizeof(pd_array)

/* Reallocates arrays of pd_allocate. Copies the first `kept` elements of each and sets the others to zero. Returns
 * false if memory runs out; all arrays are then unchanged. */
bool pd_arrays_resize(const pd_array *arrays, size_t array_count);
/* Frees the arrays and sets the callers' pointers to NULL. */
void pd_arrays_free(const pd_array *arrays, size_t array_count);

/* Grows an array of pd_allocate to at least `count` elements, by a factor of about 1.5, and copies `kept` elements.
 * Returns false if memory runs out; the array is then unchanged. */
#define PD_ARRAY_RESERVE(variable, capacity, kept, count)                                                              \
    pd_array_reserve(&(variable), &(capacity), (kept), (count), sizeof *(variable))
bool pd_array_reserve(void *variable, int *capacity, int kept_count, int min_count, size_t element_size);

/* Grows an array of pd_memory_new to at least `count` elements and at least doubles its capacity. Returns false if
 * memory runs out; the array is then unchanged. */
#define PD_LIST_RESERVE(variable, capacity, count)                                                                     \
    pd_list_reserve(&(variable), &(capacity), (count), sizeof *(variable))
bool pd_list_reserve(void *variable, int *capacity, int min_count, size_t element_size);
/* Grows a small array like PD_LIST_RESERVE, with pd_memory_require_resized: it never fails. */
#define PD_LIST_REQUIRE(variable, capacity, count)                                                                     \
    pd_list_require(&(variable), &(capacity), (count), sizeof *(variable))
void pd_list_require(void *variable, int *capacity, int min_count, size_t element_size);

#endif
