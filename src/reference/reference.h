/* Reference implementations: plain scalar code of each method, for tests and `puddle bench --reference`. */
#ifndef PUDDLE_REFERENCE_REFERENCE_H
#define PUDDLE_REFERENCE_REFERENCE_H

#include <puddle/puddle.h>

typedef struct reference reference;

/* Describes the reference implementation of a method in a few words: "plain scalar form". NULL: the method has none. */
const char *reference_description(const char *method);
/* Creates the reference implementation of the world's method, with copies of the world's particles or fields and
 * parameters. The method must have one. Errors: OUT_OF_MEMORY. */
pd_result reference_create(reference **created, const pd_world *world, pd_error *error);
void reference_destroy(reference *reference);
/* Returns the fraction of the particles that a step moves. It is below 1 only for vortices with so many tracers that
 * moving all of them would take minutes. */
double reference_moved_fraction(const reference *reference);
/* Computes a substep of dt seconds. */
void reference_step(reference *reference, double dt);

#endif
