/* Validation of a world's state (the functions that save and restore states are in puddle/world.h). */
#ifndef PUDDLE_SIM_SNAPSHOT_H
#define PUDDLE_SIM_SNAPSHOT_H

#include <puddle/world.h>

/* Returns whether a snapshot of the present state can be loaded: its values are validated as values of a file are. Cost: a
 * pass over all particles, and over what the method saves. */
bool pd_world_has_valid_state(const pd_world *world);
/* Aborts in debug builds and in builds with a sanitizer if pd_world_has_valid_state(world) is false. */
void pd_world_assert_valid_state(const pd_world *world);

#endif
