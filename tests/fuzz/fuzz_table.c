/* Fuzzer of files of particles and of cells: any bytes are read as the fluid of a scene, or refused with a message of one line.
 * The line about what was left out is text in UTF-8. What was read can be written as files and read again, to the same values, and can be stepped with every method. */
#include "fuzz.h"
#include "scene/content/cells.h"

enum { MOST_TEXT = 32768 };

#define MATERIALS                                                                                                      \
    "puddle: 1\nparticles: 30\nmaterials: {water: {color: '#3a8fff'}, 'oil, black': {color: '#000000', mass: 0.8}}\n"  \
    "container: {shape: box, width: 2, height: 1.5}\n"
static const char *const SCENES[] = {MATERIALS "regions: [{shape: particles, file: table.csv}]\n",
                                     MATERIALS "method: grid\ncells: {size: 0.1, file: table.csv}\n"};
enum { SCENE_COUNT = sizeof SCENES / sizeof *SCENES };

/* ---- One input ---- */

static bool same(const pd_scene *a, const pd_scene *b) {
    for (int r = 0; r < a->region_count; r++) {
        const pd_region *x = &a->regions[r], *y = &b->regions[r];
        if (x->count != y->count || memcmp(x->particles, y->particles, (size_t)x->count * sizeof *x->particles) != 0)
            return false;
    }
    size_t values = pd_cells_value_count(&a->cells);
    return values == pd_cells_value_count(&b->cells) &&
           (values == 0 || memcmp(a->cells.values, b->cells.values, values * sizeof *a->cells.values) == 0);
}

static void expect_line_about_the_file(const pd_scene *scene) {
    for (int r = 0; r < scene->region_count; r++)
        if (!pd_text_is_line(scene->regions[r].area.left_out, PD_MAX_LEFT_OUT))
            fuzz_fail("the line about what was left out is no line of text");
}

/* Writes the scene with its files and reads it again. */
static void expect_files_again(const pd_scene *scene) {
    pd_scene again;
    pd_error error;
    fuzz_require(pd_scene_write(scene, fuzz_path("again.yaml"), &error), &error);
    fuzz_require(pd_scene_read(fuzz_path("again.yaml"), &again, &error), &error);
    if (!same(scene, &again)) fuzz_fail("files of particles or cells read back as others");
    pd_scene_free(&again);
    remove(fuzz_path("again.yaml"));
    remove(fuzz_path("again.csv"));
    remove(fuzz_path("again-cells.csv"));
}

/* Reads one of the scenes, which name the file that has just been written. */
static pd_result read_scene(int number, pd_scene *scene, pd_error *error) {
    static const char *const names[SCENE_COUNT] = {"particles.yaml", "cells.yaml"};
    fuzz_write_file(names[number], SCENES[number], strlen(SCENES[number]));
    return pd_scene_read(fuzz_path(names[number]), scene, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    pd_error error;
    fuzz_begin();
    fuzz_write_file("table.csv", bytes, size);
    for (int i = 0; i < SCENE_COUNT; i++) {
        pd_scene scene;
        if (read_scene(i, &scene, &error) != PD_OK) {
            fuzz_expect_message(&error);
            continue;
        }
        fuzz_count.read++;
        expect_line_about_the_file(&scene);
        fuzz_expect_written_again(&scene);
        expect_files_again(&scene);
        fuzz_run_worlds(&scene);
        pd_scene_free(&scene);
    }
    return 0;
}

/* ---- Mutations ---- */

typedef struct table {
    char text[MOST_TEXT + 1];
    size_t size;
} table;

/* Replaces the bytes from .. to; does nothing if there is no room. */
static void replace(table *t, size_t from, size_t to, const char *with, size_t length) {
    if (t->size - (to - from) + length > MOST_TEXT) return;
    memmove(t->text + from + length, t->text + to, t->size - to);
    memcpy(t->text + from, with, length);
    t->size += length - (to - from);
    t->text[t->size] = '\0';
}

static void add(table *t, const char *text) { replace(t, t->size, t->size, text, strlen(text)); }

static void add_number(table *t, double number, const char *end) {
    char text[40];
    snprintf(text, sizeof text, "%.9g%s", number, end);
    add(t, text);
}

static void make_particles(table *t) {
    static const char *const names[] = {"x,y\n", "material,y,x\r\n", "id,material,x,y,vx,vy,mass,density\n"};
    size_t form = fuzz_pick(3);
    add(t, names[form]);
    for (size_t i = 0, rows = 1 + fuzz_pick(30); i < rows; i++) {
        if (form == 2) add_number(t, (double)i, ",");
        if (form > 0) add(t, fuzz_pick(2) ? "water," : "\"oil, black\",");
        add_number(t, 0.01 * (double)fuzz_pick(140) - 0.7, ",");
        add_number(t, 0.01 * (double)fuzz_pick(140) - 0.7, form == 2 ? ",0.1,-2,1,1.5\n" : form ? "\r\n" : "\n");
    }
}

/* Makes a table as other programs write it: one of the separators, with or without an index and names, decimal commas. */
static void make_foreign_particles(table *t) {
    static const char *const separators[] = {",", ";", "\t", " ", ", ", "  "};
    static const char *const names[][4] = {{"x", "y", "vx", "vy"},
                                           {"X [mm]", "Y (cm)", "U", "V"},
                                           {"\"Points:0\"", "\"Points:1\"", "\"velocity:0\"", "z"},
                                           {"pos_x", "Position.y", "a", "b"}};
    const char *separator = separators[fuzz_pick(6)];
    size_t form = fuzz_pick(6), index = fuzz_pick(2);
    bool commas = *separator != ',' && fuzz_pick(2);
    if (fuzz_pick(3) == 0) add(t, "# x y\n");
    for (size_t n = 0; n < 4 && form < 4; n++) {
        if (n == 0 && index) add(t, separator);
        add(t, names[form][n]);
        add(t, n < 3 ? separator : "\n");
    }
    for (size_t i = 0, rows = 1 + fuzz_pick(30); i < rows; i++) {
        if (index && form < 4) add_number(t, (double)i, separator);
        for (size_t n = 0; n < 4; n++) {
            size_t from = t->size;
            add_number(t, 0.01 * (double)fuzz_pick(140) - 0.7, "");
            for (; commas && from < t->size; from++)
                if (t->text[from] == '.') t->text[from] = ',';
            add(t, n < 3 ? separator : "\n");
        }
    }
}

static void make_cells(table *t) {
    static const char *const names[] = {"i,j,u,v\n", "i,j,u,v,\"oil, black\"\n", "i,j,u,v,\"oil, black\",water\n"};
    size_t dyes = fuzz_pick(3), columns = 1 + fuzz_pick(8), rows = 1 + fuzz_pick(8);
    add(t, names[dyes]);
    for (size_t k = 0; k < (columns + 1) * (rows + 1); k++) {
        add_number(t, (double)(k % (columns + 1)), ",");
        add_number(t, (double)(k / (columns + 1)), ",");
        add_number(t, 0.1 * (double)fuzz_pick(10), dyes ? ",-0.5," : ",-0.5\n");
        for (size_t d = 0; d < dyes; d++) add_number(t, 0.01 * (double)fuzz_pick(100), d + 1 < dyes ? "," : "\n");
    }
}

/* The bytes around an offset up to one of the separators on either side. */
static void find_between(const table *t, size_t at, const char *separators, size_t *from, size_t *to) {
    for (*from = at; *from > 0 && !strchr(separators, t->text[*from - 1]);) --*from;
    for (*to = at; *to < t->size && !strchr(separators, t->text[*to]);) ++*to;
}

static void change_cell(table *t) {
    static const char *const cells[] = {
        "0",          "-0",  "1",     "2",    "-1",    "0.5",  "1e-45",  "1e-38",   "1e38",     "1e999", "nan",
        "inf",        "1e6", "-1e4",  "0x10", "4096",  "4097", "water",  "",        "\"",       "\"\"",  "\"a\"",
        "1 ",         " 1",  "0.1.2", "id",   "x",     "y",    "vx",     "mass",    "i",        "j",     "u",
        "2147483648", "1,2", "\r",    "1e4",  "-1",    "1.5",  "vy",     "density", "material", "#",     "%",
        ";",          "\t",  "NaN",   "z",    "x [m]", "1,5",  "1.5D+0", "p"};
    size_t from, to;
    const char *cell = cells[fuzz_pick(sizeof cells / sizeof *cells)];
    find_between(t, fuzz_pick(t->size), ",;\t\n", &from, &to);
    replace(t, from, to, cell, strlen(cell));
}

/* Removes a row, or writes it once more at another place. */
static void change_row(table *t) {
    static table copy;
    size_t from, to, at, end;
    find_between(t, fuzz_pick(t->size), "\n", &from, &to);
    find_between(t, fuzz_pick(t->size), "\n", &at, &end);
    to += to < t->size;
    if (fuzz_pick(2)) {
        replace(t, from, to, "", 0);
        return;
    }
    memcpy(copy.text, t->text + from, to - from);
    replace(t, at, at, copy.text, to - from);
}

static void change(table *t) {
    size_t kind = fuzz_pick(10);
    if (kind < 6) {
        change_cell(t);
    } else if (kind < 9) {
        change_row(t);
    } else {
        t->size = LLVMFuzzerMutate((uint8_t *)t->text, t->size, MOST_TEXT);
        t->text[t->size] = '\0';
    }
}

static bool is_table(const table *t) {
    bool read = false;
    fuzz_write_file("table.csv", t->text, t->size);
    for (int i = 0; i < SCENE_COUNT && !read; i++) {
        pd_scene scene;
        read = read_scene(i, &scene, NULL) == PD_OK;
        if (read) pd_scene_free(&scene);
    }
    return read;
}

/* Makes up to three changes. In half of the inputs, changes after which the table cannot be read are undone; the others test the
 * errors of the readers. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
    static table t, before;
    fuzz_state = seed * 2654435761u + 1;
    fuzz_pick(1);
    bool careful = fuzz_pick(2) != 0;
    t.size = size < MOST_TEXT ? size : MOST_TEXT;
    memcpy(t.text, bytes, t.size);
    t.text[t.size] = '\0';
    if (size < 8 || fuzz_pick(20) == 0 || (careful && !is_table(&t))) {
        t.size = 0;
        size_t kind = fuzz_pick(4);
        if (kind == 0)
            make_particles(&t);
        else if (kind == 1)
            make_cells(&t);
        else
            make_foreign_particles(&t);
    }
    for (size_t i = 0, changes = fuzz_pick(4); i < changes; i++) {
        before = t;
        change(&t);
        if (careful && !is_table(&t)) t = before;
    }
    if (t.size > most) t.size = most;
    memcpy(bytes, t.text, t.size);
    return t.size;
}
