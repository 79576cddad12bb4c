/* Signals end a run in the middle of a step, however long it is. No times are asserted, only the number of steps. */
#include "desktop.h"
#include "folder.h"
#include "with_threads.h"

#include <cjson/cJSON.h>
#include <puddle/puddle.h>

static void write_scene(const char *text) {
    FILE *file = fopen("long.yaml", "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Waits until stats.csv has at least so many lines, including the heading. */
static void await_lines(int count) {
    await_file("stats.csv");
    for (double until = seconds_now() + DEADLINE;; short_pause()) {
        FILE *file = fopen("stats.csv", "r");
        int lines = 0;
        assert_non_null(file);
        for (int c = getc(file); c != EOF; c = getc(file)) lines += c == '\n';
        fclose(file);
        if (lines >= count) return;
        if (seconds_now() > until) fail_msg("stats.csv has %d lines, not %d", lines, count);
    }
}

/* What the program prints with --json once it has ended. */
static cJSON *result_of(program *program) {
    assert_int_not_equal(program_end(program), -1);
    cJSON *json = cJSON_Parse(program->heard);
    if (!json) fail_msg("not JSON: %s", program->heard);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(json, "interrupted")));
    assert_string_equal(errors_text(), "");
    return json;
}

static int steps_of(program *program) {
    cJSON *json = result_of(program);
    int steps = cJSON_GetObjectItem(json, "steps")->valueint;
    cJSON_Delete(json);
    return steps;
}

/* In the second step an emitter begins all of whose candidates are inside obstacles that overlap: for each a free
 * position is searched for, which takes long. */
static void test_emission_is_interrupted(void **state) {
    (void)state;
    static const int signals[] = {SIGTERM, SIGINT};
    write_scene("puddle: 1\ncontainer: {shape: box, width: 2, height: 2}\n"
                "obstacles:\n"
                "  - {shape: box, center: [0, 0], size: [5, 5]}\n"
                "  - {shape: box, center: [0, 0], size: [5, 5], angle: 40}\n"
                "  - {shape: box, center: [0, 0], size: [5, 5], angle: 80}\n"
                "emitters: [{position: [0, 0], direction: [0, -1], speed: 1, width: 1, rate: 1e7, from: 0.02}]\n");
    for (int i = 0; i < 2; i++) {
        program program;
        const char *arguments[] = {"run", "long.yaml", "--steps", "5", "--json", "--stats", "stats.csv", NULL};
        unlink("stats.csv");
        program_start(&program, arguments);
        await_lines(2);
        kill(program.pid, signals[i]);
        assert_int_equal(steps_of(&program), 1);
    }
}

/* The snapshot holds the last complete step: here the initial state, since the first step has 1,000 substeps of 100,000
 * particles. */
static void test_long_step_is_interrupted(void **state) {
    (void)state;
    write_scene("puddle: 1\ncontainer: {shape: box, width: 2, height: 2}\nsubsteps: 1000\nparticles: 100000\n"
                "regions: [{shape: box, center: [0, -0.5], size: [2, 1]}]\n");
    for (int saved = 0; saved < 2; saved++) {
        program program;
        const char *arguments[] = {"run",     "long.yaml", "--steps", "3",          "--json",
                                   "--stats", "stats.csv", "--save",  "end.puddle", NULL};
        if (!saved) arguments[7] = NULL;
        unlink("stats.csv");
        program_start(&program, arguments);
        await_lines(1);
        kill(program.pid, SIGTERM);
        assert_int_equal(steps_of(&program), 0);
        assert_int_equal(access("end.puddle", R_OK) == 0, saved);
    }
    pd_error error = {0};
    pd_world *world;
    if (load_with_threads(&world, "end.puddle", 1, &error) != PD_OK) fail_msg("%s", error.message);
    assert_int_equal(pd_world_particles(world), 100000);
    assert_int_equal(pd_world_steps(world), 0);
    pd_world_destroy(world);
}

TEST_GROUP(interrupt) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_emission_is_interrupted),
        cmocka_unit_test(test_long_step_is_interrupted),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
