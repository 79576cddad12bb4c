/* Reads rows and cells of comma-separated values. */
#include "scene/file/table.h"
#include "core/memory.h"

#include "core/error.h"
#include "core/file/file.h"
#include "core/text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static const size_t LARGEST_FILE = (size_t)2 << 30; /* size of a file, bytes; ten million particles need half of it */

bool pd_table_fail(const pd_table *table, int column, const char *format, ...) {
    char text[256];
    size_t length = strlen(table->path), max_length = 240;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pd_fail(table->error, PD_ERROR_SCENE_VALUE, "%s%s:%d:%d: %s", length > max_length ? "..." : "",
            table->path + (length > max_length ? length - max_length : 0), table->line, column, text);
    return false;
}

bool pd_table_open(pd_table *table, const char *path, pd_error *error) {
    void *text;
    size_t length;
    if (pd_file_read(path, LARGEST_FILE, &text, &length, error) != PD_OK) return false;
    *table =
        (pd_table){.path = path, .error = error, .text = text, .at = text, .end = (char *)text + length, .line = 1};
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) table->at += 3; /* a byte order mark */
    if (strlen(text) == length) return true;
    pd_table_fail(table, 1, "it has a zero character (it is not a text)");
    pd_table_close(table);
    return false;
}

void pd_table_close(pd_table *table) { pd_memory_free(table->text); }

bool pd_table_go_to_next_row(pd_table *table) {
    for (table->line++; table->at < table->end && strspn(table->at, "\r\n") > 0; table->line++)
        table->at += table->at[0] == '\r' && table->at[1] == '\n' ? 2 : 1;
    return table->at < table->end;
}

bool pd_table_read_cell(pd_table *t, const char *row_begin, pd_table_cell *cell) {
    char *to = t->at, end;
    cell->text = to;
    cell->column = (int)(t->at - row_begin) + 1;
    if (*t->at == '"') {
        for (t->at++; *t->at && *t->at != '\n' && (*t->at != '"' || t->at[1] == '"'); *to++ = *t->at++)
            t->at += *t->at == '"';
        if (*t->at != '"') return pd_table_fail(t, cell->column, "a quote is left open (close it)");
        t->at++;
    } else {
        to = t->at += strcspn(t->at, ",\r\n");
    }
    if (t->at[0] == '\r' && t->at[1] == '\n') t->at++;
    end = *t->at;
    if (end && end != ',' && end != '\n')
        return pd_table_fail(t, (int)(t->at - row_begin) + 1,
                             "a character between a cell and the comma (leave it out)");
    t->at += end != '\0';
    *to = '\0';
    cell->last = end != ',';
    return true;
}

bool pd_table_read_number(const pd_table *table, const pd_table_cell *cell, double max_absolute, float *value) {
    double number;
    if (!*cell->text) return pd_table_fail(table, cell->column, "a number is missing");
    if (!pd_text_read_number(cell->text, &number))
        return pd_table_fail(table, cell->column, "'%.40s' is not a number", cell->text);
    if (!(fabs(number) <= max_absolute)) return pd_table_fail(table, cell->column, "%.40s is too large", cell->text);
    *value = (float)number;
    return true;
}
