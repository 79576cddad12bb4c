/* Pace of simulated time: how many steps a frame makes within its budget of wall time, and where between two steps it is drawn.
 *
 *     pd_pace_begin_frame(p, elapsed)                          adds the wall time of the last frame to the time to simulate
 *     while (pd_pace_has_time(p, spent)) {               spent: wall time since pd_pace_begin_frame
 *         substeps for pd_pace_seconds_left(p, spent);   a longer step continues in the next frame
 *         pd_pace_record_work(p, ...);
 *     }
 *     pd_pace_end_frame(p)                                     drops time beyond the budget: simulated time slows down
 */
#ifndef PUDDLE_APP_SESSION_PACE_H
#define PUDDLE_APP_SESSION_PACE_H

#include <stdbool.h>

typedef struct pd_pace {
    double dt;                      /* simulated time per step, s */
    double budget;                  /* wall time that a frame may spend on steps, s */
    double owed;                    /* simulated time still to be made up by steps, s */
    double step_cost, substep_cost; /* smoothed wall time of a step and of a substep, s; 0: unknown */
    double unfinished_cost;         /* wall time spent so far on the step under way, s; 0: no step */
    int steps;                      /* steps completed in this frame */
    bool worked;                    /* pd_pace_record_work was called in this frame */
    double simulated;               /* time simulated in this frame, including the step under way, s */
    double due;                     /* wall time of the last frame, s */
    double simulated_sum, due_sum;  /* exponentially decaying sums of `simulated` and `elapsed`, s */
    double slow_for;                /* 0 to 1 s: grows below real time, shrinks in real time */
    bool slow;                      /* slow_for has reached 1 s and not yet returned to 0 */
} pd_pace;

void pd_pace_init(pd_pace *pace, double dt);
void pd_pace_begin_frame(pd_pace *pace, double due);
/* Forgets the measured cost of a step, and draws the present state without interpolation. Call after the state was replaced. */
void pd_pace_restart(pd_pace *pace);
/* Returns whether the frame should work on another step. Each frame makes at least one substep or part of an emission. */
bool pd_pace_has_time(const pd_pace *pace, double spent);
/* Returns the wall time left for substeps in this frame, s. */
double pd_pace_seconds_left(const pd_pace *pace, double spent);
/* Records that `substeps` of a step's `total` substeps took `seconds` of wall time. substeps 0: only particles were emitted.
 * complete: the step is complete. */
void pd_pace_record_work(pd_pace *pace, double seconds, int substeps, int step_substeps, bool complete);
void pd_pace_end_frame(pd_pace *pace);
/* Returns the weight of the last state in the drawn picture, 0 .. 1. The state before the step has the rest. */
float pd_pace_interpolation_weight(const pd_pace *pace);
/* Returns simulated time / wall time, averaged over about a second. 1: not known yet. */
double pd_pace_speed_ratio(const pd_pace *pace);

#endif
