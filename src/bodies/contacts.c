/* Broad phase and manifolds of all movers. */
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
