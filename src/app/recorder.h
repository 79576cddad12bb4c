/* Recordings (F9) and screenshots (F12): pictures without the text over them. */
#ifndef PUDDLE_APP_RECORDER_H
#define PUDDLE_APP_RECORDER_H

#include "core/file.h"
#include "record/frame_clock.h"
#include "record/sink.h"
#include "render/canvas.h"

typedef struct pd_recorder {
    pd_sink *sink; /* NULL: not recording */
    pd_canvas canvas;
    char path[PD_MAX_PATH];
    bool requested;    /* by --record: its failure fails the run */
    pd_sink_kind kind; /* what F9 records, once kind_known */
    bool kind_known;
    bool in_video_folder; /* by F9: the folder is removed where it stays empty */
    bool keeps_empty;     /* a recording without frames is kept */
    pd_frame_clock clock;
    struct shot *shot; /* a screenshot that is being written */
} pd_recorder;

#endif
