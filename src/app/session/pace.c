/* Pace of simulated time: number of steps per frame. */
#include "app/session/pace.h"

#include <math.h>

/* Largest time that a frame should simulate, s. Dragging the window or suspending the machine would give more. */
static const double LONGEST_FRAME = 0.25;
/* Wall time for the steps of a frame, s. With 20 ms for drawing, the frame rate is 20 per second. */
static const double BUDGET = 0.030;
static const double AVERAGING_TIME = 0.7; /* time constant of the sums for pd_pace_speed_ratio, s */
/* Hysteresis of pd_pace.slow: the flag is set after pd_pace_speed_ratio was below SLOW_BELOW for SWITCHING_TIME (s), and unset
 * after the ratio was above FAST_ABOVE for the same time. */
static const double SLOW_BELOW = 0.9, FAST_ABOVE = 0.96, SWITCHING_TIME = 1;

void pd_pace_init(pd_pace *pace, double dt) { *pace = (pd_pace){.dt = dt, .budget = BUDGET}; }

void pd_pace_begin_frame(pd_pace *pace, double due_seconds) {
    due_seconds = fmin(fmax(due_seconds, 0), LONGEST_FRAME);
    pace->due = due_seconds;
    pace->owed += due_seconds;
    pace->steps = 0;
    pace->simulated = 0;
    pace->worked = false;
}

int pd_pace_expected_steps(const pd_pace *pace) {
    double owed = pace->owed / pace->dt + 1e-6, affordable = pace->budget / fmax(pace->step_cost, 1e-9);
    return (int)fmax(fmin(owed, affordable), 1);
}

void pd_pace_restart(pd_pace *pace) {
    pace->step_cost = pace->substep_cost = pace->unfinished_cost = 0;
    pace->owed = pace->dt;
}

bool pd_pace_has_time(const pd_pace *pace, double spent_seconds) {
    if (pace->owed < pace->dt * (1 - 1e-6)) return false;
    if (!pace->worked) return true;
    /* A step that takes longer than the budget is made in parts. A shorter step begins only if the rest of the budget suffices. */
    bool in_parts = pace->unfinished_cost > 0 || pace->step_cost > pace->budget;
    return spent_seconds + (in_parts ? pace->substep_cost : pace->step_cost) <= pace->budget;
}

double pd_pace_seconds_left(const pd_pace *pace, double spent_seconds) {
    /* subtracting half a substep rounds to the nearest number of substeps */
    return fmax(0, pace->budget - spent_seconds - 0.5 * pace->substep_cost);
}

static void update_mean(double *mean, double value) { *mean += (*mean > 0 ? 0.2 : 1.0) * (value - *mean); }

void pd_pace_record_work(pd_pace *pace, double seconds, int substeps, int substeps_per_step, bool complete) {
    pace->worked = true;
    pace->unfinished_cost += seconds;
    if (substeps == 0) return;
    pace->simulated += pace->dt * substeps / substeps_per_step;
    update_mean(&pace->substep_cost, seconds / substeps);
    if (!complete) return;
    update_mean(&pace->step_cost, pace->unfinished_cost);
    pace->unfinished_cost = 0;
    pace->owed -= pace->dt;
    pace->steps++;
}

void pd_pace_end_frame(pd_pace *pace) {
    pace->owed = fmin(fmax(pace->owed, 0), pace->dt);
    double decay = exp(-pace->due / AVERAGING_TIME);
    pace->simulated_sum = decay * pace->simulated_sum + pace->simulated;
    pace->due_sum = decay * pace->due_sum + pace->due;
    double speed = pd_pace_speed_ratio(pace);
    if (speed < SLOW_BELOW) pace->slow_for += pace->due;
    if (speed > FAST_ABOVE) pace->slow_for -= pace->due;
    pace->slow_for = fmin(fmax(pace->slow_for, 0), SWITCHING_TIME);
    if (pace->slow_for >= SWITCHING_TIME) pace->slow = true;
    if (pace->slow_for <= 0) pace->slow = false;
}

float pd_pace_interpolation_weight(const pd_pace *pace) { return (float)fmin(fmax(pace->owed / pace->dt, 0), 1); }

double pd_pace_speed_ratio(const pd_pace *pace) {
    return pace->due_sum > 0.1 ? pace->simulated_sum / pace->due_sum : 1;
}
