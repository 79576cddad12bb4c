/* Kept lists: neighbour lists that serve several substeps of a step.
 *
 * A later substep uses the lists of an earlier substep again if these lists are valid. The particles are then not
 * sorted. Pairs that have come within the radius h since then are missed. In a splash, such pairs contribute less than
 * 0.004 % of the densities (tests/test_kept.c). Lists become invalid if conditions 1 and 2 hold:
 * 1. A particle is more than PD_KEPT_DISTANCE radii from its position when the lists were built.
 * 2. The displacements of two particles since then differ by more than a limit. For particles up to PD_KEPT_WINDOW cells
 *    apart the limit is PD_KEPT_APART radii. Particles farther apart have the limit at which they could meet.
 *
 * Lists therefore stay valid while fluid flows and drops fly. They become invalid when parts of the fluid meet.
 *
 * No lists exist between steps. Snapshots therefore omit the lists. Code that adds, removes or moves particles between
 * steps need not invalidate them. */
#ifndef PUDDLE_SIM_PARTICLES_KEPT_H
#define PUDDLE_SIM_PARTICLES_KEPT_H

#include "sim/world.h"

#define PD_KEPT_DISTANCE 0.3f /* displacement up to which lists are valid without further tests, in units of h */
#define PD_KEPT_APART    0.6f /* limit of the relative displacement of particles in near cells, in units of h */
enum { PD_KEPT_WINDOW = 3 };  /* number of cells of side h up to which two cells count as near */

typedef struct pd_kept_lists {
    float *x, *y;   /* by particle: position when the lists were built, m */
    int capacity;   /* allocated particles */
    int count;      /* number of particles when the lists were built; 0: no lists */
    float h;        /* radius of the lists, m */
    uint64_t sorts; /* pd_neighbours.sorts when the lists were built; any other value invalidates them */
    /* Working memory: bounds of the particles' displacements since the lists were built.
     * - own[cell]: particles of the cell
     * - column[cell]: particles of the cell, of PD_KEPT_WINDOW cells above and of PD_KEPT_WINDOW cells below
     * - row[r]: particles of row r of cells */
    struct pd_movement *own, *column, *row;
    int cells, rows; /* allocated cells and rows */
} pd_kept_lists;

/* Allocates for this many particles. The lists become invalid if the memory grows. Returns false if memory runs out; then
 * nothing changes. */
bool pd_kept_lists_reserve(pd_kept_lists *kept, int capacity);
void pd_kept_lists_free(pd_kept_lists *kept);

/* Returns whether lists of radius h (m) from an earlier substep of this step are still valid. Cost: one pass over the
 * particles. If a particle has moved by more than PD_KEPT_DISTANCE radii: a second pass, and one over the cells. */
bool pd_kept_lists_are_valid(pd_kept_lists *kept, const pd_world *world, float h);
/* Records that lists of radius h (m) have been built from the present positions. The capacity must suffice (asserted). */
void pd_kept_lists_record_world(pd_kept_lists *kept, const pd_world *world, float h);

/* Functions for neighbour lists of copied particles, whose order differs from the world's (tension.h).
 * - pd_kept_lists_all_particles_near: returns whether each particle is within PD_KEPT_DISTANCE radii of its recorded position
 * - pd_kept_lists_record_positions: records the positions, the radius h (m) and the number of sorts */
bool pd_kept_lists_all_particles_near(pd_kept_lists *kept, const pd_particles *particles, pd_pool *pool);
void pd_kept_lists_record_positions(pd_kept_lists *kept, const pd_particles *particles, float h, uint64_t sorts);

#endif
