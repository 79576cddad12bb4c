/* The search for what walls hide of each particle (sim/walls/walls.h): computed by sim/walls/walls_search_wide.c. */
#ifndef PUDDLE_SIM_WALLS_WALLS_SEARCH_H
#define PUDDLE_SIM_WALLS_WALLS_SEARCH_H

#include "sim/walls/solid.h"
#include "sim/walls/walls.h"

enum { PD_WALLS_GRAIN = 2048, PD_WALLS_BLOCK = 16 }; /* particles: of a chunk; of a block, which is marked as a whole */

typedef struct pd_walls_search {
    pd_walls *walls;
    const pd_world *world;
    const pd_walls_rule *rule;
    pd_container container;
    const pd_solid *solids;
    const pd_boxtree *tree;
    const float *x, *y; /* of the particles, m */
    float reach;        /* m: walls farther away hide nothing */
} pd_walls_search;

/* The bounding box of the particles [begin, end), begin < end, widened by the reach. */
pd_box pd_walls_box(const pd_walls_search *search, int begin, int end);

/* Body of a loop over chunks of particles; context: a search. Of the particles in marked blocks (their index is not 0),
 * computes the weights, and replaces the index by that of the weight, or by 0 where nothing is hidden. */
extern pd_loop_body pd_walls_weigh_baseline, pd_walls_weigh_avx2, pd_walls_weigh_avx512;

#endif
