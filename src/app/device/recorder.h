/* Recordings (F9) and screenshots (F12): pictures without the interface. */
#ifndef PUDDLE_APP_DEVICE_RECORDER_H
#define PUDDLE_APP_DEVICE_RECORDER_H

#include "app/device/display.h"
#include "app/io/announce.h"
#include "app/ui/ui.h"
#include "core/file.h"
#include "record/sink.h"
#include "render/canvas.h"
#include "render/renderer.h"

typedef struct pd_recorder {
    double fps;    /* frames per second of simulated time; 0: the format's default */
    pd_sink *sink; /* queue and threads that write the frames; NULL: no recording runs */
    /* Draws the text over the pictures, which lie side by side. */
    void (*draw_text)(void *context, ui *gui, const pd_picture *pictures, int count);
    void *context;           /* first argument of `draw_text` */
    bool has_text;           /* the pictures that were described last have text */
    ui *gui;                 /* draws the text; NULL: no text was drawn yet */
    pd_canvas canvas;        /* framebuffer into which the frames are drawn */
    char path[PD_MAX_PATH];  /* file or folder of the recording */
    bool by_option;          /* The option --record has begun the recording. If the recording fails, the run fails. */
    pd_sink_kind kind;       /* Format of recordings that F9 begins. Valid if kind_known. */
    bool kind_known;         /* `kind` was set, or read from the settings. */
    bool keeps_empty_folder; /* A folder that --record names is not removed if the recording has no frames. */
    pd_frame_clock clock;    /* Simulated times of the frames. */
    struct screenshot *screenshot; /* Screenshot that another thread writes to a file. NULL: none. */
} pd_recorder;

/* Begins a recording of the world, in the size of the window. by_option: the recording begins with --record. force: overwrites
 * a recording that exists at `path`. */
pd_result pd_recorder_start(pd_recorder *recorder, const pd_world *world, const pd_display *display, const char *path,
                            bool by_option, bool force, pd_error *error);
/* Begins a recording at a path that does not exist, and announces the path or the error. paused: the announcement says that the
 * recording begins with the next step. */
void pd_recorder_start_at_free_path(pd_recorder *recorder, pd_announcer *announcer, const pd_world *world,
                                    const pd_display *display, bool paused);
/* Ends the recording, if one runs, and announces its path. The caller announces the returned error. failed: the run has
 * failed. */
pd_result pd_recorder_stop(pd_recorder *recorder, pd_announcer *announcer, bool failed, pd_error *error);
/* Returns the format of recordings that F9 begins: the saved setting, until pd_recorder_set_format changes it. */
pd_sink_kind pd_recorder_format(pd_recorder *recorder);
/* Sets the format of recordings that F9 begins, and saves the format as a setting. */
void pd_recorder_set_format(pd_recorder *recorder, pd_announcer *announcer, pd_sink_kind kind);
/* Draws the recording's frames whose time lies within the last step, and adds them to the queue. Call after each step.
 * worlds[1] may be NULL. pictures: description of each world's picture, drawn side by side. False: the recording failed, and
 * pd_recorder_stop will return the error. */
bool pd_recorder_record_step(pd_recorder *recorder, pd_renderer *renderer, const pd_world *const worlds[2],
                             const pd_picture pictures[2]);
/* Returns whether the queue has room for the frames of another step, or no recording runs. */
bool pd_recorder_has_room(const pd_recorder *recorder);

/* Draws a screenshot (F12) of the pictures side by side, and begins to write its file on another thread. */
void pd_screenshot_begin(pd_recorder *recorder, pd_announcer *announcer, pd_renderer *renderer,
                         const pd_picture *pictures, int count);
/* Draws the pictures side by side as a PNG file in memory. *png: allocated by malloc. Errors: OUT_OF_MEMORY,
 * GRAPHICS_UNAVAILABLE. */
pd_result pd_screenshot_draw_png(pd_recorder *recorder, pd_renderer *renderer, const pd_picture *pictures, int count,
                                 uint8_t **png, size_t *size, pd_error *error);
/* Frees the memory for text. Call after the last recording and screenshot, before the OpenGL context is destroyed. */
void pd_recorder_free(pd_recorder *recorder);
/* Announces the screenshot's path or error if its file is complete. wait: waits until the file is complete. */
void pd_screenshot_announce_finished(pd_recorder *recorder, pd_announcer *announcer, bool wait);

/* Exports a log as a video by `puddle replay` in another process, so that the window stays responsive. */
typedef struct pd_exporter {
    long process;             /* id of the export's process; 0: no export runs */
    int output;               /* descriptor of the pipe from which the window reads what the process prints */
    char line[512];           /* text read from `output` that does not form a complete line yet */
    char path[PD_MAX_PATH];   /* path of the exported video, or of the exported folder of frames */
    char folder[PD_MAX_PATH]; /* temporary folder beside `path`, with the log and the incomplete video; "": none */
    int lock;                 /* lock of `folder`, which the process inherits */
    char log[PD_MAX_PATH];    /* path of the log in the temporary folder */
    char problem[512];        /* last error message that the process has printed; "": none */
    bool replaces;            /* whether the video replaces a file that exists at `path` */
    bool cancelled;           /* whether the user has cancelled the export */
    double asked_until;       /* time until which a second Escape cancels the export, s of pd_now() */
    long long done;           /* number of frames that the process has drawn */
    long long frames;         /* number of frames of the whole video; 0: not known yet */
} pd_exporter;

/* Settings of an exported video: size, speed, view and part of the log. */
typedef struct pd_export {
    int width, height;   /* size of a frame, pixels */
    double fps;          /* frames per second of the video */
    double speed;        /* simulated time / time of the video */
    const char *quality; /* name of the quality of a video; NULL: the format has none */
    const char *view;    /* name of the view mode */
    const char *palette; /* name of the palette */
    const char *lines;   /* name of the lines over the view; NULL: the lines that belong to the view */
    char compare[2 * PD_MAX_METHOD_NAME + 2]; /* names of two methods side by side: "ddr,flip"; "": one picture */
    char camera[64];                          /* value of --camera; "": the whole container */
    char background[8];         /* colour of a plain background: "ffffff"; "none": transparent; "": the gradient */
    bool no_legend, no_outline; /* as --no-legend and --no-outline */
    double start;               /* simulated time from the beginning of the log to the first frame, s */
    long long steps;            /* number of steps from the beginning of the log to the last frame */
} pd_export;

/* Creates the temporary folder of an export to `path`. The caller then writes the log to exporter->log, and calls
 * pd_exporter_start or pd_exporter_cancel. replaces: an existing file may be replaced. Errors: FILE_UNWRITABLE. */
pd_result pd_exporter_prepare(pd_exporter *exporter, const char *path, bool replaces, pd_error *error);
/* Starts the process of the export. Errors: OUT_OF_MEMORY. */
pd_result pd_exporter_start(pd_exporter *exporter, const pd_export *export, pd_error *error);
/* Reads what the process has printed, and announces the end of the export. Returns whether the process has printed
 * anything or ended. */
bool pd_exporter_poll(pd_exporter *exporter, pd_announcer *announcer);
/* Cancels an export at the second of two calls within some seconds. The first call announces what the second one does. */
void pd_exporter_ask_to_cancel(pd_exporter *exporter, pd_announcer *announcer);
/* Cancels an export and removes its files. wait: waits for the end of the process, which is killed after 5 s. */
void pd_exporter_cancel(pd_exporter *exporter, bool wait);

#endif
