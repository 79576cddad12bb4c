/* Logs as text. The parts of a file:
 *
 *     puddle-log 1
 *     scene ... end      the scene
 *     start ... end      snapshot for a restart, base 64; only if it differs from the scene
 *     state ... end      snapshot at the log's beginning; only if it differs from the former
 *     TICK COMMAND       a line for each command
 *     TICK hash HASH     hashes among the commands
 *     TICK keyframe ...  keyframes (keyframe_lines.c), before a last hash or stop */
#include "core/base64.h"
#include "core/memory.h"
#include "log/log.h"

#include "core/error.h"
#include "core/file/file.h"
#include "scene/features.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    VERSION = 1,
    LINE_BYTES = 57,           /* bytes of a snapshot in each line of 76 characters */
    KEYFRAME_BYTES = 16 << 20, /* most bytes of all keyframes in a file */
};
static const size_t LARGEST_FILE = (size_t)1 << 33; /* most bytes of a file */
static const char HEAD[] = "puddle-log ";
static const char WRITER[] = "# written by puddle "; /* beginning of the scene's first line, before the version */

/* ---- Writing of whole files ---- */

/* Writes a command as a line. file_first_tick: first tick of the file. Returns false if memory runs out. */
static bool write_entry(FILE *out, const pd_log *log, const pd_log_entry *entry, uint64_t file_first_tick) {
    char *text = pd_command_format(&entry->command, log->numbered ? NULL : &log->scene);
    if (text) fprintf(out, "%" PRIu64 " %s\n", entry->tick - file_first_tick, text);
    pd_memory_free(text);
    return text != NULL;
}

static void write_check(FILE *out, const pd_log_check *check, uint64_t file_first_tick) {
    fprintf(out, "%" PRIu64 " hash %016" PRIx64 "\n", check->tick - file_first_tick, check->hash);
}

static void write_state(FILE *out, const char *word, const pd_keyframe *state) {
    fprintf(out, "%s\n", word);
    pd_base64_write(out, state->bytes, state->size, LINE_BYTES);
    fputs("end\n", out);
}

/* Sets *same to whether a new world of the log's first scene has the state of a snapshot. */
static pd_result is_initial_state(const pd_log *log, const pd_keyframe *state, bool *same, pd_error *error) {
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

/* Returns the command that began the scene of a tick, or NULL for the log's first scene. */
static const pd_command *scene_command(const pd_log *log, uint64_t tick) {
    return pd_log_scene_before(log, pd_log_first_command(log, tick));
}

/* Gets the text of the scene of a file that begins at a tick. Free *text with pd_memory_free. */
static pd_result get_scene_text(const pd_log *log, uint64_t tick, char **text, size_t *length, pd_error *error) {
    char *saved;
    size_t size;
    const pd_command *command = scene_command(log, tick);
    const pd_scene *scene = command ? command->is.scene : &log->scene;
    pd_result result = pd_scene_write_snapshot_text(scene, &saved, &size, error);
    if (result != PD_OK) return result;
    size_t most = sizeof WRITER + strlen(pd_version()) + 1 + size;
    *text = pd_memory_new(most);
    if (*text) *length = (size_t)snprintf(*text, most, "%s%s\n%s", WRITER, pd_version(), saved);
    pd_memory_free(saved);
    return *text ? PD_OK : pd_fail_memory(error, "the log");
}

static pd_result write_head(const pd_log *log, const pd_keyframe *from, FILE *out, pd_error *error) {
    char *text;
    size_t length;
    /* whether the file begins at the scene's beginning; whether the restart is the same state */
    bool at_beginning = true, same = false;
    pd_result result = PD_OK;
    const pd_keyframe *restart = pd_log_restart(log);
    if (!scene_command(log, from->tick)) {
        same = from->size == restart->size && memcmp(from->bytes, restart->bytes, from->size) == 0;
        result = is_initial_state(log, restart, &at_beginning, error);
    }
    if (result == PD_OK) result = get_scene_text(log, from->tick, &text, &length, error);
    if (result != PD_OK) return result;
    fprintf(out, "%s%d\nscene\n%send\n", HEAD, VERSION, text);
    pd_memory_free(text);
    if (!at_beginning) write_state(out, "start", restart);
    if (!same) write_state(out, "state", from);
    return PD_OK;
}

static pd_result write_lines(const pd_log *log, const pd_keyframe *from, FILE *out, pd_error *error) {
    int check = 0, entry = 0;
    while (check < log->check_count && log->checks[check].tick <= from->tick) check++;
    while (entry < log->count && log->entries[entry].tick < from->tick) entry++;
    while (check < log->check_count || entry < log->count) {
        bool hash =
            check < log->check_count && (entry == log->count || log->checks[check].tick <= log->entries[entry].tick);
        if (hash)
            write_check(out, &log->checks[check++], from->tick);
        else if (!write_entry(out, log, &log->entries[entry++], from->tick))
            return pd_fail_memory(error, "the log");
    }
    return PD_OK;
}

/* Returns whether the world is at the end of the log, without an incomplete step or a command left. */
static bool is_at_end(const pd_log *log, const pd_world *world) {
    return world && !pd_world_stepping(world) && log->tick == log->end && log->applied == log->count;
}

static void write_last_line(const pd_log *log, const pd_world *world, uint64_t file_first_tick, FILE *out) {
    const pd_log_check *last = log->check_count > 0 ? &log->checks[log->check_count - 1] : NULL;
    if (last && last->tick == log->end && last->after == log->count)
        write_check(out, last, file_first_tick);
    else if (is_at_end(log, world))
        write_check(out, &(pd_log_check){log->end, pd_world_hash(world), log->count}, file_first_tick);
    else
        fprintf(out, "%" PRIu64 " stop\n", log->end - file_first_tick);
}

/* Writes the last line, then keyframes and the last line again: a file cut short among keyframes is still complete. If
 * the keyframes do not fit (full disk), they are removed. */
static void write_end(const pd_log *log, const pd_world *world, uint64_t file_first_tick, size_t most, FILE *out) {
    char *text;
    size_t length;
    write_last_line(log, world, file_first_tick, out);
    long whole = fflush(out) == 0 ? ftell(out) : -1;
    if (whole < 0 || get_scene_text(log, file_first_tick, &text, &length, NULL) != PD_OK)
        return; /* `out` is a device, or ferror() reports a failure later */
    int same = dup(fileno(out));
    /* A second stream on the file of `out`, with a buffer of its own: text that could not be written must not remain in the buffer of `out`. */
    FILE *extra = same >= 0 ? fdopen(same, "w") : NULL;
    if (extra && pd_log_write_keyframes(log, file_first_tick, text, length, most, extra))
        write_last_line(log, world, file_first_tick, extra);
    bool fits = extra && !ferror(extra);
    if (extra && fclose(extra) != 0) fits = false;
    if (!fits && ftruncate(fileno(out), whole) != 0) errno = 0; /* readers skip an incomplete line */
    fseek(out, 0, SEEK_END);
    pd_memory_free(text);
}

/* Returns the last keyframe at or before a tick. */
static const pd_keyframe *keyframe_of(const pd_log *log, uint64_t tick) {
    int index = log->keyframe_count - 1;
    while (index > 0 && log->keyframes[index].tick > tick) index--;
    return &log->keyframes[index];
}

/* Opens an output and writes the log from a keyframe on. An error cancels the output. */
static pd_result write_since(const pd_log *log, const pd_keyframe *from, const char *path, pd_output *output,
                             pd_error *error) {
    pd_result result = pd_output_open(output, path, error);
    if (result != PD_OK) return result;
    result = write_head(log, from, output->stream, error);
    if (result == PD_OK) result = write_lines(log, from, output->stream, error);
    if (result != PD_OK) pd_output_cancel(output);
    return result;
}

pd_result pd_log_write(const pd_log *log, const pd_world *world, uint64_t since_tick, const char *path,
                       pd_error *error) {
    const pd_keyframe *from = keyframe_of(log, since_tick);
    pd_output output;
    pd_result result = write_since(log, from, path, &output, error);
    if (result != PD_OK) return result;
    write_end(log, world, from->tick, KEYFRAME_BYTES, output.stream);
    return pd_output_commit(&output, error);
}

/* ---- Writing of growing files ---- */

/* Returns whether commands are written to a growing file. Writing ends with the first failure: commands after a gap
 * would describe another run. */
static bool is_appending(const pd_log *log) { return log->file && !log->write_error; }

static void note_failure(pd_log *log) {
    if (!log->write_error && ferror(log->file)) log->write_error = errno ? errno : EIO;
}

/* Rewrites the growing file, atomically, to begin at a keyframe. */
static pd_result begin_file(pd_log *log, const pd_keyframe *from, pd_error *error) {
    pd_output output;
    pd_result result = write_since(log, from, log->path, &output, error);
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

static void end_file(pd_log *log) {
    if (log->file) fclose(log->file);
    log->file = NULL;
    pd_memory_free(log->path);
    log->path = NULL;
}

/* Shortens a growing file that is too large to its last two minutes, or less. If this fails or the file's head alone is
 * too large, the file grows beyond its limit, since a complete log is more important. */
static void shorten_file(pd_log *log) {
    enum { KEPT = 7200, LEAST = 60 /* ticks */ };
    for (uint64_t kept = KEPT; kept >= LEAST && ftell(log->file) > log->file_limit / 2; kept /= 4) {
        uint64_t since = log->tick > kept ? log->tick - kept : 0;
        if (begin_file(log, keyframe_of(log, since), NULL) == PD_OK) continue;
        log->shorten_size = 2 * ftell(log->file);
        return;
    }
}

void pd_log_write_entry(pd_log *log, const pd_log_entry *entry) {
    if (!is_appending(log)) return;
    errno = 0;
    if (!write_entry(log->file, log, entry, log->file_first_tick)) log->write_error = ENOMEM;
    log->written_tick = entry->tick;
    note_failure(log);
}

void pd_log_write_check(pd_log *log, const pd_log_check *check) {
    if (!is_appending(log)) return;
    errno = 0;
    write_check(log->file, check, log->file_first_tick);
    log->written_tick = check->tick;
    fflush(log->file);
    note_failure(log);
    if (is_appending(log) && log->file_limit > 0 && ftell(log->file) > log->shorten_size) shorten_file(log);
}

void pd_log_write_back(pd_log *log, uint64_t tick, int kept) {
    if (!is_appending(log)) return;
    if (tick < log->file_first_tick) { /* the log was cut before the first tick of the file */
        if (begin_file(log, keyframe_of(log, tick), NULL) != PD_OK) end_file(log);
        return;
    }
    int of_tick = 0;
    while (of_tick < kept && log->entries[kept - 1 - of_tick].tick == tick) of_tick++;
    uint64_t from = log->written_tick > tick ? log->written_tick : tick;
    fprintf(log->file, "%" PRIu64 " back %" PRIu64 " %d\n", from - log->file_first_tick, tick - log->file_first_tick,
            of_tick);
    log->written_tick = tick;
    note_failure(log);
}

pd_result pd_log_begin_limited_autosave(pd_log *log, const char *path, long max_bytes, pd_error *error) {
    log->write_error = 0;
    log->file_limit = max_bytes;
    log->path = pd_memory_copy_text(path);
    if (!log->path) return pd_fail_memory(error, "the log");
    pd_result result = begin_file(log, &log->keyframes[0], error);
    if (result != PD_OK) end_file(log);
    return result;
}

pd_result pd_log_begin_autosave(pd_log *log, const char *path, pd_error *error) {
    return pd_log_begin_limited_autosave(log, path, 0, error);
}

pd_result pd_log_end_autosave(pd_log *log, const pd_world *world, pd_error *error) {
    if (!log->file) return PD_OK;
    long used = log->file_limit > 0 ? ftell(log->file) : 0, left = log->shorten_size - used;
    size_t most = log->file_limit == 0 ? KEYFRAME_BYTES : left > 0 ? (size_t)left : 0;
    errno = 0;
    if (is_appending(log)) write_end(log, world, log->file_first_tick, most, log->file);
    note_failure(log);
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

typedef struct reader {
    const char *name;
    char *at, *end; /* rest of the text */
    int line;       /* number of the last line read, from 1 */
    char writer[sizeof((pd_log *)0)->writer];
    pd_log_digest digest;
    bool keyframes;  /* whether keyframes were read, which leave the world's state arbitrary */
    size_t refusals; /* pd_memory_refusal_count() before reading */
} reader;

/* Returns the next line, ended by a zero. NULL: no line is left, or the end of the file cuts it short. */
static char *next_line(reader *in) {
    char *line = in->at, *stop = line < in->end ? memchr(line, '\n', (size_t)(in->end - line)) : NULL;
    if (!stop) return NULL;
    *stop = '\0';
    in->at = stop + 1;
    in->line++;
    return line;
}

/* Reports a damaged line, or a refusal of memory, after which the log may be intact. */
static pd_result fail_broken(const reader *in, const char *why, pd_error *error) {
    if (pd_memory_refusal_count() != in->refusals) return pd_fail_memory(error, "the log");
    return pd_fail(error, PD_ERROR_LOG_BROKEN, "%.200s:%d:1: %.200s (use a log that puddle wrote)", in->name, in->line,
                   why);
}

/* Reads the lines before "end", with their line ends. Returns false if "end" is missing. */
static bool next_block(reader *in, char **text, size_t *length) {
    *text = in->at;
    for (char *line = next_line(in); line; line = next_line(in)) {
        if (strcmp(line, "end") == 0) {
            *length = (size_t)(line - *text);
            return true;
        }
        in->at[-1] = '\n';
    }
    return false;
}

/* Sets in->writer to the version of puddle that wrote a scene, or "". */
static void find_writer(reader *in, const char *scene) {
    size_t size = strlen(WRITER);
    if (strncmp(scene, WRITER, size) != 0) return;
    int length = (int)strcspn(scene + size, "\n");
    if (length < (int)sizeof in->writer) snprintf(in->writer, sizeof in->writer, "%.*s", length, scene + size);
}

/* Reports that the format has another version. The message names the version of puddle that wrote the file, if
 * known. */
static pd_result fail_version(reader *in, const char *version, pd_error *error) {
    uint64_t number = strtoull(version, NULL, 10);
    char *line = next_line(in), by[64] = "";
    if (line && strcmp(line, "scene") == 0) find_writer(in, in->at);
    if (*in->writer) snprintf(by, sizeof by, ", written by puddle %s", in->writer);
    return pd_fail(error, PD_ERROR_LOG_VERSION, "%.300s: a log of version %.20s%s; puddle %s reads version %d (use %s)",
                   in->name, version, by, pd_version(), VERSION,
                   *in->writer        ? "that version of puddle"
                   : number > VERSION ? "a newer puddle"
                                      : "an older puddle");
}

static pd_result read_head(reader *in, pd_scene *scene, pd_error *error) {
    char *line = next_line(in), *text;
    size_t length;
    in->line = 1;
    if (!line || strncmp(line, HEAD, strlen(HEAD)) != 0) return fail_broken(in, "this is not a log of commands", error);
    const char *version = line + strlen(HEAD);
    if (strspn(version, "0123456789") != strlen(version) || !*version)
        return fail_broken(in, "this is not a log of commands", error);
    if (strcmp(version, "1") != 0) return fail_version(in, version, error);
    line = next_line(in);
    if (!line || strcmp(line, "scene") != 0) return fail_broken(in, "the scene is missing", error);
    int first = in->line;
    if (!next_block(in, &text, &length)) return fail_broken(in, "the scene has no end", error);
    find_writer(in, text);
    pd_log_digest_begin(&in->digest, text, length);
    pd_error inner;
    pd_result result = pd_scene_read_snapshot_text(text, length, "scene", scene, &inner);
    if (result == PD_OK) return PD_OK;
    int last = in->line;
    in->line = first;
    result = fail_broken(in, inner.message, error);
    in->line = last;
    return result;
}

/* Reads a snapshot between the line `word` and "end". state->size = 0: the file has none. */
static pd_result read_snapshot(reader *in, const char *word, pd_keyframe *state, pd_error *error) {
    size_t length, size = strlen(word);
    char *text;
    *state = (pd_keyframe){0};
    if ((size_t)(in->end - in->at) <= size || strncmp(in->at, word, size) != 0 || in->at[size] != '\n') return PD_OK;
    next_line(in);
    if (!next_block(in, &text, &length)) return fail_broken(in, "the state has no end", error);
    state->bytes = pd_base64_decode(text, length, &state->size);
    return state->bytes ? PD_OK : fail_broken(in, "the state is damaged", error);
}

/* Reads a number before a blank or the end of the line, and skips the blank. */
static bool read_number(char **at, uint64_t *number) {
    char *stop;
    if (!isdigit((unsigned char)**at)) return false;
    errno = 0;
    *number = strtoull(*at, &stop, 10);
    if (errno || (*stop != ' ' && *stop != '\0')) return false;
    *at = *stop ? stop + 1 : stop;
    return true;
}

/* Reads "back TICK COUNT": removes everything after the first COUNT commands of tick TICK. */
static bool read_going_back(pd_log *log, char *at) {
    uint64_t tick, of_tick;
    if (!read_number(&at, &tick) || !read_number(&at, &of_tick) || *at || tick > log->end) return false;
    int kept = log->count;
    while (kept > 0 && log->entries[kept - 1].tick >= tick) kept--;
    while (of_tick > 0 && kept < log->count && log->entries[kept].tick == tick) {
        kept++;
        of_tick--;
    }
    if (of_tick > 0) return false;
    pd_log_remove_after(log, tick, kept);
    return true;
}

static pd_result read_line(pd_log *log, pd_world *world, reader *in, char *line, pd_error *error) {
    static const uint64_t MOST_TICKS = (uint64_t)1 << 53; /* limit within which a tick is exact as a double in JSON */
    static const char HASH[] = "hash ", BACK[] = "back ", KEYFRAME[] = "keyframe ";
    uint64_t tick;
    char *at = line;
    pd_error inner;
    bool numbered = read_number(&at, &tick);
    if (numbered && strncmp(at, KEYFRAME, strlen(KEYFRAME)) == 0) {
        in->keyframes = true;
        return pd_log_read_keyframe(log, world, &in->digest, tick, at + strlen(KEYFRAME))
                   ? PD_OK
                   : fail_broken(in, "the keyframe is damaged", error);
    }
    if (!numbered || tick < log->end) return fail_broken(in, "a line must begin with its step, in order", error);
    if (tick > MOST_TICKS) return fail_broken(in, "its step is beyond 2^53", error);
    log->end = tick;
    if (strcmp(at, "stop") == 0) return PD_OK;
    if (strncmp(at, BACK, strlen(BACK)) == 0) {
        if (!read_going_back(log, at + strlen(BACK)))
            return fail_broken(in, "the rewind leads to a step that the log does not have", error);
        pd_log_digest_cut(&in->digest, log->count);
        return PD_OK;
    }
    if (strncmp(at, HASH, strlen(HASH)) == 0) {
        char *digits = at + strlen(HASH);
        if (strlen(digits) != 16 || strspn(digits, "0123456789abcdef") != 16)
            return fail_broken(in, "a hash has 16 hexadecimal digits", error);
        return pd_log_append_check(log, tick, strtoull(digits, NULL, 16), error);
    }
    pd_command command;
    if (pd_command_parse(at, &log->scene, &command, &inner) != PD_OK) return fail_broken(in, inner.message, error);
    pd_result result = pd_log_append(log, tick, &command, error);
    pd_command_free(&command);
    return result;
}

static pd_result read_beginning(reader *in, pd_log **log, pd_world **world, const pd_world_def *given,
                                pd_error *error) {
    pd_scene scene;
    pd_keyframe start = {0}, state = {0};
    pd_result result = read_head(in, &scene, error);
    if (result != PD_OK) return result;
    pd_world_def def = *given;
    def.scene = &scene;
    result = pd_world_create(world, &def, error);
    pd_scene_free(&scene);
    if (result == PD_OK) result = read_snapshot(in, "start", &start, error);
    if (result == PD_OK) result = read_snapshot(in, "state", &state, error);
    if (result == PD_OK && start.bytes) result = pd_world_restore_from_memory(*world, start.bytes, start.size, error);
    if (result == PD_OK && state.bytes && !start.bytes)
        result = pd_world_save_to_memory(*world, &start.bytes, &start.size, error);
    if (result == PD_OK && state.bytes) result = pd_world_restore_from_memory(*world, state.bytes, state.size, error);
    if (result == PD_OK) result = pd_log_begin(log, *world, start.bytes ? &start : NULL, error);
    if (result == PD_OK) memcpy((*log)->writer, in->writer, sizeof in->writer);
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
    reader in = {.name = path, .at = bytes, .end = (char *)bytes + size, .refusals = pd_memory_refusal_count()};
    result = read_beginning(&in, log, world, def, error);
    pd_error wrong = {0};
    for (char *line; result == PD_OK && !wrong.code && (line = next_line(&in));) {
        uint64_t end = (*log)->end;
        if (read_line(*log, *world, &in, line, &wrong) != PD_OK) (*log)->end = end;
    }
    if (wrong.code == PD_ERROR_OUT_OF_MEMORY && error) *error = wrong;
    if (wrong.code == PD_ERROR_OUT_OF_MEMORY) result = PD_FAILED;
    if (result == PD_OK && in.keyframes) result = pd_log_set_state(*log, *world, &(*log)->keyframes[0], error);
    if (damage) snprintf(damage, PD_MAX_LOG_DAMAGE, "%.*s", PD_MAX_LOG_DAMAGE - 1, wrong.message);
    pd_memory_free(bytes);
    if (result == PD_OK) return PD_OK;
    pd_log_destroy(*log);
    pd_world_destroy(*world);
    *log = NULL;
    *world = NULL;
    return result;
}
