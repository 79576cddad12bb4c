/* Exports of a log as a video: `puddle replay` in a process of its own, so that the window goes on. */
#ifndef PUDDLE_APP_DEVICE_EXPORTER_H
#define PUDDLE_APP_DEVICE_EXPORTER_H

#include "app/io/announce.h"
#include "core/file/file.h"
#include <sys/types.h>

typedef struct pd_exporter {
    pid_t process;            /* process of the export; 0: none runs */
    int output;               /* descriptor of the pipe with the lines that the process prints */
    char line[512];           /* beginning of a line that is not complete yet */
    char path[PD_MAX_PATH];   /* path of the video, or of the folder of frames */
    char folder[PD_MAX_PATH]; /* temporary folder beside `path`, for the log and the incomplete video */
    char log[PD_MAX_PATH];    /* path of the log in that folder */
    char problem[512];        /* message of the process; "": none */
    bool replaces;            /* a file at `path` is replaced */
    bool cancelled;
    double asked_until;     /* until then a second Escape cancels, s of pd_now() */
    long long done, frames; /* frames drawn so far, and in all; 0: not known yet */
} pd_exporter;

/* Description of the pictures of an export. */
typedef struct pd_export {
    int width, height;
    double fps;
    const char *view, *palette;
    const char *lines;                        /* lines over the view; NULL: those of the view */
    char compare[2 * PD_MAX_METHOD_NAME + 2]; /* "ddr,flip": two methods side by side; "": one picture */
    char camera[64];                          /* value of --camera; "": the whole container */
    char background[8];                       /* colour of the background, "ffffff"; "": none */
    bool no_legend, no_outline;
    double start;    /* simulated time of the log before the first frame, s */
    long long steps; /* steps from the beginning of the log to the last frame */
} pd_export;

/* Creates the temporary folder of an export to `path`. The caller then writes the file `log`, and calls pd_exporter_start or
 * pd_exporter_cancel. replaces: an existing file may be replaced. Errors: FILE_UNWRITABLE. */
pd_result pd_exporter_prepare(pd_exporter *exporter, const char *path, bool replaces, pd_error *error);
/* Starts the process. Errors: OUT_OF_MEMORY. */
pd_result pd_exporter_start(pd_exporter *exporter, const pd_export *export, pd_error *error);
/* Reads the progress, and announces the end of the export. Returns whether anything changed. */
bool pd_exporter_poll(pd_exporter *exporter, pd_announcer *announcer);
/* Cancels an export at the second of two calls within some seconds. The first call announces what the second one does. */
void pd_exporter_ask_to_cancel(pd_exporter *exporter, pd_announcer *announcer);
/* Ends an export without a file. wait: waits for the end of the process, for some seconds at most. */
void pd_exporter_cancel(pd_exporter *exporter, bool wait);

#endif
