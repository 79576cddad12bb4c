/* Tables of fluid at rest: see rest_table.h. */
#include "sim/particles/rest_table.h"

#include <math.h>

void pd_rest_table_fill(pd_rest_table *table, const pd_world *world, float mass, float greatest_pressure) {
    table->step = greatest_pressure / (PD_REST_TABLE_ROWS - 1);
    for (int k = 0; k < PD_REST_TABLE_ROWS; k++)
        table->row[k] = pd_method_find_fluid_at_rest(world, mass, (float)k * table->step);
}

pd_fluid_at_rest pd_rest_table_find(const pd_rest_table *table, float pressure) {
    float at = table->step > 0 ? fminf(fmaxf(pressure / table->step, 0), PD_REST_TABLE_ROWS - 1) : 0;
    int k = at < PD_REST_TABLE_ROWS - 2 ? (int)at : PD_REST_TABLE_ROWS - 2;
    const pd_fluid_at_rest *a = &table->row[k], *b = a + 1;
    float fraction = at - (float)k;
    return (pd_fluid_at_rest){a->particles_per_area + fraction * (b->particles_per_area - a->particles_per_area),
                              a->density + fraction * (b->density - a->density)};
}
