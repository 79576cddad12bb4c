/* Small things with text that several layers need. */
#ifndef PUDDLE_CORE_TEXT_H
#define PUDDLE_CORE_TEXT_H

#include <stdbool.h>

/* Reads a whole decimal number ("-1.5e-3"), whatever the locale; false for anything else, also nan, inf, hex and 1e999. */
bool pd_text_number(const char *text, double *number);
/* Edit distance (insert, delete, replace), case-insensitive, of at most the first 63 characters: for "did you mean". */
int pd_text_distance(const char *a, const char *b);

#endif
