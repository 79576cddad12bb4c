/* Constraint rows. */
#include "bodies/rows.h"

static const double pi = 3.141592653589793;
/* Fraction of the error that direct rows correct in a step (Baumgarte 1972). */
static const double CORRECTION = 0.1;
static const double JOINT_DAMPING = 5.0; /* damping ratio of rigid joints */

pd_stiffness pd_stiffness_of_spring(double frequency, double damping_ratio, double h) {
    double omega = 2.0 * pi * frequency, a = 2.0 * damping_ratio + h * omega, b = h * omega * a, c = 1.0 / (1.0 + b);
    return (pd_stiffness){omega / a, b * c, c};
}

pd_stiffness pd_stiffness_of_joint(double h) { return pd_stiffness_of_spring(0.25 / h, JOINT_DAMPING, h); }

static void set_mass(pd_row *row, const pd_mover *movers) {
    const pd_mover *a = &movers[row->a], *b = &movers[row->b];
    double inverse = (a->inverse_mass + b->inverse_mass) * pd_dot(row->axis, row->axis) +
                     a->inverse_inertia * row->arm_a * row->arm_a + b->inverse_inertia * row->arm_b * row->arm_b;
    row->mass = inverse > 0.0 ? 1.0 / inverse : 0.0;
}

void pd_row_set_axis(pd_row *row, const pd_mover *movers, int a, int b, pd_double2 axis, pd_double2 arm_a,
                     pd_double2 arm_b) {
    *row = (pd_row){.a = a, .b = b, .axis = axis, .arm_a = pd_cross(arm_a, axis), .arm_b = pd_cross(arm_b, axis)};
    set_mass(row, movers);
}

void pd_row_set_rotation(pd_row *row, const pd_mover *movers, int a, int b) {
    *row = (pd_row){.a = a, .b = b, .arm_a = 1.0, .arm_b = 1.0};
    set_mass(row, movers);
}

static double clamp(double value, double greatest) { return pd_greater(pd_smaller(value, greatest), -greatest); }

void pd_row_set_equal(pd_row *row, double error, double fastest, const pd_stiffness *stiffness, double h) {
    double gain = row->mass * stiffness->mass_scale, correction = clamp(stiffness->bias_rate * error, fastest);
    row->low = -INFINITY;
    row->high = INFINITY;
    row->pass[PD_PASS_SOLVE] = (pd_softness){gain, gain * correction, stiffness->impulse_scale};
    row->pass[PD_PASS_RELAX] = (pd_softness){row->mass, 0.0, 0.0};
    row->direct = row->mass > 0.0;
    row->correction = clamp(CORRECTION * error / h, fastest);
}

void pd_row_set_at_least(pd_row *row, double error, double allowed, double fastest, const pd_stiffness *stiffness,
                         double h) {
    double speed = error > 0.0 ? error / h : 0.0, gain = row->mass * stiffness->mass_scale;
    row->low = 0.0;
    row->high = INFINITY;
    row->pass[PD_PASS_SOLVE] = row->pass[PD_PASS_RELAX] = (pd_softness){row->mass, row->mass * speed, 0.0};
    row->correction = speed;
    if (error > -allowed) return;
    double correction = pd_greater(stiffness->bias_rate * (error + allowed), -fastest);
    row->pass[PD_PASS_SOLVE] = (pd_softness){gain, gain * correction, stiffness->impulse_scale};
    row->correction = pd_greater(CORRECTION / h * (error + allowed), -fastest);
}

void pd_row_set_motor(pd_row *row, double speed, double greatest_impulse) {
    row->low = -greatest_impulse;
    row->high = greatest_impulse;
    row->pass[PD_PASS_SOLVE] = row->pass[PD_PASS_RELAX] = (pd_softness){row->mass, -row->mass * speed, 0.0};
}

/* Stiffness up to 0.25 mass / h^2 acts explicitly and loses no energy. Explicit steps are stable while the springs at a body have
 * less than 4 mass / h^2 together, so n springs at a body share this part. The rest and the damping act implicitly, in a direct
 * row. A row that is left to pd_row_solve has the explicit part alone, and as much damping as is stable. */
void pd_row_set_spring(pd_row *row, const pd_mover *movers, double error, double stiffness, double damping, double h) {
    int at_a = movers[row->a].line_count, at_b = movers[row->b].line_count;
    double most = row->mass > 0.0 ? 0.25 * row->mass / (at_a > at_b ? at_a : at_b) : 0.0;
    double explicit = pd_smaller(stiffness, most / (h * h)), drag = h * (damping + h * (stiffness - explicit));
    row->low = -INFINITY;
    row->high = INFINITY;
    row->pass[PD_PASS_SOLVE] = row->pass[PD_PASS_RELAX] =
        (pd_softness){pd_smaller(drag, most), h * explicit * error, 1.0};
    row->direct = row->mass > 0.0 && drag > 0.0;
    if (!row->direct) return;
    row->compliance = 1.0 / drag;
    row->pull = h * stiffness * error / drag;
}
