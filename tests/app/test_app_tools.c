/* The tools of the bar without a window: their choice, and what is told of pouring. */
#include "test.h"

#include "app/overlay/interface.h"
#include "sim/world.h"
#include "starved.h"
#include "worlds.h"

static const char *const FULL = "puddle: 1\nname: Full\nmethod: sph\ncontainer: {shape: box, width: 1, height: 1}\n"
                                "materials: {water: {color: \"#3a8fff\"}, oil: {color: \"#e0a020\"}}\n"
                                "regions: [{shape: box, center: [0, -0.2], size: [1, 0.6], count: 300}]\n";

static pd_announcer announcer = {.quiet = true};

static void open_session(pd_session *session, const char *text) {
    *session = (pd_session){.announcer = &announcer};
    pd_session_replace_world(session, world_of_text(text, 1));
    *announcer.text = '\0';
}

static void close_session(pd_session *session) {
    pd_log_destroy(session->log);
    pd_world_destroy(session->world);
}

static void choices(void **state) {
    (void)state;
    static pd_session session;
    open_session(&session, FULL);
    assert_int_equal(session.tool, PD_BAR_HAND);
    for (int tool = 0; tool < PD_BAR_TOOLS; tool++) {
        int argument = -1, found = 0;
        for (int k = 0; k < pd_key_count(); k++) {
            const pd_key *key = pd_key_at(k);
            if (key->action != PD_ACTION_TOOL || key->strokes[0].argument != tool) continue;
            assert_string_equal(pd_bar_tool_key_name((pd_bar_tool)tool), key->name);
            assert_ptr_equal(pd_key_find(key->strokes[0].code, 0, &argument), key);
            found++;
        }
        assert_int_equal(found, 1);
        assert_true(pd_session_perform_action(&session, PD_ACTION_TOOL, argument, false));
        assert_int_equal(session.tool, tool);
        char told[64]; /* of the same form for all: "Pour: water" */
        snprintf(told, sizeof told, "%s", pd_bar_tool_row((pd_bar_tool)tool)->name);
        assert_ptr_equal(strstr(announcer.text, told), announcer.text);
    }
    assert_int_equal(pd_session_poured_material(&session), 0);
    for (int k = 0; k < 4; k++) { /* the first choice keeps the material, further ones take the next */
        pd_session_perform_action(&session, PD_ACTION_TOOL, PD_BAR_POUR, false);
        assert_int_equal(pd_session_poured_material(&session), k % 2);
        assert_non_null(strstr(announcer.text, k % 2 ? "oil" : "water"));
    }
    pd_session_replace_world(&session, world_of_text("puddle: 1\nmaterials: {one: {color: \"#ffffff\"}}\n", 1));
    assert_int_equal(pd_session_poured_material(&session), 0); /* of another scene, with fewer materials */
    close_session(&session);
}

/* "Left" and "Right" are names of buttons and of keys: the button drags. */
static void names_of_keys_and_buttons(void **state) {
    (void)state;
    for (int k = 0; k < pd_key_count(); k++)
        for (int side = 0; side < 2; side++) {
            const char *word = side ? "Right" : "Left", *at = pd_key_at(k)->name;
            while ((at = strstr(at, word))) {
                at += strlen(word);
                bool drag = strncmp(at, "-drag", 5) == 0, mouse = pd_key_at(k)->action == PD_ACTION_NONE;
                if (drag != mouse) fail_msg("%s", pd_key_at(k)->name);
            }
        }
}

static void pour(pd_session *session, float y, int steps) {
    for (int k = 0; k < steps; k++) {
        pd_session_set_tool(session, &(pd_tool){.kind = PD_TOOL_POUR, .position = {0, y}, .radius = 0.1f});
        assert_true(pd_session_work_on_step(session, INFINITY));
    }
    pd_session_set_tool(session, &(pd_tool){.kind = PD_TOOL_NONE});
    assert_true(pd_session_work_on_step(session, INFINITY));
}

static void what_is_told(void **state) {
    (void)state;
    static pd_session session;
    open_session(&session, FULL);
    for (int k = 0; k < 60; k++) assert_true(pd_session_work_on_step(&session, INFINITY));
    int before = pd_world_particles(session.world);
    pour(&session, -0.35f, 30); /* within the fluid */
    assert_int_equal(pd_world_particles(session.world), before);
    assert_non_null(strstr(announcer.text, "No room to pour here (erase fluid first)"));
    *announcer.text = '\0';
    pour(&session, 0.3f, 40);
    assert_true(pd_world_particles(session.world) > before + 10);
    assert_string_equal(announcer.text, "");
    set_starving_allocator();
    starved = session.world;
    for (int k = 0; k < 60 && !*announcer.text; k++) {
        float y = 0.4f - 0.01f * (float)k;
        pd_session_set_tool(&session, &(pd_tool){.kind = PD_TOOL_POUR, .position = {0, y}, .radius = 0.5f});
        assert_true(pd_session_work_on_step(&session, INFINITY));
        pd_session_check_memory(&session);
    }
    print_message("%s\n", announcer.text);
    assert_non_null(strstr(announcer.text, "refused memory"));
    assert_true(pd_world_is_pour_incomplete(session.world));
    assert_true(session.paused);
    starved = NULL; /* the new log records and undoes what follows */
    assert_int_equal(pd_log_end_tick(session.log), 0);
    session.paused = false;
    pour(&session, 0, 3);
    assert_true(pd_log_end_tick(session.log) >= 3);
    assert_false(pd_log_was_refused_memory(session.log));
    close_session(&session);
}

TEST_GROUP(app_tools) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices),
        cmocka_unit_test(names_of_keys_and_buttons),
        cmocka_unit_test(what_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
