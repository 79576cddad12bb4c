/* What the particle methods share: external forces, separation of coincident particles, speed limits, and the
 * correction of momentum errors from rounding. */
#ifndef PUDDLE_METHODS_PARTICLE_FLUID_MOTION_H
#define PUDDLE_METHODS_PARTICLE_FLUID_MOTION_H

#include "sim/walls/walls.h"

enum { PD_MOTION_GRAIN = 2048 }; /* particles to a chunk of parallel work */

/* The data of one substep, shared by a method's loop bodies. */
typedef struct pd_motion {
    pd_world *world;
    float dt;
    float radius;  /* interaction radius, m */
    float fastest; /* m/s: speeds are clamped to this */
    pd_tool_field tool;
    float inverse_mass[PD_MAX_MATERIALS];
    float weight[PD_MAX_MATERIALS]; /* factor on gravity */
    float drift_x, drift_y;         /* m/s: mean velocity error of all particles by rounding (pd_motion_drift) */
} pd_motion;

pd_motion pd_motion_begin(pd_world *world, float radius, float dt);

/* The speed of the fastest particle, m/s. */
float pd_motion_fastest(const pd_world *world);

/* The limit of the substep by the greatest speed of a particle or a wall (at most one radius per substep). The number
 * of substeps that it causes is bounded, so that a fast pointer cannot freeze the window. */
pd_substep_limit pd_motion_limit(const pd_world *world, float radius);

/* Apply external forces (gravity and tool) to the velocities of particles [begin, end), and clamp these. */
void pd_motion_apply_external_forces(const pd_motion *motion, int begin, int end);

/* Coincident particles have no direction between them, so forces would never separate them: displaces those among the
 * sorted particles [begin, end) by 1e-3 radii at most, in a direction that depends on their ids alone. */
void pd_motion_separate_coincident(const pd_motion *motion, int begin, int end);

/* Sets motion->drift_x and drift_y, for methods that derive velocities from displacements. Displacements are small
 * compared with positions, and adding the two loses bits. Interactions of pairs conserve momentum, so the total error
 * is known: the momentum of all displacements but those by walls, minus that of the velocities before. sums: working
 * memory, three for each PD_MOTION_GRAIN particles. */
void pd_motion_drift(pd_motion *motion, const pd_walls *walls, double *sums);

/* A wall gets the momentum of the velocity (vx, vy), m/s, that particle i loses to it. For loops over chunks of `grain` particles
 * (pd_impulse_grain); begin: that of the chunk. */
void pd_motion_react(const pd_motion *motion, int begin, int grain, int i, int wall, float vx, float vy);

#endif
