/* The tools that draw, move and erase walls, emitters and drains, used by mouse in the window. */
#include "window.h"

#include <puddle/puddle.h>

static const char *const POOL =
    "puddle: 1\nname: Pool\nmethod: flip\ngravity: [0, -1.6]\ncontainer: {shape: box, width: 2, height: 2}\n"
    "regions: [{shape: box, center: [0, -0.7], size: [2, 0.6]}]\n";
static const char *const WINDOW[] = {"pool.yaml", "--size",  "900x600",   "--view", "sprites", "--particles", "400",
                                     "--json",    "--stats", "stats.csv", "--log",  "log",     NULL};
/* The middle of the picture without a panel, which is that of the screen. */
enum { MIDDLE_X = 512, MIDDLE_Y = 384 };

static void open_pool(program *program) {
    open_scene(program, POOL, WINDOW);
    await_steps(3);
}

/* Saves the scene as it is now, and reads it. */
static pd_scene saved_scene(program *program, const char *stem) {
    char path[64];
    pd_scene scene;
    pd_error error;
    int number = 1;
    for (; snprintf(path, sizeof path, "%s-%04d.yaml", stem, number), access(path, F_OK) == 0;) number++;
    save_file(program, path);
    if (pd_scene_read(path, &scene, &error) != PD_OK) fail_msg("%s", error.message);
    return scene;
}

static int particles_of(const pd_scene *scene) { return scene->region_count > 0 ? scene->regions[0].count : 0; }

static void expect_items(program *program, int obstacles, int emitters, int drains) {
    pd_scene scene = saved_scene(program, "pool");
    assert_int_equal(scene.obstacle_count, obstacles);
    assert_int_equal(scene.emitter_count, emitters);
    assert_int_equal(scene.drain_count, drains);
    if (emitters + drains == 0) assert_int_equal(particles_of(&scene), 400);
    pd_scene_free(&scene);
}

static void undo(program *program) {
    hand("key ctrl+z");
    await_line(program, "Undone");
}

/* Walls through a pool: freehand, straight with Shift, a dot by a click, thicker by the wheel; each is one act; Escape drops
 * what is drawn and does not quit. */
static void test_walls(void **state) {
    (void)state;
    program program;
    open_pool(&program);
    hand("key F7");
    await_line(&program, "\"Wall\"");
    at("mousedown 1", MIDDLE_X - 150, MIDDLE_Y + 60);
    for (int k = 1; k <= 15; k++) at("", MIDDLE_X - 150 + 20 * k, MIDDLE_Y + 60 + (k % 5) * (k % 5) * 6);
    hand("mouseup 1");
    await_line(&program, "\"New\"");
    expect_items(&program, 1, 0, 0);
    hand("keydown shift");
    at("mousedown 1", MIDDLE_X - 100, MIDDLE_Y - 80);
    for (int k = 1; k <= 5; k++) at("", MIDDLE_X - 100 + 40 * k, MIDDLE_Y - 80 + (k % 2) * 60);
    hand("mousemove 612 304 mouseup 1 keyup shift click 4 click 4");
    await_line(&program, "\"New\"");
    await_line(&program, "\"Wall thickness\"");
    await_line(&program, "\"Wall thickness\"");
    at("click 1", MIDDLE_X, MIDDLE_Y - 150);
    await_line(&program, "\"New\"");
    pd_scene scene = saved_scene(&program, "pool");
    assert_int_equal(scene.obstacle_count, 3);
    const pd_area *free = &scene.obstacles[0].area, *straight = &scene.obstacles[1].area,
                  *dot = &scene.obstacles[2].area;
    assert_true(free->shape == PD_SHAPE_POLYLINE && free->point_count >= 6 && free->point_count < 40);
    assert_true(straight->shape == PD_SHAPE_POLYLINE && straight->point_count == 2);
    assert_true(fabsf(straight->points[0].y - straight->points[1].y) < 1e-3f);
    assert_int_equal(dot->shape, PD_SHAPE_CIRCLE);
    assert_true(fabsf(2 * dot->radius / straight->thickness - 1.21f) < 0.01f);
    assert_int_equal(particles_of(&scene), 400); /* the fluid in the way has moved aside */
    pd_scene_free(&scene);
    at("mousedown 1", MIDDLE_X, MIDDLE_Y);
    at("", MIDDLE_X + 50, MIDDLE_Y);
    hand("key Escape mouseup 1");
    expect_items(&program, 3, 0, 0);
    for (int left = 2; left >= 0; left--) {
        undo(&program);
        expect_items(&program, left, 0, 0);
    }
    hand("key ctrl+shift+z");
    await_line(&program, "Redone");
    expect_items(&program, 1, 0, 0);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_true(logged(" edit {obstacles: {0: {shape: polyline") > 0);
}

/* A star drawn freehand into the pool, and a triangle of straight sides with Shift: each is one act; both are filled, push no
 * fluid out of the pool, can be taken hold of inside and turned, and are read back as they were saved. */
static void test_polygons(void **state) {
    (void)state;
    program program;
    open_pool(&program);
    press(&program, "F8", "circle");
    press(&program, "F8", "Shape: box\"");
    press(&program, "F8", "polygon");
    at("mousedown 1", MIDDLE_X, MIDDLE_Y + 20);
    for (int k = 1; k <= 60; k++) { /* past its beginning */
        double t = 2 * 3.14159265 * k / 58, r = 100 * (1 + 0.3 * cos(5 * t)) / 1.3;
        at("", MIDDLE_X + (int)(r * sin(t)), MIDDLE_Y + 120 - (int)(r * cos(t)));
    }
    hand("mouseup 1");
    await_line(&program, "\"New\"");
    expect_items(&program, 1, 0, 0);
    undo(&program);
    expect_items(&program, 0, 0, 0);
    hand("key ctrl+shift+z");
    await_line(&program, "Redone");
    at("mousedown 1", MIDDLE_X - 120, MIDDLE_Y - 120);
    hand("keydown shift");
    for (int k = 1; k <= 5; k++) at("", MIDDLE_X - 120 + 48 * k, MIDDLE_Y - 120 + (k % 2) * 30 - (k == 5) * 30);
    hand("keyup shift");
    at("", MIDDLE_X + 120, MIDDLE_Y - 118);
    hand("keydown shift");
    at("", MIDDLE_X, MIDDLE_Y - 40);
    hand("mouseup 1 keyup shift");
    await_line(&program, "\"New\"");
    press(&program, "m", "Move");
    at("mousedown 1", MIDDLE_X, MIDDLE_Y - 90);
    hand("click 4");
    await_line(&program, "Obstacle turned by");
    hand("mouseup 1");
    pd_scene scene = saved_scene(&program, "pool");
    assert_int_equal(scene.obstacle_count, 2);
    assert_int_equal(particles_of(&scene), 400);
    const pd_area *star = &scene.obstacles[0].area, *triangle = &scene.obstacles[1].area;
    assert_true(star->shape == PD_SHAPE_POLYGON && triangle->shape == PD_SHAPE_POLYGON);
    assert_in_range(star->point_count, 12, 60);
    assert_in_range(triangle->point_count, 3, 8);
    assert_true(star->angle == 0 && fabsf(fabsf(triangle->angle) - 15) < 1e-3f);
    pd_scene_free(&scene);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_true(logged(" edit {obstacles: {0: {shape: polygon") > 0);
}

/* Shapes, an emitter and a drain by the bar; outside the container nothing happens. */
static void test_shapes_emitter_drain(void **state) {
    (void)state;
    program program;
    write_settings("");
    open_pool(&program);
    await_steps(3);
    rectangle picture = place_of(&program, "Picture");
    const int beside_x = middle_x(picture);
    at_place(&program, "click 1", "Shape");
    await_line(&program, "circle");
    at("mousedown 1", picture.x + picture.width - 8, picture.y + 20); /* beside the container */
    at("mouseup 1", beside_x, MIDDLE_Y);
    drag_over(beside_x, MIDDLE_Y, beside_x + 1, MIDDLE_Y); /* too small */
    drag_over(beside_x - 100, MIDDLE_Y, beside_x - 60, MIDDLE_Y);
    await_line(&program, "\"New\"");
    at_place(&program, "click 1", "Shape"); /* again */
    await_line(&program, "box\"");
    at("mousedown 1", beside_x + 40, MIDDLE_Y - 60);
    at("", beside_x + 60, MIDDLE_Y - 40);
    at("", beside_x + 120, MIDDLE_Y + 20);
    hand("click 4 click 4 click 4 click 4");
    assert_non_null(strstr(await_line(&program, "20"), "\"Box angle\""));
    hand("mouseup 1");
    await_line(&program, "\"New\"");
    at_place(&program, "click 1", "Emitter");
    await_line(&program, "\"Emitter: ");
    drag_over(beside_x - 100, MIDDLE_Y - 120, beside_x, MIDDLE_Y - 120);
    await_line(&program, "\"New\"");
    at_place(&program, "click 1", "Drain");
    await_line(&program, "\"Drain\"");
    drag_over(beside_x + 160, MIDDLE_Y + 160, beside_x + 180, MIDDLE_Y + 160);
    await_line(&program, "\"New\"");
    pd_scene scene = saved_scene(&program, "pool");
    assert_true(scene.obstacle_count == 2 && scene.emitter_count == 1 && scene.drain_count == 1);
    const pd_area *circle = &scene.obstacles[0].area, *box = &scene.obstacles[1].area;
    float metre = 40 / circle->radius; /* in pixels */
    assert_int_equal(circle->shape, PD_SHAPE_CIRCLE);
    assert_int_equal(box->shape, PD_SHAPE_BOX);
    assert_true(fabsf(box->angle - 20) < 1e-3f && fabsf(box->center.x - circle->center.x) > 150 / metre);
    assert_true(fabsf(hypotf(box->size.x, box->size.y) - hypotf(80, 80) / metre) < 0.02f);
    assert_true(scene.emitters[0].direction.x > 0.999f && scene.emitters[0].speed > 0.5f);
    assert_true(fabsf(scene.emitters[0].position.x - circle->center.x) < 0.01f);
    assert_true(fabsf(scene.drains[0].area.radius - 20 / metre) < 0.01f);
    pd_scene_free(&scene);
    for (int k = 3; k >= 0; k--) {
        undo(&program);
        expect_items(&program, k < 2 ? k : 2, k > 2, 0);
    }
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* Moves an obstacle, throws it with Shift, turns and spins it with the wheel; moves an emitter in one act; erases them. */
static void test_move_and_erase(void **state) {
    (void)state;
    program program;
    open_pool(&program);
    hand("key F8");
    await_line(&program, "circle");
    hand("key F8");
    await_line(&program, "box");
    drag_over(MIDDLE_X - 60, MIDDLE_Y - 120, MIDDLE_X + 60, MIDDLE_Y - 100);
    await_line(&program, "\"New\"");
    hand("key e");
    await_line(&program, "\"Emitter: ");
    drag_over(MIDDLE_X - 200, MIDDLE_Y, MIDDLE_X - 150, MIDDLE_Y);
    await_line(&program, "\"New\"");
    hand("key m");
    await_line(&program, "\"Move\"");
    at("mousedown 1", MIDDLE_X, MIDDLE_Y - 110);
    await_steps(2);
    hand("click 4 mouseup 1 mousedown 1 click 4"); /* turns by 15 degrees twice */
    await_line(&program, "\"Obstacle turned by\"");
    await_line(&program, "\"Obstacle turned by\"");
    hand("keydown shift click 4 keyup shift");
    assert_non_null(strstr(await_line(&program, "\"Obstacle spin\""), "30"));
    at("", MIDDLE_X + 30, MIDDLE_Y - 110);
    await_steps(4);
    hand("mouseup 1");
    await_steps(4);
    pd_scene scene = saved_scene(&program, "pool");
    assert_true(scene.obstacles[0].spin == 30 && scene.obstacles[0].turn == 0);
    assert_true(scene.obstacles[0].area.center.x > 0.05f && scene.obstacles[0].area.angle > 30);
    float x = scene.emitters[0].position.x;
    pd_scene_free(&scene);
    at("mousedown 1", MIDDLE_X + 30, MIDDLE_Y - 110);
    await_steps(2);
    hand("keydown shift");
    for (int k = 1; k <= 12; k++) at("", MIDDLE_X + 30 - 6 * k, MIDDLE_Y - 110);
    hand("mouseup 1 keyup shift"); /* both come in one frame: what counts is their order */
    await_line(&program, "\"Obstacle speed\"");
    scene = saved_scene(&program, "pool");
    assert_true(scene.obstacles[0].velocity.x < 0 && scene.obstacles[0].turn > 0);
    pd_scene_free(&scene);
    drag_over(MIDDLE_X - 200, MIDDLE_Y, MIDDLE_X - 120, MIDDLE_Y);
    await_steps(3);
    scene = saved_scene(&program, "pool");
    float moved = scene.emitters[0].position.x;
    assert_true(moved > x + 0.1f);
    pd_scene_free(&scene);
    undo(&program);
    scene = saved_scene(&program, "pool");
    assert_true(scene.emitters[0].position.x == x);
    pd_scene_free(&scene);
    hand("key F6");
    await_line(&program, "\"Erase: fluid\"");
    hand("key F6");
    await_line(&program, "\"Erase: objects\"");
    hand("key space");
    await_line(&program, "Paused");
    at("click 1", MIDDLE_X - 200, MIDDLE_Y); /* also while paused */
    assert_non_null(strstr(await_line(&program, "\"Removed\""), "emitter"));
    hand("key space");
    await_line(&program, "Running");
    scene = saved_scene(&program, "pool");
    assert_true(scene.obstacle_count == 1 && scene.emitter_count == 0);
    pd_scene_free(&scene);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_true(logged(" tool move ") > 4 && logged(" edit {emitters: {0: none}}") == 1);
}

/* ---- A scene by mouse alone ---- */

static void expect_equal_items(const pd_scene *a, const pd_scene *b) {
    assert_int_equal(a->obstacle_count, b->obstacle_count);
    assert_int_equal(a->emitter_count, b->emitter_count);
    assert_int_equal(a->drain_count, b->drain_count);
    for (int i = 0; i < a->obstacle_count; i++) {
        const pd_obstacle *p = &a->obstacles[i], *q = &b->obstacles[i];
        assert_true(p->area.shape == q->area.shape && p->area.point_count == q->area.point_count);
        assert_true(p->area.center.x == q->area.center.x && p->area.center.y == q->area.center.y);
        assert_true(p->area.radius == q->area.radius && p->area.angle == q->area.angle);
        assert_true(p->area.size.x == q->area.size.x && p->area.size.y == q->area.size.y);
        assert_true(p->area.thickness == q->area.thickness);
        for (int k = 0; k < p->area.point_count; k++)
            assert_true(p->area.points[k].x == q->area.points[k].x && p->area.points[k].y == q->area.points[k].y);
    }
    for (int i = 0; i < a->emitter_count; i++) {
        const pd_emitter *p = &a->emitters[i], *q = &b->emitters[i];
        assert_true(p->position.x == q->position.x && p->position.y == q->position.y && p->speed == q->speed);
        assert_true(p->direction.x == q->direction.x && p->direction.y == q->direction.y && p->width == q->width);
        assert_true(p->rate == q->rate && p->material == q->material && p->from == q->from && p->until == q->until);
    }
    for (int i = 0; i < a->drain_count; i++) {
        const pd_area *p = &a->drains[i].area, *q = &b->drains[i].area;
        assert_true(p->shape == q->shape && p->center.x == q->center.x && p->center.y == q->center.y);
        assert_true(p->radius == q->radius);
    }
}

static void test_a_scene_by_mouse(void **state) {
    (void)state;
    program program;
    const char *first[] = {"two-drops", "--size", "900x600", "--view", "sprites", "--particles", "200", "--json", NULL};
    open_window(&program, first);
    hand("key ctrl+n key Return");
    await_line(&program, "\"Empty\"");
    hand("key space"); /* what is drawn while it is paused is there at once too */
    await_line(&program, "Paused");
    static const struct {
        const char *key, *answer;
        int x, y, to_x, to_y;
    } drags[] = {
        {"F7", "\"Wall\"", -120, 60, 130, 100}, {"F8", "circle", 60, -60, 90, -60},
        {"F8", "box", -90, -60, -40, -20},      {"e", "Emitter", -100, -140, -60, -150},
        {"e", "Emitter", 60, -160, 60, -100},   {"x", "Drain", 0, 200, 30, 200},
    };
    for (int k = 0; k < 6; k++) {
        press(&program, drags[k].key, drags[k].answer);
        drag_over(MIDDLE_X + drags[k].x, MIDDLE_Y + drags[k].y, MIDDLE_X + drags[k].to_x, MIDDLE_Y + drags[k].to_y);
        await_line(&program, "\"New\"");
    }
    pd_scene made = saved_scene(&program, "empty");
    assert_true(made.obstacle_count == 3 && made.emitter_count == 2 && made.drain_count == 1);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    const char *again[] = {"empty-0001.yaml", "--size",  "900x600",   "--view", "sprites",
                           "--json",          "--stats", "stats.csv", NULL};
    open_window(&program, again);
    await_file("stats.csv");
    await_steps(40); /* the emitters emit */
    pd_scene opened = saved_scene(&program, "empty");
    expect_equal_items(&made, &opened);
    assert_true(particles_of(&opened) > 5);
    pd_scene_free(&made);
    pd_scene_free(&opened);
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* In a low window the bar has two columns, and all of its tools. */
static void test_a_low_window(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"two-drops", "--size", "480x320", "--view",    "sprites", "--particles",
                               "100",       "--json", "--stats", "stats.csv", NULL};
    static const char *const names[] = {"\"Hand\"", "\"Push\"",  "\"Pull\"",    "\"Pour: ",  "\"Erase: ",
                                        "\"Wall\"", "\"Shape: ", "\"Emitter: ", "\"Drain\"", "\"Move\""};
    static const char *const buttons[] = {"Hand", "Push",  "Pull",    "Pour",  "Erase",
                                          "Wall", "Shape", "Emitter", "Drain", "Move"};
    write_settings("");
    open_window(&program, arguments);
    await_file("stats.csv");
    await_steps(3);
    for (int tool = 9; tool >= 0; tool--) {
        at_place(&program, "click 1", buttons[tool]);
        await_line(&program, names[tool]);
    }
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

TEST_GROUP(window_build) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_walls, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_polygons, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_shapes_emitter_drain, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_move_and_erase, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_a_scene_by_mouse, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_a_low_window, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
