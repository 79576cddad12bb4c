#include "methods/method.h"

#include "core/error.h"

#include <string.h>

extern const pd_method pd_method_ddr, pd_method_sph, pd_method_pbf, pd_method_grid, pd_method_vortex;

/* The one list of methods, in the order of the keys 1 to 5. */
static const pd_method *const methods[] = {
    &pd_method_ddr, &pd_method_sph, &pd_method_pbf, &pd_method_grid, &pd_method_vortex,
};

int pd_method_count(void) { return (int)(sizeof methods / sizeof *methods); }

const pd_method *pd_method_table(int index) {
    PD_ASSERT(index >= 0 && index < pd_method_count());
    return methods[index];
}

const pd_method_info *pd_method_at(int index) { return &pd_method_table(index)->info; }

const pd_method_info *pd_method_find(const char *name) {
    for (int i = 0; i < pd_method_count(); i++)
        if (strcmp(methods[i]->info.name, name) == 0) return &methods[i]->info;
    return NULL;
}
