/* The window of a command: puddle SCENE, and puddle replay LOG. Tests make one frame after the other. */
#ifndef PUDDLE_CLI_WINDOW_H
#define PUDDLE_CLI_WINDOW_H

#include "app/app.h"
#include "cli/options.h"
#include "cli/output/output.h"
#include "core/file.h"

typedef struct window {
    const options *options;  /* options of the command */
    pd_world *world;         /* world of the command, at the end the last world of the window */
    pd_log *log;             /* log to replay, at the end the log of the last world; NULL: none */
    pd_view_lines lines;     /* lines of --lines */
    char scene[PD_MAX_PATH]; /* path of the scene */
    outputs *outputs;        /* files that the run writes */
    pd_app *app;             /* the window itself */
} window;

/* Reads the scene or the log of the command line, and opens the window. Returns 0, or the exit code after an error was
 * printed. *options must outlive the window. */
int window_begin(window *window, const options *options);
/* Makes a frame. False: the window is to be closed by window_end. */
bool window_frame(window *window);
/* Closes the window, writes the files, and prints the summary of a replay. Returns the exit code of the command. */
int window_end(window *window);

#endif
