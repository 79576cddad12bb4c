/* Sticky walls (Clavet, Beaudoin, Poulin 2005, section 6.1).
 *
 * Walls attract the particles of sticky materials that are nearer than the stick distance. The attraction of a particle at the
 * distance d is k d (1 - d/d_stick): 0 at the wall and at the stick distance, with its maximum halfway. Beyond the paper, walls
 * also damp the velocity along them, or thin films would accelerate along walls: at the wall with the rate sqrt(k), the angular
 * frequency of the attracting spring. Both are relative to the wall, so a moving one takes the fluid along, and both act on the
 * velocities at the beginning of a substep, in every method, before positions are predicted. */
#ifndef PUDDLE_METHODS_PARTICLE_FLUID_STICK_H
#define PUDDLE_METHODS_PARTICLE_FLUID_STICK_H

#include "methods/particle_fluid/motion.h"
#include "sim/method.h"

/* The limit of the substep by the stickiest of the scene's materials. parameter: index of the method's stickiness. */
pd_substep_limit stick_limit(const pd_world *world, int parameter);
/* Changes the velocities by the attraction and the damping in motion->dt; the walls get the opposite momentum. reach: the stick
 * distance, m. grain: particles in a chunk of the loop, for the impulses of the walls (pd_impulse_grain). */
void stick_apply(const pd_motion *motion, float reach, int grain);

/* The rows of the methods' tables. */
#define STICK_STICKINESS_PARAMETER                                                                                     \
    {                                                                                                                  \
        .key = "stickiness", .title = "Stickiness", .unit = "1/s²",                                                    \
        .help = "Strength with which walls and obstacles attract and slow near fluid; 0: no adhesion",                 \
        .source = "Clavet et al. 2005, section 6.1, k stick", .scale = PD_SCALE_LOGARITHMIC, .default_value = 0,       \
        .minimum = 0, .maximum = 1e6f, .follows = {                                                                    \
            .resolution = -2,                                                                                          \
            .time = -2                                                                                                 \
        }                                                                                                              \
    }
#define STICK_DISTANCE_PARAMETER                                                                                       \
    {                                                                                                                  \
        .key = "stick_distance", .title = "Stick distance", .unit = "m",                                               \
        .help = "Distance from a wall up to which stickiness acts",                                                    \
        .source = "Clavet et al. 2005, section 6.1, d stick; half a radius", .scale = PD_SCALE_LOGARITHMIC,            \
        .default_value = 0.0468f, .minimum = 1e-4f, .maximum = 100, .follows = {                                       \
            .resolution = 1,                                                                                           \
            .length = 1                                                                                                \
        }                                                                                                              \
    }

#endif
