/* Arrays that grow, alone or several together. */
#ifndef PUDDLE_CORE_ARRAY_H
#define PUDDLE_CORE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Change of the memory of one array. */
typedef struct pd_array {
    void *pointer; /* address of the variable with the array's address */
    size_t kept;   /* elements whose values are copied to the new memory */
    size_t count;  /* elements of the new memory */
    size_t size;   /* bytes of an element */
} pd_array;

/* A pd_array of a variable such as state->x. */
#define PD_ARRAY(variable, kept, count)                                                                                \
    { &(variable), (size_t)(kept), (size_t)(count), sizeof *(variable) }
/* The arguments `arrays, number` of the functions below, from PD_ARRAYs. */
#define PD_ARRAYS(...) (const pd_array[]){__VA_ARGS__}, sizeof((const pd_array[]){__VA_ARGS__}) / sizeof(pd_array)

/* Gives each array new memory for SIMD (pd_allocate), whose elements behind those kept are zero. False: no memory, and every array
 * is unchanged. */
bool pd_arrays_resize(const pd_array *arrays, size_t number);
/* Frees the arrays and sets their variables to NULL. */
void pd_arrays_free(const pd_array *arrays, size_t number);

/* Grows one array for SIMD to at least `count` elements, of which `kept` are copied, and to about 1.5 times as many where the array grows.
 * False: no memory, and the array is unchanged. */
#define PD_ARRAY_RESERVE(variable, capacity, kept, count)                                                              \
    pd_array_reserve(&(variable), &(capacity), (kept), (count), sizeof *(variable))
bool pd_array_reserve(void *pointer, int *capacity, int kept, int count, size_t size);

/* Grows a list of pd_memory_new to at least `count` elements, and to twice its capacity where the list grows. False: no memory, and
 * the list is unchanged. */
#define PD_LIST_RESERVE(variable, capacity, count)                                                                     \
    pd_list_reserve(&(variable), &(capacity), (count), sizeof *(variable))
bool pd_list_reserve(void *pointer, int *capacity, int count, size_t size);

#endif
