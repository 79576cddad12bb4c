/* Recording frames to a folder of PNGs.
 *
 * Compression and writing happen on threads of their own behind a bounded queue; when it is full, pd_frames_add waits
 * for room, so that no frame is ever dropped. A file appears only when it is complete. */
#ifndef PUDDLE_RECORD_FRAMES_H
#define PUDDLE_RECORD_FRAMES_H

#include <puddle/result.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct pd_frames pd_frames;

/* What recording.json contains besides size, fps, frames and version. */
typedef struct pd_frames_info {
    const char *scene, *method;
    uint64_t seed;
    int fps;
} pd_frames_info;

/* Refuses what pd_frames_create would refuse, before any work is done: a file of this name, a recording without force.
 * Errors: RECORDING_EXISTS, FILE_UNWRITABLE. */
pd_result pd_frames_check(const char *folder, bool force, pd_error *error);
/* Creates the folder (and those above it), and locks it until pd_frames_finish. A folder that holds frames or a
 * recording.json is refused unless force; with force exactly those files are replaced, but not before the first frame
 * is written. Errors: RECORDING_EXISTS (also while another process records there), FILE_UNWRITABLE, OUT_OF_MEMORY,
 * THREADS_UNAVAILABLE. */
pd_result pd_frames_create(pd_frames **frames, const char *folder, int width, int height, const pd_frames_info *info,
                           bool force, pd_error *error);
/* Copies rgb (width x height x 3, rows from the top) and returns; frame_000000.png, frame_000001.png, ... in the order
 * of the calls. Errors: FILE_UNWRITABLE once a frame could not be written (disk full): then the recording is over, and
 * the frames before the one that failed are kept. */
pd_result pd_frames_add(pd_frames *frames, const uint8_t *rgb, pd_error *error);
/* True when pd_frames_add would not have to wait. */
bool pd_frames_ready(const pd_frames *frames);
/* Waits for the queued frames, writes recording.json, frees everything; *count (may be NULL): frames written, without a
 * gap. A recording that failed before its first frame leaves the folder as it was, or none where there was none; so
 * does one that has no frames, unless keep_empty and it replaces nothing. Errors: that of the first frame that failed,
 * FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result pd_frames_finish(pd_frames *frames, bool keep_empty, int *count, pd_error *error);

/* Writes one picture, completely or not at all. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result pd_png_write(const char *path, int width, int height, const uint8_t *rgb, pd_error *error);

#endif
