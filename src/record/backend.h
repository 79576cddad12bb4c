/* Backends: a backend writes recordings of one kind (folder, stream, still, video). The threads of sink.c call its
 * functions. */
#ifndef PUDDLE_RECORD_BACKEND_H
#define PUDDLE_RECORD_BACKEND_H

#include "record/sink.h"

/* Part of a recording: consecutive frames with the same scene, method and seed. */
typedef struct pd_recorded_part {
    char scene[64], method[64]; /* name of the scene, names of its methods */
    uint64_t seed;              /* seed of the world's random numbers */
    long long first_frame;      /* index of the part's first frame */
} pd_recorded_part;

/* Result of writing the frames of a recording, passed to pd_backend.finish. */
typedef struct pd_sink_outcome {
    long long added_frames;        /* number of frames added by pd_sink_add_frame */
    long long first_failed;        /* index of the first frame that was not written; LLONG_MAX: none */
    pd_result result;              /* result of the first failed write */
    pd_error error;                /* error of the first failed write */
    bool allow_empty;              /* a folder without frames is not removed */
    const pd_recorded_part *parts; /* parts of the recording in the order of their frames */
    int part_count;                /* number of elements of `parts`, at least 1 */
} pd_sink_outcome;

/* First member of every backend's struct. */
typedef struct pd_backend pd_backend;
struct pd_backend {
    /* Several threads call `write` at the same time, in any order of frames. False: one thread calls it, in order. */
    bool parallel;
    /* The first frame is written before pd_sink_add_frame returns, since it replaces an earlier recording. */
    bool waits_for_first;
    char note[160]; /* message for the user if the preferred encoder was not available; else "" */
    /* Writes the pixels of frame `index`. Not called again for later frames after a frame failed. Errors: any. */
    pd_result (*write)(pd_backend *backend, long long index, const uint8_t *pixels, pd_error *error);
    /* Completes the recording, sets the frames and the time of conversion in *report, and frees the backend. Errors: the error of the first failed frame, or of the
     * completion. */
    pd_result (*finish)(pd_backend *backend, const pd_sink_outcome *outcome, pd_sink_report *report, pd_error *error);
    /* Frees the backend. Removes the files that its creation made. */
    void (*discard)(pd_backend *backend);
};

/* Create a backend for a folder, standard output, a still (frames.c) or a video file (video.c). */
pd_result pd_folder_backend_create(pd_backend **backend, const char *path, const pd_sink_info *info, bool overwrite,
                                   pd_error *error);
pd_result pd_stream_backend_create(pd_backend **backend, const pd_sink_info *info, pd_error *error);
pd_result pd_still_backend_create(pd_backend **backend, const char *path, const pd_sink_info *info, bool overwrite,
                                  pd_error *error);
pd_result pd_video_backend_create(pd_backend **backend, const char *path, pd_sink_kind kind, const pd_sink_info *info,
                                  bool overwrite, pd_error *error);
/* Checks without creating anything whether pd_folder_backend_create can succeed. Fails if the path is a file, or a folder with a
 * recording and `overwrite` is false. Errors: RECORDING_EXISTS, FILE_UNWRITABLE. */
pd_result pd_folder_check_path(const char *path, bool overwrite, pd_error *error);
/* Fails if no file can be written at the path, or if one exists and `overwrite` is false. */
pd_result pd_recorded_file_check_path(const char *path, bool overwrite, pd_error *error);
/* Fails with OUT_OF_MEMORY, for a recording that could not begin. */
pd_result pd_fail_recording_out_of_memory(pd_error *error);

#endif
