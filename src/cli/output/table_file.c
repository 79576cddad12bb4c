/* CSV files that are written row by row. */
#include "cli/output/table_file.h"

#include "cli/commands.h"
#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>

/* Reports a failed write. Truncates the file after its last complete row. The message says how many rows remain. Standard
 * output may have other content before, and is not truncated. error_number: errno of the write. */
static pd_result fail_write(table_file *file, int error_number, pd_error *error) {
    char whole_rows[64] = "";
    bool whole = file->published && !pd_os_is_standard_output(file->path);
    if (whole && pd_os_truncate(fileno(file->output.stream), file->size) == 0)
        snprintf(whole_rows, sizeof whole_rows, "it holds %lld whole row%s", file->rows, file->rows == 1 ? "" : "s");
    pd_output_cancel(&file->output);
    return file->published ? pd_fail_partly_written(file->path, error_number, whole_rows, error)
                           : pd_fail_unwritable(file->path, error_number, error);
}

pd_result table_file_open(table_file *file, const char *path, pd_error *error) {
    *file = (table_file){.path = path};
    return path ? pd_output_open(&file->output, path, error) : PD_OK;
}

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
    int number = pd_os_write(fileno(file->output.stream), text, size);
    free(text);
    if (number) return end_if_output_closed(fail_write(file, number, error), error);
    file->size += (int64_t)size;
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
