/* Rows of contacts, and impacts. */
#include "bodies/contacts.h"

/* Overlapping contacts are springs with a quarter of the solver's rate, at walls half of the rate, and ten times critical damping.
 * Box2D 3 has the same springs. */
static const double FREQUENCY = 0.25, WALL_FREQUENCY = 0.5, DAMPING = 10.0;

static double compute_friction(const pd_bodies *bodies, const pd_body_contact *contact) {
    double own = bodies->bodies[contact->body].friction;
    return contact->other < PD_FIRST_WALL ? sqrt(own * bodies->bodies[contact->other].friction) : own;
}

static double compute_restitution(const pd_bodies *bodies, const pd_body_contact *contact) {
    double own = bodies->bodies[contact->body].restitution;
    return contact->other < PD_FIRST_WALL ? pd_greater(own, bodies->bodies[contact->other].restitution) : own;
}

/* ---- Impacts ----
 *
 * Newton's law: the normal velocity after an impact is -restitution x the velocity before. Contacts that close at the same
 * time bounce together. If they make others close, these bounce in the next round, so that impulses travel through rows of
 * bodies as in Newton's cradle (impacts before contacts: Guendelman, Bridson, Fedkiw 2003, "Nonconvex rigid bodies with
 * stacking"). */

/* Contact that closes in a round of impacts. */
typedef struct impact {
    int contact;       /* index of the contact */
    double time;       /* time from the beginning of the solver step to the impact, s */
    double forced;     /* part of the normal velocity that forces give after the impact, m/s */
    double before[2];  /* velocities along normal and tangent before the impact, m/s */
    double target;     /* normal velocity after the impact, m/s */
    double impulse[2]; /* impulses along normal and tangent */
} impact;

/* Returns the normal velocity that forces gave in this solver step, m/s. */
static double compute_forced_velocity(const pd_row *row, const pd_mover *movers) {
    const pd_coordinates *a = &movers[row->a].force, *b = &movers[row->b].force;
    return row->axis.x * (b->x - a->x) + row->axis.y * (b->y - a->y) + row->arm_b * b->angle - row->arm_a * a->angle;
}

/* Returns whether a contact closes within the solver step, faster than bodies at rest close by forces.
 * - A body bounces off a wall at the time of the impact, so that its energy neither grows nor decays. The velocities of a solver
 *   step are those in its middle.
 * - Two bodies bounce at the beginning of the step, at a small distance, so that their angular momentum remains. */
static bool find_impact(const pd_bodies *bodies, int contact, double h, impact *found) {
    static const double SLOPS_PER_SECOND = 20.0, TIMES_FORCED = 4.0;
    const pd_row *row = &bodies->rows[2 * contact];
    if (row->restitution <= 0.0) return false;
    double velocity = pd_row_velocity(row, bodies->movers), gap = bodies->contacts[contact].separation;
    if (velocity >= 0.0 || gap + velocity * h >= 0.0) return false;
    bool wall = bodies->contacts[contact].other >= PD_FIRST_WALL;
    double time = wall && gap > 0.0 ? gap / -velocity : 0.0, forced = compute_forced_velocity(row, bodies->movers);
    double later = forced * (0.5 - time / h), before = velocity - later;
    if (-before <= TIMES_FORCED * fabs(forced) + SLOPS_PER_SECOND * bodies->slop) return false;
    double along = pd_row_velocity(row + 1, bodies->movers);
    *found = (impact){contact, time, later, {before, along}, later - row->restitution * before, {0.0, 0.0}};
    return true;
}

/* Changes the impulses of an impact towards the target velocity. Friction acts as in contacts. */
static void solve_impact(pd_bodies *bodies, impact *impact) {
    const pd_row *normal = &bodies->rows[2 * impact->contact], *friction = normal + 1;
    double change = normal->mass * (impact->target - pd_row_velocity(normal, bodies->movers));
    double impulse = pd_greater(impact->impulse[0] + change, 0.0);
    pd_row_apply_impulse(normal, bodies->movers, impulse - impact->impulse[0]);
    impact->impulse[0] = impulse;
    double most = friction->friction * impulse;
    change = -friction->mass * pd_row_velocity(friction, bodies->movers);
    impulse = pd_greater(pd_smaller(impact->impulse[1] + change, most), -most);
    pd_row_apply_impulse(friction, bodies->movers, impulse - impact->impulse[1]);
    impact->impulse[1] = impulse;
}

/* Scales the impulses of a round so that they do no work: with friction, Newton's law can create energy (Kane 1984). The work
 * of an impulse is the impulse x the mean of the velocities before and after. */
static void remove_work(pd_bodies *bodies, impact *impacts, int count) {
    double before = 0.0, after = 0.0;
    for (int i = 0; i < count; i++) {
        const pd_row *rows = &bodies->rows[2 * impacts[i].contact];
        for (int k = 0; k < 2; k++) {
            double now = pd_row_velocity(&rows[k], bodies->movers) - (k == 0 ? impacts[i].forced : 0.0);
            before += impacts[i].impulse[k] * impacts[i].before[k];
            after += impacts[i].impulse[k] * now;
        }
    }
    if (before + after <= -1e-12 * before) return;
    double scale = -2.0 * before / (after - before);
    for (int i = 0; i < 2 * count; i++) {
        double *impulse = &impacts[i / 2].impulse[i % 2];
        pd_row_apply_impulse(&bodies->rows[2 * impacts[i / 2].contact + i % 2], bodies->movers,
                             (scale - 1.0) * *impulse);
        *impulse *= scale;
    }
}

/* Adds the displacement of a mover if an impulse along a row acts at `time` instead of at the beginning. */
static void add_late_displacement(pd_mover *mover, const pd_row *row, double arm, double impulse, double time) {
    mover->late.x -= mover->inverse_mass * impulse * row->axis.x * time;
    mover->late.y -= mover->inverse_mass * impulse * row->axis.y * time;
    mover->late.angle -= mover->inverse_inertia * impulse * arm * time;
}

static void finish_impact(pd_bodies *bodies, const impact *impact) {
    for (int k = 0; k < 2; k++) {
        const pd_row *row = &bodies->rows[2 * impact->contact + k];
        bodies->contacts[impact->contact].impact[k] += impact->impulse[k];
        add_late_displacement(&bodies->movers[row->a], row, row->arm_a, -impact->impulse[k], impact->time);
        add_late_displacement(&bodies->movers[row->b], row, row->arm_b, impact->impulse[k], impact->time);
    }
}

void pd_bodies_apply_impacts(pd_bodies *bodies, double h) {
    enum { ROUNDS = 32, SWEEPS = 10, MOST = 256 };
    impact impacts[MOST];
    for (int round = 0; round < ROUNDS; round++) {
        int count = 0;
        for (int i = 0; i < bodies->contact_count && count < MOST; i++)
            if (find_impact(bodies, i, h, &impacts[count])) count++;
        if (count == 0) return;
        for (int sweep = 0; sweep < SWEEPS; sweep++)
            for (int i = 0; i < count; i++) solve_impact(bodies, &impacts[i]);
        remove_work(bodies, impacts, count);
        for (int i = 0; i < count; i++) finish_impact(bodies, &impacts[i]);
    }
}

/* ---- Rows ---- */

static void set_rows(pd_bodies *bodies, const pd_body_contact *contact, const pd_stiffness *stiffness, double h,
                     pd_row *normal, pd_row *friction) {
    int a = contact->body, b = pd_contact_other_mover(bodies, contact);
    pd_double2 along = {-contact->normal.y, contact->normal.x};
    pd_double2 arm_a = pd_minus(contact->point, bodies->movers[a].pose.center),
               arm_b = pd_minus(contact->point, bodies->movers[b].pose.center);
    pd_row_set_axis(normal, bodies->movers, a, b, contact->normal, arm_a, arm_b);
    pd_row_set_at_least(normal, contact->separation, bodies->slop, bodies->push_speed, stiffness, h);
    normal->impulse = contact->normal_impulse;
    normal->restitution = compute_restitution(bodies, contact);
    pd_row_set_axis(friction, bodies->movers, a, b, along, arm_a, arm_b);
    friction->friction = compute_friction(bodies, contact);
    pd_row_set_motor(friction, 0.0, friction->friction * normal->impulse);
    friction->impulse = contact->friction_impulse;
}

bool pd_bodies_set_contact_rows(pd_bodies *bodies, double h) {
    pd_stiffness between_bodies = pd_stiffness_of_spring(FREQUENCY / h, DAMPING, h),
                 at_wall = pd_stiffness_of_spring(WALL_FREQUENCY / h, DAMPING, h);
    bool bounces = false;
    for (int i = 0; i < bodies->contact_count; i++) {
        const pd_body_contact *contact = &bodies->contacts[i];
        impact found;
        set_rows(bodies, contact, contact->other < PD_FIRST_WALL ? &between_bodies : &at_wall, h, &bodies->rows[2 * i],
                 &bodies->rows[2 * i + 1]);
        bounces |= find_impact(bodies, i, h, &found);
    }
    bodies->row_count = 2 * bodies->contact_count;
    return bounces;
}

void pd_bodies_solve_contacts(pd_bodies *bodies, int pass) {
    for (int i = 0; i < bodies->contact_count; i++) {
        pd_row *normal = &bodies->rows[2 * i], *friction = normal + 1;
        pd_row_solve(normal, bodies->movers, pass);
        friction->high = friction->friction * normal->impulse;
        friction->low = -friction->high;
        pd_row_solve(friction, bodies->movers, pass);
    }
}
