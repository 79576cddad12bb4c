/* CSV files that are written row by row. */
#include "cli/output/table_file.h"

#include "cli/commands.h"
#include "core/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reports a failed write. Truncates the file after its last complete row. The message says how many rows remain.
 * error_number: errno of the write. */
static pd_result fail_write(table_file *file, int error_number, pd_error *error) {
    char whole_rows[64] = "";
    if (file->published && ftruncate(fileno(file->output.stream), file->size) == 0)
        snprintf(whole_rows, sizeof whole_rows, "it holds %lld whole row%s", file->rows, file->rows == 1 ? "" : "s");
    pd_output_cancel(&file->output);
    return file->published ? pd_fail_partly_written(file->path, error_number, whole_rows, error)
                           : pd_fail_unwritable(file->path, error_number, error);
}

/* Returns whether a file is what standard output is: the same pipe, terminal or file. */
static bool is_standard_output(int file) {
    struct stat status, standard;
    return fstat(file, &status) == 0 && fstat(STDOUT_FILENO, &standard) == 0 && status.st_dev == standard.st_dev &&
           status.st_ino == standard.st_ino;
}

pd_result table_file_open(table_file *file, const char *path, pd_error *error) {
    *file = (table_file){.path = path};
    return path ? pd_output_open(&file->output, path, error) : PD_OK;
}

/* Repeats a write() that a signal interrupted. */
pd_result table_file_write(table_file *file, print_table *print, const void *data, long long rows, pd_error *error) {
    char *text = NULL;
    size_t size = 0;
    if (!file->output.stream) return PD_OK;
    FILE *stream = open_memstream(&text, &size);
    if (stream) print(stream, data);
    if (!stream || fclose(stream) != 0) {
        free(text);
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot write '%.200s': not enough memory (close other programs)",
                       file->path);
    }
    int descriptor = fileno(file->output.stream), number = 0;
    for (size_t done = 0; done < size && !number;) {
        ssize_t wrote = write(descriptor, text + done, size - done);
        if (wrote >= 0)
            done += (size_t)wrote;
        else if (errno != EINTR)
            number = errno;
    }
    free(text);
    /* A reader of standard output that closes it has all that it needs, as `head` does: the run ends without a message. */
    if (number == EPIPE && is_standard_output(descriptor)) {
        pd_output_cancel(&file->output);
        end_after_closed_pipe();
        return PD_OK;
    }
    if (number) return fail_write(file, number, error);
    file->size += (off_t)size;
    file->rows += rows;
    return PD_OK;
}

pd_result table_file_begin(table_file *file, print_table *print, pd_error *error) {
    pd_result result = table_file_write(file, print, NULL, 0, error);
    if (result != PD_OK || !file->output.stream) return result;
    result = pd_output_publish_partial(&file->output, error);
    file->published = result == PD_OK;
    return result;
}

pd_result table_file_close(table_file *file, pd_error *error) {
    if (file->output.stream && file->published) return pd_output_commit(&file->output, error);
    pd_output_cancel(&file->output);
    return PD_OK;
}
