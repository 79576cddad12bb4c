/* Neighbour lists that are kept for several substeps.
 *
 * Lists of a step's first substep serve its other ones too. What comes within reach of a particle without being in its list is
 * missed until the next lists: pairs with less than 0.004 % of the sums of densities, in a splash (tests/test_kept.c). The
 * particles stay in the order of the sort in the meantime. New lists are made when
 * - a particle is more than PD_KEPT_DISTANCE radii from where it was when they were made, and
 * - two particles, not more than PD_KEPT_WINDOW cells apart then, have moved by more than PD_KEPT_APART radii relative to each other,
 *   or any two so far that they could have met from farther away.
 * So lists outlast fluid that flows, and drops that fly, and end where parts of the fluid meet.
 *
 * Lists never outlive a step, between steps there is none: so they are no state that a snapshot would have to hold, and
 * whatever adds, removes or moves particles between steps need not know of them. */
#ifndef PUDDLE_SIM_PARTICLES_KEPT_H
#define PUDDLE_SIM_PARTICLES_KEPT_H

#include "sim/world.h"

#define PD_KEPT_DISTANCE 0.3f /* radii */
#define PD_KEPT_APART    0.6f /* radii */
enum { PD_KEPT_WINDOW = 3 };  /* cells of one radius */

typedef struct pd_kept {
    float *x, *y; /* m, by particle: where it was when the lists were made */
    int capacity;
    int count;      /* particles when the lists were made; 0: there are none */
    float h;        /* m: the radius of the lists */
    uint64_t sorts; /* pd_neighbours.sorts at that time: another order of the particles ends them */
    /* Working memory, by cell: bounds of its particles' movement, and of those of the cells above and below. By row: bounds. */
    struct pd_movement *own, *column, *row;
    int cells, rows; /* these have room for */
} pd_kept;

/* Allocates for this many particles; then there are no lists. False: no memory, and nothing has changed. */
bool pd_kept_reserve(pd_kept *kept, int capacity);
void pd_kept_free(pd_kept *kept);

/* Whether lists that were made earlier in this step serve the particles where they are now. Cost: a pass over the particles; where
 * one has moved far, another one, and one over the cells. */
bool pd_kept_serve(pd_kept *kept, const pd_world *world, float h);
/* Lists have been made from the particles where they are now. Needs room for them (asserted). */
void pd_kept_begin(pd_kept *kept, const pd_world *world, float h);

/* For lists in an order of their own, whose particles are copies: the parts of the two above. Whether each particle is within
 * PD_KEPT_DISTANCE radii of where it was; recording where it is. */
bool pd_kept_within(pd_kept *kept, const pd_particles *particles, pd_pool *pool);
void pd_kept_record(pd_kept *kept, const pd_particles *particles, float h, uint64_t sorts);

#endif
