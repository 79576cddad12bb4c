/* The interface of a method: a constant table of functions and descriptions. A new method is a file with a pd_method and a
 * line in methods/methods.c.
 *
 * A method uses the world's particles, neighbours and boundary. Only info (with at least one view) and step are
 * required; other members may be 0 or NULL. Only sim/method.c calls the table's functions.
 *
 *     init, resize     allocate the method's memory; can fail
 *     adapt            is called after a parameter was changed; can fail
 *     edit             is called while an edit of the scene is applied to a running world; can fail
 *     start            is called when the particles exist, at time 0 or with the motion of the previous method
 *     step             computes one substep, from the positions and velocities at the end of the previous substep
 *     reset            is called after the particles were reset to time 0
 *     serialize        reads or writes the state that later steps depend on
 *     destroy          frees the state */
#ifndef PUDDLE_SIM_METHOD_H
#define PUDDLE_SIM_METHOD_H

#include "scene/edit.h"
#include "sim/particles/particles.h"
#include "sim/walls/boundary.h"
#include <puddle/world.h>

typedef struct pd_archive pd_archive;
typedef struct pd_method pd_method;

/* An upper limit of the substep's duration, and the parameter or speed that causes the limit. */
typedef struct pd_substep_limit {
    int parameter; /* index of the parameter that limits the substep; -1: the greatest speed limits it */
    float value;   /* value of this parameter, or the greatest speed, m/s */
    float seconds; /* longest allowed substep, s */
} pd_substep_limit;

/* Fluid at rest under a pressure. */
typedef struct pd_fluid_at_rest {
    float particles_per_area; /* 1/m^2 */
    float density; /* density from which the method computes the pressure, in its own unit: the method's rest density at
                    * pressure 0 */
} pd_fluid_at_rest;

/* Conversion of density between a method's own unit and particles per area. Only methods whose particles carry the fluid's
 * mass and have a rest density have a law. */
typedef struct pd_density_law {
    /* Convert the method's density to particles per area, 1/m^2, and back. parameter: values of the method's parameters in
     * the order of its table. NULL: the method's density is particles per area. */
    float (*particles_per_area)(const float *parameter, float density);
    float (*density_of)(const float *parameter, float particles_per_area);
    /* Computes the state of fluid at rest. NULL: the fluid is incompressible, and rests at one particle per spacing^2
     * (pd_resolution.spacing). mass: mass of the particles. pressure: at least 0, Pa / pd_units_particle_mass. */
    pd_fluid_at_rest (*at_rest)(const pd_world *world, float mass, float pressure);
    /* Computes the pressures of the particles in the last substep, Pa. NULL: the method has no pressures of particles. */
    void (*compute_pressures)(const pd_world *world, float *pressure);
    int ramp_column; /* index of PD_RAMP_COLUMN in the method's columns */
    /* Distance from each outermost column of a jet to the edge of its emitter's mouth, in units of pd_resolution.spacing
     * (sim/sources/sources.c). Not used by methods with cells. */
    float jet_inset;
} pd_density_law;

struct pd_method {
    pd_method_info info; /* must be first: pd_method_parameter_at casts a pd_method_info pointer to pd_method */
    const pd_parameter *parameters; /* info.parameter_count elements */
    const pd_field_info *fields;    /* info.field_count elements */
    const pd_number_info *numbers;  /* info.number_count elements */
    const pd_view_mode *views;      /* info.view_count elements */
    const void *particle_traits; /* particle fluids (methods/particle_fluid/): a struct particle_traits; others: NULL */
    size_t state_size;           /* size of the private state, bytes; all bytes are 0 before init */
    const pd_column *columns;    /* values that the method stores for each particle */
    int column_count;            /* number of elements of `columns` */
    const pd_density_law *law; /* unit of the particles' densities; NULL: particles have no density, such as tracers */
    /* Initializes the state. The world already has its scene, its boundary and the method's parameters, but perhaps no
     * particles, or particles with the columns of another method. The state must not contain a pointer to the world, since
     * restoring a snapshot moves the world in memory. After an error `destroy` is called. */
    pd_result (*init)(pd_world *world, void *state, pd_error *error);
    /* Allocates memory for `capacity` particles. Called after init and whenever the capacity grows. On an error the state
     * is unchanged. */
    pd_result (*resize)(void *state, int capacity, pd_error *error);
    /* Allocates memory whose size depends on parameters. Called after a parameter was set, with the new values in
     * world->parameter. On an error the state is unchanged, and the caller restores the parameter. */
    pd_result (*adapt)(pd_world *world, void *state, pd_error *error);
    /* Adapts memory and state to edited obstacles, emitters, drains or materials (scene/edit.h). The world has the
     * new scene, and the new boundary in its present pose; `before` is the old boundary. Particles still have their old
     * positions and materials. On an error the state is unchanged. */
    pd_result (*edit)(pd_world *world, void *state, const pd_edited *edit, const pd_boundary *before, pd_error *error);
    /* Begins the method with the world's particles. before: method that ran until now; its state has been destroyed before
     * this call. NULL: the particles are those of the scene at time 0. The columns of the new method have their initial
     * values. */
    void (*start)(pd_world *world, void *state, const pd_method *before);
    /* Resets the state to time 0. The method's columns have already been set to their initial values. */
    void (*reset)(pd_world *world, void *state);
    /* Writes the upper limits of the substep's duration to `limits`. Returns their number, at most PD_MAX_COSTS. The world
     * obeys the shortest limit. */
    int (*substep_limits)(const pd_world *world, const void *state, pd_substep_limit *limits);
    /* Returns the side of a grid cell, m. NULL: the method's fluid does not move on a grid. */
    float (*cell)(const void *state);
    /* Computes one substep: moves the particles and sets their velocities, with gravity, tool and walls
     * (methods/particle_fluid/motion.h, sim/walls/boundary.h). Sorts the particles by cell if needed
     * (sim/particles/neighbours.h). Emitters, drains, previous_x and previous_y are not its task. It calls pd_stage_end
     * after each stage of the substep. */
    void (*step)(pd_world *world, void *state, float dt);
    /* Writes the text of warning number `index` (from 0): what of the scene the method cannot do well, and what the user
     * can change ("a grid of 4096 x 4096 cells takes 3 GB (lower flip.resolution)"). The world may have only scene,
     * resolution and parameters, and `state` may be NULL. Returns false if there is no warning with this number. */
    bool (*warning)(const pd_world *world, const void *state, int index, char *text, size_t size);
    /* Sets *errors to an array of relative density errors in the last substep: one before each iteration of the pressure
     * solver, and one after the last iteration. Returns the length of the array. */
    int (*convergence)(const void *state, const float **errors);
    /* Sets the members of a view that need no computation: rest density, radius. */
    void (*view)(const pd_world *world, const void *state, pd_view *view);
    /* Computes values, legend and grid of fields[index] (puddle/view.h). On entry all members of *field but `info` are 0.
     * field->values becomes an array of the method, or one from pd_field_buffer (sim/view.h); without memory it remains
     * NULL. */
    void (*field)(const pd_world *world, void *state, int index, pd_field *field);
    /* Returns the present value of the quantity that numbers[index] describes. */
    double (*number)(const pd_world *world, void *state, int index);
    /* Computes the impulses that the fluid gave to the walls in the last step (sim/walls/impulses.h). NULL: `step` already
     * does. */
    void (*impulses)(const pd_world *world, void *state);
    /* Copies the state of the fluid into cells of a scene (PD_FEATURE_CELLS). The caller calls pd_cells_free(cells), even
     * after an error. */
    pd_result (*cells)(const pd_world *world, const void *state, pd_cells *cells, pd_error *error);
    void (*serialize)(pd_world *world, void *state, pd_archive *archive);
    size_t (*saved_bytes)(const void *state); /* returns about how many bytes serialize writes; NULL: few */
    void (*destroy)(void *state);
};

/* Returns the table of method number `index`, in the order of pd_method_at (methods/methods.c). */
const pd_method *pd_method_table_at(int index);
/* Appends a method of a test to the list of methods. *method must exist until the program ends. Call before worlds are
 * created. Returns false if the list is full or has a method with this name. */
bool pd_method_register(const pd_method *method);

/* Each of these functions calls a function in the running method's table (struct pd_method). If the table lacks the
 * function, it returns a default value. */
pd_result pd_method_init(pd_world *world, pd_error *error); /* allocates world->state */
pd_result pd_method_resize(pd_world *world, int capacity, pd_error *error);
pd_result pd_method_allocate_for_parameters(pd_world *world, pd_error *error);
pd_result pd_method_apply_edit(pd_world *world, const pd_edited *edit, const pd_boundary *before, pd_error *error);
void pd_method_start(pd_world *world, const pd_method *before);
void pd_method_reset(pd_world *world);
int pd_method_substep_limits(const pd_world *world, pd_substep_limit limits[PD_MAX_COSTS]);
/* Returns the width of the narrowest gap between walls through which fluid can flow, m: the side of a grid cell, or the
 * rest spacing of the particles. */
double pd_method_narrowest_flow_gap(const pd_world *world);
void pd_method_step(pd_world *world, float dt);
int pd_method_density_errors(const pd_world *world, const float **errors);
bool pd_method_write_warning(const pd_world *world, int index, char *text, size_t size);
void pd_method_describe_view(const pd_world *world, pd_view *view);
void pd_method_compute_field(const pd_world *world, int index, pd_field *field);
double pd_method_compute_number(const pd_world *world, int index);
void pd_method_compute_impulses(const pd_world *world);
pd_result pd_method_copy_cells(const pd_world *world, pd_cells *cells, pd_error *error);
void pd_method_save_or_load_state(pd_world *world, pd_archive *archive);
size_t pd_method_serialized_bytes(const pd_world *world);
/* Destroys and frees a method's state, which may be NULL. */
void pd_method_destroy(const pd_method *method, void *state);
/* Convert the method's density to particles per area (1/m^2), and back (pd_density_law). Return 0 for methods without a
 * density law. */
float pd_method_compute_particles_per_area(const pd_method *method, const float *parameter, float density);
float pd_method_compute_density(const pd_method *method, const float *parameter, float particles_per_area);
/* Computes the pressures of the particles (pd_density_law.compute_pressures). Returns false if the method has none. */
bool pd_method_compute_pressures(const pd_world *world, float *pressure);
/* Returns the state of fluid at rest (pd_density_law.at_rest). All members are 0 for methods without a density law. */
pd_fluid_at_rest pd_method_find_fluid_at_rest(const pd_world *world, float mass, float pressure);

#endif
