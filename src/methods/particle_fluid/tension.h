/* Surface tension: a force that does not depend on the resolution.
 *
 * The force is the gradient of the energy of a diffuse interface (van der Waals; Cahn, Hilliard: Free Energy of a
 * Nonuniform System I, J. Chem. Phys. 1958): (kappa/2) |N|^2 + (a/2) M^2 of each particle. N: gradient of the smoothed
 * density, times the smoothing radius H over the rest density. M = max(1 - density / rest density, 0). N and M are 0
 * within the fluid. The gradient is a sum over pairs with opposite forces, so momentum is conserved.
 *
 * The first term is that of He, Wang, Zhang, Chen, Wang: Robust Simulation of Sparsely Sampled Thin Features in
 * SPH-Based Free Surface Flows, ACM TOG 2014. Alone, the first term cannot keep thin films together: a sheet of one or
 * two rows of particles has almost no gradient at its particles, and therefore no tension. The first term also pushes
 * the rows near a surface apart, so that films come off the floor by a spacing. The second term pulls these rows
 * together. The factor a is chosen so that both terms have the same energy at a straight surface, as in the equilibrium
 * of a diffuse interface. Then there is no stress across the surface, only the tension along it. The energy of each
 * term, per length of a straight surface, is 0.2156 kappa H.
 *
 * Each material has its own Gamma, and its particles their own kappa: in the forces of a pair, kappa_i N_i - kappa_j
 * N_j replaces kappa (N_i - N_j). The forces remain opposite. In N and in the forces, neighbours of another material
 * count by the factor s, which is the same for both particles. On both sides of the interface N is (1 - s) times the N
 * of a free surface. The tension is therefore (1 - s)^2 (Gamma_i + Gamma_j). s is chosen so that this is (sqrt(Gamma_i)
 * - sqrt(Gamma_j))^2. This is the tension between two liquids by Girifalco and Good, A Theory for the Estimation of
 * Surface and Interfacial Energies I, J. Phys. Chem. 1957, with the geometric mean as the work of adhesion. Materials
 * of equal Gamma mix freely, and mercury stays together in water.
 *
 * Walls with weight count as fluid by the factor A = 1 + cos(theta), theta: contact angle. With N = F of the fluid and
 * N = W of the walls, the first term is (kappa/2) (|F|^2 + A (2 F . W + |W|^2)). On a wet wall, where F = -W, it is
 * (kappa/2) (1 - A) |F|^2: an energy per area of -Gamma cos(theta), as in Young's equation. At 90 degrees A is 1. The
 * second term is (a/2) (A max(1 - D - H_w, 0)^2 + (1 - A) max(1 - D, 0)^2), D: density over the rest density, H_w: share
 * of the kernel that walls hide. The forces of pairs are the derivative by D, the forces of walls the derivative by
 * H_w. In dense fluid, D > 1, both are 0. */
#ifndef PUDDLE_METHODS_PARTICLE_FLUID_TENSION_H
#define PUDDLE_METHODS_PARTICLE_FLUID_TENSION_H

#include "sim/particles/kept.h"
#include "sim/particles/lists.h"
#include "sim/walls/walls.h"

/* a / kappa = 2 x 0.21564 / 0.039141. With this value both terms have the same energy at a straight surface. 0.039141
 * is the integral of M^2 across the surface, in units of H. */
#define TENSION_COHESION 11.018f

/* Values of a particle. Records are in the order of tension.sorted, with sentinels after the last particle
 * (sim/particles/lists.h). Values 0 to 3 are read while the others are written.
 *
 *     0, 1  position, in units of H
 *     2, 3  sqrt(Gamma), m^1.5/s, and Gamma - own_gamma, m^3/s^2; only if materials differ in Gamma
 *     4, 5  kappa N
 *     6     a (A max(1 - D - H_w, 0) + (1 - A) max(1 - D, 0)), for the forces of pairs
 *     7     a max(1 - D - H_w, 0), for the forces of walls
 *
 * kappa and a are in units of the greatest kappa. */
typedef float tension_record[8];

typedef struct tension {
    bool enabled; /* whether a material has a surface tension; if so, the arrays are allocated */
    int capacity; /* number of particles that fit into the arrays, while `enabled` */
    /* H is greater than the method's radius. Sorting the world's particles alternately for both radii would invalidate
     * all kept lists. The tension therefore sorts copies of the particles: `sorted` has their x, y, vx, vy, id and
     * count. neighbours.order: by copy, index of the particle in the world. neighbours.key: working memory. */
    pd_neighbours neighbours; /* cells of side H, with the copies */
    pd_particles sorted;      /* copies of the particles, sorted by these cells */
    pd_list_validity kept;    /* positions at which the lists were made */
    pd_lists lists;           /* neighbour lists of the copies, with the radius H */
    pd_walls walls;           /* wall weights of the copies */
    tension_record *record;   /* by copy */
    float *inverse_mass;      /* by copy, 1/kg */
    float *affinity;          /* by copy: factor A of walls */
    float *strength;          /* by copy: kappa in units of the greatest kappa */
} tension;

/* Rule of the surface tension in a method: values by material, and constants. */
typedef struct tension_rule {
    float gamma[PD_MAX_MATERIALS];        /* Gamma: surface tension / density of particles of mass 1, m^3/s^2 */
    const char *remedy[PD_MAX_MATERIALS]; /* words for the warning: change that raises the limit of the tension */
    float own_gamma;                 /* part of gamma that the method itself produces, without this force, m^3/s^2 */
    float radius;                    /* H, m */
    float rest_density;              /* particles per area, 1/m^2 */
    float wall_density;              /* factor on wall weights, [0, 1] */
    float wetting[PD_MAX_MATERIALS]; /* by material: A - 1, set by pd_tension_set_material */
    float outside;                   /* pd_walls_rule.outside, in units of H */
} tension_rule;

/* Data of the loops over neighbours (tension_wide.c). */
typedef struct tension_pass {
    tension *tension;
    float radius, inverse_radius; /* H, m; 1/H, 1/m */
    float normal_factor;  /* N = this factor x sum of q^2 d, d: vector to the neighbour in units of H, q = 1 - d^2 */
    float density_factor; /* D = this factor x sum of q^3 over the neighbours */
    float force_factor;   /* change of momentum in dt = this factor x sum over the neighbours (tension_wide.c) */
    float speed_limit;    /* greatest speed of a particle, m/s */
    bool gammas_differ;   /* whether materials differ in Gamma */
} tension_pass;

typedef struct pd_tension_kernels {
    pd_loop_body *find_lists_and_compute_normals; /* makes lists and computes N */
    pd_loop_body *compute_normals;                /* computes N with existing lists */
    pd_loop_body *apply_tension_forces;           /* changes velocities by the forces of pairs */
} pd_tension_kernels;

extern const pd_tension_kernels pd_tension_kernels_baseline, pd_tension_kernels_avx2, pd_tension_kernels_avx512;

/* enabled: allocates the arrays; false: frees them. On an error nothing changes. Errors: OUT_OF_MEMORY. */
pd_result pd_tension_enable(tension *tension, bool enabled, pd_error *error);
/* Resizes the arrays to `capacity` particles. On an error the capacity is unchanged. Errors: OUT_OF_MEMORY. */
pd_result pd_tension_resize(tension *tension, int capacity, pd_error *error);
void pd_tension_free(tension *tension);

/* Changes the velocities by the tension in dt, s, and clamps speeds to `speed_limit`, m/s. Positions are those at the
 * beginning of the substep. Does not change the order of the particles. Later substeps of the step use the lists again
 * (sim/particles/kept.h). */
void pd_tension_apply(tension *tension, pd_world *world, const tension_rule *rule, float dt, float speed_limit);

/* Sets gamma, remedy and wetting of a material. rule->own_gamma must be set before.
 * - most_tension: gamma is clamped to own_gamma + most_tension, m^3/s^2. More would tear drops apart.
 * - remedy: value of tension_rule.remedy.
 * - contact_angle: angle with walls, degrees. wetting = cos(contact_angle) gamma / (gamma - own_gamma), clamped to
 *   [-2, 2]. The tension that the method itself produces is neutral to walls, so the rest must wet more strongly. */
void pd_tension_set_material(tension_rule *rule, const pd_world *world, int material, float most_tension,
                             const char *remedy, float contact_angle);

#endif
