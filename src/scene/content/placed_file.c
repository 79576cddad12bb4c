/* Reads files of particles: comma-separated values as written by --state. */
#include "core/array.h"
#include "core/error.h"
#include "core/memory.h"
#include "scene/content/placed.h"
#include "scene/file/table.h"
#include "scene/schema.h"

#include <string.h>

typedef enum column { X, Y, VX, VY, MATERIAL, ID, MASS, DENSITY, COLUMNS } column;
static const char *const names[COLUMNS] = {"x", "y", "vx", "vy", "material", "id", "mass", "density"};

typedef struct list {
    pd_table table;
    const pd_scene *scene;
    pd_region *region;
    int capacity;
    column column[COLUMNS]; /* columns in the order of the file */
    int columns;
} list;

static bool read_names(list *list) {
    pd_table *t = &list->table;
    const char *row = t->at;
    bool seen[COLUMNS] = {false};
    pd_table_cell c = {.last = false};
    while (!c.last) {
        if (!pd_table_next_cell(t, row, &c)) return false;
        int k = 0;
        while (k < COLUMNS && strcmp(c.text, names[k]) != 0) k++;
        if (k == COLUMNS)
            return pd_table_fail(
                t, c.column,
                "the column '%.40s' is not one of particles (known: x, y, vx, vy, material, id, mass, density)",
                c.text);
        if (seen[k]) return pd_table_fail(t, c.column, "the column '%s' comes twice (keep one)", c.text);
        seen[k] = true;
        list->column[list->columns++] = (column)k;
    }
    if (seen[X] && seen[Y]) return true;
    return pd_table_fail(t, 1,
                         "the column '%s' is missing (the first line names the columns, such as x,y,vx,vy,material)",
                         seen[X] ? "y" : "x");
}

static bool read_material(const list *list, const pd_table_cell *c, int32_t *material) {
    for (int m = 0; m < list->scene->material_count; m++) {
        *material = m;
        if (strcmp(c->text, list->scene->materials[m].name) == 0) return true;
    }
    return pd_table_fail(&list->table, c->column, "the scene has no material '%.64s'", c->text);
}

static bool read_cell(const list *list, column k, const pd_table_cell *c, pd_scene_particle *p) {
    const pd_table *t = &list->table;
    if (k == X) return pd_table_number(t, c, PD_FARTHEST, &p->position.x);
    if (k == Y) return pd_table_number(t, c, PD_FARTHEST, &p->position.y);
    if (k == VX) return pd_table_number(t, c, PD_FASTEST, &p->velocity.x);
    if (k == VY) return pd_table_number(t, c, PD_FASTEST, &p->velocity.y);
    return k != MATERIAL || read_material(list, c, &p->material);
}

static bool read_row(list *list, pd_scene_particle *p) {
    pd_table *t = &list->table;
    const char *row = t->at;
    pd_table_cell c = {.last = false};
    *p = (pd_scene_particle){.velocity = list->region->velocity, .material = list->region->material};
    int n = 0;
    for (; !c.last; n++) {
        if (!pd_table_next_cell(t, row, &c)) return false;
        if (n == list->columns) return pd_table_fail(t, c.column, "more cells than the first line names columns");
        if (!read_cell(list, list->column[n], &c, p)) return false;
    }
    if (n == list->columns) return true;
    return pd_table_fail(t, c.column, "the row ends before its '%s' (is the file cut short?)", names[list->column[n]]);
}

/* Adds the particle of the table's present row to the region. */
static bool add_row(list *list) {
    pd_table *t = &list->table;
    pd_region *region = list->region;
    if (region->count == PD_MAX_PARTICLES) return pd_table_fail(t, 1, "more than ten million particles (use fewer)");
    if (!PD_LIST_RESERVE(region->particles, list->capacity, region->count + 1)) {
        pd_fail(t->error, PD_ERROR_OUT_OF_MEMORY, "out of memory (close other programs)");
        return false;
    }
    return read_row(list, &region->particles[region->count]) && ++region->count > 0;
}

bool pd_placed_read_file(const char *path, const pd_scene *scene, pd_region *region, pd_error *error) {
    list list = {.scene = scene, .region = region};
    if (!pd_table_open(&list.table, path, error)) return false;
    bool fine = read_names(&list);
    while (fine && pd_table_next_row(&list.table)) fine = add_row(&list);
    if (fine && region->count == 0)
        fine = pd_table_fail(&list.table, 1, "the file has no particles (leave the region out)");
    pd_table_close(&list.table);
    return fine;
}
