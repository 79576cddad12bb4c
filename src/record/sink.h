/* Where the frames of a recording go: a folder of PNGs, a video or GIF, or standard output.
 *
 * Compression and writing happen on threads of their own behind a bounded queue; when it is full, pd_sink_add waits
 * for room, so that no frame is ever dropped. A file appears under its name only when it is complete. */
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
    PD_SINK_STREAM, /* the pixels alone, to standard output */
} pd_sink_kind;

/* What the frames show, from one of them on. The strings are copied. */
typedef struct pd_sink_part {
    const char *scene, *method;
    uint64_t seed;
} pd_sink_part;

typedef struct pd_sink_info {
    pd_pixels pixels;
    int fps;
    pd_sink_part part; /* of the first frame */
} pd_sink_info;

typedef struct pd_sink_report {
    int frames;                  /* in the recording: without a gap, from the first */
    double converting, encoding; /* s of the threads' time: to other colours; compressing and writing */
} pd_sink_report;

/* The kind by the path: "-" is standard output, .mp4, .webm and .gif (also in capitals) are files, a path without an
 * ending, one that ends with a slash and an existing folder are folders. Errors: USAGE (another ending). */
pd_result pd_sink_find_kind(const char *path, pd_sink_kind *kind, pd_error *error);
/* True for the kinds with an encoder of libavcodec. */
bool pd_sink_is_video(pd_sink_kind kind);
/* Changes what this kind cannot have: H.264 and VP9 need an even width and height, which are rounded down. */
void pd_sink_fit(pd_sink_kind kind, pd_pixels *pixels);
/* The rate for a recording of this kind: wanted, or for 0 the kind's own; 0: one frame for each step. Errors: USAGE (a
 * GIF cannot have this rate). */
pd_result pd_sink_rate(pd_sink_kind kind, int wanted, int *fps, pd_error *error);

/* Refuses what pd_sink_create would refuse, as far as that can be found before any work: another recording at this
 * path without force, a file in place of a folder. Errors: RECORDING_EXISTS, FILE_UNWRITABLE, USAGE. */
pd_result pd_sink_check(const char *path, bool force, pd_error *error);
/* Creates the folder (and those above it) or the file, and locks it until pd_sink_finish. What holds a recording is refused
 * unless force; with force it is replaced, in a folder when the first frame is written, a file when all is.
 * Errors: RECORDING_EXISTS (also while another process records there), FILE_UNWRITABLE, ENCODER_UNAVAILABLE, USAGE,
 * OUT_OF_MEMORY, THREADS_UNAVAILABLE. */
pd_result pd_sink_create(pd_sink **sink, const char *path, const pd_sink_info *info, bool force, pd_error *error);
/* What the user should know before: that the video is not in the usual format; "": nothing. */
const char *pd_sink_note(const pd_sink *sink);
/* From the next frame on the frames show this. Does nothing when it has not changed. */
void pd_sink_set_part(pd_sink *sink, const pd_sink_part *part);
/* Copies the picture and returns; frames are numbered in the order of the calls. Errors: FILE_UNWRITABLE once a frame could
 * not be written (disk full): then the recording is over, and the frames before the one that failed are kept. */
pd_result pd_sink_add(pd_sink *sink, const uint8_t *pixels, pd_error *error);
/* True when pd_sink_add would not have to wait. */
bool pd_sink_ready(const pd_sink *sink);
/* Waits for the queued frames, completes the recording, frees everything; report may be NULL. A recording that failed
 * before its first frame leaves the place as it was; so does one that has no frames, unless it is a folder,
 * keep_empty, and it replaces nothing. Errors: that of the first frame that failed, FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result pd_sink_finish(pd_sink *sink, bool keep_empty, pd_sink_report *report, pd_error *error);

#endif
