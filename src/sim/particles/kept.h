/* Decides whether the neighbour lists of an earlier substep are still valid. If so, the present substep uses them again,
 * and the particles are not sorted.
 *
 * Pairs that have come within the radius h since the lists were built are missed. In a splash, these pairs contribute less
 * than 0.004 % of the densities (tests/sim/test_kept.c). Lists become invalid if conditions 1 and 2 both hold: 1. Some
 * particle is more than PD_LIST_FREE_DISPLACEMENT x h away from its position when the lists were built. 2. Since then two
 * particles have moved relative to each other by more than a limit. It is PD_LIST_MAX_RELATIVE_DISPLACEMENT x h for
 *    particles up to PD_LIST_NEAR_CELLS cells apart, and for others the displacement at which they could meet.
 *
 * Lists therefore remain valid while fluid flows or a drop flies. They become invalid when separate bodies of fluid meet.
 *
 * Lists are used only within the step in which they were built. So snapshots do not contain them, and code that adds,
 * removes or moves particles between steps need not invalidate them. */
#ifndef PUDDLE_SIM_PARTICLES_KEPT_H
#define PUDDLE_SIM_PARTICLES_KEPT_H

#include "sim/world.h"

#define PD_LIST_FREE_DISPLACEMENT                                                                                      \
    0.3f /* displacement of each particle up to which lists are valid without further tests, in units of h */
#define PD_LIST_MAX_RELATIVE_DISPLACEMENT                                                                              \
    0.6f /* limit of the displacement of two particles in near cells relative to each other, in units of h */
enum { PD_LIST_NEAR_CELLS = 3 }; /* two cells (side h) are near if they are at most this many cells apart */

typedef struct pd_list_validity {
    float *x, *y;   /* by particle: its position when the lists were built, m */
    int capacity;   /* number of particles for which memory is allocated */
    int count;      /* number of particles when the lists were built; 0: no lists */
    float h;        /* interaction radius of the lists, m */
    uint64_t sorts; /* pd_neighbours.sorts when the lists were built; they are invalid once it differs */
    /* Working memory of pd_list_validity_check: bounds of the displacements since the lists were built.
     * - own[cell]: displacements of the particles in the cell
     * - column[cell]: displacements in the cell, PD_LIST_NEAR_CELLS cells above and PD_LIST_NEAR_CELLS cells below
     * - row[r]: displacements in row r of cells */
    struct pd_movement *own, *column, *row;
    int cells, rows; /* numbers of cells and of rows for which these bounds have memory */
} pd_list_validity;

/* Allocates memory for `capacity` particles. If the memory grows, the lists become invalid. Returns false if memory runs
 * out; then nothing changes. */
bool pd_list_validity_reserve(pd_list_validity *kept, int capacity);
void pd_list_validity_free(pd_list_validity *kept);

/* Returns whether lists of the interaction radius h (m) from an earlier substep of this step are still valid. Cost: one
 * pass over the particles; if condition 1 holds, a second pass, and one over the cells. */
bool pd_list_validity_check(pd_list_validity *kept, const pd_world *world, float h);
/* Records the present positions of the world's particles: lists of the interaction radius h (m) have just been built from
 * them. The capacity must suffice (asserted). */
void pd_list_validity_record_world(pd_list_validity *kept, const pd_world *world, float h);

/* The same for neighbour lists of particles that are copied from the world in another order (tension.h).
 * - pd_list_validity_are_all_particles_near: returns whether condition 1 does not hold
 * - pd_list_validity_record_positions: records the particles' positions, the radius h (m) and pd_neighbours.sorts */
bool pd_list_validity_are_all_particles_near(pd_list_validity *kept, const pd_particles *particles, pd_pool *pool);
void pd_list_validity_record_positions(pd_list_validity *kept, const pd_particles *particles, float h, uint64_t sorts);

#endif
