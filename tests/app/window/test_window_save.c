/* The dialogs that save files and export videos, used with keys and mouse. */
#include "window.h"

#include <glob.h>

static void open_pool(program *program) {
    static const char *const window[] = {"pool.yaml", "--size", "900x600", "--view",    "sprites", "--particles",
                                         "300",       "--json", "--stats", "stats.csv", NULL};
    write_settings("");
    open_scene(program, WATER_POOL, window);
    await_steps(3);
}

static void type_text(const char *text) {
    char script[256];
    snprintf(script, sizeof script, "type '%s'", text);
    hand(script);
}

static void expect_text(const char *path, const char *expected) {
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

/* Ctrl+S asks for a name once. The bar's button always asks. While the dialog is open, no step is made. */
static void test_names(void **state) {
    (void)state;
    program program;
    open_pool(&program);
    shell("rm -rf %s/Documents", base);
    hand("key ctrl+s");
    place_of(&program, "Save");
    int rows = count_rows("stats.csv");
    for (int k = 0; k < 3; k++) place_of(&program, "Folder"); /* each makes some frames */
    assert_int_equal(count_rows("stats.csv"), rows);
    type_text("first");
    hand("key Return");
    char path[128];
    snprintf(path, sizeof path, "Saved snapshot '%s/Documents/puddle/first.puddle'", base);
    await_line(&program, path);
    await_steps(3);
    assert_int_equal(unlink("../Documents/puddle/first.puddle"), 0);
    press(&program, "ctrl+s", path);
    assert_int_equal(access("../Documents/puddle/first.puddle", R_OK), 0);
    at_place(&program, "click 1", "Save");
    at_place(&program, "click 1", "Scene");
    type_text("text.yaml");
    at_place(&program, "click 1", "Save");
    await_line(&program, "/Documents/puddle/text.yaml'");
    hand("key ctrl+o"); /* the tiles of own files have the names that were typed */
    place_of(&program, "text");
    place_of(&program, "first.puddle");
    hand("key Escape");
    hand("key ctrl+r key Return");
    await_line(&program, "Saved the last two minutes as");
    assert_int_equal(access("../Documents/puddle/pool.log", R_OK), 0);
    hand("key ctrl+s key Escape");
    assert_exit(&program, 0);
}

/* A file is replaced by a second Enter or by the button only, and Escape leaves everything as it was. */
static void test_existing_files(void **state) {
    (void)state;
    program program;
    open_pool(&program);
    shell("mkdir -p %s/Documents/puddle", base);
    write_text("../Documents/puddle/pool.puddle", "mine");
    hand("key ctrl+s key Return key Escape");
    press(&program, "space", "Paused");
    expect_text("../Documents/puddle/pool.puddle", "mine");
    hand("key ctrl+s");
    place_of(&program, "Replace");
    type_text("other");
    place_of(&program, "Save");
    hand("key Escape key ctrl+s key Return key Return");
    await_line(&program, "pool.puddle'");
    press(&program, "space", "Running");
    write_text("../Documents/puddle/pool.csv", "mine"); /* would be the scene's table */
    hand("key ctrl+shift+s key Return key Escape");
    press(&program, "space", "Paused");
    expect_text("../Documents/puddle/pool.csv", "mine");
    hand("key ctrl+shift+s");
    at_place(&program, "click 1", "Replace");
    await_line(&program, "pool.yaml'");
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* A file that cannot be written keeps the dialog open, and the next try saves. */
static void test_mistakes(void **state) {
    (void)state;
    program program;
    char good[192];
    open_pool(&program);
    hand("key ctrl+s key BackSpace key Return");
    place_of(&program, "Folder");
    type_text("/proc/nowhere/pool");
    hand("key Return");
    place_of(&program, "Folder");
    write_text("file", "");
    snprintf(good, sizeof good, "%s/file/pool", folder);
    hand("key ctrl+a");
    type_text(good);
    hand("key Return");
    place_of(&program, "Folder");
    assert_int_equal(unlink("file"), 0);
    hand("key Return");
    await_line(&program, "/file/pool.puddle'");
    assert_int_equal(access("file/pool.puddle", R_OK), 0);
    hand("key ctrl+o key Escape key ctrl+q");
    assert_exit(&program, 0);
    assert_string_equal(errors_text(), "");
}

/* ---- Export ---- */

/* Returns what ffprobe prints about a video: "640,480,30". */
static const char *probed(const char *path) {
    static char text[64];
    char command[256];
    snprintf(command, sizeof command,
             "ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames -of csv=p=0 %s", path);
    FILE *probe = popen(command, "r");
    assert_non_null(probe);
    assert_non_null(fgets(text, sizeof text, probe));
    assert_int_equal(pclose(probe), 0);
    return text;
}

static int frames_of_video(const char *path) {
    int width, height, frames;
    assert_int_equal(sscanf(probed(path), "%d,%d,%d", &width, &height, &frames), 3);
    return frames;
}

static void expect_nothing_left(const char *pattern) {
    glob_t found;
    int result = glob(pattern, 0, NULL, &found);
    if (result == 0) fail_msg("%s is left", found.gl_pathv[0]);
}

/* Opens the dialog, and types the name of a file in the folder of the test. */
static void begin_export(const char *name) {
    char script[256];
    snprintf(script, sizeof script, "key ctrl+e type --args 1 '%s/%s'", folder, name);
    hand(script);
}

static void choose_item(program *program, const char *menu, const char *item) {
    at_place(program, "click 1", menu);
    at_place(program, "click 1", item);
}

/* A video of the whole log in an own size; then frames of its second half, as PNG pictures, after the method was changed. */
static void test_export(void **state) {
    (void)state;
    program program;
    open_pool(&program);
    await_steps(40);
    press(&program, "space", "Paused");
    shell("mkdir -p .puddle-12-3.tmp/film && touch .puddle-12-3.tmp/session.log%s", ""); /* of a killed window */
    begin_export("whole");
    choose_item(&program, "Size", "Own size");
    at_place(&program, "click 1", "Own size");
    type_text("320x240");
    choose_item(&program, "Frames", "60 per second");
    at_place(&program, "click 1", "Export");
    const char *line = await_line(&program, "Exported");
    assert_non_null(strstr(line, "/whole.mp4'"));
    assert_int_equal(strncmp(probed("whole.mp4"), "320,240,", 8), 0);
    int all = frames_of_video("whole.mp4");
    assert_int_equal(all, count_rows("stats.csv"));
    press(&program, "4", "\"Method\"");
    press(&program, "space", "Running");
    await_steps(20);
    press(&program, "space", "Paused");
    begin_export("half");
    choose_item(&program, "View", "smoke"); /* which the first method of the log does not have */
    choose_item(&program, "Format", "Folder of PNG pictures");
    at_place(&program, "keydown ctrl click 1 keyup ctrl", "From");
    type_text("0.5");
    hand("key Return");
    at_place(&program, "click 1", "Export");
    line = strstr(await_line(&program, "Exported"), "Exported ");
    assert_in_range(abs(atoi(line + strlen("Exported ")) - (count_rows("stats.csv") - 30)), 0, 1);
    assert_int_equal(access("half/frame_000000.png", R_OK), 0);
    expect_nothing_left(".puddle-*");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_string_equal(errors_text(), "");
}

/* Returns the step of the last row in stats.csv, counted since the scene was reset. */
static int last_step(void) {
    char line[4096];
    int step = 0;
    FILE *file = fopen("stats.csv", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) sscanf(line, "%d,", &step);
    fclose(file);
    return step;
}

static int exported_frames(program *program) {
    at_place(program, "click 1", "Export");
    return atoi(strstr(await_line(program, "Exported"), "Exported ") + strlen("Exported "));
}

/* The export begins with the scene: what was before a reset is not in it. A GIF has rates of its own. The first
 * choice of speed is that of the window. */
static void test_export_of_a_scene(void **state) {
    (void)state;
    program program;
    open_pool(&program);
    await_steps(70);
    press(&program, "r", "Restarted");
    await_steps(40);
    press(&program, "space", "Paused");
    int steps = last_step();
    assert_true(steps < count_rows("stats.csv") - 60);
    begin_export("scene");
    choose_item(&program, "Size", "1280 × 720");
    choose_item(&program, "Format", "Folder of PNG pictures");
    choose_item(&program, "Frames", "60 per second");
    assert_int_equal(exported_frames(&program), steps);
    begin_export("scene");
    choose_item(&program, "Format", "GIF");
    choose_item(&program, "Frames", "12.5 per second");
    assert_int_equal(exported_frames(&program), (int)(steps * 12.5 / 60 + 0.01));
    press(&program, "less", "Speed of time");
    begin_export("slow");
    choose_item(&program, "Format", "Folder of PNG pictures");
    choose_item(&program, "Frames", "30 per second");
    choose_item(&program, "Size", "Own size");
    at_place(&program, "click 1", "Own size");
    type_text("320x240");
    assert_in_range(exported_frames(&program), steps - 1, steps);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_string_equal(errors_text(), "");
}

/* Two panes are exported side by side. While the export runs, Escape asks before it cancels, and leaves the panes. */
static void test_export_of_two_methods(void **state) {
    (void)state;
    program program;
    open_pool(&program);
    press(&program, "ctrl+6", "Side by side");
    await_steps(60);
    press(&program, "space", "Paused");
    begin_export("both");
    choose_item(&program, "Format", "Folder of PNG pictures");
    exported_frames(&program);
    assert_int_equal(system("grep -q '\"ddr,flip\"' both/recording.json"), 0);
    begin_export("large");
    choose_item(&program, "Size", "3840 × 2160 (4K)");
    choose_item(&program, "Frames", "60 per second");
    at_place(&program, "click 1", "Export");
    place_of(&program, "Cancel export");
    hand("key Escape");
    await_line(&program, "An export runs: Esc again cancels 'large");
    hand("key Escape");
    await_line(&program, "Export cancelled");
    place_of(&program, "Keep this");
    hand("key Escape");
    await_line(&program, "Second pane closed");
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* An export that is cancelled, or that the end of the window ends, leaves no file. */
static void test_cancelled_export(void **state) {
    (void)state;
    program program;
    open_pool(&program);
    await_steps(60);
    hand("key space");
    await_line(&program, "Paused");
    begin_export("large");
    choose_item(&program, "Size", "3840 × 2160 (4K)");
    at_place(&program, "click 1", "Export");
    at_place(&program, "click 1", "Cancel export");
    await_line(&program, "Export cancelled");
    expect_nothing_left(".puddle-*");
    begin_export("large");
    choose_item(&program, "Size", "3840 × 2160 (4K)");
    at_place(&program, "click 1", "Export");
    place_of(&program, "Cancel export");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    expect_nothing_left(".puddle-*");
    assert_int_not_equal(access("large.mp4", F_OK), 0);
}

/* F9 records an MP4 video unless a format was selected. Recordings and screenshots are in the folder of saved files. */
static void test_recording_without_a_setting(void **state) {
    (void)state;
    program program;
    char path[128];
    open_pool(&program);
    shell("rm -rf %s/Documents", base);
    snprintf(path, sizeof path, "Recording to '%s/Documents/puddle/pool-1.mp4'", base);
    press(&program, "F9", path);
    await_steps(5);
    press(&program, "F9", "Recorded");
    assert_true(frames_of_video("../Documents/puddle/pool-1.mp4") >= 5);
    snprintf(path, sizeof path, "Saved screenshot '%s/Documents/puddle/puddle-0001.png'", base);
    press(&program, "F12", path);
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

TEST_GROUP(window_save) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_names, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_existing_files, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_mistakes, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_export, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_export_of_a_scene, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_export_of_two_methods, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_cancelled_export, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_recording_without_a_setting, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
