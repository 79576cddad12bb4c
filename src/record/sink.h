/* Sinks: destinations of a recording's frames (a folder of PNGs, a video or GIF, or standard output).
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
    PD_SINK_FOLDER, /* a PNG for each frame, and recording.json */
    PD_SINK_MP4,    /* H.264 */
    PD_SINK_WEBM,   /* VP9 */
    PD_SINK_GIF,
    PD_SINK_STREAM, /* raw pixels to standard output */
} pd_sink_kind;

/* Description of the frames from one of them on. The strings are copied. */
typedef struct pd_sink_part {
    const char *scene, *method;
    uint64_t seed;
} pd_sink_part;

typedef struct pd_sink_info {
    pd_pixels pixels;
    int fps;
    pd_sink_part part; /* description of the first frame */
} pd_sink_info;

typedef struct pd_sink_report {
    int frames;                  /* number of frames, consecutive from the first */
    double converting, encoding; /* seconds of all threads: converting colours; compressing and writing */
} pd_sink_report;

/* Finds the kind by the path: "-" is standard output; .mp4, .webm and .gif in any case are files; paths without ending,
 * with a slash at the end, and existing folders are folders. Errors: USAGE (another ending). */
pd_result pd_sink_find_kind(const char *path, pd_sink_kind *kind, pd_error *error);
/* Returns whether libavcodec encodes the kind. */
bool pd_sink_is_video(pd_sink_kind kind);
/* Adapts the size to the kind: H.264 and VP9 need even numbers, which are rounded down. */
void pd_sink_fit(pd_sink_kind kind, pd_pixels *pixels);
/* Sets *fps to `wanted`, or for 0 to the kind's default, where 0 means one frame for each step. Errors: USAGE (a GIF
 * does not support the rate). */
pd_result pd_sink_rate(pd_sink_kind kind, int wanted, int *fps, pd_error *error);

/* Fails where pd_sink_create would fail, as far as that can be found before any work: for a recording at this path
 * without `force`, or a file in place of a folder. Errors: RECORDING_EXISTS, FILE_UNWRITABLE, USAGE. */
pd_result pd_sink_check(const char *path, bool force, pd_error *error);
/* Creates and locks the folder (with its parents) or file until pd_sink_finish. An existing recording is an error
 * without `force`. With `force` a folder's recording is replaced when the first frame is written, a file when it is
 * complete. Errors: RECORDING_EXISTS (also while another process records there), FILE_UNWRITABLE, ENCODER_UNAVAILABLE,
 * USAGE, OUT_OF_MEMORY, THREADS_UNAVAILABLE. */
pd_result pd_sink_create(pd_sink **sink, const char *path, const pd_sink_info *info, bool force, pd_error *error);
/* Returns a note for the user: that the video is in an unusual format. "": none. */
const char *pd_sink_note(const pd_sink *sink);
/* Sets the description of the frames from the next one on. Does nothing if it is the same. */
void pd_sink_set_part(pd_sink *sink, const pd_sink_part *part);
/* Copies and queues a picture; frames are numbered in the order of calls. A failed write (disk full) ends the recording
 * with the frames before. Errors: FILE_UNWRITABLE, in the first call after the failure. */
pd_result pd_sink_add(pd_sink *sink, const uint8_t *pixels, pd_error *error);
/* Returns whether pd_sink_add would return without waiting. */
bool pd_sink_ready(const pd_sink *sink);
/* Waits for the queued frames, completes the recording and frees everything. report may be NULL. A recording without a
 * written frame leaves no trace, except an empty folder with `allow_empty` that replaces nothing. Errors: that of the
 * first failed frame, FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result pd_sink_finish(pd_sink *sink, bool allow_empty, pd_sink_report *report, pd_error *error);

#endif
