/* Names in other scripts: their characters come from the fonts that fontconfig finds, and are loaded when a text with them is drawn. The
 * fonts of the tests (tests/support/fonts.conf) have Chinese and Japanese characters, but no Korean and no Thai ones. */
#include "window.h"

#include <SDL.h>

/* Adds a font with the same characters, which fontconfig prefers but whose file was damaged since fontconfig has read it. */
static int add_damaged_font(void **state) {
    (void)state;
    char path[256];
    if (system("mkdir fonts && cp /usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf fonts/damaged.ttf && "
               "sed \"s|<fontconfig>|<fontconfig><dir>$PWD/fonts</dir>|\" \"$FONTCONFIG_FILE\" >fonts.conf && "
               "FONTCONFIG_FILE=$PWD/fonts.conf fc-match 'Noto Sans:charset=6c34' file | grep -q damaged && "
               "truncate -s 0 fonts/damaged.ttf && truncate -s 4000000 fonts/damaged.ttf"))
        return -1;
    return getcwd(path, sizeof path - 16) ? setenv("FONTCONFIG_FILE", strcat(path, "/fonts.conf"), 1) : -1;
}

static const char *const WINDOW[] = {"pool.yaml", "--size", "900x600", "--view",    "sprites", "--particles",
                                     "400",       "--json", "--stats", "stats.csv", NULL};

static const char *const NAMES =
    "puddle: 1\nname: 水池\nmethod: ddr\ngravity: [0, -1.6]\ncontainer: {shape: box, width: 2, height: 2}\n"
    "materials:\n  蜂蜜: {color: \"#e0a020\"}\n  한국: {color: \"#3a8fff\"}\n  שמן: {color: \"#3affff\"}\n"
    "regions: [{shape: box, center: [0, -0.5], size: [2, 1], material: 蜂蜜}]\n";

/* Returns whether the atlas has a character, which is wider than the question mark in its place. */
static bool is_loaded(const char *character) { return width_of_text(character) != width_of_text("?"); }

static void expect_loaded(const char *character) {
    make_frames(3);
    if (!is_loaded(character)) fail_msg("'%s' is drawn as a question mark", character);
    assert_false(fonts_are_missing());
}

/* The panel has the names of materials. Characters that are not drawn are not loaded. A character that no font has stays a question
 * mark, and is searched once. */
static void test_names_of_materials(void **state) {
    (void)state;
    program program;
    open_scene(&program, NAMES, WINDOW);
    make_frames(3);
    assert_false(is_loaded("蜂"));
    hand("key Tab");
    expect_loaded("蜂");
    expect_loaded("ש");
    assert_false(is_loaded("水"));
    assert_false(is_loaded("한"));
    assert_true(is_loaded("ж"));
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* The browser has the names of scenes and of files, the search what was typed. */
static void test_names_in_the_browser(void **state) {
    (void)state;
    program program;
    write_text("落下.yaml", NAMES);
    open_scene(&program, NAMES, WINDOW);
    assert_false(is_loaded("水"));
    hand("key ctrl+o");
    expect_loaded("水");
    assert_false(is_loaded("魚"));
    press_layout_key('a', SDL_SCANCODE_A, KMOD_NONE, "魚"); /* from an input method */
    expect_loaded("魚");
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* Texts of the program are in every atlas, also after the atlas was built again. */
static void test_latin_letters_stay(void **state) {
    (void)state;
    program program;
    open_scene(&program, NAMES, WINDOW);
    float before = width_of_text("Double density relaxation, 0°, m²/s, γλυκό, Жидкость");
    hand("key Tab");
    expect_loaded("蜂");
    assert_true(width_of_text("Double density relaxation, 0°, m²/s, γλυκό, Жидкость") == before);
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

TEST_GROUP(window_fonts) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_names_of_materials, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_names_in_the_browser, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_latin_letters_stay, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, add_damaged_font, NULL);
}
