/* Tools of the pointer: acceleration of particles, pouring and erasing. */
#ifndef PUDDLE_SIM_TOOLS_TOOLS_H
#define PUDDLE_SIM_TOOLS_TOOLS_H

#include <puddle/world.h>

/* Stroke of the pour tool in one step. */
typedef struct pd_poured {
    pd_vec2 from, to; /* start and end of the tool's path, m */
    float radius;     /* radius of the tool, m; 0: no particles were added in this step */
} pd_poured;
/* Number of steps for which particles near poured fluid have a speed limit. */
enum { PD_POURED_STEPS = 8 };

/* Adds particles (pour) or removes them (erase) along the tool's stroke of a whole step. Call before the substeps. */
void pd_world_pour_or_erase(pd_world *world);

/* Accelerations and target velocities around the tool in one substep. */
typedef struct pd_tool_field {
    pd_tool_kind kind;            /* push, pull, drag or none; painting is a drag */
    float x, y;                   /* position of the pointer, m */
    float radius, inverse_radius; /* m, 1/m */
    float strength;               /* acceleration of a push, m/s^2; speed of a pull, m/s */
    float target_vx, target_vy;   /* velocity of the tool, m/s */
    /* fraction of (target velocity - velocity) by which a drag or pull changes velocities at the pointer in a substep */
    float blend;
    bool uses_accelerations; /* push and pull are accelerations, as pd_tool_field_use_accelerations describes */
    pd_vec2 gravity;         /* gravity that a pull under uses_accelerations compensates, m/s^2; else 0 */
} pd_tool_field;
/* Returns the field of the world's tool in a substep of dt seconds. */
pd_tool_field pd_tool_field_compute(const pd_world *world, float dt);
/* Changes a field so that push and pull are damped accelerations, as in Lague's simulation: `strength` (m/s^2) at the
 * pointer, decreasing to 0 at the tool's radius. A pull compensates gravity too. */
void pd_tool_field_use_accelerations(const pd_world *world, pd_tool_field *field, float strength);
/* Changes the velocity (*vx, *vy) of fluid at (x, y) in a substep of dt seconds. inverse_mass: 1 / mass of the fluid's
 * material. */
void pd_tool_field_change_velocity(const pd_tool_field *field, float dt, float inverse_mass, float x, float y,
                                   float *vx, float *vy);

/* Calm: speed limits of particles near newly poured fluid, for methods whose particles carry the fluid.
 *
 * Poured particles have the rest density. But at the edge of a stroke, cohesion would pull them together and towards
 * other fluid within two substeps, faster than fluid ever flows: each click would splash. So for PD_POURED_STEPS steps
 * each particle in or near the stroke gets the speed limit max(speed + gravity x dt, 0.12 sqrt(g L)), sqrt(g L):
 * characteristic speed (pd_resolution). */

/* Particles with a speed limit in this step, sorted by id. */
typedef struct pd_calm {
    struct pd_calm_particle *particle; /* listed particles, sorted by id */
    int count, capacity;               /* number of listed particles, and number for which memory is allocated */
    pd_vec2 low, high; /* corners of the bounding box of the strokes and of the surroundings with speed limits, m */
} pd_calm;

/* Returns 1 + (number of steps since the oldest stroke in world->poured); 0: there is no stroke. */
int pd_calm_steps_to_oldest_stroke(const pd_world *world);
/* Lists the particles near strokes of the pour tool, with their speed limits, for the coming step. If memory runs out, the
 * list is short or empty. Cost: one pass over the particles, and a sort of the listed ones. */
void pd_calm_list_limited_particles(pd_world *world);
/* Limits displacement and speed of the listed particles after a substep of dt seconds. */
void pd_calm_limit_speeds(pd_world *world, float dt);

#endif
