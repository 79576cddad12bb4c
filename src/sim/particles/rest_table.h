/* States of fluid at rest (pd_fluid_at_rest) under many pressures, interpolated in a table. */
#ifndef PUDDLE_SIM_PARTICLES_REST_TABLE_H
#define PUDDLE_SIM_PARTICLES_REST_TABLE_H

#include "sim/method.h"

enum { PD_REST_TABLE_ROWS = 64 };
typedef struct pd_rest_table {
    float step; /* difference of pressure between two rows; row 0 has pressure 0 */
    pd_fluid_at_rest row[PD_REST_TABLE_ROWS];
} pd_rest_table;

/* Fills a table for particles of this mass and pressures from 0 to greatest_pressure, Pa / pd_units_particle_mass. */
void pd_rest_table_fill(pd_rest_table *table, const pd_world *world, float mass, float greatest_pressure);
/* Returns the state under a pressure. The pressure is clamped to the range of the table. */
pd_fluid_at_rest pd_rest_table_find(const pd_rest_table *table, float pressure);

#endif
