/* The momentum that the fluid gives to the walls: to the container and to each obstacle.
 *
 * Loops over particles add it on any thread. Each chunk of such a loop has sums of its own, which are added in the order
 * of the chunks, so the result does not depend on the number of threads. */
#ifndef PUDDLE_SIM_WALLS_IMPULSES_H
#define PUDDLE_SIM_WALLS_IMPULSES_H

#include <stdbool.h>

enum {
    PD_CONTAINER_WALL = -1,       /* its number; obstacles have their index */
    PD_IMPULSE_CHUNKS = 64,       /* at most, which bounds the memory */
    PD_LEAST_IMPULSE_GRAIN = 512, /* particles */
};

typedef struct pd_impulses {
    int walls;     /* obstacles, and the container */
    double *chunk; /* by chunk, wall and coordinate, of the current substep: mass of the material times m/s */
    double *total; /* by wall and coordinate, of all substeps of the step: the same */
} pd_impulses;

/* False: no memory. Free with pd_impulses_free in any case. */
bool pd_impulses_init(pd_impulses *impulses, int obstacles);
void pd_impulses_free(pd_impulses *impulses);
/* Sets the totals to 0. */
void pd_impulses_clear(pd_impulses *impulses);
/* Adds what the chunks have to the totals, and sets them to 0. */
void pd_impulses_collect(pd_impulses *impulses);

/* Particles in a chunk of a loop over `count` that adds impulses: a multiple of PD_LEAST_IMPULSE_GRAIN. */
static inline int pd_impulse_grain(int count) {
    int least = PD_IMPULSE_CHUNKS * PD_LEAST_IMPULSE_GRAIN;
    return (count + least - 1) / least * PD_LEAST_IMPULSE_GRAIN + (count > 0 ? 0 : PD_LEAST_IMPULSE_GRAIN);
}

/* Adds to the sums of the chunk that begins with particle `begin` of a loop with this grain. */
static inline void pd_impulse_add(const pd_impulses *impulses, int begin, int grain, int wall, double x, double y) {
    double *sum = impulses->chunk + 2 * (begin / grain * impulses->walls + wall + 1);
    sum[0] += x;
    sum[1] += y;
}

#endif
