/* Computation of wall weights (sim/walls/walls.h) in sim/walls/walls_search_wide.c. */
#ifndef PUDDLE_SIM_WALLS_WALLS_SEARCH_H
#define PUDDLE_SIM_WALLS_WALLS_SEARCH_H

#include "sim/walls/solid.h"
#include "sim/walls/walls.h"

enum {
    PD_WALLS_GRAIN = 2048,
    PD_WALLS_BLOCK = 16
}; /* particles of a chunk; particles of a block, which is marked as a whole */

typedef struct pd_walls_search {
    pd_walls *walls;
    const pd_world *world;
    const pd_walls_rule *rule;
    pd_container container;
    const pd_solid *solids;
    const pd_boxtree *tree;
    const float *x, *y; /* positions of the particles, m */
    float reach;        /* distance beyond which walls hide nothing, m */
} pd_walls_search;

/* Returns the bounding box of the particles [begin, end), begin < end, widened by the reach. */
pd_box pd_walls_search_box(const pd_walls_search *search, int begin, int end);

/* Compute the weights of particles in marked blocks (those with an index other than 0) of a range of chunks, and set
 * their indices. A particle from which nothing is hidden gets the index 0. context: a pd_walls_search. */
extern pd_loop_body pd_walls_weigh_baseline, pd_walls_weigh_avx2, pd_walls_weigh_avx512;

#endif
