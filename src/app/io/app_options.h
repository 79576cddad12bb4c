/* Options of the window from the command line. */
#ifndef PUDDLE_APP_IO_APP_OPTIONS_H
#define PUDDLE_APP_IO_APP_OPTIONS_H

#include <puddle/puddle.h>

#define PD_LEAST_SCALE 0.5 /* Least and greatest number of pixels per interface unit. */
#define PD_MOST_SCALE  5.0

typedef struct pd_app_options {
    int width, height;          /* size of the window, interface units; 0: the last one, at first 1280 x 800 */
    double scale;               /* pixels per interface unit; 0: the user's last choice, or the screen's */
    bool fullscreen;            /* the window fills the screen */
    bool quiet;                 /* prints nothing on standard output */
    bool json;                  /* prints JSON objects instead of text (announce.c) */
    bool guides;                /* shows hints, because a person and not a script uses the window */
    bool welcomes;              /* shows the opening card, or offers to continue the last session */
    bool continues;             /* continues the last session */
    const char *path;           /* file of the opened scene; NULL: none */
    const char *view;           /* name of the view shown first; NULL: the first view of the world's method */
    const pd_view_lines *lines; /* lines drawn over the view; NULL: the lines that belong to the view */
    int palette;                /* index of a palette in render/palette.h */
    long long frames;           /* number of frames after which the window quits; 0: no limit */
    double fps;                 /* frames per second of simulated time in recordings; 0: the format's default */
    const char *record;         /* file or folder to record to from the first frame (--record); NULL: none */
    bool force;                 /* overwrites a recording that exists at `record` */
    const char *log;            /* file that receives the log (--log); NULL: none */
    bool last_log;              /* also writes the log to last.log in the user's state folder */
    pd_log **replay; /* in: *replay is the log to replay, or NULL; out: *replay is the log of the world at the end */
    size_t history;  /* memory for the log's keyframes, bytes; 0: PD_LOG_BUDGET */
    bool (*interrupted)(void); /* returns true to make the window quit; may be NULL */
    /* Called once, after the window was opened. An error ends the run. May be NULL. */
    pd_result (*opened)(void *context, pd_error *error);
    /* Called after every step. An error ends the run. May be NULL. */
    pd_result (*stepped)(void *context, const pd_world *world, pd_error *error);
    void *context; /* first argument of `opened` and `stepped` */
    bool saves;    /* the caller saves the world after the run, so the run ends with a complete step */
    int (*report)(const pd_error *error); /* prints an error that does not end the run; may be NULL */
} pd_app_options;

#endif
