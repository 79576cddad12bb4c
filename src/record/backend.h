/* Internal to this folder: what the queue of sink.c calls to write frames. */
#ifndef PUDDLE_RECORD_BACKEND_H
#define PUDDLE_RECORD_BACKEND_H

#include "record/sink.h"

/* A part of the recording and the frame with which it begins. */
typedef struct pd_recorded_part {
    char scene[64], method[64];
    uint64_t seed;
    long long first;
} pd_recorded_part;

/* What finish is told. */
typedef struct pd_sink_end {
    long long added;  /* frames, by pd_sink_add */
    long long end;    /* index of the first frame that could not be written; none: LLONG_MAX */
    pd_result result; /* of the first write that failed */
    pd_error error;   /* the same */
    bool keep_empty;
    const pd_recorded_part *parts;
    int part_count; /* at least 1 */
} pd_sink_end;

/* Each kind has a structure that begins with this one. */
typedef struct pd_backend pd_backend;
struct pd_backend {
    bool parallel;       /* frames may be written by several threads, in any order; else by one, in their order */
    bool first_alone;    /* the first frame is written before pd_sink_add returns */
    char note[160];      /* pd_sink_note */
    pd_sink_report done; /* the times so far */
    /* Errors: any. After one no later frame need be written. */
    pd_result (*write)(pd_backend *backend, long long index, const uint8_t *pixels, pd_error *error);
    /* Completes the recording and frees the backend. Returns the failure of the whole recording. */
    pd_result (*finish)(pd_backend *backend, const pd_sink_end *end, pd_sink_report *done, pd_error *error);
    /* Frees the backend and removes what its creation made. */
    void (*discard)(pd_backend *backend);
};

/* frames.c, stream.c, video.c */
pd_result pd_folder_backend(pd_backend **backend, const char *path, const pd_sink_info *info, bool force,
                            pd_error *error);
pd_result pd_stream_backend(pd_backend **backend, const pd_sink_info *info, pd_error *error);
pd_result pd_video_backend(pd_backend **backend, const char *path, pd_sink_kind kind, const pd_sink_info *info,
                           bool force, pd_error *error);
/* video.c: refuses a file that exists, without force, and what is no place for a file. */
pd_result pd_video_check(const char *path, bool force, pd_error *error);
/* The message of every backend when memory is short while it begins. */
pd_result pd_fail_recording_memory(pd_error *error);

#endif
