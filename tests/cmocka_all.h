/* cmocka, behind the headers that it requires. */
#ifndef PUDDLE_TESTS_CMOCKA_ALL_H
#define PUDDLE_TESTS_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
