/* Reads, writes and checks the initial cells of a grid fluid. */
#include "scene/content/cells.h"
#include "core/memory.h"

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "scene/file/table.h"
#include "scene/file/writer.h"
#include "scene/items.h"

#include <math.h>
#include <string.h>

pd_result pd_cells_allocate(pd_cells *cells, pd_error *error) {
    cells->values = pd_memory_new_zeroed(pd_cells_value_count(cells) + 1, sizeof *cells->values);
    if (cells->values) return PD_OK;
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d x %d cells (close other programs)", cells->columns,
                   cells->rows);
}

void pd_cells_free(pd_cells *cells) {
    pd_memory_free(cells->values);
    *cells = (pd_cells){0};
}

static bool is_cell_value_in_range(const pd_cells *cells, int layer, float value) {
    return layer < 2 ? fabsf(value) <= (float)PD_FASTEST : layer < 2 + cells->dyes && value >= 0 && value <= 1;
}

static bool are_all_cell_values_valid(const pd_cells *cells) {
    size_t layer = pd_cells_layer_size(cells);
    for (size_t k = 0; k < pd_cells_value_count(cells); k++)
        if (!is_cell_value_in_range(cells, (int)(k / layer), cells->values[k])) return false;
    return true;
}

pd_result pd_cells_check(const pd_scene *scene, pd_error *error) {
    const pd_cells *cells = &scene->cells;
    if (cells->columns == 0) return PD_OK;
    if (cells->dyes < 0 || cells->dyes > scene->material_count || !cells->values)
        return pd_fail(error, PD_ERROR_SCENE_VALUE, "cells have %d dyes%s (use 0 to %d)", cells->dyes,
                       cells->values ? "" : ", and no values", scene->material_count);
    for (int d = 0; d < cells->dyes; d++) {
        bool twice = false;
        for (int e = 0; e < d; e++) twice |= cells->material[e] == cells->material[d];
        if (twice || cells->material[d] < 0 || cells->material[d] >= scene->material_count)
            return pd_fail(error, PD_ERROR_SCENE_REFERENCE, "cells.material[%d] is %d%s (use 0 to %d, each once)", d,
                           cells->material[d], twice ? " a second time" : "", scene->material_count - 1);
    }
    if (are_all_cell_values_valid(cells)) return PD_OK;
    return pd_fail(error, PD_ERROR_SCENE_VALUE,
                   "cells have a velocity or a dye that is out of range (use finite velocities, and dyes from 0 to 1)");
}

float pd_cells_interpolate(const pd_cells *cells, int layer, double x, double y) {
    x = fmin(fmax(x, 0), cells->columns);
    y = fmin(fmax(y, 0), cells->rows);
    int i = (int)fmin(x, cells->columns - 1), j = (int)fmin(y, cells->rows - 1), row = cells->columns + 1;
    const float *v = cells->values + (size_t)layer * pd_cells_layer_size(cells) + (size_t)j * (size_t)row + (size_t)i;
    double a = x - i, b = y - j;
    return (float)((1 - b) * ((1 - a) * (double)v[0] + a * (double)v[1]) +
                   b * ((1 - a) * (double)v[row] + a * (double)v[row + 1]));
}

/* ---- Cells in the text of a scene ---- */

void pd_write_cells_inline(FILE *out, const pd_scene *scene) {
    const pd_cells *cells = &scene->cells;
    fprintf(out, ", columns: %d, rows: %d, dyes: [", cells->columns, cells->rows);
    for (int d = 0; d < cells->dyes; d++) {
        if (d) fputs(", ", out);
        pd_write_quoted(out, scene->materials[cells->material[d]].name);
    }
    fputc(']', out);
    pd_write_data(out, cells->values, pd_cells_value_count(cells) * sizeof *cells->values);
}

static bool has_dye_of_material(const pd_cells *cells, int material) {
    for (int d = 0; d < cells->dyes; d++)
        if (cells->material[d] == material) return true;
    return false;
}

static bool read_dyes(pd_document *document, const yaml_node_t *dyes, pd_cells *cells) {
    int count;
    if (!pd_require_list(document, dyes, "dyes", document->scene->material_count, &count)) return false;
    for (; cells->dyes < count; cells->dyes++) {
        const yaml_node_t *node = pd_node_at(document, dyes->data.sequence.items.start[cells->dyes]);
        int m;
        if (!pd_read_material(document, node, "dyes", &m)) return false;
        if (has_dye_of_material(cells, m))
            return pd_fail_at(document, node, PD_ERROR_SCENE_VALUE, "the dye '%s' comes twice (keep one)",
                              document->scene->materials[m].name);
        cells->material[cells->dyes] = m;
    }
    return true;
}

/* ---- Cells in a file of their own ---- */

pd_result pd_cells_write_file(const pd_scene *scene, const char *path, pd_error *error) {
    const pd_cells *cells = &scene->cells;
    size_t layer = pd_cells_layer_size(cells);
    char text[PD_FLOAT_TEXT];
    pd_output output;
    pd_result result = pd_output_open(&output, path, error);
    if (result != PD_OK) return result;
    fputs("i,j,u,v", output.stream);
    for (int d = 0; d < cells->dyes; d++) {
        fputc(',', output.stream);
        pd_text_write_csv_cell(output.stream, scene->materials[cells->material[d]].name);
    }
    fputc('\n', output.stream);
    for (size_t k = 0; k < layer && !ferror(output.stream); k++) {
        fprintf(output.stream, "%zu,%zu", k % ((size_t)cells->columns + 1), k / ((size_t)cells->columns + 1));
        for (int l = 0; l < 2 + cells->dyes; l++)
            fprintf(output.stream, ",%s", pd_text_write_float(cells->values[(size_t)l * layer + k], text));
        fputc('\n', output.stream);
    }
    return pd_output_commit(&output, error);
}

typedef struct cells_file {
    pd_table table;
    const pd_scene *scene;
    pd_cells *cells;       /* cells being read; convert_rows_to_layers changes the order of their values */
    size_t rows, capacity; /* number of rows read so far, and number for which memory is allocated */
} cells_file;

static bool read_dye_name(cells_file *f, const pd_table_cell *cell) {
    pd_cells *cells = f->cells;
    int m = pd_find_material(f->scene->materials, f->scene->material_count, cell->text);
    if (m < 0)
        return pd_table_fail(&f->table, cell->column, "the scene has no material '%.64s' (add it to 'materials')",
                             cell->text);
    if (has_dye_of_material(cells, m))
        return pd_table_fail(&f->table, cell->column, "the dye '%.64s' comes twice (keep one)", cell->text);
    cells->material[cells->dyes++] = m;
    return true;
}

static bool read_column_names(cells_file *f) {
    static const char *const names[] = {"i", "j", "u", "v"};
    pd_table_skip_lines_without_cells(&f->table);
    const char *row = f->table.at;
    pd_table_cell cell = {.last = false};
    for (int n = 0; n < 4 || !cell.last; n++) {
        if (n > 0 && cell.last)
            return pd_table_fail(&f->table, cell.column, "the column '%s' is missing (allowed: i,j,u,v and then dyes)",
                                 names[n]);
        if (!pd_table_read_cell(&f->table, row, &cell)) return false;
        if (n < 4 && strcmp(cell.text, names[n]) != 0)
            return pd_table_fail(&f->table, cell.column, "the column '%.40s' stands where '%s' belongs", cell.text,
                                 names[n]);
        if (n >= 4 && !read_dye_name(f, &cell)) return false;
    }
    return true;
}

static bool reserve_values_of_row(cells_file *f) {
    size_t capacity = 2 * f->capacity + 1024, width = 2 + (size_t)f->cells->dyes;
    if (f->rows < f->capacity) return true;
    float *larger = pd_memory_resize(f->cells->values, capacity * width * sizeof *larger);
    if (!larger)
        return pd_fail(f->table.error, PD_ERROR_OUT_OF_MEMORY, "out of memory (close other programs)") == PD_OK;
    f->cells->values = larger;
    f->capacity = capacity;
    return true;
}

/* Reads the column index i of a grid cell, or its row index j if is_row_index. Fails unless i and j increase row by row.
 * The number of columns is set when i is 0 for the second time. */
static bool read_column_or_row_index(cells_file *f, const pd_table_cell *cell, bool is_row_index) {
    pd_cells *cells = f->cells;
    float number;
    if (!pd_table_read_number(&f->table, cell, PD_MAX_CELLS, &number)) return false;
    if (!is_row_index && cells->columns == 0 && f->rows > 1 && number == 0) cells->columns = (int)f->rows - 1;
    size_t columns = cells->columns > 0 ? (size_t)cells->columns + 1 : f->rows + 1;
    size_t wanted = is_row_index ? f->rows / columns : f->rows % columns;
    if ((double)number == (double)wanted && wanted <= PD_MAX_CELLS) return true;
    return pd_table_fail(&f->table, cell->column,
                         "'%s' is %.40s, not %zu (rows of cells are missing, or in another order)",
                         is_row_index ? "j" : "i", cell->text, wanted);
}

static bool read_cell_row(cells_file *f) {
    const char *row = f->table.at;
    int width = 2 + f->cells->dyes;
    pd_table_cell cell = {.last = false};
    if (!reserve_values_of_row(f)) return false;
    float *values = f->cells->values + f->rows * (size_t)width;
    for (int n = 0; n < 2 + width; n++) {
        if (n > 0 && cell.last)
            return pd_table_fail(&f->table, cell.column, "the row ends too early (is the file cut short?)");
        if (!pd_table_read_cell(&f->table, row, &cell)) return false;
        if (n < 2 ? !read_column_or_row_index(f, &cell, n == 1)
                  : !pd_table_read_number(&f->table, &cell, PD_FASTEST, &values[n - 2]))
            return false;
        if (n >= 2 && !is_cell_value_in_range(f->cells, n - 2, values[n - 2]))
            return pd_table_fail(&f->table, cell.column, "the amount %.40s of a dye is not in 0 to 1", cell.text);
    }
    f->rows++;
    return cell.last || pd_table_fail(&f->table, cell.column, "more cells than the first line names columns");
}

/* Changes the order of the values: from u, v and dyes of each cell in turn, as in the file, to all u, all v, ... */
static bool convert_rows_to_layers(cells_file *f) {
    pd_cells *cells = f->cells;
    float *rows = cells->values;
    size_t width = 2 + (size_t)cells->dyes, columns = (size_t)cells->columns + 1;
    cells->rows = cells->columns > 0 ? (int)(f->rows / columns) - 1 : 0;
    if (cells->rows < 1 || pd_cells_layer_size(cells) != f->rows)
        return pd_table_fail(&f->table, 1, "the last row of cells is not complete (is the file cut short?)");
    if (pd_cells_allocate(cells, f->table.error) != PD_OK) {
        cells->values = rows;
        return false;
    }
    for (size_t k = 0; k < f->rows; k++)
        for (size_t l = 0; l < width; l++) cells->values[l * f->rows + k] = rows[k * width + l];
    pd_memory_free(rows);
    return true;
}

static bool read_cells_file(pd_document *document, const yaml_node_t *node, pd_cells *cells) {
    char path[PD_MAX_PATH];
    pd_error error;
    cells_file f = {.scene = document->scene, .cells = cells};
    if (!document->has_folder)
        return pd_fail_at(document, node, PD_ERROR_SCENE_VALUE,
                          "a scene in a text has no folder for 'file' (allowed: a scene file)");
    if (!pd_read_path(document, node, "a file of cells, such as scene-cells.csv", path)) return false;
    if (!pd_table_open(&f.table, path, &error)) return pd_fail_at(document, node, error.code, "%.300s", error.message);
    bool fine = read_column_names(&f);
    while (fine && pd_table_go_to_next_row(&f.table)) fine = read_cell_row(&f);
    fine = fine && convert_rows_to_layers(&f);
    pd_table_close(&f.table);
    if (!fine) document->error = error; /* the message begins with the path and line of the CSV file */
    return fine;
}

bool pd_read_cells(pd_document *document, const yaml_node_t *node, void *destination) {
    pd_cells *cells = &((pd_scene *)destination)->cells;
    if (!pd_read_record(document, node, &pd_cells_schema, cells)) return false;
    const yaml_node_t *file = pd_node_value_of_key(document, node, "file"),
                      *data = pd_node_value_of_key(document, node, "data");
    const yaml_node_t *dyes = pd_node_value_of_key(document, node, "dyes");
    bool sized = cells->columns > 0 && cells->rows > 0 && dyes;
    if (!file == !data || (data && !sized) || (file && (cells->columns > 0 || cells->rows > 0 || dyes)))
        return pd_fail_at(document, node, PD_ERROR_SCENE_KEY,
                          "cells have a 'file', or 'columns', 'rows', 'dyes' and 'data' (allowed: {size: 0.01, file: "
                          "scene-cells.csv})");
    if (file) return read_cells_file(document, file, cells);
    if (!read_dyes(document, dyes, cells)) return false;
    size_t size, expected = pd_cells_value_count(cells) * sizeof *cells->values;
    cells->values = pd_read_data(document, data, expected, &size);
    if (!cells->values) return false;
    return (size == expected && are_all_cell_values_valid(cells)) || pd_fail_damaged_data(document, data);
}
