/* Removal of the yield stress of `sph` and `pbf` near bodies.
 *
 * Particles at rest lock into a lattice, which carries shear stress as grains do: a body that is 5 to 10 % lighter than
 * the fluid it displaces would not move. Fluid at rest has no shear stress. Near bodies each particle therefore computes
 * the deviator of its stress from the method's own forces of pairs, and the divergence of the deviator is subtracted from
 * these forces. What it brings: docs/notes/bodies.md.
 *
 * Symbols: d vector from particle i to particle j in units of the radius h, r = |d|, q = 1 - r. The method's repulsion of
 * a pair is
 *
 *     F_ij = c_i c_j ((a_i + a_j) q + (b_i + b_j + s ((1 - r^2) t)^(3 e)) q^2), along d/r.
 *
 * The deviator of particle i is T_i = w_i h/2 sum over j of F_ij (d d/r - r/2). The weight w_i falls from 1 to 0 with the
 * distance from bodies, and where the density falls from that at rest to 0.9 of it. w_i = 0 within h of a wall. The force
 * on i is the sum over j of 12/(pi h^3) q (v_j T_i + v_i T_j) d/r, v: area of a particle. 12/(pi h^3) q is the slope of the
 * kernel 6/(pi h^2) q^2. Near a wall neighbours are missing, so T_i is unknown: in its pairs with a particle of known T_j,
 * T_j counts twice. The forces of a pair are opposite, so momentum is conserved. They are not central: the angular
 * momentum is conserved only as far as the neighbours are distributed evenly. */
#ifndef PUDDLE_METHODS_PARTICLE_FLUID_DEVIATOR_H
#define PUDDLE_METHODS_PARTICLE_FLUID_DEVIATOR_H

#include "sim/walls/walls.h"

/* Arrays by particle, in the order of the last sort, with PD_PADDING zeros behind the last particle. They are working memory
 * of a substep. */
typedef struct deviator {
    int capacity; /* number of particles that fit into the arrays */
    /* Set by the method before deviator_compute_forces. */
    float *x, *y;    /* position, in units of h */
    float *far;      /* a */
    float *near;     /* b */
    float *pair;     /* c */
    float *area;     /* v */
    float *fullness; /* density in units of the density at rest */
    /* Set by deviator_begin: 3 (1 - distance from the nearest body / length of decay), clamped to [-1, 3]. T is 0 at and
     * below 0. */
    float *reach;
    float *weight;            /* w */
    float *normal, *shear;    /* T_xx = -T_yy, and T_xy */
    float *known;             /* 1: T is known; 0: a wall is near */
    float *force_x, *force_y; /* result; 0 far from bodies */
} deviator;

/* Least value of deviator.reach of particles within a radius h of a particle with a deviator. */
#define DEVIATOR_LEAST_REACH (-0.45f)

/* The part of a pair's repulsion that depends on the pair's distance: s, t and e. */
typedef struct deviator_repulsion {
    float strength, inverse_reach;
    int exponent;
} deviator_repulsion;

/* Data of the loops over particles (deviator_wide.c). */
typedef struct deviator_pass {
    deviator *deviator;
    const pd_neighbours *neighbours; /* cells of the last sort */
    const pd_walls *walls;           /* wall weights of the substep */
    const uint32_t *id;              /* by particle: its id */
    float h;                         /* radius, m */
    deviator_repulsion repulsion;
} deviator_pass;

/* Loop bodies over particles [begin, end). Their context is a deviator_pass. */
typedef struct deviator_kernels {
    pd_loop_body *compute_deviators; /* computes T */
    pd_loop_body *compute_forces;    /* computes force_x and force_y */
} deviator_kernels;
extern const deviator_kernels deviator_kernels_baseline, deviator_kernels_avx2, deviator_kernels_avx512;

/* Computes deviator.reach at the particles' present positions. Returns false if there is no body, or if memory is refused:
 * then no force acts in this substep. */
bool deviator_begin(deviator *deviator, const pd_world *world, float h);
/* Computes deviator.force_x and force_y. repulsion: its strength is 0 if there is none. */
void deviator_compute_forces(deviator *deviator, const pd_world *world, const pd_walls *walls, float h,
                             deviator_repulsion repulsion);
void deviator_free(deviator *deviator);

#endif
