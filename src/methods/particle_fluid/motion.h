/* Functions for the motion of particles, in the particle fluids and in FLIP: external forces, separation of coincident
 * particles, speed limits, and the correction of momentum errors by rounding. */
#ifndef PUDDLE_METHODS_PARTICLE_FLUID_MOTION_H
#define PUDDLE_METHODS_PARTICLE_FLUID_MOTION_H

#include "sim/walls/walls.h"

enum { PD_MOTION_GRAIN = 2048 }; /* particles in a chunk of parallel work */

/* Data of one substep. */
typedef struct pd_motion {
    pd_world *world;                        /* world whose particles are moved */
    float dt;                               /* substep, s */
    float radius;                           /* interaction radius, m */
    float speed_limit;                      /* speeds are clamped to this limit, m/s */
    pd_tool_field tool;                     /* the tool's effect in this substep */
    float inverse_mass[PD_MAX_MATERIALS];   /* by material: 1 / mass of a particle, 1/kg */
    float gravity_factor[PD_MAX_MATERIALS]; /* by material: factor on gravity */
    float drift_x, drift_y;                 /* mean error of all velocities by rounding, m/s */
} pd_motion;

/* Returns the data of a substep. radius: interaction radius, m. dt: length of the substep, s. */
pd_motion pd_motion_begin(pd_world *world, float radius, float dt);

/* Returns the greatest speed of a particle in the frame of the substep (sim/frame.h), m/s. */
float pd_motion_greatest_speed(const pd_world *world);

/* Returns the substep in which the fastest particle or wall moves by one radius, but at least 1/32 of a step. Without
 * this lower bound a fast pointer would freeze the window. */
pd_substep_limit pd_motion_substep_limit(const pd_world *world, float radius);

/* Writes a warning if a speed is at its limit. way: greatest way of a particle in a substep, m. Returns false if no speed
 * is. */
bool pd_motion_write_warning(const pd_world *world, float way, char *text, size_t size);

/* Changes the velocities of particles [begin, end) by gravity and the tool, and clamps the speeds. */
void pd_motion_apply_external_forces(const pd_motion *motion, int begin, int end);

/* Displaces coincident particles among the sorted particles [begin, end) by at most 1e-3 radii in x and in y, as their
 * ids determine. Forces would never separate coincident particles, because no direction leads from one to the other. */
void pd_motion_separate_coincident(const pd_motion *motion, int begin, int end);

/* Sets motion->drift_x and drift_y, for methods that derive velocities from displacements. Adding small displacements
 * to positions loses bits. Interactions of pairs conserve momentum, so the total error is known: the momentum of all
 * displacements except those by walls, minus the momentum before. sums: working memory, three values for each
 * PD_MOTION_GRAIN particles. */
void pd_motion_compute_drift(pd_motion *motion, const pd_walls *walls, double *sums);

/* Adds to a wall's impulse the momentum that particle i loses to the wall. (lost_vx, lost_vy): velocity that the
 * particle loses, m/s. chunk_begin: first particle of its chunk. grain: particles in a chunk (pd_impulse_chunk_size). */
void pd_motion_add_wall_impulse(const pd_motion *motion, int chunk_begin, int grain, int i, int wall, float lost_vx,
                                float lost_vy);

#endif
