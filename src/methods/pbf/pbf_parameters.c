/* Table of the parameters of position based fluids. Defaults are for 1,500 particles in a circle of 1 m, with the rest
 * spacing of double density relaxation. Where the paper gives a value for a radius of about 1 m, this table has it in
 * units of the radius h. */
#include "methods/pbf/pbf.h"

#include "scene/properties.h"

const pd_parameter pd_pbf_parameters[PBF_PARAMETERS] = {
    [PBF_RADIUS] = {"radius", "Kernel radius", "m",
                    "Radius of interaction: particles that are closer act on each other", "Macklin, Müller 2013, h",
                    .scale = PD_SCALE_LOGARITHMIC, .default_value = 0.0936f, .minimum = 1e-4f, .maximum = 100,
                    .follows = {.resolution = 1, .length = 1}, .in_container = true},
    /* Default: density by the spiky kernel in a hexagonal lattice of 861 particles/m^2. */
    [PBF_REST_DENSITY] = {"rest_density", "Rest density", "1/m²",
                          "Density that the constraint enforces, in particles per area",
                          "Macklin, Müller 2013, eq. 1, rho 0", .scale = PD_SCALE_LOGARITHMIC, .default_value = 950,
                          .minimum = 0.01f, .maximum = 1e7f, .follows = {.resolution = -2, .length = -2}},
    [PBF_RELAXATION] = {"relaxation", "Relaxation", "1/h²",
                        "Softening of the constraint where particles have few neighbours: higher is calmer and softer",
                        "Macklin, Müller 2013, eq. 11, epsilon", .scale = PD_SCALE_LOGARITHMIC, .default_value = 5,
                        .minimum = 0.01f, .maximum = 1e5f},
    [PBF_ITERATIONS] = {"iterations", "Iterations", "",
                        "Iterations of the solver per substep: more give a smaller density error",
                        "Macklin, Müller 2013, algorithm 1; 2 to 10", .type = PD_PARAMETER_INTEGER, .default_value = 4,
                        .minimum = 1, .maximum = PBF_MOST_ITERATIONS},
    [PBF_SCORR_STRENGTH] = {"scorr_strength", "Artificial pressure", "h²",
                            "Strength of the artificial pressure, which prevents clumps of particles",
                            "Macklin, Müller 2013, eq. 13, k; 0.001 to 0.1", .scale = PD_SCALE_LOGARITHMIC,
                            .default_value = 0.012f, .maximum = 1},
    [PBF_SCORR_EXPONENT] =
        {"scorr_exponent", "Pressure exponent", "",
         "Exponent of the artificial pressure: higher rises more sharply when particles are close",
         "Macklin, Müller 2013, eq. 13, n; 4 there, which stiffens the fluid at its spacing of 0.36 h",
         .type = PD_PARAMETER_INTEGER, .default_value = 8, .minimum = 1, .maximum = 8},
    [PBF_SCORR_DISTANCE] = {"scorr_distance", "Pressure distance", "h",
                            "Distance of two particles at which the artificial pressure equals its strength",
                            "Macklin, Müller 2013, eq. 13, delta q; 0.1 to 0.3", .default_value = 0.1f,
                            .minimum = 0.05f, .maximum = 0.9f},
    [PBF_COHESION] = {"cohesion", "Cohesion", "",
                      "On: the constraint also attracts particles; off: the constraint is clamped and only repels",
                      "Macklin, Müller 2013, section 4", .type = PD_PARAMETER_BOOLEAN, .default_value = 1,
                      .maximum = 1},
    [PBF_XSPH] = {"xsph", "XSPH viscosity", "",
                  "XSPH viscosity: part of the velocity difference between neighbours that vanishes in 1/60 s",
                  "Macklin, Müller 2013, eq. 17, c; 0.01", .default_value = 0.01f, .maximum = 1,
                  .follows = {.speed = 2}},
    [PBF_VORTICITY] = {"vorticity", "Vorticity", "m/s",
                       "Vorticity confinement: restores vortices that the solver smooths away",
                       "Macklin, Müller 2013, eq. 16, epsilon", .maximum = 10},
    [PBF_KERNEL] = {"kernel", "Density kernel", "",
                    "Kernel of the density: spiky, like that of the gradient, or poly6 as in the paper (pools "
                    "do not come to rest)",
                    "Macklin, Müller 2013, section 3: poly6", .type = PD_PARAMETER_CHOICE, .maximum = 1,
                    .choices = "spiky|poly6"},
    [PBF_WALL_DENSITY] = {PARTICLE_WALL_DENSITY_PARAMETER("0 in Macklin, Müller 2013")},
    [PBF_SURFACE_TENSION] = {PD_TENSION_PARAMETER},
    [PBF_SPRING_STIFFNESS] = {PD_ELASTICITY_PARAMETER},
    [PBF_PLASTICITY] = {PD_PLASTICITY_PARAMETER},
    [PBF_YIELD] = {PD_YIELD_PARAMETER},
    [PBF_STICKINESS] = {PD_STICKINESS_PARAMETER},
    [PBF_STICK_DISTANCE] = {PARTICLE_STICK_DISTANCE_PARAMETER},
};
