/* Hexagonal lattices of particles: the model of fluid at rest, from which methods compute pressures and densities.
 *
 * The pressure is the virial of the forces F between pairs in 2-D (Hansen, McDonald, "Theory of Simple Liquids", ch. 2):
 *
 *     p = n/4 sum over the neighbours of r F(r),    n: particles per area
 *
 * Sums over a lattice replace sums over a particle's own neighbours, which are missing behind walls. */
#ifndef PUDDLE_METHODS_PARTICLE_FLUID_LATTICE_H
#define PUDDLE_METHODS_PARTICLE_FLUID_LATTICE_H

#include "sim/method.h"

/* Sums over the neighbours of a particle, with q = 1 - r/h. Lengths are in units of h. */
typedef struct lattice {
    float q2, q3;   /* sums of q^2 and q^3 */
    float rq, rq2;  /* sums of r q and r q^2 */
    float per_area; /* particles per h^2 */
} lattice;

/* Lattices of increasing density. The distance of next neighbours decreases from h to 0.06 h. */
enum { LATTICES = 128 };
typedef struct lattice_table {
    lattice row[LATTICES];
} lattice_table;

void pd_lattice_table_fill(lattice_table *table);
/* Returns the lattice with this sum of q^2, interpolated in the table. Sums outside the table are clamped to it. */
lattice pd_lattice_table_find(const lattice_table *table, float q2);

/* Returns the pressure of a lattice. */
typedef float lattice_pressure(const pd_world *world, const lattice *lattice);
/* Returns the lattice at a pressure >= 0. */
lattice pd_lattice_find_at_pressure(const pd_world *world, lattice_pressure *pressure_of, float pressure);

#endif
