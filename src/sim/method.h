/* The interface of a method: a constant table. Adding one is a file with such a table and a line in methods/methods.c.
 *
 * A method sees the world's particles, neighbours and boundary, never a window. Only info, state_size and step must be
 * there; what is NULL a method does not need or have. Nothing calls through the table but sim/method.c, whose functions
 * stand below it.
 *
 *     init, resize     its memory: these two may fail
 *     start            the particles are there, at the beginning or as another method leaves them
 *     step             once a substep, with positions and velocities as the last one left them and nothing yet applied
 *     reset            the particles have been put back to the beginning
 *     serialize        reads or writes what later steps depend on
 *     destroy */
#ifndef PUDDLE_SIM_METHOD_H
#define PUDDLE_SIM_METHOD_H

#include "sim/particles.h"
#include <puddle/world.h>

typedef struct pd_archive pd_archive;
typedef struct pd_method pd_method;

/* What limits the substep now. */
typedef struct pd_substep_limit {
    int parameter; /* index in the table; -1: speed */
    float value;   /* of the parameter, or m/s */
    float seconds; /* the longest substep that it allows */
} pd_substep_limit;

/* What only a method has whose particles carry the fluid's mass: a density, and a law that holds it near the rest density.
 * `parameter`: the method's parameters in the order of its table. */
typedef struct pd_density_law {
    /* Between the method's own measure of density and particles per area, 1/m^2. */
    float (*particles_per_area)(const float *parameter, float density);
    float (*density_of)(const float *parameter, float particles_per_area);
    bool compressible; /* gives way under its own weight as the others do not: sim/ramp.h */
    int ramp_column;   /* not compressible: the method's column pd_ramp_column */
} pd_density_law;

struct pd_method {
    pd_method_info info;
    size_t state_size;        /* bytes of the private state, zeroed before init */
    const pd_column *columns; /* what it keeps of each particle from one substep to the next */
    int column_count;
    const pd_density_law *law; /* NULL: its particles are tracers */
    /* The world has its scene, boundary and this method's parameters; its particles may be another method's, or not there. On
     * an error `destroy` follows. */
    pd_result (*init)(pd_world *world, void *state, pd_error *error);
    /* Room for this many particles, after init and whenever the capacity grows. On an error the state is as before. */
    pd_result (*resize)(void *state, int capacity, pd_error *error);
    /* before: the method that moved the particles so far, whose state is gone; NULL: they are at the scene's beginning. */
    void (*start)(pd_world *world, void *state, const pd_method *before);
    void (*reset)(pd_world *world, void *state);
    /* Returns how many limits of the substep were written, at most PD_MAX_COSTS; the shortest holds. */
    int (*substep_limits)(const pd_world *world, const void *state, pd_substep_limit *limits);
    void (*step)(pd_world *world, void *state, float dt);
    /* The density error before each iteration of the last substep and after the last one. */
    int (*convergence)(const void *state, const float **errors);
    /* Fills what only the method knows of a view and costs nothing: rest density, radius. */
    void (*view)(const pd_world *world, const void *state, pd_view *view);
    /* Fills values, legend and grid of info.fields[index]: with an array of its own, or with pd_field_buffer (sim/view.h). */
    void (*field)(const pd_world *world, void *state, int index, pd_field *field);
    /* The value of info.numbers[index]. */
    double (*number)(const pd_world *world, void *state, int index);
    void (*serialize)(pd_world *world, void *state, pd_archive *archive);
    void (*destroy)(void *state);
};

/* By index, in the order of pd_method_at (methods/methods.c). */
const pd_method *pd_method_table(int index);
/* Appends one to the list, for tests and programs that bring their own; it must live as long as the program. Call before
 * worlds are made; false: the list is full, or has one of this name. */
bool pd_method_add(const pd_method *method);

/* The running method's functions, with what holds where it has none. */
pd_result pd_method_init(pd_world *world, pd_error *error); /* allocates world->state first */
pd_result pd_method_resize(pd_world *world, int capacity, pd_error *error);
void pd_method_start(pd_world *world, const pd_method *before);
void pd_method_reset(pd_world *world);
int pd_method_substep_limits(const pd_world *world, pd_substep_limit limits[PD_MAX_COSTS]);
void pd_method_step(pd_world *world, float dt);
int pd_method_convergence(const pd_world *world, const float **errors);
void pd_method_describe(const pd_world *world, pd_view *view);
void pd_method_field(const pd_world *world, int index, pd_field *field);
double pd_method_number(const pd_world *world, int index);
void pd_method_serialize(pd_world *world, pd_archive *archive);
/* Frees a state that may be NULL. */
void pd_method_destroy(const pd_method *method, void *state);
/* Particles per area of a density in the method's measure, and back; 0 where it has no law. */
float pd_method_particles_per_area(const pd_method *method, const float *parameter, float density);
float pd_method_density_of(const pd_method *method, const float *parameter, float particles_per_area);
bool pd_method_compressible(const pd_method *method);

#endif
