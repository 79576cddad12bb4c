/* Surface tension: a force that does not depend on the resolution.
 *
 * The force is the gradient of the energy of a diffuse interface (van der Waals; Cahn, Hilliard: Free Energy of a
 * Nonuniform System I, J. Chem. Phys. 1958): (kappa/2) |N|^2 + (a/2) M^2 of each particle. N: gradient of the smoothed
 * density, times the smoothing radius H over the rest density. M: missing part of the rest density, not below 0. Both
 * are 0 within the fluid. The gradient is a sum over pairs with opposite forces, so momentum is conserved.
 *
 * The first term is that of He, Wang, Zhang, Chen, Wang: Robust Simulation of Sparsely Sampled Thin Features in
 * SPH-Based Free Surface Flows, ACM TOG 2014. Alone, the first term cannot keep thin films together: a sheet of one or
 * two rows of particles has almost no gradient at its particles, and therefore no tension. The first term also pushes
 * the rows near a surface apart, so that films come off the floor by a spacing. The second term pulls these rows
 * together. Where both terms have the same energy at a straight surface, as at the equilibrium of a diffuse interface,
 * the stress across the surface vanishes and only the tension along the surface is left. The energy of each term, per
 * length of a straight surface, is 0.2156 kappa H.
 *
 * Each material has its own Gamma, and its particles their own kappa: in the forces of a pair, kappa_i N_i - kappa_j
 * N_j replaces kappa (N_i - N_j). The forces remain opposite. In N and in the forces, neighbours of another material
 * count by the factor s, which is the same for both particles. At the interface N is (1 - s) of N at a free surface, on
 * both sides, so the tension is (1 - s)^2 (Gamma_i + Gamma_j). s is such that this is (sqrt(Gamma_i) -
 * sqrt(Gamma_j))^2, the tension between two liquids of Girifalco and Good, A Theory for the Estimation of Surface and
 * Interfacial Energies I, J. Phys. Chem. 1957, with the geometric mean of both as the work of adhesion of a pair. So
 * like materials mix freely, and mercury stays together in water.
 *
 * Walls with weight count as fluid by the factor A = 1 + cos(theta), theta: contact angle. With N = F of the fluid and
 * N = W of the walls, the first term is (kappa/2) (|F|^2 + A (2 F . W + |W|^2)). On a wet wall, where F = -W, it is
 * (kappa/2) (1 - A) |F|^2: an energy per area of -Gamma cos(theta), as in Young's equation. At 90 degrees A is 1. The
 * second term is (a/2) (A max(1 - D - H_w, 0)^2 + (1 - A) max(1 - D, 0)^2), D: density over the rest density, H_w: part
 * of the kernel that walls hide. The forces of pairs are the derivative by D, the forces of walls the derivative by
 * H_w. In dense fluid, D > 1, both are 0. */
#ifndef PUDDLE_METHODS_PARTICLE_FLUID_TENSION_H
#define PUDDLE_METHODS_PARTICLE_FLUID_TENSION_H

#include "sim/particles/kept.h"
#include "sim/particles/lists.h"
#include "sim/walls/walls.h"

/* a over kappa with which both terms have the same energy at a straight surface: 2 x 0.21564 over the integral of M^2,
 * 0.039141. */
#define TENSION_COHESION 11.018f

/* Floats of a particle that are read together, in the order of the tension's own sort, with sentinels behind the
 * particles (sim/particles/lists.h). The first four are read while the others are written.
 *
 *     0, 1  position, H
 *     2, 3  sqrt(Gamma), m^1.5/s, and Gamma - own, m^3/s^2; only if materials differ in Gamma
 *     4, 5  kappa N
 *     6     a (A max(1 - D - H_w, 0) + (1 - A) max(1 - D, 0)), for the forces of pairs
 *     7     a max(1 - D - H_w, 0), for the forces of walls
 *
 * kappa and a are in units of the greatest kappa. */
typedef float tension_record[8];

typedef struct tension {
    bool enabled; /* some material has a surface tension; memory for `capacity` particles is allocated */
    int capacity; /* number of particles for which memory is allocated while `enabled` */
    /* H is greater than the method's radius. Sorting the world's particles alternately for both radii would invalidate
     * all kept lists. The tension therefore has its own order, with copies of the particles in `sorted`: x, y, vx, vy,
     * id and count. neighbours.order: index in the world of each copy, also after the world's sorts. neighbours.key is
     * scratch once the lists are made. */
    pd_neighbours neighbours;
    pd_particles sorted;
    pd_kept_lists kept;
    pd_lists lists;
    pd_walls walls;
    tension_record *record;
    float *inverse_mass;
    float *affinity; /* by particle: factor A of walls */
    float *strength; /* by particle: kappa over the greatest kappa */
} tension;

/* Surface tension of a method. */
typedef struct tension_rule {
    float gamma[PD_MAX_MATERIALS];        /* surface tension over the density of particles of mass 1, m^3/s^2 */
    const char *remedy[PD_MAX_MATERIALS]; /* words for the warning: change with which the method carries more tension */
    float own;          /* part of gamma that the method itself produces, without the force of this file, m^3/s^2 */
    float radius;       /* H, m */
    float rest_density; /* particles per area, 1/m^2 */
    float wall_density;
    float wetting[PD_MAX_MATERIALS]; /* by material: A - 1, set by tension_set */
    float outside;                   /* pd_walls_rule.outside, H */
} tension_rule;

/* Data of the loops over neighbours (tension_wide.c). */
typedef struct tension_pass {
    tension *tension;
    float radius, inverse_radius;
    /* N = this factor x sum over the neighbours of q^2 (vector to the neighbour, H), q = 1 - r^2/H^2. */
    float normal_factor;
    float density_factor; /* D = this factor x sum over the neighbours of q^3 */
    float force_factor;   /* change of momentum in dt = this factor x sum over the neighbours */
    float fastest;
    bool mixed; /* materials differ in Gamma */
} tension_pass;

typedef struct tension_kernels {
    pd_loop_body *find_normals; /* makes lists and computes N */
    pd_loop_body *normals;      /* computes N with kept lists */
    pd_loop_body *kick;         /* changes velocities */
} tension_kernels;

extern const tension_kernels tension_kernels_baseline, tension_kernels_avx2, tension_kernels_avx512;

/* Allocates or frees the memory of the surface tension. On an error nothing changes. Errors: OUT_OF_MEMORY. */
pd_result tension_enable(tension *tension, bool enabled, pd_error *error);
/* Grows the arrays to this many particles. On an error nothing changes. Errors: OUT_OF_MEMORY. */
pd_result tension_resize(tension *tension, int capacity, pd_error *error);
void tension_free(tension *tension);

/* Changes the velocities by the tension in dt, from the positions at the beginning of the substep, and clamps speeds to
 * `fastest`, m/s. The order of the particles is unchanged. The lists also serve the other substeps of a step
 * (sim/particles/kept.h). */
void tension_apply(tension *tension, pd_world *world, const tension_rule *rule, float dt, float fastest);

/* Sets gamma and wetting of a material. rule->own must be set before.
 * - most: greatest tension that the method carries besides its own, m^3/s^2. More would tear drops apart and is
 *   ignored.
 * - remedy: change that increases `most`, for the warning.
 * - angle: contact angle with walls, degrees. The method's own tension is neutral to walls. The remaining tension
 *   therefore wets or repels more strongly, by the factor gamma / (gamma - own). */
void tension_set(tension_rule *rule, const pd_world *world, int material, float most, const char *remedy, float angle);

#endif
