/* Backends: the writer of each kind of recording, called by the queue in sink.c. */
#ifndef PUDDLE_RECORD_BACKEND_H
#define PUDDLE_RECORD_BACKEND_H

#include "record/sink.h"

/* Description of a part of the recording, and its first frame. */
typedef struct pd_recorded_part {
    char scene[64], method[64];
    uint64_t seed;
    long long first;
} pd_recorded_part;

/* Outcome of the frames, passed to pd_backend.finish. */
typedef struct pd_sink_end {
    long long added;  /* number of frames added by pd_sink_add */
    long long end;    /* index of the first frame that was not written; LLONG_MAX: none */
    pd_result result; /* result of the first failed write */
    pd_error error;   /* error of the first failed write */
    bool allow_empty;
    const pd_recorded_part *parts;
    int part_count; /* number of parts, at least 1 */
} pd_sink_end;

/* Base of the backends of all kinds. */
typedef struct pd_backend pd_backend;
struct pd_backend {
    bool parallel;       /* several threads may write frames, in any order; false: one thread, in order */
    bool first_alone;    /* whether pd_sink_add waits until the first frame is written */
    char note[160];      /* text of pd_sink_note */
    pd_sink_report done; /* seconds of the stages so far */
    /* Writes a frame. Frames after a failed one may be dropped. Errors: any. */
    pd_result (*write)(pd_backend *backend, long long index, const uint8_t *pixels, pd_error *error);
    /* Completes the recording and frees the backend. Fails if the recording as a whole is unusable. */
    pd_result (*finish)(pd_backend *backend, const pd_sink_end *end, pd_sink_report *done, pd_error *error);
    /* Frees the backend and removes the files that its creation made. */
    void (*discard)(pd_backend *backend);
};

/* Create a backend: in frames.c, stream.c, still.c, video.c. */
pd_result pd_folder_backend(pd_backend **backend, const char *path, const pd_sink_info *info, bool force,
                            pd_error *error);
pd_result pd_stream_backend(pd_backend **backend, const pd_sink_info *info, pd_error *error);
pd_result pd_still_backend(pd_backend **backend, const char *path, const pd_sink_info *info, bool force,
                           pd_error *error);
pd_result pd_video_backend(pd_backend **backend, const char *path, pd_sink_kind kind, const pd_sink_info *info,
                           bool force, pd_error *error);
/* Fails if the path is no place for a file, or a file exists and `force` is false. */
pd_result pd_recorded_file_check(const char *path, bool force, pd_error *error);
/* Reports that memory ran out at the beginning of a recording. */
pd_result pd_fail_recording_memory(pd_error *error);

#endif
