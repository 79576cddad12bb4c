/* Units of what leaves the library: SI, per metre of depth. A material of mass 1 weighs 1,000 kg/m^3 at rest.
 *
 * Inside the library masses are those of the materials, without a unit. Statistics, impulses and fields are converted where
 * they leave it. */
#ifndef PUDDLE_SIM_UNITS_H
#define PUDDLE_SIM_UNITS_H

#include "sim/world.h"

/* Density at rest of a material of mass 1, kg/m^3. */
static const double PD_DENSITY_OF_MASS_1 = 1000;

/* Mass of a particle whose material has the mass 1, kg/m: its density at rest times the area of a particle at rest, the
 * square of pd_view.spacing. */
static inline double pd_units_particle_mass(const pd_world *world) {
    double spacing = (double)world->resolution.spacing;
    return PD_DENSITY_OF_MASS_1 * spacing * spacing;
}

#endif
