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
    int fps;       /* frames per second of simulated time in a recording; 0: one frame per step */
    pd_sink *sink; /* queue and threads that write the frames; NULL: no recording runs */
    pd_canvas canvas;
    char path[PD_MAX_PATH]; /* file or folder of the recording */
    bool by_option;         /* The recording began with --record: if it fails, the run fails. */
    pd_sink_kind kind;      /* Format of the recordings of F9. Valid if kind_known. */
    bool kind_known;
    bool in_video_folder;    /* F9 created a folder for the video, which is removed if no file is written. */
    bool keeps_empty_folder; /* A recording that ends without frames is not removed. */
    pd_frame_clock clock;
    struct screenshot *screenshot; /* Screenshot that another thread writes. NULL: none. */
} pd_recorder;

/* Begins a recording of the world, in the size of the window. requested: by --record. force: overwrites a recording. */
pd_result pd_recorder_start(pd_recorder *recorder, const pd_world *world, const pd_display *display, const char *path,
                            bool by_option, bool force, pd_error *error);
/* Begins a recording under a name that no file has, and announces the name or the error. paused: no frame before the next
 * step. */
void pd_recorder_start_at_free_path(pd_recorder *recorder, pd_announcer *announcer, const pd_world *world,
                                    const pd_display *display, bool paused);
/* Ends a running recording and announces its file. The caller announces the error. failed: the run has failed. */
pd_result pd_recorder_stop(pd_recorder *recorder, pd_announcer *announcer, bool failed, pd_error *error);
/* Returns the format of the recordings of F9. At first that is the saved setting. */
pd_sink_kind pd_recorder_format(pd_recorder *recorder);
/* Sets the format of the recordings of F9, and saves it as a setting. */
void pd_recorder_set_format(pd_recorder *recorder, pd_announcer *announcer, pd_sink_kind kind);
/* Draws and queues the frames that fall into the last step. Call after each step. worlds[1] may be NULL. pictures: what to draw
 * of each world, side by side on the canvas. False: the recording failed, and pd_recorder_stop returns the error. */
bool pd_recorder_record_step(pd_recorder *recorder, pd_renderer *renderer, const pd_world *const worlds[2],
                             const pd_picture pictures[2]);
/* Returns whether the queue has room for the frames of another step. True without a recording. */
bool pd_recorder_has_room(const pd_recorder *recorder);

/* Draws a screenshot (F12) and begins to write its file on another thread. */
void pd_screenshot_begin(pd_recorder *recorder, pd_announcer *announcer, pd_renderer *renderer,
                         const pd_picture *pictures, int count);
/* Announces the file of the screenshot once it is written. wait: waits for the thread that writes it. */
void pd_screenshot_poll(pd_recorder *recorder, pd_announcer *announcer, bool wait);

#endif
