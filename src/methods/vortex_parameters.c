/* Parameters of the vortex particles. */
#include "methods/vortex.h"

const pd_parameter vortex_parameters[VORTEX_PARAMETERS] = {
    [VORTEX_CORE] =
        {
            .key = "core",
            .title = "Core radius",
            .unit = "m",
            .help = "Radius over which a vorton's vorticity is spread; vortons lie core/1.4 apart, at most 512 across "
                    "the container",
            .source = "",
            .type = PD_PARAMETER_NUMBER,
            .scale = PD_SCALE_LOGARITHMIC,
            .default_value = 0.05f,
            .minimum = 1e-4f,
            .maximum = 10,
            .follows = {.length = 1},
            .in_container = true,
            .rebuilds = true,
        },
    [VORTEX_SOLVER] =
        {
            .key = "solver",
            .title = "Velocity solver",
            .unit = "",
            .help = "Sums over all pairs, or a tree of multipoles for many vortons",
            .source = "Greengard, Rokhlin 1987",
            .type = PD_PARAMETER_CHOICE,
            .scale = PD_SCALE_LINEAR,
            .default_value = PD_INDUCTION_TREE,
            .minimum = 0,
            .maximum = 1,
            .choices = "direct|tree",
        },
    [VORTEX_TOLERANCE] =
        {
            .key = "tolerance",
            .title = "Tolerance",
            .unit = "",
            .help = "Error of the tree (rms), relative to the velocity",
            .source = "",
            .type = PD_PARAMETER_NUMBER,
            .scale = PD_SCALE_LOGARITHMIC,
            .default_value = 1e-3f,
            .minimum = 1e-6f,
            .maximum = 0.1f,
        },
    [VORTEX_AMBIENT_DENSITY] =
        {
            .key = "ambient_density",
            .title = "Ambient density",
            .unit = "kg/m³",
            .help = "Density that a region's deviation is measured from",
            .source = "Boussinesq approximation",
            .type = PD_PARAMETER_NUMBER,
            .scale = PD_SCALE_LOGARITHMIC,
            .default_value = 1,
            .minimum = 1e-3f,
            .maximum = 1e5f,
        },
    [VORTEX_AMBIENT] =
        {
            .key = "ambient",
            .title = "Ambient mass",
            .unit = "",
            .help = "Mass of the fluid around, in the unit of the materials' mass: materials of a smaller mass rise; "
                    "for what is there from a reset on",
            .source = "",
            .type = PD_PARAMETER_NUMBER,
            .scale = PD_SCALE_LINEAR,
            .default_value = 0.5f,
            .minimum = 0,
            .maximum = 10,
            .at_reset = true,
        },
    [VORTEX_BUOYANCY] =
        {
            .key = "buoyancy",
            .title = "Buoyancy",
            .unit = "",
            .help = "Weight of what is heavier than the fluid around it: times gravity",
            .source = "Boussinesq approximation",
            .type = PD_PARAMETER_NUMBER,
            .scale = PD_SCALE_LINEAR,
            .default_value = 1,
            .minimum = 0,
            .maximum = 10,
        },
    [VORTEX_VISCOSITY] =
        {
            .key = "viscosity",
            .title = "Viscosity",
            .unit = "m²/s",
            .help = "Kinematic viscosity: neighbouring vortons exchange vorticity, single ones spread",
            .source = "Degond, Mas-Gallic 1989",
            .type = PD_PARAMETER_NUMBER,
            .scale = PD_SCALE_LOGARITHMIC,
            .default_value = 0,
            .minimum = 0,
            .maximum = 10,
        },
    [VORTEX_TRACERS] =
        {
            .key = "tracers",
            .title = "Tracers",
            .unit = "",
            .help = "Particles that show the flow where a scene has no fluid of its own; takes effect at a reset",
            .source = "",
            .type = PD_PARAMETER_INTEGER,
            .scale = PD_SCALE_LOGARITHMIC,
            .default_value = 20000,
            .minimum = 0,
            .maximum = 1000000,
            .rebuilds = true,
            .at_reset = true,
        },
};
