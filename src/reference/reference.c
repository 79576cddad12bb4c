/* Table of the methods' reference implementations. */
#include "reference/reference.h"

#include "core/error.h"
#include "reference/ddr.h"
#include "reference/flip.h"
#include "reference/grid_fluid.h"
#include "reference/pbf.h"
#include "reference/sph.h"
#include "reference/vortex.h"

#include <stdlib.h>
#include <string.h>

/* Defines the functions of a reference implementation for the table, with a pointer to void for its struct. */
#define FORM(name)                                                                                                     \
    static pd_result create_##name(void **created, const pd_world *world, pd_error *error) {                           \
        reference_##name *state = NULL;                                                                                \
        pd_result result = reference_##name##_create(&state, world, error);                                            \
        *created = state;                                                                                              \
        return result;                                                                                                 \
    }                                                                                                                  \
    static void destroy_##name(void *state) { reference_##name##_destroy(state); }                                     \
    static void step_##name(void *state, double dt) { reference_##name##_step(state, dt); }
FORM(ddr)
FORM(sph)
FORM(pbf)
FORM(grid_fluid)
FORM(flip)
FORM(vortex)

static double vortex_moved_fraction(const void *state) { return reference_vortex_moved_fraction(state); }

/* Reference implementation of a method. */
typedef struct form {
    const char *method, *description; /* name of the method; description of the implementation */
    pd_result (*create)(void **created, const pd_world *world, pd_error *error);
    void (*destroy)(void *state);
    void (*step)(void *state, double dt);
    double (*moved_fraction)(const void *state); /* as reference_moved_fraction; NULL: all particles move */
} form;

#define FUNCTIONS(name) create_##name, destroy_##name, step_##name
static const form forms[] = {
    {"ddr", "plain scalar sequential form", FUNCTIONS(ddr)},
    {"sph", "plain scalar form", FUNCTIONS(sph)},
    {"pbf", "plain scalar form", FUNCTIONS(pbf)},
    {"grid", "plain scalar sequential form with 40 sweeps of Gauss-Seidel", FUNCTIONS(grid_fluid)},
    {"flip", "plain scalar form", FUNCTIONS(flip)},
    {"vortex", "plain scalar form with sums over all pairs, without forces", FUNCTIONS(vortex), vortex_moved_fraction},
};

struct reference {
    const form *form;
    void *state;
};

static const form *find_form(const char *method) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].method, method) == 0) return &forms[i];
    return NULL;
}

const char *reference_description(const char *method) {
    const form *found = find_form(method);
    return found ? found->description : NULL;
}

pd_result reference_create(reference **created, const pd_world *world, pd_error *error) {
    *created = NULL;
    reference *reference = calloc(1, sizeof *reference);
    if (!reference) return pd_fail_memory(error, "the reference");
    reference->form = find_form(pd_world_method(world)->name);
    PD_ASSERT(reference->form);
    pd_result result = reference->form->create(&reference->state, world, error);
    if (result == PD_OK)
        *created = reference;
    else
        free(reference);
    return result;
}

void reference_destroy(reference *reference) {
    if (!reference) return;
    reference->form->destroy(reference->state);
    free(reference);
}

double reference_moved_fraction(const reference *reference) {
    return reference->form->moved_fraction ? reference->form->moved_fraction(reference->state) : 1;
}

void reference_step(reference *reference, double dt) { reference->form->step(reference->state, dt); }
