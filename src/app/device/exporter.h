/* Exports a log as a video by `puddle replay` in another process, so that the window stays responsive. */
#ifndef PUDDLE_APP_DEVICE_EXPORTER_H
#define PUDDLE_APP_DEVICE_EXPORTER_H

#include "app/io/announce.h"
#include "core/file.h"

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

/* What an exported video shows. */
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
