/* Table of the reference forms. */
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

/* Defines the functions of a reference form with an untyped pointer, for the table. */
#define FORM(name)                                                                                                     \
    static pd_result create_##name(void **created, const pd_world *world, pd_error *error) {                           \
        reference_##name *own = NULL;                                                                                  \
        pd_result result = reference_##name##_create(&own, world, error);                                              \
        *created = own;                                                                                                \
        return result;                                                                                                 \
    }                                                                                                                  \
    static void destroy_##name(void *own) { reference_##name##_destroy(own); }                                         \
    static void step_##name(void *own, double dt) { reference_##name##_step(own, dt); }
FORM(ddr)
FORM(sph)
FORM(pbf)
FORM(grid_fluid)
FORM(flip)
FORM(vortex)

static double share_of_vortex(const void *own) { return reference_vortex_share(own); }

/* Reference form of a method. */
typedef struct form {
    const char *method, *text;
    pd_result (*create)(void **created, const pd_world *world, pd_error *error);
    void (*destroy)(void *own);
    void (*step)(void *own, double dt);
    double (*share)(const void *own); /* see reference_moved_fraction; NULL: 1 */
} form;

#define FUNCTIONS(name) create_##name, destroy_##name, step_##name
static const form forms[] = {
    {"ddr", "plain scalar sequential form", FUNCTIONS(ddr)},
    {"sph", "plain scalar form", FUNCTIONS(sph)},
    {"pbf", "plain scalar form", FUNCTIONS(pbf)},
    {"grid", "plain scalar sequential form with 40 sweeps of Gauss-Seidel", FUNCTIONS(grid_fluid)},
    {"flip", "plain scalar form", FUNCTIONS(flip)},
    {"vortex", "plain scalar form with sums over all pairs, without forces", FUNCTIONS(vortex), share_of_vortex},
};

struct reference {
    const form *form;
    void *own;
};

static const form *form_of(const char *method) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].method, method) == 0) return &forms[i];
    return NULL;
}

const char *reference_form(const char *method) {
    const form *found = form_of(method);
    return found ? found->text : NULL;
}

pd_result reference_create(reference **created, const pd_world *world, pd_error *error) {
    *created = NULL;
    reference *r = calloc(1, sizeof *r);
    if (!r) return pd_fail_memory(error, "the reference");
    r->form = form_of(pd_world_method(world)->name);
    PD_ASSERT(r->form);
    pd_result result = r->form->create(&r->own, world, error);
    if (result == PD_OK)
        *created = r;
    else
        free(r);
    return result;
}

void reference_destroy(reference *r) {
    if (!r) return;
    r->form->destroy(r->own);
    free(r);
}

double reference_moved_fraction(const reference *r) { return r->form->share ? r->form->share(r->own) : 1; }

void reference_step(reference *r, double dt) { r->form->step(r->own, dt); }
