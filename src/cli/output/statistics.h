/* Columns of --stats, for CSV and JSON. */
#ifndef PUDDLE_CLI_OUTPUT_STATISTICS_H
#define PUDDLE_CLI_OUTPUT_STATISTICS_H

#include <puddle/puddle.h>
#include <stdio.h>

typedef struct statistics_column {
    const char *name;
    enum { COLUMN_STEP, COLUMN_COUNT, COLUMN_QUANTITY } kind; /* type in pd_statistics: uint64_t, int, double */
    size_t offset;                                            /* offset in pd_statistics */
    const char *unit, *help;
} statistics_column;

extern const statistics_column statistics_columns[];
extern const int statistics_column_count;

/* Returns the unit of a column by its name. */
const char *statistics_find_unit(const char *name);
/* Returns the value of a column, NAN if the method lacks it. */
double statistics_get_value(const statistics_column *column, const pd_statistics *statistics);
void statistics_print_header(FILE *stream);
/* Prints a row. Quantities that the method lacks are empty cells. */
void statistics_print_row(FILE *stream, const pd_statistics *statistics);

#endif
