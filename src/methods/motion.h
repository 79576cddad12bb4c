/* What the particle methods have in common: falling, coincident, what rounding does to momentum, the limit of speed. */
#ifndef PUDDLE_METHODS_MOTION_H
#define PUDDLE_METHODS_MOTION_H

#include "sim/world.h"

enum { PD_MOTION_GRAIN = 2048 }; /* particles to a chunk of parallel work */

/* One substep of a method, as its loops see it. */
typedef struct pd_motion {
    pd_world *world;
    float dt;
    float radius;  /* m, within which particles act on each other */
    float fastest; /* m/s: what would be faster is slowed */
    pd_tool_field tool;
    float inverse_mass[PD_MAX_MATERIALS];
    float weight[PD_MAX_MATERIALS]; /* part of gravity that a material feels */
    float drift_x, drift_y;         /* m/s that rounding gave to the whole fluid: pd_motion_drift */
} pd_motion;

pd_motion pd_motion_begin(pd_world *world, float radius, float dt);

/* The speed of the fastest particle, m/s. */
float pd_motion_fastest(const pd_world *world);

/* The limit of a substep that keeps what moves fastest within a radius, in at most so many substeps a step that a wild pointer
 * does not freeze the window. */
pd_substep_limit pd_motion_limit(const pd_world *world, float radius);

/* Gravity and tool change the velocities of particles [begin, end). */
void pd_motion_apply_external_forces(const pd_motion *motion, int begin, int end);

/* Two particles at the very same place have no direction between them, and would stay together for ever: those of sorted
 * particles [begin, end) get a nudge each that depends on their ids alone. */
void pd_motion_separate_coincident(const pd_motion *motion, int begin, int end);

/* For methods that take velocities from the way gone. Displacements are small beside positions, and adding the one to the other
 * loses bits. Pairs conserve momentum, so the sum of what was lost is known: what the particles moved in all, less what their
 * velocities said. sums: three for each PD_MOTION_GRAIN particles. */
void pd_motion_drift(pd_motion *motion, double *sums);

#endif
