/* Helpers of tests of logs: stepping a world with its log, reading a log from a file, playing a log. */
#ifndef PUDDLE_TESTS_LOGS_H
#define PUDDLE_TESTS_LOGS_H

#include "worlds.h"

#include <puddle/log.h>
#include <string.h>

static inline pd_log *log_of(const pd_world *world) {
    pd_log *log;
    pd_error error = {0};
    if (pd_log_create(&log, world, &error) != PD_OK) fail_msg("%s", error.message);
    return log;
}

static inline void order(pd_log *log, pd_world *world, pd_command command) {
    pd_error error = {0};
    if (pd_log_do(log, world, &command, &error) != PD_OK) fail_msg("%s", error.message);
}

/* Parses a command from a log's line, an edit from the words behind "edit ". Free with pd_command_free. */
static inline pd_command command_of_line(const char *line, const pd_scene *scene) {
    pd_command command;
    pd_error error = {0};
    if (pd_command_parse(line, scene, &command, &error) != PD_OK) fail_msg("%s", error.message);
    return command;
}

static inline void step(pd_log *log, pd_world *world) {
    pd_world_step(world);
    pd_log_end_step(log, world);
}

static inline void discard(pd_log *log, pd_world *world) {
    pd_log_destroy(log);
    pd_world_destroy(world);
}

/* Writes and reads a log again. damage_part: text expected in the message about damage, or NULL for an intact file. */
static inline pd_log *reread(const char *path, pd_world **world, int threads, const char *damage_part) {
    pd_log *log;
    pd_error error = {0};
    char damage[PD_MAX_LOG_DAMAGE];
    if (read_log_with_threads(&log, world, path, threads, damage, &error) != PD_OK) fail_msg("%s", error.message);
    if (damage_part && !strstr(damage, damage_part)) fail_msg("'%s' is not in: %s", damage_part, damage);
    if (!damage_part && *damage) fail_msg("%s", damage);
    return log;
}

static inline void play_to_end(pd_log *log, pd_world *world) {
    while (pd_log_tick(log) < pd_log_end_tick(log)) {
        pd_log_replay_commands(log, world);
        step(log, world);
    }
    pd_log_replay_commands(log, world);
}

/* Plays to the end. Expects no divergence and this hash. */
static inline void play_exactly(pd_log *log, pd_world *world, uint64_t hash) {
    play_to_end(log, world);
    assert_true(pd_log_first_divergence(log) == PD_LOG_NEVER);
    assert_true(pd_world_hash(world) == hash);
}

/* Closes and destroys a log that wrote a growing file. Expects that playing the file ends in the same world. */
static inline void expect_followed(pd_log *log, pd_world *world, const char *path) {
    uint64_t hash = pd_world_hash(world);
    pd_error error = {0};
    assert_int_equal(pd_log_end_autosave(log, world, &error), PD_OK);
    discard(log, world);
    log = reread(path, &world, 1, NULL);
    play_exactly(log, world, hash);
    discard(log, world);
}

static inline void write_file(const char *path, const char *text, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

#endif
