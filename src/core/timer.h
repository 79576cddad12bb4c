/* The clock of the program, which a test can replace. */
#ifndef PUDDLE_CORE_TIMER_H
#define PUDDLE_CORE_TIMER_H

#include <stdbool.h>

/* A clock in place of the system's. */
typedef struct pd_clock {
    double (*now)(void);           /* returns the time, s; called by any thread */
    void (*pause)(double seconds); /* lets `seconds` pass */
} pd_clock;

/* Returns the time of the program's clock, s. The time never decreases. */
double pd_now(void);
/* Waits for `seconds` of the program's clock. */
void pd_pause(double seconds);
/* Replaces the program's clock: a test decides how much time passes. NULL: the clock of the system. *clock must outlive its use.
 * Call while no other thread uses the clock. */
void pd_clock_replace(const pd_clock *clock);
/* Returns whether the program's clock is that of the system. */
bool pd_clock_is_of_system(void);

#endif
