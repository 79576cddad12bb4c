/* Backends: the writers of each kind of recording, called by the queue of sink.c. */
#ifndef PUDDLE_RECORD_BACKEND_H
#define PUDDLE_RECORD_BACKEND_H

#include "record/sink.h"

/* A part of the recording, and its first frame. */
typedef struct pd_recorded_part {
    char scene[64], method[64];
    uint64_t seed;
    long long first;
} pd_recorded_part;

/* Outcome of a recording, for `finish`. */
typedef struct pd_sink_end {
    long long added;  /* frames added by pd_sink_add */
    long long end;    /* first frame that was not written; LLONG_MAX: none */
    pd_result result; /* result of the first failed write */
    pd_error error;   /* error of the first failed write */
    bool allow_empty;
    const pd_recorded_part *parts;
    int part_count; /* at least 1 */
} pd_sink_end;

/* Base of the structures of all kinds. */
typedef struct pd_backend pd_backend;
struct pd_backend {
    bool parallel;       /* several threads may write frames in any order; else one thread writes them in order */
    bool first_alone;    /* pd_sink_add writes the first frame before it returns */
    char note[160];      /* text of pd_sink_note */
    pd_sink_report done; /* seconds of the stages so far */
    /* Writes a frame. After an error, later frames may be dropped. Errors: any. */
    pd_result (*write)(pd_backend *backend, long long index, const uint8_t *pixels, pd_error *error);
    /* Completes the recording and frees the backend. Returns the failure of the whole recording. */
    pd_result (*finish)(pd_backend *backend, const pd_sink_end *end, pd_sink_report *done, pd_error *error);
    /* Frees the backend and removes what its creation made. */
    void (*discard)(pd_backend *backend);
};

/* In frames.c, stream.c, video.c: create a backend. */
pd_result pd_folder_backend(pd_backend **backend, const char *path, const pd_sink_info *info, bool force,
                            pd_error *error);
pd_result pd_stream_backend(pd_backend **backend, const pd_sink_info *info, pd_error *error);
pd_result pd_video_backend(pd_backend **backend, const char *path, pd_sink_kind kind, const pd_sink_info *info,
                           bool force, pd_error *error);
/* In video.c: fails if the path is no place for a file or, without `force`, a file exists. */
pd_result pd_video_check(const char *path, bool force, pd_error *error);
/* Fails with every backend's message for lack of memory at the beginning. */
pd_result pd_fail_recording_memory(pd_error *error);

#endif
