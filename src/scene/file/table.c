/* Reads rows, cells and numbers of separated values. */
#include "scene/file/table.h"
#include "core/memory.h"

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

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
    *table = (pd_table){.path = path,
                        .error = error,
                        .text = text,
                        .at = text,
                        .end = (char *)text + length,
                        .line = 1,
                        .separator = ','};
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) table->at += 3; /* a byte order mark */
    if (strlen(text) == length) return true;
    pd_table_fail(table, 1, "it has a zero character (save it as text in UTF-8)");
    pd_table_close(table);
    return false;
}

void pd_table_close(pd_table *table) { pd_memory_free(table->text); }

/* ---- Lines ---- */

/* Returns the beginning of the line after the one of `at`. */
static char *find_next_line(char *at) {
    at += strcspn(at, "\r\n");
    return at + (at[0] == '\r' && at[1] == '\n' ? 2 : *at != '\0');
}

void pd_table_skip_line(pd_table *table) {
    table->at = find_next_line(table->at);
    table->line++;
}

bool pd_table_skip_lines_without_cells(pd_table *table) {
    while (table->at < table->end) {
        char first = *pd_table_skip_blanks(table->at);
        if (first != '\0' && first != '\r' && first != '\n' && first != '#' && first != '%') return true;
        if (first == '\0')
            table->at = table->end;
        else
            pd_table_skip_line(table);
    }
    return false;
}

bool pd_table_go_to_next_row(pd_table *table) {
    table->line++;
    return pd_table_skip_lines_without_cells(table);
}

/* ---- Cells ---- */

/* Returns whether a character before or after a cell is no part of it. A tab that separates is not such a blank. */
static bool is_blank(char c, char separator) { return c == ' ' || (c == '\t' && separator != '\t'); }

static bool ends_cell(char c, char separator) {
    return c == separator || c == '\n' || c == '\r' || c == '\0' || (c == '\t' && separator == ' ');
}

bool pd_table_find_cell(const char *at, char separator, pd_table_extent *cell) {
    const char *first = at;
    while (is_blank(*first, separator)) first++;
    cell->quoted = *first == '"';
    if (cell->quoted) {
        cell->begin = at = first + 1;
        for (; *at && *at != '\n' && (*at != '"' || at[1] == '"'); at++) at += *at == '"';
        cell->end = cell->next = at;
        if (*at != '"') return false;
        at++;
    } else {
        cell->begin = separator == ' ' ? first : at; /* elsewhere blanks may belong to the name of a material */
        for (at = first; !ends_cell(*at, separator);) at++;
        cell->end = at;
    }
    bool separated = ends_cell(*at, separator);
    while (is_blank(*at, separator)) at++;
    cell->last = *at == '\0' || *at == '\r' || *at == '\n';
    cell->next = at;
    if (separator == ' ' && !cell->last) return separated;
    if (!ends_cell(*at, separator)) return false;
    cell->next += at[0] == '\r' && at[1] == '\n' ? 2 : *at != '\0';
    return true;
}

/* Replaces doubled quotes by single ones. Returns the new end of the text. */
static char *remove_doubled_quotes(char *from, const char *end) {
    char *to = from;
    for (; from < end; *to++ = *from++) from += *from == '"';
    return to;
}

bool pd_table_read_cell(pd_table *t, const char *row_begin, pd_table_cell *cell) {
    pd_table_extent extent;
    cell->column = (int)(t->at - row_begin) + 1;
    bool fine = pd_table_find_cell(t->at, t->separator, &extent);
    if (!fine && extent.next == extent.end) return pd_table_fail(t, cell->column, "a quote is left open (close it)");
    if (!fine)
        return pd_table_fail(t, (int)(extent.next - row_begin) + 1,
                             "a character between a cell and the %s (leave it out)",
                             t->separator == ',' ? "comma" : "separator");
    if (t->separator == ' ') cell->column = (int)(extent.begin - extent.quoted - row_begin) + 1;
    char *end = t->text + (extent.end - t->text);
    cell->text = t->text + (extent.begin - t->text);
    if (extent.quoted) end = remove_doubled_quotes(cell->text, end);
    *end = '\0';
    cell->last = extent.last;
    t->at = t->text + (extent.next - t->text);
    return true;
}

/* ---- Numbers ---- */

bool pd_table_is_missing_number(const char *text) {
    static const char *const words[] = {"", "nan", "na", "n/a", "null", "none", "inf", "infinity"};
    text = pd_table_skip_blanks(text);
    text += *text == '-' || *text == '+';
    if ((*text >= '0' && *text <= '9') || *text == '.') return false; /* the most frequent case */
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t", text[length - 1])) length--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncasecmp(text, words[i], length) == 0) return true;
    return false;
}

bool pd_table_convert_number(const char *text, char separator, double *number) {
    char plain[64]; /* no number has more characters, except with useless zeros */
    text = pd_table_skip_blanks(text);
    if (pd_text_read_number(text, number)) return true;
    size_t length = strcspn(text, " \t");
    if (length >= sizeof plain || *pd_table_skip_blanks(text + length)) return false;
    for (size_t i = 0; i < length; i++) {
        bool comma = text[i] == ',' && separator != ',';
        plain[i] = comma ? '.' : text[i] == 'd' || text[i] == 'D' ? 'e' : text[i];
    }
    plain[length] = '\0';
    return pd_text_read_number(plain, number);
}

/* Returns false after a failure if the table's earlier numbers have another decimal mark. */
static bool check_decimal_mark(pd_table *table, const pd_table_cell *cell) {
    const char *mark = table->separator == ',' ? NULL : strpbrk(cell->text, ".,");
    if (!mark) return true;
    if (table->decimal_mark && table->decimal_mark != *mark)
        return pd_table_fail(table, cell->column,
                             "%.40s has a decimal %s, but numbers before have a decimal %s (use one of them)",
                             cell->text, *mark == ',' ? "comma" : "point", *mark == ',' ? "point" : "comma");
    table->decimal_mark = *mark;
    return true;
}

bool pd_table_read_scaled_number(pd_table *table, const pd_table_cell *cell, double scale, double max_absolute,
                                 float *value) {
    double number;
    if (!*cell->text) return pd_table_fail(table, cell->column, "a number is missing");
    if (!pd_table_convert_number(cell->text, table->separator, &number))
        return pd_table_fail(table, cell->column, "'%.40s' is not a number%s", cell->text,
                             !strchr(cell->text, ',') ? ""
                             : table->separator == ','
                                 ? " (write a decimal point, or separate the columns by semicolons)"
                                 : " (write it without a separator of thousands)");
    if (!check_decimal_mark(table, cell)) return false;
    if (!(fabs(number * scale) <= max_absolute))
        return pd_table_fail(table, cell->column, "%.40s is too large", cell->text);
    *value = (float)(number * scale);
    return true;
}

bool pd_table_read_number(pd_table *table, const pd_table_cell *cell, double max_absolute, float *value) {
    return pd_table_read_scaled_number(table, cell, 1, max_absolute, value);
}
