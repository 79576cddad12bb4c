/* The plain form of whichever method a world runs, for `puddle bench --reference`. */
#ifndef PUDDLE_REFERENCE_REFERENCE_H
#define PUDDLE_REFERENCE_REFERENCE_H

#include <puddle/puddle.h>

typedef struct reference reference;

/* What its plain form is called: "plain scalar sequential form"; NULL: the method has none. */
const char *reference_form(const char *method);
/* The plain form of the world's method, which has one, with its particles and parameters. Errors: OUT_OF_MEMORY. */
pd_result reference_create(reference **created, const pd_world *world, pd_error *error);
void reference_destroy(reference *reference);
/* One substep of dt seconds. */
void reference_step(reference *reference, double dt);

#endif
