/* Velocities that vortex particles induce in 2-D (the law of Biot and Savart), with walls by the method of images.
 *
 * A vortex of circulation G (m^2/s, counterclockwise) and core radius c (m) has the vorticity G/(pi c^2) exp(-r^2/c^2).
 * At the distance r it induces the speed G/(2 pi r) (1 - exp(-r^2/c^2)) (Lamb and Oseen). A point vortex has c = 0. At
 * its own centre a vortex induces nothing.
 *
 * Circle of radius R about the origin (Milne-Thomson): a vortex at p has an image of circulation -G and core c R/|p| at
 * p R^2/|p|^2. The normal velocity at the wall is then 0, also within cores.
 * Disc with the vortices outside: the same image, and one of circulation G at the disc's centre, so that the
 * circulation around the disc is 0. The disc's motion adds a dipole.
 * Box: all reflections at its sides.
 *
 * Sources: Saffman, "Vortex Dynamics" 1992, ch. 2 and 7; Greengard, Rokhlin 1987 (multipoles); Dehnen 2002 (traversal
 * of two trees at once). */
#ifndef PUDDLE_VORTEX_INDUCTION_H
#define PUDDLE_VORTEX_INDUCTION_H

#include "core/parallel.h"
#include <puddle/scene.h>

/* Vortices, owned by the caller. */
typedef struct pd_vortices {
    int count;                /* number of vortices */
    const float *x, *y;       /* position of each vortex, m */
    const float *circulation; /* circulation of each vortex, m^2/s */
    const float *core;        /* core radius of each vortex, m, >= 0 */
} pd_vortices;

/* Shape of the walls, and the side on which the fluid is: inside a circle, outside a disc, inside a box. */
typedef enum pd_walls_kind { PD_WALLS_NONE, PD_WALLS_IN_CIRCLE, PD_WALLS_OUT_OF_DISC, PD_WALLS_IN_BOX } pd_walls_kind;

typedef struct pd_induction_walls {
    pd_walls_kind kind; /* shape of the walls */
    pd_vec2 center;     /* centre of the circle, disc or box, m */
    float radius;       /* radius of the circle or disc, m */
    pd_vec2 size;       /* width and height of the box, m */
    pd_vec2 velocity;   /* velocity of the disc, m/s */
} pd_induction_walls;

typedef enum pd_induction_solver { PD_INDUCTION_DIRECT, PD_INDUCTION_TREE } pd_induction_solver;

enum { PD_INDUCTION_MOST_POINTS = 1 << 24 }; /* greatest number of vortices, and of positions */

typedef struct pd_induction pd_induction;

/* Creates an object that computes induced velocities. */
pd_induction *pd_induction_create(void);
void pd_induction_destroy(pd_induction *induction);
/* Reserves memory for up to `vortices` vortices, and for calls of pd_induction_compute_velocities with up to
 * `positions` positions. On an error nothing changes. Errors: OUT_OF_MEMORY. */
pd_result pd_induction_reserve(pd_induction *induction, int vortices, int positions, pd_error *error);
/* Sorts points along a space-filling curve: order[k] becomes the index of the k-th point on the curve. count: at most
 * as many as reserved. An order may be reused after the points have moved, but pd_induction_compute_velocities becomes
 * slower once they have moved by several times their mean distance. */
void pd_induction_compute_order(pd_induction *induction, const pd_induction_walls *walls, int count, const float *x,
                                const float *y, int *order, pd_pool *pool);
/* Copies the vortices and prepares their velocity field. tolerance: approximate rms error of the tree's velocities, in
 * units of the rms velocity. order: result of pd_induction_compute_order for the vortices, or NULL to compute it here.
 * Velocities for different orders differ within the tolerance. */
void pd_induction_set_vortices(pd_induction *induction, const pd_induction_walls *walls, const pd_vortices *vortices,
                               pd_induction_solver solver, float tolerance, const int *order, pd_pool *pool);
/* Computes the velocities (vx, vy), m/s, at `count` positions (x, y), m. They are finite, and have the same bits for
 * any number of threads and any SIMD level. order: result of pd_induction_compute_order for the positions, or NULL to
 * compute it here. */
void pd_induction_compute_velocities(pd_induction *induction, int count, const float *x, const float *y,
                                     const int *order, float *vx, float *vy, pd_pool *pool);

#endif
