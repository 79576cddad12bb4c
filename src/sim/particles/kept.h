/* Kept lists: neighbour lists that serve several substeps of a step.
 *
 * A later substep uses the lists of an earlier one again if kept lists are valid. The particles are then not sorted.
 * Particles that have come within reach since then are missed: in a splash, such pairs have less than 0.004 % of the
 * densities (tests/test_kept.c). Lists become invalid if both hold:
 * - A particle is more than PD_KEPT_DISTANCE radii from its position when the lists were made.
 * - Two particles have moved by more than PD_KEPT_APART radii relative to each other, and were at most PD_KEPT_WINDOW
 *   cells apart when the lists were made; or two particles farther apart have moved far enough to meet.
 *
 * Lists therefore outlast fluid that flows and drops that fly, and end where parts of the fluid meet.
 *
 * No lists exist between steps. Snapshots therefore omit them, and code that adds, removes or moves particles between
 * steps need not invalidate them. */
#ifndef PUDDLE_SIM_PARTICLES_KEPT_H
#define PUDDLE_SIM_PARTICLES_KEPT_H

#include "sim/world.h"

#define PD_KEPT_DISTANCE 0.3f /* radii */
#define PD_KEPT_APART    0.6f /* radii */
enum { PD_KEPT_WINDOW = 3 };  /* cells of one radius */

typedef struct pd_kept_lists {
    float *x, *y; /* by particle: position when the lists were made, m */
    int capacity;
    int count;      /* number of particles when the lists were made; 0: no lists */
    float h;        /* radius of the lists, m */
    uint64_t sorts; /* pd_neighbours.sorts when the lists were made; any other value invalidates them */
    /* Working memory: bounds of the movement since the lists were made. own: by cell, for its particles. column: by
     * cell, for its particles and those of the PD_KEPT_WINDOW cells above and below. row: by row of cells. */
    struct pd_movement *own, *column, *row;
    int cells, rows; /* allocated cells and rows */
} pd_kept_lists;

/* Allocates for this many particles, and invalidates the lists. Returns false without memory; then nothing changes. */
bool pd_kept_lists_reserve(pd_kept_lists *kept, int capacity);
void pd_kept_lists_free(pd_kept_lists *kept);

/* Returns true if lists of an earlier substep of this step are still valid. Cost: a pass over the particles. If a
 * particle has moved far: another pass over the particles and one over the cells. */
bool pd_kept_lists_are_valid(pd_kept_lists *kept, const pd_world *world, float h);
/* Records that lists have been made from the present positions. Needs allocated memory for the particles (asserted). */
void pd_kept_lists_record_world(pd_kept_lists *kept, const pd_world *world, float h);

/* For lists of copies of the particles, in another order than the world's (tension.h). pd_kept_lists_all_particles_near returns true if
 * each particle is within PD_KEPT_DISTANCE radii of its recorded position. pd_kept_lists_record_positions records the positions. */
bool pd_kept_lists_all_particles_near(pd_kept_lists *kept, const pd_particles *particles, pd_pool *pool);
void pd_kept_lists_record_positions(pd_kept_lists *kept, const pd_particles *particles, float h, uint64_t sorts);

#endif
