/* Keyframes in a log file: lines "600 keyframe DIGEST BASE64" before the last line, for seeking without a replay.
 *
 * Keyframes are optional: the file of a killed program has none and gives the same worlds. The digest covers the scene
 * and the commands before the keyframe. If a person edits these in the file, the digest differs and the keyframe is
 * skipped. */
#include "core/base64.h"
#include "core/memory.h"
#include "log/log.h"

#include "core/error.h"
#include "scene/features.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* TICKS_APART: least distance of keyframes in a file, ticks. 4,000 particles take 0.16 s for 120 steps on one core. */
enum { TICKS_APART = 120, DIGEST_DIGITS = 16 };

static uint64_t mix_bytes(uint64_t digest, const char *bytes, size_t size) { /* FNV-1a */
    for (size_t i = 0; i < size; i++) digest = (digest ^ (uint8_t)bytes[i]) * 0x100000001b3;
    return digest;
}

void pd_log_digest_begin(pd_log_digest *digest, const char *scene, size_t length) {
    digest->scene = digest->value = mix_bytes(0xcbf29ce484222325, scene, length);
    digest->entries = 0;
}

void pd_log_digest_cut(pd_log_digest *digest, int kept) {
    if (kept >= digest->entries) return;
    digest->value = digest->scene;
    digest->entries = 0;
}

/* Adds the commands from index `first` up to a tick to the digest, and returns its value. file_first_tick: first tick
 * of the file. */
static uint64_t digest_until(pd_log_digest *digest, const pd_log *log, int first, uint64_t file_first_tick,
                             uint64_t tick) {
    for (; first + digest->entries < log->count; digest->entries++) {
        const pd_log_entry *entry = &log->entries[first + digest->entries];
        char number[24];
        if (entry->tick >= tick) break;
        char *text = pd_command_format(&entry->command, NULL);
        snprintf(number, sizeof number, "%" PRIu64 " ", entry->tick - file_first_tick);
        digest->value = mix_bytes(digest->value, number, strlen(number));
        if (text) digest->value = mix_bytes(digest->value, text, strlen(text) + 1);
        pd_memory_free(text);
    }
    return digest->value;
}

/* ---- Writing of keyframes ---- */

/* Returns the index of the first keyframe at least `apart` ticks after `tick`. */
static int next_written(const pd_log *log, uint64_t tick, uint64_t apart) {
    int index = 0;
    while (index < log->keyframe_count &&
           (log->keyframes[index].tick < tick || log->keyframes[index].tick - tick < apart))
        index++;
    return index;
}

static size_t written_bytes(const pd_log *log, uint64_t file_first_tick, uint64_t apart) {
    size_t bytes = 0;
    for (int i = next_written(log, file_first_tick, apart); i < log->keyframe_count;
         i = next_written(log, log->keyframes[i].tick, apart))
        bytes += log->keyframes[i].size / 3 * 4 + 48;
    return bytes;
}

bool pd_log_write_keyframes(const pd_log *log, uint64_t file_first_tick, const char *scene, size_t length, size_t most,
                            FILE *out) {
    uint64_t apart = TICKS_APART;
    size_t bytes;
    while ((bytes = written_bytes(log, file_first_tick, apart)) > most) apart *= 2; /* ends when no keyframe is left */
    if (bytes == 0) return false;
    pd_log_digest digest;
    pd_log_digest_begin(&digest, scene, length);
    int first = pd_log_first_command(log, file_first_tick);
    for (int i = next_written(log, file_first_tick, apart); i < log->keyframe_count;
         i = next_written(log, log->keyframes[i].tick, apart)) {
        const pd_keyframe *keyframe = &log->keyframes[i];
        uint64_t value = digest_until(&digest, log, first, file_first_tick, keyframe->tick);
        fprintf(out, "%" PRIu64 " keyframe %016" PRIx64 " ", keyframe->tick - file_first_tick, value);
        pd_base64_write(out, keyframe->bytes, keyframe->size, 0);
        fputc('\n', out);
    }
    return true;
}

/* ---- Reading of keyframes ---- */

/* Returns whether the world matches the log's hash of a tick, before the commands of that tick, or the log has no such
 * hash. */
static bool is_logged(const pd_log *log, const pd_world *world, uint64_t tick) {
    int before = pd_log_first_command(log, tick);
    for (int i = log->check_count - 1; i >= 0 && log->checks[i].tick >= tick; i--)
        if (log->checks[i].tick == tick && log->checks[i].after == before)
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
    if (tick == 0 || digest_until(digest, log, 0, 0, tick) != expected) return true;
    void *bytes = pd_base64_decode(encoded, strlen(encoded), &size);
    if (!bytes) return false;
    if (pd_world_restore_from_memory(world, bytes, size, NULL) == PD_OK && is_logged(log, world, tick))
        pd_log_add_keyframe_from_world(log, world, tick, false);
    pd_memory_free(bytes);
    return true;
}
