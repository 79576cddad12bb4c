/* Queue and writing threads of a recording, for backends of all kinds. */
#include "record/sink.h"

#include "core/error.h"
#include "core/file.h"
#include "core/timer.h"
#include "record/backend.h"
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    MAX_WRITERS = 8, /* greatest number of writing threads */
    MIN_QUEUE = 3,   /* least number of slots of the queue, if the memory limit allows */
    MAX_QUEUE = 32,  /* greatest number of slots of the queue */
};
/* Memory limits of the queue, bytes. MIN_QUEUE frames may occupy large_bytes together; a queue of more frames may occupy
 * queue_bytes. One frame is always allowed. */
static const size_t queue_bytes = (size_t)192 << 20, large_bytes = (size_t)1 << 30;

typedef enum slot_state { SLOT_FREE, SLOT_QUEUED, SLOT_WRITING } slot_state;

typedef struct queue_slot {
    slot_state state; /* free, waiting in the queue, or being written */
    long long index;  /* index of the frame in the recording */
    uint8_t *pixels;  /* pixels of the frame; allocated when the slot is first used */
} queue_slot;

struct pd_sink {
    pd_backend *backend;     /* writer of this kind of recording */
    size_t frame_bytes;      /* size of a frame's pixels, bytes */
    pd_recorded_part *parts; /* parts of the recording so far */
    int part_count;          /* number of parts */

    pthread_mutex_t mutex;
    pthread_cond_t slot_freed, slot_queued; /* slot_queued is signalled at the end of the recording too */
    queue_slot slots[MAX_QUEUE];            /* the queue */
    int slot_count, writer_count;           /* numbers of slots and of writing threads */
    pthread_t writers[MAX_WRITERS];         /* threads that compress and write frames */
    long long next_index;                   /* index of the next frame to add */
    long long first_failed;                 /* lowest index of a frame whose writing failed; LLONG_MAX: none */
    double writing;                         /* time of writing frames, summed over all threads, s */
    bool finishing;                         /* no frame follows: the threads end when the queue is empty */
    pd_result result;                       /* result of the first failed write */
    pd_error error;                         /* its error */
};

pd_result pd_fail_recording_out_of_memory(pd_error *error) {
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot record: out of memory (close other programs)");
}

static const struct {
    const char *extension; /* extension of the file's name; NULL: the kind is no single file */
    bool video;            /* libavcodec encodes this kind */
    bool alpha;            /* can have a transparent background */
    bool sixteen_bits;     /* can have 16 bits per channel */
} kinds[PD_SINK_KINDS] = {
    [PD_SINK_FOLDER] = {.alpha = true, .sixteen_bits = true},
    [PD_SINK_MP4] = {".mp4", .video = true},
    [PD_SINK_WEBM] = {".webm", .video = true, .alpha = true},
    [PD_SINK_GIF] = {".gif", .video = true},
    [PD_SINK_STREAM] = {.alpha = true, .sixteen_bits = true},
    [PD_SINK_MOV] = {".mov", .video = true, .alpha = true},
    [PD_SINK_STILL] = {".png", .alpha = true, .sixteen_bits = true},
};

bool pd_sink_is_video(pd_sink_kind kind) { return kinds[kind].video; }
bool pd_sink_is_file(pd_sink_kind kind) { return kinds[kind].extension != NULL; }
bool pd_sink_has_alpha(pd_sink_kind kind) { return kinds[kind].alpha; }
bool pd_sink_has_16_bits(pd_sink_kind kind) { return kinds[kind].sixteen_bits; }

const char *pd_quality_name(pd_quality quality) {
    static const char *const names[PD_QUALITIES] = {"", "low", "medium", "high", "best"};
    return names[quality];
}

/* Returns whether a text after a dot is the extension of a file name: letters and digits, at least one letter. So
 * "run-0.5" has no extension and can be a folder. */
static bool is_file_name_extension(const char *text) {
    bool letter = false;
    for (const char *c = text; *c; c++) {
        if (!isalnum((unsigned char)*c)) return false;
        if (isalpha((unsigned char)*c)) letter = true;
    }
    return letter;
}

pd_result pd_sink_find_kind(const char *path, pd_sink_kind *kind, pd_error *error) {
    const char *name = pd_path_name(path), *extension = strrchr(name, '.');
    *kind = strcmp(path, "-") == 0 ? PD_SINK_STREAM : PD_SINK_FOLDER;
    if (*kind == PD_SINK_STREAM || !extension || extension == name) return PD_OK;
    for (int k = 0; k < PD_SINK_KINDS; k++) {
        if (!kinds[k].extension || strcasecmp(extension, kinds[k].extension) != 0) continue;
        *kind = (pd_sink_kind)k;
        return PD_OK;
    }
    if (!is_file_name_extension(extension + 1) || pd_os_status(path, true).type == PD_PATH_FOLDER) return PD_OK;
    return pd_fail(error, PD_ERROR_USAGE,
                   "cannot record to '%.200s': '%.40s' is no known format (use .mp4, .webm, .mov, .gif or .png, or for "
                   "a folder '%.200s/')",
                   path, extension, path);
}

void pd_sink_round_size_to_even(pd_sink_kind kind, pd_pixels *pixels) {
    if (kind != PD_SINK_MP4 && kind != PD_SINK_WEBM) return;
    pixels->width = pixels->width > 2 ? pixels->width & ~1 : 2;
    pixels->height = pixels->height > 2 ? pixels->height & ~1 : 2;
}

double pd_sink_choose_fps(pd_sink_kind kind, double requested_fps) {
    static const double TOLERANCE = 0.05; /* 33.3 stands for 100/3 */
    if (kind != PD_SINK_GIF) return requested_fps;
    if (!(requested_fps > 0)) return 25;
    /* A GIF stores the time of a frame in 1/100 s. With other rates than 100/n these times alternate, as 3, 3 and 4 for
     * 30. Browsers show a frame of 1/100 s for 1/10 s, so 50 is the greatest rate. */
    double even = 100 / fmax(round(100 / requested_fps), 2);
    return fabs(even - requested_fps) < TOLERANCE ? even : fmin(requested_fps, 50);
}

pd_result pd_sink_check_path(const char *path, bool overwrite, pd_error *error) {
    pd_sink_kind kind;
    pd_result result = pd_sink_find_kind(path, &kind, error);
    if (result) return result;
    if (pd_sink_is_file(kind)) {
        pd_output_remove_abandoned(path);
        return pd_recorded_file_check_path(path, overwrite, error);
    }
    if (kind == PD_SINK_FOLDER) return pd_folder_check_path(path, overwrite, error);
    if (!pd_os_is_terminal(stdout)) return pd_file_check_standard_output(error);
    return pd_fail(error, PD_ERROR_USAGE,
                   "cannot write frames to standard output: it is a terminal (pipe it into another program)");
}

/* Returns the queued slot with the lowest frame index, so that frames are written in order. NULL: none is queued. */
static queue_slot *find_oldest_queued_slot(pd_sink *sink) {
    queue_slot *found = NULL;
    for (int i = 0; i < sink->slot_count; i++)
        if (sink->slots[i].state == SLOT_QUEUED && (!found || sink->slots[i].index < found->index))
            found = &sink->slots[i];
    return found;
}

static void write_frame_of_slot(pd_sink *sink, queue_slot *slot) {
    pd_error error;
    double begun = pd_now();
    pd_result result = sink->backend->write(sink->backend, slot->index, slot->pixels, &error);
    pthread_mutex_lock(&sink->mutex);
    sink->writing += pd_now() - begun;
    if (result && slot->index < sink->first_failed) { /* the error of the earliest failed frame is reported */
        sink->first_failed = slot->index;
        sink->result = result;
        sink->error = error;
    }
    slot->state = SLOT_FREE;
    pthread_cond_signal(&sink->slot_freed);
    pthread_mutex_unlock(&sink->mutex);
}

static void *writer_thread_main(void *context) {
    pd_sink *sink = context;
    for (;;) {
        pthread_mutex_lock(&sink->mutex);
        queue_slot *slot = find_oldest_queued_slot(sink);
        while (!slot && !sink->finishing) {
            pthread_cond_wait(&sink->slot_queued, &sink->mutex);
            slot = find_oldest_queued_slot(sink);
        }
        bool discarded = slot && slot->index >= sink->first_failed;
        if (slot) slot->state = discarded ? SLOT_FREE : SLOT_WRITING;
        if (discarded) pthread_cond_signal(&sink->slot_freed);
        pthread_mutex_unlock(&sink->mutex);
        if (!slot) return NULL;
        if (!discarded) write_frame_of_slot(sink, slot);
    }
}

static void free_sink(pd_sink *sink) {
    for (int i = 0; i < MAX_QUEUE; i++) free(sink->slots[i].pixels);
    pthread_cond_destroy(&sink->slot_queued);
    pthread_cond_destroy(&sink->slot_freed);
    pthread_mutex_destroy(&sink->mutex);
    free(sink->parts);
    free(sink);
}

static pd_result start_writer_threads(pd_sink *sink, pd_error *error) {
    int thread_count = sink->backend->parallel ? pd_os_core_count() : 1;
    if (thread_count > MAX_WRITERS) thread_count = MAX_WRITERS;
    sink->writer_count = pd_os_start_threads(sink->writers, thread_count, writer_thread_main, sink);
    if (sink->writer_count) return PD_OK;
    return pd_fail(error, PD_ERROR_THREADS_UNAVAILABLE,
                   "cannot record: the system gave no thread (close other programs)");
}

static pd_result create_backend(pd_sink *sink, const char *path, const pd_sink_info *info, bool overwrite,
                                pd_error *error) {
    pd_sink_kind kind;
    pd_result result = pd_sink_find_kind(path, &kind, error);
    if (result) return result;
    if (kind == PD_SINK_FOLDER) return pd_folder_backend_create(&sink->backend, path, info, overwrite, error);
    if (kind == PD_SINK_STREAM) return pd_stream_backend_create(&sink->backend, info, error);
    if (kind == PD_SINK_STILL) return pd_still_backend_create(&sink->backend, path, info, overwrite, error);
    return pd_video_backend_create(&sink->backend, path, kind, info, overwrite, error);
}

/* Returns the number of slots of the queue for frames of frame_bytes bytes. */
static int choose_slot_count(size_t frame_bytes) {
    size_t slots = queue_bytes / frame_bytes, large = large_bytes / frame_bytes;
    if (slots > MAX_QUEUE) return MAX_QUEUE;
    if (slots >= MIN_QUEUE) return (int)slots;
    if (large >= MIN_QUEUE) return MIN_QUEUE;
    return large > 1 ? (int)large : 1;
}

pd_result pd_sink_create(pd_sink **created, const char *path, const pd_sink_info *info, bool overwrite,
                         pd_error *error) {
    *created = NULL;
    pd_sink *sink = calloc(1, sizeof *sink);
    if (!sink) return pd_fail_recording_out_of_memory(error);
    sink->first_failed = LLONG_MAX;
    sink->frame_bytes = pd_pixels_bytes(&info->pixels);
    sink->slot_count = choose_slot_count(sink->frame_bytes);
    pthread_mutex_init(&sink->mutex, NULL);
    pthread_cond_init(&sink->slot_freed, NULL);
    pthread_cond_init(&sink->slot_queued, NULL);
    pd_sink_begin_part(sink, &info->part);
    pd_os_block_signals(); /* in the threads of encoders */
    pd_result result =
        sink->parts ? create_backend(sink, path, info, overwrite, error) : pd_fail_recording_out_of_memory(error);
    pd_os_unblock_signals();
    if (!result) {
        result = start_writer_threads(sink, error);
        if (result) sink->backend->discard(sink->backend);
    }
    if (result) {
        free_sink(sink);
        return result;
    }
    *created = sink;
    return PD_OK;
}

const char *pd_sink_encoder_note(const pd_sink *sink) { return sink->backend->note; }

void pd_sink_begin_part(pd_sink *sink, const pd_sink_part *part) {
    pd_recorded_part next = {.seed = part->seed, .first_frame = sink->next_index};
    snprintf(next.scene, sizeof next.scene, "%s", part->scene ? part->scene : "");
    snprintf(next.method, sizeof next.method, "%s", part->method ? part->method : "");
    pd_recorded_part *last = sink->part_count ? &sink->parts[sink->part_count - 1] : NULL;
    if (last && !strcmp(last->scene, next.scene) && !strcmp(last->method, next.method) && last->seed == next.seed)
        return;
    if (last && last->first_frame == sink->next_index) { /* the last part has no frame yet: it is replaced */
        *last = next;
        return;
    }
    pd_recorded_part *grown = realloc(sink->parts, sizeof *grown * (size_t)(sink->part_count + 1));
    if (!grown) return; /* out of memory: the recording continues without this part's description */
    sink->parts = grown;
    grown[sink->part_count++] = next;
}

static queue_slot *find_free_slot(pd_sink *sink) {
    for (int i = 0; i < sink->slot_count; i++)
        if (sink->slots[i].state == SLOT_FREE) return &sink->slots[i];
    return NULL;
}

/* Writes the first frame of the recording on the calling thread, without the queue. */
static pd_result write_first_frame(pd_sink *sink, const uint8_t *pixels, pd_error *error) {
    double begun = pd_now();
    pd_result result = sink->backend->write(sink->backend, 0, pixels, &sink->error);
    sink->next_index = 1;
    pthread_mutex_lock(&sink->mutex);
    sink->writing += pd_now() - begun;
    sink->result = result;
    pthread_mutex_unlock(&sink->mutex);
    if (result && error) *error = sink->error;
    return result;
}

pd_result pd_sink_add_frame(pd_sink *sink, const uint8_t *pixels, pd_error *error) {
    if (sink->next_index == 0 && sink->backend->waits_for_first && !sink->result)
        return write_first_frame(sink, pixels, error);
    queue_slot *slot = NULL;
    pthread_mutex_lock(&sink->mutex);
    while (!sink->result && !slot) {
        slot = find_free_slot(sink);
        if (!slot) pthread_cond_wait(&sink->slot_freed, &sink->mutex);
    }
    if (!sink->result && !slot->pixels) slot->pixels = malloc(sink->frame_bytes);
    if (!sink->result && !slot->pixels)
        sink->result =
            pd_fail(&sink->error, PD_ERROR_OUT_OF_MEMORY, "cannot record: out of memory (use a smaller size)");
    pd_result result = sink->result;
    if (result && error) *error = sink->error;
    pthread_mutex_unlock(&sink->mutex);
    if (result) return result;
    memcpy(slot->pixels, pixels,
           sink->frame_bytes); /* no lock is needed, since only the calling thread uses free slots */
    pthread_mutex_lock(&sink->mutex);
    slot->index = sink->next_index++;
    slot->state = SLOT_QUEUED;
    pthread_cond_signal(&sink->slot_queued);
    pthread_mutex_unlock(&sink->mutex);
    return PD_OK;
}

bool pd_sink_has_free_slot(const pd_sink *sink) {
    pd_sink *locked = (pd_sink *)sink; /* the mutex must be writable, although the function leaves the sink unchanged */
    pthread_mutex_lock(&locked->mutex);
    bool ready = locked->result || find_free_slot(locked);
    pthread_mutex_unlock(&locked->mutex);
    return ready;
}

void pd_sink_wait_until_written(const pd_sink *sink) {
    pd_sink *locked = (pd_sink *)sink; /* as above */
    pthread_mutex_lock(&locked->mutex);
    for (int i = 0; i < locked->slot_count; i++)
        while (locked->slots[i].state != SLOT_FREE) pthread_cond_wait(&locked->slot_freed, &locked->mutex);
    pthread_mutex_unlock(&locked->mutex);
}

pd_result pd_sink_finish(pd_sink *sink, bool allow_empty, pd_sink_report *report, pd_error *error) {
    pthread_mutex_lock(&sink->mutex);
    sink->finishing = true;
    pthread_cond_broadcast(&sink->slot_queued);
    pthread_mutex_unlock(&sink->mutex);
    for (int i = 0; i < sink->writer_count; i++) pthread_join(sink->writers[i], NULL);
    pd_sink_outcome outcome = {.added_frames = sink->next_index,
                               .first_failed = sink->first_failed,
                               .result = sink->result,
                               .error = sink->error,
                               .allow_empty = allow_empty,
                               .parts = sink->parts,
                               .part_count = sink->part_count};
    pd_error ignored;
    pd_sink_report done = {0};
    double begun = pd_now();
    pd_result result = sink->backend->finish(sink->backend, &outcome, &done, error ? error : &ignored);
    done.encoding = sink->writing + pd_now() - begun - done.converting;
    if (report) *report = done;
    free_sink(sink);
    return result;
}

/* ---- Steps at which frames are due ---- */

void pd_frame_clock_begin(pd_frame_clock *clock, double fps, double dt) {
    *clock = (pd_frame_clock){.dt = dt, .last_step = LLONG_MAX, .last_frame = LLONG_MAX};
    clock->every_step = fps <= 0 || fabs(fps * dt - 1) < 1e-3;
    clock->fps = fps > 0 ? fps : fmax(1, round(1 / dt));
}

void pd_frame_clock_skip(pd_frame_clock *clock, double seconds) {
    clock->frames = (long long)floor(seconds * (clock->every_step ? 1 / clock->dt : clock->fps) + 1e-2);
}

void pd_frame_clock_set_limits(pd_frame_clock *clock, long long steps, long long frames) {
    clock->last_step = clock->last_frame = steps;
    if (!clock->every_step && steps != LLONG_MAX)
        clock->last_frame = (long long)floor((double)steps * clock->dt * clock->fps + 1e-2);
    if (frames > 0 && frames < clock->last_frame - clock->frames) clock->last_frame = clock->frames + frames;
}

void pd_frame_clock_count_step(pd_frame_clock *clock) { clock->steps++; }

bool pd_frame_clock_count_due_frame(pd_frame_clock *clock, double *alpha) {
    if (clock->frames >= clock->last_frame) return false;
    double frame = (double)(clock->frames + 1);
    double moment = clock->every_step
                        ? frame
                        : frame / clock->fps / clock->dt; /* time of the next frame, in units of the step dt */
    if (moment > (double)clock->steps + 1e-6 && clock->steps < clock->last_step) return false;
    *alpha = fmin(fmax(moment - (double)(clock->steps - 1), 0), 1);
    clock->frames++;
    return true;
}
