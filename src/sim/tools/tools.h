/* Tools of the pointer: acceleration of particles, pouring and erasing. */
#ifndef PUDDLE_SIM_TOOLS_TOOLS_H
#define PUDDLE_SIM_TOOLS_TOOLS_H

#include <puddle/world.h>

/* Stroke of the pour tool in a step that added particles; radius 0: none. */
typedef struct pd_poured {
    pd_vec2 from, to;
    float radius; /* m */
} pd_poured;
enum { PD_POURED_STEPS = 8 }; /* steps for which poured fluid is calmed */

/* Pours or erases along the tool's stroke of a whole step, before the substeps. */
void pd_world_pour_or_erase(pd_world *world);

/* Tool during one substep: accelerations and target velocities. */
typedef struct pd_tool_field {
    pd_tool_kind kind;
    float x, y;                   /* position of the pointer, m */
    float radius, inverse_radius; /* m, 1/m */
    float strength;               /* acceleration of a push, m/s^2; speed of a pull, m/s */
    float target_vx, target_vy;
    float blend; /* share of the velocity difference that drag and pull remove in this substep at the pointer, [0, 1] */
    bool attracts;   /* push and pull are accelerations (pd_tool_field_attract) */
    pd_vec2 gravity; /* gravity that a pull compensates, m/s^2 */
} pd_tool_field;
pd_tool_field pd_tool_field_of(const pd_world *world, float dt);
/* Sets push and pull as in Lague's simulation: an acceleration of this strength (m/s^2) at the pointer, which decreases
 * to 0 at the tool's radius, with damping. A pull also compensates gravity. */
void pd_tool_field_attract(const pd_world *world, pd_tool_field *field, float strength);
void pd_tool_change_velocity(const pd_tool_field *field, float dt, float inverse_mass, float x, float y, float *vx,
                             float *vy);

#endif
