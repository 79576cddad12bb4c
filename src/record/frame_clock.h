/* Maps frames of a recording to steps.
 *
 * Frame n (from 0) shows the fluid (n + 1) / fps seconds after the beginning. Times are computed from the number of
 * steps rather than summed up, so that rounding errors do not accumulate:
 *
 *     pd_frame_clock_begin(&clock, fps, dt);
 *     after every step: pd_frame_clock_step(&clock); while (pd_frame_clock_due(&clock, &alpha)) draw(alpha); */
#ifndef PUDDLE_RECORD_FRAME_CLOCK_H
#define PUDDLE_RECORD_FRAME_CLOCK_H

#include <stdbool.h>

typedef struct pd_frame_clock {
    int fps;                         /* frames per second */
    bool every_step;                 /* exactly one frame for each step */
    double dt;                       /* simulated time of a step, s */
    long long steps, frames;         /* numbers of steps and frames so far; `frames` includes skipped ones */
    long long last_step, last_frame; /* numbers at which the recording ends; LLONG_MAX: no limit */
} pd_frame_clock;

/* Begins a recording of `fps` frames per simulated second (0: one per step) with steps of dt seconds. A rate within 0.1
 * % of the steps' rate means one frame per step, so that the two do not drift apart. */
void pd_frame_clock_begin(pd_frame_clock *clock, int fps, double dt);
/* Skips the frames of the first `seconds`. Call pd_frame_clock_limit afterwards. */
void pd_frame_clock_skip(pd_frame_clock *clock, double seconds);
/* Limits the recording to `steps` steps or `frames` further frames, whichever is first; 0: no limit. The last step includes
 * frames that rounding would lose: a dt of 0.0166667 stands for 1/60 s. */
void pd_frame_clock_limit(pd_frame_clock *clock, long long steps, long long frames);
/* Counts a step. */
void pd_frame_clock_step(pd_frame_clock *clock);
/* Returns true and counts a frame if the next frame is within the steps so far. *alpha: time of the frame in the last
 * step, from 0 (begin) to 1 (end). */
bool pd_frame_clock_due(pd_frame_clock *clock, double *alpha);

#endif
