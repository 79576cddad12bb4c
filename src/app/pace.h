/* Simulated time against wall time: fixed steps, drawn between, and no spiral of death.
 *
 *     pd_pace_begin(p, elapsed)                  the wall time of the last frame falls due
 *     while (pd_pace_due(p, spent)) { step; pd_pace_stepped(p, seconds of that step); }
 *     pd_pace_end(p)                             what the budget did not allow is let go: simulated time slows down
 */
#ifndef PUDDLE_APP_PACE_H
#define PUDDLE_APP_PACE_H

#include <stdbool.h>

typedef struct pd_pace {
    double dt;        /* s of simulated time per step */
    double budget;    /* s of wall time for the steps of a frame */
    double owed;      /* s of simulated time due and not yet simulated */
    double step_cost; /* s of wall time of a step, smoothed */
    int steps;        /* in this frame */
    double elapsed, simulated_sum, wall_sum;
} pd_pace;

void pd_pace_init(pd_pace *pace, double dt);
void pd_pace_begin(pd_pace *pace, double elapsed);
/* spent: wall time that this frame's steps have taken so far. At least one step a frame is allowed. */
bool pd_pace_due(const pd_pace *pace, double spent);
void pd_pace_stepped(pd_pace *pace, double seconds);
void pd_pace_end(pd_pace *pace);
/* Where to draw between the last two steps, 0..1. */
float pd_pace_alpha(const pd_pace *pace);
/* Simulated over wall time of about the last second; 1 before anything is known. */
double pd_pace_speed(const pd_pace *pace);

#endif
