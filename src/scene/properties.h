/* Parameters that describe the properties of materials, for the table of properties and for the methods' tables. */
#ifndef PUDDLE_SCENE_PROPERTIES_H
#define PUDDLE_SCENE_PROPERTIES_H

#include <puddle/parameter.h>

#define PD_VISCOSITY_PARAMETER                                                                                         \
    {                                                                                                                  \
        .key = "linear_viscosity", .title = "Linear viscosity", .unit = "1/s",                                         \
        .help = "Damping of approaching particles, proportional to their relative speed: higher is thicker",           \
        .source = "Clavet et al. 2005, algorithm 5, sigma", .scale = PD_SCALE_LOGARITHMIC, .default_value = 4,         \
        .minimum = 0, .maximum = 10000, .follows = {                                                                   \
            .resolution = -2,                                                                                          \
            .time = -1,                                                                                                \
            .speed = 2                                                                                                 \
        }                                                                                                              \
    }
#define PD_ELASTICITY_PARAMETER                                                                                        \
    {                                                                                                                  \
        .key = "spring_stiffness", .title = "Spring stiffness", .unit = "1/s²",                                        \
        .help = "Stiffness of springs between neighbours, which restore the shape of the fluid; 0: no springs",        \
        .source = "Clavet et al. 2005, algorithm 6, k spring", .scale = PD_SCALE_LOGARITHMIC, .default_value = 0,      \
        .minimum = 0, .maximum = 1e6f, .follows = {                                                                    \
            .resolution = -2,                                                                                          \
            .time = -2                                                                                                 \
        }                                                                                                              \
    }
#define PD_PLASTICITY_PARAMETER                                                                                        \
    {                                                                                                                  \
        .key = "plasticity", .title = "Plasticity", .unit = "1/s",                                                     \
        .help =                                                                                                        \
            "Rate at which the rest length of a spring adapts to a deformation above the yield; 0: purely elastic",    \
        .source = "Clavet et al. 2005, algorithm 4, alpha", .scale = PD_SCALE_LOGARITHMIC, .default_value = 0,         \
        .minimum = 0, .maximum = 1000, .follows = {                                                                    \
            .time = -1                                                                                                 \
        }                                                                                                              \
    }
#define PD_YIELD_PARAMETER                                                                                             \
    {                                                                                                                  \
        .key = "yield", .title = "Yield", .unit = "",                                                                  \
        .help = "Relative deformation up to which a spring is purely elastic",                                         \
        .source = "Clavet et al. 2005, algorithm 4, gamma; 0 to 0.2 there", .scale = PD_SCALE_LOGARITHMIC,             \
        .default_value = 0.1f, .minimum = 0, .maximum = 10                                                             \
    }
#define PD_STICKINESS_PARAMETER                                                                                        \
    {                                                                                                                  \
        .key = "stickiness", .title = "Stickiness", .unit = "1/s²",                                                    \
        .help = "Strength with which walls and obstacles attract and slow near fluid; 0: no adhesion",                 \
        .source = "Clavet et al. 2005, section 6.1, k stick", .scale = PD_SCALE_LOGARITHMIC, .default_value = 0,       \
        .minimum = 0, .maximum = 1e6f, .follows = {                                                                    \
            .resolution = -2,                                                                                          \
            .time = -2                                                                                                 \
        }                                                                                                              \
    }
#define PD_CONTACT_ANGLE_PARAMETER                                                                                     \
    {                                                                                                                  \
        .key = "contact_angle", .title = "Contact angle", .unit = "°",                                                 \
        .help =                                                                                                        \
            "Angle between a surface with surface tension and a wall, within the fluid: below 90 wets, above repels",  \
        .source = "Young's equation; as He et al. 2014, with walls that count as a part of the fluid",                 \
        .scale = PD_SCALE_LINEAR, .default_value = 90, .minimum = 0, .maximum = 180                                    \
    }
#define PD_TENSION_PARAMETER                                                                                           \
    {                                                                                                                  \
        .key = "surface_tension", .title = "Surface tension", .unit = "m³/s²",                                         \
        .help = "Surface tension over density, the same at every resolution; 0: only that of the method itself",       \
        .source = "He et al. 2014, as an energy of the gradient of density", .scale = PD_SCALE_LOGARITHMIC,            \
        .default_value = 0, .minimum = 0, .maximum = 10, .follows = {                                                  \
            .length = 3,                                                                                               \
            .time = -2                                                                                                 \
        }                                                                                                              \
    }

#endif
