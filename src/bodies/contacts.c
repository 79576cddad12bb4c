#include "bodies/contacts.h"

#include "bodies/joints.h"
#include "bodies/manifold.h"
#include "core/array.h"

/* ---- Broad phase ---- */

/* Adds a pair to the list of mover a, which is sorted by the second movers. */
static void add_pair(pd_bodies *bodies, int a, int b) {
    int added = bodies->pair_count;
    if (!PD_ARRAY_RESERVE(bodies->pairs, bodies->pair_capacity, added, added + 1)) return;
    int *link = &bodies->movers[a].first_pair;
    while (*link >= 0 && bodies->pairs[*link].other < b) link = &bodies->pairs[*link].next;
    bodies->pairs[added] = (pd_pair){b, *link};
    *link = added;
    bodies->pair_count++;
}

/* Sorts the bodies by the left sides of their boxes. The order of the step before is nearly right. */
static void sort_along_x(pd_bodies *bodies) {
    const pd_mover *movers = bodies->movers;
    for (int i = 1; i < bodies->body_count; i++) {
        int own = bodies->order[i], k = i;
        for (; k > 0; k--) {
            int left = bodies->order[k - 1];
            if (movers[left].low_x < movers[own].low_x || (movers[left].low_x == movers[own].low_x && left < own))
                break;
            bodies->order[k] = left;
        }
        bodies->order[k] = own;
    }
}

static bool do_boxes_overlap(const pd_mover *a, const pd_mover *b) {
    return a->low_x <= b->high_x && b->low_x <= a->high_x && a->low_y <= b->high_y && b->low_y <= a->high_y;
}

static bool may_touch_container(const pd_container *container, const pd_mover *mover) {
    double x = pd_greater(-mover->low_x, mover->high_x), y = pd_greater(-mover->low_y, mover->high_y);
    if (container->shape == PD_CONTAINER_CIRCLE) return x * x + y * y > (double)container->radius * container->radius;
    return container->shape == PD_CONTAINER_BOX && (2.0 * x > container->width || 2.0 * y > container->height);
}

/* Removes the pairs of bodies that do not collide because a joint connects them. Marks the bodies hinged to the world. */
static void remove_joined_pairs(pd_bodies *bodies) {
    for (int i = 0; i < bodies->joint_count; i++) {
        const pd_joint *joint = &bodies->joints[i];
        pd_double2 anchor;
        int hinged = pd_joint_find_hinged_body(joint, &anchor);
        if (hinged >= 0) bodies->movers[hinged].hinged = true;
        int a = joint->def.bodies[0], b = joint->def.bodies[1];
        if (a < 0 || b < 0 || !pd_joint_stops_collisions(joint)) continue;
        int *link = &bodies->movers[a < b ? a : b].first_pair, other = a < b ? b : a;
        while (*link >= 0 && bodies->pairs[*link].other != other) link = &bodies->pairs[*link].next;
        if (*link >= 0) *link = bodies->pairs[*link].next;
    }
}

void pd_bodies_find_pairs(pd_bodies *bodies) {
    const pd_mover *movers = bodies->movers;
    bodies->pair_count = 0;
    sort_along_x(bodies);
    for (int i = 0; i < bodies->body_count; i++) {
        int a = bodies->order[i];
        for (int k = i + 1; k < bodies->body_count; k++) {
            int b = bodies->order[k];
            if (movers[b].low_x > movers[a].high_x) break;
            if (do_boxes_overlap(&movers[a], &movers[b])) add_pair(bodies, a < b ? a : b, a < b ? b : a);
        }
        for (int w = bodies->body_count; w < bodies->body_count + bodies->wall_count; w++)
            if (do_boxes_overlap(&movers[a], &movers[w])) add_pair(bodies, a, w);
        if (may_touch_container(&bodies->container, &movers[a]))
            add_pair(bodies, a, bodies->body_count + bodies->wall_count);
    }
    remove_joined_pairs(bodies);
}

/* ---- Contacts ---- */

/* Orders contacts by movers, parts and features. */
static int compare_contacts(const pd_body_contact *a, const pd_body_contact *b) {
    const int32_t p[] = {a->body, a->other, a->part[0], a->part[1], a->feature[0], a->feature[1]};
    const int32_t q[] = {b->body, b->other, b->part[0], b->part[1], b->feature[0], b->feature[1]};
    for (size_t k = 0; k < sizeof p / sizeof *p; k++)
        if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
    return 0;
}

/* Search for contacts, pair by pair. */
typedef struct contact_search {
    pd_bodies *bodies;
    int a, b, other;    /* movers of the present pair, and pd_body_contact.other */
    double margin;      /* distance at which contacts of the pair are sought, m */
    int old, old_count; /* next contact and number of contacts of the solver step before */
    double scale;       /* ratio of the durations of this step and the step before */
} contact_search;

/* Sets the impulses of a contact to those of the same contact in the solver step before. */
static void warm_start(contact_search *search, pd_body_contact *contact) {
    const pd_body_contact *old = search->bodies->old_contacts;
    while (search->old < search->old_count && compare_contacts(&old[search->old], contact) < 0) search->old++;
    if (search->old == search->old_count || compare_contacts(&old[search->old], contact) != 0) return;
    contact->normal_impulse = search->scale * old[search->old].normal_impulse;
    contact->friction_impulse = search->scale * old[search->old].friction_impulse;
}

/* Returns whether a contact with a wall is omitted, because it is beside a hinge of the body to the world. */
static bool is_contact_at_hinge(const contact_search *search, pd_double2 point) {
    const pd_mover *a = &search->bodies->movers[search->a];
    return search->other >= PD_FIRST_WALL && a->hinged &&
           pd_bodies_is_at_world_hinge(search->bodies, search->a, pd_pose_to_local(&a->pose, point));
}

static void add_manifold(contact_search *search, const pd_manifold *manifold, int part, int other_part) {
    pd_bodies *bodies = search->bodies;
    int first = bodies->contact_count;
    if (!PD_ARRAY_RESERVE(bodies->contacts, bodies->contact_capacity, first, first + manifold->count)) return;
    for (int i = 0; i < manifold->count; i++) {
        const pd_manifold_point *p = &manifold->points[i];
        if (is_contact_at_hinge(search, p->point)) continue;
        pd_body_contact contact = {.body = search->a,
                                   .other = search->other,
                                   .part = {part, other_part},
                                   .feature = {p->feature[0], p->feature[1]},
                                   .point = p->point,
                                   .normal = p->normal,
                                   .separation = p->separation};
        int k = bodies->contact_count++;
        for (; k > first && compare_contacts(&contact, &bodies->contacts[k - 1]) < 0; k--)
            bodies->contacts[k] = bodies->contacts[k - 1];
        bodies->contacts[k] = contact;
    }
    for (int i = first; i < bodies->contact_count; i++) warm_start(search, &bodies->contacts[i]);
}

/* Adds the contacts of two parts. The container counts as one part. */
static void search_parts(contact_search *search, int part, const pd_placed_part *own, int other_part) {
    const pd_mover *b = &search->bodies->movers[search->b];
    const pd_placed_part *other = b->parts ? &b->parts[other_part] : NULL;
    pd_placed_part placed;
    pd_manifold manifold;
    if (!b->shape) {
        pd_manifold_of_container(own, &search->bodies->container, search->margin, &manifold);
    } else {
        if (!other) pd_part_place(&b->shape->parts[other_part], &b->pose, &placed);
        pd_manifold_of_parts(own, other ? other : &placed, search->margin, &manifold);
    }
    if (manifold.count > 0) add_manifold(search, &manifold, part, other_part);
}

/* Adds the contacts of a part of the first mover with all parts of the second mover. */
static void search_part(contact_search *search, int part) {
    const pd_mover *a = &search->bodies->movers[search->a], *b = &search->bodies->movers[search->b];
    const pd_placed_part *own = &a->parts[part];
    pd_double2 local[PD_PART_POINTS];
    if (!b->shape || b->shape->part_count == 1) {
        search_parts(search, part, own, 0);
        return;
    }
    for (int k = 0; k < own->part->count; k++) local[k] = pd_pose_to_local(&b->pose, own->point[k]);
    pd_box box = pd_box_around(local, own->part->count, own->part->radius + search->margin);
    const pd_boxtree *tree = &b->shape->tree;
    for (int n = pd_boxtree_first_overlap(tree, &box); n >= 0; n = pd_boxtree_next_overlap(tree, &box, n))
        search_parts(search, part, own, tree->nodes[n].item);
}

/* Adds the contacts of all parts of the first mover that are near the second mover. */
static void search_pair(contact_search *search) {
    const pd_mover *a = &search->bodies->movers[search->a], *b = &search->bodies->movers[search->b];
    if (!b->shape || a->shape->part_count == 1) {
        for (int part = 0; part < a->shape->part_count; part++) search_part(search, part);
        return;
    }
    pd_double2 corners[4] = {
        {b->low_x, b->low_y}, {b->high_x, b->low_y}, {b->high_x, b->high_y}, {b->low_x, b->high_y}};
    for (int k = 0; k < 4; k++) corners[k] = pd_pose_to_local(&a->pose, corners[k]);
    pd_box box = pd_box_around(corners, 4, search->margin);
    const pd_boxtree *tree = &a->shape->tree;
    for (int n = pd_boxtree_first_overlap(tree, &box); n >= 0; n = pd_boxtree_next_overlap(tree, &box, n))
        search_part(search, tree->nodes[n].item);
}

/* Sets `other` and `margin` of the present pair. The margin of a fast wall is limited by that of the body. */
static void set_second_side(contact_search *search) {
    const pd_bodies *bodies = search->bodies;
    const pd_mover *a = &bodies->movers[search->a], *b = &bodies->movers[search->b];
    int wall = search->b - bodies->body_count;
    search->other = wall < 0 ? search->b : wall < bodies->wall_count ? PD_FIRST_WALL + wall : PD_CONTAINER_OTHER;
    search->margin = a->margin + (wall < 0 ? b->margin : pd_smaller(b->margin, a->margin));
}

void pd_bodies_find_contacts(pd_bodies *bodies, double h) {
    pd_body_contact *old = bodies->contacts;
    int old_capacity = bodies->contact_capacity;
    bodies->contacts = bodies->old_contacts;
    bodies->contact_capacity = bodies->old_capacity;
    bodies->old_contacts = old;
    bodies->old_capacity = old_capacity;
    contact_search search = {.bodies = bodies, .old_count = bodies->contact_count};
    search.scale = bodies->solver_seconds > 0.0 ? h / bodies->solver_seconds : 0.0;
    bodies->contact_count = 0;
    for (search.a = 0; search.a < bodies->body_count; search.a++)
        for (int i = bodies->movers[search.a].first_pair; i >= 0; i = bodies->pairs[i].next) {
            search.b = bodies->pairs[i].other;
            set_second_side(&search);
            search_pair(&search);
        }
}

/* ---- Rows of contacts, and impacts ---- */

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
    mover->impact_delay.x -= mover->inverse_mass * impulse * row->axis.x * time;
    mover->impact_delay.y -= mover->inverse_mass * impulse * row->axis.y * time;
    mover->impact_delay.angle -= mover->inverse_inertia * impulse * arm * time;
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
