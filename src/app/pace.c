#include "app/pace.h"

#include <math.h>

/* A frame that came this late (a dragged window, a suspended machine) counts as this late and no later. */
static const double LONGEST_FRAME = 0.25;
/* Leaves a window of 20 frames a second where drawing takes as long again. */
static const double BUDGET = 0.030;
static const double MEMORY = 0.7; /* s over which the speed is averaged */
/* Between these speeds what is shown stays as it is, and beyond them it takes a second to change. */
static const double SLOW = 0.9, QUICK = 0.96, PATIENCE = 1;

void pd_pace_init(pd_pace *pace, double dt) { *pace = (pd_pace){.dt = dt, .budget = BUDGET}; }

void pd_pace_begin(pd_pace *pace, double elapsed) {
    elapsed = fmin(fmax(elapsed, 0), LONGEST_FRAME);
    pace->elapsed = elapsed;
    pace->owed += elapsed;
    pace->steps = 0;
    pace->simulated = 0;
    pace->worked = false;
}

void pd_pace_restart(pd_pace *pace) {
    pace->step_cost = pace->substep_cost = pace->unfinished = 0;
    pace->owed = pace->dt;
}

bool pd_pace_due(const pd_pace *pace, double spent) {
    if (pace->owed < pace->dt * (1 - 1e-6)) return false;
    if (!pace->worked) return true;
    /* A step that fits into a frame is begun only where it fits. */
    bool in_parts = pace->unfinished > 0 || pace->step_cost > pace->budget;
    return spent + (in_parts ? pace->substep_cost : pace->step_cost) <= pace->budget;
}

double pd_pace_left(const pd_pace *pace, double spent) {
    return fmax(0, pace->budget - spent - 0.5 * pace->substep_cost); /* ends on either side of the budget alike */
}

static void smooth(double *mean, double value) { *mean += (*mean > 0 ? 0.2 : 1.0) * (value - *mean); }

void pd_pace_worked(pd_pace *pace, double seconds, int substeps, int of, bool whole) {
    pace->worked = true;
    pace->unfinished += seconds;
    if (substeps == 0) return; /* they have simulated nothing yet */
    pace->simulated += pace->dt * substeps / of;
    smooth(&pace->substep_cost, seconds / substeps);
    if (!whole) return;
    smooth(&pace->step_cost, pace->unfinished);
    pace->unfinished = 0;
    pace->owed -= pace->dt;
    pace->steps++;
}

void pd_pace_end(pd_pace *pace) {
    pace->owed = fmin(fmax(pace->owed, 0), pace->dt);
    double keep = exp(-pace->elapsed / MEMORY);
    pace->simulated_sum = keep * pace->simulated_sum + pace->simulated;
    pace->wall_sum = keep * pace->wall_sum + pace->elapsed;
    double speed = pd_pace_speed(pace), turn = speed < SLOW ? pace->elapsed : speed > QUICK ? -pace->elapsed : 0;
    pace->slow_for = fmin(fmax(pace->slow_for + turn, 0), PATIENCE);
    if (pace->slow_for >= PATIENCE) pace->slow = true;
    if (pace->slow_for <= 0) pace->slow = false;
}

bool pd_pace_slow(const pd_pace *pace) { return pace->slow; }

float pd_pace_alpha(const pd_pace *pace) { return (float)fmin(fmax(pace->owed / pace->dt, 0), 1); }

double pd_pace_speed(const pd_pace *pace) { return pace->wall_sum > 0.1 ? pace->simulated_sum / pace->wall_sum : 1; }
