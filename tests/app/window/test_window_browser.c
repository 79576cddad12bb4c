/* The browser of scenes in the window (Ctrl+O): bundled and own scenes by the mouse and the keys, the pictures that it keeps, and
 * what cannot be read. */
#include "window.h"

#include "app/device/thumbnails.h"
#include "record/png.h"
#include <dirent.h>

/* Only two bundled scenes, of which drawing pictures takes no long time under sanitizers. */
static int set_up_scenes(void **state) {
    static char data[192];
    if (set_up(state)) return -1;
    snprintf(data, sizeof data, "%s/data", folder);
    if (mkdir("data", 0755) || mkdir("data/scenes", 0755)) return -1;
    shell("cp '%s' data/scenes", PUDDLE_SCENES "/drop.yaml");
    shell("cp '%s' data/scenes", PUDDLE_SCENES "/two-drops.yaml");
    setenv("PUDDLE_DATA", data, 1);
    setenv("XDG_CACHE_HOME", folder, 1);
    return 0;
}

static int tear_down_scenes(void **state) {
    unsetenv("PUDDLE_DATA");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("MESA_SHADER_CACHE_DISABLE");
    setenv("HOME", base, 1);
    return end_programs(state);
}

static void write_own(float gravity) {
    FILE *file = fopen("a-own.yaml", "w");
    assert_non_null(file);
    fprintf(file,
            "# Mine: a drop that I made.\npuddle: 1\nname: Mine\ngravity: [0, %g]\nparticles: 200\nregions:\n"
            "  - {shape: circle, center: [0, 0], radius: 0.4, material: water}\n",
            (double)gravity);
    assert_int_equal(fclose(file), 0);
}

static int pictures_kept(void) {
    DIR *directory = opendir("puddle/thumbnails");
    int count = 0;
    for (struct dirent *entry = directory ? readdir(directory) : NULL; entry; entry = readdir(directory)) {
        size_t length = strlen(entry->d_name);
        count += length > 4 && strcmp(entry->d_name + length - 4, ".png") == 0;
    }
    if (directory) closedir(directory);
    return count;
}

static bool has_pictures(const void *count) { return pictures_kept() >= *(const int *)count; }

static void await_pictures(int count) {
    await(has_pictures, &count, "pictures of scenes");
    assert_int_equal(pictures_kept(), count);
}

/* Each is a whole picture in which something is seen. */
static void expect_whole_pictures(void) {
    static uint8_t rgb[PD_THUMBNAIL_BYTES];
    DIR *directory = opendir("puddle/thumbnails");
    assert_non_null(directory);
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        char path[320];
        int bright = 0;
        if (*entry->d_name == '.') continue;
        snprintf(path, sizeof path, "puddle/thumbnails/%s", entry->d_name);
        assert_true(pd_png_read(path, PD_THUMBNAIL_WIDTH, PD_THUMBNAIL_HEIGHT, rgb));
        for (int i = 0; i < PD_THUMBNAIL_BYTES; i++) bright += rgb[i] > 150;
        assert_in_range(bright, 1000, PD_THUMBNAIL_BYTES / 2);
    }
    closedir(directory);
}

static void test_scenes_are_opened_by_mouse_and_keys(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"drop", SMALL, "--json", NULL};
    write_own(-1);
    open_window(&program, arguments);
    hand("key ctrl+o");
    await_pictures(3);
    at_place(&program, "click 1", "Two drops");
    await_line(&program, "\"Two drops\"");
    hand("key ctrl+o");
    at_place(&program, "click 1", "Mine");
    await_line(&program, "\"Mine\"");
    hand("key ctrl+o key Home key Right key Return");
    await_line(&program, "\"Drop\"");
    hand("key ctrl+o key Return"); /* begins at the scene that is open */
    await_line(&program, "\"Drop\"");
    hand("key ctrl+o key End key Up key Down key Return");
    await_line(&program, "\"Drop\"");
    hand("key ctrl+o key Next key Prior key Prior key Return");
    await_line(&program, "\"Mine\"");
    hand("key ctrl+o type two"); /* the search leaves one scene */
    place_of(&program, "Two drops");
    hand("key Return");
    await_line(&program, "\"Two drops\"");
    hand("key ctrl+o type two");
    place_of(&program, "Two drops");
    hand("key Escape"); /* clears the search: there is nothing to undo any more */
    place_of(&program, "Mine");
    hand("key ctrl+z");
    place_of(&program, "Mine");
    hand("type two");
    place_of(&program, "Two drops");
    hand("key Return");
    await_line(&program, "\"Two drops\"");
    hand("key ctrl+o type ripples"); /* a word at the end of the comment in the scene's file */
    place_of(&program, "Drop");
    assert_int_equal(find_place(&program, "Two drops").width, 0);
    hand("key Return");
    await_line(&program, "\"Drop\"");
    hand("key ctrl+o click 5 click 5 click 5 click 5"); /* scrolled to its end */
    at_place(&program, "click 1", "Drop");
    await_line(&program, "\"Drop\"");
    expect_whole_pictures();
    assert_int_equal(pictures_kept(), 3);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_string_equal(errors_text(), "");
}

static void test_it_closes_and_leaves_the_scene(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"drop", SMALL, "--json", NULL};
    open_window(&program, arguments);
    hand("key h key ctrl+o key Escape key v");
    await_line(&program, "\"View\"");
    hand("key ctrl+o key ctrl+o key v");
    await_line(&program, "\"View\"");
    hand("key ctrl+o");
    at_place(&program, "click 1 key v", "Close");
    await_line(&program, "\"View\"");
    hand("key ctrl+o key v key 2 key Tab type 5"); /* is for the browser */
    hand("key Escape key Escape");                 /* clears the search, then closes */
    hand("key ctrl+o key Escape key ctrl+n key ctrl+o key Escape key 3");
    if (!strstr(await_line(&program, "\"Method\""), "osition")) fail_msg("heard: %s", program.heard);
    hand("key ctrl+o key ctrl+q");
    assert_exit(&program, 0);
    if (strstr(program.heard, "\"Scene\"")) fail_msg("heard: %s", program.heard);
}

/* Returns whether the pictures of the three scenes have a content. That of the scene before its change is not needed any more. */
static bool are_whole(const void *context) {
    (void)context;
    return system("test $(find puddle/thumbnails -name '*.png' -size +0 | wc -l) -ge 3") == 0;
}

static void test_a_changed_scene_has_another_picture(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"drop", SMALL, "--json", NULL};
    write_own(-1);
    open_window(&program, arguments);
    hand("key ctrl+o");
    await_pictures(3);
    write_own(-5);
    hand("key Escape key ctrl+o");
    await_pictures(4);
    shell("for f in %s/*; do : >$f; done", "puddle/thumbnails"); /* damaged: drawn anew */
    hand("key Escape key ctrl+o");
    await(are_whole, NULL, "pictures drawn anew");
    hand("key Escape key Escape");
    assert_exit(&program, 0);
}

/* Files that are no scenes have no tiles: keys and search reach only scenes. */
static void test_broken_files_have_no_tile(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"gone/here.yaml", SMALL, "--json", NULL};
    write_own(-1);
    assert_int_equal(mkdir("gone", 0755), 0);
    assert_int_equal(rename("a-own.yaml", "gone/here.yaml"), 0);
    write_text("broken.yaml", "puddle: 1\nname: Broken\nnonsense: 3\n");
    write_text("cut.puddle", "puddle-snapshot");
    write_text("empty.yml", "");
    assert_int_equal(symlink("nowhere.yaml", "link.yaml"), 0);
    assert_int_equal(mkfifo("pipe.yaml", 0644), 0);
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1); /* has a line of its own on such a folder */
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    setenv("HOME", "/dev/null", 1);
    open_window(&program, arguments);
    shell("rm -r %s", "gone");
    hand("key ctrl+o");
    place_of(&program, "Two drops");
    hand("key F10");
    const char *layout = await_line(&program, "\"layout\"");
    static const char *const broken[] = {"roken", "cut", "empty", "link", "pipe"};
    for (int i = 0; i < 5; i++) assert_null(strstr(layout, broken[i]));
    hand("key End key Return");
    await_line(&program, "\"Two drops\"");
    hand("key ctrl+o key Home key Return");
    await_line(&program, "\"Drop\"");
    hand("key ctrl+o key Escape key Escape");
    assert_exit(&program, 0);
    assert_string_equal(errors_text(), "");
    assert_int_equal(pictures_kept(), 0);
}

TEST_GROUP(window_browser) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_scenes_are_opened_by_mouse_and_keys, set_up_scenes, tear_down_scenes),
        cmocka_unit_test_setup_teardown(test_it_closes_and_leaves_the_scene, set_up_scenes, tear_down_scenes),
        cmocka_unit_test_setup_teardown(test_a_changed_scene_has_another_picture, set_up_scenes, tear_down_scenes),
        cmocka_unit_test_setup_teardown(test_broken_files_have_no_tile, set_up_scenes, tear_down_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
