/* Sinks: destinations of a recording's frames. A sink is a folder of PNGs, a video, a GIF, or standard output.
 *
 * Threads behind a bounded queue compress and write. If the queue is full, pd_sink_add waits, so that no frame is lost.
 * A file gets its name when it is complete. */
#ifndef PUDDLE_RECORD_SINK_H
#define PUDDLE_RECORD_SINK_H

#include "core/pixels.h"
#include <puddle/result.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct pd_sink pd_sink;

typedef enum pd_sink_kind {
    PD_SINK_FOLDER, /* folder with a PNG for each frame, and recording.json */
    PD_SINK_MP4,    /* video in H.264 */
    PD_SINK_WEBM,   /* video in VP9 */
    PD_SINK_GIF,
    PD_SINK_STREAM, /* raw pixels on standard output */
} pd_sink_kind;

/* Description of the frames of a part of a recording. The strings are copied. */
typedef struct pd_sink_part {
    const char *scene, *method;
    uint64_t seed;
} pd_sink_part;

typedef struct pd_sink_info {
    pd_pixels pixels;
    int fps;
    pd_sink_part part; /* description of the first part */
} pd_sink_info;

typedef struct pd_sink_report {
    int frames;                  /* number of frames, without gaps from the first */
    double converting, encoding; /* seconds of all threads for converting colours; for compressing and writing */
} pd_sink_report;

/* Finds the kind of a recording by its path: "-" is standard output; .mp4, .webm and .gif in any case are files; paths
 * without ending, with a slash at the end, and existing folders are folders. Errors: USAGE (another ending). */
pd_result pd_sink_find_kind(const char *path, pd_sink_kind *kind, pd_error *error);
/* Returns whether a kind is encoded by libavcodec. */
bool pd_sink_is_video(pd_sink_kind kind);
/* Returns whether an encoder for a kind of video is installed. */
bool pd_sink_has_encoder(pd_sink_kind kind);
/* Adapts the size of the picture to a kind: H.264 and VP9 need even numbers, so odd ones are rounded down. */
void pd_sink_fit_size(pd_sink_kind kind, pd_pixels *pixels);
/* Sets *fps, frames per second, to `wanted`, or for 0 to the default of the kind, which may be 0: a frame for each
 * step. Errors: USAGE (a GIF does not support the rate). */
pd_result pd_sink_choose_fps(pd_sink_kind kind, int wanted, int *fps, pd_error *error);

/* Fails where pd_sink_create would fail, without creating anything: for a recording at this path without `force`, or a
 * file in place of a folder. Errors: RECORDING_EXISTS, FILE_UNWRITABLE, USAGE. */
pd_result pd_sink_check(const char *path, bool force, pd_error *error);
/* Creates and locks the folder (with its parents) or file until pd_sink_finish. Without `force` an existing recording
 * is an error. With `force` a folder's recording is replaced when the first frame is written, a file when it is
 * complete. Errors: RECORDING_EXISTS (also while another process records there), FILE_UNWRITABLE, ENCODER_UNAVAILABLE,
 * USAGE, OUT_OF_MEMORY, THREADS_UNAVAILABLE. */
pd_result pd_sink_create(pd_sink **sink, const char *path, const pd_sink_info *info, bool force, pd_error *error);
/* Returns a message that the video is in an unusual format, or "". */
const char *pd_sink_note(const pd_sink *sink);
/* Begins a part of the recording: sets the description of the next and later frames. Does nothing if it is
 * unchanged. */
void pd_sink_set_part(pd_sink *sink, const pd_sink_part *part);
/* Copies and queues a picture; frames are numbered in the order of calls. A failed write (disk full) ends the recording
 * with the frames before. Errors: FILE_UNWRITABLE, in the first call after the failure. */
pd_result pd_sink_add(pd_sink *sink, const uint8_t *pixels, pd_error *error);
/* Returns whether pd_sink_add would return without waiting for room in the queue. */
bool pd_sink_has_room(const pd_sink *sink);
/* Waits for the queued frames, completes the recording and frees the sink. report: may be NULL. A recording without
 * frames leaves no file, except an empty folder with `allow_empty` that replaces nothing. Errors: that of the first
 * failed frame, FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result pd_sink_finish(pd_sink *sink, bool allow_empty, pd_sink_report *report, pd_error *error);

#endif
