/* Bodies by mouse in the window: drawn, dragged, thrown, joined, changed in the panel, erased, undone, saved, replayed. */
#include "window.h"

#include "log/log.h"
#include <puddle/puddle.h>

static const char *const POOL =
    "puddle: 1\nname: Pool\nmethod: sph\ngravity: [0, -1.6]\ncontainer: {shape: box, width: 2, height: 2}\n"
    "regions: [{shape: box, center: [0, -0.7], size: [2, 0.6]}]\n";
static const char *const WINDOW[] = {"pool.yaml", "--size",  "600x600",   "--view", "sprites", "--particles", "300",
                                     "--json",    "--stats", "stats.csv", "--log",  "log",     NULL};
/* The middle of the picture without a panel, which is that of the screen. */
enum { MIDDLE_X = 512, MIDDLE_Y = 384 };

static void open_pool(program *program) {
    open_scene(program, POOL, WINDOW);
    await_steps(3);
}

static char saved[64]; /* path of the scene that was saved last */

static pd_scene saved_scene(program *program) {
    static int number;
    pd_scene scene;
    pd_error error;
    snprintf(saved, sizeof saved, "pool-%04d.yaml", ++number);
    save_file(program, saved);
    if (pd_scene_read(saved, &scene, &error) != PD_OK) fail_msg("%s", error.message);
    return scene;
}

static void expect_counts(program *program, int bodies, int joints) {
    pd_scene scene = saved_scene(program);
    assert_int_equal(scene.body_count, bodies);
    assert_int_equal(scene.joint_count, joints);
    pd_scene_free(&scene);
}

static void expect_replay(int threads) {
    pd_log *log;
    pd_world *world;
    pd_error error;
    pd_world_def def = pd_world_def_default();
    def.threads = threads;
    if (pd_log_read(&log, &world, "log", &def, NULL, &error) != PD_OK) fail_msg("%s", error.message);
    assert_true(pd_log_end_tick(log) > 0);
    assert_int_equal(pd_log_seek(log, world, pd_log_end_tick(log), &error), PD_OK);
    assert_true(pd_log_first_divergence(log) == PD_LOG_NEVER);
    pd_log_destroy(log);
    pd_world_destroy(world);
}

/* While paused: bodies of all shapes, joints by drag and click, the eraser, undo and redo; saved and opened again as they were.
 * Then time runs, and the log replays on 1, 2 and 3 threads. */
static void test_draw_join_erase(void **state) {
    (void)state;
    program program;
    open_pool(&program);
    hand("key space");
    await_line(&program, "Paused");
    press(&program, "o", "Body: circle");
    drag_over(MIDDLE_X - 150, MIDDLE_Y, MIDDLE_X - 120, MIDDLE_Y);
    await_line(&program, "\"New\"");
    press(&program, "o", "Body: box");
    drag_over(MIDDLE_X - 40, MIDDLE_Y - 20, MIDDLE_X + 60, MIDDLE_Y + 20);
    await_line(&program, "\"New\"");
    press(&program, "o", "Body: polygon");
    at("mousedown 1", MIDDLE_X + 120, MIDDLE_Y - 60);
    for (int k = 1; k <= 6; k++) at("", MIDDLE_X + 120 + 20 * k, MIDDLE_Y - 60);
    for (int k = 1; k <= 4; k++) at("", MIDDLE_X + 240, MIDDLE_Y - 60 + 20 * k);
    for (int k = 1; k <= 3; k++) at("", MIDDLE_X + 240 - 20 * k, MIDDLE_Y + 20 - 20 * k);
    hand("mouseup 1");
    await_line(&program, "\"New\"");
    press(&program, "j", "Joint: hinge");
    at("click 1", MIDDLE_X + 150, MIDDLE_Y - 50);
    assert_non_null(strstr(await_line(&program, "\"New\""), "hinge"));
    press(&program, "j", "Joint: rope");
    drag_over(MIDDLE_X - 150, MIDDLE_Y, MIDDLE_X - 30, MIDDLE_Y);
    assert_non_null(strstr(await_line(&program, "\"New\""), "rope"));
    press(&program, "j", "Joint: weld");
    press(&program, "j", "Joint: motor");
    drag_over(MIDDLE_X + 10, MIDDLE_Y, MIDDLE_X + 10, MIDDLE_Y - 150);
    assert_non_null(strstr(await_line(&program, "\"New\""), "motor"));
    pd_scene scene = saved_scene(&program);
    assert_true(scene.body_count == 3 && scene.joint_count == 3);
    assert_true(scene.bodies[2].area.shape == PD_SHAPE_POLYGON && scene.bodies[2].area.point_count >= 4);
    assert_string_equal(scene.joints[1].bodies[0], "circle 1");
    assert_string_equal(scene.joints[1].bodies[1], "box 1");
    assert_string_equal(scene.joints[2].bodies[0], "box 1"); /* the body that the motor turns comes first */
    assert_string_equal(scene.joints[2].bodies[1], "world");
    pd_scene_free(&scene);
    press(&program, "F6", "Erase: fluid");
    press(&program, "F6", "Erase: objects");
    at("click 1", MIDDLE_X + 150, MIDDLE_Y - 50); /* the pin, and not the body below */
    assert_non_null(strstr(await_line(&program, "\"Removed\""), "hinge"));
    at("click 1", MIDDLE_X - 165, MIDDLE_Y); /* with its rope */
    assert_non_null(strstr(await_line(&program, "\"Removed\""), "body"));
    hand("key ctrl+z");
    await_line(&program, "Undone");
    expect_counts(&program, 3, 2);
    hand("key ctrl+y");
    await_line(&program, "Redone");
    expect_counts(&program, 2, 1);
    hand("key space");
    await_line(&program, "Running");
    await_steps(30);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    for (int threads = 1; threads <= 3; threads++) expect_replay(threads);
}

/* The hand pulls a body out of its place and throws it: it flies on. The tool Body pulls a body instead of drawing over it. The
 * scene that is saved has the body where it is, and opens again. */
static void test_drag_and_throw(void **state) {
    (void)state;
    program program;
    open_pool(&program);
    press(&program, "o", "Body: circle");
    drag_over(MIDDLE_X - 150, MIDDLE_Y - 100, MIDDLE_X - 120, MIDDLE_Y - 100);
    await_line(&program, "\"New\"");
    hand("key space");
    await_line(&program, "Paused");
    pd_scene scene = saved_scene(&program);
    const float metre = 30 / scene.bodies[0].area.radius; /* in pixels */
    pd_vec2 place = scene.bodies[0].area.center;
    pd_scene_free(&scene);
    int x = MIDDLE_X + (int)(metre * place.x), y = MIDDLE_Y - (int)(metre * place.y);
    at("mousedown 1", x, y); /* with the tool Body */
    hand("key space");
    await_line(&program, "Running");
    for (int k = 1; k <= 10; k++) {
        at("", x + 15 * k, y - (k < 5 ? 4 * k : 20));
        await_steps(1);
    }
    hand("mouseup 1");
    await_steps(4);
    scene = saved_scene(&program);
    assert_int_equal(scene.body_count, 1);
    assert_true(scene.bodies[0].velocity.x > 0.2f);
    assert_true(scene.bodies[0].area.center.x > place.x + 0.3f);
    const float radius = scene.bodies[0].area.radius;
    pd_scene_free(&scene);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_true(logged(" tool move ") > 4);
    for (int threads = 1; threads <= 3; threads++) expect_replay(threads);
    const char *again[] = {saved, "--size", "600x600", "--view", "sprites", "--json", NULL};
    open_window(&program, again);
    hand("key space");
    await_line(&program, "Paused");
    pd_scene opened = saved_scene(&program);
    assert_true(opened.body_count == 1 && opened.bodies[0].area.radius == radius);
    assert_string_equal(opened.bodies[0].name, "circle 1");
    pd_scene_free(&opened);
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* The panel changes the selected body: its name, density and friction. The pointer that rests on the body shows its values. */
static void test_panel_and_values(void **state) {
    (void)state;
    program program;
    open_pool(&program);
    hand("key space");
    await_line(&program, "Paused");
    press(&program, "o", "Body: circle");
    drag_over(MIDDLE_X - 100, MIDDLE_Y - 40, MIDDLE_X - 70, MIDDLE_Y - 40);
    await_line(&program, "\"New\"");
    hand("key Tab");
    rectangle density = place_of(&program, "Density");
    at("keydown ctrl click 1 keyup ctrl", density.x + density.width / 2, middle_y(density));
    hand("key ctrl+a type 2.5");
    hand("key Return");
    rectangle never = place_of(&program, "Never turns");
    at_middle("click 1", never);
    rectangle name = place_of(&program, "Body name");
    at_middle("click 1", name);
    hand("key ctrl+a type buoy");
    hand("key Return");
    pd_scene scene = saved_scene(&program);
    assert_string_equal(scene.bodies[0].name, "buoy");
    assert_true(scene.bodies[0].density == 2.5f && scene.bodies[0].fixed_angle);
    const float x = scene.bodies[0].area.center.x, y = scene.bodies[0].area.center.y;
    pd_scene_free(&scene);
    hand("key Tab");
    press(&program, "i", "Values at the pointer");
    rectangle picture = place_of(&program, "Picture");
    float metre = (float)picture.height / 2.1f;
    at("", middle_x(picture) + (int)(metre * x), middle_y(picture) - (int)(metre * y));
    const char *values = await_line(&program, "body_mass");
    assert_non_null(strstr(values, "body_speed"));
    assert_non_null(strstr(values, "body_force"));
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

TEST_GROUP(window_bodies) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_draw_join_erase, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_drag_and_throw, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_panel_and_values, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
