/* Random use of all tools of the window: the fluid stays finite and within the container, and none of it is lost. */
#include "test.h"

#include "app/session/session.h"
#include "items.h"

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
    pd_item item = pd_session_begin_grab(&session, (pd_vec2){x, y}, NEAR);
    pd_tool_kind kind = pd_session_tool_kind(&session);
    int obstacle = item.kind == PD_ITEM_OBSTACLE ? item.index : -1, steps = (int)between(2, 20);
    for (int k = 0; k <= steps; k++) {
        float t = (float)k / (float)steps;
        pd_vec2 at = {x + t * (to_x - x), y + t * (to_y - y)};
        pd_session_set_tool(&session, &(pd_tool){.kind = kind,
                                                 .position = at,
                                                 .velocity = {to_x - x, to_y - y},
                                                 .radius = SIZE,
                                                 .obstacle = kind == PD_TOOL_MOVE ? obstacle : 0,
                                                 .material = 0});
        pd_session_move_grab(&session, at);
        if (item.kind == PD_ITEM_OBSTACLE && between(0, 1) < 0.1f)
            pd_session_turn_obstacle(&session, item.index, between(-45, 45));
        if (item.kind == PD_ITEM_OBSTACLE && between(0, 1) < 0.05f)
            pd_session_spin_obstacle(&session, item.index, between(-60, 60));
        careful_step();
    }
    if (item.kind == PD_ITEM_OBSTACLE && between(0, 1) < 0.5f)
        pd_session_throw_obstacle(&session, item.index, (pd_vec2){between(-2, 2), between(-2, 2)});
    let_go();
}

static void random_draft(void) {
    pd_vec2 at = {between(-1.1f, 1.1f), between(-0.8f, 0.8f)};
    int points = (int)between(0, 15), before = pd_world_particles(session.world);
    bool straight = between(0, 1) < 0.3f;
    if (!pd_session_begin_draft(&session, at, between(0.02f, 0.3f), UNIT)) return;
    session.draft.angle = between(-90, 90);
    for (int k = 0; k < points; k++) {
        at = (pd_vec2){at.x + between(-0.15f, 0.15f), at.y + between(-0.15f, 0.15f)};
        pd_session_move_draft(&session, at, straight);
        careful_step();
        before = pd_world_particles(session.world);
    }
    pd_session_end_draft(&session);
    assert_int_equal(pd_world_particles(session.world), before);
}

static void random_input(void **state) {
    const char *method = *state;
    const uint64_t steps = is_shortened() ? 150 : 700;
    random_state = 77u + (unsigned)method[0]; /* not the same for each */
    open_pool(method, "");
    uint64_t most = 0;
    int made = 0;
    while (pd_world_steps(session.world) < steps) {
        pd_bar_tool tool = (pd_bar_tool)between(0, PD_BAR_TOOLS);
        session.poured = (int)between(0, 2);
        choose(tool, pd_bar_tool_choice_count(tool) > 0 ? (int)between(0, (float)pd_bar_tool_choice_count(tool)) : 0);
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
    print_message("%s: %d acts, %d obstacles, %d emitters, %d drains, %d particles\n", method, made,
                  scene->obstacle_count, scene->emitter_count, scene->drain_count, pd_world_particles(session.world));
    close_session();
}

TEST_GROUP(app_random) {
    const method_test tests[] = {OF_ALL(random_input)};
    return RUN_METHOD_TESTS(tests);
}
