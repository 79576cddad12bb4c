/* Snapshot in memory of the state before a long step. */
#include "app/session/step_start.h"

#include <puddle/memory.h>

static const double LONG_STEP = 0.5; /* shortest step whose start is saved, s of wall time; quitting waits for others */

void pd_step_start_save(pd_step_start *start, const pd_world *world, double step_seconds) {
    pd_step_start_free(start);
    if (step_seconds > 0 && step_seconds < LONG_STEP) return;
    if (pd_world_save_to_memory(world, &start->bytes, &start->size, NULL) != PD_OK) *start = (pd_step_start){0};
}

bool pd_step_start_restore(pd_step_start *start, pd_world *world) {
    return start->bytes && pd_world_restore_from_memory(world, start->bytes, start->size, NULL) == PD_OK;
}

void pd_step_start_free(pd_step_start *start) {
    pd_memory_free(start->bytes);
    *start = (pd_step_start){0};
}
