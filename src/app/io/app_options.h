/* Options of the window, from the command line. */
#ifndef PUDDLE_APP_IO_APP_OPTIONS_H
#define PUDDLE_APP_IO_APP_OPTIONS_H

#include <puddle/puddle.h>

typedef struct pd_app_options {
    int width, height; /* window, in interface units; 0: 1280 x 800 */
    bool fullscreen;
    bool quiet;                 /* prints nothing on standard output */
    bool json;                  /* prints one JSON object per line instead of text: see announce.c */
    const char *path;           /* of the file that the world is from; NULL: none */
    const char *view;           /* name of a view of the world's method; NULL: its first */
    const pd_view_lines *lines; /* over the view; NULL: those that the view has of its own */
    int palette;                /* index of render/palette.h */
    long long frames;           /* quit after so many frames; 0: never */
    int fps;                    /* of a recording; 0: one frame per step */
    const char *record;         /* folder: record from the first frame; NULL: no recording */
    const char *log;            /* file: write the input log; NULL: none */
    bool last_log;              /* without it: keeps the end of the log in the user's state folder */
    pd_log **replay;            /* *replay: a log of the world to be played, or NULL; receives that of the last world */
    size_t history;             /* bytes for the states to go back in time with; 0: the default of logs */
    bool force;                 /* overwrite that folder's recording */
    bool (*interrupted)(void);  /* true: quit cleanly; NULL: never */
    /* Called once, when everything that the window needs is open; an error ends the run. May be NULL. */
    pd_result (*opened)(void *context, pd_error *error);
    /* Called after every step; an error ends the run. May be NULL. */
    pd_result (*stepped)(void *context, const pd_world *world, pd_error *error);
    void *context;
    bool saves; /* the world will be written to a file, so it is returned at the end of a step */
    int (*report)(const pd_error *error); /* prints an error that does not end the run on standard error; may be NULL */
} pd_app_options;

#endif
