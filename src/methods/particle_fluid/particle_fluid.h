/* Particle fluids: data and functions that double density relaxation, SPH and position based fluids share.
 *
 * Each method adds its kernel, its density law and its pressure. Every substep has these parts, in this order:
 *
 *     pd_particle_step_begin                    data of the substep
 *     pd_particle_step_predict_positions        forces on velocities, gravity, tool; then predicted positions
 *     pd_particle_step_sort_if_needed           cell sort, unless lists of an earlier substep are used again
 *     pd_particle_step_apply_forces_after_sort  forces between predicted positions: springs
 *     pd_particle_step_compute_wall_weights     walls as a part of the density
 *     loops of the method                    density, pressure, viscosity, contacts with walls */
#ifndef PUDDLE_METHODS_PARTICLE_FLUID_PARTICLE_FLUID_H
#define PUDDLE_METHODS_PARTICLE_FLUID_PARTICLE_FLUID_H

#include "methods/particle_fluid/deviator.h"
#include "methods/particle_fluid/motion.h"
#include "methods/particle_fluid/springs.h"
#include "methods/particle_fluid/tension.h"
#include "sim/method.h"
#include "sim/particles/kept.h"
#include "sim/particles/lists.h"
#include "sim/walls/walls.h"

/* An array in a method's state whose size is proportional to the number of particles. */
typedef struct particle_array {
    size_t pointer_offset;     /* offset of the pointer to the array in the state, bytes */
    size_t element_size;       /* size of an element, bytes */
    int particles_per_element; /* number of particles that share an element */
} particle_array;

enum { PARTICLE_MOST_ARRAYS = 8 };

/* Constants of a method: the target of pd_method.particle_traits. */
typedef struct particle_traits {
    int radius, rest_density, wall_density, stick_distance; /* indices in the method's table of parameters */
    int spring_slot;                                        /* index of the column for spring slots */
    bool springs_displace;                                  /* whether springs displace the predicted positions */
    bool springs_change_velocity; /* whether displacements by springs, over dt, are added to the velocities */
    bool relative_viscosity;      /* whether a material's viscosity scales the method's: particle_step.viscosity */
    bool uses_lists;              /* whether the method uses particle_fluid.lists */
    /* Thickness of the layer behind a wall's surface that hides no share of kernels, in units of h: of container and
     * obstacles, and of bodies. */
    float outside, body_outside;
    float most_radii;      /* greatest way of a particle in a substep, radii: the limit of speeds */
    float tension_outside; /* the same layer for the surface tension, in units of h; 0: as `outside` */
    float tension_radius;  /* smoothing radius H of the surface tension, in units of h */
    particle_array arrays[PARTICLE_MOST_ARRAYS]; /* the last array has element_size = 0 */
    /* Returns the limit of the substep by the pressure. */
    pd_substep_limit (*pressure_limit)(const pd_world *world);
    /* Completes a rule whose radius, rest density and walls are set: sets the tension that the method itself produces,
     * and calls pd_tension_set_material for each material. */
    void (*complete_tension_rule)(const pd_world *world, tension_rule *rule);
} particle_traits;

/* Memory that the three methods have in common: the first member of their states. */
typedef struct particle_fluid {
    const particle_traits *traits;
    pd_lists lists;        /* neighbour lists of the particles, if traits->uses_lists */
    pd_list_validity kept; /* positions at which these lists were made */
    pd_walls walls;        /* wall weights of the present substep */
    tension tension;       /* surface tension */
    springs springs;       /* springs of elastic materials */
    deviator deviator;     /* removal of the yield stress near bodies */
} particle_fluid;

/* Data of one substep. Each method's context of parallel loops begins with a particle_step. */
typedef struct particle_step {
    pd_motion motion; /* world, substep, masses and limits of speeds */
    particle_fluid *fluid;
    const particle_traits *traits;
    float prediction_time;             /* time by which positions are predicted, s; default: dt */
    int grain;                         /* particles in a chunk of the loops that add to the walls' impulses */
    double stage_begin;                /* begin of the present stage of the profile (pd_now), s */
    float viscosity[PD_MAX_MATERIALS]; /* by material: its viscosity in units of the default viscosity; 1 if not set */
    bool viscosities_differ, masses_differ; /* whether materials differ in viscosity, in mass */
} particle_step;

/* A non-pressure force: tension, drag on walls, stickiness or springs. Functions except `step` may be NULL. */
typedef struct particle_force {
    const char *stage;    /* name of the stage of the profile that contains the force's time; NULL: "forces" */
    pd_property property; /* the force is 0 if this property is 0 for all materials */
    bool after_sort;      /* whether the force acts between predicted positions; false: before the prediction */
    void (*step)(particle_step *step); /* applies the force in a substep */
    /* Returns the longest stable substep, s. greatest: greatest value of `property` among the materials, at least 0. */
    float (*longest)(const pd_world *world, float greatest);
    /* Writes a warning about the force in this scene. Returns false if there is none. */
    bool (*warning)(const pd_world *world, char *text, size_t size);
    /* Functions of the force, called by the functions of pd_method with the same names. */
    pd_result (*adapt)(particle_fluid *fluid, const pd_world *world, pd_error *error);
    pd_result (*resize)(particle_fluid *fluid, int capacity, pd_error *error);
    void (*edit)(particle_fluid *fluid, const pd_edited *edit);
    void (*reset)(particle_fluid *fluid, pd_world *world);
    void (*serialize)(particle_fluid *fluid, pd_archive *archive);
    size_t (*saved_bytes)(const particle_fluid *fluid);
    void (*destroy)(particle_fluid *fluid);
} particle_force;

static inline const particle_traits *particle_traits_of(const pd_world *world) {
    return world->method->particle_traits;
}

/* Returns the greatest value of a property among the scene's materials, at least 0. */
float pd_particle_find_greatest_property_value(const pd_world *world, pd_property property);

/* -P / Pn in fluid of pressure 0, where pairs have the forces P q + Pn q^2, q = 1 - r/h. In hexagonal lattices it is 0.38 to
 * 0.41, for rest densities of `ddr` from 3 to 20 and k from 0.35 kn to 20 kn. */
#define PARTICLE_NEAR_SHARE 0.4f

/* Returns the argument `within` of pd_particle_limit_attraction. sum: sum of q^2 over a particle itself, 1, and its neighbours.
 * It is 1.4 in pairs, 1.9 in squares of four particles, and 2.6 or more at the wall of a pool. */
static inline float pd_particle_compute_part_within_fluid(float sum) {
    const float alone = 1.5f, in_fluid = 2, fraction = (sum - alone) / (in_fluid - alone);
    return fraction > 0 ? (fraction < 1 ? fraction : 1) : 0;
}

/* Limits the attraction by walls, which negative pressure causes: otherwise particles and drops would stay at ceilings and in
 * corners. Materials that wet walls or stick to them have no limit. Changes *push, and `slope` and `part` only once: a second
 * call would reduce them further.
 *
 * - A push above at_rest attracts. Single particles (within = 0) have at most at_rest.
 * - The components of the slopes against gravity are reduced, so that push x slope is that of at_rest.
 * - Particles beside bodies have no limit: bodies that rise would then float deeper than bodies laid on the water.
 *
 * push, slope, part: pd_wall_weight.far_push, hidden.far_slope and far_slope_of_wall, or those of the near kernel. at_rest: push in fluid
 * of pressure 0. within: 1 for particles within fluid. */
static inline void pd_particle_limit_attraction(const pd_world *world, int material, const pd_wall_weight *weight,
                                                float *push, float slope[2], float (*part)[2], float at_rest,
                                                float within) {
    const float *property = world->property[material], gx = world->scene.gravity.x, gy = world->scene.gravity.y;
    if (!(*push > at_rest) || property[PD_TENSION] > 0 || property[PD_STICKINESS] > 0) return;
    for (int k = 0; k < weight->walls; k++)
        if (weight->wall[k] >= world->scene.obstacle_count) return;
    *push = at_rest + within * (*push - at_rest);
    if (!(*push > at_rest) || !(slope[0] * gx + slope[1] * gy < 0)) return;
    const float removed = (1 - at_rest / *push) / (gx * gx + gy * gy);
    for (int k = 0; k < weight->walls; k++) {
        float lift = removed * (part[k][0] * gx + part[k][1] * gy);
        if (!(lift < 0)) continue;
        part[k][0] -= lift * gx;
        part[k][1] -= lift * gy;
        slope[0] -= lift * gx;
        slope[1] -= lift * gy;
    }
}

/* Returns the rule of the surface tension for the world's method and materials. */
tension_rule pd_particle_compute_tension_rule(const pd_world *world);

particle_step pd_particle_step_begin(pd_world *world, particle_fluid *fluid, float dt);
void pd_particle_step_predict_positions(particle_step *step);
/* Sorts the particles into cells. Skips the sort and returns true if lists_valid, the method's lists can be used again,
 * and no new springs need the sort. */
bool pd_particle_step_sort_if_needed(particle_step *step, bool lists_valid);
void pd_particle_step_apply_forces_after_sort(particle_step *step);
/* Computes the wall weights at the positions (x, y), m. NULL: at the predicted positions. smooth_near_kernel: see
 * pd_walls_rule. */
void pd_particle_step_compute_wall_weights(const particle_step *step, bool smooth_near_kernel, const float *x,
                                           const float *y);
/* Makes fluid->lists by the loop body `find` with the context `pass`, and records the positions in fluid->kept. Returns
 * false if memory is refused. */
bool pd_particle_step_make_lists(const particle_step *step, pd_loop_body *find, void *pass);
/* Adds to the walls' impulses the momentum that particles [begin, end) get by their wall weights. The range is one
 * chunk. seconds: 1 if pd_wall_weight pushes are velocities; otherwise the time in which the particles are displaced,
 * s. x, y: positions of the particles, m. */
void pd_particle_step_add_wall_impulses(const particle_step *step, int begin, int end, float seconds, const float *x,
                                        const float *y);
/* Ends a stage of the profile: adds the time since the end of the stage before. */
void pd_particle_step_end_stage(particle_step *step, const char *name);

/* Functions for the members of pd_method with the same names, shared by the three methods. */
pd_result pd_particle_fluid_init(pd_world *world, void *state, pd_error *error);
pd_result pd_particle_fluid_resize(void *state, int capacity, pd_error *error);
pd_result pd_particle_fluid_adapt(pd_world *world, void *state, pd_error *error);
pd_result pd_particle_fluid_apply_edit(pd_world *world, void *state, const pd_edited *edit, const pd_boundary *before,
                                       pd_error *error);
void pd_particle_fluid_reset(pd_world *world, void *state);
int pd_particle_fluid_substep_limits(const pd_world *world, const void *state, pd_substep_limit *limits);
bool pd_particle_fluid_write_warning(const pd_world *world, const void *state, int index, char *text, size_t size);
void pd_particle_fluid_describe_view(const pd_world *world, const void *state, pd_view *view);
void pd_particle_fluid_compute_field(const pd_world *world, void *state, int index, pd_field *field);
void pd_particle_fluid_save_or_load(pd_world *world, void *state, pd_archive *archive);
size_t pd_particle_fluid_saved_bytes(const void *state);
void pd_particle_fluid_destroy(void *state);

/* Initializers for these members of pd_method. */
#define PARTICLE_FLUID_FUNCTIONS                                                                                       \
    .init = pd_particle_fluid_init, .resize = pd_particle_fluid_resize, .adapt = pd_particle_fluid_adapt,              \
    .edit = pd_particle_fluid_apply_edit, .reset = pd_particle_fluid_reset,                                            \
    .substep_limits = pd_particle_fluid_substep_limits, .warning = pd_particle_fluid_write_warning,                    \
    .view = pd_particle_fluid_describe_view, .field = pd_particle_fluid_compute_field,                                 \
    .serialize = pd_particle_fluid_save_or_load, .saved_bytes = pd_particle_fluid_saved_bytes

/* Indices of the fields. PARTICLE_VIEWS: number of views: PD_PARTICLE_VIEWS, density and pressure. */
enum { PARTICLE_FIELD_SPEED, PARTICLE_FIELD_DENSITY, PARTICLE_FIELD_PRESSURE, PARTICLE_FIELDS, PARTICLE_VIEWS = 5 };
extern const pd_field_info pd_particle_fluid_fields[PARTICLE_FIELDS]; /* for methods whose density is in 1/m^2 */
extern const pd_view_mode pd_particle_fluid_views[PARTICLE_VIEWS];
/* particle_traits.outside for methods whose density is particles per area. With this value the layers of particles on a
 * wall are one spacing apart (measured in SPH and position based fluids). */
#define PARTICLE_OUTSIDE 0.11f

/* Row for the methods' tables of parameters: factor on wall weights (sim/walls/walls.h). in_articles: text that names
 * the value in the method's articles. */
#define PARTICLE_WALL_DENSITY_PARAMETER(in_articles)                                                                   \
    "wall_density", "Wall density", "",                                                                                \
        "Part of the missing density behind a wall that is added near the wall; 0: walls only stop particles",         \
        (in_articles), .default_value = 1, .maximum = 1

/* Row for the methods' tables of parameters: distance within which walls are sticky. */
#define PARTICLE_STICK_DISTANCE_PARAMETER                                                                              \
    "stick_distance", "Stick distance", "m", "Distance from a wall up to which stickiness acts",                       \
        "Clavet et al. 2005, section 6.1, d stick; half a radius",                                                     \
        .scale = PD_SCALE_LOGARITHMIC, .default_value = 0.0468f, .minimum = 1e-4f, .maximum = 100,                     \
        .follows = {.resolution = 1, .length = 1}

#endif
