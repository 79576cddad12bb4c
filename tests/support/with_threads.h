/* Creates, loads and reads worlds with a number of threads and otherwise the defaults of pd_world_def. */
#ifndef PUDDLE_TESTS_WITH_THREADS_H
#define PUDDLE_TESTS_WITH_THREADS_H

#include <puddle/log.h>

static inline pd_world_def def_with_threads(const pd_scene *scene, int threads) {
    pd_world_def def = pd_world_def_default();
    def.scene = scene;
    def.threads = threads;
    return def;
}

static inline pd_result create_with_threads(pd_world **world, const pd_scene *scene, int threads, pd_error *error) {
    pd_world_def def = def_with_threads(scene, threads);
    return pd_world_create(world, &def, error);
}

static inline pd_result load_with_threads(pd_world **world, const char *path, int threads, pd_error *error) {
    pd_world_def def = def_with_threads(NULL, threads);
    return pd_world_load(world, path, &def, error);
}

static inline pd_result read_log_with_threads(pd_log **log, pd_world **world, const char *path, int threads,
                                              char damage[PD_MAX_LOG_DAMAGE], pd_error *error) {
    pd_world_def def = def_with_threads(NULL, threads);
    return pd_log_read(log, world, path, &def, damage, error);
}

#endif
