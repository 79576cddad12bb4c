/* Text functions that several layers use. */
#ifndef PUDDLE_CORE_TEXT_H
#define PUDDLE_CORE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

enum {
    PD_FLOAT_TEXT = 32,                    /* bytes that hold any float as text */
    PD_RANGE_TEXT = 2 * PD_FLOAT_TEXT + 4, /* likewise, any range */
};

/* Reads a text that is one decimal number ("-1.5e-3"), whatever the locale; false for anything else, also nan, inf, hex
 * and 1e999. */
bool pd_text_number(const char *text, double *number);
/* The shortest decimal that reads back to the same float (0.1 rather than 0.100000001), whatever the locale; nan, inf
 * or -inf for values that are not finite. Returns text. */
char *pd_text_float(float value, char text[PD_FLOAT_TEXT]);
/* To so many significant digits, for people to read. */
float pd_text_rounded(float value, int digits);
/* A range of valid values, as messages show it: "0 to 1000000". Both ends as pd_text_float writes them. Returns text. */
char *pd_text_range(double low, double high, char text[PD_RANGE_TEXT]);
/* Edit distance (insert, delete, replace), case-insensitive, of at most the first 63 characters: for "did you mean". */
int pd_text_distance(const char *a, const char *b);
/* Writes a cell of a CSV file, in quotes where the text holds what separates cells (RFC 4180). */
void pd_text_write_cell(FILE *stream, const char *text);

#endif
