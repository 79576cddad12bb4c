/* Parameters of the vortex particles. */
#include "methods/vortex/vortex.h"

const pd_parameter pd_vortex_parameters[VORTEX_PARAMETERS] = {
    [VORTEX_CORE] = {"core", "Core radius", "m",
                     "Core radius of a vorton; initial vortons are core/1.4 apart, at most 512 across the container",
                     "", .scale = PD_SCALE_LOGARITHMIC, .default_value = 0.05f, .minimum = 1e-4f, .maximum = 10,
                     .follows = {.length = 1}, .in_container = true, .rebuilds = true},
    [VORTEX_SOLVER] = {"solver", "Velocity solver", "",
                       "Solver of the velocity: direct sum over all pairs, or a tree of multipoles for many vortons",
                       "Greengard, Rokhlin 1987", .type = PD_PARAMETER_CHOICE, .default_value = PD_INDUCTION_TREE,
                       .maximum = 1, .choices = "direct|tree"},
    [VORTEX_TOLERANCE] = {"tolerance", "Tolerance", "", "Root mean square error of the tree, relative to the velocity",
                          "", .scale = PD_SCALE_LOGARITHMIC, .default_value = 1e-3f, .minimum = 1e-6f, .maximum = 0.1f},
    [VORTEX_AMBIENT_DENSITY] =
        {"ambient_density", "Ambient density", "1,000 kg/m³",
         "Density of the ambient fluid; the density of a region is the deviation from this value",
         "Boussinesq approximation", .scale = PD_SCALE_LOGARITHMIC, .default_value = 1, .minimum = 1e-3f,
         .maximum = 1e5f},
    [VORTEX_AMBIENT] =
        {"ambient", "Ambient mass", "",
         "Mass of the ambient fluid, relative as the mass of materials; fluid already present changes at a "
         "reset",
         "", .default_value = 0.5f, .maximum = 10, .at_reset = true},
    [VORTEX_BUOYANCY] =
        {"buoyancy", "Buoyancy", "",
         "Buoyancy factor: multiplies gravity for fluid whose density deviates from the ambient density",
         "Boussinesq approximation", .default_value = 1, .maximum = 10},
    [VORTEX_VISCOSITY] =
        {"viscosity", "Viscosity", "m²/s",
         "Kinematic viscosity: vorticity spreads between neighbouring vortons; cores of single vortons grow",
         "Degond, Mas-Gallic 1989", .scale = PD_SCALE_LOGARITHMIC, .maximum = 10},
    [VORTEX_TRACERS] = {"tracers", "Tracers", "",
                        "Number of tracer particles in a scene without regions; takes effect at a reset", "",
                        .type = PD_PARAMETER_INTEGER, .scale = PD_SCALE_LOGARITHMIC, .default_value = 20000,
                        .maximum = 1000000, .rebuilds = true, .at_reset = true},
};
