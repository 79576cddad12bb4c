/* A progress line on standard error: number of done and of all items, rate, remaining time. Printed only to a terminal and
 * without --quiet; --progress prints always. */
#ifndef PUDDLE_CLI_OUTPUT_PROGRESS_H
#define PUDDLE_CLI_OUTPUT_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
    bool shown;           /* the progress line is shown on a terminal */
    bool lines;           /* --progress: each update is a new line DONE/TOTAL, for a program that reads them */
    const char *noun;     /* name of an item: "step", "frame" */
    long long total;      /* number of items; 0: unknown */
    double started, last; /* times of progress_begin and of the last printed line, s of pd_now() */
} progress;

void progress_begin(progress *progress, const char *noun, long long total, bool quiet, bool lines);
void progress_update(progress *progress, long long done);
/* Shows a text instead of the numbers until progress_end, for work after the last item. */
void progress_show_note(const progress *progress, const char *note);
void progress_end(progress *progress);

#endif
