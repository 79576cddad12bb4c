#include "record/frames.h"

#include "core/error.h"
#include "record/folder.h"
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WRITERS = 8, MIN_QUEUE = 3, MAX_QUEUE = 32 };
static const size_t queue_bytes = (size_t)192 << 20;

typedef enum slot_state { SLOT_FREE, SLOT_QUEUED, SLOT_WRITING } slot_state;

typedef struct queue_slot {
    slot_state state;
    long long index; /* of the frame */
    uint8_t *rgb;    /* allocated when it is first used */
} queue_slot;

struct pd_frames {
    pd_folder folder;
    bool replaces; /* the folder still holds another recording */
    char scene[64], method[64];
    uint64_t seed;
    int width, height, fps;

    pthread_mutex_t mutex;
    pthread_cond_t room, work; /* a slot became free; a slot was queued, or the recording ends */
    queue_slot slots[MAX_QUEUE];
    int slot_count, writer_count;
    pthread_t writers[MAX_WRITERS];
    long long next; /* index of the next frame */
    long long end;  /* index of the first frame that could not be written: the recording ends before it */
    bool finishing;
    pd_result result; /* of the first write that failed */
    pd_error error;
};

pd_result pd_frames_check(const char *folder, bool force, pd_error *error) {
    return pd_folder_check(folder, force, error);
}

/* The oldest queued frame, so that files appear in order. */
static queue_slot *oldest(pd_frames *frames) {
    queue_slot *found = NULL;
    for (int i = 0; i < frames->slot_count; i++)
        if (frames->slots[i].state == SLOT_QUEUED && (!found || frames->slots[i].index < found->index))
            found = &frames->slots[i];
    return found;
}

static void frame_path(const pd_frames *frames, long long index, char *path, size_t size) {
    snprintf(path, size, "%s/frame_%06lld.png", frames->folder.path, index);
}

static void write_slot(pd_frames *frames, queue_slot *slot) {
    char path[PD_MAX_PATH];
    pd_error error;
    frame_path(frames, slot->index, path, sizeof path);
    pd_result result = pd_png_write(path, frames->width, frames->height, slot->rgb, &error);
    pthread_mutex_lock(&frames->mutex);
    if (result && slot->index < frames->end) { /* of several failures the one of the first frame is reported */
        frames->end = slot->index;
        frames->result = result;
        frames->error = error;
    }
    slot->state = SLOT_FREE;
    pthread_cond_signal(&frames->room);
    pthread_mutex_unlock(&frames->mutex);
}

static void *writer(void *context) {
    pd_frames *frames = context;
    for (;;) {
        pthread_mutex_lock(&frames->mutex);
        queue_slot *slot = oldest(frames);
        while (!slot && !frames->finishing) {
            pthread_cond_wait(&frames->work, &frames->mutex);
            slot = oldest(frames);
        }
        bool discarded = slot && slot->index >= frames->end;
        if (slot) slot->state = discarded ? SLOT_FREE : SLOT_WRITING;
        if (discarded) pthread_cond_signal(&frames->room);
        pthread_mutex_unlock(&frames->mutex);
        if (!slot) return NULL;
        if (!discarded) write_slot(frames, slot);
    }
}

static void stop_writers(pd_frames *frames) {
    pthread_mutex_lock(&frames->mutex);
    frames->finishing = true;
    pthread_cond_broadcast(&frames->work);
    pthread_mutex_unlock(&frames->mutex);
    for (int i = 0; i < frames->writer_count; i++) pthread_join(frames->writers[i], NULL);
}

/* Writers may finish out of order: removes the files after the first frame that failed, which would follow a gap in the
 * numbering. Returns the number of frames that remain. */
static int remove_after_gap(const pd_frames *frames) {
    for (long long index = frames->end; index < frames->next; index++) {
        char path[PD_MAX_PATH];
        frame_path(frames, index, path, sizeof path);
        unlink(path);
    }
    return (int)(frames->end < frames->next ? frames->end : frames->next);
}

static void release(pd_frames *frames) {
    pd_folder_release(&frames->folder);
    for (int i = 0; i < MAX_QUEUE; i++) free(frames->slots[i].rgb);
    pthread_cond_destroy(&frames->work);
    pthread_cond_destroy(&frames->room);
    pthread_mutex_destroy(&frames->mutex);
    free(frames);
}

static pd_result start_writers(pd_frames *frames, pd_error *error) {
    long wanted = sysconf(_SC_NPROCESSORS_ONLN);
    if (wanted < 1) wanted = 1;
    if (wanted > MAX_WRITERS) wanted = MAX_WRITERS;
    /* Signals are handled by the main thread. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    while (frames->writer_count < wanted &&
           !pthread_create(&frames->writers[frames->writer_count], NULL, writer, frames))
        frames->writer_count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (frames->writer_count) return PD_OK;
    return pd_fail(error, PD_ERROR_THREADS_UNAVAILABLE,
                   "cannot record: the system gives no thread (close other programs)");
}

pd_result pd_frames_create(pd_frames **created, const char *folder, int width, int height, const pd_frames_info *info,
                           bool force, pd_error *error) {
    *created = NULL;
    pd_frames *frames = calloc(1, sizeof *frames);
    if (!frames) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot record: out of memory (close other programs)");
    pd_result result = pd_folder_take(&frames->folder, folder, force, error);
    if (result) {
        free(frames);
        return result;
    }
    snprintf(frames->scene, sizeof frames->scene, "%s", info->scene ? info->scene : "");
    snprintf(frames->method, sizeof frames->method, "%s", info->method ? info->method : "");
    frames->replaces = pd_folder_is_recording(&frames->folder);
    frames->end = LLONG_MAX;
    frames->seed = info->seed;
    frames->fps = info->fps;
    frames->width = width;
    frames->height = height;
    size_t slots = queue_bytes / ((size_t)width * (size_t)height * 3);
    if (slots < MIN_QUEUE) slots = MIN_QUEUE;
    if (slots > MAX_QUEUE) slots = MAX_QUEUE;
    frames->slot_count = (int)slots;
    pthread_mutex_init(&frames->mutex, NULL);
    pthread_cond_init(&frames->room, NULL);
    pthread_cond_init(&frames->work, NULL);
    result = start_writers(frames, error);
    if (result) {
        pd_folder_discard(&frames->folder);
        release(frames);
        return result;
    }
    pd_folder_sweep(&frames->folder);
    *created = frames;
    return PD_OK;
}

static queue_slot *free_slot(pd_frames *frames) {
    for (int i = 0; i < frames->slot_count; i++)
        if (frames->slots[i].state == SLOT_FREE) return &frames->slots[i];
    return NULL;
}

/* The first frame of a recording that replaces another is written before any other file of that one is removed: when it
 * fails, because the disk is full or memory is short, nothing is lost. Runs while the writers are idle. */
static pd_result replace_first(pd_frames *frames, const uint8_t *rgb, pd_error *error) {
    char path[PD_MAX_PATH];
    frame_path(frames, 0, path, sizeof path);
    pd_result result = pd_png_write(path, frames->width, frames->height, rgb, &frames->error);
    if (!result) {
        frames->next = 1;
        frames->replaces = false;
        result = pd_folder_clear(&frames->folder, strrchr(path, '/') + 1, &frames->error);
    }
    pthread_mutex_lock(&frames->mutex);
    frames->result = result;
    pthread_mutex_unlock(&frames->mutex);
    if (result && error) *error = frames->error;
    return result;
}

pd_result pd_frames_add(pd_frames *frames, const uint8_t *rgb, pd_error *error) {
    if (frames->replaces && !frames->result) return replace_first(frames, rgb, error);
    size_t size = (size_t)frames->width * (size_t)frames->height * 3;
    queue_slot *slot = NULL;
    pthread_mutex_lock(&frames->mutex);
    while (!frames->result && !slot) {
        slot = free_slot(frames);
        if (!slot) pthread_cond_wait(&frames->room, &frames->mutex);
    }
    if (!frames->result && !slot->rgb) slot->rgb = malloc(size);
    if (!frames->result && !slot->rgb)
        frames->result =
            pd_fail(&frames->error, PD_ERROR_OUT_OF_MEMORY, "cannot record: out of memory (use a smaller size)");
    pd_result result = frames->result;
    if (result && error) *error = frames->error;
    pthread_mutex_unlock(&frames->mutex);
    if (result) return result;
    memcpy(slot->rgb, rgb, size); /* only this thread fills free slots: no lock needed */
    pthread_mutex_lock(&frames->mutex);
    slot->index = frames->next++;
    slot->state = SLOT_QUEUED;
    pthread_cond_signal(&frames->work);
    pthread_mutex_unlock(&frames->mutex);
    return PD_OK;
}

bool pd_frames_ready(const pd_frames *frames) {
    pd_frames *locked = (pd_frames *)frames; /* the state of the mutex is not visible to callers */
    pthread_mutex_lock(&locked->mutex);
    bool ready = locked->result || free_slot(locked);
    pthread_mutex_unlock(&locked->mutex);
    return ready;
}

static pd_result write_description(const pd_frames *frames, int count, pd_error *error) {
    char path[PD_MAX_PATH], seed[24];
    snprintf(path, sizeof path, "%s/recording.json", frames->folder.path);
    snprintf(seed, sizeof seed, "%" PRIu64, frames->seed); /* a double would lose its last digits */
    cJSON *object = cJSON_CreateObject();
    cJSON *size = cJSON_AddArrayToObject(object, "size");
    cJSON_AddItemToArray(size, cJSON_CreateNumber(frames->width));
    cJSON_AddItemToArray(size, cJSON_CreateNumber(frames->height));
    cJSON_AddStringToObject(object, "scene", frames->scene);
    cJSON_AddStringToObject(object, "method", frames->method);
    cJSON_AddRawToObject(object, "seed", seed);
    cJSON_AddNumberToObject(object, "fps", frames->fps);
    cJSON_AddNumberToObject(object, "frames", count);
    cJSON_AddStringToObject(object, "version", PUDDLE_VERSION);
    char *text = cJSON_Print(object);
    pd_result result =
        text ? pd_file_write(path, text, strlen(text), error)
             : pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot write '%s': out of memory (close other programs)", path);
    cJSON_free(text);
    cJSON_Delete(object);
    return result;
}

pd_result pd_frames_finish(pd_frames *frames, bool keep_empty, int *count, pd_error *error) {
    stop_writers(frames);
    int remaining = remove_after_gap(frames);
    pd_error description;
    pd_result result = PD_OK;
    if (remaining == 0 && (frames->result || frames->replaces || !keep_empty))
        pd_folder_discard(&frames->folder);
    else /* after a failure too, if it can still be written: the remaining frames are complete */
        result = write_description(frames, remaining, &description);
    if (result && remaining == 0) pd_folder_discard(&frames->folder);
    if (frames->result)
        result = frames->result;
    else if (result)
        frames->error = description;
    if (result && error) *error = frames->error;
    if (count) *count = remaining;
    release(frames);
    return result;
}
