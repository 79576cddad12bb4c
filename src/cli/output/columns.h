/* Columns of --stats and --bodies, which are also keys of the commands' JSON. --state has the columns of bodies too. */
#ifndef PUDDLE_CLI_OUTPUT_COLUMNS_H
#define PUDDLE_CLI_OUTPUT_COLUMNS_H

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

typedef struct body_column {
    const char *name, *unit, *help; /* name in files and key in JSON; unit, "" if none; explanation in one line */
    size_t offset;                  /* offset of the member in pd_world_body, bytes; unused before BODY_X */
    double factor;                  /* factor on the member */
} body_column;

/* Columns before BODY_X are no members of pd_world_body. Only --state and JSON have the columns from BODY_INERTIA on. */
enum { BODY_STEP, BODY_TIME, BODY_NAME, BODY_X, BODY_INERTIA = 10, BODY_COLUMNS = 14 };
extern const body_column body_columns[BODY_COLUMNS];

enum { BODY_NAME_SIZE = PD_MAX_NAME };
/* Sets `name` to the name of a body, or of an unnamed body to its index in the scene. */
void body_get_name(const pd_world *world, int index, char name[BODY_NAME_SIZE]);
/* Returns the value of a column, except BODY_NAME. */
double body_get_value(const pd_world *world, const pd_world_body *body, int column);
/* Print the first `columns` columns as CSV: the heading, or a row for each body. */
void bodies_print_header(FILE *stream, int columns);
void bodies_print_rows(FILE *stream, const pd_world *world, int columns);

#endif
