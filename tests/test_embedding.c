/* What programs rely on that embed the library: definitions with defaults, and structs that grow. */
#include "worlds.h"

static const char *const TEXT = "puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 0.5, count: 300}]\n";

static void expect_usage(pd_result result, const pd_error *error, const char *says, pd_world *const *world) {
    assert_int_equal(result, PD_BAD_INPUT);
    assert_int_equal(error->code, PD_ERROR_USAGE);
    assert_non_null(strstr(error->message, says));
    assert_null(*world);
}

static void test_defaults_of_a_definition(void **state) {
    (void)state;
    pd_error error;
    pd_world *world;
    pd_scene scene = scene_of_text(TEXT);
    pd_world_def def = pd_world_def_default();
    assert_int_equal(def.size, sizeof def);
    expect_usage(pd_world_create(&world, &def, &error), &error, "no scene", &world);
    def.scene = &scene;
    must(pd_world_create(&world, &def, &error), &error);
    assert_true(pd_world_threads(world) >= 1);
    pd_world_destroy(world);
    def.threads = 3;
    must(pd_world_create(&world, &def, &error), &error);
    assert_int_equal(pd_world_threads(world), 3);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* A definition that is not from pd_world_def_default(), or from a later version, whose members have no effect here. */
static void test_sizes_of_a_definition(void **state) {
    (void)state;
    pd_error error;
    pd_world *world;
    pd_log *log;
    char damage[PD_MAX_LOG_DAMAGE];
    pd_scene scene = scene_of_text(TEXT);
    world = world_of(&scene, 1);
    must(pd_log_create(&log, world, &error), &error);
    must(pd_log_write(log, world, 0, "embedding.log", &error), &error);
    pd_log_destroy(log);
    pd_world_destroy(world);
    const size_t sizes[] = {0, sizeof(pd_world_def) - 1, sizeof(pd_world_def) + 8};
    for (int i = 0; i < 3; i++) {
        pd_world_def def = {.size = sizes[i], .scene = &scene, .threads = 1};
        expect_usage(pd_world_create(&world, &def, &error), &error, "pd_world_def_default", &world);
        expect_usage(pd_world_load(&world, "nothing.puddle", &def, &error), &error, "pd_world_def_default", &world);
        expect_usage(pd_log_read(&log, &world, "embedding.log", &def, damage, &error), &error, "pd_world_def_default",
                     &world);
        assert_null(log);
    }
    remove("embedding.log");
    pd_scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_of_a_definition),
        cmocka_unit_test(test_sizes_of_a_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
