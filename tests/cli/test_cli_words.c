/* Words of the command line: commands and suggestions, help, listings, all mistakes of a scene, digits of numbers. */
#include "command.h"

#include "cli/flags.h"

#include <math.h>

static void misspelt_commands_are_suggested(void **state) {
    (void)state;
    static const char *const words[][2] = {{"rnu drop --steps 3", "unknown command 'rnu' (did you mean 'run'?"},
                                           {"rendr", "unknown command 'rendr' (did you mean 'render'?"},
                                           {"lsit methods", "unknown command 'lsit' (did you mean 'list'?"},
                                           {"chek drop", "did you mean 'check'?"},
                                           {"bnch", "did you mean 'bench'?"},
                                           {"drp", "unknown scene 'drp': no file and no bundled scene"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) assert_error(words[i][0], 2, words[i][1]);
    write_text("rnu", "puddle: 2\n"); /* a file of this name is a scene */
    assert_error("rnu", 2, "this is format version 2");
}

static void the_version_is_a_command(void **state) {
    (void)state;
    assert_int_equal(run("--version"), 0);
    char *version = strdup(out);
    assert_int_equal(run("version"), 0);
    assert_string_equal(err, "");
    assert_string_equal(out, version);
    free(version);
}

/* A reader that needs only the beginning, as `| head`: the pipe is closed before the first write. Whatever is printed, the run ends
 * without a message, and its other files are complete. */
static void a_closed_pipe_is_silent(void **state) {
    (void)state;
    static const char *const commands[] = {
        "list flags --json",
        "--help",
        "check drop",
        "run drop --steps 1 --particles 100",
        "run drop --seconds 1e6 --particles 100 --stats - --save a.puddle",
        "run drop --steps 1 --particles 100 --quiet --save /dev/stdout",
        "render drop -o - --frames 100000 --particles 100 --size 32x32 --save b.puddle"};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[1], 9), 9); /* a shell reads one digit */
    close(ends[0]), close(ends[1]);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "%s >&9", commands[i]);
        int code = run(arguments);
        if (code != 128 + SIGPIPE || *err) fail_msg("puddle %s: exit code %d, %s", commands[i], code, err);
    }
    close(9);
    assert_true(exists("a.puddle") && exists("b.puddle"));
}

static void help_has_examples_and_defaults(void **state) {
    (void)state;
    for (int c = 0; c < command_count; c++) {
        char arguments[128], example[128];
        snprintf(arguments, sizeof arguments, "%s --help", commands[c].name);
        snprintf(example, sizeof example, "\nExample%s:\n  puddle %s\n", *commands[c].name ? "" : "s",
                 commands[c].example);
        assert_int_equal(run(arguments), 0);
        if (!strstr(out, example)) fail_msg("puddle %s has no '%s'", arguments, example);
    }
    assert_int_equal(run("render --help"), 0);
    static const char *const defaults[] = {"1280x720", "high", "the scene's, or 1", "all cores", "scene", "8"};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        char text[64];
        snprintf(text, sizeof text, "(default: %s)", defaults[i]);
        if (!strstr(out, text)) fail_msg("render --help has no %s", text);
    }
    assert_int_equal(run("--help"), 0);
    assert_non_null(strstr(out, "size of the window (default: 1280x800)"));
    /* The explanations of all flags begin in the same column. */
    char *from = strstr(out, "  --method"), *to = strstr(out, "\nExamples:");
    assert_true(from && to);
    long column = strstr(from, "computing") - from;
    for (char *line = from; line < to; line += strcspn(line, "\n") + 1)
        assert_true(line[column - 1] == ' ' && line[column] != ' ');
}

/* The place of a column in a line, by characters of UTF-8 instead of bytes; the end of a shorter line. */
static const char *at_column(const char *line, long column) {
    for (; *line && *line != '\n'; line++)
        if ((*line & 0xc0) != 0x80 && column-- == 0) break;
    return line;
}

/* The last column of a listing begins at the same place in every row. */
static void assert_aligned(const char *what, const char *heading) {
    char arguments[64];
    snprintf(arguments, sizeof arguments, "list %s", what);
    assert_int_equal(run(arguments), 0);
    const char *found = strstr(out, heading);
    assert_non_null(found);
    long column = found - out;
    int rows = 0;
    for (const char *line = out; *line; line += strcspn(line, "\n") + 1, rows++)
        if (*at_column(line, column - 1) != ' ' || strchr(" \n", *at_column(line, column)))
            fail_msg("list %s: '%.*s'", what, (int)strcspn(line, "\n"), line);
    assert_true(rows > 8);
}

static void listings_are_aligned(void **state) {
    (void)state;
    assert_aligned("flags", "meaning");
    assert_aligned("views", "picture");
    assert_aligned("keys", "Drag the fluid");
}

static void scenes_are_described_as_a_whole(void **state) {
    (void)state;
    assert_int_equal(run("list scenes"), 0);
    assert_non_null(strstr(strstr(out, "\ncoalescence "), "Try:")); /* the description's second sentence */
    cJSON *json = parse_output("list scenes --json");
    assert_non_null(strstr(cJSON_GetObjectItem(cJSON_GetArrayItem(json, 0), "about")->valuestring, "Try:"));
    cJSON_Delete(json);
}

static const char MISTAKES[] = "puddle: 1\n"
                               "nam: x\n"
                               "dt: -1\n"
                               "container: {shape: box, width: -2, height: 1, radius: 3}\n"
                               "materials:\n"
                               "  water: {color: \"#000000\", mass: 0}\n"
                               "  water: {color: \"#000000\"}\n"
                               "  oil: {colour: \"#ffffff\"}\n"
                               "regions:\n"
                               "  - {shape: circle, center: [0, 0.3], radius: -0.4, material: oil}\n"
                               "  - {shape: circel, center: [0, 0.3]}\n"
                               "  - {shape: box, center: [0, 0.3], material: wine}\n"
                               "obstacles: [{shape: polygon, points: [[0, 0], [1, 1]]}, {shape: box, size: [0, 1]}]\n"
                               "parameters: {ddr: {stiffness: soft, stifness: 2}, dddr: {}, flip: {resolution: 1.5}}\n"
                               "emitters: 3\n";

/* Lines and columns of the mistakes above, and words of their messages, in the order of the file. */
static const char *const places[] = {
    "2:1: unknown key of the scene: 'nam' (did you mean 'name'?",
    "3:5: 'dt' is '-1' (allowed: 1e-06 to 1)",
    "4:32: 'width' is '-2' (allowed: 1e-06 to 1000000)",
    "4:47: 'radius' does not go with shape 'box'",
    "6:35: 'mass' is '0' (allowed: ",
    "7:3: the material 'water' comes twice",
    "8:9: unknown key of the material: 'colour' (did you mean 'color'?",
    "10:47: 'radius' is '-0.4'",
    "11:13: unknown shape 'circel'",
    "12:5: the 'box' region has no 'size'",
    "12:46: unknown material 'wine' (known: water, oil)",
    "13:38: a polygon of 2 points (allowed: three or more)",
    "13:57: the 'box' obstacle has no 'center'",
    "13:77: 'size' is '0'",
    "14:31: 'ddr.stiffness' is 'soft' (allowed: a number, ",
    "14:37: unknown parameter 'ddr.stifness'",
    "14:51: unknown method 'dddr'",
    "14:80: resolution is 1.5",
    "15:11: 'emitters' is '3' (allowed: a list; [] for none)",
};
enum { PLACES = sizeof places / sizeof *places };

static void check_reports_all_mistakes(void **state) {
    (void)state;
    write_text("bad.yaml", MISTAKES);
    assert_int_equal(run("check bad.yaml drop"), 2);
    const char *line = err;
    for (int i = 0; i < PLACES; i++, line += strcspn(line, "\n") + 1) {
        char expected[160];
        snprintf(expected, sizeof expected, "bad.yaml:%s", places[i]);
        if (strncmp(line, expected, strlen(expected)) != 0) fail_msg("'%.100s', expected '%s'", line, expected);
    }
    assert_int_equal(*line, '\0');
    assert_string_equal(out, "drop: ok (2 regions, 4000 particles)\n");
    assert_int_equal(run("check bad.yaml --json"), 2);
    cJSON *json = cJSON_Parse(out), *scene = cJSON_GetArrayItem(json, 0),
          *errors = cJSON_GetObjectItem(scene, "errors");
    assert_int_equal(cJSON_GetArraySize(errors), PLACES);
    assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(errors, 0), "error")->valuestring,
                        cJSON_GetObjectItem(scene, "error")->valuestring);
    assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(errors, 1), "item")->valuestring, "SCENE_VALUE");
    cJSON_Delete(json);
    assert_error("run bad.yaml --steps 1", 2, "bad.yaml:2:1: unknown key"); /* other commands need only the first */
}

/* Mistakes that only a whole scene shows: places, and keys without effect. */
static void check_reports_mistakes_of_the_whole(void **state) {
    (void)state;
    static const char *const expected[] = {"3:", "3:", "5:", "6:", "7:"};
    write_text("whole.yaml", "puddle: 1\nmethod: ddr\n"
                             "container: {shape: box, width: 2, height: 1, walls: {left: {inflow: 2}}, slip: false}\n"
                             "regions:\n"
                             "  - {shape: circle, center: [5, 0.3], radius: 0.4}\n"
                             "  - {shape: circle, center: [0, 0], radius: 0.1, amount: 0.5}\n"
                             "  - {shape: circle, center: [-6, 0], radius: 0.1}\n");
    assert_int_equal(run("check whole.yaml"), 2);
    assert_int_equal(lines(err), 5);
    const char *line = err;
    for (int i = 0; i < 5; i++, line += strcspn(line, "\n") + 1)
        assert_int_equal(strncmp(line + strlen("whole.yaml:"), expected[i], 2), 0);
    /* A repeated key is read once: its first value counts. */
    write_text("twice.yaml", "puddle: 1\nobstacles:\n"
                             "  - {shape: polygon, points: [[0, 0], [1, 0], [0, 1]], points: [[0, 0], [1, 1]]}\n");
    assert_error("check twice.yaml", 2, "twice.yaml:3:56: the key 'points' comes twice (keep one)");
    /* A text that is no YAML has one mistake; a file with very many has at most 100, and a note. */
    write_text("broken.yaml", "puddle: 1\nname: [\n");
    assert_error("check broken.yaml", 2, "broken.yaml:3:1:");
    char *many = calloc(1, 20000);
    strcpy(many, "puddle: 1\n");
    for (int i = 0; i < 300; i++) sprintf(many + strlen(many), "key%d: 1\n", i);
    write_text("many.yaml", many);
    free(many);
    assert_int_equal(run("check many.yaml"), 2);
    assert_int_equal(lines(err), 101);
    assert_non_null(strstr(err, "puddle: 'many.yaml' may have more mistakes (correct these 100 first)"));
}

/* Every number has the fewest digits that read back as the same double. */
static void numbers_are_short(void **state) {
    (void)state;
    assert_int_equal(run("run drop --particles 300 --steps 5 --json"), 0);
    int numbers = 0;
    for (const char *c = out; *c; c++) {
        char text[40], shorter[400];
        size_t length = strspn(c, "-+.0123456789eE");
        bool begins = c > out && strchr("\t [", c[-1]) && length && length < sizeof text && strchr("-0123456789", *c);
        if (!begins) continue;
        snprintf(text, sizeof text, "%.*s", (int)length, c);
        double value = strtod(text, NULL);
        int digits = 0;
        for (const char *d = text; *d && *d != 'e'; d++) digits += *d >= '0' && *d <= '9';
        for (int k = 1; k < digits && fabs(value) >= 0.1 && fabs(value) < 1e6; k++) {
            snprintf(shorter, sizeof shorter, "%.*g", k, value);
            if (strlen(shorter) < length && strtod(shorter, NULL) == value) fail_msg("%s could be %s", text, shorter);
        }
        numbers++;
        c += length - 1;
    }
    assert_true(numbers > 15);
    /* 15 digits are not enough for the time of five steps, and 17 are not needed. */
    cJSON *json = cJSON_Parse(out);
    double time = cJSON_GetObjectItem(json, "time")->valuedouble;
    assert_true(time == 5 * (double)(float)0.016666667);
    cJSON_Delete(json);
}

static void one_is_singular(void **state) {
    (void)state;
    assert_int_equal(run("run drop --particles 300 --steps 1 --substeps 1"), 0);
    assert_non_null(strstr(out, ": 1 step, 300 particles, "));
    assert_non_null(strstr(out, " J/m, 1 substep, "));
    assert_int_equal(run("run drop --particles 300 --steps 2 --substeps 2"), 0);
    assert_non_null(strstr(out, ": 2 steps, "));
    assert_non_null(strstr(out, ", 2 substeps, "));
}

TEST_GROUP(cli_words) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misspelt_commands_are_suggested),
        cmocka_unit_test(the_version_is_a_command),
        cmocka_unit_test(a_closed_pipe_is_silent),
        cmocka_unit_test(help_has_examples_and_defaults),
        cmocka_unit_test(listings_are_aligned),
        cmocka_unit_test(scenes_are_described_as_a_whole),
        cmocka_unit_test(check_reports_all_mistakes),
        cmocka_unit_test(check_reports_mistakes_of_the_whole),
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(one_is_singular),
    };
    return cmocka_run_group_tests(tests, make_folder_without_display, remove_folder);
}
