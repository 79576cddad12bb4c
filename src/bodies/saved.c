/* Saved state of bodies. */
#include "bodies/bodies.h"
#include "core/array.h"

/* No padding: equal states have equal bytes. */
_Static_assert(sizeof(pd_body_state) == 30 * sizeof(double), "pd_body_state has padding");
_Static_assert(sizeof(pd_joint_state) == (10 + PD_JOINT_IMPULSES) * sizeof(double), "pd_joint_state has padding");
_Static_assert(sizeof(pd_body_contact) == 6 * sizeof(int32_t) + 9 * sizeof(double), "pd_body_contact has padding");
_Static_assert(sizeof(pd_body_drag) == 8 * sizeof(double), "pd_body_drag has padding");

static bool are_finite(const double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

static bool is_state_valid(const pd_bodies *bodies) {
    for (int i = 0; i < bodies->body_count; i++)
        if (!are_finite(&bodies->bodies[i].state.pose.x, 30)) return false;
    for (int i = 0; i < bodies->joint_count; i++)
        if (!are_finite(&bodies->joints[i].state.anchor[0].x, 9 + PD_JOINT_IMPULSES)) return false;
    for (int i = 0; i < bodies->contact_count; i++) {
        const pd_body_contact *contact = &bodies->contacts[i];
        if (contact->body < 0 || contact->body >= bodies->body_count || contact->other < 0) return false;
        if (contact->other < PD_FIRST_WALL && contact->other >= bodies->body_count) return false;
        if (!are_finite(&contact->point.x, 9)) return false;
    }
    return bodies->drag.body >= -1 && bodies->drag.body < bodies->body_count && are_finite(&bodies->drag.anchor.x, 7) &&
           bodies->solver_seconds >= 0.0;
}

/* Reads, writes or hashes the length of a list. Sets archive->failed if a list that is read has another length. */
static void save_or_load_count(pd_archive *archive, int32_t count) {
    int32_t saved = count;
    pd_archive_transfer(archive, &saved, sizeof saved);
    if (saved != count) archive->failed = true;
}

static void save_or_load_contacts(pd_bodies *bodies, pd_archive *archive) {
    int32_t count = bodies->contact_count;
    pd_archive_transfer(archive, &count, sizeof count);
    if (archive->failed) return;
    if (archive->reading) {
        size_t size = sizeof *bodies->contacts;
        bool fits = count >= 0 && (size_t)count <= (archive->capacity - archive->size) / size;
        if (!fits || !PD_ARRAY_RESERVE(bodies->contacts, bodies->contact_capacity, 0, count)) {
            archive->failed = true;
            return;
        }
        bodies->contact_count = count;
    }
    pd_archive_transfer(archive, bodies->contacts, (size_t)count * sizeof *bodies->contacts);
}

void pd_bodies_save_or_load(pd_bodies *bodies, pd_archive *archive) {
    save_or_load_count(archive, bodies->body_count);
    save_or_load_count(archive, bodies->joint_count);
    for (int i = 0; i < bodies->body_count; i++)
        pd_archive_transfer(archive, &bodies->bodies[i].state, sizeof bodies->bodies[i].state);
    for (int i = 0; i < bodies->joint_count; i++)
        pd_archive_transfer(archive, &bodies->joints[i].state, sizeof bodies->joints[i].state);
    pd_archive_transfer(archive, &bodies->drag, sizeof bodies->drag);
    pd_archive_transfer(archive, &bodies->solver_seconds, sizeof bodies->solver_seconds);
    save_or_load_contacts(bodies, archive);
    if (pd_archive_validates(archive) && !archive->failed && !is_state_valid(bodies)) archive->failed = true;
}
