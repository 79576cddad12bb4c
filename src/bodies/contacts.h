/* Contacts of all movers: broad phase, manifolds, rows. */
#ifndef PUDDLE_BODIES_CONTACTS_H
#define PUDDLE_BODIES_CONTACTS_H

#include "bodies/rows.h"

/* Finds the pairs of movers whose boxes overlap, by sweep and prune along x: pd_mover.first_pair. */
void pd_bodies_find_pairs(pd_bodies *bodies);
/* Finds the contacts of all pairs: bodies->contacts, with the impulses of the solver step before. */
void pd_bodies_find_contacts(pd_bodies *bodies, double h);
/* Sets the rows of the contacts, at the beginning of bodies->rows. Returns whether a contact bounces. */
bool pd_bodies_set_contact_rows(pd_bodies *bodies, double h);
/* Solves normal and friction of each contact once. */
void pd_bodies_solve_contacts(pd_bodies *bodies, int pass);
/* Lets bodies bounce at contacts that have a restitution and close within the solver step. Call before warm starting. */
void pd_bodies_apply_impacts(pd_bodies *bodies, double h);

/* Returns the index of the mover of a contact's second side. */
static inline int pd_contact_other_mover(const pd_bodies *bodies, const pd_body_contact *contact) {
    if (contact->other == PD_CONTAINER_OTHER) return bodies->body_count + bodies->wall_count;
    return contact->other >= PD_FIRST_WALL ? bodies->body_count + contact->other - PD_FIRST_WALL : contact->other;
}

#endif
