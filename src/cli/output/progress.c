/* Prints the progress of a command on standard error. */
#include "cli/output/progress.h"

#include "core/timer.h"
#include "platform/platform.h"

#include <stdio.h>

void progress_begin(progress *progress, const char *noun, long long total, bool quiet, bool lines) {
    progress->lines = lines;
    progress->shown = !quiet && !progress->lines && pd_os_is_terminal(stderr);
    progress->noun = noun;
    progress->total = total;
    progress->started = pd_now();
    progress->last = progress->started - 1; /* 1 s before the start, so that the first update prints at once */
}

void progress_update(progress *progress, long long done) {
    if (!progress->shown && !progress->lines) return;
    double now = pd_now();
    if (now - progress->last < 0.1 && (!progress->lines || done < progress->total)) return;
    progress->last = now;
    if (progress->lines) fprintf(stderr, "%lld/%lld\n", done, progress->total);
    if (!progress->shown) return;
    double rate = (double)done / (now - progress->started);
    fprintf(stderr, "\r%s %lld", progress->noun, done);
    if (progress->total) fprintf(stderr, "/%lld (%d %%)", progress->total, (int)(100 * done / progress->total));
    fprintf(stderr, ", %.*f/s", rate < 10 ? 1 : 0, rate);
    if (progress->total && rate > 0) {
        long long left = (long long)((double)(progress->total - done) / rate + 0.5);
        fprintf(stderr, ", %lld:%02lld left", left / 60, left % 60);
    }
    fputs("\x1b[K", stderr);
}

void progress_show_note(const progress *progress, const char *note) {
    if (progress->shown) fprintf(stderr, "\r%s\x1b[K", note);
}

void progress_end(progress *progress) {
    if (progress->shown) fputs("\r\x1b[K", stderr);
    progress->shown = false;
}
