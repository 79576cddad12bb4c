/* What waits within a step: the scene that it leads to, what ends the step, and what is told about it. */
#include "logs.h"

static const char *const OILY =
    "puddle: 1\nname: Oily\nparticles: 60\nsubsteps: 2\ncontainer: {shape: box, width: 2, height: 1.2}\n"
    "materials: {water: {color: '#3a8fff'}, oil: {color: '#ffc040'}, honey: {color: '#c08000'}}\n"
    "regions: [{shape: box, center: [0, -0.2], size: [0.6, 0.4], material: water}]\n";

static pd_world *within(void) {
    pd_world *world = world_of_text(OILY, 1);
    pd_world_step(world);
    assert_false(pd_world_step_part(world, 0));
    return world;
}

static void complete(pd_world *world) {
    while (!pd_world_step_part(world, 0)) continue;
}

static void apply(pd_world *world, const pd_command *command) {
    pd_error error = {0};
    must(pd_world_apply(world, command, &error), &error);
}

/* Gives the edit that leads from the scene of the next step to another one, which is freed. */
static void become(pd_world *world, pd_scene *to) {
    pd_error error = {0};
    pd_command command;
    must(pd_command_edit(&command, pd_world_scene_of_next_step(world), to, &error), &error);
    apply(world, &command);
    pd_command_free(&command);
    pd_scene_free(to);
}

/* ---- The scene of the next step ---- */

static void material_that_is_removed_and_added(void **state) {
    (void)state;
    pd_world *world = within();
    pd_error error = {0};
    pd_scene scene, promised;
    must(pd_scene_copy(&scene, pd_world_scene_of_next_step(world), &error), &error);
    pd_material oil = scene.materials[1];
    must(pd_scene_remove_material(&scene, 1, &error), &error);
    become(world, &scene);
    must(pd_scene_copy(&scene, pd_world_scene_of_next_step(world), &error), &error);
    must(pd_scene_add_material(&scene, &oil, &error), &error);
    become(world, &scene);
    must(pd_scene_copy(&promised, pd_world_scene_of_next_step(world), &error), &error);
    complete(world);
    assert_int_equal(pd_world_scene(world)->material_count, promised.material_count);
    for (int m = 0; m < promised.material_count; m++)
        assert_string_equal(pd_world_scene(world)->materials[m].name, promised.materials[m].name);
    pd_scene_free(&promised);
    pd_world_destroy(world);
}

/* ---- The end of the step ---- */

/* The state of a world takes the place of the unfinished step and of what waits, as another scene does. */
static void state_within_a_step(void **state) {
    (void)state;
    const pd_command gravity = {PD_COMMAND_GRAVITY, .is.gravity = {3, 1}};
    pd_error error = {0};
    pd_command saved;
    for (int with_log = 0; with_log < 2; with_log++) {
        pd_world *world = world_of_text(OILY, 1);
        pd_log *log = log_of(world);
        uint64_t hash = pd_world_hash(world);
        must(pd_command_state(&saved, world, &error), &error);
        step(log, world);
        assert_false(pd_world_step_part(world, 0));
        must(with_log ? pd_log_do(log, world, &gravity, &error) : pd_world_apply(world, &gravity, &error), &error);
        must(with_log ? pd_log_do(log, world, &saved, &error) : pd_world_apply(world, &saved, &error), &error);
        assert_false(pd_world_stepping(world));
        assert_true(pd_world_hash(world) == hash);
        assert_null(pd_world_waiting_command(world, 0));
        step(log, world);
        hash = pd_world_hash(world);
        if (with_log) {
            must(pd_log_seek(log, world, 0, &error), &error);
            play_exactly(log, world, hash);
        }
        pd_command_free(&saved);
        discard(log, world);
    }
}

/* ---- What is told ---- */

/* The results of a step's commands are had until the next step is complete, also where nothing waits for that one. */
static void results_are_of_the_last_step(void **state) {
    (void)state;
    const pd_command gravity = {PD_COMMAND_GRAVITY, .is.gravity = {3, 1}};
    pd_error error = {0};
    for (int with_log = 0; with_log < 2; with_log++) {
        pd_world *world = world_of_text(OILY, 1);
        pd_log *log = log_of(world);
        assert_false(pd_world_step_part(world, 0));
        for (int k = 0; k < 2; k++) {
            must(with_log ? pd_log_do(log, world, &gravity, &error) : pd_world_apply(world, &gravity, &error), &error);
            complete(world);
            pd_log_end_step(log, world);
            assert_false(pd_world_step_part(world, 0));
            if (k == 0) assert_non_null(pd_world_next_command_result(world, &error));
        }
        complete(world);
        pd_log_end_step(log, world);
        assert_null(pd_world_next_command_result(world, &error));
        discard(log, world);
    }
}

TEST_GROUP(waiting_list) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(material_that_is_removed_and_added),
        cmocka_unit_test(state_within_a_step),
        cmocka_unit_test(results_are_of_the_last_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
