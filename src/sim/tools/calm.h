/* Calm around fluid that was just poured, for methods whose particles carry the fluid.
 *
 * Poured particles are at the rest density, but at their edge cohesion would draw them together and towards the fluid
 * beside them within two substeps, faster than they would ever flow, and draw that fluid to them: a click would splash.
 * So for some steps after particles were poured, nothing in that place and close to it gets faster than a limit, by more
 * than gravity makes it. What was faster before stays so. */
#ifndef PUDDLE_SIM_TOOLS_CALM_H
#define PUDDLE_SIM_TOOLS_CALM_H

#include <puddle/world.h>

/* What is calmed in a step, by id (sim/tools/calm.h). */
typedef struct pd_calm {
    struct pd_calm_particle *particle;
    int count, capacity;
    pd_vec2 low, high; /* m: a box around them */
} pd_calm;

/* For how many steps back, at most PD_POURED_STEPS, world->poured holds a place; 0: nothing is calmed. */
int pd_calm_steps(const pd_world *world);
/* Lists the particles to be calmed in the coming step; without memory for the list none are. Cost: one pass over the
 * particles, and sorting the listed ones by id. */
void pd_calm_list(pd_world *world);
/* After a substep of dt seconds: limits the way that the listed particles have made in it, and their speed. */
void pd_calm_hold(pd_world *world, float dt);

#endif
