/* A progress line on a terminal: done/total, rate, time left. Prints nothing to a pipe or with --quiet, except with --progress. */
#ifndef PUDDLE_CLI_OUTPUT_PROGRESS_H
#define PUDDLE_CLI_OUTPUT_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
    bool shown;
    bool lines;       /* prints lines DONE/TOTAL for programs, also to a pipe (--progress) */
    const char *noun; /* name of the items: "step", "frame" */
    long long total;  /* number of items; 0: unknown */
    double started, last;
} progress;

void progress_begin(progress *progress, const char *noun, long long total, bool quiet, bool lines);
void progress_update(progress *progress, long long done);
/* Shows a note about the work after the last item, until progress_end. */
void progress_note(const progress *progress, const char *note);
void progress_end(progress *progress);

#endif
