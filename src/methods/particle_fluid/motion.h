/* Motion of the particles of the particle fluids and of FLIP: external forces, separation of coincident particles,
 * speed limits, and the correction of momentum errors from rounding. */
#ifndef PUDDLE_METHODS_PARTICLE_FLUID_MOTION_H
#define PUDDLE_METHODS_PARTICLE_FLUID_MOTION_H

#include "sim/walls/walls.h"

enum { PD_MOTION_GRAIN = 2048 }; /* particles in a chunk of parallel work */

/* Data of one substep. */
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

/* Returns the speed of the fastest particle, m/s. */
float pd_motion_fastest(const pd_world *world);

/* Returns the substep in which the fastest particle or wall moves by one radius. The limit has a lower bound, so that a
 * fast pointer cannot freeze the window. */
pd_substep_limit pd_motion_limit(const pd_world *world, float radius);

/* Adds gravity and tool to the velocities of particles [begin, end), and clamps the speeds. */
void pd_motion_apply_external_forces(const pd_motion *motion, int begin, int end);

/* Displaces coincident particles among the sorted particles [begin, end) by at most 1e-3 radii, in directions that
 * depend on their ids alone. Forces would never separate such particles, which have no direction between them. */
void pd_motion_separate_coincident(const pd_motion *motion, int begin, int end);

/* Sets motion->drift_x and drift_y, for methods that derive velocities from displacements. Displacements are small
 * compared with positions, and adding the two loses bits. Interactions of pairs conserve momentum. The total error is
 * therefore known: the momentum of all displacements except those by walls, minus the momentum before. sums: working
 * memory, three values for each PD_MOTION_GRAIN particles. */
void pd_motion_drift(pd_motion *motion, const pd_walls *walls, double *sums);

/* Adds to a wall's impulse the momentum that particle i loses to it. (vx, vy): lost velocity, m/s. begin: first
 * particle of its chunk of `grain` particles (pd_impulse_chunk_size). */
void pd_motion_react(const pd_motion *motion, int begin, int grain, int i, int wall, float vx, float vy);

#endif
