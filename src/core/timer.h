/* A clock for time measurements. */
#ifndef PUDDLE_CORE_TIMER_H
#define PUDDLE_CORE_TIMER_H

/* Returns the seconds of a monotonic clock. */
double pd_now(void);

#endif
