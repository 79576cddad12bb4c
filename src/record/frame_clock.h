/* Maps frames of a recording to steps.
 *
 * Frame n (from 0) shows the fluid (n + 1) / fps seconds after the beginning. Times are computed from the number of
 * steps rather than summed up, so that rounding errors do not accumulate:
 *
 *     pd_frame_clock_begin(&clock, fps, dt);
 *     after every step:
 *         pd_frame_clock_count_step(&clock);
 *         while (pd_frame_clock_count_due_frame(&clock, &alpha)) draw(alpha); */
#ifndef PUDDLE_RECORD_FRAME_CLOCK_H
#define PUDDLE_RECORD_FRAME_CLOCK_H

#include <stdbool.h>

typedef struct pd_frame_clock {
    double fps;                      /* frames per second; if pd_frame_clock_begin got 0: 1/dt, rounded */
    bool every_step;                 /* a frame is due after each step */
    double dt;                       /* simulated time of a step, s */
    long long steps, frames;         /* numbers of steps and frames counted so far, including skipped frames */
    long long last_step, last_frame; /* limits of `steps` and `frames`; LLONG_MAX: no limit */
} pd_frame_clock;

/* Begins a recording with `fps` frames per simulated second and steps of dt seconds. fps = 0: one frame per step. If fps x
 * dt is within 0.1 % of 1, there is one frame per step too, so that frames and steps cannot drift apart. */
void pd_frame_clock_begin(pd_frame_clock *clock, double fps, double dt);
/* Skips all frames that are due in the first `seconds`. Call before pd_frame_clock_set_limits. */
void pd_frame_clock_skip(pd_frame_clock *clock, double seconds);
/* Limits the recording to `steps` steps (LLONG_MAX: no limit) and `frames` further frames (0: no limit), whichever is
 * reached first. A frame due up to 1/100 frame after the last step counts as due in this step, since dt may be rounded:
 * 0.0166667 for 1/60 s. */
void pd_frame_clock_set_limits(pd_frame_clock *clock, long long steps, long long frames);
void pd_frame_clock_count_step(pd_frame_clock *clock);
/* Returns whether the next frame is due in a step counted so far. If so, counts the frame and sets *alpha to its time
 * within the last step: 0 (beginning of the step) to 1 (end). */
bool pd_frame_clock_count_due_frame(pd_frame_clock *clock, double *alpha);

#endif
