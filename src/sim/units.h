/* Units of public quantities: SI, per metre of depth. A material of mass 1 has the density 1,000 kg/m^3 at rest.
 *
 * Inside the library, masses are those of materials, without a unit. Statistics, impulses and fields are converted to SI
 * units. */
#ifndef PUDDLE_SIM_UNITS_H
#define PUDDLE_SIM_UNITS_H

#include "sim/world.h"

/* Density at rest of a material whose mass is 1, kg/m^3. */
static const double PD_DENSITY_OF_MASS_1 = 1000;

/* Returns the mass of a particle of a material of mass 1, kg/m: density at rest x pd_view.spacing^2. */
static inline double pd_units_particle_mass(const pd_world *world) {
    double spacing = (double)world->resolution.spacing;
    return PD_DENSITY_OF_MASS_1 * spacing * spacing;
}

#endif
