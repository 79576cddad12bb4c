/* Reads files of separated values: RFC 4180 and the forms that other programs write. Blanks around cells, lines without
 * cells and comments, which are lines that begin with # or %, are skipped. */
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
    char separator;   /* character between cells; ' ': one or more blanks or tabs. pd_table_open sets ',' */
    char
        decimal_mark; /* mark of the decimals read so far, '.' or ','; '\0': none yet. Not used with the separator ',' */
} pd_table;

/* A cell of a row. */
typedef struct pd_table_cell {
    char *text; /* text of the cell, without quotes */
    int column; /* position of the cell's first character in its line, from 1 */
    bool last;  /* whether this is the last cell of its row */
} pd_table_cell;

/* Place of a cell in a text. */
typedef struct pd_table_extent {
    const char *begin, *end; /* first character of the cell, and the one after it, without the outer quotes */
    const char *next; /* first character after the separator or line end that follows; of a malformed cell: the fault */
    bool last;        /* whether the cell is the last cell of its row */
    bool quoted;      /* whether the cell is in quotes; quotes inside are doubled */
} pd_table_extent;

/* Returns the first character that is neither a blank nor a tab. */
static inline const char *pd_table_skip_blanks(const char *text) {
    while (*text == ' ' || *text == '\t') text++;
    return text;
}

/* Reads a file as a table. Close the table with pd_table_close. Returns false and sets *error if the file cannot be
 * read; the table is then closed. */
bool pd_table_open(pd_table *table, const char *path, pd_error *error);
void pd_table_close(pd_table *table);
/* Skips lines that are empty, have only blanks, or are comments. Returns false at the end of the file. */
bool pd_table_skip_lines_without_cells(pd_table *table);
/* Moves from the end of a row to the next row. Returns false at the end of the file. */
bool pd_table_go_to_next_row(pd_table *table);
/* Moves from any place of a line to the beginning of the next line. */
void pd_table_skip_line(pd_table *table);
/* Finds the extent of the cell that begins at `at`, without a change of the text. Returns false for a malformed cell. */
bool pd_table_find_cell(const char *at, char separator, pd_table_extent *cell);
/* Reads the next cell of a row. row_begin: beginning of the row in the table's text. Returns false for a malformed
 * cell. */
bool pd_table_read_cell(pd_table *table, const char *row_begin, pd_table_cell *cell);
/* Returns whether a text stands for a missing number: nothing, blanks, nan, inf, NA, N/A, null or none. */
bool pd_table_is_missing_number(const char *text);
/* Converts a text to a number. Allows blanks around it and an exponent with D, and decimal commas unless the separator is
 * ','. Returns false for other text. */
bool pd_table_convert_number(const char *text, char separator, double *number);
/* Reads a cell's text as a number, multiplied by `scale`, with an absolute value of at most max_absolute. Returns false
 * for other text, and for a decimal comma in a table with decimal points. */
bool pd_table_read_scaled_number(pd_table *table, const pd_table_cell *cell, double scale, double max_absolute,
                                 float *value);
/* Reads a cell's text as a number, as pd_table_read_scaled_number with the scale 1. */
bool pd_table_read_number(pd_table *table, const pd_table_cell *cell, double max_absolute, float *value);
/* Sets the table's error to file:line:column: message. Returns false. */
bool pd_table_fail(const pd_table *table, int column, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
