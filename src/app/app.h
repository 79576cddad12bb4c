/* The sandbox: a window on a world. */
#ifndef PUDDLE_APP_APP_H
#define PUDDLE_APP_APP_H

#include <puddle/puddle.h>

typedef struct pd_app_options {
    int width, height; /* window, in interface units; 0: 1280 x 800 */
    bool fullscreen;
    bool quiet;                /* prints nothing on standard output */
    bool json;                 /* prints one JSON object a line instead of words: see app/announce.h */
    const char *view;          /* name of a view of the world's method; NULL: its first */
    int palette;               /* index of render/palette.h */
    long long frames;          /* quit after so many frames; 0: never */
    int fps;                   /* of a recording; 0: one frame per step */
    const char *record;        /* folder: record from the first frame; NULL: do not */
    bool force;                /* overwrite that folder's recording */
    bool (*interrupted)(void); /* true: leave cleanly; NULL: never */
    /* Called once, when everything that the window needs is open; an error ends the program's run with it. May be NULL. */
    pd_result (*opened)(void *context, pd_error *error);
    /* Called after every step; an error ends the program's run with it. NULL: nobody listens. */
    pd_result (*stepped)(void *context, const pd_world *world, pd_error *error);
    void *context;
    bool saves; /* the world is left at the end of a step: it is going to be written to a file */
    int (*report)(const pd_error *error); /* says on standard error what went wrong without ending the run */
} pd_app_options;

/* Runs until the person quits, if need be in the middle of a step. Takes over *world (another scene may replace it) and leaves the last one there for the
 * caller to destroy. Errors: DISPLAY_UNAVAILABLE, GRAPHICS_UNAVAILABLE, SHADER_BROKEN, DATA_MISSING, FILE_UNWRITABLE,
 * OUT_OF_MEMORY, RECORDING_EXISTS, and those of `stepped`. */
pd_result pd_app_run(pd_world **world, const pd_app_options *options, pd_error *error);

#endif
