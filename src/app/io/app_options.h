/* Options of the window from the command line. */
#ifndef PUDDLE_APP_IO_APP_OPTIONS_H
#define PUDDLE_APP_IO_APP_OPTIONS_H

#include <puddle/puddle.h>

typedef struct pd_app_options {
    int width, height; /* size of the window, interface units; 0: 1280 x 800 */
    bool fullscreen;
    bool quiet;                 /* prints nothing on standard output */
    bool json;                  /* prints JSON objects instead of text (announce.c) */
    const char *path;           /* file of the opened scene; NULL: none */
    const char *view;           /* name of a view of the world's method; NULL: its first view */
    const pd_view_lines *lines; /* lines drawn over the view; NULL: the view's own lines */
    int palette;                /* index of a palette of render/palette.h */
    long long frames;           /* number of frames until the window quits; 0: no limit */
    int fps;                    /* frames per second of a recording; 0: one frame per step */
    const char *record;         /* folder to record into from the first frame; NULL: no recording */
    bool force;                 /* overwrites the recording in the folder `record` */
    const char *log;            /* file for the log (--log); NULL: none */
    bool last_log;              /* also writes the log to last.log in the user's state folder */
    pd_log **replay;            /* in: log to replay, or *replay NULL; out: log of the last world */
    size_t history;             /* memory for the log's keyframes, bytes; 0: PD_LOG_BUDGET */
    bool (*interrupted)(void);  /* returns true to make the window quit; may be NULL */
    /* Called once when the window is open. An error ends the run. May be NULL. */
    pd_result (*opened)(void *context, pd_error *error);
    /* Called after every step. An error ends the run. May be NULL. */
    pd_result (*stepped)(void *context, const pd_world *world, pd_error *error);
    void *context;                        /* first argument of `opened` and `stepped` */
    bool saves;                           /* the caller saves the world afterwards, so a step under way is completed */
    int (*report)(const pd_error *error); /* prints an error on standard error that does not end the run; may be NULL */
} pd_app_options;

#endif
