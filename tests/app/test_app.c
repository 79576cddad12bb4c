/* The parts of the app that need no window: pace, rewind, keys, numbers, opening files. */
#include "test.h"
#include "with_threads.h"

#include "app/io/settings.h"
#include "app/loop.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double DT = 1.0 / 60;

/* One frame of the window in which a step takes `cost` of wall time. */
static int run_frame(pd_pace *pace, double elapsed, double cost) {
    int steps = 0;
    pd_pace_begin_frame(pace, elapsed);
    while (pd_pace_has_time(pace, steps * cost)) {
        pd_pace_record_work(pace, cost, 1, 1, true);
        steps++;
    }
    pd_pace_end_frame(pace);
    return steps;
}

static void test_pace_keeps_time(void **state) {
    (void)state;
    const double rates[] = {30, 60, 59.94, 75, 144, 240};
    for (int i = 0; i < 6; i++) {
        pd_pace pace;
        pd_pace_init(&pace, DT);
        int steps = 0;
        for (int frame = 0; frame < (int)(10 * rates[i]); frame++) {
            steps += run_frame(&pace, 1 / rates[i], 0.0005);
            assert_in_range((int)(pd_pace_interpolation_weight(&pace) * 1000), 0, 1000);
        }
        assert_in_range(steps, 598, 601);
        assert_true(fabs(pd_pace_speed_ratio(&pace) - 1) < 0.06);
    }
}

static void test_pace_when_steps_are_too_slow(void **state) {
    (void)state;
    pd_pace pace;
    pd_pace_init(&pace, DT);
    double elapsed = DT;
    for (int frame = 0; frame < 200; frame++) { /* a step takes three times the time that it simulates */
        int steps = run_frame(&pace, elapsed, 3 * DT);
        assert_in_range(steps, 0, 1);
        elapsed = steps * 3 * DT + 0.004;
        assert_true(elapsed < 0.1);
    }
    double speed = pd_pace_speed_ratio(&pace);
    assert_true(speed > 0.2 && speed < 0.4);
    /* When steps are fast again, the world runs in real time at once: there is no backlog. */
    for (int frame = 0; frame < 300; frame++) assert_in_range(run_frame(&pace, DT, 0.001), 0, 2);
    assert_true(fabs(pd_pace_speed_ratio(&pace) - 1) < 0.02);
    /* Nor is there one after a pause of an hour. */
    assert_in_range(run_frame(&pace, 3600, 0.001), 1, 16);
    assert_in_range(run_frame(&pace, DT, 0.001), 0, 2);
}

/* Steps of half a second in 25 substeps: no frame exceeds the budget by more than a substep, and the speed includes the
 * substeps of an incomplete step. */
static void test_pace_splits_long_steps(void **state) {
    (void)state;
    const int substeps = 25;
    const double cost = 0.02;
    pd_pace pace;
    pd_pace_init(&pace, DT);
    pd_pace_restart(&pace);
    double longest = 0, elapsed = DT;
    int done = 0, steps = 0;
    for (int frame = 0; frame < 200; frame++) {
        double spent = 0;
        pd_pace_begin_frame(&pace, elapsed);
        while (pd_pace_has_time(&pace, spent)) {
            double left = pd_pace_seconds_left(&pace, spent), used = 0;
            int made = 0;
            do {
                made++;
                used += cost;
            } while (done + made < substeps && used < left);
            done = (done + made) % substeps;
            steps += done == 0;
            spent += used;
            pd_pace_record_work(&pace, used, made, substeps, done == 0);
        }
        pd_pace_end_frame(&pace);
        assert_true(spent > 0); /* every frame advances the step */
        longest = fmax(longest, spent);
        elapsed = spent + 0.004;
        double speed = pd_pace_speed_ratio(&pace), expected = DT / (substeps * cost);
        if (frame > 50) assert_true(speed > 0.5 * expected && speed < 1.5 * expected);
    }
    assert_true(longest <= pace.budget + cost);
    assert_in_range(steps, 200 / substeps, 2 * 200 / substeps);
}

/* While only the second world steps, there is no division by 0 substeps, and frames end in time. */
static void test_pace_without_substeps(void **state) {
    (void)state;
    const double cost = 0.002;
    pd_pace pace;
    pd_pace_init(&pace, DT);
    pd_pace_restart(&pace);
    for (int frame = 0; frame < 20; frame++) {
        double spent = 0;
        pd_pace_begin_frame(&pace, DT);
        for (; pd_pace_has_time(&pace, spent) && spent < 1; spent += cost)
            pd_pace_record_work(&pace, cost, 0, 0, false);
        pd_pace_end_frame(&pace);
        assert_true(spent > 0 && spent <= pace.budget + cost);
        assert_true(pd_pace_speed_ratio(&pace) >= 0 && pd_pace_speed_ratio(&pace) <= 1);
    }
    pd_pace_record_work(&pace, cost, 1, 1, true);
    assert_true(pace.step_cost > 20 * pace.budget && isfinite(pace.substep_cost));
}

/* Slowness is reported after about a second of slow frames, and is still reported after half a second of fast ones. */
static void test_pace_reports_slowness(void **state) {
    (void)state;
    pd_pace pace;
    pd_pace_init(&pace, DT);
    double reported = 0, wall = 0; /* s */
    for (; wall < 4; wall += 3 * DT + 0.004) {
        run_frame(&pace, 3 * DT + 0.004, 3 * DT);
        if (reported == 0 && pace.slow) reported = wall;
    }
    assert_true(reported > 0.9 && reported < 1.5);
    for (wall = 0; wall < 0.5; wall += DT) run_frame(&pace, DT, 0.001);
    assert_true(pace.slow);
    for (; wall < 6; wall += DT) run_frame(&pace, DT, 0.001);
    assert_false(pace.slow);
}

static pd_world *small_world(void) {
    const char text[] = "puddle: 1\nname: Small\nmaterials:\n  water: {color: \"#3a8fff\", mass: 1}\nregions:\n"
                        "  - {shape: circle, center: [0, 0], radius: 0.5, material: water, count: 200}\n";
    pd_scene scene;
    pd_error error;
    pd_world *world;
    if (pd_scene_read_text(text, sizeof text - 1, "small", &scene, &error)) fail_msg("%s", error.message);
    if (create_with_threads(&world, &scene, 1, &error)) fail_msg("%s", error.message);
    pd_scene_free(&scene);
    return world;
}

static void test_keys(void **state) {
    (void)state;
    int argument, other;
    bool bound[PD_ACTIONS] = {false};
    int first_steps = 0;
    for (int i = 0; i < pd_key_count(); i++) {
        const pd_key *key = pd_key_at(i);
        assert_true(strlen(key->name) > 0 && strlen(key->group) > 0);
        assert_true(*key->help >= 'A' && *key->help <= 'Z'); /* a whole phrase, as an item of the menu */
        first_steps += (key->flags & PD_IN_FIRST_STEPS) != 0;
        bound[key->action] = true;
        for (int s = 0; s < PD_MAX_STROKES && key->strokes[s].code; s++) { /* no key has two meanings */
            const pd_key_stroke *stroke = &key->strokes[s];
            assert_ptr_equal(pd_key_find(stroke->code, stroke->modifiers, &argument), key);
            assert_int_equal(argument, stroke->argument);
        }
    }
    bound[PD_ACTION_WELCOME] = bound[PD_ACTION_SCALE] = true; /* only in the menu and in the panel */
    for (int action = PD_ACTION_NONE; action < PD_ACTIONS; action++) assert_true(bound[action]);
    assert_int_equal(first_steps, 13);
    static const pd_action anywhere[] = {PD_ACTION_VIEW,       PD_ACTION_PANEL,        PD_ACTION_TOOL,
                                         PD_ACTION_PAUSE,      PD_ACTION_CHANGE_SPEED, PD_ACTION_BROWSE,
                                         PD_ACTION_SCREENSHOT, PD_ACTION_QUIT};
    static const pd_action at_present[] = {PD_ACTION_STIFFNESS, PD_ACTION_METHOD, PD_ACTION_DYE,  PD_ACTION_STEP,
                                           PD_ACTION_RESET,     PD_ACTION_UNDO,   PD_ACTION_SAVE, PD_ACTION_KEEP_LOG};
    for (int i = 0; i < 8; i++)
        assert_true(!pd_action_ends_seek_and_rewind(anywhere[i]) && pd_action_ends_seek_and_rewind(at_present[i]));
    assert_int_equal(pd_key_find('h', PD_SHIFT, &other)->action, PD_ACTION_HELP);
    assert_null(pd_key_find('h', PD_CONTROL, &other));
    assert_int_equal(pd_key_find('y', PD_SHIFT, &other)->action, PD_ACTION_YIELD);
    assert_int_equal(other, 1);
    assert_int_equal(pd_key_find(PD_KEY_LEFT, PD_SHIFT, &other)->action, PD_ACTION_GRAVITY_TURN);
    assert_int_equal(other, -1);
}

/* Feeds the pace with 200 frames of an app whose substeps take so long. */
static void simulate_frames(pd_app *app, double seconds_per_substep) {
    pd_pace_init(&app->session.pace, DT);
    pd_world_step(app->session.world);
    int substeps = pd_world_substeps(app->session.world);
    for (int i = 0; i < 200; i++) {
        pd_pace_begin_frame(&app->session.pace, substeps * seconds_per_substep);
        if (pd_pace_has_time(&app->session.pace, 0))
            pd_pace_record_work(&app->session.pace, substeps * seconds_per_substep, substeps, substeps, true);
        pd_pace_end_frame(&app->session.pace);
    }
}

static void test_slowness(void **state) {
    (void)state;
    static pd_app app;
    char text[200];
    pd_error error;
    app.session.world = small_world();
    simulate_frames(&app, 1e-5);
    assert_string_equal(pd_viewport_explain_slowness(&app.viewport, &app.session, false, text, sizeof text), "");
    assert_int_equal(pd_world_set_parameter(app.session.world, "ddr.near_stiffness", 5000, &error), PD_OK);
    simulate_frames(&app, 2e-3);
    pd_viewport_explain_slowness(&app.viewport, &app.session, false, text, sizeof text);
    if (!strstr(text, "Running at ") || !strstr(text, " % speed: the fluid is stiff (") || !strstr(text, " substeps)"))
        fail_msg("%s", text);
    app.session.paused = true;
    assert_string_equal(pd_viewport_explain_slowness(&app.viewport, &app.session, false, text, sizeof text), "");
    app.session.paused = false;
    simulate_frames(&app, 0.03); /* a single substep is too slow */
    assert_non_null(strstr(pd_viewport_explain_slowness(&app.viewport, &app.session, false, text, sizeof text),
                           "200 particles are many"));
    /* Of a method whose particles are tracers it is the cells that cost. */
    assert_int_equal(pd_world_set_method(app.session.world, "grid", &error), PD_OK);
    assert_int_equal(pd_world_set_parameter(app.session.world, "grid.resolution", 16, &error), PD_OK);
    pd_viewport_update(&app.viewport, &app.session);
    simulate_frames(&app, 0.03);
    pd_viewport_explain_slowness(&app.viewport, &app.session, false, text, sizeof text);
    if (!strstr(text, "16 × 16 cells are many")) fail_msg("%s", text);
    /* Of vortices it is their number, also of those that come with the flow. */
    assert_int_equal(pd_world_set_method(app.session.world, "vortex", &error), PD_OK);
    simulate_frames(&app, 0.03);
    pd_viewport_update(&app.viewport, &app.session);
    char expected[64], number[32];
    snprintf(expected, sizeof expected, "%s vortons are many",
             pd_app_format_count(app.viewport.view.vortices.count, number, sizeof number));
    assert_true(app.viewport.view.vortices.count > 0);
    pd_viewport_explain_slowness(&app.viewport, &app.session, false, text, sizeof text);
    if (!strstr(text, expected)) fail_msg("%s", text);
    assert_int_equal(pd_world_set_method(app.session.world, "ddr", &error), PD_OK);
    pd_viewport_update(&app.viewport, &app.session);
    pd_scene scene;
    assert_int_equal(pd_scene_copy(&scene, pd_world_scene(app.session.world), &error), PD_OK);
    pd_world_destroy(app.session.world);
    scene.substeps = 1000;
    assert_int_equal(create_with_threads(&app.session.world, &scene, 1, &error), PD_OK);
    simulate_frames(&app, 1e-4);
    assert_non_null(strstr(pd_viewport_explain_slowness(&app.viewport, &app.session, false, text, sizeof text),
                           "the scene sets short steps (1,000 substeps)"));
    pd_world_destroy(app.session.world);
    scene.substeps = 0;
    scene.regions[0].velocity.x = 300;
    assert_int_equal(pd_scene_set_parameter(&scene, "ddr.stiffness", 1, &error), PD_OK);
    assert_int_equal(create_with_threads(&app.session.world, &scene, 1, &error), PD_OK);
    simulate_frames(&app, 2e-3);
    pd_viewport_explain_slowness(&app.viewport, &app.session, false, text, sizeof text);
    if (!strstr(text, "the fluid is fast (")) fail_msg("%s", text);
    pd_world_destroy(app.session.world);
    pd_scene_free(&scene);
}

/* Where defaults that follow the depth make the substeps short, the line says so; a stiffness that a person set is named. */
static void test_slowness_in_deep_water(void **state) {
    (void)state;
    const char *const methods[] = {"ddr", "sph", "pbf"};
    for (int m = 0; m < 3; m++) {
        static pd_app app;
        char scene_text[300], text[200];
        pd_scene scene;
        pd_error error;
        snprintf(
            scene_text, sizeof scene_text,
            "puddle: 1\nmethod: %s\ngravity: [0, -9.81]\nparticles: 600\ncontainer: {shape: box, width: 0.4, height: "
            "4}\nregions: [{shape: box, center: [0, 0], size: [0.4, 3.8]}]\n",
            methods[m]);
        if (pd_scene_read_text(scene_text, strlen(scene_text), "deep", &scene, &error)) fail_msg("%s", error.message);
        assert_int_equal(create_with_threads(&app.session.world, &scene, 1, &error), PD_OK);
        pd_scene_free(&scene);
        pd_viewport_update(&app.viewport, &app.session);
        assert_true(app.viewport.view.load > 10 && fabsf(app.viewport.view.fluid_height - 3.7f) < 0.3f);
        simulate_frames(&app, 5e-3);
        pd_viewport_explain_slowness(&app.viewport, &app.session, false, text, sizeof text);
        if (!strstr(text, " % speed: deep water (") || !strstr(text, " substeps)")) fail_msg("%s", text);
        if (m == 0) {
            assert_int_equal(pd_world_set_parameter(app.session.world, "ddr.near_stiffness", 5000, &error), PD_OK);
            simulate_frames(&app, 5e-3);
            pd_viewport_explain_slowness(&app.viewport, &app.session, false, text, sizeof text);
            if (!strstr(text, "the fluid is stiff (")) fail_msg("%s", text);
        }
        pd_world_destroy(app.session.world);
    }
}

/* The help names what Up and Down turn of the method that computes. */
static void test_help_of_keys(void **state) {
    (void)state;
    static const struct {
        const char *method, *more, *less;
    } table[] = {{"ddr", "More stiffness", "Less stiffness"},
                 {"pbf", "More iterations", "Fewer iterations"},
                 {"grid", "More buoyancy", "Less buoyancy"}};
    static pd_app app;
    pd_error error;
    char text[64];
    int argument;
    const pd_key *up = pd_key_find(PD_KEY_UP, 0, &argument), *down = pd_key_find(PD_KEY_DOWN, 0, &argument);
    app.session.world = small_world();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_int_equal(pd_world_set_method(app.session.world, table[i].method, &error), PD_OK);
        const pd_method_info *method = pd_world_method(app.session.world);
        assert_string_equal(pd_help_of_key(method, up, text, sizeof text), table[i].more);
        assert_string_equal(pd_help_of_key(method, down, text, sizeof text), table[i].less);
        for (int k = 0; k < pd_key_count(); k++)
            if (pd_key_at(k)->action != PD_ACTION_STIFFNESS)
                assert_string_equal(pd_help_of_key(method, pd_key_at(k), text, sizeof text), pd_key_at(k)->help);
    }
    pd_world_destroy(app.session.world);
}

/* The help says where the manual is: the installed one, or its pages in the source tree. */
static void test_help_of_the_manual(void **state) {
    (void)state;
    char folder[TEMPORARY_SIZE], command[512], path[256], data[256], wanted[256];
    assert_non_null(mkdtemp(temporary_template(folder)));
    assert_true(pd_help_find_manual(path, sizeof path)); /* tests run from the build folder */
    assert_non_null(strstr(path, "/doc"));
    assert_int_equal(access(path, R_OK), 0);
    snprintf(command, sizeof command,
             "mkdir -p %s/share/puddle %s/share/doc/puddle/html && touch %s/share/doc/puddle/html/index.html", folder,
             folder, folder);
    assert_int_equal(system(command), 0);
    snprintf(data, sizeof data, "%s/share/puddle", folder);
    snprintf(wanted, sizeof wanted, "%s/share/doc/puddle/html/index.html", folder);
    setenv("PUDDLE_DATA", data, 1);
    assert_true(pd_help_find_manual(path, sizeof path));
    unsetenv("PUDDLE_DATA");
    assert_string_equal(path, wanted);
    assert_false(pd_help_find_manual(path, 4)); /* no room */
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

/* A material's own property is changed along with the parameter; within a step the newest value waits for its end. */
static void test_properties(void **state) {
    (void)state;
    static pd_app app;
    bool own;
    pd_app_init(&app, &(pd_app_options){.quiet = true});
    app.session.world = small_world();
    int yield = pd_method_parameter_of_property(pd_world_method(app.session.world), PD_YIELD);
    assert_string_equal(pd_method_parameter_at(pd_world_method(app.session.world), yield)->key, "yield");
    float all = pd_session_property_value(&app.session, 0, PD_YIELD, &own);
    assert_false(own);
    pd_session_set_property(&app.session, 0, PD_YIELD, 0.5f);
    assert_float_equal(pd_session_property_value(&app.session, 0, PD_YIELD, &own), 0.5f, 0);
    assert_true(own);
    assert_string_equal(app.viewport.announcer.text, "Yield (water) 0.500");
    pd_app_perform_action(&app, PD_ACTION_YIELD, -1);
    assert_true(pd_session_parameter_value(&app.session, yield, NULL) < all);
    assert_float_equal(pd_world_property(app.session.world, 0, PD_YIELD), 0.5f / powf(1.1f, 4), 1e-6f);
    assert_string_equal(app.viewport.announcer.text, "Yield (water) 0.342");
    pd_session_set_property(&app.session, 0, PD_YIELD, -1); /* refused with an announcement */
    assert_true(app.viewport.announcer.is_error);
    assert_float_equal(pd_world_property(app.session.world, 0, PD_YIELD), 0.5f / powf(1.1f, 4), 1e-6f);

    assert_int_equal(pd_world_set_parameter(app.session.world, "ddr.stiffness", 5000, NULL), PD_OK);
    app.session.observer = (pd_observer){0}; /* the app's observer would quit */
    assert_false(pd_session_work_on_step(&app.session, 0));
    pd_session_set_property(&app.session, 0, PD_YIELD, 1);
    pd_session_set_property(&app.session, 0, PD_YIELD, 2); /* the newest value waits for the end of the step */
    assert_float_equal(pd_session_property_value(&app.session, 0, PD_YIELD, &own), 2, 0);
    assert_float_equal(pd_world_property(app.session.world, 0, PD_YIELD), 0.5f / powf(1.1f, 4), 1e-6f);
    assert_true(pd_world_stepping(app.session.world));
    pd_session_set_property(&app.session, 0, PD_VISCOSITY, 1); /* another slider completes the step */
    assert_int_equal(pd_world_steps(app.session.world), 1);
    assert_float_equal(pd_world_property(app.session.world, 0, PD_YIELD), 2, 0);
    assert_float_equal(pd_world_property(app.session.world, 0, PD_VISCOSITY), 1, 0);
    assert_false(pd_session_work_on_step(&app.session, 0));
    pd_session_set_parameter(&app.session, yield, 0.25f);
    assert_float_equal(pd_session_parameter_value(&app.session, yield, NULL), 0.25f, 0);
    while (!pd_session_work_on_step(&app.session, 0)) continue;
    assert_float_equal(pd_session_parameter_value(&app.session, yield, NULL), 0.25f, 0);
    assert_false(pd_session_work_on_step(&app.session, 0));
    pd_session_set_property(&app.session, 0, PD_VISCOSITY, NAN);
    pd_session_finish_step(&app.session);
    assert_true(isnan(pd_world_scene(app.session.world)->materials[0].property[PD_VISCOSITY]));
    pd_session_set_property(&app.session, 0, PD_YIELD, NAN);
    assert_true(isnan(pd_world_scene(app.session.world)->materials[0].property[PD_YIELD]));
    assert_float_equal(pd_world_property(app.session.world, 0, PD_YIELD),
                       pd_session_parameter_value(&app.session, yield, NULL), 0);
    pd_world_destroy(app.session.world);
}

/* Reset keeps changed values; reopening the scene restores its own. */
static void test_reset_and_reopen(void **state) {
    (void)state;
    static pd_app app;
    float value;
    pd_app_init(&app, &(pd_app_options){.quiet = true});
    pd_session_replace_world(&app.session, small_world());
    float before = pd_world_property(app.session.world, 0, PD_YIELD);
    pd_app_perform_action(&app, PD_ACTION_YIELD, -1);
    assert_int_equal(pd_world_set_parameter(app.session.world, "ddr.equal_weight", 0, NULL), PD_OK);
    pd_world_step(app.session.world);
    pd_app_perform_action(&app, PD_ACTION_RESET, 0);
    assert_true(pd_world_property(app.session.world, 0, PD_YIELD) < before);
    pd_app_perform_action(&app, PD_ACTION_REOPEN, 0);
    assert_float_equal(pd_world_property(app.session.world, 0, PD_YIELD), before, 0);
    assert_int_equal(pd_world_parameter(app.session.world, "ddr.equal_weight", &value, NULL), PD_OK);
    assert_float_equal(value, 1, 0);
    assert_int_equal(pd_world_steps(app.session.world), 0);
    pd_log_destroy(app.session.log);
    pd_world_destroy(app.session.world);
}

static void test_numbers(void **state) {
    (void)state;
    char text[64];
    assert_string_equal(pd_app_format_number(1.7321, text, sizeof text), "1.73");
    assert_string_equal(pd_app_format_number(1.6, text, sizeof text), "1.60");
    assert_string_equal(pd_app_format_number(-35, text, sizeof text), "-35.0");
    assert_string_equal(pd_app_format_number(0.09361, text, sizeof text), "0.0936");
    assert_string_equal(pd_app_format_number(12345.6, text, sizeof text), "12346");
    assert_string_equal(pd_app_format_number(0, text, sizeof text), "0");
    static const pd_parameter angle = {.unit = "°"}, length = {.unit = "m"};
    assert_string_equal(pd_app_format_parameter(&angle, 90, text, sizeof text), "90.0°");
    assert_string_equal(pd_app_format_parameter(&length, 90, text, sizeof text), "90.0 m");
    assert_string_equal(pd_app_format_count(999, text, sizeof text), "999");
    assert_string_equal(pd_app_format_count(1500, text, sizeof text), "1,500");
    assert_string_equal(pd_app_format_count(1234567, text, sizeof text), "1,234,567");
}

static void test_fresh_path(void **state) {
    (void)state;
    char folder[TEMPORARY_SIZE], path[PD_MAX_PATH], before[PD_MAX_PATH];
    assert_non_null(getcwd(before, sizeof before));
    assert_non_null(mkdtemp(temporary_template(folder)));
    assert_int_equal(chdir(folder), 0);
    pd_app_make_free_path(path, sizeof path, ".", "puddle", 4, ".png");
    assert_string_equal(path, "./puddle-0001.png");
    fclose(fopen(path, "w"));
    pd_app_make_free_path(path, sizeof path, ".", "puddle", 4, ".png");
    assert_string_equal(path, "./puddle-0002.png");
    assert_int_equal(symlink("nowhere.png", path), 0); /* would be written through */
    pd_app_make_free_path(path, sizeof path, ".", "puddle", 4, ".png");
    assert_string_equal(path, "./puddle-0003.png");
    assert_int_equal(unlink("puddle-0002.png"), 0);
    pd_app_make_free_path(path, sizeof path, "recordings", "blobs", 1, "");
    assert_string_equal(path, "recordings/blobs-1");
    assert_int_equal(unlink("puddle-0001.png"), 0);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* Loads a file as when it is dropped on the window. */
static void test_load(void **state) {
    (void)state;
    pd_error error;
    pd_world *world;
    assert_int_equal(pd_app_create_world(PUDDLE_SCENES "/blobs.yaml", 1, &world, &error), PD_OK);
    char path[TEMPORARY_SIZE], broken[TEMPORARY_SIZE];
    snprintf(path, sizeof path, "%s/XXXXXX.puddle", getenv("TMPDIR"));
    close(mkstemps(path, 7));
    assert_int_equal(pd_world_save(world, path, &error), PD_OK);
    int particles = pd_world_particles(world);
    pd_world_destroy(world);
    assert_int_equal(pd_app_create_world(path, 1, &world, &error), PD_OK);
    assert_int_equal(pd_world_particles(world), particles);
    pd_world_destroy(world);

    int file = mkstemp(temporary_template(broken));
    assert_int_equal(write(file, "puddle: 1\ngravty: [0, 1]\n", 25), 25);
    close(file);
    assert_int_equal(pd_app_create_world(broken, 1, &world, &error), PD_BAD_INPUT);
    assert_null(world);
    assert_int_equal(error.code, PD_ERROR_SCENE_KEY);
    assert_non_null(strstr(error.message, ":2:"));
    assert_int_equal(truncate(path, 100), 0);
    assert_int_equal(pd_app_create_world(path, 1, &world, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_SNAPSHOT_BROKEN);
    unlink(path);
    unlink(broken);
    assert_int_equal(pd_app_create_world(broken, 1, &world, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_FILE_UNREADABLE);
}

/* An opened scene is one act: it begins as in a fresh window, and undo brings back what was there. */
static void test_an_opened_scene_is_undone(void **state) {
    (void)state;
    static pd_app app;
    static const char *const names[] = {"two-drops", "oil-and-water", "cavity", "pinball"};
    pd_error error;
    pd_world *world;
    pd_app_init(&app, &(pd_app_options){.quiet = true});
    assert_int_equal(pd_app_create_world(PUDDLE_SCENES "/drop.yaml", 1, &world, &error), PD_OK);
    pd_session_replace_world(&app.session, world);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) pd_session_work_on_step(&app.session, INFINITY);
        pd_session_set_gravity(&app.session, (pd_vec2){1, (float)-i});
        pd_session_work_on_step(&app.session, 0); /* opened within a step, which is completed */
        char path[300], before[PD_MAX_NAME];
        snprintf(path, sizeof path, "%s/%s.yaml", PUDDLE_SCENES, names[i]);
        snprintf(before, sizeof before, "%s", pd_world_scene(app.session.world)->name);
        pd_session_open_file(&app.session, path);
        assert_int_equal(pd_app_create_world(path, 1, &world, &error), PD_OK);
        uint64_t fresh = pd_world_hash(world);
        assert_true(pd_world_hash(app.session.world) == fresh);
        assert_string_equal(app.session.path, path);
        pd_app_perform_action(&app, PD_ACTION_UNDO, 0);
        const pd_scene *scene = pd_world_scene(app.session.world);
        assert_string_equal(scene->name, before);
        assert_float_equal(scene->gravity.x, 1, 0);
        assert_float_equal(scene->gravity.y, -i, 0);
        uint64_t drawn = pd_world_hash(app.session.world);
        pd_app_perform_action(&app, PD_ACTION_REDO, 0);
        assert_true(pd_world_hash(app.session.world) == fresh);
        pd_app_perform_action(&app, PD_ACTION_UNDO, 0);
        assert_true(pd_world_hash(app.session.world) == drawn);
        pd_app_perform_action(&app, PD_ACTION_REDO, 0);
        for (int k = 0; k < 3; k++) {
            pd_world_step(world);
            pd_session_work_on_step(&app.session, INFINITY);
        }
        assert_true(pd_world_hash(app.session.world) == pd_world_hash(world));
        pd_world_destroy(world);
    }
    pd_session_close(&app.session);
    pd_world_destroy(app.session.world);
}

TEST_GROUP(app) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pace_keeps_time),
        cmocka_unit_test(test_pace_when_steps_are_too_slow),
        cmocka_unit_test(test_pace_splits_long_steps),
        cmocka_unit_test(test_pace_without_substeps),
        cmocka_unit_test(test_pace_reports_slowness),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_reset_and_reopen),
        cmocka_unit_test(test_slowness),
        cmocka_unit_test(test_slowness_in_deep_water),
        cmocka_unit_test(test_help_of_keys),
        cmocka_unit_test(test_help_of_the_manual),
        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_fresh_path),
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_an_opened_scene_is_undone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
