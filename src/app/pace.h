/* Simulated time against wall time: fixed steps, drawn between, and no spiral of death.
 *
 *     pd_pace_begin(p, elapsed)                  the wall time of the last frame falls due
 *     while (pd_pace_due(p, spent)) {            spent: wall time since pd_pace_begin
 *         substeps for pd_pace_left(p, spent);   a step longer than that goes on in the next frame
 *         pd_pace_worked(p, ...);
 *     }
 *     pd_pace_end(p)                             what the budget did not allow is let go: simulated time slows down
 */
#ifndef PUDDLE_APP_PACE_H
#define PUDDLE_APP_PACE_H

#include <stdbool.h>

typedef struct pd_pace {
    double dt;                      /* s of simulated time per step */
    double budget;                  /* s of wall time for the steps of a frame */
    double owed;                    /* s of simulated time due and not yet simulated */
    double step_cost, substep_cost; /* s of wall time, smoothed */
    double unfinished;              /* s of wall time that the step begun has taken so far; 0: none is begun */
    int steps;                      /* whole ones in this frame */
    bool worked;                    /* in this frame */
    double simulated;               /* s in this frame, with the part of a step that is not whole */
    double elapsed, simulated_sum, wall_sum;
    double slow_for; /* s, from 0 to 1: grows while it is slow, shrinks while it is not */
    bool slow;
} pd_pace;

void pd_pace_init(pd_pace *pace, double dt);
void pd_pace_begin(pd_pace *pace, double elapsed);
/* The world is in another state: what a step costs is not known, and it is shown as it stands. */
void pd_pace_restart(pd_pace *pace);
/* At least one substep, or part of an emission, is allowed in a frame. */
bool pd_pace_due(const pd_pace *pace, double spent);
/* s of wall time for further substeps in this frame. */
double pd_pace_left(const pd_pace *pace, double spent);
/* substeps of the `of` that the step has took seconds of wall time (0: emitters alone did); whole: it has no more. */
void pd_pace_worked(pd_pace *pace, double seconds, int substeps, int of, bool whole);
void pd_pace_end(pd_pace *pace);
/* Where to draw between the last two steps, 0..1. */
float pd_pace_alpha(const pd_pace *pace);
/* Simulated over wall time of about the last second; 1 before anything is known. */
double pd_pace_speed(const pd_pace *pace);
/* Slower than real time for a second; until it has kept up for another. */
bool pd_pace_slow(const pd_pace *pace);

#endif
