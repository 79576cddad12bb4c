/* Files of comma-separated values (RFC 4180), whose first line names the columns. */
#ifndef PUDDLE_SCENE_FILE_TABLE_H
#define PUDDLE_SCENE_FILE_TABLE_H

#include <puddle/result.h>
#include <stdbool.h>
#include <stddef.h>

/* A table that is read from its text, row by row. */
typedef struct pd_table {
    const char *path; /* for messages */
    pd_error *error;
    char *text, *at, *end; /* at: the next character */
    int line;              /* of that character, from 1 */
} pd_table;

/* A cell of a row, its text cut off by a zero character. */
typedef struct pd_table_cell {
    char *text;
    int column; /* where it begins, from 1 */
    bool last;  /* of its row */
} pd_table_cell;

/* Reads the file, to be freed with pd_table_close. False: *error is filled, and nothing is to be freed. */
bool pd_table_open(pd_table *table, const char *path, pd_error *error);
void pd_table_close(pd_table *table);
/* Goes to the next row that is not empty; false: there is none. The first row is where the table is after pd_table_open. */
bool pd_table_next_row(pd_table *table);
/* Takes the next cell of the row that begins at `row`. A quoted one loses its quotes. False: it is broken. */
bool pd_table_next_cell(pd_table *table, const char *row, pd_table_cell *cell);
/* A number of at most this size; false: it is none. */
bool pd_table_number(const pd_table *table, const pd_table_cell *cell, double most, float *value);
/* Fills the table's error with file:line:column: message, and returns false. */
bool pd_table_fail(const pd_table *table, int column, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
