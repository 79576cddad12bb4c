/* Velocities induced by vortex particles in 2-D (the law of Biot and Savart), with walls by the method of images.
 *
 * A vortex of circulation G (m^2/s, counterclockwise) and core radius c (m) at p has the vorticity G/(pi c^2)
 * exp(-r^2/c^2) and induces at the distance r the speed G/(2 pi r) (1 - exp(-r^2/c^2)), the velocity field of Lamb and
 * Oseen; c = 0: a point vortex. At its own centre it induces nothing.
 *
 * Images in a circle of radius R about the origin (Milne-Thomson's circle theorem): a vortex at p has an image of
 * circulation -G at p R^2/|p|^2 with the core c R/|p|, so that the normal velocity at the wall is 0 also within cores.
 * Outside a disc likewise, with one more vortex of circulation G at its centre: no circulation around the disc, and the
 * dipole of its motion. In a box: all reflections at its sides.
 *
 * Sources: Saffman, "Vortex Dynamics" 1992, ch. 2 and 7; Greengard, Rokhlin 1987 (multipoles); Dehnen 2002 (traversal of
 * two trees at once). */
#ifndef PUDDLE_VORTEX_INDUCTION_H
#define PUDDLE_VORTEX_INDUCTION_H

#include "core/parallel.h"
#include <puddle/scene.h>

typedef struct pd_vortices {
    int count;
    const float *x, *y;       /* m */
    const float *circulation; /* m^2/s */
    const float *core;        /* m, >= 0 */
} pd_vortices;

typedef enum pd_walls_kind { PD_WALLS_NONE, PD_WALLS_IN_CIRCLE, PD_WALLS_OUT_OF_DISC, PD_WALLS_IN_BOX } pd_walls_kind;

typedef struct pd_induction_walls {
    pd_walls_kind kind;
    pd_vec2 center;   /* m */
    float radius;     /* circle and disc, m */
    pd_vec2 size;     /* box: width and height, m */
    pd_vec2 velocity; /* of the disc, m/s */
} pd_induction_walls;

typedef enum pd_induction_solver { PD_INDUCTION_DIRECT, PD_INDUCTION_TREE } pd_induction_solver;

typedef struct pd_induction pd_induction;

/* Errors: OUT_OF_MEMORY. */
pd_result pd_induction_create(pd_induction **induction, pd_error *error);
void pd_induction_destroy(pd_induction *induction);
/* Memory for so many vortices, and positions to a call of pd_induce. Errors: OUT_OF_MEMORY (nothing has changed). */
pd_result pd_induction_reserve(pd_induction *induction, int vortices, int positions, pd_error *error);
/* Writes the order of points (m) along a curve, in which neighbours follow each other; `count` as reserved. An order remains
 * of use while points move by less than a few distances between neighbours: beyond, velocities take longer. */
void pd_induction_order(pd_induction *induction, const pd_induction_walls *walls, int count, const float *x,
                        const float *y, int *order, pd_pool *pool);
/* Copies the vortices and prepares their velocity field. tolerance: of the tree, rms error of the velocity relative to
 * its rms (about; see tests). order: of the vortices; NULL: found anew. Within the tolerance the field depends on it. */
void pd_induction_set(pd_induction *induction, const pd_induction_walls *walls, const pd_vortices *vortices,
                      pd_induction_solver solver, float tolerance, const int *order, pd_pool *pool);
/* Writes the velocities (m/s) at `count` positions (m). Always finite. The same bits on any number of threads and every
 * SIMD level. order: of the positions; NULL: found anew. */
void pd_induce(pd_induction *induction, int count, const float *x, const float *y, const int *order, float *vx,
               float *vy, pd_pool *pool);

#endif
