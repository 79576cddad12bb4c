/* What programs rely on that embed the library: definitions with defaults, and structs that grow. */
#include "worlds.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

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
    def.threads = 0;
    must(pd_world_create(&world, &def, &error), &error);
    int cores = pd_world_threads(world);
    pd_world_destroy(world);
    def.threads = -2;
    must(pd_world_create(&world, &def, &error), &error);
    assert_int_equal(pd_world_threads(world), cores);
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

/* A program that was compiled with a smaller struct gets the members that it has, and nothing behind them. One with a larger
 * struct finds 0 in members that this version does not have. */
#define EXPECT_FILLED(type, call, compared)                                                                            \
    do {                                                                                                               \
        union {                                                                                                        \
            type value;                                                                                                \
            unsigned char bytes[sizeof(type) + 16];                                                                    \
        } whole, part;                                                                                                 \
        const size_t sizes[] = {offsetof(type, compared) + sizeof whole.value.compared, sizeof(type), sizeof part};    \
        memset(&whole, 0, sizeof whole);                                                                               \
        call(&whole.value, sizeof(type));                                                                              \
        for (int i = 0; i < 3; i++) {                                                                                  \
            memset(&part, 0xa5, sizeof part);                                                                          \
            call(&part.value, sizes[i]);                                                                               \
            assert_memory_equal(&part.value.compared, &whole.value.compared, sizeof whole.value.compared);             \
            for (size_t k = sizes[i]; k < sizeof part; k++) assert_int_equal(part.bytes[k], 0xa5);                     \
            for (size_t k = sizeof(type); k < sizes[i]; k++) assert_int_equal(part.bytes[k], 0);                       \
        }                                                                                                              \
    } while (0)

static void test_structs_of_other_sizes(void **state) {
    (void)state;
    pd_world *world = world_of_text(TEXT, 1);
    pd_world_step(world);
#define VIEW(view, size)             pd_world_fill_view(world, view, size)
#define STATISTICS(statistics, size) pd_world_fill_statistics(world, statistics, size)
    EXPECT_FILLED(pd_view, VIEW, x);
    EXPECT_FILLED(pd_view, VIEW, time);
    EXPECT_FILLED(pd_statistics, STATISTICS, particles);
    EXPECT_FILLED(pd_statistics, STATISTICS, max_speed);
    pd_world_destroy(world);
}

/* The elements of an array lie as far apart as the program has them. */
static void test_costs_of_other_sizes(void **state) {
    (void)state;
    pd_world *world = world_of_text(TEXT, 1);
    pd_world_step(world);
    pd_substep_cost costs[PD_MAX_COSTS];
    struct {
        pd_substep_cost cost;
        uint64_t later;
    } larger[PD_MAX_COSTS];
    memset(larger, 0xa5, sizeof larger);
    int count = pd_world_substep_costs(world, costs);
    assert_true(count >= 2);
    assert_int_equal(pd_world_fill_substep_costs(world, &larger[0].cost, sizeof larger[0]), count);
    for (int i = 0; i < count; i++) {
        assert_string_equal(larger[i].cost.key, costs[i].key);
        assert_int_equal(larger[i].cost.substeps, costs[i].substeps);
        assert_int_equal(larger[i].later, 0);
    }
    pd_world_destroy(world);
}

/* Each table of a method, by accessors. */
static void test_tables_of_methods(void **state) {
    (void)state;
    for (int m = 0; m < pd_method_count(); m++) {
        const pd_method_info *method = pd_method_at(m);
        pd_error error;
        for (int i = 0; i < method->parameter_count; i++) {
            const pd_parameter *parameter = pd_method_parameter_at(method, i);
            must(pd_parameter_check(parameter, parameter->default_value, &error), &error);
        }
        for (int i = 0; i < method->view_count; i++)
            assert_ptr_equal(pd_method_find_view(method, pd_method_view_at(method, i)->name),
                             pd_method_view_at(method, i));
        for (int i = 0; i < method->number_count; i++) assert_true(*pd_method_number_at(method, i)->title != 0);
        pd_scene scene = scene_of_text(TEXT);
        snprintf(scene.method, sizeof scene.method, "%s", method->name);
        pd_world *world = world_of(&scene, 1);
        pd_view view;
        pd_world_view(world, &view);
        assert_int_equal(view.field_count, method->field_count);
        for (int i = 0; i < view.field_count; i++) {
            assert_string_equal(view.fields[i]->info.name, pd_method_field_at(method, i)->name);
            assert_ptr_equal(pd_view_field(&view, view.fields[i]->info.name), view.fields[i]);
        }
        pd_world_destroy(world);
        pd_scene_free(&scene);
    }
}

static void test_reserved_room_of_a_scene(void **state) {
    (void)state;
    pd_scene scene = scene_of_text(TEXT);
    assert_int_equal(offsetof(pd_scene, reserved) + sizeof scene.reserved, sizeof scene);
    for (size_t i = 0; i < sizeof scene.reserved / sizeof *scene.reserved; i++) assert_null(scene.reserved[i]);
    pd_scene_free(&scene);
}

/* ---- Faults of the program ---- */

static void expect_code(pd_result result, const pd_error *error, pd_error_code code, const char *says) {
    assert_int_equal(result, PD_BAD_INPUT);
    assert_int_equal(error->code, code);
    assert_string_equal(error->message, says);
}

static void test_wrong_lists(void **state) {
    (void)state;
    const int lists[] = {-1, 42, PD_LISTS};
    for (int i = 0; i < 3; i++) {
        pd_scene_list list = (pd_scene_list)lists[i];
        pd_scene scene = scene_of_text(TEXT);
        pd_drain drain = pd_drain_default();
        pd_error error;
        char says[64];
        snprintf(says, sizeof says, "no list %d (use a pd_scene_list)", lists[i]);
        expect_code(pd_scene_add_item(&scene, list, &drain, sizeof drain, &error), &error, PD_ERROR_USAGE, says);
        expect_code(pd_scene_set_item(&scene, list, 0, &drain, sizeof drain, &error), &error, PD_ERROR_USAGE, says);
        expect_code(pd_scene_remove_item(&scene, list, 0, &error), &error, PD_ERROR_USAGE, says);
        pd_scene_free(&scene);
    }
}

static void test_wrong_properties(void **state) {
    (void)state;
    pd_world *world = world_of_text(TEXT, 1);
    const int properties[] = {-1, 99, PD_PROPERTIES};
    for (int i = 0; i < 6; i++) {
        int property = properties[i % 3];
        pd_command command = {PD_COMMAND_PROPERTY, .is.property = {0, (pd_property)property, 1}};
        pd_error error;
        char says[64];
        snprintf(says, sizeof says, "no property %d (use a pd_property)", property);
        expect_code(pd_world_set_property(world, 0, (pd_property)property, 1, &error), &error, PD_ERROR_USAGE, says);
        expect_code(pd_world_apply(world, &command, &error), &error, PD_ERROR_USAGE, says);
        assert_true(isnan(pd_world_property(world, 0, (pd_property)property)));
        for (int m = 0; m < pd_method_count(); m++)
            assert_int_equal(pd_method_parameter_of_property(pd_method_at(m), property), -1);
    }
    pd_world_destroy(world);
}

static void test_commands_that_a_log_lacks(void **state) {
    (void)state;
    pd_world *world = world_of_text(TEXT, 1);
    pd_log *log;
    pd_command gravity = {PD_COMMAND_GRAVITY, .is.gravity = {0, 1}};
    pd_error error;
    must(pd_log_create(&log, world, &error), &error);
    must(pd_log_do(log, world, &gravity, &error), &error);
    expect_code(pd_log_seek_command(log, world, -7, &error), &error, PD_ERROR_USAGE, "no command -7 (the log has 1)");
    expect_code(pd_log_seek_command(log, world, 1, &error), &error, PD_ERROR_USAGE, "no command 1 (the log has 1)");
    must(pd_log_seek_command(log, world, 0, &error), &error);
    pd_log_destroy(log);
    pd_world_destroy(world);
}

static void test_results_that_are_not_wanted(void **state) {
    (void)state;
    pd_world *world = world_of_text(TEXT, 1), *read;
    pd_log *log;
    pd_error error;
    double x = 1, y = 1;
    pd_world_impulse_on_obstacle(world, -1, &x, NULL);
    pd_world_impulse_on_obstacle(world, -1, NULL, &y);
    assert_true(x == 0 && y == 0);
    must(pd_log_create(&log, world, &error), &error);
    must(pd_log_write(log, world, 0, "embedding.log", &error), &error);
    pd_log_destroy(log);
    pd_world_def def = {.size = sizeof def, .threads = 1};
    must(pd_log_read(&log, &read, "embedding.log", &def, NULL, &error), &error);
    assert_true(pd_world_hash(read) == pd_world_hash(world));
    pd_log_destroy(log);
    pd_world_destroy(read);
    pd_world_destroy(world);
    remove("embedding.log");
}

/* Calls with an index that does not exist end the program; argument: a world. */
typedef void wrong_call(pd_world *world);
static void ask_for_property(pd_world *world) { (void)world, (void)pd_property_at(99); }
static void ask_for_default(pd_world *world) {
    pd_drain drain;
    (void)world, pd_item_default((pd_scene_list)42, &drain, sizeof drain);
}
static void ask_for_material(pd_world *world) { (void)world, (void)pd_ready_material_at(-1); }
static void ask_for_scaled_material(pd_world *world) { (void)pd_world_ready_material(world, 99); }
static void ask_for_method(pd_world *world) { (void)world, (void)pd_method_at(99); }
static void ask_for_parameter(pd_world *world) { (void)pd_method_parameter_at(pd_world_method(world), -1); }
static void ask_for_command(pd_world *world) {
    pd_log *log;
    if (pd_log_create(&log, world, NULL) == PD_OK) (void)pd_log_command(log, 0, NULL);
}

static void expect_end(wrong_call *call, pd_world *world, const char *says) {
    char text[512] = "";
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        call(world);
        _exit(0);
    }
    close(ends[1]);
    for (size_t length = 0; length < sizeof text - 1;) {
        ssize_t got = read(ends[0], text + length, sizeof text - 1 - length);
        if (got <= 0) break;
        length += (size_t)got;
    }
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_string_equal(text, says);
}

static void test_wrong_indices_end_the_program(void **state) {
    (void)state;
    pd_world *world = world_of_text(TEXT, 1);
    expect_end(ask_for_property, world, "puddle: pd_property_at failed: no property 99 (use 0 to 6)\n");
    expect_end(ask_for_default, world, "puddle: pd_item_default failed: no list 42 (use 0 to 9)\n");
    expect_end(ask_for_material, world, "puddle: pd_ready_material_at failed: no material -1 (use 0 to 8)\n");
    expect_end(ask_for_scaled_material, world, "puddle: pd_world_ready_material failed: no material 99 (use 0 to 8)\n");
    expect_end(ask_for_method, world, "puddle: pd_method_at failed: no method 99 (use 0 to 5)\n");
    expect_end(ask_for_command, world, "puddle: pd_log_command failed: no command 0 (there are none)\n");
    char says[96];
    snprintf(says, sizeof says, "puddle: pd_method_parameter_at failed: no parameter -1 (use 0 to %d)\n",
             pd_world_method(world)->parameter_count - 1);
    expect_end(ask_for_parameter, world, says);
    pd_world_destroy(world);
}

TEST_GROUP(embedding) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_of_a_definition),
        cmocka_unit_test(test_sizes_of_a_definition),
        cmocka_unit_test(test_structs_of_other_sizes),
        cmocka_unit_test(test_costs_of_other_sizes),
        cmocka_unit_test(test_tables_of_methods),
        cmocka_unit_test(test_reserved_room_of_a_scene),
        cmocka_unit_test(test_wrong_lists),
        cmocka_unit_test(test_wrong_properties),
        cmocka_unit_test(test_commands_that_a_log_lacks),
        cmocka_unit_test(test_results_that_are_not_wanted),
        cmocka_unit_test(test_wrong_indices_end_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
