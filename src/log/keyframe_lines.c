/* Keyframes in a log file: lines "600 keyframe DIGEST BASE64" before the last line. A seek can begin at a keyframe instead of
 * replaying the log from its beginning.
 *
 * Keyframes are optional: the file of a killed program has none and gives the same worlds. The digest covers the scene
 * and the commands before the keyframe. If somebody edits the scene or these commands, the digest differs and the
 * keyframe is skipped. */
#include "core/archive.h"
#include "core/memory.h"
#include "core/text.h"
#include "log/log.h"

#include "core/error.h"
#include "scene/features.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* KEYFRAME_DISTANCE: least distance between two keyframes of a file, ticks. (A replay of 120 steps with 4,000 particles takes
 * 0.16 s on one core.) DIGEST_DIGITS: number of hexadecimal digits of a digest. */
enum { KEYFRAME_DISTANCE = 120, DIGEST_DIGITS = 16 };

void pd_log_digest_begin(pd_log_digest *digest, const char *scene_text, size_t length) {
    digest->scene = digest->value = pd_archive_hash(0, scene_text, length);
    digest->entries = 0;
}

void pd_log_digest_truncate(pd_log_digest *digest, int remaining_commands) {
    if (remaining_commands >= digest->entries) return;
    digest->value = digest->scene;
    digest->entries = 0;
}

/* Adds to the digest all commands before `tick` that it does not contain yet, and returns digest->value. first_command:
 * index in the log of the file's first command. file_first_tick: tick of the log at which the file begins. */
static uint64_t update_digest_until(pd_log_digest *digest, const pd_log *log, int first_command,
                                    uint64_t file_first_tick, uint64_t tick) {
    for (; first_command + digest->entries < log->count; digest->entries++) {
        const pd_log_entry *entry = &log->entries[first_command + digest->entries];
        char number[24];
        if (entry->tick >= tick) break;
        char *text = pd_command_format(&entry->command, NULL);
        snprintf(number, sizeof number, "%" PRIu64 " ", entry->tick - file_first_tick);
        digest->value = pd_archive_hash(digest->value, number, strlen(number));
        if (text) digest->value = pd_archive_hash(digest->value, text, strlen(text) + 1);
        pd_memory_free(text);
    }
    return digest->value;
}

/* ---- Writing of keyframes ---- */

/* Returns the index of the first keyframe that is at least `least_ticks` after `tick`; log->keyframe_count: there is none. */
static int find_keyframe_at_distance(const pd_log *log, uint64_t tick, uint64_t least_ticks) {
    int index = 0;
    while (index < log->keyframe_count &&
           (log->keyframes[index].tick < tick || log->keyframes[index].tick - tick < least_ticks))
        index++;
    return index;
}

static size_t compute_keyframe_lines_size(const pd_log *log, uint64_t file_first_tick, uint64_t least_ticks) {
    size_t bytes = 0;
    for (int i = find_keyframe_at_distance(log, file_first_tick, least_ticks); i < log->keyframe_count;
         i = find_keyframe_at_distance(log, log->keyframes[i].tick, least_ticks))
        bytes += log->keyframes[i].size / 3 * 4 + 48;
    return bytes;
}

bool pd_log_write_keyframes(const pd_log *log, uint64_t file_first_tick, const char *scene_text, size_t length,
                            size_t most_bytes, FILE *out) {
    uint64_t least_distance = KEYFRAME_DISTANCE;
    size_t bytes;
    /* Doubles the distance between keyframes until all lines fit into most_bytes. Then there may be no keyframe to write. */
    while ((bytes = compute_keyframe_lines_size(log, file_first_tick, least_distance)) > most_bytes)
        least_distance *= 2;
    if (bytes == 0) return false;
    pd_log_digest digest;
    pd_log_digest_begin(&digest, scene_text, length);
    int first_command = pd_log_first_command_index(log, file_first_tick);
    for (int i = find_keyframe_at_distance(log, file_first_tick, least_distance); i < log->keyframe_count;
         i = find_keyframe_at_distance(log, log->keyframes[i].tick, least_distance)) {
        const pd_keyframe *keyframe = &log->keyframes[i];
        uint64_t value = update_digest_until(&digest, log, first_command, file_first_tick, keyframe->tick);
        fprintf(out, "%" PRIu64 " keyframe %016" PRIx64 " ", keyframe->tick - file_first_tick, value);
        pd_base64_write(out, keyframe->bytes, keyframe->size, 0);
        fputc('\n', out);
    }
    return true;
}

/* ---- Reading of keyframes ---- */

/* Compares the world with the hash that the log has for the state before the commands of `tick`. Returns false if they
 * differ, true if they are equal or the log has no such hash. */
static bool matches_logged_hash(const pd_log *log, const pd_world *world, uint64_t tick) {
    int before = pd_log_first_command_index(log, tick);
    for (int i = log->check_count - 1; i >= 0 && log->checks[i].tick >= tick; i--)
        if (log->checks[i].tick == tick && log->checks[i].commands_before == before)
            return log->checks[i].hash == pd_world_hash(world);
    return true;
}

bool pd_log_read_keyframe(pd_log *log, pd_world *world, pd_log_digest *digest, uint64_t tick, const char *text) {
    char *stop;
    if (tick > log->end || strspn(text, "0123456789abcdef") != DIGEST_DIGITS || text[DIGEST_DIGITS] != ' ')
        return false;
    uint64_t expected = strtoull(text, &stop, 16);
    const char *encoded = text + DIGEST_DIGITS + 1;
    size_t size;
    if (tick == 0 || update_digest_until(digest, log, 0, 0, tick) != expected) return true;
    void *bytes = pd_base64_decode(encoded, strlen(encoded), &size);
    if (!bytes) return false;
    if (pd_world_restore_from_memory(world, bytes, size, NULL) == PD_OK && matches_logged_hash(log, world, tick))
        pd_log_add_keyframe_from_world(log, world, tick, false);
    pd_memory_free(bytes);
    return true;
}
