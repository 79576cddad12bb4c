/* Backends that write frames as they are: a folder of PNGs with recording.json, a still, and raw pixels on standard output. */
#include "core/error.h"
#include "core/file.h"
#include "record/backend.h"
#include "record/png.h"
#include <cjson/cJSON.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Folder of a recording: created if missing, locked against other recordings, and cleared of an earlier one ---- */

typedef struct folder {
    char path[PD_MAX_PATH - 32]; /* path of the folder; 32 bytes remain for "/" and a frame's file name */
    size_t created_length;       /* length of the path of the first folder that the recording created; 0: none */
    int lock;                    /* lock of recording.json, which is that of the folder */
} folder;

bool pd_folder_is_recording_file(const char *name) {
    if (!strcmp(name, "recording.json")) return true;
    if (strncmp(name, "frame_", 6)) return false;
    const char *end = name + 6;
    while (isdigit((unsigned char)*end)) end++;
    if (end - name < 12) return false;
    return !strcmp(end, ".png");
}

static bool contains_recording(const char *path) {
    pd_listing *listing = pd_listing_open(path);
    bool found = false;
    for (const char *name; listing && !found && (name = pd_listing_next(listing));)
        found = pd_folder_is_recording_file(name);
    if (listing) pd_listing_close(listing);
    return found;
}

pd_result pd_folder_check_path(const char *path, bool overwrite, pd_error *error) {
    if (!*path || strlen(path) >= sizeof((folder *)NULL)->path)
        return pd_fail(error, PD_ERROR_FILE_UNWRITABLE, "cannot record to '%.64s': %s (give another folder)", path,
                       *path ? "the path is too long" : "the name is empty");
    pd_path_type type = pd_os_status(path, true).type;
    if (type == PD_PATH_MISSING) return PD_OK; /* a missing folder is created later */
    if (type != PD_PATH_FOLDER)
        return pd_fail(error, PD_ERROR_FILE_UNWRITABLE, "cannot record to '%s': it is not a folder (give a folder)",
                       path);
    if (!overwrite && contains_recording(path))
        return pd_fail(error, PD_ERROR_RECORDING_EXISTS,
                       "cannot record to '%s': it holds a recording (give another folder, or --force to replace it)",
                       path);
    return PD_OK;
}

static void unlock_and_remove_empty(folder *folder) {
    char *slash = NULL;
    if (folder->created_length) {
        do {
            pd_os_remove_folder(folder->path);
            slash = strrchr(folder->path, '/');
            if (slash) *slash = '\0';
        } while (slash && (size_t)(slash - folder->path) >= folder->created_length);
    }
    pd_os_unlock(&folder->lock);
}

/* Creates and locks the folder. Existing files remain. Errors: RECORDING_EXISTS (also while another process records there, even with
 * `overwrite`), FILE_UNWRITABLE. */
static pd_result create_and_lock(folder *folder, const char *path, bool overwrite, pd_error *error) {
    pd_result result = pd_folder_check_path(path, overwrite, error);
    if (result) return result;
    snprintf(folder->path, sizeof folder->path, "%s", path);
    int error_number = pd_os_create_folders(path, false, &folder->created_length);
    if (!error_number) error_number = pd_os_check_folder(path);
    if (!error_number && !pd_os_is_readable(path)) error_number = EACCES; /* it may hold a recording */
    if (error_number) result = pd_fail_unwritable(path, error_number, error);
    if (!result) folder->lock = pd_os_lock(path, "recording.json");
    if (folder->lock == PD_LOCK_REFUSED) {
        folder->created_length = 0; /* another process uses the folder, so it is not removed */
        result = pd_fail(
            error, PD_ERROR_RECORDING_EXISTS,
            "cannot record to '%s': another puddle is recording there (give another folder, or wait for its end)",
            path);
    }
    /* Checks the folder again, since another process may have recorded into it before the lock. */
    if (!result) result = pd_folder_check_path(path, overwrite, error);
    if (result) unlock_and_remove_empty(folder);
    return result;
}

/* Removes a file of an earlier recording, if it is there. */
static pd_result remove_file(const folder *folder, const char *name, pd_error *error) {
    char path[PD_MAX_PATH + 256];
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    int error_number = pd_os_remove(path);
    if (!error_number || error_number == ENOENT) return PD_OK;
    return pd_fail(error, PD_ERROR_FILE_UNWRITABLE,
                   "cannot replace '%.200s/%s': %s (remove it, or give another folder)", folder->path, name,
                   strerror(error_number));
}

/* Removes recording.json and all frames except `kept_name`: first recording.json, so that it never describes frames that are gone. */
static pd_result remove_recording(const folder *folder, const char *kept_name, pd_error *error) {
    pd_result result = remove_file(folder, "recording.json", error);
    pd_listing *listing = result ? NULL : pd_listing_open(folder->path);
    if (!listing) return result ? result : pd_fail_unwritable(folder->path, errno, error);
    for (const char *name; !result && (name = pd_listing_next(listing));)
        if (pd_folder_is_recording_file(name) && strcmp(name, kept_name) != 0)
            result = remove_file(folder, name, error);
    pd_listing_close(listing);
    return result;
}

/* ---- Folder of PNGs ---- */

typedef struct frames {
    pd_backend backend;
    folder folder;
    bool replaces;    /* the folder still has the files of an earlier recording */
    pd_pixels pixels; /* size and format of the frames */
    double fps;       /* frames per second */
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
    write_frame_path(frames, index, path, sizeof path);
    pd_result result = pd_png_write_file(path, &frames->pixels, data, error);
    if (result || index > 0 || !frames->replaces) return result;
    frames->replaces = false;
    return remove_recording(&frames->folder, pd_path_name(path), error);
}

static int count_written_frames(const pd_sink_outcome *outcome) {
    return (int)(outcome->first_failed < outcome->added_frames ? outcome->first_failed : outcome->added_frames);
}

/* Removes frames after the first failed one, since other threads may have written some. Returns the number of frames that
 * remain. */
static int remove_frames_after_failure(const frames *frames, const pd_sink_outcome *outcome) {
    for (long long index = outcome->first_failed; index < outcome->added_frames; index++) {
        char path[PD_MAX_PATH];
        write_frame_path(frames, index, path, sizeof path);
        pd_os_remove(path);
    }
    return count_written_frames(outcome);
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
        text ? pd_file_write_replacing_link(path, text, strlen(text), error) : pd_fail_unwritable(path, ENOMEM, error);
    cJSON_free(text);
    cJSON_Delete(object);
    return result;
}

static void folder_backend_free(frames *frames) {
    pd_os_unlock(&frames->folder.lock);
    free(frames);
}

static pd_result folder_backend_finish(pd_backend *backend, const pd_sink_outcome *outcome, pd_sink_report *report,
                                       pd_error *error) {
    frames *frames = (struct frames *)backend;
    int frame_count = frames->replaces ? 0 : remove_frames_after_failure(frames, outcome);
    report->frames = frame_count;
    pd_result result = PD_OK;
    if (frame_count == 0 && (outcome->result || frames->replaces || !outcome->allow_empty))
        unlock_and_remove_empty(&frames->folder);
    else /* Written even if a frame failed, because the frames before it are usable. */
        result = write_recording_json(frames, outcome, frame_count, error);
    if (result && frame_count == 0) unlock_and_remove_empty(&frames->folder);
    if (outcome->result) {
        result = outcome->result;
        *error = outcome->error;
    }
    folder_backend_free(frames);
    return result;
}

static void folder_backend_discard(pd_backend *backend) {
    frames *frames = (struct frames *)backend;
    unlock_and_remove_empty(&frames->folder);
    folder_backend_free(frames);
}

pd_result pd_folder_backend_create(pd_backend **created, const char *path, const pd_sink_info *info, bool overwrite,
                                   pd_error *error) {
    frames *frames = calloc(1, sizeof *frames);
    if (!frames) return pd_fail_recording_out_of_memory(error);
    pd_result result = create_and_lock(&frames->folder, path, overwrite, error);
    if (result) {
        free(frames);
        return result;
    }
    frames->replaces = contains_recording(path);
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

/* ---- Still: one frame as a PNG, written under a temporary name and renamed when it is complete ---- */

typedef struct still {
    pd_backend backend;
    pd_output output; /* the PNG file */
    pd_pixels pixels; /* size and format of the picture */
    int frames;       /* number of written frames, 0 or 1 */
} still;

static pd_result write_still(pd_backend *backend, long long index, const uint8_t *data, pd_error *error) {
    still *still = (struct still *)backend;
    if (index > 0) return PD_OK;
    if (!pd_png_write_to_stream(still->output.stream, &still->pixels, data))
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot write '%.300s': out of memory (use a smaller size)",
                       still->output.target);
    still->frames = 1;
    return PD_OK;
}

static void discard_still(pd_backend *backend) {
    still *still = (struct still *)backend;
    pd_output_cancel(&still->output);
    free(still);
}

static pd_result finish_still(pd_backend *backend, const pd_sink_outcome *outcome, pd_sink_report *report,
                              pd_error *error) {
    still *still = (struct still *)backend;
    pd_result result = outcome->result;
    if (result) *error = outcome->error;
    if (!result && still->frames) {
        result = pd_output_commit(&still->output, error);
        report->frames = !result;
    }
    discard_still(backend);
    return result;
}

pd_result pd_still_backend_create(pd_backend **created, const char *path, const pd_sink_info *info, bool overwrite,
                                  pd_error *error) {
    pd_result result = pd_recorded_file_check_path(path, overwrite, error);
    if (result) return result;
    still *still = calloc(1, sizeof *still);
    if (!still) return pd_fail_recording_out_of_memory(error);
    still->backend = (pd_backend){.write = write_still, .finish = finish_still, .discard = discard_still};
    still->pixels = info->pixels;
    result = pd_output_open_locked(&still->output, path, error);
    /* Checks the path again, since another process may have created the file before the lock. */
    if (!result) result = pd_recorded_file_check_path(path, overwrite, error);
    if (result) {
        discard_still(&still->backend);
        return result;
    }
    *created = &still->backend;
    return PD_OK;
}

/* ---- Standard output: raw pixels, frame after frame, for another program that encodes them ---- */

typedef struct stream {
    pd_backend backend;
    size_t size; /* size of a frame, bytes */
} stream;

static pd_result stream_backend_write_frame(pd_backend *backend, long long index, const uint8_t *data,
                                            pd_error *error) {
    stream *stream = (struct stream *)backend;
    (void)index;
    int error_number = pd_os_write(fileno(stdout), data, stream->size);
    return error_number ? pd_fail_standard_output(error_number, error) : PD_OK;
}

static pd_result stream_backend_finish(pd_backend *backend, const pd_sink_outcome *outcome, pd_sink_report *report,
                                       pd_error *error) {
    report->frames = count_written_frames(outcome);
    if (outcome->result) *error = outcome->error;
    free(backend);
    return outcome->result;
}

static void stream_backend_discard(pd_backend *backend) { free(backend); }

pd_result pd_stream_backend_create(pd_backend **created, const pd_sink_info *info, pd_error *error) {
    stream *stream = calloc(1, sizeof *stream);
    if (!stream) return pd_fail_recording_out_of_memory(error);
    stream->size = pd_pixels_bytes(&info->pixels);
    stream->backend = (pd_backend){
        .write = stream_backend_write_frame, .finish = stream_backend_finish, .discard = stream_backend_discard};
    *created = &stream->backend;
    return PD_OK;
}
