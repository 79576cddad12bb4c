/* A method that this version lists but cannot run. */
#ifndef PUDDLE_TESTS_LATER_H
#define PUDDLE_TESTS_LATER_H

#include "sim/method.h"

/* Adds the method "later" with the key 8; call before worlds are created. */
static inline bool add_unavailable_method(void) {
    static const pd_method later = {.info = {.name = "later", .title = "Later method", .source = "", .key = '8'}};
    return pd_method_add(&later);
}

#endif
