/* Recordings as a folder with a PNG for each frame, and recording.json. */
#include "core/error.h"
#include "core/timer.h"
#include "record/backend.h"
#include "record/folder.h"
#include "record/png.h"
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct frames {
    pd_backend backend;
    pd_folder folder;
    bool replaces; /* whether the folder still has the files of another recording */
    pd_pixels pixels;
    int fps;
    pthread_mutex_t mutex; /* guards the seconds of the stages */
} frames;

static void frame_path(const frames *frames, long long index, char *path, size_t size) {
    snprintf(path, size, "%s/frame_%06lld.png", frames->folder.path, index);
}

/* Writes a frame. The first one is written before any file of a replaced recording is removed: if the disk is full or
 * memory short, nothing is lost. */
static pd_result write_frame(pd_backend *backend, long long index, const uint8_t *data, pd_error *error) {
    frames *frames = (struct frames *)backend;
    char path[PD_MAX_PATH];
    double begun = pd_now();
    frame_path(frames, index, path, sizeof path);
    pd_result result = pd_png_write(path, &frames->pixels, data, error);
    pthread_mutex_lock(&frames->mutex);
    backend->done.encoding += pd_now() - begun;
    pthread_mutex_unlock(&frames->mutex);
    if (result || index > 0 || !frames->replaces) return result;
    frames->replaces = false;
    return pd_folder_clear(&frames->folder, strrchr(path, '/') + 1, error);
}

/* Removes the files behind the first failed frame, as threads may finish out of order. Returns the number of frames
 * left. */
static int remove_frames_after_gap(const frames *frames, const pd_sink_end *end) {
    for (long long index = end->end; index < end->added; index++) {
        char path[PD_MAX_PATH];
        frame_path(frames, index, path, sizeof path);
        unlink(path);
    }
    return (int)(end->end < end->added ? end->end : end->added);
}

static void add_part(cJSON *object, const pd_recorded_part *part) {
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, part->seed); /* seed as text, since a double has too few digits */
    cJSON_AddStringToObject(object, "scene", part->scene);
    cJSON_AddStringToObject(object, "method", part->method);
    cJSON_AddRawToObject(object, "seed", seed);
}

/* Creates the JSON of a recording. "scene", "method" and "seed" describe the first frame. If they change, "parts" lists
 * all descriptions. */
static cJSON *describe_recording(const frames *frames, const pd_sink_end *end, int count) {
    cJSON *object = cJSON_CreateObject();
    cJSON *size = cJSON_AddArrayToObject(object, "size");
    cJSON_AddItemToArray(size, cJSON_CreateNumber(frames->pixels.width));
    cJSON_AddItemToArray(size, cJSON_CreateNumber(frames->pixels.height));
    add_part(object, &end->parts[0]);
    int shown = 1;
    while (shown < end->part_count && end->parts[shown].first < count) shown++;
    cJSON *parts = shown > 1 ? cJSON_AddArrayToObject(object, "parts") : NULL;
    for (int i = 0; parts && i < shown; i++) {
        cJSON *part = cJSON_CreateObject();
        cJSON_AddNumberToObject(part, "frame", (double)end->parts[i].first);
        add_part(part, &end->parts[i]);
        cJSON_AddItemToArray(parts, part);
    }
    cJSON_AddNumberToObject(object, "fps", frames->fps);
    cJSON_AddNumberToObject(object, "frames", count);
    cJSON_AddStringToObject(object, "version", PD_VERSION);
    return object;
}

static pd_result write_description(const frames *frames, const pd_sink_end *end, int count, pd_error *error) {
    char path[PD_MAX_PATH];
    snprintf(path, sizeof path, "%s/recording.json", frames->folder.path);
    cJSON *object = describe_recording(frames, end, count);
    char *text = cJSON_Print(object);
    pd_result result =
        text ? pd_file_write_replacing_link(path, text, strlen(text), error)
             : pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot write '%s': out of memory (close other programs)", path);
    cJSON_free(text);
    cJSON_Delete(object);
    return result;
}

static void free_frames(frames *frames) {
    pd_folder_unlock(&frames->folder);
    pthread_mutex_destroy(&frames->mutex);
    free(frames);
}

static pd_result finish_frames(pd_backend *backend, const pd_sink_end *end, pd_sink_report *done, pd_error *error) {
    frames *frames = (struct frames *)backend;
    int count = frames->replaces ? 0 : remove_frames_after_gap(frames, end);
    *done = backend->done;
    done->frames = count;
    pd_result result = PD_OK;
    if (count == 0 && (end->result || frames->replaces || !end->allow_empty))
        pd_folder_discard(&frames->folder);
    else /* written after a failure too, as the remaining frames are complete */
        result = write_description(frames, end, count, error);
    if (result && count == 0) pd_folder_discard(&frames->folder);
    if (end->result) {
        result = end->result;
        *error = end->error;
    }
    free_frames(frames);
    return result;
}

static void discard_frames(pd_backend *backend) {
    frames *frames = (struct frames *)backend;
    pd_folder_discard(&frames->folder);
    free_frames(frames);
}

pd_result pd_folder_backend(pd_backend **created, const char *path, const pd_sink_info *info, bool force,
                            pd_error *error) {
    frames *frames = calloc(1, sizeof *frames);
    if (!frames) return pd_fail_recording_memory(error);
    pd_result result = pd_folder_lock(&frames->folder, path, force, error);
    if (result) {
        free(frames);
        return result;
    }
    pthread_mutex_init(&frames->mutex, NULL);
    frames->replaces = pd_folder_is_recording(&frames->folder);
    frames->pixels = info->pixels;
    frames->fps = info->fps;
    frames->backend = (pd_backend){.parallel = true,
                                   .first_alone = frames->replaces,
                                   .write = write_frame,
                                   .finish = finish_frames,
                                   .discard = discard_frames};
    pd_folder_remove_temporaries(&frames->folder);
    *created = &frames->backend;
    return PD_OK;
}
