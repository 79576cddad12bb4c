/* The tools that edit the scene, without a window: what they make, move, throw and remove, and that it is undone. */
#include "test.h"

#include "app/session/session.h"
#include "items.h"

/* A press at a place, a drag to another, and the release. */
static bool draw(pd_bar_tool tool, int choice, float x, float y, float to_x, float to_y) {
    choose(tool, choice);
    if (!pd_session_begin_draft(&session, (pd_vec2){x, y}, SIZE, UNIT)) return false;
    for (int k = 1; k <= 10; k++) {
        float t = 0.1f * (float)k;
        pd_session_move_draft(&session, (pd_vec2){x + t * (to_x - x), y + t * (to_y - y)}, false);
    }
    return pd_session_end_draft(&session);
}

/* What the window has made has so many significant digits. */
static void expect_digits(float value, int digits) {
    char text[32];
    snprintf(text, sizeof text, "%.*g", digits, (double)value);
    if (strtof(text, NULL) != value) fail_msg("%.9g has more than %d digits", (double)value, digits);
}

static void expect_counts(int obstacles, int emitters, int drains) {
    const pd_scene *scene = pd_world_scene(session.world);
    assert_int_equal(scene->obstacle_count, obstacles);
    assert_int_equal(scene->emitter_count, emitters);
    assert_int_equal(scene->drain_count, drains);
}

/* ---- Making ---- */

static void everything_is_made_and_undone(void **state) {
    open_pool(*state, "");
    step(5);
    uint64_t hash[6];
    int particles = pd_world_particles(session.world);
    for (int k = 0; k < 5; k++) {
        hash[k] = pd_world_hash(session.world);
        bool made = k == 0   ? draw(PD_BAR_WALL, 0, -0.8f, -0.4f, 0.2f, -0.3f)
                    : k == 1 ? draw(PD_BAR_SHAPE, PD_CHOICE_CIRCLE, 0.5f, -0.4f, 0.6f, -0.4f)
                    : k == 2 ? draw(PD_BAR_SHAPE, PD_CHOICE_BOX, -0.6f, 0.2f, -0.4f, 0.3f)
                    : k == 3 ? draw(PD_BAR_EMITTER, 0, 0, 0.5f, 0.2f, 0.5f)
                             : draw(PD_BAR_DRAIN, 0, 0.9f, 0.5f, 0.95f, 0.5f);
        assert_true(made);
        assert_non_null(strstr(announcer.text, "added"));
        expect_counts(k < 2 ? k + 1 : 3, k > 2, k > 3);
        assert_int_equal(pd_world_particles(session.world), particles);
    }
    const pd_emitter *e = &pd_world_scene(session.world)->emitters[0];
    assert_true(e->direction.x > 0.999f && e->speed > 0.3f && e->rate > 10);
    expect_digits(e->rate, 4);
    for (int k = 4; k >= 0; k--) {
        act(PD_ACTION_UNDO);
        assert_true(pd_world_hash(session.world) == hash[k]);
    }
    for (int k = 0; k < 5; k++) act(PD_ACTION_REDO);
    expect_counts(3, 1, 1);
    step(60);
    assert_true(pd_world_particles(session.world) > particles); /* it emits */
    close_session();
}

/* Outside the container nothing happens and nothing is told; too small shapes are nothing; what passes the container's wall ends
 * there. */
static void nothing_outside(void **state) {
    (void)state;
    open_pool("flip", "");
    uint64_t hash = pd_world_hash(session.world);
    for (int tool = PD_BAR_WALL; tool <= PD_BAR_DRAIN; tool++)
        assert_false(draw((pd_bar_tool)tool, 0, 1.1f, 0, 0.5f, 0));
    assert_false(draw(PD_BAR_SHAPE, PD_CHOICE_CIRCLE, 0, 0, 0.001f, 0));
    assert_false(draw(PD_BAR_SHAPE, PD_CHOICE_BOX, 0, 0, 0.5f, 0.001f));
    assert_true(pd_world_hash(session.world) == hash);
    assert_string_equal(announcer.text, "");
    assert_true(draw(PD_BAR_WALL, 0, 0.5f, 0.3f, 3, 0.3f));
    const pd_area *wall = &pd_world_scene(session.world)->obstacles[0].area;
    assert_true(wall->center.x + wall->points[wall->point_count - 1].x <= 1.0001f);
    assert_int_equal(wall->point_count, 2);
    close_session();
}

/* Within a long step an edit completes the step first. */
static void edits_complete_the_step(void **state) {
    (void)state;
    open_pool("ddr", "substeps: 4\n");
    step(2);
    assert_false(pd_session_work_on_step(&session, 0)); /* one substep of several */
    assert_true(pd_world_stepping(session.world));
    assert_true(draw(PD_BAR_WALL, 0, -0.5f, 0.3f, 0, 0.3f));
    assert_int_equal(pd_world_steps(session.world), 3);
    assert_false(pd_session_work_on_step(&session, 0));
    assert_true(draw(PD_BAR_DRAIN, 0, 0.5f, 0.3f, 0.6f, 0.3f));
    assert_false(pd_session_work_on_step(&session, 0));
    choose(PD_BAR_ERASE, PD_CHOICE_OBJECTS);
    pd_session_begin_grab(&session, (pd_vec2){-0.2f, 0.3f}, NEAR);
    expect_counts(1, 0, 1);
    pd_session_move_grab(&session, (pd_vec2){-0.2f, 0.3f});
    expect_counts(0, 0, 1);
    close_session();
}

/* More than a list can hold: one message, and nothing is lost. */
static void full_lists_are_told(void **state) {
    (void)state;
    pd_error error;
    pd_scene scene = scene_of_text("puddle: 1\ncontainer: {shape: box, width: 2, height: 1.4}\n");
    const pd_drain drain = {.area = {.shape = PD_SHAPE_CIRCLE, .center = {0.9f, 0.6f}, .radius = 0.01f}};
    for (int i = 0; i < PD_MAX_ITEMS; i++) assert_int_equal(pd_scene_add_drain(&scene, &drain, &error), PD_OK);
    open_world(world_of(&scene, 1));
    pd_scene_free(&scene);
    assert_false(draw(PD_BAR_DRAIN, 0, 0, 0, 0.1f, 0));
    assert_string_equal(announcer.text, "the scene has 4096 drains already (remove some first)");
    expect_counts(0, 0, PD_MAX_ITEMS);
    close_session();
}

static void a_wall_without_room_for_the_fluid_is_refused(void **state) {
    (void)state;
    open_world(world_of_text("puddle: 1\nmethod: sph\ncontainer: {shape: circle, radius: 1}\nparticles: 30\n"
                             "regions: [{shape: circle, center: [0, 0.5], radius: 0.1}]\n",
                             1));
    step(60); /* it has fallen, and a reset is to find room for it again */
    assert_false(draw(PD_BAR_SHAPE, PD_CHOICE_CIRCLE, 0, 0.5f, 0.2f, 0.5f));
    assert_string_equal(announcer.text,
                        "the wall covers a place where fluid begins (make the wall smaller, or choose another place)");
    assert_true(draw(PD_BAR_SHAPE, PD_CHOICE_CIRCLE, 0, 0.5f, 0.08f, 0.5f));
    close_session();
    open_world(world_of_text("puddle: 1\nmethod: sph\ncontainer: {shape: circle, radius: 1}\n"
                             "emitters: [{position: [0, 0], direction: [0, -1], speed: 1, width: 0.5, rate: 900}]\n",
                             1));
    step(20);
    int particles = pd_world_particles(session.world);
    assert_true(particles > 100);
    choose(PD_BAR_SHAPE, PD_CHOICE_BOX);
    assert_true(pd_session_begin_draft(&session, (pd_vec2){-0.7f, 0.7f}, SIZE, UNIT));
    session.draft.from = (pd_vec2){-2, 2}; /* a drag ends at the container's wall */
    session.draft.to = (pd_vec2){2, -2};
    assert_false(pd_session_end_draft(&session));
    assert_string_equal(announcer.text, "the wall or body leaves no room for the fluid in its way (make it smaller)");
    expect_counts(0, 1, 0);
    assert_int_equal(pd_world_particles(session.world), particles);
    step(3);
    close_session();
}

/* ---- Moving and removing ---- */

/* A drag with a rest in it, of an emitter and of a drain: they follow at once, and it is one act. */
static void a_drag_is_one_act(void **state) {
    (void)state;
    for (int list = 0; list < 2; list++) {
        open_pool("flip", "emitters: [{position: [-0.5, 0.5], direction: [1, 0], speed: 1, width: 0.1, rate: 100}]\n"
                          "drains: [{shape: box, center: [0.5, 0.5], size: [0.1, 0.1]}]\n");
        choose(PD_BAR_MOVE, 0);
        float x = list ? 0.5f : -0.5f;
        step(3);
        uint64_t hash = pd_world_hash(session.world);
        pd_item item = pd_session_begin_grab(&session, (pd_vec2){x, 0.5f}, NEAR);
        assert_int_equal(item.kind, list ? PD_ITEM_DRAIN : PD_ITEM_EMITTER);
        for (int k = 0; k < 120; k++) {
            float to = k < 30 ? 0.005f * (float)k : k < 90 ? 0.15f : 0.005f * (float)(k - 60);
            hold(PD_TOOL_MOVE, x + to, 0.5f, -1);
            pd_session_move_grab(&session, (pd_vec2){x + to, 0.5f});
            const pd_scene *scene = pd_world_scene(session.world);
            pd_vec2 at = list ? scene->drains[0].area.center : scene->emitters[0].position;
            assert_true(fabsf(at.x - x - to) < 1e-5f);
            expect_digits(at.x, 5);
            step(1);
        }
        let_go();
        step(40);
        act(PD_ACTION_UNDO);
        assert_true(pd_world_hash(session.world) == hash);
        act(PD_ACTION_REDO);
        assert_true(pd_world_hash(session.world) != hash);
        close_session();
    }
}

/* A log of such a press reads back and replays. */
static void presses_are_logged(void **state) {
    (void)state;
    const char *path = "test_app_items.log";
    pd_error error;
    char damage[PD_MAX_LOG_DAMAGE];
    open_pool("flip", "emitters: [{position: [-0.5, 0.5], direction: [1, 0], speed: 1, width: 0.1, rate: 100}]\n");
    assert_true(draw(PD_BAR_WALL, 0, -0.5f, 0, 0.5f, 0));
    choose(PD_BAR_MOVE, 0);
    pd_session_begin_grab(&session, (pd_vec2){-0.5f, 0.5f}, NEAR);
    for (int k = 0; k < 20; k++) {
        hold(PD_TOOL_MOVE, -0.5f, 0.5f - 0.01f * (float)k, -1);
        pd_session_move_grab(&session, (pd_vec2){-0.5f, 0.5f - 0.01f * (float)k});
        step(1);
    }
    let_go();
    step(10);
    assert_int_equal(pd_log_write(session.log, session.world, 0, path, &error), PD_OK);
    pd_log *log;
    pd_world *world;
    if (read_log_with_threads(&log, &world, path, 1, damage, &error) != PD_OK) fail_msg("%s", error.message);
    assert_string_equal(damage, "");
    assert_int_equal(pd_log_seek(log, world, pd_log_end_tick(log), &error), PD_OK);
    pd_log_replay_commands(log, world);
    assert_true(pd_log_first_divergence(log) == PD_LOG_NEVER);
    assert_true(pd_world_hash(world) == pd_world_hash(session.world));
    pd_log_destroy(log);
    pd_world_destroy(world);
    close_session();
    remove(path);
}

/* One stroke removes the walls, the emitter and the drain that it meets, each as a whole, and is one act. */
static void erasing_walls(void **state) {
    (void)state;
    for (int choice = PD_CHOICE_OBJECTS; choice <= PD_CHOICE_BOTH; choice++) {
        open_pool("flip", "obstacles:\n  - {shape: polyline, points: [[-0.5, -0.6], [-0.5, 0.6]], thickness: 0.02}\n"
                          "  - {shape: circle, center: [0.6, 0.6], radius: 0.05}\n"
                          "  - {shape: box, center: [0, 0.4], size: [0.1, 0.1]}\n"
                          "emitters: [{position: [0.3, 0.4], direction: [1, 0], speed: 1, width: 0.1, rate: 100}]\n"
                          "drains: [{shape: circle, center: [0.8, 0.4], radius: 0.05}]\n");
        choose(PD_BAR_ERASE, choice);
        pd_tool_kind kind = pd_session_tool_kind(&session);
        assert_int_equal(kind, choice == PD_CHOICE_OBJECTS ? PD_TOOL_MOVE : PD_TOOL_ERASE);
        step(3);
        uint64_t hash = pd_world_hash(session.world);
        pd_session_begin_grab(&session, (pd_vec2){-0.9f, 0.4f}, NEAR);
        for (int k = 0; k <= 4; k++) { /* a fast stroke: 0.45 m in a step */
            float x = -0.9f + 0.45f * (float)k;
            hold(kind, x, 0.4f, -1);
            pd_session_move_grab(&session, (pd_vec2){x, 0.4f});
            step(1);
        }
        let_go();
        expect_counts(1, 0, 0);
        assert_non_null(strstr(announcer.text, "Drain removed"));
        step(5);
        act(PD_ACTION_UNDO);
        assert_true(pd_world_hash(session.world) == hash);
        expect_counts(3, 1, 1);
        close_session();
    }
    open_pool("flip", "obstacles: [{shape: circle, center: [0, 0.4], radius: 0.05}]\n");
    choose(PD_BAR_ERASE, PD_CHOICE_FLUID); /* leaves walls alone */
    pd_session_begin_grab(&session, (pd_vec2){0, 0.4f}, NEAR);
    pd_session_move_grab(&session, (pd_vec2){0, 0.4f});
    expect_counts(1, 0, 0);
    close_session();
}

TEST_GROUP(app_items) {
    const method_test tests[] = {
        OF_ALL(everything_is_made_and_undone),
        ONCE(nothing_outside),
        ONCE(edits_complete_the_step),
        ONCE(full_lists_are_told),
        ONCE(a_wall_without_room_for_the_fluid_is_refused),
        ONCE(a_drag_is_one_act),
        ONCE(presses_are_logged),
        ONCE(erasing_walls),
    };
    return RUN_METHOD_TESTS(tests);
}
