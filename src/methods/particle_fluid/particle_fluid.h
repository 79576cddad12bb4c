/* Particle fluids: what double density relaxation, SPH and position based fluids share.
 *
 * Each method adds its kernel, its density law and its pressure. Every substep has these parts, in this order:
 *
 *     particle_step_begin       the data of the substep
 *     particle_step_predict     forces on velocities, gravity, tool; then predicted positions
 *     particle_step_sort        the cell sort, unless lists of an earlier substep are used again
 *     particle_step_interact    forces between predicted positions: springs
 *     particle_step_find_walls  walls as a part of the density
 *     the method's own          density, pressure, viscosity, contacts with walls */
#ifndef PUDDLE_METHODS_PARTICLE_FLUID_PARTICLE_FLUID_H
#define PUDDLE_METHODS_PARTICLE_FLUID_PARTICLE_FLUID_H

#include "methods/particle_fluid/motion.h"
#include "methods/particle_fluid/springs.h"
#include "methods/particle_fluid/tension.h"
#include "sim/method.h"
#include "sim/particles/kept.h"
#include "sim/particles/lists.h"
#include "sim/walls/walls.h"

/* An array of a method's state, which grows with the number of particles. */
typedef struct particle_array {
    size_t place;   /* offset of the pointer in the state */
    size_t element; /* size of an element, bytes */
    int particles;  /* particles per element */
} particle_array;

enum { PARTICLE_MOST_ARRAYS = 8 };

/* Constants of a method, to which pd_method.particle_traits points. */
typedef struct particle_traits {
    int radius, rest_density, wall_density, stick_distance; /* indices in the method's table of parameters */
    int spring_slot;                                        /* index in the method's table of columns */
    bool springs_move;                                      /* springs displace the predicted positions */
    bool springs_kick;       /* displacements by springs, over dt, are added to the velocities */
    bool relative_viscosity; /* a material's own viscosity multiplies the method's: particle_step.viscosity */
    bool listed;             /* the method uses particle_fluid.lists */
    float outside;           /* the fluid ends this far behind the place where walls stop particles, h */
    float tension_radius;    /* smoothing radius H of the surface tension, h */
    particle_array arrays[PARTICLE_MOST_ARRAYS]; /* ends at an element of 0 bytes */
    pd_substep_limit (*pressure_limit)(const pd_world *world);
    /* Completes a rule with radius, rest density and walls: sets the method's own tension, and calls tension_set for
     * each material. */
    void (*tension)(const pd_world *world, tension_rule *rule);
    void (*pressure)(const pd_world *world, float *values); /* the field "pressure", Pa, by particle */
} particle_traits;

/* Memory of the three methods: the first member of their states. */
typedef struct particle_fluid {
    const particle_traits *traits;
    pd_lists lists;
    pd_kept_lists kept;
    pd_walls walls;
    tension tension;
    springs springs;
} particle_fluid;

/* Data of one substep: the first member of each method's context of parallel loops. */
typedef struct particle_step {
    pd_motion motion;
    particle_fluid *fluid;
    const particle_traits *traits;
    float prediction; /* s: time by which positions are predicted; the substep, unless the method sets another one */
    int grain;        /* particles in a chunk of the loops that add impulses of walls */
    double since;     /* value of pd_now() at the end of the last stage */
    /* By material: viscosity / default viscosity; 1 if the material sets no viscosity. */
    float viscosity[PD_MAX_MATERIALS];
    bool viscosities_differ, masses_differ;
} particle_step;

/* Non-pressure force (the term of SPlisHSPlasH): a row of the table in particle_fluid.c. Functions may be NULL. */
typedef struct particle_force {
    const char *stage;    /* name in the profile; NULL: the time counts as "forces" */
    pd_property property; /* property of materials; the force is 0 if no material has it */
    bool sorted; /* acts between predicted positions, after the sort; false: on velocities, before the prediction */
    void (*step)(particle_step *step);
    /* Returns the longest stable substep, s. greatest: greatest value of `property` among the materials, at least 0. */
    float (*longest)(const pd_world *world, float greatest);
    bool (*warning)(const pd_world *world, char *text, size_t size);
    /* The functions below do for this force what the members of pd_method with the same names do for a method. */
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
float particle_greatest(const pd_world *world, pd_property property);
/* Returns the surface tension of the world's method. */
tension_rule particle_tension_of(const pd_world *world);

particle_step particle_step_begin(pd_world *world, particle_fluid *fluid, float dt);
void particle_step_predict(particle_step *step);
/* Sorts the particles, unless kept lists can be used again; then returns true. served: the method's kept lists are
 * valid, so that only new springs need a sort. */
bool particle_step_sort(particle_step *step, bool served);
void particle_step_interact(particle_step *step);
/* Finds the walls near the predicted positions, or near x, y (m) unless they are NULL. smooth: see pd_walls_rule. */
void particle_step_find_walls(const particle_step *step, bool smooth, const float *x, const float *y);
/* Makes fluid->lists with the loop body `find`, whose context is `pass`, and records them as kept lists. Returns false
 * if memory is missing. */
bool particle_step_list(const particle_step *step, pd_loop_body *find, void *pass);
/* Adds to the walls' impulses what their wall weights do to particles [begin, end), a chunk. seconds: 1 if the pushes
 * of wall weights are velocities; otherwise the time in which they are displacements. */
void particle_step_react(const particle_step *step, int begin, int end, float seconds);
/* Adds to the profile the time since the last stage. */
void particle_step_end_stage(particle_step *step, const char *name);

/* Functions of pd_method that the three methods share. */
pd_result particle_fluid_init(pd_world *world, void *state, pd_error *error);
pd_result particle_fluid_resize(void *state, int capacity, pd_error *error);
pd_result particle_fluid_adapt(pd_world *world, void *state, pd_error *error);
pd_result particle_fluid_edit(pd_world *world, void *state, const pd_edited *edit, const pd_boundary *before,
                              pd_error *error);
void particle_fluid_reset(pd_world *world, void *state);
int particle_fluid_substep_limits(const pd_world *world, const void *state, pd_substep_limit *limits);
bool particle_fluid_warning(const pd_world *world, const void *state, int index, char *text, size_t size);
void particle_fluid_view(const pd_world *world, const void *state, pd_view *view);
void particle_fluid_field(const pd_world *world, void *state, int index, pd_field *field);
void particle_fluid_serialize(pd_world *world, void *state, pd_archive *archive);
size_t particle_fluid_saved_bytes(const void *state);
void particle_fluid_destroy(void *state);

/* Members of pd_method that are the same for the three methods. */
#define PARTICLE_FLUID_FUNCTIONS                                                                                       \
    .init = particle_fluid_init, .resize = particle_fluid_resize, .adapt = particle_fluid_adapt,                       \
    .edit = particle_fluid_edit, .reset = particle_fluid_reset, .substep_limits = particle_fluid_substep_limits,       \
    .warning = particle_fluid_warning, .view = particle_fluid_view, .field = particle_fluid_field,                     \
    .serialize = particle_fluid_serialize, .saved_bytes = particle_fluid_saved_bytes

/* Fields of particle_fluid_field. PARTICLE_VIEWS: number of views, those of PD_PARTICLE_VIEWS and one each for density
 * and pressure. */
enum { PARTICLE_FIELD_SPEED, PARTICLE_FIELD_DENSITY, PARTICLE_FIELD_PRESSURE, PARTICLE_FIELDS, PARTICLE_VIEWS = 5 };
extern const pd_field_info particle_fluid_fields[PARTICLE_FIELDS]; /* for methods whose density is in 1/m^2 */
extern const pd_view_mode particle_fluid_views[PARTICLE_VIEWS];
/* Law of methods whose density is particles per area, and whose first column is PD_RAMP_COLUMN. */
extern const pd_density_law particle_number_density;
/* particle_traits.outside for methods whose density is particles per area. The layer of particles on a wall is then as
 * close as the layers above (measured in SPH and position based fluids). */
#define PARTICLE_OUTSIDE 0.11f

/* Row of the methods' tables for the weight of walls (sim/walls/walls.h). in_articles: string with the value in the
 * articles. */
#define PARTICLE_WALL_DENSITY_PARAMETER(in_articles)                                                                   \
    {                                                                                                                  \
        .key = "wall_density", .title = "Wall density", .unit = "",                                                    \
        .help = "Part of the missing density behind a wall that is added near the wall; 0: walls only stop particles", \
        .source = (in_articles), .default_value = 1, .minimum = 0, .maximum = 1                                        \
    }

/* Row of the methods' tables for the distance within which walls are sticky. */
#define PARTICLE_STICK_DISTANCE_PARAMETER                                                                              \
    {                                                                                                                  \
        .key = "stick_distance", .title = "Stick distance", .unit = "m",                                               \
        .help = "Distance from a wall up to which stickiness acts",                                                    \
        .source = "Clavet et al. 2005, section 6.1, d stick; half a radius", .scale = PD_SCALE_LOGARITHMIC,            \
        .default_value = 0.0468f, .minimum = 1e-4f, .maximum = 100, .follows = {                                       \
            .resolution = 1,                                                                                           \
            .length = 1                                                                                                \
        }                                                                                                              \
    }

#endif
