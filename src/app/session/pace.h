/* Pace of simulated time: how many steps a frame makes within its budget of wall time, and where between two steps it is drawn.
 *
 *     pd_pace_begin_frame(p, due_seconds)                due_seconds: wall time of the last frame x chosen speed
 *     while (pd_pace_has_time(p, spent_seconds)) {       spent_seconds: wall time since pd_pace_begin_frame
 *         substeps for pd_pace_seconds_left(p, ...);     a long step continues in the next frame
 *         pd_pace_record_work(p, ...);
 *     }
 *     pd_pace_end_frame(p)                               drops time that did not fit the budget: simulated time is slow
 */
#ifndef PUDDLE_APP_SESSION_PACE_H
#define PUDDLE_APP_SESSION_PACE_H

#include <stdbool.h>

typedef struct pd_pace {
    double dt;                      /* simulated time per step, s */
    double budget;                  /* wall time that a frame may spend on steps, s */
    double owed;                    /* simulated time that steps still have to cover, s */
    double step_cost, substep_cost; /* smoothed wall time of a step and of a substep, s; 0: unknown */
    double unfinished_cost;         /* wall time spent so far on the step under way, s; 0: no step is under way */
    int steps;                      /* number of steps completed in this frame */
    bool worked;                    /* pd_pace_record_work was called in this frame */
    double simulated;               /* simulated time of the substeps made in this frame, s */
    double due;                     /* simulated time that this frame should cover: wall time x chosen speed, s */
    double simulated_sum, due_sum;  /* sums of `simulated` and `due` over frames, decaying exponentially, s */
    double slow_for;                /* 0 to 1 s: grows while simulated time is slower than chosen, shrinks otherwise */
    bool slow;                      /* slow_for has reached 1 s and has not returned to 0 since */
} pd_pace;

void pd_pace_init(pd_pace *pace, double dt);
void pd_pace_begin_frame(pd_pace *pace, double due_seconds);
/* Returns the number of steps that the frame is expected to make: those owed, as far as they fit the budget, and at least 1.
 * Call at the beginning of the frame. */
int pd_pace_expected_steps(const pd_pace *pace);
/* Discards the measured cost of steps, and sets the interpolation weight to 1. Call after the world's state was replaced. */
void pd_pace_restart(pd_pace *pace);
/* Returns whether the frame should work on another step. If a step is owed, each frame works on it at least once.
 * spent_seconds: wall time since pd_pace_begin_frame. */
bool pd_pace_has_time(const pd_pace *pace, double spent_seconds);
/* Returns the wall time left for substeps in this frame, s. spent_seconds: as in pd_pace_has_time. */
double pd_pace_seconds_left(const pd_pace *pace, double spent_seconds);
/* Records that `substeps` of the substeps_per_step substeps of a step took `seconds` of wall time. substeps: 0 if only
 * the second world has made substeps; complete: the step is complete. */
void pd_pace_record_work(pd_pace *pace, double seconds, int substeps, int substeps_per_step, bool complete);
void pd_pace_end_frame(pd_pace *pace);
/* Returns the weight w of the state after the last step in the drawn picture, 0 to 1. The state before the step has 1 - w. */
float pd_pace_interpolation_weight(const pd_pace *pace);
/* Returns simulated time / (wall time x chosen speed), averaged over about a second. 1 if not known yet. */
double pd_pace_speed_ratio(const pd_pace *pace);

#endif
