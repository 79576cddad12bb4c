/* Columns of --stats, which are also keys of the commands' JSON. */
#ifndef PUDDLE_CLI_OUTPUT_STATISTICS_H
#define PUDDLE_CLI_OUTPUT_STATISTICS_H

#include <puddle/puddle.h>
#include <stdio.h>

typedef struct statistics_column {
    const char *name; /* name of the column, key in JSON */
    enum {
        COLUMN_STEP,
        COLUMN_COUNT,
        COLUMN_QUANTITY
    } kind;                  /* type of the member in pd_statistics: uint64_t, int, double */
    size_t offset;           /* offset of the member in pd_statistics, bytes */
    const char *unit, *help; /* unit; explanation in one line */
} statistics_column;

extern const statistics_column statistics_columns[];
extern const int statistics_column_count;

/* Returns the unit of the column with this name. */
const char *statistics_find_unit(const char *name);
/* Returns the value of a column. NAN: the method lacks this quantity. */
double statistics_get_value(const statistics_column *column, const pd_statistics *statistics);
void statistics_print_header(FILE *stream);
/* Prints the row of a CSV file. The cells of quantities that the method lacks are empty. */
void statistics_print_row(FILE *stream, const pd_statistics *statistics);

#endif
