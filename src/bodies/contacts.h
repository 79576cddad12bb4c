/* Contacts of all movers: broad phase, manifolds, rows. */
#ifndef PUDDLE_BODIES_CONTACTS_H
#define PUDDLE_BODIES_CONTACTS_H

#include "bodies/rows.h"
#include "bodies/shape.h"

/* Contact manifolds: where two convex parts, or a part and the container, touch or come near.
 *
 * Polygons: separating axes, then clipping of the incident side against the reference side (Catto 2006, "Fast and simple
 * physics using sequential impulses", GDC). Discs and capsules, while their cores are apart: nearest points of each
 * core's corners on the other core. */
enum { PD_MANIFOLD_POINTS = 8 }; /* most points of a manifold; two parts on each other have two */

typedef struct pd_manifold_point {
    pd_double2 point;  /* middle between the surfaces, m */
    pd_double2 normal; /* unit vector from the first part to the second */
    double separation; /* distance of the surfaces, m; below 0: depth of the overlap */
    int feature[2];    /* by part: corner k, or PD_PART_POINTS + k for side k; equal in successive steps */
} pd_manifold_point;

typedef struct pd_manifold {
    int count;
    pd_manifold_point points[PD_MANIFOLD_POINTS];
} pd_manifold;

/* Set *manifold to the points at which the surfaces are nearer than `margin` (m). Both parts are placed in the same frame. The
 * container is the second part of its manifold; its sides have the numbers PD_WALL_LEFT ... */
void pd_manifold_of_parts(const pd_placed_part *a, const pd_placed_part *b, double margin, pd_manifold *manifold);
void pd_manifold_of_container(const pd_placed_part *part, const pd_container *container, double margin,
                              pd_manifold *manifold);
/* Separation of two parts. */
typedef struct pd_separation {
    double
        distance; /* lower bound of the distance, m; below 0: overlap. Exact for discs, capsules and sides of polygons */
    pd_double2 normal; /* separating direction, unit vector from the first part to the second */
    bool outline;      /* false: the separating side is an inner side of a shape */
} pd_separation;

pd_separation pd_separation_of_parts(const pd_placed_part *a, const pd_placed_part *b);
/* Returns the distance of a point from a side of the container, m, and sets *normal to the outward normal of the side. */
double pd_distance_to_side(const pd_container *container, int side, pd_double2 p, pd_double2 *normal);
/* Returns the number of sides: 4 of a box, 1 of a circle, 0 without a container. */
int pd_container_side_count(const pd_container *container);

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

#endif
