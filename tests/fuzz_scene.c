/* Fuzzer of scene files: any bytes are read or refused with a message of one line. A scene that was read passes the
 * check of scenes built in C, can be written and read again, and can be stepped with every method. */
#include "fuzz.h"

#include <ctype.h>
#include <glob.h>

enum { MOST_TEXT = 16384, MOST_PARTICLES = 150 };

/* ---- One input ---- */

/* Larger emissions in a step are valid, but take more time and memory than a fuzzer has. */
static bool is_small(const pd_scene *scene) {
    double sent = 0;
    for (int i = 0; i < scene->emitter_count; i++) sent += (double)scene->emitters[i].rate * (double)scene->dt;
    return sent < 1000;
}

/* Finer grids are valid too. */
static void coarsen(pd_scene *scene, const char *method) {
    char key[PD_MAX_KEY];
    int at, index;
    float value = 24;
    snprintf(key, sizeof key, "%s.resolution", method);
    if (pd_parameter_find(key, &at, &index, NULL) != PD_OK) return;
    for (int i = 0; i < scene->setting_count; i++)
        if (strcmp(scene->settings[i].key, key) == 0 && scene->settings[i].value < value) return;
    pd_scene_set(scene, key, value, NULL);
}

/* Vortons as far apart as those cells: at the finest there are a million in a container, which take seconds a step. */
static void coarsen_vortons(pd_scene *scene) {
    const pd_container *c = &scene->container;
    float side = c->shape == PD_CONTAINER_BOX ? fminf(c->width, c->height) : 2 * c->radius, least = side * 1.4f / 24;
    if (c->shape == PD_CONTAINER_NONE) return;
    for (int i = 0; i < scene->setting_count; i++)
        if (strcmp(scene->settings[i].key, "vortex.core") == 0 && scene->settings[i].value > least) return;
    pd_scene_set(scene, "vortex.core", fminf(fmaxf(least, 1e-4f), 10), NULL);
}

/* Steps the scene, with at most MOST_PARTICLES, by every method. */
static void run_worlds(pd_scene *scene) {
    pd_error error;
    int most = MOST_PARTICLES, made = 0;
    if (scene->particles > 0 && scene->particles < MOST_PARTICLES) most = scene->particles;
    if (pd_scene_set_particles(scene, most, &error) != PD_OK) {
        fuzz_expect_told(&error);
        return;
    }
    if (!is_small(scene)) return;
    for (int m = 0; m < pd_method_count(); m++) {
        pd_world *world;
        snprintf(scene->method, sizeof scene->method, "%s", pd_method_at(m)->name);
        coarsen(scene, scene->method);
        coarsen_vortons(scene);
        if (pd_world_create(&world, scene, 1, &error) != PD_OK) {
            fuzz_expect_told(&error);
            continue;
        }
        made++;
        fuzz_step(world);
        pd_world_destroy(world);
    }
    fuzz_count.reached += made > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    pd_scene scene, again;
    pd_error error;
    fuzz_begin();
    if (pd_scene_read_text((const char *)bytes, size, "fuzz", &scene, &error) != PD_OK) {
        fuzz_expect_told(&error);
        return 0;
    }
    fuzz_count.read++;
    if (pd_scene_check(&scene, &error) != PD_OK) fuzz_fail(error.message);
    char *text;
    size_t length;
    if (pd_scene_write_text(&scene, &text, &length, &error) != PD_OK) fuzz_fail(error.message);
    if (pd_scene_read_text(text, length, "written", &again, &error) != PD_OK) fuzz_fail(error.message);
    pd_scene_free(&again);
    free(text);
    run_worlds(&scene);
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
    {"hex", "grid", "random"},
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
        const pd_parameter *p = &info->parameters[fuzz_pick((size_t)info->parameter_count)];
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

/* Replaces the text by one of the bundled scenes. */
static void read_bundled(document *d) {
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
    if (pd_scene_read_text(d->text, d->size, "mutation", &scene, NULL) != PD_OK) return false;
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
