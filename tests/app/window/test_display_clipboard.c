/* Pictures in the clipboard of X11, with xclip as the other program. */
#include "desktop.h"

#include "window.h"

static const char *const POOL[] = {"pool.yaml", "--json", SMALL, "--stats", "stats.csv", NULL};

/* xclip stays in the background and gives its file, until another program takes the clipboard. */
static void put_into_clipboard(const char *type, const char *file) {
    char command[256];
    snprintf(command, sizeof command, "xclip -selection clipboard -t %s -i %s >/dev/null 2>&1", type, file);
    shell(command, "");
}

static void test_a_copy_is_the_picture_of_the_view(void **state) {
    (void)state;
    program program;
    open_scene(&program, WATER_POOL, POOL);
    press(&program, "space", "Paused");
    press(&program, "ctrl+c", "Copied the picture");
    shell("xclip -selection clipboard -t TARGETS -o | grep -qx image/png%s", "");
    shell("xclip -selection clipboard -t image/png -o >%s", "copy.png");
    shell("test \"$(identify -format '%%wx%%h' %s)\" = 480x480", "copy.png");
    press(&program, "F12", "Saved screenshot");
    shell("compare -metric AE copy.png %s null:", "puddle-0001.png");
    press(&program, "ctrl+v", "\"Picture\""); /* its own picture */
    hand("key ctrl+q");
    assert_exit(&program, 0);
    shell("xclip -selection clipboard -t image/png -o | cmp - %s", "copy.png"); /* also after the window has closed */
}

/* A small picture comes in one part, a large one in many. */
static void test_a_pasted_picture_becomes_fluid(void **state) {
    (void)state;
    program program;
    open_scene(&program, WATER_POOL, POOL);
    shell("convert -size 60x40 xc:red %s", "PNG24:small.png");
    shell("convert -size 1200x900 plasma:red-blue %s", "PNG24:large.png");
    shell("convert -size 60x40 xc:red -quality 90 %s", "small.jpg");
    put_into_clipboard("image/png", "small.png");
    press(&program, "ctrl+v", "\"Picture\"");
    put_into_clipboard("image/png", "large.png");
    press(&program, "ctrl+v", "\"Picture\"");
    shell("cmp large.png \"$HOME\"/.cache/puddle/%s", "pasted.png");
    put_into_clipboard("image/jpeg", "small.jpg");
    press(&program, "ctrl+v", "\"Picture\"");
    await_steps(2);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_string_equal(errors_text(), "");
}

static void test_what_is_no_picture_is_refused(void **state) {
    (void)state;
    program program;
    open_scene(&program, WATER_POOL, POOL);
    write_text("text", "no picture");
    put_into_clipboard("UTF8_STRING", "text");
    press(&program, "ctrl+v", "the clipboard has no picture");
    put_into_clipboard("image/png", "text"); /* it only says so */
    press(&program, "ctrl+v", "pasted.png");
    await_steps(2);
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* The other program is stopped. The window waits for 3 s, and its own program ends. */
static void test_a_program_that_does_not_answer_is_given_up(void **state) {
    (void)state;
    program program;
    char command[128];
    open_scene(&program, WATER_POOL, POOL);
    write_text("text", "no picture");
    shell("xclip -selection clipboard -t image/png -quiet -i %s >/dev/null 2>&1 & echo $! >owner", "text");
    shell("until xclip -selection clipboard -t TARGETS -o >/dev/null 2>&1; do :; done; kill -STOP $(cat %s)", "owner");
    press(&program, "ctrl+v", "the clipboard has no picture");
    shell("kill -KILL $(cat %s)", "owner");
    snprintf(command, sizeof command, "! ps -o pid= --ppid %d", (int)program.pid);
    shell(command, "");
    await_steps(2);
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

static void test_a_missing_program_is_named(void **state) {
    (void)state;
    program program;
    char path[4096];
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    open_scene(&program, WATER_POOL, POOL);
    setenv("PATH", path, 1);
    press(&program, "ctrl+c", "'xclip' does not start (install xclip)");
    press(&program, "ctrl+v", "'xclip' does not start (install xclip)");
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

TEST_GROUP(display_clipboard) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_copy_is_the_picture_of_the_view, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_a_pasted_picture_becomes_fluid, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_what_is_no_picture_is_refused, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_a_program_that_does_not_answer_is_given_up, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_a_missing_program_is_named, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, open_display, close_display);
}
