/* Interface between walls.c, which finds particles near walls, and walls_search_wide.c, which computes their weights. */
#ifndef PUDDLE_SIM_WALLS_WALLS_SEARCH_H
#define PUDDLE_SIM_WALLS_WALLS_SEARCH_H

#include "sim/walls/solid.h"
#include "sim/walls/walls.h"

enum {
    PD_WALLS_GRAIN = 2048, /* number of particles in a chunk of parallel work */
    PD_WALLS_BLOCK =
        16 /* number of particles in a block: if a wall is near one of them, the weights of all are computed */
};

typedef struct pd_walls_search {
    pd_walls *walls;           /* receives the weights */
    const pd_world *world;     /* world of the particles and walls */
    const pd_walls_rule *rule; /* parameters of the weights */
    pd_container container;    /* container of the world */
    const pd_solid *solids;    /* obstacles of the world */
    const pd_boxtree *tree;    /* tree of the obstacles' bounding boxes */
    const float *x, *y;        /* positions of the particles, m */
    float reach;               /* a wall farther away from a particle than this does not act on it, m */
} pd_walls_search;

/* Returns the bounding box of the particles [begin, end), begin < end, widened by search->reach. */
pd_box pd_walls_compute_widened_box(const pd_walls_search *search, int begin, int end);

/* Compute the weights of the particles [begin, end) in blocks whose walls->index is not 0. Then set walls->index of each
 * particle to the index of its weight; 0: no wall acts on it. context: a pd_walls_search. */
extern pd_loop_body pd_walls_compute_particle_weights_baseline, pd_walls_compute_particle_weights_avx2,
    pd_walls_compute_particle_weights_avx512;

#endif
