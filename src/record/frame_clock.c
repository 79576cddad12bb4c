/* Computes at which step each frame of a recording is due. */
#include "record/frame_clock.h"

#include <limits.h>
#include <math.h>

void pd_frame_clock_begin(pd_frame_clock *clock, double fps, double dt) {
    *clock = (pd_frame_clock){.dt = dt, .last_step = LLONG_MAX, .last_frame = LLONG_MAX};
    clock->every_step = fps <= 0 || fabs(fps * dt - 1) < 1e-3;
    clock->fps = fps > 0 ? fps : fmax(1, round(1 / dt));
}

void pd_frame_clock_skip(pd_frame_clock *clock, double seconds) {
    clock->frames = (long long)floor(seconds * (clock->every_step ? 1 / clock->dt : clock->fps) + 1e-2);
}

void pd_frame_clock_set_limits(pd_frame_clock *clock, long long steps, long long frames) {
    clock->last_step = clock->last_frame = steps;
    if (!clock->every_step && steps != LLONG_MAX)
        clock->last_frame = (long long)floor((double)steps * clock->dt * clock->fps + 1e-2);
    if (frames > 0 && frames < clock->last_frame - clock->frames) clock->last_frame = clock->frames + frames;
}

void pd_frame_clock_count_step(pd_frame_clock *clock) { clock->steps++; }

bool pd_frame_clock_count_due_frame(pd_frame_clock *clock, double *alpha) {
    if (clock->frames >= clock->last_frame) return false;
    double frame = (double)(clock->frames + 1);
    double moment = clock->every_step
                        ? frame
                        : frame / clock->fps / clock->dt; /* time of the next frame, in units of the step dt */
    if (moment > (double)clock->steps + 1e-6 && clock->steps < clock->last_step) return false;
    *alpha = fmin(fmax(moment - (double)(clock->steps - 1), 0), 1);
    clock->frames++;
    return true;
}
