/* Momentum that the fluid gives to the container, to each obstacle and to each body.
 *
 * Loops over particles add momentum on any thread. Each chunk of such a loop has its own sums, which are added in the
 * order of the chunks, so the result does not depend on the number of threads. */
#ifndef PUDDLE_SIM_WALLS_IMPULSES_H
#define PUDDLE_SIM_WALLS_IMPULSES_H

#include <puddle/scene.h>

enum {
    PD_CONTAINER_WALL = -1,       /* wall number of the container; other walls: index of the solid */
    PD_IMPULSE_PARTS = 3,         /* x, y, and the angular impulse about the origin */
    PD_IMPULSE_CHUNKS = 64,       /* greatest number of chunks of a loop, which limits the memory */
    PD_LEAST_IMPULSE_GRAIN = 512, /* least number of particles in a chunk */
};

/* Sums by wall, with PD_IMPULSE_PARTS elements for each. Units: the material's mass x m/s, angular: x m^2/s. */
typedef struct pd_impulses {
    int walls;     /* number of walls: solids and the container */
    double *chunk; /* by chunk and wall: sum in the present substep */
    double *last;  /* by wall: sum in the last substep */
    double *total; /* by wall: sum over all substeps of the step */
} pd_impulses;

/* Allocates the sums. Returns false if memory runs out. Call pd_impulses_free in any case. */
bool pd_impulses_init(pd_impulses *impulses, int solid_count);
void pd_impulses_free(pd_impulses *impulses);
/* Sets all sums to 0. */
void pd_impulses_clear(pd_impulses *impulses);
/* Sets impulses->total to 0, at the beginning of a step. */
void pd_impulses_clear_totals(pd_impulses *impulses);
/* Sums impulses->chunk to impulses->last and sets it to 0, at the end of a substep. Adds the sums to impulses->total. */
void pd_impulses_add_chunks_to_totals(pd_impulses *impulses);

/* Returns the number of particles in a chunk of a loop over particle_count particles: a multiple of
 * PD_LEAST_IMPULSE_GRAIN. */
static inline int pd_impulse_chunk_size(int particle_count) {
    int least = PD_IMPULSE_CHUNKS * PD_LEAST_IMPULSE_GRAIN;
    return (particle_count + least - 1) / least * PD_LEAST_IMPULSE_GRAIN +
           (particle_count > 0 ? 0 : PD_LEAST_IMPULSE_GRAIN);
}

/* Adds an impulse (x, y) on `wall` at a place (m) to the sums of the chunk that begins with first_particle. chunk_size: value of
 * pd_impulse_chunk_size for the loop. */
static inline void pd_impulses_add(const pd_impulses *impulses, int first_particle, int chunk_size, int wall, double x,
                                   double y, pd_vec2 place) {
    double *sum = impulses->chunk + PD_IMPULSE_PARTS * (first_particle / chunk_size * impulses->walls + wall + 1);
    sum[0] += x;
    sum[1] += y;
    sum[2] += (double)place.x * y - (double)place.y * x;
}

#endif
