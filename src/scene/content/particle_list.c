/* Regions that list their particles: conversion to and from base 64, their bounding box, their mean spacing, and files of
 * particles, also those of other programs. */
#include "scene/content/particle_list.h"

#include "core/array.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/content/particle_columns.h"
#include "scene/file/writer.h"
#include "scene/schema.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(pd_scene_particle) == 20, "the words hold particles as they lie in memory");

bool pd_scene_has_listed_particles(const pd_scene *scene) {
    for (int i = 0; i < scene->region_count; i++)
        if (scene->regions[i].area.shape == PD_SHAPE_PARTICLES) return true;
    return false;
}

void pd_particle_list_update_bounding_box(pd_region *region) {
    pd_vec2 low = region->particles[0].position, high = low;
    for (int i = 1; i < region->count; i++) {
        pd_vec2 p = region->particles[i].position;
        low = (pd_vec2){fminf(low.x, p.x), fminf(low.y, p.y)};
        high = (pd_vec2){fmaxf(high.x, p.x), fmaxf(high.y, p.y)};
    }
    pd_area *area = &region->area;
    area->center = (pd_vec2){0.5f * low.x + 0.5f * high.x, 0.5f * low.y + 0.5f * high.y};
    area->size = (pd_vec2){high.x - low.x, high.y - low.y};
    if (region->spacing > 0) return;
    float spacing = sqrtf(area->size.x * area->size.y / (float)region->count);
    region->spacing = spacing >= 1e-6f ? spacing : 0; /* 0: unknown, since the particles lie on a line */
}

/* ---- Lists of particles in the text of a scene ---- */

void pd_write_particle_list(pd_writer *w, const void *record) {
    const pd_region *region = record;
    if (w->stem) return; /* the particles are in a separate file, see pd_write_particle_file_key */
    pd_write_data(w->out, region->particles, (size_t)region->count * sizeof *region->particles);
}

bool pd_listed_particle_is_valid(int material_count, const pd_scene_particle *p) {
    const float numbers[] = {p->position.x, p->position.y, p->velocity.x, p->velocity.y};
    for (int k = 0; k < 4; k++)
        if (!(fabsf(numbers[k]) <= (float)(k < 2 ? PD_FARTHEST : PD_FASTEST))) return false;
    return p->material >= 0 && p->material < material_count;
}

static bool read_base64_particles(pd_document *document, const yaml_node_t *data, pd_region *region) {
    size_t size, particle = sizeof *region->particles;
    int materials = document->adds_materials ? PD_MAX_MATERIALS : document->scene->material_count;
    region->particles = pd_read_data(document, data, PD_MAX_PARTICLES * particle, &size);
    if (!region->particles) return false;
    region->count = (int)(size / particle);
    if (size == 0) return pd_fail_at(document, data, PD_ERROR_SCENE_VALUE, "'data' is empty (leave the region out)");
    size_t i = 0;
    while (i < size / particle && pd_listed_particle_is_valid(materials, &region->particles[i])) i++;
    if (i * particle == size) return true;
    int word = data->data.sequence.items.start[i * particle / PD_DATA_WORD];
    return pd_fail_damaged_data(document, pd_node_at(document, word));
}

/* ---- Reading of lists from files of their own ---- */

static bool read_particle_file(pd_document *document, const yaml_node_t *file, const yaml_node_t *count,
                               pd_region *region) {
    char path[PD_MAX_PATH];
    pd_error error;
    int expected = region->count;
    region->count = 0;
    if (!document->has_folder)
        return pd_fail_at(document, file, PD_ERROR_SCENE_VALUE,
                          "a scene in a text has no folder for 'file' (allowed: 'data', or a scene file)");
    if (!pd_read_path(document, file, "a file of particles, such as scene.csv", path)) return false;
    if (!pd_particle_list_read_file(path, document->scene, region, &error)) {
        if (error.code == PD_ERROR_FILE_UNREADABLE || error.code == PD_ERROR_OUT_OF_MEMORY)
            return pd_fail_at(document, file, error.code, "%.300s", error.message);
        document->error = error; /* the message begins with the path and line of the CSV file */
        return false;
    }
    if (!count || region->count == expected) return true;
    return pd_fail_at(document, count, PD_ERROR_SCENE_VALUE,
                      "'count' is %d, but the file has %d particles (is it cut short? else leave 'count' out)",
                      expected, region->count);
}

bool pd_read_particle_list(pd_document *document, const yaml_node_t *item, pd_region *region) {
    const yaml_node_t *file = pd_node_value_of_key(document, item, "file"),
                      *data = pd_node_value_of_key(document, item, "data");
    if (!file == !data)
        return pd_fail_at(document, item, PD_ERROR_SCENE_KEY, "a region of particles has %s",
                          file ? "both 'file' and 'data' (keep one)" : "no 'file' (add one, such as file: scene.csv)");
    if (data ? !read_base64_particles(document, data, region)
             : !read_particle_file(document, file, pd_node_value_of_key(document, item, "count"), region))
        return false;
    pd_particle_list_update_bounding_box(region);
    return true;
}

/* ---- Writing of lists to files of their own ---- */

static void write_csv_number(FILE *out, float value) {
    char text[PD_FLOAT_TEXT];
    fprintf(out, ",%s", pd_text_write_float(value, text));
}

pd_result pd_particle_list_write_file(const pd_scene *scene, const pd_region *region, const char *path,
                                      pd_error *error) {
    pd_output output;
    pd_result result = pd_output_open(&output, path, error);
    if (result != PD_OK) return result;
    fputs("id,material,x,y,vx,vy,mass,density\n", output.stream);
    for (int i = 0; i < region->count && !ferror(output.stream); i++) {
        const pd_scene_particle *p = &region->particles[i];
        fprintf(output.stream, "%d,", i);
        pd_text_write_csv_cell(output.stream, scene->materials[p->material].name);
        write_csv_number(output.stream, p->position.x);
        write_csv_number(output.stream, p->position.y);
        write_csv_number(output.stream, p->velocity.x);
        write_csv_number(output.stream, p->velocity.y);
        write_csv_number(output.stream, scene->materials[p->material].mass);
        fputs(",\n", output.stream);
    }
    return pd_output_commit(&output, error);
}

enum {
    MOST_LINES_BEFORE_NAMES = 100, /* lines of text, without comments, among which the names of the columns are found */
    MOST_NAMES_SHOWN = 3           /* names of columns in the line about what was left out */
};

typedef struct list_reader {
    pd_table table;
    const pd_scene *scene;
    pd_region *region;
    int capacity;             /* number of particles for which memory is allocated */
    pd_table_columns columns; /* columns in the order of the file */
    bool names_columns;       /* whether a line of the file names the columns */
    bool has_row_names;       /* whether the first cells of rows are names, above which the line of names has no cell */
    bool may_be_decimals;     /* whether commas that separate may be decimal ones: no number so far has another mark */
    int names_line;           /* line number of the names of the columns */
    int first_row;            /* line number of the first row of particles */
    int units_line;           /* line number of a line of units below the names, 0: none */
    int skipped_rows;         /* number of rows in which a number is missing */
    double z;                 /* z of the first particle */
    bool z_varies;            /* whether a particle has another z */
} list_reader;

static const char SEPARATORS[] = "\t;, "; /* in the order in which they are tried */

static bool is_number_or_missing(const pd_table_extent *cell, char separator, bool *is_number) {
    char text[64];
    double number;
    size_t length = (size_t)(cell->end - cell->begin);
    if (length >= sizeof text) return false;
    memcpy(text, cell->begin, length);
    text[length] = '\0';
    *is_number = pd_table_convert_number(text, separator, &number);
    return *is_number || pd_table_is_missing_number(text);
}

static bool is_blank_cell(const pd_table_extent *cell) { return pd_table_skip_blanks(cell->begin) >= cell->end; }

/* ---- The line of names ---- */

/* Returns the first of SEPARATORS in a line of names. */
static char find_separator(const char *line) {
    const char *end = line + strcspn(line, "\r\n");
    for (const char *s = SEPARATORS; *s != ' '; s++) {
        bool quoted = false;
        for (const char *at = line; at < end; at++) {
            quoted ^= *at == '"';
            if (*at == *s && !quoted) return *s;
        }
    }
    return ' ';
}

/* Returns the number of cells of a line, without empty ones at its end, if all are numbers or missing ones; otherwise 0. */
static int count_numbers(const char *line, char separator) {
    pd_table_extent cell = {.last = false};
    int count = 0, filled = 0;
    for (; !cell.last; line = cell.next) {
        bool is_number;
        if (!pd_table_find_cell(line, separator, &cell) || !is_number_or_missing(&cell, separator, &is_number))
            return 0;
        count++;
        if (!is_blank_cell(&cell)) filled = count;
    }
    return filled;
}

/* Returns the number of columns if a line has two or more numbers and nothing else, and sets *separator. Otherwise 0. */
static int count_columns_of_numbers(const char *line, char *separator) {
    for (const char *s = SEPARATORS; *s; s++) {
        int count = count_numbers(line, *s);
        *separator = *s;
        if (count > 1) return count;
    }
    return 0;
}

static bool has_x_and_y(const pd_table_columns *columns) {
    int rival;
    return pd_table_columns_find(columns, PD_COLUMN_X, &rival) >= 0 &&
           pd_table_columns_find(columns, PD_COLUMN_Y, &rival) >= 0;
}

typedef enum fit { NO_FIT, FIT, FIT_WITH_ROW_NAMES } fit;

/* Returns whether a row has a cell for each column, with numbers in x and y. The commas of a row with one cell more may be
 * decimal ones. With other separators the cell more is the name of the row, as R and pandas read such tables. */
static fit compare_row_with_columns(const list_reader *reader, const char *row, char separator) {
    pd_table_extent cell = {.last = false};
    const pd_table_columns *columns = &reader->columns;
    int count = 0, filled = 0, rival, x = pd_table_columns_find(columns, PD_COLUMN_X, &rival),
        y = pd_table_columns_find(columns, PD_COLUMN_Y, &rival);
    bool numbers[2] = {true, true}, is_number; /* numbers[1]: whether x and y are numbers if the first cell is a name */
    for (; !cell.last; row = cell.next, count++) {
        if (!pd_table_find_cell(row, separator, &cell)) return NO_FIT;
        if (!is_blank_cell(&cell)) filled = count + 1;
        for (int shift = 0; shift < 2; shift++)
            if ((count - shift == x || count - shift == y) && !is_number_or_missing(&cell, separator, &is_number))
                numbers[shift] = false;
    }
    if (count >= columns->count && filled <= columns->count) return numbers[0] ? FIT : NO_FIT;
    return filled == columns->count + 1 && separator != ',' && numbers[1] ? FIT_WITH_ROW_NAMES : NO_FIT;
}

/* Sets the table's separator to the one with which the present row fits the columns. `first`: separator to try first. */
static bool fit_row_to_columns(list_reader *reader, char first) {
    fit fitting = compare_row_with_columns(reader, reader->table.at, first);
    reader->table.separator = first;
    for (const char *s = SEPARATORS; *s && fitting == NO_FIT; s++) {
        fitting = compare_row_with_columns(reader, reader->table.at, *s);
        if (fitting != NO_FIT) reader->table.separator = *s;
    }
    reader->has_row_names = fitting == FIT_WITH_ROW_NAMES;
    return fitting != NO_FIT;
}

static bool has_digit(const pd_table_extent *cell) {
    for (const char *c = cell->begin; c < cell->end; c++)
        if (*c >= '0' && *c <= '9') return true;
    return false;
}

/* Returns whether the present row has a cell for each column, but no digit in x and y, and no missing number. */
static bool is_row_of_units(const list_reader *reader) {
    const char *row = reader->table.at;
    pd_table_extent cell = {.last = false};
    int count = 0;
    for (; !cell.last; row = cell.next, count++) {
        bool is_number;
        if (count == reader->columns.count || !pd_table_find_cell(row, reader->table.separator, &cell)) return false;
        if (reader->columns.list[count].meaning > PD_COLUMN_Y) continue;
        if (has_digit(&cell) || is_number_or_missing(&cell, reader->table.separator, &is_number)) return false;
    }
    return count == reader->columns.count;
}

static bool fail_missing_column(const list_reader *reader) {
    int rival;
    return pd_table_fail(&reader->table, 1,
                         "the column '%s' is missing (the first line names the columns, such as x,y,vx,vy,material)",
                         pd_table_columns_find(&reader->columns, PD_COLUMN_X, &rival) >= 0 ? "y" : "x");
}

/* Finds the line of names: the first line of text with a name of x and one of y, or the last such comment before the first
 * row of numbers. Sets *line to its names, *separator to what separates them, and *is_comment. Goes to the line after it, or
 * to the first row. Returns false after a failure if the rows begin after lines of text without such names. */
static bool find_names(list_reader *reader, const char **line, char *separator, bool *is_comment) {
    pd_table *table = &reader->table, first_text = *table;
    char numbers_separator;
    int texts = 0; /* number of lines of text without such names, which are neither comments nor empty */
    for (*line = NULL; table->at < table->end && texts < MOST_LINES_BEFORE_NAMES; pd_table_skip_line(table)) {
        const char *names = table->at, *first = pd_table_skip_blanks(names);
        bool comment = *first == '#' || *first == '%';
        if (comment) names = first + strspn(first, "#% \t");
        if (strchr("\r\n", *(comment ? names : first))) continue; /* an empty line, or the end of the file */
        if (!comment && count_columns_of_numbers(names, &numbers_separator) > 0) break;
        if (pd_table_columns_read(names, find_separator(names), &reader->columns) && has_x_and_y(&reader->columns)) {
            *line = names;
            *separator = find_separator(names);
            *is_comment = comment;
            reader->names_line = table->line;
            if (comment) continue;
            pd_table_skip_line(table);
            return true;
        }
        if (!comment && texts++ == 0) first_text = *table;
    }
    if (texts == 0 && (*line || table->at < table->end)) return true;
    *table = first_text;
    pd_table_columns_read(table->at, find_separator(table->at), &reader->columns);
    return fail_missing_column(reader);
}

/* Sets the columns of a table whose lines do not name them. */
static bool set_unnamed_columns(list_reader *reader) {
    pd_table *table = &reader->table;
    int count = count_columns_of_numbers(table->at, &table->separator);
    reader->may_be_decimals = table->separator == ',' && count == 4;
    if (count != 2 && count != 4)
        return pd_table_fail(table, 1, "%d columns without names (begin with a line of names, such as x,y,z)", count);
    return pd_table_columns_set_unnamed(count, &reader->columns);
}

/* Finds columns and separator, and goes to the first row. */
static bool read_column_names(list_reader *reader) {
    pd_table *table = &reader->table;
    pd_table_columns *columns = &reader->columns;
    const char *line;
    char separator = ',';
    bool is_comment = false;
    if (!find_names(reader, &line, &separator, &is_comment)) return false;
    bool rows = pd_table_skip_lines_without_cells(table);
    if (line && !pd_table_columns_read(line, separator, columns)) return false;
    reader->names_columns = line && (fit_row_to_columns(reader, separator) || !is_comment || !rows);
    if (!reader->names_columns) return set_unnamed_columns(reader);
    int rival, column = pd_table_columns_choose(columns, &rival);
    if (column >= 0) {
        pd_table_column *a = &columns->list[column], *b = &columns->list[rival];
        table->line = reader->names_line;
        if (a->rank == 0) return pd_table_fail(table, b->position, "the column '%s' comes twice (keep one)", a->name);
        return pd_table_fail(table, b->position, "the columns '%s' and '%s' may both be %s (name one of them %s)",
                             a->name, b->name, pd_table_column_names[a->meaning], pd_table_column_names[a->meaning]);
    }
    if (rows && is_row_of_units(reader)) {
        reader->units_line = table->line;
        pd_table_skip_line(table);
        pd_table_skip_lines_without_cells(table);
        fit_row_to_columns(reader, separator);
    }
    return !reader->has_row_names || pd_table_columns_insert_unnamed(columns);
}

/* ---- Rows ---- */

static bool read_material_cell(const list_reader *reader, const pd_table_cell *cell, int32_t *material) {
    const char *text = pd_table_skip_blanks(cell->text);
    size_t length = strlen(text);
    if (length == 0) return true; /* the region's material */
    while (strchr(" \t", text[length - 1])) length--;
    for (int trim = 0; trim < 2; trim++) /* first the exact name, which may begin or end with blanks */
        for (int m = 0; m < reader->scene->material_count; m++) {
            const char *name = reader->scene->materials[m].name;
            *material = m;
            if (trim ? strlen(name) == length && strncmp(text, name, length) == 0 : strcmp(cell->text, name) == 0)
                return true;
        }
    return pd_table_fail(&reader->table, cell->column, "the scene has no material '%.64s' (add it to 'materials')",
                         cell->text);
}

static void compare_z(list_reader *reader, const pd_table_cell *cell) {
    double z;
    if (reader->z_varies || !pd_table_convert_number(cell->text, reader->table.separator, &z)) return;
    if (reader->region->count == 0) reader->z = z;
    reader->z_varies = z != reader->z;
}

/* Reads a cell into a particle. *is_complete: set to false if the cell has no number. */
static bool read_cell_into_particle(list_reader *reader, const pd_table_column *column, const pd_table_cell *cell,
                                    pd_scene_particle *particle, bool *is_complete) {
    float *const values[] = {&particle->position.x, &particle->position.y, &particle->velocity.x,
                             &particle->velocity.y};
    if (column->meaning == PD_COLUMN_MATERIAL) return read_material_cell(reader, cell, &particle->material);
    if (column->meaning == PD_COLUMN_Z) compare_z(reader, cell);
    if (column->meaning > PD_COLUMN_VY) return true;
    if (reader->may_be_decimals && strpbrk(cell->text, ".eEdD")) reader->may_be_decimals = false;
    if (pd_table_is_missing_number(cell->text)) {
        *is_complete = false;
        return true;
    }
    return pd_table_read_scaled_number(&reader->table, cell, column->scale,
                                       column->meaning < PD_COLUMN_VX ? PD_FARTHEST : PD_FASTEST,
                                       values[column->meaning]);
}

/* Reads a row. Sets *is_complete to whether no number that is read is missing. */
static bool read_particle_row(list_reader *reader, pd_scene_particle *particle, bool *is_complete) {
    pd_table *table = &reader->table;
    const pd_table_columns *columns = &reader->columns;
    const char *row = table->at;
    pd_table_cell cell = {.last = false};
    *particle = (pd_scene_particle){.velocity = reader->region->velocity, .material = reader->region->material};
    *is_complete = true;
    int n = 0;
    for (; !cell.last; n++) {
        if (!pd_table_read_cell(table, row, &cell)) return false;
        if (n >= columns->count && !*pd_table_skip_blanks(cell.text)) continue; /* separators at the end of the row */
        if (n >= columns->count)
            return pd_table_fail(table, cell.column, "more cells than %s%s",
                                 reader->names_columns ? "the first line names columns" : "the first row",
                                 table->separator == ','
                                     ? " (if commas are decimal ones, write points, or separate by semicolons)"
                                     : "");
        if (!read_cell_into_particle(reader, &columns->list[n], &cell, particle, is_complete)) return false;
    }
    if (n >= columns->count) return true;
    return pd_table_fail(table, cell.column, "the row ends before its '%s' (is the file cut short?)",
                         columns->list[n].name);
}

/* Adds the particle of the table's current row to the region. */
static bool append_particle_row(list_reader *reader) {
    pd_table *table = &reader->table;
    pd_region *region = reader->region;
    bool is_complete;
    if (region->count == PD_MAX_PARTICLES)
        return pd_table_fail(table, 1, "more than ten million particles (use fewer)");
    if (!PD_LIST_RESERVE(region->particles, reader->capacity, region->count + 1)) {
        pd_fail(table->error, PD_ERROR_OUT_OF_MEMORY, "out of memory (close other programs)");
        return false;
    }
    if (!read_particle_row(reader, &region->particles[region->count], &is_complete)) return false;
    region->count += is_complete;
    reader->skipped_rows += !is_complete;
    return true;
}

static bool read_rows(list_reader *reader) {
    pd_table *table = &reader->table;
    reader->first_row = table->line;
    bool more = table->at < table->end;
    for (; more; more = pd_table_go_to_next_row(table))
        if (!append_particle_row(reader)) return false;
    if (reader->may_be_decimals) {
        table->line = reader->first_row;
        return pd_table_fail(table, 1,
                             "commas may be decimal or separate (write points, separate by semicolons, or begin with "
                             "the names x,y,vx,vy)");
    }
    if (reader->region->count > 0) return true;
    return pd_table_fail(table, 1, "the file has no particles (leave the region out)");
}

/* ---- What was left out ---- */

/* Appends "without 'a', column 2 and 5 more columns". Returns whether a column was left out. */
static bool append_columns_left_out(const pd_table_columns *columns, char *text, size_t size) {
    int count = 0, shown = 0;
    for (int i = 0; i < columns->count; i++) count += columns->list[i].meaning >= PD_COLUMN_NAMED_BY_PUDDLE;
    for (int i = 0; i < columns->count && shown < MOST_NAMES_SHOWN; i++) {
        const pd_table_column *column = &columns->list[i];
        if (column->meaning < PD_COLUMN_NAMED_BY_PUDDLE) continue;
        pd_text_append(text, size, "%s", shown == 0 ? " without " : shown + 1 == count ? " and " : ", ");
        if (*column->name)
            pd_text_append(text, size, "'%s'", column->name);
        else
            pd_text_append(text, size, "column %d", i + 1);
        shown++;
    }
    if (count > shown) pd_text_append(text, size, " and %d more", count - shown);
    return count > 0;
}

/* Appends the first column whose unit is not known. Returns whether there is one. */
static bool append_unknown_unit(const pd_table_columns *columns, char *text, size_t size) {
    for (int i = 0; i < columns->count; i++) {
        const pd_table_column *column = &columns->list[i];
        if (!column->unit_unknown || column->meaning > PD_COLUMN_VY) continue;
        pd_text_append(text, size, "; the unit of '%s' is not known and taken as %s", column->name,
                       column->meaning < PD_COLUMN_VX ? "m" : "m/s");
        return true;
    }
    return false;
}

/* Writes one line about what was left out and what was assumed. The line is empty if that is nothing. */
static void write_left_out(const list_reader *reader, char *text, size_t size) {
    const int rows = reader->skipped_rows;
    const char *slash = strrchr(reader->table.path, '/');
    char name[PD_COLUMN_NAME];
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : reader->table.path);
    pd_text_shorten(name, sizeof name);
    snprintf(text, size, "'%s' is read", name);
    bool any = append_columns_left_out(&reader->columns, text, size);
    if (reader->units_line)
        pd_text_append(text, size, "%s line %d", any ? ", without" : " without", reader->units_line);
    any = any || reader->units_line;
    if (rows)
        pd_text_append(text, size, "%s %d row%s in which a number is missing", any ? ", and without" : " without", rows,
                       rows == 1 ? "" : "s");
    any = any || rows;
    if (!reader->names_columns)
        pd_text_append(text, size, "%s its unnamed columns as %s", any ? ", with" : " with",
                       reader->columns.count == 4 ? "x, y, vx, vy" : "x, y");
    if (reader->z_varies) pd_text_append(text, size, "; z varies, but all particles are in one plane");
    if (!append_unknown_unit(&reader->columns, text, size) && !any && reader->names_columns) *text = '\0';
}

bool pd_particle_list_read_file(const char *path, const pd_scene *scene, pd_region *region, pd_error *error) {
    list_reader reader = {.scene = scene, .region = region};
    if (!pd_table_open(&reader.table, path, error)) return false;
    bool fine = read_column_names(&reader) && read_rows(&reader);
    if (fine) write_left_out(&reader, region->area.left_out, sizeof region->area.left_out);
    if (reader.columns.out_of_memory) pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "out of memory (close other programs)");
    pd_memory_free(reader.columns.list);
    pd_table_close(&reader.table);
    return fine && !reader.columns.out_of_memory;
}
