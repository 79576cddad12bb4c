/* Interface between walls.c, which finds particles near walls, and walls_search_wide.c, which computes their weights. */
#ifndef PUDDLE_SIM_WALLS_WALLS_SEARCH_H
#define PUDDLE_SIM_WALLS_WALLS_SEARCH_H

#include "sim/walls/polygon.h"
#include "sim/walls/solid.h"
#include "sim/walls/walls.h"

enum {
    PD_WALLS_GRAIN = 2048,            /* number of particles in a chunk of parallel work */
    PD_WALLS_GROUP = PD_POLYGON_GROUP /* number of particles in a group, whose weights are computed together */
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
    /* A little more than a kernel radius h, m: at sharp corners outlines move inwards by less than rule->outside, and second
     * derivatives are differences between places up to 0.01 h from a particle. */
    float wide_reach;
    double ahead; /* |rule->ahead| in units of the substep */
} pd_walls_search;

/* Returns the bounding box of the particles [begin, end), begin < end. */
pd_box pd_walls_compute_bounding_box(const pd_walls_search *search, int begin, int end);
/* Returns *box widened by s->wide_reach. */
static inline pd_box pd_walls_widen_box(const pd_walls_search *s, const pd_box *box) {
    float by = s->wide_reach;
    return (pd_box){box->low_x - by, box->low_y - by, box->high_x + by, box->high_y + by};
}
/* Returns false if the container hides no share from the particles in a box, which was widened to *wide. */
static inline bool pd_walls_may_container_hide_share(const pd_walls_search *s, const pd_box *wide) {
    const pd_container *c = &s->container;
    float x = -wide->low_x > wide->high_x ? -wide->low_x : wide->high_x;
    float y = -wide->low_y > wide->high_y ? -wide->low_y : wide->high_y;
    if (c->shape == PD_CONTAINER_CIRCLE) return !(x * x + y * y < c->radius * c->radius);
    return c->shape == PD_CONTAINER_BOX && !(x < c->width / 2 && y < c->height / 2);
}
/* Returns false if a solid hides no share from the particles in *box. */
static inline bool pd_walls_may_solid_hide_share(const pd_walls_search *s, int solid, const pd_box *box) {
    return pd_solid_may_be_near_box(&s->solids[solid], box, (double)s->wide_reach, s->ahead);
}

/* Compute the weights of the particles [begin, end) whose walls->index is not 0. Then set walls->index of each
 * particle to the index of its weight; 0: no wall acts on it. context: a pd_walls_search. */
extern pd_loop_body pd_walls_compute_particle_weights_baseline, pd_walls_compute_particle_weights_avx2,
    pd_walls_compute_particle_weights_avx512;

#endif
