/* Scenes in the window: saving what it shows as a scene file, an empty container, and the browser. */
#include "window.h"

#include "worlds.h"

/* Positions, velocities and materials in two worlds, bit for bit; ids of b count anew in the order of those of a. */
static void expect_same_fluid(const pd_world *a, const pd_world *b) {
    pd_view one, two;
    pd_world_view(a, &one);
    pd_world_view(b, &two);
    assert_true(one.count > 0);
    assert_int_equal(one.count, two.count);
    for (int i = 0; i < one.count; i++) {
        int k = 0;
        uint32_t rank = 0;
        for (int n = 0; n < one.count; n++) rank += one.id[n] < one.id[i];
        while (two.id[k] != rank) k++;
        assert_true(one.x[i] == two.x[k] && one.y[i] == two.y[k] && one.vx[i] == two.vx[k] && one.vy[i] == two.vy[k]);
        assert_int_equal(one.material[i], two.material[k]);
    }
}

/* Ctrl+Shift+S next to Ctrl+S, of a scene whose obstacle the pointer has moved: both hold the same, and the scene opens again. */
static void test_what_is_shown_is_saved_as_a_scene(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"obstacles", SMALL, "--json", NULL};
    open_window(&program, arguments);
    hand("mousemove 512 384 mousedown 1 mousemove 560 420 mouseup 1 key Right key space");
    await_line(&program, "Paused");
    save_file(&program, "obstacles-0001.puddle");
    save_file(&program, "obstacles-0001.yaml");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    pd_error error = {0};
    pd_scene scene;
    pd_world *saved;
    if (load_with_threads(&saved, "obstacles-0001.puddle", 1, &error) != PD_OK) fail_msg("%s", error.message);
    if (pd_scene_read("obstacles-0001.yaml", &scene, &error) != PD_OK) fail_msg("%s", error.message);
    pd_world *read = world_of(&scene, 1);
    pd_scene_free(&scene);
    expect_same_fluid(saved, read);
    assert_true(pd_world_gravity(saved).y == pd_world_gravity(read).y);
    pd_world_destroy(saved);
    pd_world_destroy(read);
    const char *again[] = {"obstacles-0001.yaml", "--size", "480x480", "--view", "sprites", "--frames", "3", NULL};
    program_start(&program, again);
    assert_exit(&program, 0);
}

static int containers_with(const char *path, const char *text) {
    char command[256];
    snprintf(command, sizeof command, "grep -q 'container: %s' %s", text, path);
    return system(command);
}

/* Ctrl+N: by the keys, then by the mouse; the empty scene runs in all methods, and has water as its material. */
static void test_an_empty_container_begins(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"two-drops", SMALL, "--json", NULL}; /* in a circle of radius 1 */
    open_window(&program, arguments);
    at("", LEFT + SIDE / 2, TOP + SIDE / 2); /* rests on a row: only a pointer that moves chooses it */
    hand("key ctrl+n key Escape key ctrl+n");
    place_of(&program, "Begin");
    hand("key Right key Down key Right key Down key Left key Return");
    await_line(&program, "\"Empty\"");
    for (char key = '6'; key >= '1'; key--) {
        char press[16];
        snprintf(press, sizeof press, "key %c", key);
        hand(press);
        await_line(&program, "Method");
        hand("key v");
        await_line(&program, "View");
    }
    save_file(&program, "empty-0001.yaml");
    assert_int_equal(containers_with("empty-0001.yaml", "{shape: box, width: 2.5, height: 0.8, slip: true}"), 0);
    assert_int_not_equal(access("empty-0001.csv", F_OK), 0); /* there are no particles */
    hand("key ctrl+n");
    at_place(&program, "click 1", "Next Shape"); /* none */
    at_place(&program, "click 1", "Begin");
    await_line(&program, "\"Empty\"");
    save_file(&program, "empty-0002.yaml");
    assert_int_equal(containers_with("empty-0002.yaml", "{shape: none, slip: true}"), 0);
    hand("key ctrl+n key ctrl+q");
    assert_exit(&program, 0);
    pd_error error = {0};
    pd_scene scene;
    if (pd_scene_read("empty-0001.yaml", &scene, &error) != PD_OK) fail_msg("%s", error.message);
    assert_int_equal(scene.material_count, 1);
    assert_string_equal(scene.materials[0].name, "water");
    assert_int_equal(scene.region_count + scene.obstacle_count + scene.emitter_count, 0);
    assert_true(scene.setting_count > 0); /* the resolution, as values of the method */
    pd_scene_free(&scene);
}

/* The number behind these words in each line of the log has no more significant digits. */
static void expect_digits(const char *words, int digits) {
    static char line[1 << 18];
    FILE *log = fopen("log", "r");
    assert_non_null(log);
    while (fgets(line, sizeof line, log)) {
        const char *at = strstr(line, words);
        char text[32];
        if (!at) continue;
        float value = strtof(at + strlen(words), NULL);
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if (strtof(text, NULL) != value) fail_msg("%s", line);
    }
    fclose(log);
}

/* Presses in the dialog of a new container and beside it, both over sliders of the panel, which only the last drag moves. */
static void test_presses_in_a_dialog_are_not_for_the_panel(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"two-drops", "--size", "600x480", "--view", "sprites", "--particles",
                               "400",       "--json", "--log",   "log",    NULL};
    open_window(&program, arguments);
    open_advanced(&program);
    rectangle stiffness = place_of(&program, "Stiffness"), near = place_of(&program, "Near stiffness");
    rectangle below = place_of(&program, "Yield"); /* a slider below the dialog */
    hand("key ctrl+n");
    rectangle next = place_of(&program, "Next Shape"), begin = place_of(&program, "Begin");
    int inside = stiffness.x + 20, y = middle_y(stiffness);
    assert_in_range(inside, stiffness.x, next.x + next.width - 20);
    assert_true(begin.y + begin.height + 60 < below.y);
    at("mousedown 1", inside, y);
    at("mouseup 1 key Escape key ctrl+n", inside + 15, y);
    at_middle("mousedown 1", below);
    at("mouseup 1 key c", middle_x(below) - 10, middle_y(below)); /* closes the dialog */
    await_line(&program, "Palette");
    at_middle("mousedown 1", near);
    at("mouseup 1 key v", middle_x(near) - 10, middle_y(near));
    await_line(&program, "View");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_int_equal(logged("parameter ddr.stiffness") + logged("parameter ddr.yield"), 0);
    assert_true(logged("parameter ddr.near_stiffness") > 0);
    expect_digits("parameter ddr.near_stiffness ", 4); /* what a slider sets can be read */
}

/* Files dropped on the window: a scene, a picture that becomes fluid, a picture that becomes a body with the tool Body, and a file that
 * is none of these, which changes nothing. */
static void test_files_are_dropped(void **state) {
    (void)state;
    program program;
    pd_scene scene;
    pd_error error;
    const char *arguments[] = {"drop", SMALL, "--json", NULL};
    write_text("other.yaml", WATER_POOL);
    write_text("other.txt", "no scene");
    shell("convert -size 60x40 xc:white -fill red -draw 'circle 30,20 30,8' %s", "PNG24:red.png");
    open_window(&program, arguments);
    drop_file("other.yaml");
    assert_non_null(strstr(await_line(&program, "\"Scene\""), "Pool"));
    drop_file("red.png");
    await_line(&program, "\"Picture\"");
    press(&program, "o", "Body: circle");
    drop_file("red.png");
    await_line(&program, "\"New\"");
    drop_file("other.txt");
    await_line(&program, "other.txt");
    save_file(&program, "dropped.yaml");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    if (pd_scene_read("dropped.yaml", &scene, &error) != PD_OK) fail_msg("%s", error.message);
    assert_int_equal(scene.body_count, 1);
    pd_scene_free(&scene);
}

TEST_GROUP(window_scenes) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files_are_dropped, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_what_is_shown_is_saved_as_a_scene, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_an_empty_container_begins, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_presses_in_a_dialog_are_not_for_the_panel, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
