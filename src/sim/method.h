/* The interface of a method: a constant table. Adding one is a file with such a table and a line in methods/methods.c.
 *
 * A method uses the world's particles, neighbours and boundary, and nothing of the window. Only info (with at least one
 * view) and step are required; other members are 0 or NULL where a method does not need or have them. Only
 * sim/method.c calls through the table; its functions are declared below.
 *
 *     init, resize     allocate the method's memory; these, adapt and edit may fail
 *     adapt            called when a parameter was changed
 *     edit             called when the scene of a running world was edited
 *     start            called when the particles exist, at the scene's beginning or as the previous method left them
 *     step             computes one substep, from the positions and velocities at the end of the last one
 *     reset            called after the particles were put back to the scene's beginning
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

/* An upper limit of the substep, and its cause. */
typedef struct pd_substep_limit {
    int parameter; /* its index in the table of parameters; -1: the greatest speed */
    float value;   /* of the parameter, or m/s */
    float seconds; /* the longest substep that it allows */
} pd_substep_limit;

/* How a method measures density, for methods whose particles carry the fluid's mass and keep it near a rest density.
 * `parameter`: the method's parameters in the order of its table. */
typedef struct pd_density_law {
    /* Conversion between the method's own measure of density and particles per area, 1/m^2. */
    float (*particles_per_area)(const float *parameter, float density);
    float (*density_of)(const float *parameter, float particles_per_area);
    bool compressible; /* the fluid compresses noticeably under its own weight: sim/particles/ramp.h */
    int ramp_column;   /* if not compressible: index of the method's PD_RAMP_COLUMN */
} pd_density_law;

struct pd_method {
    pd_method_info info; /* first: pd_method_parameter_at and its like find the tables below from a pointer to it */
    const pd_parameter *parameters;
    const pd_field_info *fields;
    const pd_number_info *numbers;
    const pd_view_mode *views;
    const void *family;       /* constants for functions that several methods share (methods/particle_fluid); or NULL */
    size_t state_size;        /* bytes of the private state, zeroed before init */
    const pd_column *columns; /* the method's own values of each particle, kept from one substep to the next */
    int column_count;
    const pd_density_law *law; /* NULL: the particles have no density and no rest density, as the tracers of a grid */
    /* The world has its scene, boundary and this method's parameters; its particles may not exist yet, or still have
     * the columns of another method. The state must not keep a pointer to the world, which a restore moves in memory. On
     * an error `destroy` is called. */
    pd_result (*init)(pd_world *world, void *state, pd_error *error);
    /* Allocates for this many particles; called after init and whenever the capacity grows. On an error the state is
     * unchanged. */
    pd_result (*resize)(void *state, int capacity, pd_error *error);
    /* Called after a parameter of the running method was set, with the new values in world->parameter, for memory whose
     * size depends on them. On an error the state is unchanged, and the parameter gets its old value again. */
    pd_result (*adapt)(pd_world *world, void *state, pd_error *error);
    /* Obstacles, emitters, drains or materials of the scene have changed as `edit` says (scene/edit.h): the world has the new
     * scene and boundary, in its pose of now; `before` is the boundary until now. For memory and state that follow these. Of
     * the particles, positions and materials are still those before. On an error the state is unchanged. */
    pd_result (*edit)(pd_world *world, void *state, const pd_edited *edit, const pd_boundary *before, pd_error *error);
    /* before: the method that moved the particles so far, whose state is already destroyed; NULL: the particles are at
     * the scene's beginning. */
    void (*start)(pd_world *world, void *state, const pd_method *before);
    void (*reset)(pd_world *world, void *state);
    /* In both cases the method's columns have their initial values. */
    /* Writes limits of the substep and returns their number, at most PD_MAX_COSTS. The shortest one applies. */
    int (*substep_limits)(const pd_world *world, const void *state, pd_substep_limit *limits);
    /* The side of a cell, m, of methods whose fluid flows on a grid; the others have none. */
    float (*cell)(const void *state);
    /* Moves the particles and sets their velocities: gravity, tool and walls are the method's part (methods/particle_fluid/motion.h,
     * sim/walls/boundary.h), and so is the cell sort (sim/particles/neighbours.h) if it needs one. Emitters, drains and previous_x and _y
     * are the world's. Each stage ends with pd_stage_end, whose names the panel and bench show. */
    void (*step)(pd_world *world, void *state, float dt);
    /* Writes the line number `index`, from 0, about what the method does otherwise than the scene asks, and what to do: "a
     * grid of 4096 x 4096 cells takes 3 GB (lower flip.resolution)". The world may have no more than scene, resolution
     * and parameters; state is then NULL. False: there are no more. */
    bool (*warning)(const pd_world *world, const void *state, int index, char *text, size_t size);
    /* The density error before each iteration of the last substep and after the last one. */
    int (*convergence)(const void *state, const float **errors);
    /* Fills the members of a view that depend on the method and need no computation: rest density, radius. */
    void (*view)(const pd_world *world, const void *state, pd_view *view);
    /* Computes values, legend and grid of fields[index], whose info is there and whose rest is zero. The array is the
     * method's own or a pd_field_buffer (sim/view.h; without memory for it values stays NULL). Cells: puddle/view.h. */
    void (*field)(const pd_world *world, void *state, int index, pd_field *field);
    /* The value of numbers[index]. */
    double (*number)(const pd_world *world, void *state, int index);
    /* Sets the impulses of the walls in the last step (sim/walls/impulses.h), for methods that compute them on request. */
    void (*impulses)(const pd_world *world, void *state);
    /* What a scene begins with, for the method to go on as it is now (PD_FEATURE_CELLS); to be freed with pd_cells_free, also
     * after an error. */
    pd_result (*cells)(const pd_world *world, const void *state, pd_cells *cells, pd_error *error);
    void (*serialize)(pd_world *world, void *state, pd_archive *archive);
    size_t (*saved_bytes)(const void *state); /* about how much serialize writes; NULL: little */
    void (*destroy)(void *state);
};

/* A method's table by index, in the order of pd_method_at (methods/methods.c). */
const pd_method *pd_method_table(int index);
/* Appends a method to the list, for tests; it must live as long as the program.
 * Call before worlds are created; false: the list is full, or has a method of this name. */
bool pd_method_add(const pd_method *method);

/* Call the running method's functions; where it has none, they return the default. */
pd_result pd_method_init(pd_world *world, pd_error *error); /* allocates world->state first */
pd_result pd_method_resize(pd_world *world, int capacity, pd_error *error);
pd_result pd_method_adapt(pd_world *world, pd_error *error);
pd_result pd_method_edit(pd_world *world, const pd_edited *edit, const pd_boundary *before, pd_error *error);
void pd_method_start(pd_world *world, const pd_method *before);
void pd_method_reset(pd_world *world);
int pd_method_substep_limits(const pd_world *world, pd_substep_limit limits[PD_MAX_COSTS]);
/* The width of the narrowest gap between walls that the fluid flows through, m: a cell, or the particles' spacing. */
double pd_method_gap(const pd_world *world);
void pd_method_step(pd_world *world, float dt);
int pd_method_convergence(const pd_world *world, const float **errors);
bool pd_method_warning(const pd_world *world, int index, char *text, size_t size);
void pd_method_describe(const pd_world *world, pd_view *view);
void pd_method_field(const pd_world *world, int index, pd_field *field);
double pd_method_number(const pd_world *world, int index);
void pd_method_impulses(const pd_world *world);
pd_result pd_method_cells(const pd_world *world, pd_cells *cells, pd_error *error);
void pd_method_serialize(pd_world *world, pd_archive *archive);
size_t pd_method_saved_bytes(const pd_world *world);
/* Frees a state, which may be NULL. */
void pd_method_destroy(const pd_method *method, void *state);
/* Converts a density in the method's measure to particles per area (1/m^2), and back; 0 for methods without a law. */
float pd_method_particles_per_area(const pd_method *method, const float *parameter, float density);
float pd_method_density_of(const pd_method *method, const float *parameter, float particles_per_area);
bool pd_method_compressible(const pd_method *method);

#endif
