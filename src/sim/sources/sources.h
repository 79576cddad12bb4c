/* Emitters, drains, and zones in which materials change. All act once a step. */
#ifndef PUDDLE_SIM_SOURCES_SOURCES_H
#define PUDDLE_SIM_SOURCES_SOURCES_H

#include <puddle/world.h>

/* Add, remove and change particles once a step. */
void pd_world_emit_particles(pd_world *world);
void pd_world_drain_particles(pd_world *world);
void pd_world_change_materials_in_zones(pd_world *world);

#endif
