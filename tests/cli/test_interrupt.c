/* Signals end a run in the middle of a step, however long it is. No times are asserted, only the number of steps. */
#include "process.h"
#include "with_threads.h"

#include <puddle/puddle.h>

/* Starts "run long.yaml --json ARGUMENTS", and sends a signal after so many rows of its statistics, with the heading. Returns the number
 * of steps that it reports. */
static int steps_until_signal(const char *arguments, int rows, int signal) {
    char command[256];
    snprintf(command, sizeof command, "run long.yaml --json --stats rows %s", arguments);
    make_pipe();
    pid_t child = start(command);
    FILE *stream = open_rows();
    read_rows(stream, rows);
    kill(child, signal);
    drain_rows(stream);
    assert_int_equal(finish(child), 128 + signal);
    assert_string_equal(err, "");
    cJSON *json = cJSON_Parse(out);
    if (!json) fail_msg("not JSON: %s", out);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(json, "interrupted")));
    int steps = cJSON_GetObjectItem(json, "steps")->valueint;
    cJSON_Delete(json);
    return steps;
}

/* The snapshot holds the last complete step: here the initial state, since the first step has 1,000 substeps of 20,000
 * particles. */
static void test_long_step_is_interrupted(void **state) {
    (void)state;
    write_text("long.yaml",
               "puddle: 1\ncontainer: {shape: box, width: 2, height: 2}\nsubsteps: 1000\nparticles: 20000\n"
               "regions: [{shape: box, center: [0, -0.5], size: [2, 1]}]\n");
    assert_int_equal(steps_until_signal("--steps 3", 1, SIGTERM), 0);
    assert_int_equal(steps_until_signal("--steps 3", 1, SIGINT), 0);
    assert_int_equal(steps_until_signal("--steps 3 --save end.puddle", 1, SIGTERM), 0);
    pd_error error = {0};
    pd_world *world;
    if (load_with_threads(&world, at("end.puddle"), 1, &error) != PD_OK) fail_msg("%s", error.message);
    assert_int_equal(pd_world_particles(world), 20000);
    assert_int_equal(pd_world_steps(world), 0);
    pd_world_destroy(world);
}

TEST_GROUP(interrupt) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_step_is_interrupted),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
