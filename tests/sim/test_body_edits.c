/* Bodies and joints that commands add to a running world: their places, undo, logs on several threads. */
#include "levels.h"
#include "log/log.h"
#include "worlds.h"

#include <puddle/puddle.h>
#include <unistd.h>

static const char *const POOL =
    "puddle: 1\nmethod: %s\nparticles: 600\ncontainer: {shape: box, width: 2, height: 1.4}\n"
    "regions: [{shape: box, center: [0, -0.4], size: [2, 0.6]}]\n"
    "bodies:\n  - {name: raft, shape: box, center: [-0.5, 0.1], size: [0.3, 0.1], spin: 200}\n"
    "  - {name: ball, shape: circle, center: [0.4, 0.3], radius: 0.08, velocity: [-0.5, 0], spin: 90}\n"
    "  - {name: log, shape: box, center: [0.7, 0], size: [0.2, 0.1]}\n"
    "joints: [{type: rope, bodies: [log, world], at: [0.7, 0.05], to: [0.7, 0.5]}]\n";

static pd_world *pool(const char *method) {
    char text[1200];
    snprintf(text, sizeof text, POOL, method);
    pd_scene scene = scene_of_text(text);
    pd_world *world = world_of(&scene, 1);
    pd_scene_free(&scene);
    return world;
}

static pd_world_body body_of(const pd_world *world, int index) {
    pd_world_body body;
    pd_world_get_body(world, index, &body);
    return body;
}

static void apply_edit(pd_log *log, pd_world *world, pd_scene *edited) {
    pd_error error = {0};
    pd_command command;
    must(pd_command_edit(&command, pd_world_scene(world), edited, &error), &error);
    must(log ? pd_log_do(log, world, &command, &error) : pd_world_apply(world, &command, &error), &error);
    pd_command_free(&command);
    pd_scene_free(edited);
}

static pd_scene copy_scene(const pd_world *world) {
    pd_scene scene;
    pd_error error = {0};
    must(pd_scene_copy(&scene, pd_world_scene(world), &error), &error);
    return scene;
}

static void join(pd_log *log, pd_world *world, pd_joint_type type, const char *first, const char *second, pd_vec2 at,
                 pd_vec2 to) {
    pd_scene scene = copy_scene(world);
    pd_error error = {0};
    pd_scene_joint joint = pd_joint_default();
    joint.type = type;
    joint.at = at;
    joint.to = to;
    if (type == PD_JOINT_MOTOR) joint.speed = 90;
    snprintf(joint.bodies[0], PD_MAX_NAME, "%s", first);
    snprintf(joint.bodies[1], PD_MAX_NAME, "%s", second);
    must(pd_world_join_bodies(world, &scene, &joint, &error), &error);
    apply_edit(log, world, &scene);
}

/* Bodies that have moved are joined where they are: nothing jumps, and the joint holds. */
static void joints_begin_at_present_places(void **state) {
    (void)state;
    pd_world *world = pool("sph");
    step_many(world, 40);
    pd_world_body before[3], after;
    for (int i = 0; i < 3; i++) before[i] = body_of(world, i);
    assert_true(fabs(before[0].angle) > 5 && before[1].x < 0.2);
    pd_vec2 at = {(float)before[1].x, (float)before[1].y};
    join(NULL, world, PD_JOINT_HINGE, "ball", "raft", at, at);
    for (int i = 0; i < 3; i++) {
        after = body_of(world, i);
        assert_true(fabs(after.x - before[i].x) < 1e-6 && fabs(after.y - before[i].y) < 1e-6);
        assert_true(fabs(remainder(after.angle - before[i].angle, 360)) < 1e-4);
        assert_true(fabs(after.vx - before[i].vx) < 1e-6 && fabs(after.vy - before[i].vy) < 1e-6);
    }
    assert_true(after.x == before[2].x && after.y == before[2].y); /* the log is joined to neither: the same bits */
    double distance = hypot(before[1].x - before[0].x, before[1].y - before[0].y);
    step_many(world, 100);
    pd_world_body ball = body_of(world, 1), raft = body_of(world, 0);
    assert_true(fabs(hypot(ball.x - raft.x, ball.y - raft.y) - distance) < 1e-3);
    pd_world_reset(world); /* the joined bodies begin where they were joined, the log at its place in the scene */
    assert_true(fabs(body_of(world, 1).x - before[1].x) < 1e-6);
    assert_true(body_of(world, 2).x == (double)0.7f);
    pd_world_destroy(world);
}

/* A rope to a joined body keeps its length and its ends in a body that has moved. */
static void joints_of_joined_bodies_remain(void **state) {
    (void)state;
    pd_world *world = pool("sph");
    step_many(world, 50);
    pd_view view;
    pd_world_view(world, &view);
    pd_view_joint rope = view.joints[0];
    pd_world_body log = body_of(world, 2);
    join(NULL, world, PD_JOINT_WELD, "log", "ball", (pd_vec2){(float)log.x, (float)log.y}, (pd_vec2){0, 0});
    assert_int_equal(pd_world_scene(world)->joint_count, 2);
    pd_world_view(world, &view);
    assert_true(view.joint_count == 2 && view.joints[0].type == PD_JOINT_ROPE);
    assert_true(fabsf(view.joints[0].at.x - rope.at.x) < 1e-6f && fabsf(view.joints[0].at.y - rope.at.y) < 1e-6f);
    assert_true(fabsf(view.joints[0].length - 0.45f) < 1e-6f);
    pd_world_destroy(world);
}

static void wrong_joints_are_refused(void **state) {
    (void)state;
    pd_error error = {0};
    pd_world *world = pool("sph");
    pd_scene scene = copy_scene(world);
    pd_scene_joint joint = pd_joint_default();
    strcpy(joint.bodies[0], "raft");
    strcpy(joint.bodies[1], "sail");
    assert_int_equal(pd_world_join_bodies(world, &scene, &joint, &error), PD_BAD_INPUT);
    assert_non_null(strstr(error.message, "no body is named 'sail'"));
    must(pd_scene_remove_body(&scene, 1, &error), &error);
    strcpy(joint.bodies[1], "world");
    assert_int_equal(pd_world_join_bodies(world, &scene, &joint, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_USAGE);
    pd_scene_free(&scene);
    scene = copy_scene(world);
    assert_false(pd_world_step_part(world, 0));
    assert_int_equal(pd_world_join_bodies(world, &scene, &joint, &error), PD_BAD_INPUT);
    pd_scene_free(&scene);
    pd_world_destroy(world);
}

/* Bodies are saved as they have turned, also if only the mark of a circle shows it, and after more than 100 turns, with an angle
 * that a scene allows. The saved scene begins with the same picture. */
static void turned_bodies_are_saved(void **state) {
    (void)state;
    pd_error error = {0};
    pd_scene scene = scene_of_text("puddle: 1\nmethod: sph\ngravity: [0, 0]\ncontainer: {shape: none}\nbodies:\n"
                                   "  - {shape: box, center: [0, 0], size: [0.2, 0.1], spin: 20000}\n"
                                   "  - {shape: circle, center: [1, 0], radius: 0.1, angle: 30, spin: 200}\n"
                                   "  - {shape: polyline, center: [2, 0], points: [[0, 0], [0.3, 0]], thickness: 0.1, "
                                   "spin: 100}\n"),
             saved;
    pd_world *world = world_of(&scene, 1);
    assert_true(fabs(body_of(world, 1).angle - 30) < 1e-4);
    step_many(world, 120);
    assert_true(body_of(world, 0).angle > 36000 && body_of(world, 1).angle > 100);
    must(pd_world_state_as_scene(world, &saved, &error), &error);
    for (int i = 0; i < 2; i++)
        assert_true(fabs(remainder((double)saved.bodies[i].area.angle - body_of(world, i).angle, 360)) < 0.01);
    pd_world *again = world_of(&saved, 1);
    pd_view now, then;
    pd_world_view(world, &now);
    pd_world_view(again, &then);
    for (int i = 0; i < 2; i++)
        assert_true(fabsf(remainderf(now.bodies[i].area.angle - then.bodies[i].area.angle, 360)) < 0.01f);
    double turned = body_of(world, 2).angle * 0.017453292519943295; /* the points of a polyline turn */
    pd_vec2 *points = saved.bodies[2].area.points;
    assert_true(turned > 0.5);
    assert_true(fabs(remainder(atan2((double)points[1].y - points[0].y, (double)points[1].x - points[0].x) - turned,
                               6.283185307179586)) < 1e-4);
    pd_world_destroy(again);
    pd_scene_free(&saved);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* ---- Logs ---- */

static void drag(pd_log *log, pd_world *world, int body, pd_vec2 to, int steps) {
    pd_error error = {0};
    pd_world_body from = body_of(world, body);
    pd_tool tool = {.kind = PD_TOOL_MOVE, .radius = 0.1f};
    tool.obstacle = pd_world_scene(world)->obstacle_count + body;
    for (int i = 0; i <= steps; i++) {
        float part = (float)i / (float)steps;
        tool.position =
            (pd_vec2){(float)from.x + part * (to.x - (float)from.x), (float)from.y + part * (to.y - (float)from.y)};
        must(pd_log_do(log, world, &(pd_command){PD_COMMAND_TOOL, .is.tool = tool}, &error), &error);
        pd_world_step(world);
        pd_log_end_step(log, world);
    }
    must(pd_log_do(log, world, &(pd_command){.kind = PD_COMMAND_TOOL}, &error), &error);
}

static void log_steps(pd_log *log, pd_world *world, int steps) {
    for (int i = 0; i < steps; i++) {
        pd_world_step(world);
        pd_log_end_step(log, world);
    }
}

/* Bodies are added into the fluid, dragged, thrown, joined, changed and removed. */
static uint64_t play(pd_log *log, pd_world *world) {
    static pd_vec2 hook[] = {{0, 0}, {0.3f, 0}, {0.3f, 0.3f}, {0.2f, 0.3f}, {0.2f, 0.1f}, {0, 0.1f}};
    pd_error error = {0};
    log_steps(log, world, 20);
    pd_scene scene = copy_scene(world);
    pd_scene_body body = pd_body_default();
    body.area.shape = PD_SHAPE_POLYGON;
    body.area.center = (pd_vec2){-0.2f, -0.5f};
    body.area.points = hook;
    body.area.point_count = 6;
    strcpy(body.name, "hook");
    must(pd_scene_add_body(&scene, &body, &error), &error);
    apply_edit(log, world, &scene);
    assert_int_equal(pd_world_body_count(world), 4);
    log_steps(log, world, 20);
    drag(log, world, 3, (pd_vec2){0.5f, 0.5f}, 15);
    log_steps(log, world, 5);
    pd_world_body ball = body_of(world, 1);
    pd_vec2 at = {(float)ball.x, (float)ball.y};
    join(log, world, PD_JOINT_MOTOR, "ball", "hook", at, at);
    log_steps(log, world, 20);
    join(log, world, PD_JOINT_ROPE, "hook", "world", (pd_vec2){0.4f, 0.4f}, (pd_vec2){0, 0.6f});
    scene = copy_scene(world);
    scene.bodies[0].density = 3;
    scene.bodies[0].friction = 0.1f;
    scene.bodies[0].area.color = (pd_own_color){200, 20, 20, true};
    apply_edit(log, world, &scene);
    log_steps(log, world, 20);
    scene = copy_scene(world);
    for (int i = scene.joint_count - 1; i >= 0; i--)
        if (strcmp(scene.joints[i].bodies[0], "log") == 0) must(pd_scene_remove_joint(&scene, i, &error), &error);
    must(pd_scene_remove_body(&scene, 2, &error), &error);
    apply_edit(log, world, &scene);
    log_steps(log, world, 20);
    return pd_world_hash(world);
}

static void replay(const char *path, int threads, uint64_t hash) {
    pd_error error = {0};
    pd_log *log;
    pd_world *world;
    pd_world_def def = pd_world_def_default();
    def.threads = threads;
    must(pd_log_read(&log, &world, path, &def, NULL, &error), &error);
    while (pd_log_tick(log) < pd_log_end_tick(log)) {
        pd_log_replay_commands(log, world);
        pd_world_step(world);
        pd_log_end_step(log, world);
    }
    assert_true(pd_log_first_divergence(log) == PD_LOG_NEVER);
    assert_true(pd_world_hash(world) == hash);
    pd_log_destroy(log);
    pd_world_destroy(world);
}

static void expect_logged_play(const char *method) {
    char path[TEMPORARY_SIZE];
    pd_error error = {0};
    pd_log *log;
    pd_world *world = pool(method);
    must(pd_log_create(&log, world, &error), &error);
    uint64_t hash = play(log, world);
    int file = mkstemp(temporary_template(path));
    assert_true(file >= 0);
    close(file);
    must(pd_log_write(log, world, 0, path, &error), &error);
    for (int threads = 1; threads <= 3; threads++) replay(path, threads, hash);
    unlink(path);
    while (pd_log_can_undo(log, NULL)) must(pd_log_undo(log, world, &error), &error);
    assert_true(pd_world_body_count(world) == 3 && pd_world_scene(world)->joint_count == 1);
    while (pd_log_can_redo(log)) must(pd_log_redo(log, world, &error), &error);
    assert_true(pd_world_body_count(world) == 3 && pd_world_scene(world)->joint_count == 2);
    assert_string_equal(pd_world_scene(world)->bodies[2].name, "hook");
    pd_log_destroy(log);
    pd_world_destroy(world);
}

static void edits_of_bodies_are_replayed(void **state) {
    (void)state;
    expect_logged_play("sph");
    if (is_shortened()) return;
    expect_logged_play("ddr");
    expect_logged_play("pbf");
    expect_logged_play("flip");
}

/* pd_world_add_body gives the same world as an edit, also within a step. A wrong body changes nothing. */
static void bodies_are_added(void **state) {
    (void)state;
    uint64_t hash[4];
    pd_error error = {0};
    pd_scene_body body = pd_body_default();
    body.area = (pd_area){.shape = PD_SHAPE_CIRCLE, .center = {0, 0.4f}, .radius = 0.1f};
    for (int k = 0; k < 4; k++) {
        pd_world *world = pool(k < 2 ? "flip" : "sph"); /* flip makes one substep a step */
        for (int i = 0; i < 20; i++) pd_world_step(world);
        if (k == 0) {
            pd_scene scene = copy_scene(world);
            must(pd_scene_add_body(&scene, &body, &error), &error);
            apply_edit(NULL, world, &scene);
        } else if (k == 1) {
            must(pd_world_add_body(world, &body, &error), &error);
            uint64_t before = pd_world_hash(world);
            pd_scene_body wrong = body;
            wrong.area.center.x = 3;
            assert_int_equal(pd_world_add_body(world, &wrong, &error), PD_BAD_INPUT);
            assert_non_null(strstr(error.message, "outside the container"));
            wrong = body;
            strcpy(wrong.name, "raft");
            assert_int_equal(pd_world_add_body(world, &wrong, &error), PD_BAD_INPUT);
            wrong.area.radius = NAN;
            assert_int_equal(pd_world_add_body(world, &wrong, &error), PD_BAD_INPUT);
            assert_true(pd_world_hash(world) == before);
        } else if (k == 2) {
            pd_world_step(world);
            must(pd_world_add_body(world, &body, &error), &error);
        } else {
            assert_false(pd_world_step_part(world, 0));
            must(pd_world_add_body(world, &body, &error), &error);
            assert_false(pd_world_stepping(world));
        }
        assert_int_equal(pd_world_body_count(world), 4);
        for (int i = k < 2 ? 0 : 1; i < 20; i++) pd_world_step(world);
        hash[k] = pd_world_hash(world);
        pd_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
    assert_true(hash[2] == hash[3]);
}

static pd_result create_covered(const char *method, double radius, pd_world **world, pd_error *error) {
    char text[400];
    snprintf(text, sizeof text,
             "puddle: 1\nmethod: %s\nparticles: 200\ncontainer: {shape: box, width: 2, height: 1.2}\n"
             "regions: [{shape: box, center: [0, -0.35], size: [2, 0.5]}]\n"
             "bodies: [{shape: circle, center: [0, 0.1], radius: %g}]\n",
             method, radius);
    pd_scene scene = scene_of_text(text);
    pd_world_def def = pd_world_def_default();
    def.scene = &scene;
    def.threads = 1;
    pd_result result = pd_world_create(world, &def, error);
    pd_scene_free(&scene);
    return result;
}

/* A scene or an edit with a body that covers the whole container is refused under every method: particles in a body search a
 * way out of it in vain, over and over. A small rest of the container is enough. */
static void bodies_leave_room(void **state) {
    (void)state;
    static const char *const methods[] = {"ddr", "sph", "pbf", "grid", "flip", "vortex"};
    pd_error error = {0};
    pd_scene_body body = pd_body_default();
    body.area = (pd_area){.shape = PD_SHAPE_CIRCLE, .center = {0, 0.1f}, .radius = 1.5f};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        pd_world *world;
        assert_int_equal(create_covered(methods[k], 1.5, &world, &error), PD_BAD_INPUT);
        assert_non_null(strstr(error.message, "leave no room for the fluid"));
        assert_null(world);
        must(create_covered(methods[k], 1, &world, &error), &error);
        for (int i = 0; i < 3; i++) pd_world_step(world);
        uint64_t before = pd_world_hash(world);
        assert_int_equal(pd_world_add_body(world, &body, &error), PD_BAD_INPUT);
        assert_non_null(strstr(error.message, "no room for the fluid"));
        assert_true(pd_world_hash(world) == before);
        pd_world_destroy(world);
    }
}

TEST_GROUP(body_edits) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_begin_at_present_places),
        cmocka_unit_test(joints_of_joined_bodies_remain),
        cmocka_unit_test(wrong_joints_are_refused),
        cmocka_unit_test(turned_bodies_are_saved),
        cmocka_unit_test(edits_of_bodies_are_replayed),
        cmocka_unit_test(bodies_are_added),
        cmocka_unit_test(bodies_leave_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
