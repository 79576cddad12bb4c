/* Interface between walls.c, which finds particles near walls, and walls_search_wide.c, which computes their weights. */
#ifndef PUDDLE_SIM_WALLS_WALLS_SEARCH_H
#define PUDDLE_SIM_WALLS_WALLS_SEARCH_H

#include "sim/walls/solid.h"
#include "sim/walls/walls.h"

enum {
    PD_WALLS_GRAIN = 2048, /* particles in a chunk of parallel work */
    PD_WALLS_BLOCK = 16    /* particles in a block: if a wall is near any of them, the weights of all are computed */
};

typedef struct pd_walls_search {
    pd_walls *walls; /* result */
    const pd_world *world;
    const pd_walls_rule *rule;
    pd_container container;
    const pd_solid *solids; /* obstacles */
    const pd_boxtree *tree; /* tree of the obstacles' boxes */
    const float *x, *y;     /* positions of the particles, m */
    float reach;            /* walls farther than this distance from a particle hide nothing, m */
} pd_walls_search;

/* Returns the bounding box of the particles [begin, end), begin < end, widened by search->reach. */
pd_box pd_walls_compute_widened_box(const pd_walls_search *search, int begin, int end);

/* Compute the weights of all particles in blocks that are marked by walls->index other than 0. Set walls->index of each
 * particle; 0: walls hide nothing. context: a pd_walls_search. */
extern pd_loop_body pd_walls_compute_particle_weights_baseline, pd_walls_compute_particle_weights_avx2,
    pd_walls_compute_particle_weights_avx512;

#endif
