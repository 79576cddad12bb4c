/* The tools that edit the scene, without a window: what they make, move, throw and remove, and that it is undone. */
#include "cmocka_all.h"

#include "app/session.h"
#include "sim/world.h"
#include "worlds.h"

static const char *const methods[] = {"ddr", "sph", "pbf", "flip", "grid", "vortex"};
enum { METHODS = sizeof methods / sizeof *methods };

static const char POOL[] = "puddle: 1\ncontainer: {shape: box, width: 2, height: 1.4}\nparticles: 300\n"
                           "materials: {water: {color: \"#3a8fff\"}, oil: {color: \"#ffc040\", mass: 0.8}}\n"
                           "parameters: {vortex: {core: 0.06}, grid: {resolution: 24}, flip: {resolution: 24}}\n"
                           "regions: [{shape: box, center: [0, -0.45], size: [2, 0.5], material: water}]\n";
static const float NEAR = 0.01f, SIZE = 0.2f, UNIT = 0.7f;

static pd_announcer announcer = {.quiet = true};
static pd_session session;

static void open_world(pd_world *world) {
    session = (pd_session){.announcer = &announcer};
    pd_session_show(&session, world);
    *announcer.text = '\0';
}

static void open_pool(const char *method, const char *more) {
    char text[4000];
    snprintf(text, sizeof text, "method: %s\n%s%s", method, POOL, more);
    open_world(world_of_text(text, 1));
}

static void close_session(void) {
    pd_log_destroy(session.log);
    pd_world_destroy(session.world);
    pd_session_forget_edit(&session);
}

static void choose(pd_bar_tool tool, int choice) {
    session.tool = tool;
    session.choice[tool] = choice;
}

static void hold(pd_tool_kind kind, float x, float y, int obstacle) {
    pd_session_hold(&session,
                    &(pd_tool){.kind = kind, .position = {x, y}, .radius = SIZE, .obstacle = obstacle, .material = 0});
}

static void let_go(void) {
    hold(PD_TOOL_NONE, 0, 0, 0);
    pd_session_let_go(&session);
}

static void step(int steps) {
    for (int k = 0; k < steps; k++) assert_true(pd_session_work(&session, INFINITY));
}

static void act(pd_action action) { assert_true(pd_session_act(&session, action, 0, false)); }

/* A press at a place, a drag to another, and the release. */
static bool draw(pd_bar_tool tool, int choice, float x, float y, float to_x, float to_y) {
    choose(tool, choice);
    if (!pd_session_draw(&session, (pd_vec2){x, y}, SIZE, UNIT)) return false;
    for (int k = 1; k <= 10; k++) {
        float t = 0.1f * (float)k;
        pd_session_draw_to(&session, (pd_vec2){x + t * (to_x - x), y + t * (to_y - y)}, false);
    }
    return pd_session_draw_end(&session);
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

static pd_area seen(int obstacle) {
    pd_view view;
    pd_world_view(session.world, &view);
    return view.obstacles[obstacle];
}

/* ---- Making ---- */

static void everything_is_made_and_undone(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        open_pool(methods[m], "");
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
            assert_non_null(strstr(announcer.text, "New"));
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

/* During a long step drafts wait for its end, and build on each other. */
static void edits_wait_for_the_step(void **state) {
    (void)state;
    open_pool("ddr", "substeps: 4\n");
    step(2);
    assert_false(pd_session_work(&session, 0)); /* one substep of several */
    assert_true(pd_world_stepping(session.world));
    assert_true(draw(PD_BAR_WALL, 0, -0.5f, 0.3f, 0, 0.3f));
    assert_true(draw(PD_BAR_DRAIN, 0, 0.5f, 0.3f, 0.6f, 0.3f));
    expect_counts(0, 0, 0);
    choose(PD_BAR_ERASE, PD_CHOICE_WALLS); /* what waits is applied before something is taken hold of */
    pd_session_grab(&session, (pd_vec2){-0.2f, 0.3f}, NEAR);
    expect_counts(1, 0, 1);
    pd_session_drag_items(&session, (pd_vec2){-0.2f, 0.3f});
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
    print_message("%s\n", announcer.text);
    assert_non_null(strstr(announcer.text, "4096"));
    assert_null(strchr(announcer.text, '\n'));
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
    print_message("%s\n", announcer.text);
    assert_non_null(strstr(announcer.text, "covers a place where fluid begins"));
    assert_true(draw(PD_BAR_SHAPE, PD_CHOICE_CIRCLE, 0, 0.5f, 0.08f, 0.5f));
    close_session();
    open_world(world_of_text("puddle: 1\nmethod: sph\ncontainer: {shape: circle, radius: 1}\n"
                             "emitters: [{position: [0, 0], direction: [0, -1], speed: 1, width: 0.5, rate: 900}]\n",
                             1));
    step(20);
    int particles = pd_world_particles(session.world);
    assert_true(particles > 100);
    choose(PD_BAR_SHAPE, PD_CHOICE_BOX);
    assert_true(pd_session_draw(&session, (pd_vec2){-0.7f, 0.7f}, SIZE, UNIT));
    session.draft.from = (pd_vec2){-2, 2}; /* a drag ends at the container's wall */
    session.draft.to = (pd_vec2){2, -2};
    assert_false(pd_session_draw_end(&session));
    print_message("%s\n", announcer.text);
    assert_non_null(strstr(announcer.text, "no room for the fluid"));
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
        pd_item item = pd_session_grab(&session, (pd_vec2){x, 0.5f}, NEAR);
        assert_int_equal(item.list, list ? PD_ITEM_DRAIN : PD_ITEM_EMITTER);
        for (int k = 0; k < 120; k++) {
            float to = k < 30 ? 0.005f * (float)k : k < 90 ? 0.15f : 0.005f * (float)(k - 60);
            hold(PD_TOOL_MOVE, x + to, 0.5f, PD_MAX_ITEMS);
            pd_session_drag_items(&session, (pd_vec2){x + to, 0.5f});
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
    pd_session_grab(&session, (pd_vec2){-0.5f, 0.5f}, NEAR);
    for (int k = 0; k < 20; k++) {
        hold(PD_TOOL_MOVE, -0.5f, 0.5f - 0.01f * (float)k, PD_MAX_ITEMS);
        pd_session_drag_items(&session, (pd_vec2){-0.5f, 0.5f - 0.01f * (float)k});
        step(1);
    }
    let_go();
    step(10);
    assert_int_equal(pd_log_write(session.log, session.world, 0, path, &error), PD_OK);
    pd_log *log;
    pd_world *world;
    if (pd_log_read(&log, &world, path, 1, damage, &error) != PD_OK) fail_msg("%s", error.message);
    assert_string_equal(damage, "");
    assert_int_equal(pd_log_seek(log, world, pd_log_end(log), &error), PD_OK);
    pd_log_play(log, world);
    assert_true(pd_log_diverged(log) == PD_LOG_NEVER);
    assert_true(pd_world_hash(world) == pd_world_hash(session.world));
    pd_log_destroy(log);
    pd_world_destroy(world);
    close_session();
    remove(path);
}

/* One stroke removes the walls, the emitter and the drain that it meets, each as a whole, and is one act. */
static void erasing_walls(void **state) {
    (void)state;
    for (int choice = PD_CHOICE_WALLS; choice <= PD_CHOICE_BOTH; choice++) {
        open_pool("flip", "obstacles:\n  - {shape: polyline, points: [[-0.5, -0.6], [-0.5, 0.6]], thickness: 0.02}\n"
                          "  - {shape: circle, center: [0.6, 0.6], radius: 0.05}\n"
                          "  - {shape: box, center: [0, 0.4], size: [0.1, 0.1]}\n"
                          "emitters: [{position: [0.3, 0.4], direction: [1, 0], speed: 1, width: 0.1, rate: 100}]\n"
                          "drains: [{shape: circle, center: [0.8, 0.4], radius: 0.05}]\n");
        choose(PD_BAR_ERASE, choice);
        pd_tool_kind kind = pd_session_tool_kind(&session);
        assert_int_equal(kind, choice == PD_CHOICE_WALLS ? PD_TOOL_MOVE : PD_TOOL_ERASE);
        step(3);
        uint64_t hash = pd_world_hash(session.world);
        pd_session_grab(&session, (pd_vec2){-0.9f, 0.4f}, NEAR);
        for (int k = 0; k <= 4; k++) { /* a fast stroke: 0.45 m in a step */
            float x = -0.9f + 0.45f * (float)k;
            hold(kind, x, 0.4f, PD_MAX_ITEMS);
            pd_session_drag_items(&session, (pd_vec2){x, 0.4f});
            step(1);
        }
        let_go();
        expect_counts(1, 0, 0);
        assert_non_null(strstr(announcer.text, "Removed drain"));
        step(5);
        act(PD_ACTION_UNDO);
        assert_true(pd_world_hash(session.world) == hash);
        expect_counts(3, 1, 1);
        close_session();
    }
    open_pool("flip", "obstacles: [{shape: circle, center: [0, 0.4], radius: 0.05}]\n");
    choose(PD_BAR_ERASE, PD_CHOICE_FLUID); /* leaves walls alone */
    pd_session_grab(&session, (pd_vec2){0, 0.4f}, NEAR);
    pd_session_drag_items(&session, (pd_vec2){0, 0.4f});
    expect_counts(1, 0, 0);
    close_session();
}

/* ---- Motions ---- */

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
        assert_int_equal(pd_world_scene_now(session.world, &now, &error), PD_OK);
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
    assert_int_equal(pd_session_grab(&session, (pd_vec2){0.1f, 0.3f}, NEAR).list, PD_ITEM_OBSTACLE);
    for (int k = 0; k < 10; k++) {
        hold(PD_TOOL_MOVE, 0.1f - 0.02f * (float)k, 0.3f, 0);
        pd_session_drag_items(&session, (pd_vec2){0.1f - 0.02f * (float)k, 0.3f});
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

/* ---- Random input ---- */

static uint32_t random_state;
static float between(float low, float high) {
    random_state = random_state * 1664525u + 1013904223u;
    return low + (high - low) * (float)(random_state >> 8) * 0x1p-24f;
}

static void expect_finite_and_inside(void) {
    const pd_container *c = &pd_world_scene(session.world)->container;
    pd_view view;
    pd_world_view(session.world, &view);
    for (int i = 0; i < view.count; i++) {
        assert_true(isfinite(view.vx[i]) && isfinite(view.vy[i]));
        if (!(fabsf(view.x[i]) <= 0.5f * c->width + 2e-4f && fabsf(view.y[i]) <= 0.5f * c->height + 2e-4f))
            fail_msg("a particle at (%g, %g)", (double)view.x[i], (double)view.y[i]);
    }
}

/* A step with a tool held: no particle is lost but to the eraser and to drains. */
static void careful_step(void) {
    int before = pd_world_particles(session.world);
    bool may = pd_world_tool(session.world).kind == PD_TOOL_ERASE || pd_world_scene(session.world)->drain_count > 0;
    step(1);
    if (!may && pd_world_particles(session.world) < before)
        fail_msg("%d particles of %d", pd_world_particles(session.world), before);
}

static void random_press(void) {
    float x = between(-1.1f, 1.1f), y = between(-0.8f, 0.8f), to_x = between(-1.1f, 1.1f), to_y = between(-0.8f, 0.8f);
    pd_item item = pd_session_grab(&session, (pd_vec2){x, y}, NEAR);
    pd_tool_kind kind = pd_session_tool_kind(&session);
    int obstacle = item.list == PD_ITEM_OBSTACLE ? item.index : PD_MAX_ITEMS, steps = (int)between(2, 20);
    for (int k = 0; k <= steps; k++) {
        float t = (float)k / (float)steps;
        pd_vec2 at = {x + t * (to_x - x), y + t * (to_y - y)};
        pd_session_hold(&session, &(pd_tool){.kind = kind,
                                             .position = at,
                                             .velocity = {to_x - x, to_y - y},
                                             .radius = SIZE,
                                             .obstacle = kind == PD_TOOL_MOVE ? obstacle : 0,
                                             .material = 0});
        pd_session_drag_items(&session, at);
        if (item.list == PD_ITEM_OBSTACLE && between(0, 1) < 0.1f)
            pd_session_turn_obstacle(&session, item.index, between(-45, 45));
        if (item.list == PD_ITEM_OBSTACLE && between(0, 1) < 0.05f)
            pd_session_spin_obstacle(&session, item.index, between(-60, 60));
        careful_step();
    }
    if (item.list == PD_ITEM_OBSTACLE && between(0, 1) < 0.5f)
        pd_session_throw_obstacle(&session, item.index, (pd_vec2){between(-2, 2), between(-2, 2)});
    let_go();
}

static void random_draft(void) {
    pd_vec2 at = {between(-1.1f, 1.1f), between(-0.8f, 0.8f)};
    int points = (int)between(0, 15), before = pd_world_particles(session.world);
    bool straight = between(0, 1) < 0.3f;
    if (!pd_session_draw(&session, at, between(0.02f, 0.3f), UNIT)) return;
    session.draft.angle = between(-90, 90);
    for (int k = 0; k < points; k++) {
        at = (pd_vec2){at.x + between(-0.15f, 0.15f), at.y + between(-0.15f, 0.15f)};
        pd_session_draw_to(&session, at, straight);
        careful_step();
        before = pd_world_particles(session.world);
    }
    pd_session_draw_end(&session);
    assert_int_equal(pd_world_particles(session.world), before);
}

static void random_input(void **state) {
    (void)state;
    enum { STEPS = UNDER_THREAD_SANITIZER ? 60 : UNDER_SANITIZERS ? 150 : 700 };
    for (int m = 0; m < METHODS; m += UNDER_THREAD_SANITIZER ? 3 : 1) {
        random_state = 77u + (unsigned)m;
        open_pool(methods[m], "");
        uint64_t most = 0;
        int made = 0;
        while (pd_world_steps(session.world) < STEPS) {
            pd_bar_tool tool = (pd_bar_tool)between(0, PD_BAR_TOOLS);
            session.poured = (int)between(0, 2);
            choose(tool, pd_bar_choices(tool) > 0 ? (int)between(0, (float)pd_bar_choices(tool)) : 0);
            if (pd_world_scene(session.world)->obstacle_count > 12) choose(PD_BAR_ERASE, PD_CHOICE_BOTH);
            if (pd_session_tool_kind(&session) == PD_TOOL_NONE)
                random_draft();
            else
                random_press();
            if (between(0, 1) < 0.04f && pd_world_steps(session.world) + 20 > most) act(PD_ACTION_UNDO);
            if (between(0, 1) < 0.02f) act(PD_ACTION_REDO);
            careful_step();
            expect_finite_and_inside();
            most = pd_world_steps(session.world) > most ? pd_world_steps(session.world) : most;
            made++;
        }
        const pd_scene *scene = pd_world_scene(session.world);
        print_message("%s: %d acts, %d obstacles, %d emitters, %d drains, %d particles\n", methods[m], made,
                      scene->obstacle_count, scene->emitter_count, scene->drain_count,
                      pd_world_particles(session.world));
        close_session();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_made_and_undone),
        cmocka_unit_test(nothing_outside),
        cmocka_unit_test(edits_wait_for_the_step),
        cmocka_unit_test(full_lists_are_told),
        cmocka_unit_test(a_wall_without_room_for_the_fluid_is_refused),
        cmocka_unit_test(a_drag_is_one_act),
        cmocka_unit_test(presses_are_logged),
        cmocka_unit_test(erasing_walls),
        cmocka_unit_test(no_jumps),
        cmocka_unit_test(thrown_to_and_fro),
        cmocka_unit_test(a_throw_belongs_to_its_drag),
        cmocka_unit_test(random_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
