/* Neighbour lists: what lies nearer than h to each particle, found once and walked several times.
 *
 * Particles that follow one another in the order of the sort are walked side by side, one in each lane of a vector: a group.
 * A group's list is a table with a column for each of its particles. In the columns are the places of the neighbours in
 * arrays of records (core/simd.h), the particle's own among them, and below the last one the place of nobody: a record
 * behind those of the particles, so far away that every kernel is 0 there. So no loop over neighbours asks whether there is one.
 *
 * A method's loops make and walk the lists with the functions of lists_wide.h. */
#ifndef PUDDLE_SIM_LISTS_H
#define PUDDLE_SIM_LISTS_H

#include "sim/neighbours.h"

enum {
    PD_LIST_GROUP = 16,  /* particles: the lanes of a vector, at every SIMD level */
    PD_LIST_GRAIN = 512, /* particles whose lists lie in one stretch of memory: a chunk of parallel work */
    PD_LIST_SLACK = 4,   /* rows behind those of a stretch: they are written four at a time */
};

/* Where nobody is, m or h: farther than anybody can be in units of the smallest radius, and its square is finite. */
#define PD_SENTINEL_POSITION 1e12f

typedef struct pd_lists {
    uint32_t *place;  /* all the lists, row after row */
    uint32_t *first;  /* of each group: its first row */
    uint16_t *length; /* of each group: rows */
    float *weight;    /* of each particle: how many neighbours each one in its list stands for; 1 but in crowds */
    int *needed;      /* of each stretch: rows that its lists and the slack need */
    size_t *begin;    /* of each stretch, and of the end: row from which on it has room */
    size_t rows;      /* that there is room for in all */
    int stretches, capacity;
} pd_lists;

/* Room for this many particles. Errors: OUT_OF_MEMORY (and nothing has changed). */
pd_result pd_lists_reserve(pd_lists *lists, int capacity, pd_error *error);
void pd_lists_free(pd_lists *lists);

/* The number of nobody's record, the first one behind the last group. The records from the last particle's to it fill up that
 * group's lanes, and are read and written like those of particles. */
int pd_lists_sentinel(int count);

/* Makes the lists of the first `count` particles: calls find for each stretch, on any thread, and again for all of them where
 * the fluid has grown denser than there is room for. Without memory for more some neighbours are left out, of the last
 * groups of a stretch all. */
void pd_lists_make(pd_lists *lists, int count, pd_pool *pool, pd_loop_body *find, void *context);

#endif
