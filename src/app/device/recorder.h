/* Recordings (F9) and screenshots (F12): pictures without the text over them. */
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
    bool requested;    /* by --record: its failure fails the run */
    pd_sink_kind kind; /* what F9 records, once kind_known */
    bool kind_known;
    bool in_video_folder; /* by F9: the folder is removed where it stays empty */
    bool keeps_empty;     /* a recording without frames is kept */
    pd_frame_clock clock;
    struct shot *shot; /* a screenshot that is being written */
} pd_recorder;

/* Records the world from now on, in the display's size. requested: by --record. */
pd_result pd_recorder_start(pd_recorder *recorder, const pd_world *world, const pd_display *display, const char *path,
                            bool requested, bool force, pd_error *error);
/* The same under a new name, and announces it, or the error. paused: nothing is recorded yet. */
void pd_recorder_start_new(pd_recorder *recorder, pd_announcer *announcer, const pd_world *world,
                           const pd_display *display, bool paused);
/* Finishes the recording, if there is one, and announces the result, but not an error. failed: so does the run. */
pd_result pd_recorder_stop(pd_recorder *recorder, pd_announcer *announcer, bool failed, pd_error *error);
/* What pd_recorder_start_new records: as in the last run of the program. */
pd_sink_kind pd_recorder_kind(pd_recorder *recorder);
/* Remembers it for the next run too. */
void pd_recorder_set_kind(pd_recorder *recorder, pd_announcer *announcer, pd_sink_kind kind);
/* Call after every step of a recording: adds the frames that fall into it. pictures: those of the worlds, of which the second
 * may be NULL, side by side in the size of the canvas. False: it has failed; pd_recorder_stop returns the error. */
bool pd_recorder_step(pd_recorder *recorder, pd_renderer *renderer, const pd_world *const worlds[2],
                      const pd_picture pictures[2]);
/* False while the queue of the recording is full: then no step is made in this frame. */
bool pd_recorder_ready(const pd_recorder *recorder);

/* F12. The file is written on another thread; pd_screenshot_poll announces it when it is complete. */
void pd_screenshot_begin(pd_recorder *recorder, pd_announcer *announcer, pd_renderer *renderer,
                         const pd_picture *pictures, int count);
void pd_screenshot_poll(pd_recorder *recorder, pd_announcer *announcer, bool wait);

#endif
