/* The reference form of a world's method, for `puddle bench --reference`. */
#ifndef PUDDLE_REFERENCE_REFERENCE_H
#define PUDDLE_REFERENCE_REFERENCE_H

#include <puddle/puddle.h>

typedef struct reference reference;

/* A description of the method's reference form: "plain scalar sequential form"; NULL: it has none. */
const char *reference_form(const char *method);
/* The reference form of the world's method, which must have one, with a copy of its particles or fields and its parameters.
 * Errors: OUT_OF_MEMORY. */
pd_result reference_create(reference **created, const pd_world *world, pd_error *error);
void reference_destroy(reference *reference);
/* The part of the particles that a step moves: less than 1 where all would take very long (of vortices with tracers). */
double reference_share(const reference *reference);
/* One substep of dt seconds. */
void reference_step(reference *reference, double dt);

#endif
