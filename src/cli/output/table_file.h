/* CSV files that are written row by row, so that their rows can be read during a long run and after a killed one. */
#ifndef PUDDLE_CLI_OUTPUT_TABLE_FILE_H
#define PUDDLE_CLI_OUTPUT_TABLE_FILE_H

#include "core/file/file.h"

typedef struct table_file {
    const char *path; /* path of the file */
    pd_output output; /* the file; output.stream is NULL if there is none, and after a failed write */
    bool published;   /* the file has its final name, no longer a temporary one */
    int64_t size;     /* size of the heading and of the complete rows, bytes */
    long long rows;   /* number of complete rows, without the heading */
} table_file;

/* Function that prints a heading or rows to a stream. */
typedef void print_table(FILE *stream, const void *data);

/* Opens a file under a temporary name. path: NULL: there is no file. Errors: FILE_UNWRITABLE. */
pd_result table_file_open(table_file *file, const char *path, pd_error *error);
/* Writes the heading, and gives the file its final name. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result table_file_begin(table_file *file, print_table *print, pd_error *error);
/* Writes what `print` prints: `rows` rows. After an error the file ends after its last complete row. Errors: FILE_UNWRITABLE,
 * OUT_OF_MEMORY. */
pd_result table_file_write(table_file *file, print_table *print, const void *data, long long rows, pd_error *error);
/* Closes the file. A file without a heading is removed. Errors: FILE_UNWRITABLE. */
pd_result table_file_close(table_file *file, pd_error *error);

#endif
