/* Calm: speed limits of particles near newly poured fluid, for methods whose particles carry the fluid.
 *
 * Poured particles have the rest density. But at the edge of a stroke, cohesion would pull them together and towards
 * other fluid within two substeps, faster than fluid ever flows: each click would splash. So for PD_POURED_STEPS steps
 * each particle in or near the stroke gets the speed limit max(speed + gravity x dt, 0.12 sqrt(g L)), sqrt(g L):
 * characteristic speed (pd_resolution). */
#ifndef PUDDLE_SIM_TOOLS_CALM_H
#define PUDDLE_SIM_TOOLS_CALM_H

#include <puddle/world.h>

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
