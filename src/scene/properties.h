/* Parameters that describe the properties of materials, for the table of properties and for the methods' tables. */
#ifndef PUDDLE_SCENE_PROPERTIES_H
#define PUDDLE_SCENE_PROPERTIES_H

#include <puddle/parameter.h>

#define PD_VISCOSITY_PARAMETER                                                                                         \
    "linear_viscosity", "Linear viscosity", "1/s",                                                                     \
        "Damping of approaching particles, proportional to their relative speed: higher is thicker",                   \
        "Clavet et al. 2005, algorithm 5, sigma", .scale = PD_SCALE_LOGARITHMIC, .default_value = 4, .maximum = 10000, \
                                                  .follows = {.resolution = -2, .time = -1, .speed = 2}
#define PD_ELASTICITY_PARAMETER                                                                                        \
    "spring_stiffness", "Spring stiffness", "1/s²",                                                                    \
        "Stiffness of springs between neighbours, which restore the shape of the fluid; 0: no springs",                \
        "Clavet et al. 2005, algorithm 6, k spring", .scale = PD_SCALE_LOGARITHMIC, .maximum = 1e6f,                   \
                                                     .follows = {.resolution = -2, .time = -2}
#define PD_PLASTICITY_PARAMETER                                                                                        \
    "plasticity", "Plasticity", "1/s",                                                                                 \
        "Rate at which the rest length of a spring adapts to a deformation above the yield; 0: purely elastic",        \
        "Clavet et al. 2005, algorithm 4, alpha", .scale = PD_SCALE_LOGARITHMIC, .maximum = 1000,                      \
                                                  .follows = {.time = -1}
#define PD_YIELD_PARAMETER                                                                                             \
    "yield", "Yield", "", "Relative deformation up to which a spring is purely elastic",                               \
        "Clavet et al. 2005, algorithm 4, gamma; 0 to 0.2 there", .scale = PD_SCALE_LOGARITHMIC,                       \
                                                                  .default_value = 0.1f, .maximum = 10
#define PD_STICKINESS_PARAMETER                                                                                        \
    "stickiness", "Stickiness", "1/s²",                                                                                \
        "Strength with which walls and obstacles attract and slow near fluid; 0: no adhesion",                         \
        "Clavet et al. 2005, section 6.1, k stick", .scale = PD_SCALE_LOGARITHMIC, .maximum = 1e6f,                    \
                                                    .follows = {.resolution = -2, .time = -2}
#define PD_CONTACT_ANGLE_PARAMETER                                                                                     \
    "contact_angle", "Contact angle", "°",                                                                             \
        "Angle between a surface with surface tension and a wall, within the fluid: below 90 wets, above repels",      \
        "Young's equation; as He et al. 2014, with walls that count as a part of the fluid", .default_value = 90,      \
                                                                                             .maximum = 180
#define PD_TENSION_PARAMETER                                                                                           \
    "surface_tension", "Surface tension", "m³/s²",                                                                     \
        "Surface tension over density, the same at every resolution; 0: only that of the method itself",               \
        "He et al. 2014, as an energy of the gradient of density", .scale = PD_SCALE_LOGARITHMIC, .maximum = 10,       \
                                                                   .follows = {.length = 3, .time = -2}

#endif
