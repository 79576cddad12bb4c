/* Sink: destination of a recording's frames: a folder of PNGs, a still, a video, a GIF, or standard output.
 *
 * Frames wait in a bounded queue for threads that compress and write them. If the queue is full, pd_sink_add_frame
 * waits, so no frame is lost. A file is written under a temporary name and renamed when it is complete. */
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
    PD_SINK_MOV,    /* video in ProRes 4444 */
    PD_SINK_STILL,  /* PNG of one frame */
    PD_SINK_KINDS,
} pd_sink_kind;

/* Quality of a video. A better quality makes a larger file. */
typedef enum pd_quality {
    PD_QUALITY_DEFAULT, /* the same as PD_QUALITY_HIGH */
    PD_QUALITY_LOW,
    PD_QUALITY_MEDIUM,
    PD_QUALITY_HIGH, /* no visible loss in most pictures */
    PD_QUALITY_BEST, /* quality for further editing */
    PD_QUALITIES,
} pd_quality;

/* Part of a recording: consecutive frames with the same scene, method and seed. Functions copy the strings. */
typedef struct pd_sink_part {
    const char *scene, *method; /* names; NULL: none */
    uint64_t seed;              /* seed of the world's random numbers */
} pd_sink_part;

typedef struct pd_sink_info {
    pd_pixels pixels;   /* size and format of the frames */
    double fps;         /* frames per second */
    pd_quality quality; /* quality of a video */
    pd_sink_part part;  /* scene, method and seed from the first frame on */
} pd_sink_info;

typedef struct pd_sink_report {
    int frames;                  /* number of written frames; later frames than a failed one do not count */
    double converting, encoding; /* time of colour conversion; of compression and writing; summed over all threads, s */
} pd_sink_report;

/* Finds the kind of a recording by its path. "-" is standard output. The extensions .mp4, .webm, .mov, .gif and .png,
 * in upper or lower case, are files. A path without extension or with a slash at its end, and an existing folder, are
 * folders. Errors: USAGE (another extension). */
pd_result pd_sink_find_kind(const char *path, pd_sink_kind *kind, pd_error *error);
/* Returns whether a kind of recording is a video (MP4, WebM, MOV or GIF), which libavcodec encodes. */
bool pd_sink_is_video(pd_sink_kind kind);
/* Returns whether an encoder for a kind of video is installed. */
bool pd_sink_has_encoder(pd_sink_kind kind);
/* Returns whether a recording of this kind is a single file: a video or a still. */
bool pd_sink_is_file(pd_sink_kind kind);
/* Returns whether recordings of this kind can have a transparent background. */
bool pd_sink_has_alpha(pd_sink_kind kind);
/* Returns whether recordings of this kind can have 16 bits per channel. */
bool pd_sink_has_16_bits(pd_sink_kind kind);
/* Returns the word for a quality: "high"; "" for the default. */
const char *pd_quality_name(pd_quality quality);
/* Rounds an odd width or height down to an even one if the kind is H.264 or VP9, which require even sizes. */
void pd_sink_round_size_to_even(pd_sink_kind kind, pd_pixels *pixels);
/* Returns the rate of a recording, frames per second: requested_fps; 0 stands for one frame per step. For a GIF the
 * rate is at most 50, 25 without a request (0), and 100/n if it is near: 33.3 becomes 100/3. */
double pd_sink_choose_fps(pd_sink_kind kind, double requested_fps);

/* Checks without creating anything whether pd_sink_create can succeed. Removes what a killed recording to the same path has left.
 * Fails if a recording exists and `overwrite` is
 * false, or if a file is in place of a folder. Errors: RECORDING_EXISTS, FILE_UNWRITABLE, USAGE. */
pd_result pd_sink_check_path(const char *path, bool overwrite, pd_error *error);
/* Returns whether a file name is one that recordings use: recording.json, or frame_000000.png with six or more digits. */
bool pd_folder_is_recording_file(const char *name);
/* Creates the folder (with its parents) or the file, and locks it until pd_sink_finish. If a recording exists, `overwrite`
 * replaces it: in a folder, when the first new frame is written; a file, when the new file is complete. A still contains
 * only the first frame that is added. Errors: RECORDING_EXISTS (without `overwrite`, or while another process records
 * there), FILE_UNWRITABLE, ENCODER_UNAVAILABLE, USAGE, OUT_OF_MEMORY, THREADS_UNAVAILABLE. */
pd_result pd_sink_create(pd_sink **sink, const char *path, const pd_sink_info *info, bool overwrite, pd_error *error);
/* Returns a message for the user if the preferred encoder is missing and another one is used; else "". */
const char *pd_sink_encoder_note(const pd_sink *sink);
/* Begins a part of the recording with the next frame. Does nothing if scene, method and seed are unchanged. */
void pd_sink_begin_part(pd_sink *sink, const pd_sink_part *part);
/* Copies the pixels of a frame into the queue. Frames are numbered in the order of calls. If writing a frame fails (disk
 * full), the recording ends with the frame before it. Errors: the error of the failed write, in all calls after the
 * failure. */
pd_result pd_sink_add_frame(pd_sink *sink, const uint8_t *pixels, pd_error *error);
/* Returns whether pd_sink_add_frame would return without waiting for a free slot of the queue. */
bool pd_sink_has_free_slot(const pd_sink *sink);
/* Waits until no frame is left in the queue. A test then knows what is on the disk. */
void pd_sink_wait_until_written(const pd_sink *sink);
/* Waits until all queued frames are written, completes the recording and frees the sink. report: may be NULL. If no frame
 * was added, no file remains. allow_empty: then an empty folder remains, if it has no earlier recording. Errors: the error
 * of the first failed frame, FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result pd_sink_finish(pd_sink *sink, bool allow_empty, pd_sink_report *report, pd_error *error);

/* Maps frames of a recording to steps.
 *
 * Frame n (from 0) shows the fluid (n + 1) / fps seconds after the beginning. Times are computed from the number of
 * steps rather than summed up, so that rounding errors do not accumulate:
 *
 *     pd_frame_clock_begin(&clock, fps, dt);
 *     after every step:
 *         pd_frame_clock_count_step(&clock);
 *         while (pd_frame_clock_count_due_frame(&clock, &alpha)) draw(alpha); */
typedef struct pd_frame_clock {
    double fps;                      /* frames per second; if pd_frame_clock_begin got 0: 1/dt, rounded */
    bool every_step;                 /* a frame is due after each step */
    double dt;                       /* simulated time of a step, s */
    long long steps, frames;         /* numbers of steps and frames counted so far, including skipped frames */
    long long last_step, last_frame; /* limits of `steps` and `frames`; LLONG_MAX: no limit */
} pd_frame_clock;

/* Begins a recording with `fps` frames per simulated second and steps of dt seconds. fps = 0: one frame per step. If fps x
 * dt is within 0.1 % of 1, there is one frame per step too, so that frames and steps cannot drift apart. */
void pd_frame_clock_begin(pd_frame_clock *clock, double fps, double dt);
/* Skips all frames that are due in the first `seconds`. Call before pd_frame_clock_set_limits. */
void pd_frame_clock_skip(pd_frame_clock *clock, double seconds);
/* Limits the recording to `steps` steps (LLONG_MAX: no limit) and `frames` further frames (0: no limit), whichever is
 * reached first. A frame due up to 1/100 frame after the last step counts as due in this step, since dt may be rounded:
 * 0.0166667 for 1/60 s. */
void pd_frame_clock_set_limits(pd_frame_clock *clock, long long steps, long long frames);
void pd_frame_clock_count_step(pd_frame_clock *clock);
/* Returns whether the next frame is due in a step counted so far. If so, counts the frame and sets *alpha to its time
 * within the last step: 0 (beginning of the step) to 1 (end). */
bool pd_frame_clock_count_due_frame(pd_frame_clock *clock, double *alpha);

#endif
