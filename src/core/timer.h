#ifndef PUDDLE_CORE_TIMER_H
#define PUDDLE_CORE_TIMER_H

/* Seconds of a clock that never goes back. */
double pd_now(void);

#endif
