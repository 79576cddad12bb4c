/* The tools Body, Joint, Move and Erase on bodies, without a window: what they make, change and remove, undo, and logs. */
#include "test.h"

#include "app/session/session.h"
#include "items.h"

static const char BODIES[] = "bodies:\n  - {name: raft, shape: box, center: [-0.4, 0.3], size: [0.3, 0.1]}\n"
                             "  - {shape: circle, center: [0.4, 0.3], radius: 0.1}\n"
                             "joints: [{type: rope, bodies: [raft, world], at: [-0.4, 0.3], to: [-0.4, 0.6]}]\n";

static bool drag(bool straight, const float (*points)[2], int count) {
    if (!pd_session_begin_draft(&session, (pd_vec2){points[0][0], points[0][1]}, SIZE, UNIT)) return false;
    for (int i = 1; i < count; i++)
        for (int k = 1; k <= 10; k++) {
            float t = 0.1f * (float)k;
            pd_session_move_draft(&session,
                                  (pd_vec2){points[i - 1][0] + t * (points[i][0] - points[i - 1][0]),
                                            points[i - 1][1] + t * (points[i][1] - points[i - 1][1])},
                                  straight);
        }
    return pd_session_end_draft(&session);
}

static bool draw(pd_bar_tool tool, int choice, float x, float y, float to_x, float to_y) {
    choose(tool, choice);
    return drag(false, (const float[][2]){{x, y}, {to_x, to_y}}, 2);
}

static const pd_scene *scene_now(void) { return pd_world_scene(session.world); }

/* ---- Drawing ---- */

static void bodies_are_drawn_and_undone(void **state) {
    open_pool(*state, "");
    step(3);
    uint64_t hash = pd_world_hash(session.world);
    int particles = pd_world_particles(session.world);
    assert_true(draw(PD_BAR_BODY, PD_CHOICE_CIRCLE, 0.5f, -0.4f, 0.6f, -0.4f)); /* in the fluid */
    assert_string_equal(announcer.text, "Body added");
    assert_true(draw(PD_BAR_BODY, PD_CHOICE_BOX, -0.6f, 0.2f, -0.4f, 0.3f));
    choose(PD_BAR_BODY, PD_CHOICE_POLYGON); /* a concave one */
    assert_true(drag(false, (const float[][2]){{-0.1f, 0}, {0.3f, 0}, {0.3f, 0.3f}, {0.1f, 0.1f}, {-0.1f, 0.3f}}, 5));
    assert_false(draw(PD_BAR_BODY, PD_CHOICE_BOX, 0, 0.5f, 0.2f, 0.501f)); /* too thin */
    const pd_scene *scene = scene_now();
    assert_int_equal(scene->body_count, 3);
    assert_string_equal(scene->bodies[0].name, "circle 1");
    assert_string_equal(scene->bodies[1].name, "box 1");
    assert_string_equal(scene->bodies[2].name, "polygon 1");
    assert_true(scene->bodies[2].area.point_count >= 5 && scene->bodies[0].density == pd_body_default().density);
    assert_int_equal(pd_session_selected_body(&session), 2);
    assert_int_equal(pd_world_particles(session.world), particles);
    step(30);
    act(PD_ACTION_UNDO);
    assert_int_equal(scene_now()->body_count, 2);
    assert_int_equal(pd_session_selected_body(&session), -1);
    act(PD_ACTION_UNDO);
    act(PD_ACTION_UNDO);
    assert_true(pd_world_hash(session.world) == hash);
    for (int k = 0; k < 3; k++) act(PD_ACTION_REDO);
    assert_int_equal(scene_now()->body_count, 3);
    step(10);
    close_session();
}

/* ---- Joints ---- */

static void joint_of_a_drag(int choice, pd_joint_type type, const char *first, const char *second) {
    const pd_scene *scene = scene_now();
    const pd_scene_joint *joint = &scene->joints[scene->joint_count - 1];
    assert_int_equal(session.draft.shape, choice);
    assert_int_equal(joint->type, type);
    assert_string_equal(joint->bodies[0], first);
    assert_string_equal(joint->bodies[1], second);
}

/* A drag joins two bodies or a body and the world, a click fastens a body to the world. Unnamed bodies get names. */
static void bodies_are_joined(void **state) {
    (void)state;
    open_pool("sph", BODIES);
    assert_true(draw(PD_BAR_JOINT, PD_CHOICE_HINGE, 0.401f, 0.302f, -0.3f, 0.3f));
    joint_of_a_drag(PD_CHOICE_HINGE, PD_JOINT_HINGE, "circle 1", "raft");
    assert_string_equal(announcer.text, "Hinge added");
    const pd_scene_joint *hinge = &scene_now()->joints[1];
    assert_true(fabsf(hinge->at.x - 0.4f) < 1e-6f && fabsf(hinge->at.y - 0.3f) < 1e-6f); /* set to the centre */
    assert_true(draw(PD_BAR_JOINT, PD_CHOICE_MOTOR, 0.4f, 0.3f, 0.4f, 0.3f));
    joint_of_a_drag(PD_CHOICE_MOTOR, PD_JOINT_MOTOR, "circle 1", "world");
    assert_string_equal(announcer.text, "Motor added (to the background)");
    assert_true(draw(PD_BAR_JOINT, PD_CHOICE_WELD, -0.5f, 0.3f, 0.4f, 0.3f));
    joint_of_a_drag(PD_CHOICE_WELD, PD_JOINT_WELD, "raft", "circle 1");
    assert_true(draw(PD_BAR_JOINT, PD_CHOICE_ROPE, 0, 0.6f, 0.4f, 0.3f));
    joint_of_a_drag(PD_CHOICE_ROPE, PD_JOINT_ROPE, "world", "circle 1");
    int joints = scene_now()->joint_count;
    assert_false(draw(PD_BAR_JOINT, PD_CHOICE_HINGE, 0, 0.6f, 0.1f, 0.6f));
    assert_string_equal(announcer.text, "No body here (press on a body)");
    assert_false(draw(PD_BAR_JOINT, PD_CHOICE_ROPE, 0.4f, 0.3f, 0.4f, 0.3f));
    assert_string_equal(announcer.text, "A rope has two ends (drag to another body or to a free place)");
    assert_int_equal(scene_now()->joint_count, joints);
    for (; joints > 1; joints--) {
        act(PD_ACTION_UNDO);
        assert_int_equal(scene_now()->joint_count, joints - 1);
    }
    close_session();
}

/* A click where two bodies overlap joins both. A moving body is joined at the place that was pressed. */
static void clicks_join_overlapping_bodies(void **state) {
    (void)state;
    open_pool("sph", "");
    assert_true(draw(PD_BAR_BODY, PD_CHOICE_BOX, -0.3f, 0.2f, 0.3f, 0.4f));
    assert_true(draw(PD_BAR_BODY, PD_CHOICE_CIRCLE, 0.2f, 0.22f, 0.3f, 0.22f));
    assert_true(draw(PD_BAR_JOINT, PD_CHOICE_HINGE, 0.2f, 0.23f, 0.2f, 0.23f));
    const pd_scene_joint *joint = &scene_now()->joints[0];
    assert_true((strcmp(joint->bodies[0], "box 1") == 0 && strcmp(joint->bodies[1], "circle 1") == 0) ||
                (strcmp(joint->bodies[0], "circle 1") == 0 && strcmp(joint->bodies[1], "box 1") == 0));
    choose(PD_BAR_JOINT, PD_CHOICE_ROPE);
    pd_world_body box;
    pd_world_get_body(session.world, 0, &box);
    assert_true(pd_session_begin_draft(&session, (pd_vec2){(float)box.x - 0.25f, (float)box.y}, SIZE, UNIT));
    step(15); /* the box falls during the drag */
    pd_session_move_draft(&session, (pd_vec2){-0.25f, 0.6f}, false);
    assert_true(pd_session_end_draft(&session));
    double fallen = box.y;
    pd_world_get_body(session.world, 0, &box);
    assert_true(fallen - box.y > 0.02);
    joint = &scene_now()->joints[1];
    assert_true(fabs(hypot((double)joint->at.x - box.x, (double)joint->at.y - box.y) - 0.25) < 1e-3);
    step(10);
    close_session();
}

/* ---- Changing and removing ---- */

static void values_of_a_body_are_changed(void **state) {
    (void)state;
    open_pool("sph", BODIES);
    step(5);
    pd_world_body before, after;
    pd_world_get_body(session.world, 0, &before);
    pd_session_select_body(&session, 0);
    pd_scene_body body = scene_now()->bodies[0];
    body.density = 2;
    body.restitution = 0.5f;
    body.fixed_angle = true;
    body.area.color = (pd_own_color){10, 20, 30, true};
    strcpy(body.name, "plate");
    assert_true(pd_session_replace_body(&session, 0, &body));
    assert_int_equal(pd_session_selected_body(&session), 0);
    assert_string_equal(scene_now()->joints[0].bodies[0], "plate");
    assert_true(scene_now()->bodies[0].area.color.green == 20 && scene_now()->bodies[0].restitution == 0.5f);
    pd_world_get_body(session.world, 0, &after);
    assert_true(after.x == before.x && after.y == before.y && after.mass > 3 * before.mass);
    strcpy(body.name, "world");
    assert_false(pd_session_replace_body(&session, 0, &body));
    assert_non_null(strstr(announcer.text, "choose another name"));
    assert_string_equal(scene_now()->bodies[0].name, "plate");
    act(PD_ACTION_UNDO);
    assert_string_equal(scene_now()->bodies[0].name, "raft");
    assert_string_equal(scene_now()->joints[0].bodies[0], "raft");
    close_session();
}

/* A click of the eraser on a rope removes the rope alone, a click on the body removes the body with its joints. */
static void bodies_and_joints_are_erased(void **state) {
    (void)state;
    open_pool("sph", BODIES);
    choose(PD_BAR_ERASE, PD_CHOICE_OBJECTS);
    uint64_t hash = pd_world_hash(session.world);
    for (int k = 0; k < 2; k++) {
        pd_vec2 at = {-0.4f, k ? 0.3f : 0.31f}; /* the lower end of the rope is on the raft */
        if (k) act(PD_ACTION_UNDO);
        assert_true(pd_world_hash(session.world) == hash);
        if (k) at.x = -0.3f;
        pd_session_begin_grab(&session, at, NEAR);
        for (int held = 0; held < 5; held++) {
            hold(PD_TOOL_MOVE, at.x, at.y, -1);
            pd_session_move_grab(&session, at);
        }
        let_go();
        assert_int_equal(scene_now()->joint_count, 0);
        assert_int_equal(scene_now()->body_count, k ? 1 : 2);
        assert_non_null(strstr(announcer.text, k ? "Body removed" : "Rope removed"));
        step(2);
    }
    assert_string_equal(scene_now()->bodies[0].name, "");
    close_session();
}

/* ---- Throwing ---- */

/* A dragged body follows the pointer by a spring. When it is let go it flies on at the pointer's speed. */
static void a_dragged_body_is_thrown(void **state) {
    (void)state;
    open_pool("sph", "gravity: [0, -0.1]\n"
                     "bodies: [{name: ball, shape: circle, center: [-0.6, 0.3], radius: 0.05}]\n");
    pd_world_body ball;
    float x = -0.6f;
    for (int k = 0; k < 40; k++) {
        x += 0.01f; /* 0.6 m/s */
        hold(PD_TOOL_MOVE, x, 0.3f, 0);
        step(1);
    }
    pd_world_get_body(session.world, 0, &ball);
    assert_true(fabs(ball.x - (double)x) < 0.06);
    let_go();
    step(20);
    double thrown = ball.x;
    pd_world_get_body(session.world, 0, &ball);
    assert_true(fabs(ball.vx - 0.6) < 0.06);
    assert_true(fabs(ball.x - thrown - 0.2) < 0.03);
    close_session();
}

/* ---- Logs ---- */

static void drawn_bodies_are_replayed(void **state) {
    (void)state;
    const char *path = "test_app_bodies.log";
    pd_error error;
    char damage[PD_MAX_LOG_DAMAGE];
    open_pool("sph", BODIES);
    step(10);
    assert_true(draw(PD_BAR_BODY, PD_CHOICE_BOX, -0.1f, -0.5f, 0.2f, -0.3f)); /* in the fluid */
    for (int k = 0; k < 20; k++) {
        hold(PD_TOOL_MOVE, 0.01f * (float)k, 0.02f * (float)k, 2);
        step(1);
    }
    let_go();
    pd_world_body box;
    pd_world_get_body(session.world, 2, &box);
    choose(PD_BAR_JOINT, PD_CHOICE_MOTOR);
    assert_true(drag(false, (const float[][2]){{(float)box.x, (float)box.y}, {0, 0.6f}}, 2));
    step(20);
    pd_scene_body changed = scene_now()->bodies[0];
    changed.density = 3;
    assert_true(pd_session_replace_body(&session, 0, &changed));
    step(20);
    assert_true(pd_session_remove_body(&session, 1));
    step(10);
    assert_int_equal(pd_log_write(session.log, session.world, 0, path, &error), PD_OK);
    for (int threads = 1; threads <= 3; threads++) {
        pd_log *log;
        pd_world *world;
        if (read_log_with_threads(&log, &world, path, threads, damage, &error) != PD_OK) fail_msg("%s", error.message);
        assert_string_equal(damage, "");
        assert_int_equal(pd_log_seek(log, world, pd_log_end_tick(log), &error), PD_OK);
        assert_true(pd_log_first_divergence(log) == PD_LOG_NEVER);
        assert_true(pd_world_hash(world) == pd_world_hash(session.world));
        pd_log_destroy(log);
        pd_world_destroy(world);
    }
    close_session();
    remove(path);
}

TEST_GROUP(app_bodies) {
    const struct CMUnitTest tests[] = {
        {"bodies_are_drawn_and_undone: ddr", bodies_are_drawn_and_undone, NULL, NULL, "ddr"},
        {"bodies_are_drawn_and_undone: sph", bodies_are_drawn_and_undone, NULL, NULL, "sph"},
        {"bodies_are_drawn_and_undone: pbf", bodies_are_drawn_and_undone, NULL, NULL, "pbf"},
        {"bodies_are_drawn_and_undone: grid", bodies_are_drawn_and_undone, NULL, NULL, "grid"},
        {"bodies_are_drawn_and_undone: vortex", bodies_are_drawn_and_undone, NULL, NULL, "vortex"},
        {"bodies_are_drawn_and_undone: flip", bodies_are_drawn_and_undone, NULL, NULL, "flip"},
        cmocka_unit_test(bodies_are_joined),
        cmocka_unit_test(clicks_join_overlapping_bodies),
        cmocka_unit_test(values_of_a_body_are_changed),
        cmocka_unit_test(bodies_and_joints_are_erased),
        cmocka_unit_test(a_dragged_body_is_thrown),
        cmocka_unit_test(drawn_bodies_are_replayed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
