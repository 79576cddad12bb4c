/* The queue and the writing threads of a recording, for all kinds of sinks. */
#include "record/sink.h"

#include "core/error.h"
#include "record/backend.h"
#include "record/folder.h"
#include <ctype.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_WRITERS = 8, MIN_QUEUE = 3, MAX_QUEUE = 32 };
/* Limits of the queue's frames, bytes: queue_bytes, or large_bytes for the first MIN_QUEUE frames. A single frame may
 * have any size. */
static const size_t queue_bytes = (size_t)192 << 20, large_bytes = (size_t)1 << 30;

typedef enum slot_state { SLOT_FREE, SLOT_QUEUED, SLOT_WRITING } slot_state;

typedef struct queue_slot {
    slot_state state;
    long long index; /* index of the frame in the recording */
    uint8_t *pixels; /* pixels of the frame, allocated at the slot's first use */
} queue_slot;

struct pd_sink {
    pd_backend *backend;
    size_t size; /* bytes of a frame */
    pd_recorded_part *parts;
    int part_count;

    pthread_mutex_t mutex;
    pthread_cond_t slot_freed, slot_queued; /* slot_queued: also signalled at the end of the recording */
    queue_slot slots[MAX_QUEUE];
    int slot_count, writer_count;
    pthread_t writers[MAX_WRITERS];
    long long next; /* index of the next frame */
    long long end;  /* index of the first failed frame, at which the recording ends */
    bool finishing;
    pd_result result; /* result of the first failed write */
    pd_error error;
};

pd_result pd_fail_recording_memory(pd_error *error) {
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot record: out of memory (close other programs)");
}

static const struct {
    const char *ending; /* ending of the file's name; NULL: no file */
    bool video, alpha, depth;
} kinds[PD_SINK_KINDS] = {
    [PD_SINK_FOLDER] = {.alpha = true, .depth = true},        [PD_SINK_MP4] = {".mp4", .video = true},
    [PD_SINK_WEBM] = {".webm", .video = true, .alpha = true}, [PD_SINK_GIF] = {".gif", .video = true},
    [PD_SINK_STREAM] = {.alpha = true, .depth = true},        [PD_SINK_MOV] = {".mov", .video = true, .alpha = true},
    [PD_SINK_STILL] = {".png", .alpha = true, .depth = true},
};

bool pd_sink_is_video(pd_sink_kind kind) { return kinds[kind].video; }
bool pd_sink_is_file(pd_sink_kind kind) { return kinds[kind].ending != NULL; }
bool pd_sink_has_alpha(pd_sink_kind kind) { return kinds[kind].alpha; }
bool pd_sink_has_depth(pd_sink_kind kind) { return kinds[kind].depth; }

const char *pd_quality_name(pd_quality quality) {
    static const char *const names[PD_QUALITIES] = {"", "low", "medium", "high", "best"};
    return names[quality];
}

/* Returns whether a text is the ending of a file name (".avi"). False for ".5", as in "run-0.5", the name of a
 * folder. */
static bool is_ending(const char *text) {
    bool letter = false;
    for (const char *c = text; *c; c++) {
        if (!isalnum((unsigned char)*c)) return false;
        if (isalpha((unsigned char)*c)) letter = true;
    }
    return letter;
}

pd_result pd_sink_find_kind(const char *path, pd_sink_kind *kind, pd_error *error) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *ending = strrchr(name, '.');
    struct stat status;
    *kind = strcmp(path, "-") == 0 ? PD_SINK_STREAM : PD_SINK_FOLDER;
    if (*kind == PD_SINK_STREAM || !ending || ending == name) return PD_OK;
    for (int k = 0; k < PD_SINK_KINDS; k++) {
        if (!kinds[k].ending || strcasecmp(ending, kinds[k].ending) != 0) continue;
        *kind = (pd_sink_kind)k;
        return PD_OK;
    }
    if (!is_ending(ending + 1) || (stat(path, &status) == 0 && S_ISDIR(status.st_mode))) return PD_OK;
    return pd_fail(error, PD_ERROR_USAGE,
                   "cannot record to '%.200s': '%.40s' is no known format (use .mp4, .webm, .mov, .gif or .png, or for "
                   "a folder '%.200s/')",
                   path, ending, path);
}

void pd_sink_fit_size(pd_sink_kind kind, pd_pixels *pixels) {
    if (kind != PD_SINK_MP4 && kind != PD_SINK_WEBM) return;
    pixels->width = pixels->width > 2 ? pixels->width & ~1 : 2;
    pixels->height = pixels->height > 2 ? pixels->height & ~1 : 2;
}

pd_result pd_sink_choose_fps(pd_sink_kind kind, int wanted, int *fps, pd_error *error) {
    *fps = wanted;
    if (kind != PD_SINK_GIF) return PD_OK;
    /* GIF stores the time of a frame in 1/100 s. Browsers show a frame of 1/100 s for 1/10 s. */
    if (!wanted) *fps = 25;
    if (100 % *fps == 0 && *fps <= 50) return PD_OK;
    return pd_fail(error, PD_ERROR_USAGE,
                   "a GIF cannot have %d frames a second: it counts time in 1/100 s (use --fps 50, 25, 20 or 10)",
                   wanted);
}

pd_result pd_sink_check(const char *path, bool force, pd_error *error) {
    pd_sink_kind kind;
    pd_result result = pd_sink_find_kind(path, &kind, error);
    if (result) return result;
    if (pd_sink_is_file(kind)) return pd_recorded_file_check(path, force, error);
    if (kind == PD_SINK_FOLDER) return pd_folder_check(path, force, error);
    if (!isatty(STDOUT_FILENO)) return PD_OK;
    return pd_fail(error, PD_ERROR_USAGE,
                   "cannot write frames to standard output: it is a terminal (pipe it into another program)");
}

/* Returns the oldest queued frame, so that files appear in their order. */
static queue_slot *oldest_frame(pd_sink *sink) {
    queue_slot *found = NULL;
    for (int i = 0; i < sink->slot_count; i++)
        if (sink->slots[i].state == SLOT_QUEUED && (!found || sink->slots[i].index < found->index))
            found = &sink->slots[i];
    return found;
}

static void write_slot(pd_sink *sink, queue_slot *slot) {
    pd_error error;
    pd_result result = sink->backend->write(sink->backend, slot->index, slot->pixels, &error);
    pthread_mutex_lock(&sink->mutex);
    if (result && slot->index < sink->end) { /* the failure of the frame with the lowest index is reported */
        sink->end = slot->index;
        sink->result = result;
        sink->error = error;
    }
    slot->state = SLOT_FREE;
    pthread_cond_signal(&sink->slot_freed);
    pthread_mutex_unlock(&sink->mutex);
}

static void *run_writer(void *context) {
    pd_sink *sink = context;
    for (;;) {
        pthread_mutex_lock(&sink->mutex);
        queue_slot *slot = oldest_frame(sink);
        while (!slot && !sink->finishing) {
            pthread_cond_wait(&sink->slot_queued, &sink->mutex);
            slot = oldest_frame(sink);
        }
        bool discarded = slot && slot->index >= sink->end;
        if (slot) slot->state = discarded ? SLOT_FREE : SLOT_WRITING;
        if (discarded) pthread_cond_signal(&sink->slot_freed);
        pthread_mutex_unlock(&sink->mutex);
        if (!slot) return NULL;
        if (!discarded) write_slot(sink, slot);
    }
}

static void stop_writers(pd_sink *sink) {
    pthread_mutex_lock(&sink->mutex);
    sink->finishing = true;
    pthread_cond_broadcast(&sink->slot_queued);
    pthread_mutex_unlock(&sink->mutex);
    for (int i = 0; i < sink->writer_count; i++) pthread_join(sink->writers[i], NULL);
}

static void free_sink(pd_sink *sink) {
    for (int i = 0; i < MAX_QUEUE; i++) free(sink->slots[i].pixels);
    pthread_cond_destroy(&sink->slot_queued);
    pthread_cond_destroy(&sink->slot_freed);
    pthread_mutex_destroy(&sink->mutex);
    free(sink->parts);
    free(sink);
}

static pd_result start_writers(pd_sink *sink, pd_error *error) {
    long wanted = sink->backend->parallel ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
    if (wanted < 1) wanted = 1;
    if (wanted > MAX_WRITERS) wanted = MAX_WRITERS;
    while (sink->writer_count < wanted && !pthread_create(&sink->writers[sink->writer_count], NULL, run_writer, sink))
        sink->writer_count++;
    if (sink->writer_count) return PD_OK;
    return pd_fail(error, PD_ERROR_THREADS_UNAVAILABLE,
                   "cannot record: the system gave no thread (close other programs)");
}

static pd_result create_backend(pd_sink *sink, const char *path, const pd_sink_info *info, bool force,
                                pd_error *error) {
    pd_sink_kind kind;
    pd_result result = pd_sink_find_kind(path, &kind, error);
    if (result) return result;
    if (kind == PD_SINK_FOLDER) return pd_folder_backend(&sink->backend, path, info, force, error);
    if (kind == PD_SINK_STREAM) return pd_stream_backend(&sink->backend, info, error);
    if (kind == PD_SINK_STILL) return pd_still_backend(&sink->backend, path, info, force, error);
    return pd_video_backend(&sink->backend, path, kind, info, force, error);
}

/* Returns the greatest number of frames of this size in the queue. */
static int count_slots(size_t size) {
    size_t slots = queue_bytes / size, large = large_bytes / size;
    if (slots > MAX_QUEUE) return MAX_QUEUE;
    if (slots >= MIN_QUEUE) return (int)slots;
    if (large >= MIN_QUEUE) return MIN_QUEUE;
    return large > 1 ? (int)large : 1;
}

pd_result pd_sink_create(pd_sink **created, const char *path, const pd_sink_info *info, bool force, pd_error *error) {
    *created = NULL;
    pd_sink *sink = calloc(1, sizeof *sink);
    if (!sink) return pd_fail_recording_memory(error);
    sink->end = LLONG_MAX;
    sink->size = pd_pixels_size(&info->pixels);
    sink->slot_count = count_slots(sink->size);
    pthread_mutex_init(&sink->mutex, NULL);
    pthread_cond_init(&sink->slot_freed, NULL);
    pthread_cond_init(&sink->slot_queued, NULL);
    /* Threads inherit the signal mask: writers and encoders block all signals, which the main thread handles. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pd_sink_set_part(sink, &info->part);
    pd_result result = sink->parts ? create_backend(sink, path, info, force, error) : pd_fail_recording_memory(error);
    if (!result) {
        result = start_writers(sink, error);
        if (result) sink->backend->discard(sink->backend);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result) {
        free_sink(sink);
        return result;
    }
    *created = sink;
    return PD_OK;
}

const char *pd_sink_note(const pd_sink *sink) { return sink->backend->note; }

void pd_sink_set_part(pd_sink *sink, const pd_sink_part *part) {
    pd_recorded_part next = {.seed = part->seed, .first = sink->next};
    snprintf(next.scene, sizeof next.scene, "%s", part->scene ? part->scene : "");
    snprintf(next.method, sizeof next.method, "%s", part->method ? part->method : "");
    pd_recorded_part *last = sink->part_count ? &sink->parts[sink->part_count - 1] : NULL;
    if (last && !strcmp(last->scene, next.scene) && !strcmp(last->method, next.method) && last->seed == next.seed)
        return;
    if (last && last->first == sink->next) { /* the last part has no frame, so it is replaced */
        *last = next;
        return;
    }
    pd_recorded_part *grown = realloc(sink->parts, sizeof *grown * (size_t)(sink->part_count + 1));
    if (!grown) return; /* without memory the part is lost; the recording continues */
    sink->parts = grown;
    grown[sink->part_count++] = next;
}

static queue_slot *free_slot(pd_sink *sink) {
    for (int i = 0; i < sink->slot_count; i++)
        if (sink->slots[i].state == SLOT_FREE) return &sink->slots[i];
    return NULL;
}

/* Writes the first frame on the calling thread, while the writers are idle. */
static pd_result write_first_frame(pd_sink *sink, const uint8_t *pixels, pd_error *error) {
    pd_result result = sink->backend->write(sink->backend, 0, pixels, &sink->error);
    sink->next = 1;
    pthread_mutex_lock(&sink->mutex);
    sink->result = result;
    pthread_mutex_unlock(&sink->mutex);
    if (result && error) *error = sink->error;
    return result;
}

pd_result pd_sink_add(pd_sink *sink, const uint8_t *pixels, pd_error *error) {
    if (sink->next == 0 && sink->backend->first_alone && !sink->result) return write_first_frame(sink, pixels, error);
    queue_slot *slot = NULL;
    pthread_mutex_lock(&sink->mutex);
    while (!sink->result && !slot) {
        slot = free_slot(sink);
        if (!slot) pthread_cond_wait(&sink->slot_freed, &sink->mutex);
    }
    if (!sink->result && !slot->pixels) slot->pixels = malloc(sink->size);
    if (!sink->result && !slot->pixels)
        sink->result =
            pd_fail(&sink->error, PD_ERROR_OUT_OF_MEMORY, "cannot record: out of memory (use a smaller size)");
    pd_result result = sink->result;
    if (result && error) *error = sink->error;
    pthread_mutex_unlock(&sink->mutex);
    if (result) return result;
    memcpy(slot->pixels, pixels, sink->size); /* needs no lock: only this thread fills free slots */
    pthread_mutex_lock(&sink->mutex);
    slot->index = sink->next++;
    slot->state = SLOT_QUEUED;
    pthread_cond_signal(&sink->slot_queued);
    pthread_mutex_unlock(&sink->mutex);
    return PD_OK;
}

bool pd_sink_has_room(const pd_sink *sink) {
    pd_sink *locked = (pd_sink *)sink; /* drops const: the mutex is no part of the visible state */
    pthread_mutex_lock(&locked->mutex);
    bool ready = locked->result || free_slot(locked);
    pthread_mutex_unlock(&locked->mutex);
    return ready;
}

pd_result pd_sink_finish(pd_sink *sink, bool allow_empty, pd_sink_report *report, pd_error *error) {
    stop_writers(sink);
    pd_sink_end end = {.added = sink->next,
                       .end = sink->end,
                       .result = sink->result,
                       .error = sink->error,
                       .allow_empty = allow_empty,
                       .parts = sink->parts,
                       .part_count = sink->part_count};
    pd_error ignored;
    pd_sink_report done = {0};
    pd_result result = sink->backend->finish(sink->backend, &end, &done, error ? error : &ignored);
    if (report) *report = done;
    free_sink(sink);
    return result;
}
