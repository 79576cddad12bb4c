/* Fluid at rest, made once a build: the first test that needs a settled world makes the steps and keeps the state in the folder
 * $PUDDLE_SETTLED, and later ones restore it. A restored world is the world, bit for bit (test_restored.c). */
#ifndef PUDDLE_TESTS_SETTLED_H
#define PUDDLE_TESTS_SETTLED_H

#include "worlds.h"

#include "core/file.h"

/* Makes steps of a world without input, or restores the state that they lead to. */
static inline void settle(pd_world *world, int steps) {
    char path[600];
    void *bytes;
    size_t size;
    pd_error error;
    const char *folder = getenv("PUDDLE_SETTLED");
    snprintf(path, sizeof path, "%s/%016llx-%d.puddle", folder ? folder : "", (unsigned long long)pd_world_hash(world),
             steps);
    if (folder && pd_file_read(path, (size_t)1 << 30, &bytes, &size, NULL) == PD_OK) {
        must(pd_world_restore_from_memory(world, bytes, size, &error), &error);
        pd_memory_free(bytes);
        return;
    }
    step_many(world, steps);
    if (folder) must(pd_world_save(world, path, &error), &error);
}

#endif
