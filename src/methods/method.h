/* The interface of a method: a constant table. Adding one is a file with such a table and a line in methods.c.
 *
 * A method sees the world's particles, neighbours and boundary, never a window. The world calls step once per substep,
 * with positions and velocities as the last substep left them and nothing yet applied. */
#ifndef PUDDLE_METHODS_METHOD_H
#define PUDDLE_METHODS_METHOD_H

#include <puddle/world.h>

typedef struct pd_archive pd_archive;

/* What limits the substep now. */
typedef struct pd_substep_limit {
    int parameter; /* index in the table; -1: speed */
    float value;   /* of the parameter, or m/s */
    float seconds; /* the longest substep that it allows */
} pd_substep_limit;

typedef struct pd_method {
    pd_method_info info;
    size_t state_size; /* bytes of the private state, zeroed before init */
    pd_result (*init)(pd_world *world, void *state, pd_error *error);
    /* Room for this many particles; called before init returns to the world and whenever the capacity grows. */
    pd_result (*resize)(void *state, int capacity, pd_error *error);
    /* Returns how many limits of the substep were written, at most PD_MAX_COSTS; the shortest holds. */
    int (*substep_limits)(const pd_world *world, const void *state, pd_substep_limit *limits);
    void (*step)(pd_world *world, void *state, float dt);
    /* Between the method's own measure of density and particles per area, 1/m^2; methods of particles have both. */
    float (*particles_per_area)(const pd_world *world, float density);
    float (*density_of)(const pd_world *world, float particles_per_area);
    bool compressible; /* compresses under its weight as the others do not: sim/change_method.c */
    /* The density error before each iteration of the last substep and after the last one; NULL: it does not iterate. */
    int (*convergence)(const void *state, const float **errors);
    /* Fills what only the method knows: pressure, rest density, radius. */
    void (*view)(const pd_world *world, void *state, pd_view *view);
    /* Reads or writes the private state that later steps depend on. */
    void (*serialize)(void *state, pd_archive *archive);
    void (*destroy)(void *state);
} pd_method;

/* By index, in the order of pd_method_at. */
const pd_method *pd_method_table(int index);

#endif
