/* Reads files of particles: comma-separated values as --state writes them. */
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "scene/placed.h"
#include "scene/schema.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const size_t LARGEST_FILE = (size_t)2 << 30; /* bytes: ten million particles have half of it */

typedef enum column { X, Y, VX, VY, MATERIAL, ID, MASS, DENSITY, COLUMNS } column;
static const char *const names[COLUMNS] = {"x", "y", "vx", "vy", "material", "id", "mass", "density"};

typedef struct table {
    const char *path;
    const pd_scene *scene;
    pd_region *region;
    pd_error *error;
    char *at; /* the next character */
    int line, capacity;
    column column[COLUMNS]; /* by place in a row */
    int columns;
} table;

/* A cell of a row, its text cut off by a zero character. */
typedef struct cell {
    char *text;
    int column; /* where it begins, from 1 */
    bool last;  /* of its row */
} cell;

__attribute__((format(printf, 3, 4))) static bool fail_at(const table *t, int column, const char *format, ...) {
    char text[256];
    size_t length = strlen(t->path), most = 240;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pd_fail(t->error, PD_ERROR_SCENE_VALUE, "%s%s:%d:%d: %s", length > most ? "..." : "",
            t->path + (length > most ? length - most : 0), t->line, column, text);
    return false;
}

/* Takes the next cell of the row that begins at `row`. A quoted one loses its quotes. */
static bool next_cell(table *t, const char *row, cell *c) {
    char *to = t->at, end;
    c->text = to;
    c->column = (int)(t->at - row) + 1;
    if (*t->at == '"') {
        for (t->at++; *t->at && *t->at != '\n' && (*t->at != '"' || t->at[1] == '"'); *to++ = *t->at++)
            t->at += *t->at == '"';
        if (*t->at != '"') return fail_at(t, c->column, "a quote is left open (close it)");
        t->at++;
    } else {
        to = t->at += strcspn(t->at, ",\r\n");
    }
    if (t->at[0] == '\r' && t->at[1] == '\n') t->at++;
    end = *t->at;
    if (end && end != ',' && end != '\n')
        return fail_at(t, (int)(t->at - row) + 1, "a character between a cell and the comma (leave it out)");
    t->at += end != '\0';
    *to = '\0';
    c->last = end != ',';
    return true;
}

static bool read_names(table *t) {
    const char *row = t->at;
    bool seen[COLUMNS] = {false};
    cell c = {.last = false};
    while (!c.last) {
        if (!next_cell(t, row, &c)) return false;
        int k = 0;
        while (k < COLUMNS && strcmp(c.text, names[k]) != 0) k++;
        if (k == COLUMNS)
            return fail_at(
                t, c.column,
                "the column '%.40s' is not one of particles (known: x, y, vx, vy, material, id, mass, density)",
                c.text);
        if (seen[k]) return fail_at(t, c.column, "the column '%s' comes twice (keep one)", c.text);
        seen[k] = true;
        t->column[t->columns++] = (column)k;
    }
    if (seen[X] && seen[Y]) return true;
    return fail_at(t, 1, "there is no column '%s' (the first line names the columns, such as x,y,vx,vy,material)",
                   seen[X] ? "y" : "x");
}

static bool read_number(const table *t, const cell *c, double most, float *value) {
    double number;
    if (!*c->text) return fail_at(t, c->column, "a number is missing");
    if (!pd_text_number(c->text, &number)) return fail_at(t, c->column, "'%.40s' is not a number", c->text);
    if (!(fabs(number) <= most)) return fail_at(t, c->column, "%.40s is too large", c->text);
    *value = (float)number;
    return true;
}

static bool read_material(const table *t, const cell *c, int32_t *material) {
    for (int m = 0; m < t->scene->material_count; m++) {
        *material = m;
        if (strcmp(c->text, t->scene->materials[m].name) == 0) return true;
    }
    return fail_at(t, c->column, "the scene has no material '%.64s'", c->text);
}

static bool read_cell(const table *t, column k, const cell *c, pd_scene_particle *p) {
    if (k == X) return read_number(t, c, PD_FARTHEST, &p->position.x);
    if (k == Y) return read_number(t, c, PD_FARTHEST, &p->position.y);
    if (k == VX) return read_number(t, c, PD_FASTEST, &p->velocity.x);
    if (k == VY) return read_number(t, c, PD_FASTEST, &p->velocity.y);
    return k != MATERIAL || read_material(t, c, &p->material);
}

static bool read_row(table *t, pd_scene_particle *p) {
    const char *row = t->at;
    cell c = {.last = false};
    *p = (pd_scene_particle){.velocity = t->region->velocity, .material = t->region->material};
    int n = 0;
    for (; !c.last; n++) {
        if (!next_cell(t, row, &c)) return false;
        if (n == t->columns) return fail_at(t, c.column, "more cells than the first line names columns");
        if (!read_cell(t, t->column[n], &c, p)) return false;
    }
    if (n == t->columns) return true;
    return fail_at(t, c.column, "the row ends before its '%s' (is the file cut short?)", names[t->column[n]]);
}

/* The row at t->at becomes a particle. */
static bool add_row(table *t) {
    pd_region *region = t->region;
    if (region->count == PD_MAX_PARTICLES) return fail_at(t, 1, "more than ten million particles (use fewer)");
    if (region->count == t->capacity) {
        int capacity = t->capacity ? 2 * t->capacity : 1024;
        pd_scene_particle *larger = realloc(region->particles, (size_t)capacity * sizeof *larger);
        if (!larger) {
            pd_fail(t->error, PD_ERROR_OUT_OF_MEMORY, "out of memory (close other programs)");
            return false;
        }
        region->particles = larger;
        t->capacity = capacity;
    }
    return read_row(t, &region->particles[region->count]) && ++region->count > 0;
}

bool pd_placed_read_file(const char *path, const pd_scene *scene, pd_region *region, pd_error *error) {
    void *text;
    size_t length;
    if (pd_file_read(path, LARGEST_FILE, &text, &length, error) != PD_OK) return false;
    table t = {.path = path, .scene = scene, .region = region, .error = error, .at = text, .line = 1};
    const char *end = (char *)text + length;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) t.at += 3; /* a byte order mark */
    bool fine = strlen(text) == length || fail_at(&t, 1, "it has a zero character (it is not a text)");
    fine = fine && read_names(&t);
    for (t.line++; fine && t.at < end; t.line++) {
        if (strspn(t.at, "\r\n") > 0) /* an empty line */
            t.at += t.at[0] == '\r' && t.at[1] == '\n' ? 2 : 1;
        else
            fine = add_row(&t);
    }
    if (fine && region->count == 0) fine = fail_at(&t, 1, "there are no particles (leave the region out)");
    free(text);
    return fine;
}
