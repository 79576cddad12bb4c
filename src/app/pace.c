#include "app/pace.h"

#include <math.h>

/* A frame that came this late (a dragged window, a suspended machine) counts as this late and no later. */
static const double LONGEST_FRAME = 0.25;
/* Leaves a window of 20 frames a second where drawing takes as long again. */
static const double BUDGET = 0.030;
static const double MEMORY = 0.7; /* s over which the speed is averaged */

void pd_pace_init(pd_pace *pace, double dt) { *pace = (pd_pace){.dt = dt, .budget = BUDGET}; }

void pd_pace_begin(pd_pace *pace, double elapsed) {
    elapsed = fmin(fmax(elapsed, 0), LONGEST_FRAME);
    pace->elapsed = elapsed;
    pace->owed += elapsed;
    pace->steps = 0;
}

bool pd_pace_due(const pd_pace *pace, double spent) {
    if (pace->owed < pace->dt * (1 - 1e-6)) return false;
    return pace->steps == 0 || spent + pace->step_cost <= pace->budget;
}

void pd_pace_stepped(pd_pace *pace, double seconds) {
    pace->owed -= pace->dt;
    pace->steps++;
    pace->step_cost += (pace->step_cost > 0 ? 0.2 : 1.0) * (seconds - pace->step_cost);
}

void pd_pace_end(pd_pace *pace) {
    pace->owed = fmin(fmax(pace->owed, 0), pace->dt);
    double keep = exp(-pace->elapsed / MEMORY);
    pace->simulated_sum = keep * pace->simulated_sum + pace->steps * pace->dt;
    pace->wall_sum = keep * pace->wall_sum + pace->elapsed;
}

float pd_pace_alpha(const pd_pace *pace) { return (float)fmin(fmax(pace->owed / pace->dt, 0), 1); }

double pd_pace_speed(const pd_pace *pace) { return pace->wall_sum > 0.1 ? pace->simulated_sum / pace->wall_sum : 1; }
