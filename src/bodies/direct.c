/* Direct solution of the joints' equality rows. */
#include "bodies/direct.h"

#include "core/array.h"

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
