/* Surface tension of the methods of particles: a force of its own, which does not depend on the resolution.
 *
 * The energy of a diffuse interface (van der Waals; Cahn, Hilliard: Free Energy of a Nonuniform System I, J. Chem. Phys. 1958) of
 * each particle, (kappa/2) |N|^2 + (a/2) M^2: N is the gradient of the smoothed density, times the smoothing radius H over the rest
 * density, and M is what is missing of the rest density, not below 0. Both are 0 within the fluid. The gradient of the energy is a
 * sum over pairs with opposite forces, so momentum is conserved. The first term is that of He, Wang, Zhang, Chen, Wang: Robust
 * Simulation of Sparsely Sampled Thin Features in SPH-Based Free Surface Flows, ACM TOG 2014. Alone it cannot hold thin films: a
 * sheet of one or two rows of particles has hardly a gradient at its particles and so no tension; and it pushes the rows near a
 * surface apart, so that films come off the floor by a spacing. The second term pulls them together: where both have the same
 * energy at a straight surface, as at the equilibrium of a diffuse interface, the stress across the surface vanishes and only the
 * tension along it is left. Of a straight surface the energy of each per length, integrated, is 0.2156 kappa H.
 *
 * Each material has a Gamma of its own, and so has its particles' kappa: the pair's forces are then of kappa_i N_i - kappa_j N_j
 * in place of kappa (N_i - N_j), still opposite. Neighbours of another material count in N and in the forces to the part s, the
 * same both ways. At their interface N is (1 - s) of that at a free surface, on both sides, so its tension is
 * (1 - s)^2 (Gamma_i + Gamma_j); s is such that this is (sqrt(Gamma_i) - sqrt(Gamma_j))^2, the tension between two liquids of
 * Girifalco and Good, A Theory for the Estimation of Surface and Interfacial Energies I, J. Phys. Chem. 1957, with the geometric
 * mean of both as the work of adhesion of a pair. So like materials mix freely, and mercury stays together in water.
 *
 * Walls with weight count as fluid, to the part A = 1 + cos(theta): with N of the fluid F and of the walls W, the first term is
 * (kappa/2) (|F|^2 + A (2 F . W + |W|^2)), which is (kappa/2) (1 - A) |F|^2 on a wet wall, where F = -W: an energy per area of
 * -Gamma cos(theta), as Young's equation asks for the contact angle theta. At 90 degrees A is 1. The second term is the same with
 * what the fluid alone misses in place of F, and minus what the walls hide, H_w, in place of W, each without what is below 0:
 * (a/2) (A max(1 - D - H_w, 0)^2 + (1 - A) max(1 - D, 0)^2), where D is the density over the rest density. The forces of pairs are its
 * gradient by D, those of walls its gradient by H_w: of dense fluid, D > 1, both are 0. */
#ifndef PUDDLE_METHODS_PARTICLE_FLUID_TENSION_H
#define PUDDLE_METHODS_PARTICLE_FLUID_TENSION_H

#include "sim/particles/kept.h"
#include "sim/particles/lists.h"
#include "sim/walls/walls.h"

/* a over kappa, so that both terms have the same energy at a straight surface: 2 x 0.21564 over the integral, 0.039141, of the
 * square of what is missing. */
#define TENSION_COHESION 11.018f

/* x and y in units of H; where materials differ sqrt(Gamma), and Gamma without the method's own; kappa N over the greatest
 * kappa, TENSION_COHESION times the energy's slope by what is missing likewise, and of what is missing beside the part that
 * walls hide: the first halves are read while the second ones are written. In the order of the own sort, with sentinels
 * (sim/particles/lists.h). */
typedef float tension_record[8];

typedef struct tension {
    bool wanted;  /* the method has a surface tension: there is memory for `capacity` particles */
    int capacity; /* of the method's arrays */
    /* H is greater than the method's radius. Were the world's particles sorted for both in turn, no list could be kept for
     * several substeps: so there is an order of its own, with copies of the particles, of which only x, y, vx, vy, id and
     * count are in use. neighbours.order: where in the world each one is, also after the world's sorts; neighbours.key is
     * scratch once the lists are made. */
    pd_neighbours neighbours;
    pd_particles sorted;
    pd_kept kept;
    pd_lists lists;
    pd_walls walls;
    tension_record *record;
    float *inverse_mass;
    float *affinity; /* of walls: A */
    float *strength; /* kappa over the greatest one */
} tension;

/* The surface tension of a method. */
typedef struct tension_rule {
    float gamma[PD_MAX_MATERIALS]; /* by material, m^3/s^2: surface tension over the density of particles of mass 1 */
    const char *remedy[PD_MAX_MATERIALS]; /* what makes the method carry more of it: words for the warning */
    float own;          /* m^3/s^2: the method's own tension, which counts in these and needs no force */
    float radius;       /* H, m */
    float rest_density; /* particles per area, 1/m^2 */
    float wall_density;
    float wetting[PD_MAX_MATERIALS]; /* A - 1, by material */
    float outside;                   /* of the walls: pd_walls_rule, in units of H */
} tension_rule;

/* The data of the loops over neighbours (tension_wide.c). */
typedef struct tension_pass {
    tension *tension;
    float radius, inverse_radius;
    float normal_factor;  /* of the sum of q^2 times the vectors to the neighbours, in units of H */
    float density_factor; /* of the sum of q^3: the part of the rest density */
    float force_factor;   /* of the sum of changes of velocity, with dt */
    float fastest;
    bool mixed; /* materials differ in Gamma */
} tension_pass;

typedef struct tension_kernels {
    pd_loop_body *find_normals; /* lists and N */
    pd_loop_body *normals;      /* N, with lists of an earlier substep */
    pd_loop_body *kick;         /* velocities */
} tension_kernels;

extern const tension_kernels tension_kernels_baseline, tension_kernels_avx2, tension_kernels_avx512;

/* Sets whether there is a surface tension, which takes memory. Errors: OUT_OF_MEMORY (and nothing has changed). */
pd_result tension_want(tension *tension, bool wanted, pd_error *error);
/* Grows the arrays to this many particles. Errors: OUT_OF_MEMORY (and nothing has changed). */
pd_result tension_resize(tension *tension, int capacity, pd_error *error);
void tension_free(tension *tension);

/* Changes the velocities by the tension in dt, from the positions at the beginning of the substep, and clamps speeds to `fastest`,
 * m/s. The particles stay in their order. The lists also serve the other substeps of a step (sim/particles/kept.h). */
void tension_apply(tension *tension, pd_world *world, const tension_rule *rule, float dt, float fastest);

/* Sets gamma and wetting of a material; `own` is already set. most: m^3/s^2, the most that the method carries besides its own:
 * more would tear drops apart, and does not act. remedy: what makes `most` greater, for the warning. angle: of contact with walls,
 * degrees. Since the method's own tension has no preference for walls, the rest of the tension wets or repels the more. */
void tension_set(tension_rule *rule, const pd_world *world, int material, float most, const char *remedy, float angle);

#endif
