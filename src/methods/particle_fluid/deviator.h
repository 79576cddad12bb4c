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
 * distance from bodies, and where the density falls from that at rest to 0.9 of it. w_i = 0 where the container, an obstacle
 * or two bodies hide a share of the kernel. Where a single body hides a share, T_i needs no term of this body: in even fluid
 * the sum over half of a disc has no deviator. With w_i = 0 there films of fluid would stay on bodies.
 *
 * The force on i is the sum over j of 12/(pi h^3) q (v_j T_i + v_i T_j) d/r, v: area of a particle. 12/(pi h^3) q is the
 * slope of the kernel 6/(pi h^2) q^2. The forces of a pair are opposite, so momentum is conserved. They are not central: the
 * angular momentum is conserved only as far as the neighbours are distributed evenly. */
#ifndef PUDDLE_METHODS_PARTICLE_FLUID_DEVIATOR_H
#define PUDDLE_METHODS_PARTICLE_FLUID_DEVIATOR_H

#include "sim/particles/lists.h"
#include "sim/walls/walls.h"

/* Values of a particle that are read together. Arrays of records are in the order of the last sort, with sentinels after
 * the last particle (sim/particles/lists.h).
 *
 *     deviator_pair    x and y in units of h; a, b and c; the others are not used
 *     deviator_stress  x and y in units of h; v; T_xx = -T_yy, T_xy; the others are not used */
typedef float deviator_pair[8], deviator_stress[8];

/* Working memory of a substep. */
typedef struct deviator {
    int capacity; /* number of particles that fit into the arrays */
    /* By particle, only where deviator_is_needed. pair, and the values 0 to 2 of stress, are set by the method before
     * pd_deviator_compute_forces. */
    deviator_pair *pair;
    deviator_stress *stress;
    float *weight; /* density in units of the density at rest, set by the method; then w */
    /* 3 (1 - distance from the nearest body / length of decay), at least -1.5, set by pd_deviator_begin. T is 0 at and below 0. */
    float *reach;
    float *force_x, *force_y; /* result, only where deviator_has_force */
} deviator;

/* Least values of deviator.reach of particles on which forces act, and of their neighbours. A radius h changes reach by at
 * most 3/8, and lists of an earlier substep have pairs a little farther apart. */
#define DEVIATOR_LEAST_MOVED     (-0.45f)
#define DEVIATOR_LEAST_NEIGHBOUR (-1.2f)

/* Returns whether the method must set the values of particle i. */
static inline bool deviator_is_needed(const deviator *d, int i) { return d->reach[i] > DEVIATOR_LEAST_NEIGHBOUR; }
/* Returns whether deviator.force_x and force_y of particle i are valid. Other particles have no force. */
static inline bool deviator_has_force(const deviator *d, int i) { return d->reach[i] > DEVIATOR_LEAST_MOVED; }

/* The part of a pair's repulsion that depends on the pair's distance: s, t and e. */
typedef struct deviator_repulsion {
    float strength, inverse_reach;
    int exponent;
} deviator_repulsion;

/* Data of the loops over particles (deviator_wide.c). */
typedef struct deviator_pass {
    deviator *deviator;
    const pd_lists *lists; /* the method's neighbour lists */
    const pd_walls *walls; /* wall weights of the substep */
    int first_body;        /* index of the first body among the walls */
    float h;               /* radius, m */
    deviator_repulsion repulsion;
} deviator_pass;

/* Loop bodies over particles [begin, end). Their context is a deviator_pass. */
typedef struct pd_deviator_kernels {
    pd_loop_body *compute_deviators; /* computes T */
    pd_loop_body *compute_forces;    /* computes force_x and force_y */
} pd_deviator_kernels;
extern const pd_deviator_kernels pd_deviator_kernels_baseline, pd_deviator_kernels_avx2, pd_deviator_kernels_avx512;

/* Computes deviator.reach at the particles' present positions. Returns false if there is no body, or if memory is refused:
 * then no force acts in this substep. */
bool pd_deviator_begin(deviator *deviator, const pd_world *world, float h);
/* Computes deviator.force_x and force_y from the method's lists and wall weights. repulsion: its strength is 0 if there is
 * none. */
void pd_deviator_compute_forces(deviator *deviator, const pd_world *world, const pd_lists *lists, const pd_walls *walls,
                                float h, deviator_repulsion repulsion);
void pd_deviator_free(deviator *deviator);

#endif
