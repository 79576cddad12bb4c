/* A clock for time measurements. */
#ifndef PUDDLE_CORE_TIMER_H
#define PUDDLE_CORE_TIMER_H

/* Returns the time of a monotonic clock, s. */
double pd_now(void);

#endif
