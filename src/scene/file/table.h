/* Files of comma-separated values (RFC 4180). Their first line names the columns. */
#ifndef PUDDLE_SCENE_FILE_TABLE_H
#define PUDDLE_SCENE_FILE_TABLE_H

#include <puddle/result.h>
#include <stdbool.h>
#include <stddef.h>

/* A table that is read row by row. */
typedef struct pd_table {
    const char *path; /* path for messages */
    pd_error *error;
    char *text, *at, *end; /* at: next character */
    int line;              /* line of the next character, from 1 */
} pd_table;

/* A cell of a row. Its text ends with a zero character. */
typedef struct pd_table_cell {
    char *text;
    int column; /* first character in its line, from 1 */
    bool last;  /* last cell of its row */
} pd_table_cell;

/* Reads the file. Close with pd_table_close. Returns false and sets *error if reading fails; the table is then
 * closed. */
bool pd_table_open(pd_table *table, const char *path, pd_error *error);
void pd_table_close(pd_table *table);
/* Moves to the next row with text. Returns false if there is none. The first row needs this call too. */
bool pd_table_next_row(pd_table *table);
/* Reads the next cell, without quotes, of the row that begins at `row`. Returns false for a malformed cell. */
bool pd_table_next_cell(pd_table *table, const char *row, pd_table_cell *cell);
/* Reads a number with an absolute value up to `most`. Returns false for other text. */
bool pd_table_number(const pd_table *table, const pd_table_cell *cell, double most, float *value);
/* Sets the table's error to file:line:column: message. Returns false. */
bool pd_table_fail(const pd_table *table, int column, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
