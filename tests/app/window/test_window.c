/* The program in a window on a virtual display, with synthetic mouse and keyboard input. */
#include "recordings.h"
#include "window.h"

#include "app/io/settings.h"
#include <sys/resource.h>

enum { COLUMN_MOMENTUM_X = 5 };

static void test_drag(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool", SMALL, "--json", "--stats", "stats.csv", "--state", "state.csv", NULL};
    open_window(&program, arguments);
    hand("mousemove 400 384 mousedown 1");
    for (int i = 0; i < 40; i++) {
        char move[64];
        snprintf(move, sizeof move, "mousemove %d 430", 360 + 8 * i);
        hand(move);
    }
    hand("mouseup 1 key Escape");
    assert_exit(&program, 0);
    /* Without input the pool is symmetric and at rest: for comparison, the same number of steps of it. */
    int steps = count_rows("stats.csv");
    assert_true(steps > 0);
    char command[512];
    snprintf(command, sizeof command, "%s run pool --particles 400 --steps %d --stats still.csv --quiet",
             PROGRAM_IN_SHELL, steps);
    assert_int_equal(system(command), 0);
    double dragged = largest_in_column("stats.csv", COLUMN_MOMENTUM_X);
    double still = largest_in_column("still.csv", COLUMN_MOMENTUM_X);
    if (!(dragged > 5 * still && dragged > 0)) fail_msg("momentum dragged %g, left alone %g", dragged, still);
    assert_int_equal(count_rows("state.csv"), 400);
}

/* Plays a session with drags, keys, a wall, other methods, undo, a rewind, single steps and two panes. Returns the hash of its log. */
static uint64_t play(const char *threads) {
    static const char *const inputs[] = {"mousemove 512 500 mousedown 1",
                                         "mousemove 480 470",
                                         "mousemove 430 480",
                                         "mousemove 420 500 mouseup 1",
                                         "key Up key Up key g",
                                         "sleep 0.5",
                                         "key 2 key g",
                                         "mousedown 3 mousemove 500 500",
                                         "sleep 0.3 mouseup 3",
                                         "key F7",
                                         "mousedown 1",
                                         "mousemove 560 400",
                                         "mousemove 580 420 mouseup 1",
                                         "sleep 0.2",
                                         "key ctrl+z key 6",
                                         "sleep 0.2 key r",
                                         "keydown BackSpace sleep 0.6",
                                         "keyup BackSpace",
                                         "key equal key v",
                                         "sleep 0.4 key space",
                                         "key period key period key space",
                                         "key ctrl+4",
                                         "sleep 0.2",
                                         "key ctrl+k sleep 0.1"};
    program program;
    const char *arguments[] = {"pool", SMALL, "--json", "--threads", threads, NULL};
    open_window(&program, arguments);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) hand(inputs[i]);
    uint64_t hash = hash_of_log();
    hand("key ctrl+q");
    assert_exit(&program, 0);
    return hash;
}

/* The same input gives the same log, also on another number of threads. (.ci/run compares the logs of all windows.) */
static void test_the_same_input_gives_the_same_log(void **state) {
    (void)state;
    uint64_t hash = play("1");
    assert_true(play("1") == hash);
    assert_true(play("3") == hash);
}

static void test_keys(void **state) {
    (void)state;
    static const struct {
        const char *press, *line;
    } keys[] = {
        {"key Up", "Stiffness 15.3 "},
        {"key Down", "Stiffness 13.9 "},
        {"key bracketright", "Linear viscosity 1.00 "},
        {"key bracketleft", "Linear viscosity 0 "},
        {"key y", "Yield 0.0683"},
        {"key shift+y", "Yield 0.100"},
        {"key Right", "Gravity 1.76 m/s²"},
        {"key Left", "Gravity 1.60 m/s²"},
        {"key g", "Gravity: off"},
        {"key g", "Gravity 1.60 m/s²"},
        {"key shift+Right", "Gravity direction 15°"},
        {"key shift+Left", "Gravity direction 0°"},
        {"key minus", "Particles 320"},
        {"key equal", "Particles 400"},
        {"key 1", "Method: Double density relaxation"},
        {"key 4", "Method: Grid fluid"},
        {"key 1", "Method: Double density relaxation"},
        {"key 5", "Method: Vortex particles with buoyancy"},
        {"key 1", "Method: Double density relaxation"},
        {"key v", "View: speed"},
        {"key c", "Palette: "},
        {"key h key shift+h key F1 key F1 key Tab key Tab key space", "Paused"},
        {"key period key space", "Running"},
        {"key greater", "Speed of time 2×"},
        {"key less key less key less", "Speed of time 0.250×"},
        {"key greater key greater", "Speed of time 1×"},
        {"key BackSpace", "Rewound to"},
        {"key r", "Restarted, your settings kept"},
        {"key ctrl+s key Return", "/pool.puddle'"},
        {"key ctrl+s", "/pool.puddle'"},
        {"key ctrl+z key ctrl+shift+z key F12", "puddle-0001.png'"},
        {"key F11 key F11 click 4", "Tool size "},
    };
    program program;
    const char *arguments[] = {"pool", SMALL, NULL};
    program_start(&program, arguments);
    hand("mousemove 512 384 key c");
    await_line(&program, "Palette: ");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        hand(keys[i].press);
        await_line(&program, keys[i].line);
    }
    assert_int_equal(access("pool.puddle", R_OK), 0);
    assert_int_equal(access("puddle-0001.png", R_OK), 0);
    assert_true(was_heard(&program, "Undone (back to") && was_heard(&program, "Redone (forward to"));
    hand("key ctrl+q");
    assert_exit(&program, 0);
    struct stat errors;
    assert_int_equal(stat("errors", &errors), 0);
    assert_int_equal(errors.st_size, 0);
}

static void test_record_key(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"blobs", SMALL, "--json", NULL};
    open_window(&program, arguments);
    hand("key F9");
    await_line(&program, message_about("Recording to", "blobs-1"));
    await_file("blobs-1/frame_000003.png");
    /* The size of a recording is that of the window when it began, also after the window is resized. */
    resize_window(400, 420);
    await_line(&program, "\"width\":400,\"height\":420");
    await_file("blobs-1/frame_000008.png");
    hand("key F9");
    char *line = strstr(await_line(&program, "Recorded "), "Recorded ");
    int frames = atoi(line + strlen("Recorded "));
    assert_true(frames > 8);
    assert_recording("blobs-1", frames, 480, 480);
    hand("key F9");
    await_line(&program, message_about("Recording to", "blobs-2"));
    await_file("blobs-2/frame_000000.png"); /* a recording without frames would be removed */
    hand("key ctrl+q");                     /* quitting completes the recording */
    assert_exit(&program, 0);
    assert_recording("blobs-2", frames_of_recording("blobs-2"), 400, 420);
}

/* Every step is recorded once, also after rewinding, resetting and changing the number of particles. Screenshots right
 * after these, before the next frame of the window, are taken of the changed world. */
static void test_recording_goes_on_after_changes(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool", SMALL, "--json", "--record", "film", "--stats", "stats.csv", NULL};
    open_window(&program, arguments);
    await_file("film/frame_000070.png"); /* more than a second of simulated time */
    hand("key --delay 0 BackSpace F12");
    await_line(&program, "Rewound to");
    await_line(&program, "puddle-0001.png");
    hand("key --delay 0 minus F12");
    await_line(&program, "\"value\":320");
    await_line(&program, "puddle-0002.png");
    hand("key --delay 0 r F12");
    await_line(&program, "Restarted");
    await_line(&program, "puddle-0003.png");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_recording("film", count_rows("stats.csv"), 480, 480);
    assert_whole_png("puddle-0003.png", 480, 480);
}

static void test_failed_recording(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool", SMALL, "--json", "--record", "film", NULL};
    open_window(&program, arguments);
    await_file("film/frame_000003.png");
    assert_int_equal(rename("film", "gone"), 0);
    await_line(&program, "FILE_UNWRITABLE"); /* the window stays open and reports it */
    hand("key c");
    await_line(&program, "Palette");
    hand("key ctrl+q");
    assert_exit(&program, 1);
    assert_one_line(errors_text(), "cannot write 'film/");
}

/* The last frames are written when the program exits: a failure then must change the exit code. */
static void test_recording_fails_at_the_end(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool", SMALL, "--json", NULL};
    open_window(&program, arguments);
    hand("key space");
    await_line(&program, "Paused");
    hand("key F9");
    await_line(&program, message_about("recording begins with the next step, to", "pool-1"));
    hand("key period");
    await_file("pool-1/frame_000000.png");
    assert_int_equal(rename("pool-1", "gone"), 0);
    hand("key ctrl+q");
    assert_exit(&program, 1);
    assert_one_line(errors_text(), "recording.json");
}

/* The disk is full when a recording begins: the error is reported, and no recording without frames is left. */
static void test_record_key_on_a_full_disk(void **state) {
    (void)state;
    program program;
    struct rlimit usual, full;
    const char *arguments[] = {"pool", SMALL, "--json", NULL};
    open_window(&program, arguments);
    getrlimit(RLIMIT_FSIZE, &usual);
    full = (struct rlimit){2048, usual.rlim_max}; /* room for recording.json */
    setrlimit(RLIMIT_FSIZE, &full);
    hand("key F9");
    await_line(&program, message_about("Recording to", "pool-1"));
    const char *line = await_line(&program, "FILE_UNWRITABLE");
    setrlimit(RLIMIT_FSIZE, &usual);
    assert_non_null(strstr(line, "pool-1/frame_000000.png': File too large"));
    assert_int_not_equal(access("pool-1", F_OK), 0);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_one_line(errors_text(), "File too large");
}

/* F9 records what the settings of the last run say; closing the window completes the video. */
static void test_record_a_video(void **state) {
    (void)state;
    program program;
    pd_error error = {0};
    const char *arguments[] = {"pool", SMALL, "--json", NULL};
    const char *requested[] = {"pool", SMALL, "--json", "--record", "film.webm", "--stats", "stats.csv", NULL};
    assert_int_equal(pd_settings_recording_format(), PD_SINK_FOLDER);
    if (pd_settings_save_recording_format(PD_SINK_MP4, &error)) fail_msg("%s", error.message);
    assert_int_equal(pd_settings_recording_format(), PD_SINK_MP4);
    open_window(&program, arguments);
    hand("key space");
    await_line(&program, "Paused");
    hand("key F9");
    await_line(&program, message_about("Paused: recording begins with the next step, to", "pool-1.mp4"));
    for (int i = 0; i < 3; i++) hand("key period");
    hand("key F9");
    const char *line = await_line(&program, "Recorded");
    assert_non_null(strstr(line, message_about("to", "pool-1.mp4")));
    int frames = atoi(strstr(line, "Recorded ") + strlen("Recorded "));
    assert_in_range(frames, 1, 3);
    assert_int_equal(frames_of_video("pool-1.mp4"), frames);
    hand("key F9"); /* without frames no file is left */
    await_line(&program, message_about("Paused: recording begins with the next step, to", "pool-2.mp4"));
    hand("key F9");
    await_line(&program, "Nothing recorded: no step was made");
    assert_int_not_equal(access("pool-2.mp4", F_OK), 0);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    open_window(&program, requested);
    await_file("stats.csv");
    hand("key c");
    await_line(&program, "Palette");
    close_by_window_manager();
    assert_exit(&program, 0);
    assert_int_equal(frames_of_video("film.webm"), count_rows("stats.csv"));
    assert_string_equal(errors_text(), "");
    if (pd_settings_save_recording_format(PD_SINK_FOLDER, &error)) fail_msg("%s", error.message);
}

/* recording.json says which frames show which method. */
static void test_recording_of_two_methods(void **state) {
    (void)state;
    program program;
    char text[4096];
    const char *arguments[] = {"pool", SMALL, "--json", "--record", "film", NULL};
    open_window(&program, arguments);
    await_file("film/frame_000002.png");
    hand("key 2");
    await_line(&program, "Method");
    hand("key space");
    await_line(&program, "Paused");
    hand("key period");
    hand("key c");
    await_line(&program, "Palette");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    FILE *file = fopen("film/recording.json", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    cJSON *json = cJSON_Parse(text), *parts = cJSON_GetObjectItem(json, "parts");
    assert_int_equal(cJSON_GetArraySize(parts), 2);
    const cJSON *first = cJSON_GetArrayItem(parts, 0), *second = cJSON_GetArrayItem(parts, 1);
    const char *before = cJSON_GetObjectItem(first, "method")->valuestring;
    assert_string_equal(cJSON_GetObjectItem(json, "method")->valuestring, before);
    assert_string_not_equal(cJSON_GetObjectItem(second, "method")->valuestring, before);
    assert_int_equal(cJSON_GetObjectItem(first, "frame")->valueint, 0);
    assert_in_range(cJSON_GetObjectItem(second, "frame")->valueint, 3,
                    cJSON_GetObjectItem(json, "frames")->valueint - 1);
    cJSON_Delete(json);
}

/* 1,000 substeps a step: the window responds during a step, and changes made then apply when the step is complete. */
static void test_long_steps(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool",        "--size", "480x480", "--view",          "sprites",
                               "--particles", "4000",   "--set",   "ddr.stiffness=2", "--substeps",
                               "1000",        "--json", "--stats", "stats.csv",       NULL};
    open_window(&program, arguments);
    for (int i = 0; i < 10; i++) {
        hand("key c"); /* each takes a frame */
        await_line(&program, "Palette");
    }
    assert_true(count_rows("stats.csv") < 10);
    hand("key Up Up Left F12");
    await_line(&program, "\"value\":2.2");
    double second = 0;
    sscanf(strstr(await_line(&program, "Stiffness"), "value\":"), "value\":%lf", &second);
    assert_true(second > 2.3); /* relative to the pending value */
    await_line(&program, "Gravity");
    save_file(&program, "pool-0001.puddle");
    shell("cp %s first.puddle", "pool-0001.puddle");
    hand("key r BackSpace equal F12 F12");
    await_line(&program, "Restarted");
    await_line(&program, "\"value\":5000");
    await_line(&program, "puddle-0003.png");
    hand("key space");
    await_line(&program, "Paused");
    hand("key ctrl+s");
    await_line(&program, "pool-0001.puddle");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    char expected[96];
    snprintf(expected, sizeof expected, "grep -aq 'stiffness: %.4g' first.puddle", second);
    assert_int_equal(system(expected), 0);
}

static void test_every_step_is_recorded(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"blobs",    SMALL,  "--json",  "--frames",  "12",
                               "--record", "film", "--stats", "stats.csv", NULL};
    open_window(&program, arguments);
    assert_exit(&program, 0);
    assert_recording("film", count_rows("stats.csv"), 480, 480);
    program_start(&program, arguments); /* the recording exists */
    assert_exit(&program, 2);
}

static void test_pointer_over_the_panel(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool", SMALL, "--json", "--stats", "stats.csv", NULL};
    open_window(&program, arguments);
    hand("key Tab");
    /* Wheel and drag over the panel (the right 336 of 480 pixels) do not act on the world; the wheel between it and the
     * tool bar does. */
    hand("mousemove 700 600 click 4 click 4 mousedown 1 mousemove 650 590 mousemove 640 590 mouseup 1");
    hand("key c"); /* its line shows that all events before it were handled */
    await_line(&program, "Palette");
    assert_false(was_heard(&program, "Tool size"));
    hand("mousemove 370 400 click 4");
    await_line(&program, "Tool size");
    hand("key c");
    await_line(&program, "Palette");
    assert_null(strstr(strstr(program.heard, "Tool size") + 1, "Tool size"));
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* Input is sent at once, as a slow machine gets it: many events in one frame. */
static void test_numbers_are_typed(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool", SMALL, "--json", NULL};
    char script[128];
    open_window(&program, arguments);
    open_advanced(&program);
    rectangle stiffness = place_of(&program, "Stiffness"), near = place_of(&program, "Near stiffness");
    rectangle picture = place_of(&program, "Picture");
    at_middle("keydown ctrl click 1 keyup ctrl key 1 2 period 5 Return key v", stiffness);
    await_line(&program, "\"Stiffness\",\"value\":12.5");
    await_line(&program, "View");
    hand("keydown ctrl click 1 keyup ctrl key 9 Escape key v");
    await_line(&program, "View");
    assert_false(was_heard(&program, "\"value\":9"));
    snprintf(script, sizeof script, "keydown ctrl click 1 keyup ctrl key 7 7 BackSpace mousemove %d %d click 1 key v",
             middle_x(picture), middle_y(picture));
    hand(script);
    await_line(&program, "\"Stiffness\",\"value\":7,");
    await_line(&program, "View");
    /* From one field into the one below it, whose minimum is 0.01. */
    snprintf(script, sizeof script, "keydown ctrl click 1 keyup ctrl key 6 mousemove %d %d", middle_x(near),
             middle_y(near));
    at_middle(script, stiffness);
    hand("keydown ctrl click 1 keyup ctrl key minus 3 Tab key v");
    await_line(&program, "\"Stiffness\",\"value\":6,");
    await_line(&program, "\"Near stiffness\",\"value\":0.01,");
    await_line(&program, "View");
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* The panel's rows of a material: a check box sets and removes the material's own value; using the slider sets one at
 * once. */
static void test_materials_in_the_panel(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"one.yaml", "--size", "480x768", "--view", "sprites", "--json", NULL};
    FILE *scene = fopen("one.yaml", "w");
    assert_non_null(scene);
    fputs("puddle: 1\nmaterials:\n  water: {color: \"#3a8fff\", mass: 1}\nregions:\n"
          "  - {shape: circle, center: [0, 0], radius: 0.4, material: water, count: 300}\n",
          scene);
    assert_int_equal(fclose(scene), 0);
    open_window(&program, arguments);
    hand("key Tab");
    at_place(&program, "click 1 key v", "Own Linear viscosity (water)");
    await_line(&program, "\"Linear viscosity (water)\",\"value\":");
    await_line(&program, "View");
    at_place(&program, "keydown ctrl click 1 keyup ctrl key 3 Return key y", "Yield (water)");
    await_line(&program, "\"Yield (water)\",\"value\":3,\"unit\":\"\"");
    await_line(&program, "\"Yield\",\"value\":0.0683");
    await_line(&program, "\"Yield (water)\",\"value\":2.04");
    at_place(&program, "click 1 key shift+y", "Own Yield (water)"); /* removes it: one line only */
    await_line(&program, "\"Yield (water)\",\"value\":0.0683");
    await_line(&program, "\"Yield\",\"value\":0.1");
    hand("key bracketleft");
    await_line(&program, "\"Linear viscosity\"");
    await_line(&program, "\"Linear viscosity (water)\"");
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

static void test_escape_closes_what_is_open(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool", SMALL, "--json", NULL};
    open_window(&program, arguments);
    hand("key h Escape key c");
    await_line(&program, "Palette");
    hand("key Tab");
    at_place(&program, "click 1 key Escape key c", "Palette");
    await_line(&program, "Palette");
    hand("key Escape key c"); /* closes the panel */
    await_line(&program, "Palette");
    hand("key Escape");
    assert_exit(&program, 0);
}

static void test_quiet(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"drop", SMALL, "--quiet", "--frames", "3", NULL};
    program_start(&program, arguments);
    assert_exit(&program, 0);
    assert_string_equal(program.heard, "");
}

TEST_GROUP(window) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_drag, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_keys, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_the_same_input_gives_the_same_log, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_record_key, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_every_step_is_recorded, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_recording_goes_on_after_changes, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_record_a_video, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_recording_of_two_methods, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_failed_recording, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_recording_fails_at_the_end, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_record_key_on_a_full_disk, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_long_steps, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_pointer_over_the_panel, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_numbers_are_typed, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_materials_in_the_panel, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_escape_closes_what_is_open, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_quiet, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
