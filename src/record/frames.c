/* Backend of folders: a PNG for each frame, and recording.json. */
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
    bool replaces;         /* the folder still has the files of an earlier recording */
    pd_pixels pixels;      /* size and format of the frames */
    double fps;            /* frames per second */
    pthread_mutex_t mutex; /* locks backend.report, which several threads change */
} frames;

static void write_frame_path(const frames *frames, long long index, char *path, size_t size) {
    snprintf(path, size, "%s/frame_%06lld.png", frames->folder.path, index);
}

/* Writes a frame. An earlier recording in the folder is removed only after the first frame is written, so that it is not
 * lost on a full disk. */
static pd_result folder_backend_write_frame(pd_backend *backend, long long index, const uint8_t *data,
                                            pd_error *error) {
    frames *frames = (struct frames *)backend;
    char path[PD_MAX_PATH];
    double start_time = pd_now();
    write_frame_path(frames, index, path, sizeof path);
    pd_result result = pd_png_write_file(path, &frames->pixels, data, error);
    pthread_mutex_lock(&frames->mutex);
    backend->report.encoding += pd_now() - start_time;
    pthread_mutex_unlock(&frames->mutex);
    if (result || index > 0 || !frames->replaces) return result;
    frames->replaces = false;
    return pd_folder_remove_recording(&frames->folder, strrchr(path, '/') + 1, error);
}

/* Removes frames after the first failed one, since other threads may have written some. Returns the number of frames that
 * remain. */
static int remove_frames_after_failure(const frames *frames, const pd_sink_outcome *outcome) {
    for (long long index = outcome->first_failed; index < outcome->added_frames; index++) {
        char path[PD_MAX_PATH];
        write_frame_path(frames, index, path, sizeof path);
        unlink(path);
    }
    return (int)(outcome->first_failed < outcome->added_frames ? outcome->first_failed : outcome->added_frames);
}

static void add_part_to_json(cJSON *object, const pd_recorded_part *part) {
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, part->seed); /* as text: a double cannot represent every 64-bit number */
    cJSON_AddStringToObject(object, "scene", part->scene);
    cJSON_AddStringToObject(object, "method", part->method);
    cJSON_AddRawToObject(object, "seed", seed);
}

/* Creates the content of recording.json. "scene", "method" and "seed" describe the first frame. If these change within
 * the recording, "parts" lists them for each part. */
static cJSON *create_recording_json(const frames *frames, const pd_sink_outcome *outcome, int frame_count) {
    cJSON *object = cJSON_CreateObject();
    cJSON *size = cJSON_AddArrayToObject(object, "size");
    cJSON_AddItemToArray(size, cJSON_CreateNumber(frames->pixels.width));
    cJSON_AddItemToArray(size, cJSON_CreateNumber(frames->pixels.height));
    add_part_to_json(object, &outcome->parts[0]);
    int shown = 1;
    while (shown < outcome->part_count && outcome->parts[shown].first_frame < frame_count) shown++;
    cJSON *parts = shown > 1 ? cJSON_AddArrayToObject(object, "parts") : NULL;
    for (int i = 0; parts && i < shown; i++) {
        cJSON *part = cJSON_CreateObject();
        cJSON_AddNumberToObject(part, "frame", (double)outcome->parts[i].first_frame);
        add_part_to_json(part, &outcome->parts[i]);
        cJSON_AddItemToArray(parts, part);
    }
    cJSON_AddNumberToObject(object, "fps", frames->fps);
    cJSON_AddNumberToObject(object, "frames", frame_count);
    cJSON_AddStringToObject(object, "version", PD_VERSION);
    return object;
}

static pd_result write_recording_json(const frames *frames, const pd_sink_outcome *outcome, int frame_count,
                                      pd_error *error) {
    char path[PD_MAX_PATH];
    snprintf(path, sizeof path, "%s/recording.json", frames->folder.path);
    cJSON *object = create_recording_json(frames, outcome, frame_count);
    char *text = cJSON_Print(object);
    pd_result result =
        text ? pd_file_write_replacing_link(path, text, strlen(text), error)
             : pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot write '%s': out of memory (close other programs)", path);
    cJSON_free(text);
    cJSON_Delete(object);
    return result;
}

static void folder_backend_free(frames *frames) {
    pd_folder_unlock(&frames->folder);
    pthread_mutex_destroy(&frames->mutex);
    free(frames);
}

static pd_result folder_backend_finish(pd_backend *backend, const pd_sink_outcome *outcome, pd_sink_report *report,
                                       pd_error *error) {
    frames *frames = (struct frames *)backend;
    int frame_count = frames->replaces ? 0 : remove_frames_after_failure(frames, outcome);
    *report = backend->report;
    report->frames = frame_count;
    pd_result result = PD_OK;
    if (frame_count == 0 && (outcome->result || frames->replaces || !outcome->allow_empty))
        pd_folder_unlock_and_remove_empty(&frames->folder);
    else /* Written even if a frame failed, because the frames before it are usable. */
        result = write_recording_json(frames, outcome, frame_count, error);
    if (result && frame_count == 0) pd_folder_unlock_and_remove_empty(&frames->folder);
    if (outcome->result) {
        result = outcome->result;
        *error = outcome->error;
    }
    folder_backend_free(frames);
    return result;
}

static void folder_backend_discard(pd_backend *backend) {
    frames *frames = (struct frames *)backend;
    pd_folder_unlock_and_remove_empty(&frames->folder);
    folder_backend_free(frames);
}

pd_result pd_folder_backend_create(pd_backend **created, const char *path, const pd_sink_info *info, bool overwrite,
                                   pd_error *error) {
    frames *frames = calloc(1, sizeof *frames);
    if (!frames) return pd_fail_recording_out_of_memory(error);
    pd_result result = pd_folder_create_and_lock(&frames->folder, path, overwrite, error);
    if (result) {
        free(frames);
        return result;
    }
    pthread_mutex_init(&frames->mutex, NULL);
    frames->replaces = pd_folder_contains_recording(&frames->folder);
    frames->pixels = info->pixels;
    frames->fps = info->fps;
    frames->backend = (pd_backend){.parallel = true,
                                   .waits_for_first = frames->replaces,
                                   .write = folder_backend_write_frame,
                                   .finish = folder_backend_finish,
                                   .discard = folder_backend_discard};
    char first_frame[PD_MAX_PATH];
    write_frame_path(frames, 0, first_frame, sizeof first_frame);
    pd_output_remove_abandoned(first_frame);
    *created = &frames->backend;
    return PD_OK;
}
