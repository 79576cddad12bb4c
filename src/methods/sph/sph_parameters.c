/* Table of the parameters of SPH. Defaults are for 1,500 particles in a circle of 1 m, with the rest spacing of double
 * density relaxation. The default stiffness gives a speed of sound of about sqrt(6 g L), g: gravity, L: length scale of
 * the scene (resolution.length). A pair uses the mean of two pressures, so the squared speed of sound is half the
 * stiffness. In deep fluid the length L p takes the place of L (pd_resolution_compute_load). */
#include "methods/sph/sph.h"

#include "scene/properties.h"

const pd_parameter pd_sph_parameters[SPH_PARAMETERS] = {
    [SPH_RADIUS] = {"radius", "Smoothing radius", "m",
                    "Radius of interaction: particles that are closer act on each other",
                    "Lague 2023, h of the kernels: 0.35, 0.2 and 0.175 in the scenes sph-a, sph-b and sph-c",
                    .scale = PD_SCALE_LOGARITHMIC, .default_value = 0.0936f, .minimum = 1e-4f, .maximum = 100,
                    .follows = {.resolution = 1, .length = 1}, .in_container = true},
    [SPH_REST_DENSITY] = {"rest_density", "Rest density", "1/m²",
                          "Density at which the pressure is zero, in particles per area",
                          "Lague 2023: 55 in sph-a, 234 in sph-b and sph-c", .scale = PD_SCALE_LOGARITHMIC,
                          .default_value = 880, .minimum = 0.1f, .maximum = 1e7f,
                          .follows = {.resolution = -2, .length = -2}},
    [SPH_STIFFNESS] = {"stiffness", "Stiffness", "m²/s²",
                       "How hard the fluid pushes back when it is squeezed: higher is harder to compress",
                       "Lague 2023: 500 in sph-a, 225 in sph-b and sph-c", .scale = PD_SCALE_LOGARITHMIC,
                       .default_value = 34, .minimum = 0.01f, .maximum = 1e5f,
                       .follows = {.length = 2, .time = -2, .speed = 2}, .with_tension = {.factor = 38, .spacing = 1}},
    [SPH_NEAR_STIFFNESS] =
        {"near_stiffness", "Near stiffness", "m²/s²",
         "Strength of the repulsion between close particles: keeps particles apart where the density is low",
         "Lague 2023: 5 in sph-a and sph-c, 18 in sph-b", .scale = PD_SCALE_LOGARITHMIC, .default_value = 0.85f,
         .minimum = 0.001f, .maximum = 1e4f, .follows = {.length = 2, .time = -2, .speed = 2},
         .with_tension = {.factor = 0.95f, .spacing = 1}},
    [SPH_VISCOSITY] = {"viscosity", "Viscosity", "m²/s",
                       "Strength with which the velocities of neighbours become equal: higher is thicker",
                       "Lague 2023: 0.03", .scale = PD_SCALE_LOGARITHMIC, .default_value = 0.003f, .maximum = 10,
                       .follows = {.length = 2, .time = -1, .speed = 2}},
    [SPH_DAMPING] = {"damping", "Collision damping", "",
                     "Part of the speed that a particle keeps when it bounces off a wall", "Lague 2023: 0.5 to 0.95",
                     .default_value = 0.5f, .maximum = 1},
    [SPH_PREDICTION] = {"prediction", "Prediction", "s",
                        "Time by which positions are predicted before densities are computed: higher is calmer",
                        "Lague 2023: 1/120 s", .scale = PD_SCALE_LOGARITHMIC, .default_value = 1.0f / 120,
                        .maximum = 0.1f, .follows = {.resolution = 1, .time = 1, .speed = -1}},
    [SPH_TOOL_STRENGTH] = {"tool_strength", "Pointer strength", "m/s²",
                           "Acceleration by the tools push and pull, at the pointer",
                           "Lague 2023: 75 to 90, at a radius of 2 to 2.5 m", .scale = PD_SCALE_LOGARITHMIC,
                           .default_value = 10.6f, .minimum = 0.01f, .maximum = 1e5f,
                           .follows = {.length = 1, .time = -2}},
    [SPH_WALL_DENSITY] = {PARTICLE_WALL_DENSITY_PARAMETER("Lague 2023: 0")},
    [SPH_SURFACE_TENSION] = {PD_TENSION_PARAMETER},
    [SPH_CONTACT_ANGLE] = {PD_CONTACT_ANGLE_PARAMETER},
    [SPH_SPRING_STIFFNESS] = {PD_ELASTICITY_PARAMETER},
    [SPH_PLASTICITY] = {PD_PLASTICITY_PARAMETER},
    [SPH_YIELD] = {PD_YIELD_PARAMETER},
    [SPH_STICKINESS] = {PD_STICKINESS_PARAMETER},
    [SPH_STICK_DISTANCE] = {PARTICLE_STICK_DISTANCE_PARAMETER},
};
