/* Simulated time against wall time: fixed steps, pictures interpolated between them, and a budget of wall time per
 * frame, so that slow steps do not pile up.
 *
 *     pd_pace_begin(p, elapsed)                  the wall time of the last frame falls due
 *     while (pd_pace_due(p, spent)) {            spent: wall time since pd_pace_begin
 *         substeps for pd_pace_left(p, spent);   a longer step continues in the next frame
 *         pd_pace_worked(p, ...);
 *     }
 *     pd_pace_end(p)                             time beyond the budget is dropped: simulated time slows down
 */
#ifndef PUDDLE_APP_SESSION_PACE_H
#define PUDDLE_APP_SESSION_PACE_H

#include <stdbool.h>

typedef struct pd_pace {
    double dt;                      /* s of simulated time per step */
    double budget;                  /* s of wall time for the steps of a frame */
    double owed;                    /* s of simulated time due and not yet simulated */
    double step_cost, substep_cost; /* s of wall time, smoothed */
    double unfinished;              /* s of wall time that the unfinished step has taken so far; 0: there is none */
    int steps;                      /* completed in this frame */
    bool worked;                    /* pd_pace_worked was called in this frame */
    double simulated;               /* s in this frame, including the part of an unfinished step */
    double elapsed;                 /* s of wall time of the last frame */
    double simulated_sum, wall_sum; /* s, decaying exponentially */
    double slow_for;                /* s, from 0 to 1: grows while time is slow, shrinks while it keeps up */
    bool slow;
} pd_pace;

void pd_pace_init(pd_pace *pace, double dt);
void pd_pace_begin(pd_pace *pace, double elapsed);
/* Call after the world's state was replaced: the cost of a step is unknown, and it is drawn without interpolation. */
void pd_pace_restart(pd_pace *pace);
/* True when there is time for more work; at least one substep, or part of an emission, is allowed in every frame. */
bool pd_pace_due(const pd_pace *pace, double spent);
/* s of wall time for further substeps in this frame. */
double pd_pace_left(const pd_pace *pace, double spent);
/* Records that `substeps` of the `total` substeps of a step took seconds of wall time (0: emitters alone did);
 * complete: they were its last. */
void pd_pace_worked(pd_pace *pace, double seconds, int substeps, int total, bool complete);
void pd_pace_end(pd_pace *pace);
/* Where to draw between the last two steps, 0..1. */
float pd_pace_alpha(const pd_pace *pace);
/* Simulated over wall time, a mean over about the last second; 1 before it is known. */
double pd_pace_speed(const pd_pace *pace);
/* True after a second below real time, until simulated time has kept up for a second. */
bool pd_pace_slow(const pd_pace *pace);

#endif
