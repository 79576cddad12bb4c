/* Reads files of particles: comma-separated values as written by `puddle run --state`. */
#include "core/array.h"
#include "core/error.h"
#include "core/memory.h"
#include "scene/content/particle_list.h"
#include "scene/file/table.h"
#include "scene/schema.h"

#include <string.h>

typedef enum column { X, Y, VX, VY, MATERIAL, ID, MASS, DENSITY, COLUMNS } column;
static const char *const names[COLUMNS] = {"x", "y", "vx", "vy", "material", "id", "mass", "density"};

typedef struct list_reader {
    pd_table table;
    const pd_scene *scene;
    pd_region *region;
    int capacity;           /* number of particles for which memory is allocated */
    column column[COLUMNS]; /* columns in the order of the file */
    int columns;            /* number of columns in the file */
} list_reader;

static bool read_column_names(list_reader *reader) {
    pd_table *table = &reader->table;
    const char *row = table->at;
    bool seen[COLUMNS] = {false};
    pd_table_cell cell = {.last = false};
    while (!cell.last) {
        if (!pd_table_read_cell(table, row, &cell)) return false;
        int column_kind = 0;
        while (column_kind < COLUMNS && strcmp(cell.text, names[column_kind]) != 0) column_kind++;
        if (column_kind == COLUMNS)
            return pd_table_fail(
                table, cell.column,
                "the column '%.40s' is not one of particles (known: x, y, vx, vy, material, id, mass, density)",
                cell.text);
        if (seen[column_kind])
            return pd_table_fail(table, cell.column, "the column '%s' comes twice (keep one)", cell.text);
        seen[column_kind] = true;
        reader->column[reader->columns++] = (column)column_kind;
    }
    if (seen[X] && seen[Y]) return true;
    return pd_table_fail(table, 1,
                         "the column '%s' is missing (the first line names the columns, such as x,y,vx,vy,material)",
                         seen[X] ? "y" : "x");
}

static bool read_material_cell(const list_reader *reader, const pd_table_cell *cell, int32_t *material) {
    for (int m = 0; m < reader->scene->material_count; m++) {
        *material = m;
        if (strcmp(cell->text, reader->scene->materials[m].name) == 0) return true;
    }
    return pd_table_fail(&reader->table, cell->column, "the scene has no material '%.64s'", cell->text);
}

static bool read_cell_into_particle(const list_reader *reader, column column_kind, const pd_table_cell *cell,
                                    pd_scene_particle *particle) {
    const pd_table *table = &reader->table;
    if (column_kind == X) return pd_table_read_number(table, cell, PD_FARTHEST, &particle->position.x);
    if (column_kind == Y) return pd_table_read_number(table, cell, PD_FARTHEST, &particle->position.y);
    if (column_kind == VX) return pd_table_read_number(table, cell, PD_FASTEST, &particle->velocity.x);
    if (column_kind == VY) return pd_table_read_number(table, cell, PD_FASTEST, &particle->velocity.y);
    return column_kind != MATERIAL || read_material_cell(reader, cell, &particle->material);
}

static bool read_particle_row(list_reader *reader, pd_scene_particle *particle) {
    pd_table *table = &reader->table;
    const char *row = table->at;
    pd_table_cell cell = {.last = false};
    *particle = (pd_scene_particle){.velocity = reader->region->velocity, .material = reader->region->material};
    int n = 0;
    for (; !cell.last; n++) {
        if (!pd_table_read_cell(table, row, &cell)) return false;
        if (n == reader->columns)
            return pd_table_fail(table, cell.column, "more cells than the first line names columns");
        if (!read_cell_into_particle(reader, reader->column[n], &cell, particle)) return false;
    }
    if (n == reader->columns) return true;
    return pd_table_fail(table, cell.column, "the row ends before its '%s' (is the file cut short?)",
                         names[reader->column[n]]);
}

/* Adds the particle of the table's current row to the region. */
static bool append_particle_row(list_reader *reader) {
    pd_table *table = &reader->table;
    pd_region *region = reader->region;
    if (region->count == PD_MAX_PARTICLES)
        return pd_table_fail(table, 1, "more than ten million particles (use fewer)");
    if (!PD_LIST_RESERVE(region->particles, reader->capacity, region->count + 1)) {
        pd_fail(table->error, PD_ERROR_OUT_OF_MEMORY, "out of memory (close other programs)");
        return false;
    }
    return read_particle_row(reader, &region->particles[region->count]) && ++region->count > 0;
}

bool pd_particle_list_read_file(const char *path, const pd_scene *scene, pd_region *region, pd_error *error) {
    list_reader reader = {.scene = scene, .region = region};
    if (!pd_table_open(&reader.table, path, error)) return false;
    bool fine = read_column_names(&reader);
    while (fine && pd_table_go_to_next_row(&reader.table)) fine = append_particle_row(&reader);
    if (fine && region->count == 0)
        fine = pd_table_fail(&reader.table, 1, "the file has no particles (leave the region out)");
    pd_table_close(&reader.table);
    return fine;
}
