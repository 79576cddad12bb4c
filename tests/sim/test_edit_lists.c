/* Editing lists that act at the beginning or on materials, while a world runs. */
#include "pools.h"

/* The pool with more fluid, in another shape, and a vorton. */
static void change_beginning(pd_scene *scene) {
    pd_error error;
    pd_region more = pd_region_default();
    more.area = (pd_area){.shape = PD_SHAPE_CIRCLE, .center = {0.5f, 0.3f}, .radius = 0.15f};
    more.material = 1;
    scene->particles = 0;
    scene->regions[0].count = 400;
    more.count = 900; /* more than there is memory for at first */
    must(pd_scene_add_region(scene, &more, &error), &error);
    must(pd_scene_add_vorton(scene, &(pd_vorton){{-0.5f, 0.3f}, 0.2f, 0.05f}, &error), &error);
    must(pd_scene_check(scene, &error), &error);
}

/* Changed regions and vortons leave the fluid as it is, and begin with a reset; log, undo and snapshots have them. */
static void the_next_reset_begins_with_changed_regions(void **state) {
    const char *method = *state, *path = "test_edit_regions.log";
    pd_error error;
    pd_log *log;
    pd_view view;
    char damage[PD_MAX_LOG_DAMAGE];
    pd_scene scene = pool_of(method), edited;
    scene.particles = 0;
    scene.regions[0].count = 500;
    pd_world *world = world_of(&scene, 2), *straight = world_of(&scene, 1), *again;
    pd_scene_free(&scene);
    must(pd_log_create(&log, world, &error), &error);
    step_log(log, world, 5);
    step_many(straight, 5);
    edited = copy_of(world);
    change_beginning(&edited);
    must(log_edit(log, world, &edited, &error), &error);
    assert_int_equal(pd_world_scene(world)->region_count, 2);
    step_log(log, world, 5);
    step_many(straight, 5);
    pd_world_view(world, &view);
    int count = view.count;
    float *x = test_calloc((size_t)count + 1, sizeof *x);
    memcpy(x, view.x, (size_t)count * sizeof *x);
    pd_world_view(straight, &view);
    assert_int_equal(view.count, count);
    assert_memory_equal(view.x, x, (size_t)count * sizeof *x);
    test_free(x);
    expect_restorable(world, 1);
    pd_command reset = {.kind = PD_COMMAND_RESET};
    must(pd_log_do(log, world, &reset, &error), &error);
    if (is_of_particles(method_of(method))) assert_int_equal(pd_world_particles(world), 1300);
    expect_sound(world);
    step_log(log, world, 5);
    expect_restorable(world, 2);
    uint64_t hash = pd_world_hash(world);
    must(pd_log_write(log, world, 0, path, &error), &error);
    pd_log *read;
    must(read_log_with_threads(&read, &again, path, 3, damage, &error), &error);
    must(pd_log_seek(read, again, pd_log_end_tick(read), &error), &error);
    assert_true(pd_log_first_divergence(read) == PD_LOG_NEVER && pd_world_hash(again) == hash);
    must(pd_log_undo(log, world, &error), &error);
    must(pd_log_undo(log, world, &error), &error);
    assert_int_equal(pd_world_scene(world)->region_count, 1);
    step_log(log, world, 5);
    assert_true(pd_world_hash(world) == pd_world_hash(straight));
    pd_log_destroy(read);
    pd_log_destroy(log);
    pd_world_destroy(again);
    pd_world_destroy(straight);
    pd_world_destroy(world);
    remove(path);
}

/* A change that an edit adds changes materials from then on, and one that it removes no longer does. */
static void changes_act_from_then_on(void **state) {
    pd_error error;
    pd_view view;
    pd_world *world = world_in_pool(*state, 1, 3);
    pd_scene scene = copy_of(world);
    pd_change change = pd_change_default();
    change.area = (pd_area){.shape = PD_SHAPE_BOX, .size = {4, 4}};
    change.to = 1;
    must(pd_scene_add_change(&scene, &change, &error), &error);
    must(pd_scene_add_attraction(&scene, &(pd_attraction){{0, 1}, 0.5f}, &error), &error);
    must(edit_to(world, &scene, &error), &error);
    step_many(world, 1);
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) assert_int_equal(view.material[i], 1);
    scene = copy_of(world);
    scene.changes[0].from = 1;
    scene.changes[0].to = 0;
    must(pd_scene_remove_attraction(&scene, 0, &error), &error);
    must(edit_to(world, &scene, &error), &error);
    assert_int_equal(pd_world_scene(world)->attraction_count, 0);
    step_many(world, 1);
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) assert_int_equal(view.material[i], 0);
    scene = copy_of(world);
    must(pd_scene_remove_change(&scene, 0, &error), &error);
    must(edit_to(world, &scene, &error), &error);
    assert_int_equal(pd_world_scene(world)->change_count, 0);
    step_many(world, 2);
    expect_sound(world);
    pd_world_destroy(world);
}

/* An attraction has its effect in the step after the edit, as in a world that began with it. */
static void attractions_act_from_then_on(void **state) {
    (void)state;
    pd_error error;
    pd_scene scene = pool_of("ddr");
    pd_region oil = pd_region_default();
    oil.area = (pd_area){.shape = PD_SHAPE_BOX, .center = {0, 0.2f}, .size = {1, 0.2f}};
    oil.material = 1;
    must(pd_scene_add_region(&scene, &oil, &error), &error);
    pd_world *without = world_of(&scene, 1), *edited = world_of(&scene, 1);
    must(pd_scene_add_attraction(&scene, &(pd_attraction){{0, 1}, -3}, &error), &error);
    pd_world *with = world_of(&scene, 1);
    must(edit_to(edited, &scene, &error), &error);
    step_many(without, 20);
    step_many(edited, 20);
    step_many(with, 20);
    assert_true(pd_world_hash(edited) == pd_world_hash(with));
    assert_true(pd_world_hash(edited) != pd_world_hash(without));
    pd_world_destroy(without);
    pd_world_destroy(edited);
    pd_world_destroy(with);
}

TEST_GROUP(edit_lists) {
    const method_test tests[] = {
        OF_ALL(the_next_reset_begins_with_changed_regions),
        OF_ALL(changes_act_from_then_on),
        ONCE(attractions_act_from_then_on),
    };
    return RUN_METHOD_TESTS(tests);
}
