/* Momentum that the fluid gives to the container and to each obstacle.
 *
 * Loops over particles add momentum on any thread. Each chunk of such a loop has its own sums, which are added in the
 * order of the chunks, so the result does not depend on the number of threads. */
#ifndef PUDDLE_SIM_WALLS_IMPULSES_H
#define PUDDLE_SIM_WALLS_IMPULSES_H

#include <stdbool.h>

enum {
    PD_CONTAINER_WALL = -1,       /* wall number of the container; an obstacle's wall number is its index */
    PD_IMPULSE_CHUNKS = 64,       /* greatest number of chunks of a loop, which limits the memory */
    PD_LEAST_IMPULSE_GRAIN = 512, /* least number of particles in a chunk */
};

typedef struct pd_impulses {
    int walls; /* number of walls: the obstacles and the container */
    /* By chunk, wall and coordinate: sum in the present substep, in units of the material's mass x m/s. */
    double *chunk;
    /* By wall and coordinate: sum over all substeps of the step, in units of the material's mass x m/s. */
    double *total;
} pd_impulses;

/* Allocates the sums. Returns false if memory runs out. Call pd_impulses_free in any case. */
bool pd_impulses_init(pd_impulses *impulses, int obstacle_count);
void pd_impulses_free(pd_impulses *impulses);
/* Sets impulses->total to 0, at the beginning of a step. */
void pd_impulses_clear_totals(pd_impulses *impulses);
/* Adds impulses->chunk to impulses->total, and sets impulses->chunk to 0, at the end of a substep. */
void pd_impulses_add_chunks_to_totals(pd_impulses *impulses);

/* Returns the number of particles in a chunk of a loop over particle_count particles: a multiple of
 * PD_LEAST_IMPULSE_GRAIN. */
static inline int pd_impulse_chunk_size(int particle_count) {
    int least = PD_IMPULSE_CHUNKS * PD_LEAST_IMPULSE_GRAIN;
    return (particle_count + least - 1) / least * PD_LEAST_IMPULSE_GRAIN +
           (particle_count > 0 ? 0 : PD_LEAST_IMPULSE_GRAIN);
}

/* Adds an impulse (x, y) on `wall` to the sums of the chunk that begins with first_particle. chunk_size: value of
 * pd_impulse_chunk_size for the loop. */
static inline void pd_impulses_add(const pd_impulses *impulses, int first_particle, int chunk_size, int wall, double x,
                                   double y) {
    double *sum = impulses->chunk + 2 * (first_particle / chunk_size * impulses->walls + wall + 1);
    sum[0] += x;
    sum[1] += y;
}

#endif
