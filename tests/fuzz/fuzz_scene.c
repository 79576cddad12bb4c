/* Fuzzer of scene files: any bytes are read or refused with a message of one line. A scene that was read passes the
 * check of scenes built in C, can be written and read again, and can be stepped with every method. Scenes may name files
 * of particles, of cells and of pictures. */
#include "fuzz.h"

#include <ctype.h>
#include <glob.h>

enum { MOST_TEXT = 16384, MOST_PARTICLES = 150 };

/* ---- One input ---- */

/* Stands for the decoders of the program, which have a fuzzer of their own. */
static pd_result read_picture(const char *path, pd_bitmap *picture, pd_error *error) {
    (void)path;
    (void)error;
    static const uint8_t pixels[] = {255, 0, 0, 255, 0, 0, 0, 0,   0, 0,   255, 255,
                                     255, 0, 0, 128, 9, 9, 9, 200, 0, 255, 0,   255};
    *picture = (pd_bitmap){30, 20, 3, 2, malloc(sizeof pixels)};
    if (!picture->rgba) fuzz_fail("out of memory");
    memcpy(picture->rgba, pixels, sizeof pixels);
    return PD_OK;
}

/* The files that scenes name, beside the file of the scene. */
static void write_files(void) {
    static bool written;
    if (written) return;
    written = true;
    static const char particles[] =
        "id,material,x,y,vx,vy\n0,water,0.1,0.2,0,-1\n1,water,-0.1,0.25,0.5,0\n2,water,0,0,0,0\n";
    static const char cells[] =
        "i,j,u,v,water\n0,0,0,0,1\n1,0,0.5,0,0\n2,0,0,0,0.5\n0,1,0,0.1,0\n1,1,0,0,1\n2,1,0,0,0\n";
    fuzz_write_file("particles.csv", particles, sizeof particles - 1);
    fuzz_write_file("cells.csv", cells, sizeof cells - 1);
    pd_scene_set_picture_reader(read_picture);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    pd_scene scene;
    pd_error error;
    fuzz_begin();
    write_files();
    fuzz_write_file("scene.yaml", bytes, size);
    if (pd_scene_read(fuzz_path("scene.yaml"), &scene, &error) != PD_OK) {
        fuzz_expect_message(&error);
        return 0;
    }
    fuzz_count.read++;
    fuzz_expect_written_again(&scene);
    fuzz_run_worlds(&scene);
    pd_scene_free(&scene);
    return 0;
}

/* ---- Mutations after which the text is still YAML ---- */

typedef struct document {
    char text[MOST_TEXT + 1];
    size_t size;
} document;

/* Replaces the bytes from .. to by `length` bytes of `with`; does nothing if there is no room. */
static void replace(document *d, size_t from, size_t to, const char *with, size_t length) {
    if (d->size - (to - from) + length > MOST_TEXT) return;
    memmove(d->text + from + length, d->text + to, d->size - to);
    memcpy(d->text + from, with, length);
    d->size += length - (to - from);
    d->text[d->size] = '\0';
}

/* Chooses at random one of the tokens (a character for which `begins` is true, and those after it for which is_of is):
 * it begins at *from and ends before *to. */
static bool find_token(const document *d, bool (*is_of)(int), bool (*begins)(int), size_t *from, size_t *to) {
    size_t found = 0;
    for (size_t i = 0; i < d->size; i++) {
        if (!begins((unsigned char)d->text[i]) || (i > 0 && is_of((unsigned char)d->text[i - 1]))) continue;
        size_t end = i + 1;
        while (end < d->size && is_of((unsigned char)d->text[end])) end++;
        found++;
        if (fuzz_pick(found) == 0) { /* reservoir sampling: each with the same probability */
            *from = i;
            *to = end;
        }
        i = end - 1;
    }
    return found > 0;
}

static bool of_number(int c) { return isalnum(c) || c == '.' || c == '-' || c == '+' || c == '_' || c == '#'; }
static bool begins_number(int c) { return isdigit(c) || c == '-' || c == '.'; }
static bool of_word(int c) { return isalnum(c) || c == '_' || c == '#'; }
static bool begins_word(int c) { return isalpha(c) != 0; }

static void change_number(document *d) {
    static const char *const numbers[] = {"0",      "-0",         "1",           "-1",         "1e-38",
                                          "1e38",   "-1e38",      "nan",         "inf",        "1e-45",
                                          "1e9999", "0.5",        "0.001",       "1000",       "100000",
                                          "1e6",    "1e7",        "-1e6",        "1e-6",       "1e-3",
                                          "2",      "3",          "16",          "4096",       "360",
                                          "-90",    "2147483647", "-2147483648", "4294967296", "18446744073709551615",
                                          "1e4",    "10",         "0.1",         "0.01"};
    size_t from, to;
    char text[64];
    if (!find_token(d, of_number, begins_number, &from, &to)) return;
    double value = strtod(d->text + from, NULL);
    static const double factors[] = {-1, 0.5, 2, 0.1, 10, 0.9, 1.1, 0.01, 100};
    if (fuzz_pick(2))
        snprintf(text, sizeof text, "%s", numbers[fuzz_pick(sizeof numbers / sizeof *numbers)]);
    else
        snprintf(text, sizeof text, "%g", value * factors[fuzz_pick(sizeof factors / sizeof *factors)]);
    replace(d, from, to, text, strlen(text));
}

/* A word is replaced by another of its row: most results are still valid scenes. */
static const char *const words[][12] = {
    {"circle", "box", "ellipse", "polyline", "polygon", "none"},
    {"ddr", "sph", "pbf", "grid", "vortex", "flip"},
    {"true", "false", "null", "yes", "on"},
    {"hex", "grid", "random", "rings"},
    {"viscosity", "elasticity", "plasticity", "yield", "stickiness", "mass", "color"},
    {"radius", "size", "width", "height", "thickness", "spacing", "count", "density", "amount"},
    {"center", "position", "velocity", "direction", "points"},
    {"speed", "spin", "turn", "angle", "rate", "factor", "from", "until", "to", "between", "circulation", "core"},
    {"regions", "obstacles", "emitters", "drains", "attractions", "changes", "vortons", "materials"},
    {"gravity", "dt", "substeps", "seed", "particles", "container", "method", "name", "puddle"},
    {"stiffness", "near_stiffness", "rest_density", "linear_viscosity", "quadratic_viscosity", "radius", "xsph",
     "viscosity", "iterations", "prediction", "damping", "vorticity"},
    {"left", "right", "bottom", "top", "inflow", "outflow", "slip", "auto"},
};
enum { WORD_ROWS = sizeof words / sizeof *words, WORDS_A_ROW = sizeof *words / sizeof **words };

static void change_word(document *d) {
    size_t from, to, row = fuzz_pick(WORD_ROWS);
    if (!find_token(d, of_word, begins_word, &from, &to)) return;
    for (size_t r = 0; r < WORD_ROWS; r++)
        for (size_t w = 0; w < WORDS_A_ROW && words[r][w]; w++)
            if (strlen(words[r][w]) == to - from && memcmp(words[r][w], d->text + from, to - from) == 0) row = r;
    size_t count = 0;
    while (count < WORDS_A_ROW && words[row][count]) count++;
    const char *word = words[row][fuzz_pick(count)];
    replace(d, from, to, word, strlen(word));
}

/* Where line number `line` begins and ends, its line feed included. */
static void line_at(const document *d, size_t line, size_t *from, size_t *to) {
    *from = 0;
    for (; line > 0 && *from < d->size; line--) {
        while (*from < d->size && d->text[*from] != '\n') ++*from;
        if (*from < d->size) ++*from;
    }
    for (*to = *from; *to < d->size && d->text[*to] != '\n';) ++*to;
    if (*to < d->size) ++*to;
}

static size_t count_lines(const document *d) {
    size_t lines = 0;
    for (size_t i = 0; i < d->size; i++) lines += d->text[i] == '\n';
    return lines;
}

static void change_lines(document *d) {
    static document copy;
    size_t lines = count_lines(d), a, a_end, b, b_end;
    line_at(d, fuzz_pick(lines), &a, &a_end);
    line_at(d, fuzz_pick(lines), &b, &b_end);
    memcpy(copy.text, d->text + a, a_end - a);
    switch (fuzz_pick(3)) {
    case 0:
        replace(d, a, a_end, "", 0);
        break;
    case 1:
        replace(d, b, b, copy.text, a_end - a);
        break;
    default: /* swaps them: the later line, what is between them, the earlier line */
        if (b < a_end) return;
        memcpy(copy.text, d->text + b, b_end - b);
        memmove(copy.text + (b_end - b), d->text + a_end, b - a_end);
        memcpy(copy.text + (b_end - b) + (b - a_end), d->text + a, a_end - a);
        memcpy(d->text + a, copy.text, b_end - a);
    }
}

/* Adds a key in braces or at the top level. */
static void add_key(document *d) {
    static const char *const inside[] = {
        "viscosity: 20, ", "elasticity: 3000, ", "plasticity: 8, ", "yield: 0.05, ",       "stickiness: 400, ",
        "mass: 1.3, ",     "fill: random, ",     "fill: grid, ",    "velocity: [1, -2], ", "count: 50, ",
        "spacing: 0.05, ", "spin: 90, ",         "turn: 0.3, ",     "angle: 30, ",         "until: 2, ",
        "from: 0.01, ",    "rate: 60, ",         "slip: false, "};
    static const char *const top_level[] = {
        "obstacles: [{shape: polyline, points: [[-0.5, 0], [0.4, -0.3], [0.5, 0]], thickness: 0.02, spin: 60}]\n",
        "obstacles: [{shape: polygon, points: [[-0.5, 0], [0.4, -0.3], [0.1, 0], [0.5, 0.2]], angle: 20, spin: 60}]\n",
        "obstacles: [{shape: box, center: [0, 0], size: [0.5, 0.05], spin: 90, turn: 0.2, velocity: [1, 0]}]\n",
        "drains: [{shape: circle, center: [0, -0.5], radius: 0.3}]\n",
        "emitters: [{position: [0, 0.5], direction: [0.1, -1], speed: 1, width: 0.2, rate: 200}]\n",
        "vortons: [{position: [0, 0.1], circulation: 1, core: 0.1}]\n",
        "dt: 0.05\n",
        "substeps: 1\n",
        "seed: 7\n",
        "gravity: [10000, -10000]\n",
        "container: {shape: none}\n",
        "cells: {size: 0.2, file: cells.csv}\n",
        "regions: [{shape: particles, file: particles.csv, spacing: 0.1}]\n",
        "container: {shape: box, width: 1, height: 0.5}\n"};
    if (fuzz_pick(2)) {
        const char *line = top_level[fuzz_pick(sizeof top_level / sizeof *top_level)];
        char begin[32];
        snprintf(begin, sizeof begin, "\n%.*s", (int)(strcspn(line, ":") + 1), line);
        if (!strstr(d->text, begin)) replace(d, d->size, d->size, line, strlen(line));
        return;
    }
    size_t found = 0, at = 0;
    for (size_t i = 0; i < d->size; i++) {
        if (d->text[i] != '{') continue;
        found++;
        if (fuzz_pick(found) == 0) at = i + 1;
    }
    const char *key = inside[fuzz_pick(sizeof inside / sizeof *inside)];
    if (found) replace(d, at, at, key, strlen(key));
}

/* Replaces the scene's parameters by some of one method, with values at the ends of their ranges or anywhere between.
 * */
static void set_parameters(document *d) {
    char text[512];
    const pd_method_info *info = pd_method_at((int)fuzz_pick((size_t)pd_method_count()));
    size_t length = (size_t)snprintf(text, sizeof text, "\nparameters: {%s: {", info->name);
    for (size_t i = 0, count = 1 + fuzz_pick(3); i < count; i++) {
        const pd_parameter *p = pd_method_parameter_at(info, fuzz_pick((size_t)info->parameter_count));
        char value[64];
        float number = p->minimum + (p->maximum - p->minimum) * (float)fuzz_pick(1000) / 1000;
        if (fuzz_pick(3) == 0) number = fuzz_pick(2) ? p->minimum : p->maximum;
        pd_parameter_format(p, number, value, sizeof value);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s: %s", i ? ", " : "", p->key, value);
    }
    length += (size_t)snprintf(text + length, sizeof text - length, "}}\n");
    char *there = strstr(d->text, "\nparameters:");
    size_t from = there ? (size_t)(there - d->text) : d->size, to = from;
    if (there) /* with the indented lines that follow */
        for (to++; to < d->size; to++)
            if (d->text[to] == '\n' && !isspace((unsigned char)d->text[to + 1])) break;
    replace(d, from, to, text, length);
}

/* Replaces the text by one of the bundled scenes, or by one whose fluid is in files. */
static void read_bundled(document *d) {
    static const char of_files[] =
        "puddle: 1\nmethod: grid\ncontainer: {shape: box, width: 2, height: 1}\nparticles: 60\n"
        "materials:\n  water: {color: '#3a8fff'}\n  ink: {color: '#000000', mass: 1.5}\n"
        "cells: {size: 0.25, center: [0, 0], file: cells.csv}\n";
    static const char *const regions[] = {
        "regions:\n- {shape: particles, file: particles.csv, spacing: 0.05, material: ink}\n",
        "regions:\n- {shape: image, file: picture.png, center: [0.1, 0], size: [0.8, 0], material: ink}\n",
        "regions:\n- {shape: image, file: picture.png, size: [0.5, 0.5]}\n- {shape: box, size: [0.2, 0.1]}\n"};
    if (fuzz_pick(4) == 0) {
        d->size = 0;
        replace(d, 0, 0, of_files, sizeof of_files - 1);
        const char *region = regions[fuzz_pick(sizeof regions / sizeof *regions)];
        replace(d, d->size, d->size, region, strlen(region));
        return;
    }
    static glob_t found;
    if (!found.gl_pathc && glob(PUDDLE_SCENES "/*.yaml", 0, NULL, &found)) fuzz_fail("no scenes in " PUDDLE_SCENES);
    FILE *file = fopen(found.gl_pathv[fuzz_pick(found.gl_pathc)], "rb");
    if (!file) fuzz_fail("cannot read a scene");
    d->size = fread(d->text, 1, MOST_TEXT, file);
    d->text[d->size] = '\0';
    fclose(file);
}

static bool is_scene(const document *d) {
    pd_scene scene;
    write_files();
    fuzz_write_file("mutation.yaml", d->text, d->size);
    if (pd_scene_read(fuzz_path("mutation.yaml"), &scene, NULL) != PD_OK) return false;
    pd_scene_free(&scene);
    return true;
}

static void change(document *d) {
    size_t kind = fuzz_pick(20);
    if (kind < 8)
        change_number(d);
    else if (kind < 11)
        change_word(d);
    else if (kind < 14)
        change_lines(d);
    else if (kind < 17)
        add_key(d);
    else if (kind < 19)
        set_parameters(d);
    else {
        d->size = LLVMFuzzerMutate((uint8_t *)d->text, d->size, MOST_TEXT);
        d->text[d->size] = '\0';
    }
}

/* Makes one to three changes. In three of four inputs, changes after which the text is not a valid scene are undone, so
 * that most inputs reach a world; the others test the errors of the reader. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
    static document d, before;
    fuzz_state = seed * 2654435761u + 1;
    fuzz_pick(1);
    d.size = size < MOST_TEXT ? size : MOST_TEXT;
    memcpy(d.text, bytes, d.size);
    d.text[d.size] = '\0';
    bool careful = fuzz_pick(4) > 0;
    if (fuzz_pick(40) == 0 || (careful && !is_scene(&d))) read_bundled(&d);
    for (size_t i = 0, changes = 1 + fuzz_pick(3); i < changes; i++) {
        before.size = d.size;
        memcpy(before.text, d.text, d.size + 1);
        change(&d);
        if (careful && !is_scene(&d)) d = before;
    }
    if (d.size > most) d.size = most;
    memcpy(bytes, d.text, d.size);
    return d.size;
}
