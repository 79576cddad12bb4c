#include "bodies/contacts.h"

#include "bodies/joints.h"
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

/* Returns the index of the mover of a contact's second side. */
static int find_other_mover(const pd_bodies *bodies, const pd_body_contact *contact) {
    if (contact->other == PD_CONTAINER_OTHER) return bodies->body_count + bodies->wall_count;
    return contact->other >= PD_FIRST_WALL ? bodies->body_count + contact->other - PD_FIRST_WALL : contact->other;
}

static void set_rows(pd_bodies *bodies, const pd_body_contact *contact, const pd_stiffness *stiffness, double h,
                     pd_row *normal, pd_row *friction) {
    int a = contact->body, b = find_other_mover(bodies, contact);
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

/* Greatest overlap of two cores, m, that counts as rounding error. */
static const double ROUNDING = 1e-12;
/* A side of the second part is the reference only if its separation is greater by this fraction of the first part's half
 * width. So the reference does not alternate between parallel sides. */
static const double PREFERENCE = 1e-4;
static const double DEEP = 0.25; /* depth of a deep overlap in half widths of the narrower part */

static void add_point(pd_manifold *manifold, pd_double2 point, pd_double2 normal, double separation, int feature_a,
                      int feature_b) {
    if (manifold->count == PD_MANIFOLD_POINTS) return;
    manifold->points[manifold->count++] = (pd_manifold_point){point, normal, separation, {feature_a, feature_b}};
}

/* ---- Separating axes ---- */

/* Side of a part, and the distance of the other part's core from it, m. */
typedef struct axis {
    int side; /* -1: there is no such side */
    double separation;
} axis;

/* Sides of greatest separation of two parts. Inner sides of a shape separate parts too, but are no surface. */
typedef struct axes {
    axis outline[2], any[2]; /* by part: among the sides on the outline of its shape, and among all its sides */
    bool apart;              /* the cores do not overlap */
} axes;

static void find_axes_of_part(const pd_placed_part *a, const pd_placed_part *b, axis *outline, axis *any) {
    *outline = *any = (axis){-1, -INFINITY};
    for (int k = 0; k < a->part->count && a->part->count > 1; k++) {
        pd_double2 n = a->normal[k];
        double offset = pd_dot(n, a->point[k]), least = INFINITY;
        for (int i = 0; i < b->part->count; i++) least = pd_smaller(least, pd_dot(n, b->point[i]) - offset);
        if (least > any->separation) *any = (axis){k, least};
        if (least > outline->separation && !(a->part->inner >> k & 1)) *outline = (axis){k, least};
    }
}

static axes find_axes(const pd_placed_part *a, const pd_placed_part *b) {
    axes x;
    find_axes_of_part(a, b, &x.outline[0], &x.any[0]);
    find_axes_of_part(b, a, &x.outline[1], &x.any[1]);
    x.apart = pd_greater(x.any[0].separation, x.any[1].separation) >= -ROUNDING ||
              (a->part->count == 1 && b->part->count == 1);
    return x;
}

/* ---- Clipping ---- */

/* Adds the points of the incident part's side that lies most against side k of the reference part, clipped to the width of
 * side k. Features are pairs of corners that do not depend on which part is the reference. */
static void clip_incident_side(const pd_placed_part *reference, int k, const pd_placed_part *incident, bool swapped,
                               double margin, pd_manifold *manifold) {
    pd_double2 n = reference->normal[k], along = {-n.y, n.x}, from = reference->point[k];
    int next = (k + 1) % reference->part->count, i = 0;
    double width = pd_dot(along, pd_minus(reference->point[next], from));
    for (int m = 1; m < incident->part->count; m++)
        if (pd_dot(incident->normal[m], n) < pd_dot(incident->normal[i], n)) i = m;
    if (incident->part->inner >> i & 1) return;
    int last = (i + 1) % incident->part->count;
    pd_double2 high = incident->point[i], low = incident->point[last], way = pd_minus(high, low);
    double at_low = pd_dot(along, pd_minus(low, from)), at_high = pd_dot(along, pd_minus(high, from));
    if (at_high < 0.0 || at_low > width) return;
    pd_double2 ends[2] = {low, high};
    if (at_low < 0.0) ends[0] = pd_add_scaled(low, -at_low / (at_high - at_low), way);
    if (at_high > width) ends[1] = pd_add_scaled(low, (width - at_low) / (at_high - at_low), way);
    for (int end = 0; end < (incident->part->count > 1 ? 2 : 1); end++) {
        double gap = pd_dot(n, pd_minus(ends[end], from)),
               separation = gap - reference->part->radius - incident->part->radius;
        int own = end == 0 ? k : next, other = end == 0 ? last : i;
        if (separation >= margin) continue;
        pd_double2 middle = pd_add_scaled(ends[end], 0.5 * (reference->part->radius - gap - incident->part->radius), n);
        add_point(manifold, middle, swapped ? (pd_double2){-n.x, -n.y} : n, separation, swapped ? other : own,
                  swapped ? own : other);
    }
}

/* ---- Rounded parts ---- */

/* Nearest point of a core. */
typedef struct nearest {
    pd_double2 point;
    double distance; /* m */
    int feature;     /* the corner or the side (pd_manifold_point.feature) */
} nearest;

static nearest find_nearest_point(const pd_placed_part *part, pd_double2 p) {
    int count = part->part->count, sides = count > 2 ? count : count - 1; /* both sides of a segment are the same */
    pd_double2 from = pd_minus(p, part->point[0]);
    nearest best = {part->point[0], pd_dot(from, from), 0}; /* the distance is squared until the end */
    for (int k = 0; k < sides; k++) {
        int next = k + 1 < count ? k + 1 : 0;
        pd_double2 along = pd_minus(part->point[next], part->point[k]);
        from = pd_minus(p, part->point[k]);
        double at = pd_dot(from, along), length2 = pd_dot(along, along);
        int corner = at <= 0.0 ? k : at >= length2 ? next : -1;
        pd_double2 point = corner < 0 ? pd_add_scaled(part->point[k], at / length2, along) : part->point[corner];
        pd_double2 way = pd_minus(p, point);
        double distance2 = pd_dot(way, way);
        if (distance2 < best.distance) best = (nearest){point, distance2, corner < 0 ? PD_PART_POINTS + k : corner};
    }
    best.distance = sqrt(best.distance);
    return best;
}

/* Returns whether a corner is the nearest point of its outline in this direction. Where outlines continue straight on,
 * corners of the parts are no corners of the surface. */
static bool is_nearest_of_outline(const pd_placed_part *placed, int corner, pd_double2 direction) {
    const pd_part *part = placed->part;
    pd_double2 p = part->point[corner];
    pd_double2 before = pd_pose_rotate(&placed->pose, pd_minus(part->before[corner], p)),
               after = pd_pose_rotate(&placed->pose, pd_minus(part->after[corner], p));
    return pd_dot(direction, before) <= 0.0 && pd_dot(direction, after) <= 0.0;
}

/* Adds the contacts of each corner of part a's core with part b. second: pass with the parts exchanged, in which pairs of
 * corners are not added again. */
static void add_corner_contacts(const pd_placed_part *a, const pd_placed_part *b, bool second, double margin,
                                pd_manifold *manifold) {
    for (int i = 0; i < a->part->count; i++) {
        nearest to = find_nearest_point(b, a->point[i]);
        double separation = to.distance - a->part->radius - b->part->radius;
        bool corner = to.feature < PD_PART_POINTS;
        if (separation >= margin || (corner && second)) continue;
        pd_double2 n = {0.0, 1.0}, back;
        if (to.distance > 0.0)
            n = (pd_double2){(to.point.x - a->point[i].x) / to.distance, (to.point.y - a->point[i].y) / to.distance};
        back = (pd_double2){-n.x, -n.y};
        if (corner ? !is_nearest_of_outline(a, i, n) || !is_nearest_of_outline(b, to.feature, back)
                   : b->part->inner >> (to.feature - PD_PART_POINTS) & 1)
            continue;
        pd_double2 middle = pd_add_scaled(a->point[i], a->part->radius + 0.5 * separation, n);
        add_point(manifold, middle, second ? back : n, separation, second ? to.feature : i, second ? i : to.feature);
    }
}

/* Adds the deepest corner of the incident part behind side k of the reference part. */
static void add_deepest_corner(const pd_placed_part *reference, int k, const pd_placed_part *incident, bool swapped,
                               pd_manifold *manifold) {
    pd_double2 n = reference->normal[k];
    int deepest = 0;
    for (int i = 1; i < incident->part->count; i++)
        if (pd_dot(n, incident->point[i]) < pd_dot(n, incident->point[deepest])) deepest = i;
    double gap = pd_dot(n, pd_minus(incident->point[deepest], reference->point[k]));
    double separation = gap - reference->part->radius - incident->part->radius;
    int feature[2] = {PD_PART_POINTS + k, deepest};
    add_point(manifold, incident->point[deepest], swapped ? (pd_double2){-n.x, -n.y} : n, separation, feature[swapped],
              feature[!swapped]);
}

void pd_manifold_of_parts(const pd_placed_part *a, const pd_placed_part *b, double margin, pd_manifold *manifold) {
    axes x = find_axes(a, b);
    double radii = a->part->radius + b->part->radius, separation = pd_greater(x.any[0].separation, x.any[1].separation);
    manifold->count = 0;
    if (separation - radii >= margin) return;
    if (x.apart && radii > 0.0) {
        add_corner_contacts(a, b, false, margin, manifold);
        add_corner_contacts(b, a, true, margin, manifold);
        return;
    }
    bool swapped =
        x.outline[1].side >= 0 && x.outline[1].separation > x.outline[0].separation + PREFERENCE * a->part->half_width;
    const pd_placed_part *reference = swapped ? b : a, *incident = swapped ? a : b;
    int side = x.outline[swapped].side;
    if (side < 0) return;
    clip_incident_side(reference, side, incident, swapped, margin, manifold);
    /* A part deep inside another one is pushed out. Shallow overlaps without points are those of a neighbouring part. */
    if (manifold->count == 0 && separation < -DEEP * pd_smaller(a->part->half_width, b->part->half_width))
        add_deepest_corner(reference, side, incident, swapped, manifold);
}

/* Returns the distance of the nearest points of two parts whose cores are apart. */
static pd_separation compute_distance(const pd_placed_part *a, const pd_placed_part *b) {
    pd_separation found = {INFINITY, {0.0, 1.0}, true};
    for (int pass = 0; pass < 2; pass++) {
        const pd_placed_part *from = pass ? b : a, *to = pass ? a : b;
        for (int i = 0; i < from->part->count; i++) {
            nearest at = find_nearest_point(to, from->point[i]);
            if (at.distance >= found.distance) continue;
            found.distance = at.distance;
            found.outline = at.feature < PD_PART_POINTS || !(to->part->inner >> (at.feature - PD_PART_POINTS) & 1);
            pd_double2 way = pd_minus(at.point, from->point[i]);
            double scale = (pass ? -1.0 : 1.0) / at.distance;
            if (at.distance > 0.0) found.normal = (pd_double2){scale * way.x, scale * way.y};
        }
    }
    return found;
}

pd_separation pd_separation_of_parts(const pd_placed_part *a, const pd_placed_part *b) {
    axes x = find_axes(a, b);
    double radii = a->part->radius + b->part->radius;
    pd_separation found;
    if (x.apart && radii > 0.0) {
        found = compute_distance(a, b);
    } else {
        bool second = x.any[1].separation > x.any[0].separation;
        const pd_placed_part *part = second ? b : a;
        int side = x.any[second].side;
        double sign = second ? -1.0 : 1.0;
        found.distance = x.any[second].separation;
        found.normal = (pd_double2){sign * part->normal[side].x, sign * part->normal[side].y};
        found.outline = !(part->part->inner >> side & 1);
    }
    found.distance -= radii;
    return found;
}

/* ---- Container ---- */

double pd_distance_to_side(const pd_container *container, int side, pd_double2 p, pd_double2 *normal) {
    if (container->shape == PD_CONTAINER_CIRCLE) {
        double length = pd_length(p);
        *normal = length > 0.0 ? (pd_double2){p.x / length, p.y / length} : (pd_double2){0.0, -1.0};
        return container->radius - length;
    }
    double sign = side == PD_WALL_LEFT || side == PD_WALL_BOTTOM ? -1.0 : 1.0;
    bool vertical = side == PD_WALL_LEFT || side == PD_WALL_RIGHT;
    *normal = vertical ? (pd_double2){sign, 0.0} : (pd_double2){0.0, sign};
    return 0.5 * (vertical ? container->width : container->height) - pd_dot(*normal, p);
}

int pd_container_side_count(const pd_container *container) {
    if (container->shape == PD_CONTAINER_BOX) return PD_WALLS;
    return container->shape == PD_CONTAINER_CIRCLE ? 1 : 0;
}

void pd_manifold_of_container(const pd_placed_part *part, const pd_container *container, double margin,
                              pd_manifold *manifold) {
    manifold->count = 0;
    for (int i = 0; i < part->part->count; i++)
        for (int side = 0; side < pd_container_side_count(container); side++) {
            pd_double2 n;
            double separation = pd_distance_to_side(container, side, part->point[i], &n) - part->part->radius;
            if (separation >= margin) continue;
            add_point(manifold, pd_add_scaled(part->point[i], part->part->radius + 0.5 * separation, n), n, separation,
                      i, side);
        }
}
