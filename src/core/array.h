/* Arrays that grow, singly or several together. */
#ifndef PUDDLE_CORE_ARRAY_H
#define PUDDLE_CORE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* New size of an array. */
typedef struct pd_array {
    void *pointer; /* address of the variable that points to the array */
    size_t kept;   /* number of elements copied to the new memory */
    size_t count;  /* number of elements in the new memory */
    size_t size;   /* bytes of an element */
} pd_array;

/* A pd_array of a variable such as state->x. */
#define PD_ARRAY(variable, kept, count)                                                                                \
    { &(variable), (size_t)(kept), (size_t)(count), sizeof *(variable) }
/* The arguments `arrays, number` of the functions below, from several PD_ARRAYs. */
#define PD_ARRAYS(...) (const pd_array[]){__VA_ARGS__}, sizeof((const pd_array[]){__VA_ARGS__}) / sizeof(pd_array)

/* Reallocates all arrays for SIMD (pd_allocate); elements that are not copied are zero. Returns false if memory runs
 * out; all arrays are then unchanged. */
bool pd_arrays_resize(const pd_array *arrays, size_t number);
/* Frees the arrays and sets their variables to NULL. */
void pd_arrays_free(const pd_array *arrays, size_t number);

/* Grows an array for SIMD to at least `count` elements, by a factor of about 1.5, and copies `kept` elements. Returns
 * false if memory runs out; the array is then unchanged. */
#define PD_ARRAY_RESERVE(variable, capacity, kept, count)                                                              \
    pd_array_reserve(&(variable), &(capacity), (kept), (count), sizeof *(variable))
bool pd_array_reserve(void *pointer, int *capacity, int kept, int count, size_t size);

/* Grows a list of pd_memory_new to at least `count` elements, by a factor of 2. Returns false if memory runs out; the
 * list is then unchanged. */
#define PD_LIST_RESERVE(variable, capacity, count)                                                                     \
    pd_list_reserve(&(variable), &(capacity), (count), sizeof *(variable))
bool pd_list_reserve(void *pointer, int *capacity, int count, size_t size);

#endif
