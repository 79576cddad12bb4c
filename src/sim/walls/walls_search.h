/* Computation of wall weights (sim/walls/walls.h) in sim/walls/walls_search_wide.c. */
#ifndef PUDDLE_SIM_WALLS_WALLS_SEARCH_H
#define PUDDLE_SIM_WALLS_WALLS_SEARCH_H

#include "sim/walls/solid.h"
#include "sim/walls/walls.h"

enum {
    PD_WALLS_GRAIN = 2048, /* particles of a parallel chunk */
    PD_WALLS_BLOCK = 16    /* particles of a block: all are weighed if a wall is near any of them */
};

typedef struct pd_walls_search {
    pd_walls *walls;
    const pd_world *world;
    const pd_walls_rule *rule;
    pd_container container;
    const pd_solid *solids;
    const pd_boxtree *tree;
    const float *x, *y; /* positions of the particles, m */
    float reach;        /* distance of a wall from a particle beyond which nothing is hidden, m */
} pd_walls_search;

/* Returns the bounding box of the particles [begin, end), begin < end, widened by `reach`. */
pd_box pd_walls_search_widened_box(const pd_walls_search *search, int begin, int end);

/* Compute the weights of the particles in blocks with walls->index other than 0, and set walls->index of each particle
 * (0: nothing is hidden from it). context: a pd_walls_search. */
extern pd_loop_body pd_walls_weigh_particles_baseline, pd_walls_weigh_particles_avx2, pd_walls_weigh_particles_avx512;

#endif
