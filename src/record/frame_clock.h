/* Which frames of a recording fall into which step.
 *
 * Frame n (from 0) shows the fluid (n + 1) / fps seconds after the recording began. Times are computed
 * from the number of steps and not summed up, so that no rounding error accumulates:
 *
 *     pd_frame_clock_begin(&clock, fps, dt);
 *     after every step: pd_frame_clock_step(&clock); while (pd_frame_clock_due(&clock, &alpha)) draw(alpha); */
#ifndef PUDDLE_RECORD_FRAME_CLOCK_H
#define PUDDLE_RECORD_FRAME_CLOCK_H

#include <stdbool.h>

typedef struct pd_frame_clock {
    int fps;                         /* of the recording */
    bool every_step;                 /* exactly one frame for each step */
    double dt;                       /* s, of a step */
    long long steps, frames;         /* so far */
    long long last_step, last_frame; /* at which the recording ends; LLONG_MAX: unknown */
} pd_frame_clock;

/* fps frames per simulated second of steps of dt seconds (0: one per step). A rate within a thousandth of the
 * steps' own means exactly one frame per step, without a drift between the two. */
void pd_frame_clock_begin(pd_frame_clock *clock, int fps, double dt);
/* The recording ends after so many steps, or so many frames when these are fewer (0: no limit). Its last step takes the
 * frames that rounding would leave over: a dt of 0.0166667 stands for 1/60 s. */
void pd_frame_clock_limit(pd_frame_clock *clock, long long steps, long long frames);
/* A step has been made. */
void pd_frame_clock_step(pd_frame_clock *clock);
/* True when another frame falls into the steps made so far, and counts it; *alpha: its position between the start and
 * the end of the last step, 0..1. */
bool pd_frame_clock_due(pd_frame_clock *clock, double *alpha);

#endif
