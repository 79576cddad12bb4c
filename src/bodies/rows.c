#include "bodies/rows.h"

#include "core/array.h"

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

/* ---- Direct solution of the joints' equality rows ---- */

/* Most elements of the matrix: 1,000 links of a chain, or a lattice of 8 x 8 bodies. With springs and ropes, which can be stiff only
 * as direct rows, more: a net of 20 x 20 bodies, or 350 springs at one body, which take 30 ms in a step of 1/60 s. */
enum { LARGEST_ENVELOPE = 1 << 14, LARGEST_WITH_LINES = 1 << 16 };
/* Compliance of the rows, relative to their diagonal elements. Redundant rows, as in a lattice of hinges, then share the load
 * instead of making the matrix singular. */
static const double COMPLIANCE = 1e-5;

/* Returns the element of J M^-1 J^T for two rows. */
static double compute_element(const pd_row *p, const pd_row *q, const pd_mover *movers) {
    double axes = pd_dot(p->axis, q->axis), sum = 0.0;
    if (p->a == q->a) sum += movers[p->a].inverse_mass * axes + movers[p->a].inverse_inertia * p->arm_a * q->arm_a;
    if (p->b == q->b) sum += movers[p->b].inverse_mass * axes + movers[p->b].inverse_inertia * p->arm_b * q->arm_b;
    if (p->a == q->b) sum -= movers[p->a].inverse_mass * axes + movers[p->a].inverse_inertia * p->arm_a * q->arm_b;
    if (p->b == q->a) sum -= movers[p->b].inverse_mass * axes + movers[p->b].inverse_inertia * p->arm_b * q->arm_a;
    return sum;
}

/* Returns the index, among the rows that are solved directly, of the first one that shares a body with the row `own`.
 * number: index of `own` among them. */
static int find_first_coupled_row(pd_bodies *bodies, const pd_row *own, int number) {
    int first = number, movers[2] = {own->a, own->b};
    for (int k = 0; k < 2; k++) {
        pd_mover *mover = &bodies->movers[movers[k]];
        if (movers[k] >= bodies->body_count) continue;
        if (mover->first_direct < 0) mover->first_direct = number;
        if (mover->first_direct < first) first = mover->first_direct;
    }
    return first;
}

/* Returns the elements of a row of the envelope: result[k] belongs to column k. */
static double *get_elements(const pd_bodies *bodies, const pd_direct_row *row) {
    return bodies->envelope + row->offset;
}

/* Eliminates the columns of a row, by the rows before it. */
static void eliminate(const pd_bodies *bodies, int number) {
    pd_direct_row *own = &bodies->direct[number];
    double *l = get_elements(bodies, own), diagonal = l[number];
    for (int j = own->first; j < number; j++) {
        const pd_direct_row *other = &bodies->direct[j];
        const double *m = get_elements(bodies, other);
        double sum = l[j];
        for (int k = own->first > other->first ? own->first : other->first; k < j; k++) sum -= l[k] * m[k];
        l[j] = sum;
    }
    for (int j = own->first; j < number; j++) { /* l[j] is still multiplied by the diagonal element of row j */
        double scaled = l[j] * bodies->direct[j].inverse;
        diagonal -= scaled * l[j];
        l[j] = scaled;
    }
    own->inverse = 1.0 / diagonal;
}

bool pd_direct_factor(pd_bodies *bodies) {
    int number = 0, size = 0;
    for (int i = 0; i < bodies->body_count; i++) bodies->movers[i].first_direct = -1;
    for (int i = 2 * bodies->contact_count; i < bodies->row_count; i++) {
        pd_row *row = &bodies->rows[i];
        if (!row->direct) continue;
        int first = find_first_coupled_row(bodies, row, number), count = number + 1 - first;
        row->direct = size + count <= (row->compliance > 0.0 ? LARGEST_WITH_LINES : LARGEST_ENVELOPE) &&
                      PD_ARRAY_RESERVE(bodies->direct, bodies->direct_capacity, number, number + 1) &&
                      PD_ARRAY_RESERVE(bodies->envelope, bodies->envelope_capacity, size, size + count);
        if (!row->direct && row->compliance > 0.0) {
            row->direct = true; /* the caller leaves out rows */
            return false;
        }
        if (!row->direct) continue;
        bodies->direct[number] = (pd_direct_row){.row = i, .first = first, .offset = size - first};
        double *l = get_elements(bodies, &bodies->direct[number]);
        for (int j = first; j < number; j++)
            l[j] = compute_element(row, &bodies->rows[bodies->direct[j].row], bodies->movers);
        double compliance = row->compliance > 0.0 ? 0.0 : COMPLIANCE;
        l[number] = (1.0 + compliance) * compute_element(row, row, bodies->movers) + row->compliance;
        eliminate(bodies, number++);
        size += count;
    }
    bodies->direct_count = number;
    return true;
}

/* Computes the changes of the impulses that solve all direct rows. */
static void compute_changes(pd_bodies *bodies, int pass) {
    pd_direct_row *rows = bodies->direct;
    int count = bodies->direct_count;
    for (int i = 0; i < count; i++) {
        const pd_row *row = &bodies->rows[rows[i].row];
        const double *l = get_elements(bodies, &rows[i]);
        double offset = pass == PD_PASS_SOLVE ? row->correction + row->drift : 0.5 * row->drift;
        rows[i].change = -pd_row_velocity(row, bodies->movers) - offset - (row->pull + row->compliance * row->impulse);
        for (int k = rows[i].first; k < i; k++) rows[i].change -= l[k] * rows[k].change;
    }
    for (int i = 0; i < count; i++) rows[i].change *= rows[i].inverse;
    for (int i = count - 1; i >= 0; i--) {
        const double *l = get_elements(bodies, &rows[i]);
        for (int k = rows[i].first; k < i; k++) rows[k].change -= l[k] * rows[i].change;
    }
}

/* Removes ropes and limits that would pull in the wrong direction from the direct rows. Returns whether there was one. */
static bool remove_slack_rows(pd_bodies *bodies) {
    bool removed = false;
    for (int i = 0; i < bodies->direct_count; i++) {
        pd_row *row = &bodies->rows[bodies->direct[i].row];
        if (row->impulse + bodies->direct[i].change >= row->low) continue;
        pd_row_apply_impulse(row, bodies->movers, -row->impulse);
        row->impulse = 0.0;
        row->direct = false;
        removed = true;
    }
    return removed;
}

void pd_direct_solve(pd_bodies *bodies, int pass) {
    compute_changes(bodies, pass);
    while (remove_slack_rows(bodies)) {
        pd_direct_factor(bodies);
        compute_changes(bodies, pass);
    }
    for (int i = 0; i < bodies->direct_count; i++) {
        pd_row *row = &bodies->rows[bodies->direct[i].row];
        row->impulse += bodies->direct[i].change;
        pd_row_apply_impulse(row, bodies->movers, bodies->direct[i].change);
    }
}
