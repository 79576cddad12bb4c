/* Recordings (F9) and screenshots (F12): pictures without the interface. */
#ifndef PUDDLE_APP_DEVICE_RECORDER_H
#define PUDDLE_APP_DEVICE_RECORDER_H

#include "app/device/display.h"
#include "app/io/announce.h"
#include "core/file/file.h"
#include "record/frame_clock.h"
#include "record/sink.h"
#include "render/canvas.h"
#include "render/renderer.h"

typedef struct pd_recorder {
    int fps;       /* of recordings; 0: one frame per step */
    pd_sink *sink; /* NULL: not recording */
    pd_canvas canvas;
    char path[PD_MAX_PATH];
    bool requested;    /* The recording is by --record: its failure fails the run. */
    pd_sink_kind kind; /* Format of F9, valid once kind_known. */
    bool kind_known;
    bool in_video_folder; /* A video by F9: its folder is removed if it stays empty. */
    bool keeps_empty;     /* A recording without frames remains. */
    pd_frame_clock clock;
    struct shot *shot; /* Screenshot in work. NULL: none. */
} pd_recorder;

/* Records the world from now on, in the display's size. requested: by --record. */
pd_result pd_recorder_start(pd_recorder *recorder, const pd_world *world, const pd_display *display, const char *path,
                            bool requested, bool force, pd_error *error);
/* Records the world under a new name, and announces the name or the error. paused: recording begins with the next step. */
void pd_recorder_start_new(pd_recorder *recorder, pd_announcer *announcer, const pd_world *world,
                           const pd_display *display, bool paused);
/* Ends the recording, if one runs, and announces the result but no error. failed: the run has failed. */
pd_result pd_recorder_stop(pd_recorder *recorder, pd_announcer *announcer, bool failed, pd_error *error);
/* Returns the format of pd_recorder_start_new, at first that of the last run of the program. */
pd_sink_kind pd_recorder_kind(pd_recorder *recorder);
/* Sets that format, also for the next run. */
void pd_recorder_set_kind(pd_recorder *recorder, pd_announcer *announcer, pd_sink_kind kind);
/* Adds the frames of a step; call after each step. worlds: the second may be NULL. pictures: of the worlds, side by side in
 * the size of the canvas. False: the recording failed, and pd_recorder_stop returns the error. */
bool pd_recorder_step(pd_recorder *recorder, pd_renderer *renderer, const pd_world *const worlds[2],
                      const pd_picture pictures[2]);
/* Returns whether a step may follow. False: the queue of the recording is full. */
bool pd_recorder_ready(const pd_recorder *recorder);

/* F12: begins to write the file on another thread. */
void pd_screenshot_begin(pd_recorder *recorder, pd_announcer *announcer, pd_renderer *renderer,
                         const pd_picture *pictures, int count);
/* Announces a screenshot that is complete. wait: waits for its end. */
void pd_screenshot_poll(pd_recorder *recorder, pd_announcer *announcer, bool wait);

#endif
