/* The monotonic clock. */
#include "core/timer.h"

#include <stddef.h>
#include <time.h>

static const pd_clock *replacement; /* NULL: the clock of the system */

double pd_system_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double pd_now(void) { return replacement ? replacement->now() : pd_system_now(); }

void pd_pause(double seconds) {
    if (replacement) {
        replacement->pause(seconds);
        return;
    }
    struct timespec left = {.tv_sec = (time_t)seconds};
    left.tv_nsec = (long)(1e9 * (seconds - (double)left.tv_sec));
    nanosleep(&left, NULL);
}

void pd_clock_replace(const pd_clock *clock) { replacement = clock; }

bool pd_clock_is_of_system(void) { return !replacement; }
