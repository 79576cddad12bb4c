/* The clock of the program. */
#include "core/timer.h"

#include "platform/platform.h"

static const pd_clock *replacement; /* NULL: the clock of the system */

double pd_now(void) { return replacement ? replacement->now() : pd_os_now(); }

void pd_pause(double seconds) {
    if (replacement)
        replacement->pause(seconds);
    else
        pd_os_sleep(seconds);
}

void pd_clock_replace(const pd_clock *clock) { replacement = clock; }

bool pd_clock_is_of_system(void) { return !replacement; }
