/* Reads files of comma-separated values (RFC 4180). Their first line names the columns. */
#ifndef PUDDLE_SCENE_FILE_TABLE_H
#define PUDDLE_SCENE_FILE_TABLE_H

#include <puddle/result.h>
#include <stdbool.h>
#include <stddef.h>

/* A file that is read row by row. */
typedef struct pd_table {
    const char *path; /* path of the file, for messages */
    pd_error *error;  /* set by functions that return false */
    char *text;       /* first character of the file's text */
    char *at;         /* next character to be read */
    char *end;        /* end of the text */
    int line;         /* line number of the next character, from 1 */
} pd_table;

/* A cell of a row. */
typedef struct pd_table_cell {
    char *text; /* text of the cell, without quotes */
    int column; /* position of the cell's first character in its line, from 1 */
    bool last;  /* whether this is the last cell of its row */
} pd_table_cell;

/* Reads a file as a table. Close the table with pd_table_close. Returns false and sets *error if the file cannot be
 * read; the table is then closed. */
bool pd_table_open(pd_table *table, const char *path, pd_error *error);
void pd_table_close(pd_table *table);
/* Moves from the end of a row to the next row that is not empty. Not needed before the first row. Returns false at the
 * end of the file. */
bool pd_table_go_to_next_row(pd_table *table);
/* Reads the next cell of a row. row_begin: beginning of the row in the table's text. Returns false for a malformed
 * cell. */
bool pd_table_read_cell(pd_table *table, const char *row_begin, pd_table_cell *cell);
/* Reads a cell's text as a number with an absolute value of at most max_absolute. Returns false for other text. */
bool pd_table_read_number(const pd_table *table, const pd_table_cell *cell, double max_absolute, float *value);
/* Sets the table's error to file:line:column: message. Returns false. */
bool pd_table_fail(const pd_table *table, int column, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
