/* Writes and reads logs as text. first_lines, pd_command_describe_line and last_lines list the kinds of lines in a file. */
#include "core/archive.h"
#include "core/array.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "log/log.h"
#include "scene/features.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Keyframes in a log file: lines "600 keyframe DIGEST BASE64" before the last line. A seek can begin at a keyframe instead of
 * replaying the log from its beginning.
 *
 * Keyframes are optional: the file of a killed program has none and gives the same worlds. The digest covers the scene
 * and the commands before the keyframe. If somebody edits the scene or these commands, the digest differs and the
 * keyframe is skipped. */

/* KEYFRAME_DISTANCE: least distance between two keyframes of a file, ticks. (A replay of 120 steps with 4,000 particles takes
 * 0.16 s on one core.) DIGEST_DIGITS: number of hexadecimal digits of a digest. */
enum { KEYFRAME_DISTANCE = 120, DIGEST_DIGITS = 16 };

/* Digest of a log file's scene and first commands. A keyframe of the file is valid only if the digest in its line is
 * equal. */
typedef struct log_digest {
    uint64_t scene; /* hash of the scene's text */
    uint64_t value; /* hash of the scene's text and the first `entries` commands */
    int entries;    /* number of commands that are hashed in `value` */
} log_digest;

/* Begins the digest of a log file. scene_text: text of the scene in the file. length: its length, bytes. */
static void digest_begin(log_digest *digest, const char *scene_text, size_t length) {
    digest->scene = digest->value = pd_archive_hash(0, scene_text, length);
    digest->entries = 0;
}

/* Adds to the digest all commands before `tick` that it does not contain yet, and returns digest->value. first_command:
 * index in the log of the file's first command. file_first_tick: tick of the log at which the file begins. */
static uint64_t update_digest_until(log_digest *digest, const pd_log *log, int first_command, uint64_t file_first_tick,
                                    uint64_t tick) {
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

/* Writes the log's keyframes after file_first_tick (the tick at which the file begins), each as a line. scene_text: text
 * of the scene in the file. most_bytes: approximate limit of the size of all lines. Returns false if no line was written. */
static bool write_keyframes(const pd_log *log, uint64_t file_first_tick, const char *scene_text, size_t length,
                            size_t most_bytes, FILE *out) {
    uint64_t least_distance = KEYFRAME_DISTANCE;
    size_t bytes;
    /* Doubles the distance between keyframes until all lines fit into most_bytes. Then there may be no keyframe to write. */
    while ((bytes = compute_keyframe_lines_size(log, file_first_tick, least_distance)) > most_bytes)
        least_distance *= 2;
    if (bytes == 0) return false;
    log_digest digest;
    digest_begin(&digest, scene_text, length);
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

/* Reads a keyframe line and adds the keyframe to the log, unless its digest or the hash of its state is wrong or memory
 * runs out. text: the line after "TICK keyframe ". Changes the state of *world. Returns false for a damaged line. */
static bool read_keyframe(pd_log *log, pd_world *world, log_digest *digest, uint64_t tick, const char *text) {
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

enum {
    VERSION = 1,               /* version of the file format */
    LINE_BYTES = 57,           /* bytes of a snapshot in each line, which has 76 characters in base 64 */
    KEYFRAME_BYTES = 16 << 20, /* limit of the size of all keyframes in a file, bytes */
};
static const size_t LARGEST_FILE = (size_t)1 << 33; /* limit of the size of a file that is read, bytes */
static const char HEAD[] = "puddle-log ";
static const char REFUSED[] = "memory refused"; /* last line */
/* Beginning of the scene's first line; the version of puddle follows. */
static const char WRITER[] = "# written by puddle ";

/* ---- Writing of whole files ---- */

/* Writes a command as a line. Ticks in the file count from file_first_tick, the tick of the log at which the file begins.
 * Returns false if memory runs out. */
static bool write_command_line(FILE *out, const pd_log *log, const pd_log_entry *entry, uint64_t file_first_tick) {
    char *text = pd_command_format(&entry->command, log->materials_changed ? NULL : &log->scene);
    if (text) fprintf(out, "%" PRIu64 " %s\n", entry->tick - file_first_tick, text);
    pd_memory_free(text);
    return text != NULL;
}

static void write_hash_line(FILE *out, const pd_log_check *check, uint64_t file_first_tick) {
    fprintf(out, "%" PRIu64 " hash %016" PRIx64 "\n", check->tick - file_first_tick, check->hash);
}

static void write_snapshot(FILE *out, const char *keyword, const pd_keyframe *state) {
    fprintf(out, "%s\n", keyword);
    pd_base64_write(out, state->bytes, state->size, LINE_BYTES);
    fputs("end\n", out);
}

/* Sets *same to whether the snapshot `state` equals the state of a new world with the log's first scene. */
static pd_result is_initial_state_of_scene(const pd_log *log, const pd_keyframe *state, bool *same, pd_error *error) {
    pd_world *world = NULL;
    pd_world_def def = pd_world_def_default();
    def.scene = &log->scene;
    def.threads = 1;
    pd_result result = pd_world_create(&world, &def, error);
    uint64_t hash = result == PD_OK ? pd_world_hash(world) : 0;
    if (result == PD_OK) result = pd_world_restore_from_memory(world, state->bytes, state->size, error);
    *same = result == PD_OK && pd_world_hash(world) == hash;
    pd_world_destroy(world);
    return result;
}

/* Returns the PD_COMMAND_SCENE that set the scene of a tick. NULL: the tick still has the log's first scene. */
static const pd_command *find_scene_command(const pd_log *log, uint64_t tick) {
    return pd_log_find_scene_command_before(log, pd_log_first_command_index(log, tick));
}

/* Creates the text of the scene that the world had at `tick`, for a log file that begins at this tick. The caller frees
 * *text with pd_memory_free. */
static pd_result format_scene_text(const pd_log *log, uint64_t tick, char **text, size_t *length, pd_error *error) {
    char *saved;
    size_t size;
    const pd_command *command = find_scene_command(log, tick);
    const pd_scene *scene = command ? command->is.scene : &log->scene;
    pd_result result = pd_scene_write_snapshot_text(scene, &saved, &size, error);
    if (result != PD_OK) return result;
    size_t most_bytes = sizeof WRITER + strlen(pd_version()) + 1 + size;
    *text = pd_memory_new(most_bytes);
    if (*text) *length = (size_t)snprintf(*text, most_bytes, "%s%s\n%s", WRITER, pd_version(), saved);
    pd_memory_free(saved);
    return *text ? PD_OK : pd_fail_memory(error, "the log");
}

static pd_result write_header(const pd_log *log, const pd_keyframe *from, FILE *out, pd_error *error) {
    char *text;
    size_t length;
    /* at_beginning: PD_COMMAND_RESTART restores the state of a new world with the file's scene. same: it restores the
     * state with which the file begins. */
    bool at_beginning = true, same = false;
    pd_result result = PD_OK;
    const pd_keyframe *restart = pd_log_restart_state(log);
    if (!find_scene_command(log, from->tick)) {
        same = from->size == restart->size && memcmp(from->bytes, restart->bytes, from->size) == 0;
        result = is_initial_state_of_scene(log, restart, &at_beginning, error);
    }
    if (result == PD_OK) result = format_scene_text(log, from->tick, &text, &length, error);
    if (result != PD_OK) return result;
    fprintf(out, "%s%d\nscene\n%send\n", HEAD, VERSION, text);
    pd_memory_free(text);
    if (!at_beginning) write_snapshot(out, "start", restart);
    if (!same) write_snapshot(out, "state", from);
    return PD_OK;
}

static pd_result write_commands_and_hashes(const pd_log *log, const pd_keyframe *from, FILE *out, pd_error *error) {
    int check = 0, entry = 0;
    while (check < log->check_count && log->checks[check].tick <= from->tick) check++;
    while (entry < log->count && log->entries[entry].tick < from->tick) entry++;
    while (check < log->check_count || entry < log->count) {
        bool hash =
            check < log->check_count && (entry == log->count || log->checks[check].tick <= log->entries[entry].tick);
        if (hash)
            write_hash_line(out, &log->checks[check++], from->tick);
        else if (!write_command_line(out, log, &log->entries[entry++], from->tick))
            return pd_fail_memory(error, "the log");
    }
    return PD_OK;
}

static void write_refusal_line(FILE *out, const pd_log *log, uint64_t file_first_tick) {
    fprintf(out, "%" PRIu64 " %s\n", log->end - file_first_tick, REFUSED);
}

static void write_last_line(const pd_log *log, const pd_world *world, uint64_t file_first_tick, FILE *out) {
    const pd_log_check *last = log->check_count > 0 ? &log->checks[log->check_count - 1] : NULL;
    if (last && last->tick == log->end && last->commands_before == log->count)
        write_hash_line(out, last, file_first_tick);
    else if (!log->is_left && world && !pd_world_stepping(world) && log->tick == log->end && log->applied == log->count)
        write_hash_line(out, &(pd_log_check){log->end, pd_world_hash(world), log->count}, file_first_tick);
    else
        fprintf(out, "%" PRIu64 " stop\n", log->end - file_first_tick);
    if (log->ends_by_refusal) write_refusal_line(out, log, file_first_tick);
}

/* Writes the last line, then the keyframes, then the last line again, so that a file cut short within a keyframe is complete
 * without it. If the keyframes do not fit on the disk, they are removed from the file. most_bytes: limit of their size. */
static void write_end_and_keyframes(const pd_log *log, const pd_world *world, uint64_t file_first_tick,
                                    size_t most_bytes, FILE *out) {
    char *text;
    size_t length;
    write_last_line(log, world, file_first_tick, out);
    long whole = fflush(out) == 0 ? ftell(out) : -1;
    if (whole < 0 || format_scene_text(log, file_first_tick, &text, &length, NULL) != PD_OK)
        return; /* `out` is no regular file, or writing failed, which ferror() reports later */
    int same = pd_os_duplicate(fileno(out));
    /* Keyframes are written by a second stream to the same file: if the disk is full, their text must not remain in the
     * buffer of `out`. */
    FILE *extra = same >= 0 ? fdopen(same, "w") : NULL;
    if (extra && write_keyframes(log, file_first_tick, text, length, most_bytes, extra))
        write_last_line(log, world, file_first_tick, extra);
    bool fits = extra && !ferror(extra);
    if (extra && fclose(extra) != 0) fits = false;
    if (!fits) pd_os_truncate(fileno(out), whole); /* a failure does not matter: readers skip an incomplete last line */
    fseek(out, 0, SEEK_END);
    pd_memory_free(text);
}

/* Returns the last keyframe at or before a tick. */
static const pd_keyframe *find_last_keyframe_until(const pd_log *log, uint64_t tick) {
    int index = log->keyframe_count - 1;
    while (index > 0 && log->keyframes[index].tick > tick) index--;
    return &log->keyframes[index];
}

/* Writes the part of the log from the keyframe `from` on to a new file, without the last line. An error removes the incomplete
 * file. */
static pd_result write_from_keyframe(const pd_log *log, const pd_keyframe *from, pd_output *output, pd_error *error) {
    pd_result result = write_header(log, from, output->stream, error);
    if (result == PD_OK) result = write_commands_and_hashes(log, from, output->stream, error);
    if (result != PD_OK) pd_output_cancel(output);
    return result;
}

pd_result pd_log_write(const pd_log *log, const pd_world *world, uint64_t since_tick, const char *path,
                       pd_error *error) {
    const pd_keyframe *from = find_last_keyframe_until(log, since_tick);
    pd_output output;
    pd_result result = pd_output_open(&output, path, error);
    if (result == PD_OK) result = write_from_keyframe(log, from, &output, error);
    if (result != PD_OK) return result;
    write_end_and_keyframes(log, world, from->tick, KEYFRAME_BYTES, output.stream);
    return pd_output_commit(&output, error);
}

/* ---- Autosave file ---- */

/* Returns whether commands are appended to an autosave file. Appending ends at the first failed write, because a file with
 * missing lines would replay another world. */
static bool is_autosaving(const pd_log *log) { return log->file && !log->write_error; }

static void record_write_error(pd_log *log) {
    if (!log->write_error && ferror(log->file)) log->write_error = errno ? errno : EIO;
}

/* Replaces the autosave file by a new one that begins at the keyframe `from`. The old file is replaced once the new one is
 * written. */
static pd_result replace_autosave_file(pd_log *log, const pd_keyframe *from, pd_error *error) {
    pd_output output;
    pd_result result = log->file_limit > 0 ? pd_output_open_replacing_link(&output, log->path, error)
                                           : pd_output_open(&output, log->path, error);
    if (result == PD_OK) result = write_from_keyframe(log, from, &output, error);
    if (result != PD_OK) return result;
    result = pd_output_publish_partial(&output, error);
    if (result != PD_OK) return result;
    if (log->file) fclose(log->file);
    log->file = output.stream;
    log->file_first_tick = from->tick;
    log->written_tick = log->end;
    long begun = ftell(log->file);
    log->shorten_size = log->file_limit > 2 * begun ? log->file_limit : 2 * begun;
    return PD_OK;
}

static void close_autosave_file(pd_log *log) {
    if (log->file) fclose(log->file);
    log->file = NULL;
    pd_memory_free(log->path);
    log->path = NULL;
}

/* Shortens the autosave file to its last 7200 ticks, or to fewer until its size is at most half of file_limit. If the
 * shorter file cannot be written, the next attempt is at twice the present size. */
static void shorten_autosave_file(pd_log *log) {
    enum { KEPT = 7200, LEAST = 60 /* ticks */ };
    for (uint64_t kept_ticks = KEPT; kept_ticks >= LEAST && ftell(log->file) > log->file_limit / 2; kept_ticks /= 4) {
        uint64_t since = log->tick > kept_ticks ? log->tick - kept_ticks : 0;
        if (replace_autosave_file(log, find_last_keyframe_until(log, since), NULL) == PD_OK) continue;
        log->shorten_size = 2 * ftell(log->file);
        return;
    }
}

void pd_log_autosave_command(pd_log *log, const pd_log_entry *entry) {
    if (!is_autosaving(log)) return;
    errno = 0;
    if (!write_command_line(log->file, log, entry, log->file_first_tick)) log->write_error = ENOMEM;
    log->written_tick = entry->tick;
    record_write_error(log);
}

void pd_log_autosave_hash(pd_log *log, const pd_log_check *check) {
    if (!is_autosaving(log)) return;
    errno = 0;
    write_hash_line(log->file, check, log->file_first_tick);
    log->written_tick = check->tick;
    fflush(log->file);
    record_write_error(log);
    if (is_autosaving(log) && log->file_limit > 0 && ftell(log->file) > log->shorten_size) shorten_autosave_file(log);
}

void pd_log_autosave_refusal(pd_log *log) {
    if (!is_autosaving(log)) return;
    write_refusal_line(log->file, log, log->file_first_tick);
    log->written_tick = log->end;
    fflush(log->file);
    record_write_error(log);
}

void pd_log_autosave_back_line(pd_log *log, uint64_t tick, int remaining_commands) {
    if (!is_autosaving(log)) return;
    if (tick < log->file_first_tick) { /* the log was cut before the first tick of the file */
        if (replace_autosave_file(log, find_last_keyframe_until(log, tick), NULL) != PD_OK) close_autosave_file(log);
        return;
    }
    int commands_of_tick = 0;
    while (commands_of_tick < remaining_commands &&
           log->entries[remaining_commands - 1 - commands_of_tick].tick == tick)
        commands_of_tick++;
    uint64_t from = log->written_tick > tick ? log->written_tick : tick;
    fprintf(log->file, "%" PRIu64 " back %" PRIu64 " %d\n", from - log->file_first_tick, tick - log->file_first_tick,
            commands_of_tick);
    log->written_tick = tick;
    record_write_error(log);
}

pd_result pd_log_begin_limited_autosave(pd_log *log, const char *path, long max_bytes, pd_error *error) {
    log->write_error = 0;
    log->file_limit = max_bytes;
    log->path = pd_memory_copy_text(path);
    pd_result result = replace_autosave_file(log, &log->keyframes[0], error);
    if (result != PD_OK) close_autosave_file(log);
    return result;
}

pd_result pd_log_begin_autosave(pd_log *log, const char *path, pd_error *error) {
    return pd_log_begin_limited_autosave(log, path, 0, error);
}

pd_result pd_log_end_autosave(pd_log *log, const pd_world *world, pd_error *error) {
    if (!log->file) return PD_OK;
    long used = log->file_limit > 0 ? ftell(log->file) : 0, left = log->shorten_size - used;
    size_t most_bytes = log->file_limit == 0 ? KEYFRAME_BYTES : left > 0 ? (size_t)left : 0;
    errno = 0;
    if (is_autosaving(log)) write_end_and_keyframes(log, world, log->file_first_tick, most_bytes, log->file);
    record_write_error(log);
    if (fclose(log->file) != 0 && !log->write_error) log->write_error = errno ? errno : EIO;
    pd_result result = PD_OK;
    if (log->write_error)
        result = pd_fail_partly_written(log->path, log->write_error, "the part before can be replayed", error);
    pd_memory_free(log->path);
    log->path = NULL;
    log->file = NULL;
    return result;
}

/* ---- Reading of files ---- */

/* State of reading a log file. */
typedef struct reader {
    const char *name;                         /* name of the file, for messages */
    char *cursor, *end;                       /* bounds of the text that has not been read yet */
    int line;                                 /* number of the last line that was read; the first line is 1 */
    char writer[sizeof((pd_log *)0)->writer]; /* value of pd_log.writer */
    log_digest digest;                        /* digest of the lines read so far */
    bool keyframes;                           /* a keyframe was read, so that the world has the state of any tick */
    size_t refusals;                          /* pd_memory_refused_request_count() before reading */
} reader;

/* Returns the next line as a string, without its line end. NULL: the text that remains has no line end. */
static char *read_next_line(reader *input) {
    char *line = input->cursor, *stop = line < input->end ? memchr(line, '\n', (size_t)(input->end - line)) : NULL;
    if (!stop) return NULL;
    *stop = '\0';
    input->cursor = stop + 1;
    input->line++;
    return line;
}

/* Reports that the last line read is damaged, or OUT_OF_MEMORY if memory was refused since reading began. */
static pd_result fail_damaged_line(const reader *input, const char *why, pd_error *error) {
    if (pd_memory_refused_request_count() != input->refusals) return pd_fail_memory(error, "the log");
    return pd_fail(error, PD_ERROR_LOG_BROKEN, "%.200s:%d:1: %.200s (use a log that puddle wrote)", input->name,
                   input->line, why);
}

/* Sets *text and *length to the text before the next line "end", and skips this line. Returns false if there is no such
 * line. */
static bool read_until_end_line(reader *input, char **text, size_t *length) {
    *text = input->cursor;
    for (char *line = read_next_line(input); line; line = read_next_line(input)) {
        if (strcmp(line, "end") == 0) {
            *length = (size_t)(line - *text);
            return true;
        }
        input->cursor[-1] = '\n';
    }
    return false;
}

/* Sets input->writer to the version of puddle in the first line of `scene`, if this line contains one. */
static void read_writer_version(reader *input, const char *scene) {
    size_t size = strlen(WRITER);
    if (strncmp(scene, WRITER, size) != 0) return;
    int length = (int)strcspn(scene + size, "\n");
    if (length < (int)sizeof input->writer) snprintf(input->writer, sizeof input->writer, "%.*s", length, scene + size);
}

/* Reports that the file's format has another version. The message contains the version of puddle that wrote the file, if
 * it is known. */
static pd_result fail_other_version(reader *input, const char *version, pd_error *error) {
    uint64_t number = strtoull(version, NULL, 10);
    char *line = read_next_line(input), by[64] = "";
    if (line && strcmp(line, "scene") == 0) read_writer_version(input, input->cursor);
    if (*input->writer) snprintf(by, sizeof by, ", written by puddle %s", input->writer);
    return pd_fail(error, PD_ERROR_LOG_VERSION, "%.300s: a log of version %.20s%s; puddle %s reads version %d (use %s)",
                   input->name, version, by, pd_version(), VERSION,
                   *input->writer     ? "that version of puddle"
                   : number > VERSION ? "a newer puddle"
                                      : "an older puddle");
}

static pd_result read_header(reader *input, pd_scene *scene, pd_error *error) {
    char *line = read_next_line(input), *text;
    size_t length;
    input->line = 1;
    if (!line || strncmp(line, HEAD, strlen(HEAD)) != 0)
        return fail_damaged_line(input, "this is not a log of commands", error);
    const char *version = line + strlen(HEAD);
    if (strspn(version, "0123456789") != strlen(version) || !*version)
        return fail_damaged_line(input, "this is not a log of commands", error);
    if (strcmp(version, "1") != 0) return fail_other_version(input, version, error);
    line = read_next_line(input);
    if (!line || strcmp(line, "scene") != 0) return fail_damaged_line(input, "the scene is missing", error);
    int first = input->line;
    if (!read_until_end_line(input, &text, &length)) return fail_damaged_line(input, "the scene has no end", error);
    read_writer_version(input, text);
    digest_begin(&input->digest, text, length);
    pd_error inner;
    pd_result result = pd_scene_read_snapshot_text(text, length, "scene", scene, &inner);
    if (result == PD_OK) return PD_OK;
    int last = input->line;
    input->line = first;
    result = fail_damaged_line(input, inner.message, error);
    input->line = last;
    return result;
}

/* If the next line is `keyword`, reads the snapshot between it and the line "end". Otherwise sets state->size to 0. */
static pd_result read_snapshot(reader *input, const char *keyword, pd_keyframe *state, pd_error *error) {
    size_t length, size = strlen(keyword);
    char *text;
    *state = (pd_keyframe){0};
    if ((size_t)(input->end - input->cursor) <= size || strncmp(input->cursor, keyword, size) != 0 ||
        input->cursor[size] != '\n')
        return PD_OK;
    read_next_line(input);
    if (!read_until_end_line(input, &text, &length)) return fail_damaged_line(input, "the state has no end", error);
    state->bytes = pd_base64_decode(text, length, &state->size);
    return state->bytes ? PD_OK : fail_damaged_line(input, "the state is damaged", error);
}

/* Reads the number at *cursor. It must end at a blank, which is skipped, or at the end of the line. */
static bool read_number(char **cursor, uint64_t *number) {
    char *stop;
    if (!isdigit((unsigned char)**cursor)) return false;
    errno = 0;
    *number = strtoull(*cursor, &stop, 10);
    if (errno || (*stop != ' ' && *stop != '\0')) return false;
    *cursor = *stop ? stop + 1 : stop;
    return true;
}

/* Reads the rest of a line "back TICK COUNT". Removes from the log everything after the first COUNT commands of tick TICK. */
static bool apply_back_line(pd_log *log, char *cursor) {
    uint64_t tick, commands_of_tick;
    if (!read_number(&cursor, &tick) || !read_number(&cursor, &commands_of_tick) || *cursor || tick > log->end)
        return false;
    int remaining_commands = log->count;
    while (remaining_commands > 0 && log->entries[remaining_commands - 1].tick >= tick) remaining_commands--;
    while (commands_of_tick > 0 && remaining_commands < log->count && log->entries[remaining_commands].tick == tick) {
        remaining_commands++;
        commands_of_tick--;
    }
    if (commands_of_tick > 0) return false;
    pd_log_remove_after_tick(log, tick, remaining_commands);
    return true;
}

static pd_result add_line_to_log(pd_log *log, pd_world *world, reader *input, char *line, pd_error *error) {
    /* Ticks are printed as JSON numbers (doubles), which are exact up to this one. */
    static const uint64_t MOST_TICKS = (uint64_t)1 << 53;
    static const char HASH[] = "hash ", BACK[] = "back ", KEYFRAME[] = "keyframe ";
    uint64_t tick;
    char *cursor = line;
    pd_error inner;
    bool numbered = read_number(&cursor, &tick);
    if (numbered && strncmp(cursor, KEYFRAME, strlen(KEYFRAME)) == 0) {
        input->keyframes = true;
        return read_keyframe(log, world, &input->digest, tick, cursor + strlen(KEYFRAME))
                   ? PD_OK
                   : fail_damaged_line(input, "the keyframe is damaged", error);
    }
    if (!numbered || tick < log->end)
        return fail_damaged_line(input, "a line must begin with its step, in order", error);
    if (tick > MOST_TICKS) return fail_damaged_line(input, "its step is beyond 2^53", error);
    log->end = tick;
    log->ends_by_refusal = strcmp(cursor, REFUSED) == 0;
    if (log->ends_by_refusal || strcmp(cursor, "stop") == 0) return PD_OK;
    if (strncmp(cursor, BACK, strlen(BACK)) == 0) {
        if (!apply_back_line(log, cursor + strlen(BACK)))
            return fail_damaged_line(input, "the rewind leads to a step that the log does not have", error);
        if (log->count < input->digest.entries) input->digest.value = input->digest.scene, input->digest.entries = 0;
        return PD_OK;
    }
    if (strncmp(cursor, HASH, strlen(HASH)) == 0) {
        char *digits = cursor + strlen(HASH);
        if (strlen(digits) != 16 || strspn(digits, "0123456789abcdef") != 16)
            return fail_damaged_line(input, "a hash has 16 hexadecimal digits", error);
        return pd_log_append_hash(log, tick, strtoull(digits, NULL, 16), error);
    }
    pd_command command;
    if (pd_command_parse(cursor, &log->scene, &command, &inner) != PD_OK)
        return fail_damaged_line(input, inner.message, error);
    pd_result result = pd_log_append_copy(log, tick, &command, error);
    pd_command_free(&command);
    return result;
}

static pd_result read_beginning(reader *input, pd_log **log, pd_world **world, const pd_world_def *def_without_scene,
                                pd_error *error) {
    pd_scene scene;
    pd_keyframe start = {0}, state = {0};
    pd_result result = read_header(input, &scene, error);
    if (result != PD_OK) return result;
    pd_world_def def = *def_without_scene;
    def.scene = &scene;
    result = pd_world_create(world, &def, error);
    pd_scene_free(&scene);
    if (result == PD_OK) result = read_snapshot(input, "start", &start, error);
    if (result == PD_OK) result = read_snapshot(input, "state", &state, error);
    if (result == PD_OK && start.bytes) result = pd_world_restore_from_memory(*world, start.bytes, start.size, error);
    if (result == PD_OK && state.bytes && !start.bytes)
        result = pd_world_save_to_memory(*world, &start.bytes, &start.size, error);
    if (result == PD_OK && state.bytes) result = pd_world_restore_from_memory(*world, state.bytes, state.size, error);
    if (result == PD_OK) result = pd_log_create_with_restart(log, *world, start.bytes ? &start : NULL, error);
    if (result == PD_OK) memcpy((*log)->writer, input->writer, sizeof input->writer);
    pd_memory_free(start.bytes);
    pd_memory_free(state.bytes);
    return result;
}

pd_result pd_log_read(pd_log **log, pd_world **world, const char *path, const pd_world_def *def,
                      char damage[PD_MAX_LOG_DAMAGE], pd_error *error) {
    void *bytes = NULL;
    size_t size = 0;
    *log = NULL;
    *world = NULL;
    if (damage) *damage = '\0';
    pd_result result = pd_file_read(path, LARGEST_FILE, &bytes, &size, error);
    if (result != PD_OK) return result;
    reader input = {
        .name = path, .cursor = bytes, .end = (char *)bytes + size, .refusals = pd_memory_refused_request_count()};
    result = read_beginning(&input, log, world, def, error);
    pd_error wrong = {0};
    for (char *line; result == PD_OK && !wrong.code && (line = read_next_line(&input));) {
        uint64_t end = (*log)->end;
        if (add_line_to_log(*log, *world, &input, line, &wrong) != PD_OK) (*log)->end = end;
    }
    if (wrong.code == PD_ERROR_OUT_OF_MEMORY && error) *error = wrong;
    if (wrong.code == PD_ERROR_OUT_OF_MEMORY) result = PD_FAILED;
    if (result == PD_OK && input.keyframes) result = pd_log_restore_state(*log, *world, &(*log)->keyframes[0], error);
    if (damage) snprintf(damage, PD_MAX_LOG_DAMAGE, "%.*s", PD_MAX_LOG_DAMAGE - 1, wrong.message);
    pd_memory_free(bytes);
    if (result == PD_OK) return PD_OK;
    pd_log_destroy(*log);
    pd_world_destroy(*world);
    *log = NULL;
    *world = NULL;
    return result;
}

/* ---- Documentation ---- */

/* ---- Summary of a file ---- */

/* Place of a command that opens a scene. */
typedef struct opened_scene {
    uint64_t tick;
    int index;              /* number of commands of the same tick before this one */
    char name[PD_MAX_NAME]; /* name of the scene; "": none */
} opened_scene;

bool pd_log_summarize(const char *path, bool *has_commands, char scene[PD_MAX_NAME]) {
    opened_scene *scenes = NULL;
    int count = 0, capacity = 0, commands = 0; /* commands: number of commands of `last` so far */
    uint64_t last = 0;                         /* tick of the last command */
    char line[256], word[16];
    bool in_header = true, begins = true;
    *has_commands = false;
    *scene = '\0';
    FILE *file = pd_os_open_regular(path, false, NULL);
    if (!file) return false;
    for (; fgets(line, sizeof line, file); begins = strchr(line, '\n') != NULL) {
        unsigned long long tick, back;
        int remaining;
        if (!begins) continue; /* the rest of a long line */
        if (in_header) {
            in_header = strcmp(line, "end\n") != 0;
            sscanf(line, "name: \"%63[^\"]", scene);
            continue;
        }
        bool counted = sscanf(line, "%llu %15s", &tick, word) == 2;
        if (counted &&
            (!strcmp(word, "hash") || !strcmp(word, "stop") || !strcmp(word, "keyframe") || !strcmp(word, "memory")))
            continue;
        *has_commands = true;
        if (!counted) continue;
        if (sscanf(line, "%*u back %llu %d", &back, &remaining) == 2) {
            while (count > 0 && (scenes[count - 1].tick > back ||
                                 (scenes[count - 1].tick == back && scenes[count - 1].index >= remaining)))
                count--;
            last = back;
            commands = remaining;
            continue;
        }
        opened_scene opened = {tick, tick == last ? commands : 0, ""};
        last = tick;
        commands = opened.index + 1;
        if (strcmp(word, "scene") != 0 || !PD_LIST_RESERVE(scenes, capacity, count + 1)) continue;
        const char *name = strstr(line, "name: \"");
        if (name) sscanf(name, "name: \"%63[^\"]", opened.name);
        scenes[count++] = opened;
    }
    if (count > 0) memcpy(scene, scenes[count - 1].name, PD_MAX_NAME);
    pd_memory_free(scenes);
    fclose(file);
    return true;
}

/* Lines of a file besides commands: the first ones, and those among and after the commands. */
static const pd_log_line first_lines[] = {
    {"puddle-log 1", "Name and version of the format"},
    {"scene ... end", "The scene in YAML"},
    {"start ... end", "Snapshot for a restart in base 64, if it differs from the scene"},
    {"state ... end", "Snapshot of the world where the log begins in base 64, if it differs from the snapshot above"},
};
static const pd_log_line last_lines[] = {
    {"STEP back EARLIER COUNT",
     "Undo: returns to step EARLIER, and removes all commands after its first COUNT commands"},
    {"STEP hash HEX", "Hash of the whole world after the commands above, every 60 steps and at the end"},
    {"STEP stop", "End of a log whose last hash is unknown"},
    {"STEP memory refused", "End of a log: the system refused memory in the next step or command"},
    {"STEP keyframe DIGEST SNAPSHOT", "State of the world, for seeking; ignored if it contradicts the commands"},
};
enum { FIRST_LINES = sizeof first_lines / sizeof *first_lines, LAST_LINES = sizeof last_lines / sizeof *last_lines };

bool pd_log_describe_line(int index, pd_log_line *line) {
    int command = index - FIRST_LINES;
    if (command >= 0 && pd_command_describe_line(command, line)) return true;
    while (command > 0 && !pd_command_describe_line(command - 1, line)) command--;
    int last = index - FIRST_LINES - command;
    if (index >= FIRST_LINES && last >= LAST_LINES) return false;
    *line = index < FIRST_LINES ? first_lines[index] : last_lines[last];
    return true;
}
