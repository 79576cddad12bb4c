/* Changes of the method in the app, without a window: what is kept, and what is reset. */
#include "test.h"
#include "with_threads.h"

#include "app/loop.h"
#include "app/tables/tools.h"
#include "core/error.h"
#include "sim/method.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DDR, SPH, PBF, GRID };

static void open_app(pd_app *app) {
    static const char text[] =
        "puddle: 1\nname: Small\nmaterials:\n  water: {color: \"#3a8fff\", mass: 1, yield: 0.5}\nregions:\n"
        "  - {shape: circle, center: [0, 0], radius: 0.5, material: water, count: 200}\n";
    pd_scene scene;
    pd_error error;
    pd_world *world;
    pd_app_init(app, &(pd_app_options){.quiet = true});
    if (pd_scene_read_text(text, sizeof text - 1, "small", &scene, &error)) fail_msg("%s", error.message);
    if (create_with_threads(&world, &scene, 1, &error)) fail_msg("%s", error.message);
    pd_scene_free(&scene);
    pd_session_replace_world(&app->session, world);
}

static void close_app(pd_app *app) {
    pd_log_destroy(app->session.log);
    pd_world_destroy(app->session.world);
}

static void expect_method(const pd_app *app, int method) {
    assert_string_equal(pd_world_method(app->session.world)->name, pd_method_at(method)->name);
    assert_string_equal(pd_world_scene(app->session.world)->method, pd_method_at(method)->name);
}

static void advance(pd_app *app, int steps) {
    for (int i = 0; i < steps; i++) {
        pd_world_step(app->session.world);
        pd_log_end_step(app->session.log, app->session.world);
    }
}

static float parameter(const pd_app *app, const char *key) {
    float value;
    pd_error error;
    if (pd_world_parameter(app->session.world, key, &value, &error)) fail_msg("%s", error.message);
    return value;
}

static int parameter_index(const pd_app *app, const char *key) {
    const pd_method_info *method = pd_world_method(app->session.world);
    for (int i = 0; i < method->parameter_count; i++)
        if (strcmp(pd_method_parameter_at(method, i)->key, key) == 0) return i;
    fail_msg("%s has no %s", method->name, key);
    return -1;
}

/* A change in the middle of a step: the step is completed, and pending values are set for the method before. */
static void test_pending_changes(void **state) {
    (void)state;
    static pd_app app;
    open_app(&app);
    assert_int_equal(pd_world_set_parameter(app.session.world, "ddr.stiffness", 5000, NULL), PD_OK);
    advance(&app, 3);
    assert_false(pd_world_step_part(app.session.world, 0));
    app.session.paused = true;
    pd_session_set_parameter(&app.session, parameter_index(&app, "radius"), 0.2f);
    pd_session_set_property(&app.session, 0, PD_YIELD, 0.7f);
    pd_app_perform_action(&app, PD_ACTION_GRAVITY_SWITCH, 0);
    pd_app_perform_action(&app, PD_ACTION_METHOD, pd_controls_method_key(pd_method_at(SPH)));
    expect_method(&app, SPH);
    assert_int_equal(pd_world_steps(app.session.world), 4);
    assert_int_equal(pd_world_particles(app.session.world), 200);
    assert_float_equal(parameter(&app, "ddr.radius"), 0.2f, 0);
    const pd_method_info *sph = pd_world_method(app.session.world);
    for (int i = 0; i < sph->parameter_count; i++) {
        float default_value, value = pd_session_parameter_value(&app.session, i, &default_value);
        assert_float_equal(value, default_value, 0);
    }
    assert_float_equal(pd_world_scene(app.session.world)->materials[0].property[PD_YIELD], 0.7f, 0);
    assert_true(!app.session.gravity.on && app.session.paused);
    assert_float_equal(pd_world_gravity(app.session.world).y, 0, 0);
    pd_app_perform_action(&app, PD_ACTION_GRAVITY_SWITCH, 0); /* switched on, it has the strength of before */
    assert_float_equal(pd_world_gravity(app.session.world).y, -1.6f, 1e-5f);
    close_app(&app);
}

static void test_rewind(void **state) {
    (void)state;
    static pd_app app;
    open_app(&app);
    advance(&app, 90);
    void *before, *after;
    size_t size, size_after;
    pd_app_perform_action(&app, PD_ACTION_METHOD, pd_controls_method_key(pd_method_at(SPH)));
    advance(&app, 60); /* a snapshot at 2 s */
    pd_app_perform_action(&app, PD_ACTION_METHOD, pd_controls_method_key(pd_method_at(PBF)));
    advance(&app, 10);
    pd_app_perform_action(&app, PD_ACTION_REWIND, 0);
    expect_method(&app, SPH);
    assert_true(fabs(pd_world_time(app.session.world) - 2) < 0.05);
    assert_int_equal(app.viewport.meter.errors, 0);
    assert_int_equal(app.viewport.meter.stages, 0);
    pd_app_perform_action(&app, PD_ACTION_REWIND, 0);
    expect_method(&app, DDR);
    assert_true(fabs(pd_world_time(app.session.world) - 1) < 0.05);
    /* Exactly that state, without traces of later steps and methods. */
    pd_app same;
    open_app(&same);
    advance(&same, (int)pd_world_steps(app.session.world));
    assert_int_equal(pd_world_save_to_memory(same.session.world, &before, &size, NULL), PD_OK);
    assert_int_equal(pd_world_save_to_memory(app.session.world, &after, &size_after, NULL), PD_OK);
    assert_int_equal(size, size_after);
    assert_memory_equal(before, after, size);
    free(before);
    free(after);
    close_app(&same);
    close_app(&app);
}

static void test_resets(void **state) {
    (void)state;
    static pd_app app;
    open_app(&app);
    pd_app_perform_action(&app, PD_ACTION_METHOD, pd_controls_method_key(pd_method_at(PBF)));
    assert_string_equal(app.viewport.announcer.text, "Method: Position based fluids");
    advance(&app, 5);
    pd_app_perform_action(&app, PD_ACTION_RESET, 0);
    expect_method(&app, PBF);
    assert_int_equal(pd_world_steps(app.session.world), 0);
    pd_app_perform_action(&app, PD_ACTION_METHOD, pd_controls_method_key(pd_method_at(SPH)));
    advance(&app, 5);
    pd_app_perform_action(&app, PD_ACTION_REOPEN, 0);
    expect_method(&app, DDR);
    assert_int_equal(pd_world_steps(app.session.world), 0);
    advance(&app, 5);
    close_app(&app);
}

static void test_key_of_every_method(void **state) {
    (void)state;
    static const char *const names[] = {"ddr", "sph", "pbf", "grid", "vortex", "flip", "cells"};
    for (int i = 0; i < 7; i++) {
        assert_string_equal(pd_controls_method_of_key((char)('1' + i))->name, names[i]);
        assert_int_equal(pd_controls_method_key(pd_method_find(names[i])), '1' + i);
    }
    for (int key = 0; key < 128; key++)
        if (key < '1' || key > '7') assert_null(pd_controls_method_of_key((char)key));
}

/* Keys change the parameters that the table of controls names. Where it names none, an announcement says so. */
static void test_keys_of_every_method(void **state) {
    (void)state;
    static pd_app app;
    open_app(&app);
    for (int m = 0; m < pd_method_count(); m++) {
        const pd_method_info *method = pd_method_at(m);
        pd_app_perform_action(&app, PD_ACTION_METHOD, pd_controls_method_key(method));
        const char *keys[] = {pd_controls_of_method(method)->stiffness, pd_controls_of_method(method)->viscosity};
        const pd_action actions[] = {PD_ACTION_STIFFNESS, PD_ACTION_VISCOSITY};
        for (int k = 0; k < 2; k++) {
            int index = keys[k] ? parameter_index(&app, keys[k]) : 0;
            float before = pd_session_parameter_value(&app.session, index, NULL);
            pd_app_perform_action(&app, actions[k], 1);
            assert_true(keys[k] ? pd_session_parameter_value(&app.session, index, NULL) > before
                                : strstr(app.viewport.announcer.text, " has no ") != NULL);
        }
        if (m == DDR) continue;
        unsigned own = method->features & (PD_FEATURE_TENSION | PD_FEATURE_SPRINGS |
                                           PD_FEATURE_STICKINESS); /* in parameters of their own */
        for (int p = 0; p < PD_PROPERTIES; p++)
            assert_true((pd_method_parameter_of_property(pd_world_method(app.session.world), p) >= 0) ==
                        ((own & pd_property_at(p)->feature) != 0));
        if (own & PD_FEATURE_SPRINGS) {
            int yield = parameter_index(&app, "yield");
            float before = pd_session_parameter_value(&app.session, yield, NULL);
            pd_app_perform_action(&app, PD_ACTION_YIELD, 1);
            assert_true(pd_session_parameter_value(&app.session, yield, NULL) > before);
            continue;
        }
        char expected[128];
        pd_app_perform_action(&app, PD_ACTION_YIELD, 1);
        snprintf(expected, sizeof expected, "%s has no yield", method->title);
        assert_string_equal(app.viewport.announcer.text, expected);
    }
    close_app(&app);
}

static bool measures(const pd_meter *meter, const char *stage) {
    for (int i = 0; i < meter->stages; i++)
        if (strcmp(meter->names[i], stage) == 0) return true;
    return false;
}

static void test_meter(void **state) {
    (void)state;
    static pd_app app;
    open_app(&app);
    advance(&app, 30);
    pd_meter_add_frame(&app.viewport.meter, app.session.world, 0.02, 0.001);
    assert_int_equal(app.viewport.meter.errors, 0); /* ddr does not iterate */
    pd_app_perform_action(&app, PD_ACTION_METHOD, pd_controls_method_key(pd_method_at(PBF)));
    pd_meter_add_frame(&app.viewport.meter, app.session.world, 0.02, 0.001);
    assert_int_equal(app.viewport.meter.errors, 0); /* pbf has not made a step */
    for (int i = 0; i < 60; i++) {
        advance(&app, 1);
        pd_meter_add_frame(&app.viewport.meter, app.session.world, 0.02, 0.001);
    }
    assert_true(measures(&app.viewport.meter, "lambda") && measures(&app.viewport.meter, "drawing"));
    const pd_profile *profile = pd_world_profile(app.session.world);
    assert_int_equal(profile->stage_count, 0); /* the meter has read and reset it */
    const float *errors;
    int count = pd_world_density_errors(app.session.world, &errors);
    assert_int_equal(app.viewport.meter.errors, count);
    assert_int_equal(count, (int)parameter(&app, "pbf.iterations") + 1);
    for (int i = 0; i < count; i++)
        assert_true(app.viewport.meter.error[i] >= 0 && app.viewport.meter.error[i] <= app.viewport.meter.error_top);
    /* The errors are smoothed: without further steps they converge to the current ones, which they are at once after a
     * change of the number of iterations. */
    for (int i = 0; i < 300; i++) pd_meter_add_frame(&app.viewport.meter, app.session.world, 0.02, 0.001);
    for (int i = 0; i < count; i++) assert_float_equal(app.viewport.meter.error[i], errors[i], 1e-4f);
    pd_session_set_parameter(&app.session, parameter_index(&app, "iterations"), 7);
    advance(&app, 1);
    pd_meter_add_frame(&app.viewport.meter, app.session.world, 0.02, 0.001);
    assert_int_equal(app.viewport.meter.errors, pd_world_density_errors(app.session.world, &errors));
    assert_int_equal(app.viewport.meter.errors, 8);
    for (int i = 0; i < 8; i++) assert_float_equal(app.viewport.meter.error[i], errors[i], 0);
    pd_app_perform_action(&app, PD_ACTION_METHOD, pd_controls_method_key(pd_method_at(DDR)));
    pd_meter_add_frame(&app.viewport.meter, app.session.world, 0.02, 0.001);
    assert_false(measures(&app.viewport.meter, "lambda"));
    assert_int_equal(app.viewport.meter.errors, 0);
    close_app(&app);
}

/* A method of 4 to 100 cells, which has memory for 50. */
static pd_result adapt_cells(pd_world *world, void *memory, pd_error *error) {
    float value;
    (void)memory;
    if (pd_world_parameter(world, "cells.count", &value, error)) return PD_BAD_INPUT;
    return value > 50 ? pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %g cells", (double)value) : PD_OK;
}

static void step_cells(pd_world *world, void *memory, float dt) { (void)world, (void)memory, (void)dt; }

static const pd_parameter cell_parameters[] = {{.key = "count",
                                                .title = "Cells",
                                                .unit = "",
                                                .help = "Number of cells",
                                                .source = "",
                                                .type = PD_PARAMETER_INTEGER,
                                                .default_value = 10,
                                                .minimum = 4,
                                                .maximum = 100,
                                                .rebuilds = true},
                                               {.key = "speed",
                                                .title = "Speed",
                                                .unit = "m/s",
                                                .help = "Of the cells",
                                                .source = "",
                                                .default_value = 1,
                                                .minimum = 0,
                                                .maximum = 2}};
static const pd_view_mode cell_views[] = {{"surface", PD_VIEW_SURFACE, NULL, PD_LINES_NONE}};
static const pd_method cells = {
    .info = {.name = "cells", .title = "Cells", .source = "", .parameter_count = 2, .view_count = 1},
    .parameters = cell_parameters,
    .views = cell_views,
    .state_size = 1,
    .adapt = adapt_cells,
    .step = step_cells};

/* A value that the method has no memory for: the value before stays, and the failure is shown. */
static void test_failed_parameter(void **state) {
    (void)state;
    static pd_app app;
    open_app(&app);
    pd_app_perform_action(&app, PD_ACTION_METHOD, '7');
    pd_session_set_parameter(&app.session, 0, 40);
    assert_float_equal(parameter(&app, "cells.count"), 40, 0);
    assert_false(app.viewport.announcer.is_error);
    pd_session_set_parameter(&app.session, 0, 60);
    assert_float_equal(parameter(&app, "cells.count"), 40, 0);
    assert_float_equal(pd_session_parameter_value(&app.session, 0, NULL), 40, 0);
    assert_true(app.viewport.announcer.is_error);
    assert_string_equal(app.viewport.announcer.text, "no memory for 60 cells");
    close_app(&app);
}

/* One frame of a slider: what it reports, and what is to be applied. */
static void expect_hold(pd_held_slider *held, int index, bool down, ui_change change, float value, ui_change expected) {
    ui_slider slider = {.held = down};
    float shown = value;
    bool moved = change == UI_MOVED && cell_parameters[index].rebuilds && down;
    assert_int_equal(pd_panel_delay_slider(held, &cell_parameters[index], &slider, change, &shown), expected);
    assert_float_equal(shown, value, 0);
    if (moved) assert_float_equal(held->value, value, 0);
}

static void test_slider_applied_on_release(void **state) {
    (void)state;
    pd_held_slider held = {0};
    expect_hold(&held, 0, true, UI_MOVED, 20, UI_SAME);
    expect_hold(&held, 1, false, UI_SAME, 1, UI_SAME); /* the row below it */
    expect_hold(&held, 0, true, UI_SAME, 20, UI_SAME);
    expect_hold(&held, 0, true, UI_MOVED, 30, UI_SAME);
    expect_hold(&held, 0, false, UI_SAME, 30, UI_MOVED); /* released */
    assert_null(held.parameter);
    expect_hold(&held, 0, false, UI_SAME, 30, UI_SAME);
    expect_hold(&held, 0, false, UI_MOVED, 35, UI_MOVED); /* moved and released in one frame */
    expect_hold(&held, 0, false, UI_TYPED, 50, UI_TYPED);
    expect_hold(&held, 0, true, UI_MOVED, 20, UI_SAME); /* a reset while it is held */
    expect_hold(&held, 0, true, UI_RESET, 20, UI_RESET);
    expect_hold(&held, 0, false, UI_SAME, 10, UI_SAME);
    expect_hold(&held, 1, true, UI_MOVED, 2, UI_MOVED); /* other parameters follow the pointer */
    /* A change of the method ends it without a change of the value. */
    static pd_app app;
    open_app(&app);
    app.viewport.slider = (pd_held_slider){&cell_parameters[0], 20};
    pd_app_perform_action(&app, PD_ACTION_METHOD, '7');
    assert_null(app.viewport.slider.parameter);
    close_app(&app);
}

static int add_method(void **state) {
    (void)state;
    return pd_method_register(&cells) ? 0 : -1;
}

static void test_top_of_a_scale(void **state) {
    (void)state;
    static const struct {
        float top, value, expected;
    } cases[] = {
        {0, 0, 0.001f},           {0.001f, 0.0004f, 0.001f}, {0.001f, 0.0011f, 0.002f}, {0.002f, 0.006f, 0.01f},
        {0.01f, 0.0021f, 0.01f},  {0.01f, 0.0019f, 0.002f},  {0.01f, 0, 0.001f},        {0, 0.3f, 0.5f},
        {0.5f, INFINITY, 0.001f}, {0.5f, NAN, 0.001f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_float_equal(pd_chart_choose_axis_maximum(cases[i].top, cases[i].value), cases[i].expected, 1e-6f);
    char text[32];
    assert_string_equal(pd_app_format_number((double)0.01f, text, sizeof text), "0.0100");
}

static void choose_view(pd_app *app, const char *name) {
    const pd_method_info *method = pd_world_method(app->session.world);
    pd_viewport_set_mode(&app->viewport, pd_method_find_view(method, name));
}

/* Views and lines: what was chosen last is drawn. The choice of lines lies over all views, but those of streamlines and
 * arrows, when chosen after it, show their own. */
static void test_view_or_lines_chosen_last(void **state) {
    (void)state;
    static pd_app app;
    open_app(&app);
    pd_session_set_method(&app.session, pd_method_at(GRID));
    pd_viewport_update(&app.viewport, &app.session);
    choose_view(&app, "arrows");
    assert_int_equal(pd_viewport_lines(&app.viewport), PD_LINES_ARROWS);
    choose_view(&app, "smoke");
    assert_int_equal(pd_viewport_lines(&app.viewport), PD_LINES_NONE);
    pd_viewport_set_lines(&app.viewport, PD_LINES_STREAMLINES);
    assert_int_equal(pd_viewport_lines(&app.viewport), PD_LINES_STREAMLINES);
    choose_view(&app, "arrows");
    assert_int_equal(pd_viewport_lines(&app.viewport), PD_LINES_ARROWS);
    pd_app_perform_action(&app, PD_ACTION_LINES, 0);
    assert_int_equal(pd_viewport_lines(&app.viewport), PD_LINES_NONE); /* the one after arrows */
    choose_view(&app, "streamlines");
    assert_int_equal(pd_viewport_lines(&app.viewport), PD_LINES_STREAMLINES);
    choose_view(&app, "pressure");
    assert_int_equal(pd_viewport_lines(&app.viewport), PD_LINES_NONE);
    pd_viewport_set_lines(&app.viewport, PD_LINES_CONTOURS);
    choose_view(&app, "arrows"); /* which has no contours */
    assert_int_equal(pd_viewport_lines(&app.viewport), PD_LINES_ARROWS);
    choose_view(&app, "speed");
    assert_int_equal(pd_viewport_lines(&app.viewport), PD_LINES_CONTOURS);
    close_app(&app);
}

/* What of the scene has no effect under the new method is said after the change, in one message; the window shows in a few
 * words that there is something. */
static void test_keys_without_effect(void **state) {
    (void)state;
    static pd_app app;
    static const char text[] =
        "puddle: 1\nmaterials: {oil: {color: '#ffd34d', stickiness: 9}, water: {color: '#3a8fff'}}\n"
        "attractions: [{between: [oil, water], factor: 0.4}]\n"
        "regions: [{shape: circle, center: [0, 0], radius: 0.5, material: oil, count: 200}]\n";
    pd_scene scene;
    pd_error error;
    pd_world *world;
    open_app(&app);
    if (pd_scene_read_text(text, sizeof text - 1, "parting", &scene, &error)) fail_msg("%s", error.message);
    if (create_with_threads(&world, &scene, 1, &error)) fail_msg("%s", error.message);
    pd_scene_free(&scene);
    pd_session_replace_world(&app.session, world);
    pd_app_perform_action(&app, PD_ACTION_METHOD, pd_controls_method_key(pd_method_at(GRID)));
    expect_method(&app, GRID);
    char told[480] = "";
    assert_int_equal(pd_session_append_warnings(world, told, sizeof told), 2);
    assert_string_equal(told,
                        "'attractions' has no effect under grid (use ddr); 'stickiness' of materials has no effect "
                        "under grid (use ddr or sph or pbf)");
    assert_string_equal(app.viewport.announcer.text,
                        "Method: Grid fluid (ignores stickiness); 2 warnings about the scene (see the panel)");
    pd_app_perform_action(&app, PD_ACTION_METHOD, pd_controls_method_key(pd_method_at(DDR)));
    assert_null(strstr(app.viewport.announcer.text, "see the panel"));
    close_app(&app);
}

/* Springs of the parameter: another method has one of its own. */
static void test_springs_that_are_lost(void **state) {
    (void)state;
    static pd_app app;
    pd_error error;
    open_app(&app);
    const float stiffness[] = {0, 400};
    assert_int_equal(pd_world_set_parameter(app.session.world, "ddr.spring_stiffness", 400, &error), PD_OK);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(pd_world_set_parameter(app.session.world, "sph.spring_stiffness", stiffness[k], &error),
                         PD_OK);
        pd_app_perform_action(&app, PD_ACTION_METHOD, pd_controls_method_key(pd_method_find("sph")));
        assert_int_equal(strstr(app.viewport.announcer.text, "ignores elasticity") != NULL, k == 0);
        pd_app_perform_action(&app, PD_ACTION_METHOD, pd_controls_method_key(pd_method_at(DDR)));
    }
    /* The springs of SPH alone are lost in the same way. */
    assert_int_equal(pd_world_set_parameter(app.session.world, "ddr.spring_stiffness", 0, &error), PD_OK);
    pd_app_perform_action(&app, PD_ACTION_METHOD, pd_controls_method_key(pd_method_find("sph")));
    pd_app_perform_action(&app, PD_ACTION_METHOD, pd_controls_method_key(pd_method_at(DDR)));
    assert_non_null(strstr(app.viewport.announcer.text, "ignores elasticity"));
    close_app(&app);
}

TEST_GROUP(app_method) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pending_changes),
        cmocka_unit_test(test_view_or_lines_chosen_last),
        cmocka_unit_test(test_rewind),
        cmocka_unit_test(test_resets),
        cmocka_unit_test(test_key_of_every_method),
        cmocka_unit_test(test_keys_of_every_method),
        cmocka_unit_test(test_meter),
        cmocka_unit_test(test_top_of_a_scale),
        cmocka_unit_test(test_failed_parameter),
        cmocka_unit_test(test_slider_applied_on_release),
        cmocka_unit_test(test_keys_without_effect),
        cmocka_unit_test(test_springs_that_are_lost),
    };
    return cmocka_run_group_tests(tests, add_method, NULL);
}
