/* Reference forms: plain implementations of the methods, for `puddle bench --reference`. */
#ifndef PUDDLE_REFERENCE_REFERENCE_H
#define PUDDLE_REFERENCE_REFERENCE_H

#include <puddle/puddle.h>

typedef struct reference reference;

/* Describes the reference form of a method: "plain scalar sequential form". NULL: the method has none. */
const char *reference_form_description(const char *method);
/* Creates the reference form of the world's method, with copies of its particles or fields and parameters. The method
 * must have one. Errors: OUT_OF_MEMORY. */
pd_result reference_create(reference **created, const pd_world *world, pd_error *error);
void reference_destroy(reference *reference);
/* Returns the fraction of the particles that a step moves: below 1 for vortices with so many tracers that moving all
 * would take minutes. */
double reference_moved_fraction(const reference *reference);
/* Computes a substep of dt seconds. */
void reference_step(reference *reference, double dt);

#endif
