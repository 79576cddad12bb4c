/* The pointer's tools: accelerations of particles, pouring and erasing. */
#ifndef PUDDLE_SIM_TOOLS_TOOLS_H
#define PUDDLE_SIM_TOOLS_TOOLS_H

#include <puddle/world.h>

/* The way of the pour tool in a step that added particles; radius 0: there was none. */
typedef struct pd_poured {
    pd_vec2 from, to;
    float radius; /* m */
} pd_poured;
enum { PD_POURED_STEPS = 8 }; /* for which fluid that was poured is calmed */

/* What the tools that pour and erase do in a step: before its substeps, along the whole way of the tool in it (pour.c). */
void pd_world_use_tool(pd_world *world);

/* The tool during one substep, as computed by pd_tool_field_of: accelerations and target velocities (tools.c). */
typedef struct pd_tool_field {
    pd_tool_kind kind;
    float x, y, radius, inverse_radius, strength; /* m, m, m, 1/m, m/s^2 */
    float target_vx, target_vy;
    float blend;     /* fraction of the velocity difference that drag and pull remove in this substep, at the pointer */
    bool attracts;   /* push and pull are accelerations: pd_tool_field_attract */
    pd_vec2 gravity; /* m/s^2: compensated by a pull */
} pd_tool_field;
pd_tool_field pd_tool_field_of(const pd_world *world, float dt);
/* Push and pull as in Lague's simulation: an acceleration of this strength (m/s^2) at the pointer that decreases to 0
 * at the tool's radius, with damping; a pull also compensates gravity. */
void pd_tool_field_attract(const pd_world *world, pd_tool_field *field, float strength);
void pd_tool_act(const pd_tool_field *field, float dt, float inverse_mass, float x, float y, float *vx, float *vy);

#endif
