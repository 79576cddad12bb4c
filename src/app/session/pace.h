/* The pace of simulated time: fixed steps, a budget of wall time per frame, and pictures interpolated between two steps.
 *
 *     pd_pace_begin(p, elapsed)                  adds the wall time of the last frame to the time to simulate
 *     while (pd_pace_due(p, spent)) {            spent: wall time since pd_pace_begin
 *         substeps for pd_pace_left(p, spent);   a longer step continues in the next frame
 *         pd_pace_worked(p, ...);
 *     }
 *     pd_pace_end(p)                             drops time beyond the budget: simulated time slows down
 */
#ifndef PUDDLE_APP_SESSION_PACE_H
#define PUDDLE_APP_SESSION_PACE_H

#include <stdbool.h>

typedef struct pd_pace {
    double dt;                      /* simulated time per step, s */
    double budget;                  /* wall time for the steps of a frame, s */
    double owed;                    /* simulated time that is due, s */
    double step_cost, substep_cost; /* smoothed wall time, s; 0: unknown */
    double unfinished;              /* wall time so far of the step under way, s; 0: no step */
    int steps;                      /* completed in this frame */
    bool worked;                    /* pd_pace_worked was called in this frame */
    double simulated;               /* simulated time of this frame with the part of the step under way, s */
    double elapsed;                 /* wall time of the last frame, s */
    double simulated_sum, wall_sum; /* exponentially decaying sums, s */
    double slow_for;                /* 0 to 1 s: grows while time is slow, shrinks while it is in real time */
    bool slow;                      /* true after a second below real time, until a second in real time has passed */
} pd_pace;

void pd_pace_init(pd_pace *pace, double dt);
void pd_pace_begin(pd_pace *pace, double elapsed);
/* Discards the cost of a step and draws the state without interpolation. Call after the state was replaced. */
void pd_pace_restart(pd_pace *pace);
/* Whether there is time for more work. Each frame has time for at least one substep or part of an emission. */
bool pd_pace_due(const pd_pace *pace, double spent);
/* Returns the wall time for further substeps in this frame, s. */
double pd_pace_left(const pd_pace *pace, double spent);
/* Records that `substeps` of the `total` substeps of a step took `seconds` of wall time. substeps 0: only emitters worked.
 * complete: the step is complete. */
void pd_pace_worked(pd_pace *pace, double seconds, int substeps, int total, bool complete);
void pd_pace_end(pd_pace *pace);
/* Returns where to draw between the last two steps, 0 .. 1. */
float pd_pace_alpha(const pd_pace *pace);
/* Returns simulated over wall time, a mean over about a second. 1: not known yet. */
double pd_pace_speed(const pd_pace *pace);

#endif
