/* The table of reference forms. */
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

/* Exactly one member is set. */
struct reference {
    reference_ddr *ddr;
    reference_sph *sph;
    reference_pbf *pbf;
    reference_grid_fluid *grid;
    reference_flip *flip;
    reference_vortex *vortex;
};

const char *reference_form(const char *method) {
    if (strcmp(method, "ddr") == 0) return "plain scalar sequential form";
    if (strcmp(method, "sph") == 0 || strcmp(method, "pbf") == 0 || strcmp(method, "flip") == 0)
        return "plain scalar form";
    if (strcmp(method, "grid") == 0) return "plain scalar sequential form with 40 sweeps of Gauss-Seidel";
    if (strcmp(method, "vortex") == 0) return "plain scalar form with sums over all pairs, without forces";
    return NULL;
}

pd_result reference_create(reference **created, const pd_world *world, pd_error *error) {
    const char *method = pd_world_method(world)->name;
    *created = NULL;
    reference *r = calloc(1, sizeof *r);
    if (!r) return pd_fail_memory(error, "the reference");
    pd_result result;
    if (strcmp(method, "sph") == 0)
        result = reference_sph_create(&r->sph, world, error);
    else if (strcmp(method, "pbf") == 0)
        result = reference_pbf_create(&r->pbf, world, error);
    else if (strcmp(method, "grid") == 0)
        result = reference_grid_fluid_create(&r->grid, world, error);
    else if (strcmp(method, "flip") == 0)
        result = reference_flip_create(&r->flip, world, error);
    else if (strcmp(method, "vortex") == 0)
        result = reference_vortex_create(&r->vortex, world, error);
    else
        result = reference_ddr_create(&r->ddr, world, error);
    if (result == PD_OK)
        *created = r;
    else
        free(r);
    return result;
}

void reference_destroy(reference *r) {
    if (!r) return;
    reference_ddr_destroy(r->ddr);
    reference_sph_destroy(r->sph);
    reference_pbf_destroy(r->pbf);
    reference_grid_fluid_destroy(r->grid);
    reference_flip_destroy(r->flip);
    reference_vortex_destroy(r->vortex);
    free(r);
}

double reference_share(const reference *r) { return r->vortex ? reference_vortex_share(r->vortex) : 1; }

void reference_step(reference *r, double dt) {
    if (r->ddr) reference_ddr_step(r->ddr, dt);
    if (r->sph) reference_sph_step(r->sph, dt);
    if (r->pbf) reference_pbf_step(r->pbf, dt);
    if (r->grid) reference_grid_fluid_step(r->grid, dt);
    if (r->flip) reference_flip_step(r->flip, dt);
    if (r->vortex) reference_vortex_step(r->vortex, dt);
}
