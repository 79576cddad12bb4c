/* Table of the parameters of double density relaxation. */
#include "methods/ddr/ddr.h"

#include "scene/properties.h"

const pd_parameter pd_ddr_parameters[DDR_PARAMETERS] = {
    [DDR_RADIUS] = {"radius", "Interaction radius", "m",
                    "Radius of interaction: particles that are closer act on each other",
                    "Clavet et al. 2005, h. Kuepers: 2.091 in a circle of 22.33", .scale = PD_SCALE_LOGARITHMIC,
                    .default_value = 0.0936f, .minimum = 1e-4f, .maximum = 100,
                    .follows = {.resolution = 1, .length = 1}},
    [DDR_STIFFNESS] = {"stiffness", "Stiffness", "m/s²",
                       "How hard the fluid pushes back when it is squeezed: higher is harder to compress",
                       "Clavet et al. 2005, k. Kuepers: 35", .scale = PD_SCALE_LOGARITHMIC, .default_value = 40,
                       .minimum = 0.01f, .maximum = 10000,
                       .follows = {.resolution = -1, .length = 1, .time = -2, .speed = 2},
                       .with_tension = {.factor = 1.8f, .spacing = 2, .mass = 1}},
    [DDR_NEAR_STIFFNESS] =
        {"near_stiffness", "Near stiffness", "m/s²",
         "Strength of the repulsion between close particles: keeps particles apart, makes surface tension",
         "Clavet et al. 2005, k near. Kuepers: 100", .scale = PD_SCALE_LOGARITHMIC, .default_value = 11,
         .minimum = 0.01f, .maximum = 10000, .follows = {.resolution = -1, .length = 1, .time = -2, .speed = 2},
         .with_tension = {.factor = 0.33f, .spacing = 2, .mass = 1}},
    [DDR_REST_DENSITY] = {"rest_density", "Rest density", "",
                          "Density at which the pressure is zero: sum of (1 - r/h)² over the neighbours, h: radius",
                          "Clavet et al. 2005, rho 0. Kuepers: 5", .default_value = 3.31f, .minimum = 0.5f,
                          .maximum = 50},
    [DDR_LINEAR_VISCOSITY] = {PD_VISCOSITY_PARAMETER},
    [DDR_QUADRATIC_VISCOSITY] =
        {"quadratic_viscosity", "Quadratic viscosity", "1/m",
         "Damping of approaching particles, proportional to their squared relative speed: slow flow stays thin",
         "Clavet et al. 2005, algorithm 5, beta", .scale = PD_SCALE_LOGARITHMIC, .maximum = 1000},
    [DDR_SPRING_STIFFNESS] = {PD_ELASTICITY_PARAMETER},
    [DDR_PLASTICITY] = {PD_PLASTICITY_PARAMETER},
    [DDR_YIELD] = {PD_YIELD_PARAMETER},
    [DDR_STICKINESS] = {PD_STICKINESS_PARAMETER},
    [DDR_STICK_DISTANCE] = {PARTICLE_STICK_DISTANCE_PARAMETER},
    [DDR_ANTI_STICK] =
        {"anti_stick", "Wall repulsion", "1/s",
         "Speed at which walls repel particles, in radii per second; with wall_density above 0 particles jitter",
         "Kuepers, bonus step. There: 1, with walls without weight", .maximum = 10},
    [DDR_EQUAL_WEIGHT] =
        {"equal_weight", "Equal weight", "",
         "On: all materials weigh the same, and a heavy one is only harder to move. Off: heavy materials sink",
         "Kuepers' program, which divides gravity by mass", .type = PD_PARAMETER_BOOLEAN, .default_value = 1,
         .maximum = 1},
    [DDR_WALL_DENSITY] = {PARTICLE_WALL_DENSITY_PARAMETER("0 in Clavet et al. 2005 and Kuepers' article")},
    [DDR_SURFACE_TENSION] = {PD_TENSION_PARAMETER},
    [DDR_CONTACT_ANGLE] = {PD_CONTACT_ANGLE_PARAMETER},
};
