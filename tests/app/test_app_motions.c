/* What moves in the window: obstacles that are turned, spun and thrown, without a jump and within the container. */
#include "test.h"

#include "app/session/session.h"
#include "items.h"

static const char *const bodies[] = {
    "{shape: circle, center: [0.1, 0.3], radius: 0.1}",
    "{shape: box, center: [0.1, 0.3], size: [0.3, 0.06], angle: 25}",
    "{shape: box, center: [0.1, 0.3], size: [0.3, 0.1], spin: 100}",
    "{shape: box, center: [0.1, 0.3], size: [0.1, 0.1], velocity: [0.3, 0], turn: 0.7, phase: 0.2}",
    "{shape: polyline, points: [[0, 0.2], [0.2, 0.3], [0.2, 0.5]], thickness: 0.04}",
    "{shape: polyline, center: [0.1, 0.2], points: [[0, 0], [0.2, 0.1]], thickness: 0.04, spin: -50, turn: 0.4}",
    "{shape: polygon, points: [[0, 0.2], [0.2, 0.3], [0.1, 0.3], [0.1, 0.4]], angle: 20}",
    "{shape: polygon, center: [0.1, 0.2], points: [[0, 0], [0.2, 0.1], [0, 0.1]], spin: -50, turn: 0.4}",
};
enum { BODIES = sizeof bodies / sizeof *bodies };

static void open_body(int body, int steps) {
    char text[300];
    snprintf(text, sizeof text, "obstacles: [%s]\n", bodies[body]);
    open_pool("flip", text);
    step(steps);
}

static pd_area seen(int obstacle) {
    pd_view view;
    pd_world_view(session.world, &view);
    return view.obstacles[obstacle];
}

static pd_vec2 placed(const pd_area *area, float x, float y) {
    float turned = area->angle * 0.0174532925f, c = cosf(turned), s = sinf(turned);
    return (pd_vec2){area->center.x + c * x - s * y, area->center.y + s * x + c * y};
}

/* Two points of a body: a corner, and the middle of a box about its points or the point that it spins about. */
static void marks(int body, pd_vec2 mark[2]) {
    pd_area area = seen(0);
    mark[0] = mark[1] = area.center;
    if (area.shape == PD_SHAPE_BOX) mark[0] = placed(&area, 0.5f * area.size.x, 0.5f * area.size.y);
    if (area.shape != PD_SHAPE_POLYLINE && area.shape != PD_SHAPE_POLYGON) return;
    mark[0] = placed(&area, area.points[0].x, area.points[0].y);
    if (body == 5 || body == 7) return;
    if (body == 6) { /* the middle of a box about its points: the second one is at the right, the last one at the top */
        mark[1] =
            placed(&area, 0.5f * (area.points[0].x + area.points[1].x), 0.5f * (area.points[0].y + area.points[3].y));
        return;
    }
    pd_vec2 last = placed(&area, area.points[area.point_count - 1].x, area.points[area.point_count - 1].y);
    mark[1] = (pd_vec2){0.5f * (mark[0].x + last.x), 0.5f * (mark[0].y + last.y)}; /* of [4], by its corners */
}

static float apart(pd_vec2 a, pd_vec2 b) { return hypotf(a.x - b.x, a.y - b.y); }

/* An obstacle turns about its middle, by the angle, wherever a tool has moved it and however it moves; a changed spin makes it jump
 * no more than a throw does. */
static void no_jumps(void **state) {
    (void)state;
    for (int body = 0; body < BODIES; body++) {
        open_body(body, 40);
        for (int k = 0; k < 20; k++) {
            hold(PD_TOOL_MOVE, 0.005f * (float)k, 0.3f, 0);
            step(1);
        }
        let_go();
        step(1);
        pd_vec2 before[2], after[2];
        for (int change = 0; change < 4; change++) {
            marks(body, before);
            if (change == 0) pd_session_turn_obstacle(&session, 0, 30);
            if (change == 1) pd_session_spin_obstacle(&session, 0, 60);
            if (change == 2) pd_session_throw_obstacle(&session, 0, (pd_vec2){0.3f, 0.1f});
            if (change == 3) pd_session_throw_obstacle(&session, 0, (pd_vec2){0, 0});
            marks(body, after);
            float turned = change == 0 ? 30 * 0.0174532925f : 0, x = before[0].x - before[1].x,
                  y = before[0].y - before[1].y;
            pd_vec2 to = {before[1].x + cosf(turned) * x - sinf(turned) * y,
                          before[1].y + sinf(turned) * x + cosf(turned) * y};
            if (apart(after[1], before[1]) > 1e-5f || apart(after[0], to) > 1e-5f)
                fail_msg("body %d jumps at change %d: %g, %g m", body, change, (double)apart(after[1], before[1]),
                         (double)apart(after[0], to));
            step(7);
        }
        close_session();
    }
}

/* All corners of a body, as far as it is drawn. */
static void expect_inside(const pd_area *area, bool round) {
    const pd_container *c = &pd_world_scene(session.world)->container;
    int corners = area->shape == PD_SHAPE_CIRCLE ? 1 : area->shape == PD_SHAPE_BOX ? 4 : area->point_count;
    float radius = area->shape == PD_SHAPE_CIRCLE     ? area->radius
                   : area->shape == PD_SHAPE_POLYLINE ? 0.5f * area->thickness
                                                      : 0;
    for (int k = 0; k < corners; k++) {
        pd_vec2 p = area->center;
        if (area->shape == PD_SHAPE_BOX)
            p = placed(area, (k & 1 ? 0.5f : -0.5f) * area->size.x, (k & 2 ? 0.5f : -0.5f) * area->size.y);
        if (area->shape == PD_SHAPE_POLYLINE || area->shape == PD_SHAPE_POLYGON)
            p = placed(area, area->points[k].x, area->points[k].y);
        if (round)
            assert_true(hypotf(p.x, p.y) + radius < c->radius);
        else
            assert_true(fabsf(p.x) + radius < 0.5f * c->width && fabsf(p.y) + radius < 0.5f * c->height);
    }
}

/* What is thrown goes to and fro between the container's walls, also after a reset, and in a file that is read again. */
static void thrown_to_and_fro(void **state) {
    (void)state;
    for (int test = 0; test < 2 * BODIES; test++) {
        bool round = test >= BODIES;
        open_body(test % BODIES, 33);
        if (round) {
            char text[500];
            snprintf(text, sizeof text,
                     "puddle: 1\nmethod: flip\ncontainer: {shape: circle, radius: 0.8}\nobstacles: [%s]\n",
                     bodies[test % BODIES]);
            close_session();
            open_world(world_of_text(text, 1));
            step(33);
        }
        pd_session_throw_obstacle(&session, 0, (pd_vec2){0.9f, 0.4f});
        const pd_obstacle *o = &pd_world_scene(session.world)->obstacles[0];
        assert_true(o->velocity.x > 0 && o->velocity.y > 0 && o->turn > 0);
        pd_vec2 at = seen(0).center;
        for (int way = 0; way < 2; way++) {
            bool back = false, forth = false;
            for (int k = 0; k < 200; k++) {
                step(1);
                pd_area area = seen(0);
                expect_inside(&area, round);
                back |= area.center.x < at.x - 0.003f;
                forth |= area.center.x > at.x + 0.003f;
                at = area.center;
            }
            assert_true(back && forth);
            act(PD_ACTION_RESET);
            at = seen(0).center;
        }
        pd_scene now, read;
        pd_error error;
        char *text;
        size_t length;
        step(50);
        assert_int_equal(pd_world_state_as_scene(session.world, &now, &error), PD_OK);
        assert_int_equal(pd_scene_write_text(&now, &text, &length, &error), PD_OK);
        assert_int_equal(pd_scene_read_text(text, length, "thrown", &read, &error), PD_OK);
        pd_world *again = world_of(&read, 1);
        pd_view view;
        step(30);
        step_many(again, 30);
        pd_world_view(again, &view);
        assert_true(apart(view.obstacles[0].center, seen(0).center) < 1e-4f);
        pd_world_destroy(again);
        pd_scene_free(&now);
        pd_scene_free(&read);
        free(text);
        close_session();
    }
}

/* A drag and the throw at its end are one act. */
static void a_throw_belongs_to_its_drag(void **state) {
    (void)state;
    open_body(0, 3);
    uint64_t hash = pd_world_hash(session.world);
    choose(PD_BAR_MOVE, 0);
    assert_int_equal(pd_session_begin_grab(&session, (pd_vec2){0.1f, 0.3f}, NEAR).kind, PD_ITEM_OBSTACLE);
    for (int k = 0; k < 10; k++) {
        hold(PD_TOOL_MOVE, 0.1f - 0.02f * (float)k, 0.3f, 0);
        pd_session_move_grab(&session, (pd_vec2){0.1f - 0.02f * (float)k, 0.3f});
        step(1);
    }
    pd_session_turn_obstacle(&session, 0, 15);
    pd_session_throw_obstacle(&session, 0, (pd_vec2){-1, 0});
    let_go();
    step(20);
    act(PD_ACTION_UNDO);
    assert_true(pd_world_hash(session.world) == hash);
    close_session();
}

TEST_GROUP(app_motions) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_jumps),
        cmocka_unit_test(thrown_to_and_fro),
        cmocka_unit_test(a_throw_belongs_to_its_drag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
