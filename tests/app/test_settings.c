/* What the window remembers from one run to the next. */
#include "app/io/settings.h"
#include "core/file.h"
#include "folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int begin(void **state) { return enter_folder(state) == 0 ? setenv("XDG_CONFIG_HOME", folder, 1) : -1; }

static void write_settings(const char *text) {
    pd_error error;
    mkdir("puddle", 0700);
    if (pd_file_write("puddle/settings", text, strlen(text), &error)) fail_msg("%s", error.message);
}

static void assert_settings(const char *text) {
    void *bytes;
    size_t size;
    assert_int_equal(pd_file_read("puddle/settings", 20000, &bytes, &size, NULL), PD_OK);
    assert_string_equal(bytes, text);
    free(bytes);
}

static void settings_do_not_replace_each_other(void **state) {
    (void)state;
    assert_int_equal(pd_settings_recording_format(), PD_SINK_MP4);
    assert_int_equal(pd_settings_history_mib(), 0);
    assert_int_equal(pd_settings_save_recording_format(PD_SINK_WEBM, NULL), PD_OK);
    assert_int_equal(pd_settings_save_history_mib(1024, NULL), PD_OK);
    assert_int_equal(pd_settings_recording_format(), PD_SINK_WEBM);
    assert_int_equal(pd_settings_history_mib(), 1024);
    assert_int_equal(pd_settings_save_recording_format(PD_SINK_GIF, NULL), PD_OK);
    assert_settings("recording: gif\nhistory: 1024\n");
}

/* Lines of another version are kept; values that are none count as not saved. */
static void other_lines_are_kept(void **state) {
    (void)state;
    write_settings("colour: blue\nhistory: much\nrecording: avi\nrecordings: 3");
    assert_int_equal(pd_settings_recording_format(), PD_SINK_MP4);
    assert_int_equal(pd_settings_history_mib(), 0);
    assert_int_equal(pd_settings_save_history_mib(64, NULL), PD_OK);
    assert_settings("history: 64\ncolour: blue\nrecording: avi\nrecordings: 3\n");
    write_settings("history: 70000\n");
    assert_int_equal(pd_settings_history_mib(), 0);
    write_settings("");
    assert_int_equal(pd_settings_save_history_mib(1, NULL), PD_OK);
    assert_settings("history: 1\n");
}

static void expect_refused(pd_saved_setting setting, const char *value, const char *reason) {
    pd_error error;
    assert_int_not_equal(pd_settings_save(setting, value, &error), PD_OK);
    if (!strstr(error.message, reason)) fail_msg("%s", error.message);
}

/* Writes a settings file of `size` bytes in lines of 64 bytes. */
static void write_long_settings(char *text, int size) {
    for (int i = 0; i < size; i += 64)
        memcpy(text + i, "unknown: a value of another version of this program, 64 bytes..\n", 65);
    write_settings(text);
}

/* A file is saved with all its lines or not at all. */
static void long_files(void **state) {
    (void)state;
    static char text[20000], saved[22000], path[1000];
    memset(path, 'p', sizeof path - 1);
    *path = '/';
    write_long_settings(text, 64 * 63); /* 64 bytes less than 4 KiB: the first size limit of the file */
    assert_int_equal(pd_settings_save(PD_SETTING_FOLDER, path, NULL), PD_OK);
    assert_int_equal(pd_settings_save_history_mib(2, NULL), PD_OK);
    snprintf(saved, sizeof saved, "history: 2\nfolder: %s\n%s", path, text);
    assert_settings(saved);
    write_long_settings(text, 64 * 255);
    expect_refused(PD_SETTING_FOLDER, path, "would have more than 16383 bytes (remove lines from the file)");
    assert_settings(text);
    write_long_settings(text, 64 * 256);
    expect_refused(PD_SETTING_HISTORY, "3", "it is too large");
    assert_settings(text);
}

/* Lines are lost neither behind a zero byte nor with a file that cannot be read. */
static void damaged_files(void **state) {
    (void)state;
    pd_error error;
    static const char zeros[] = "history: 5\n\0\0recording: gif\0";
    if (pd_file_write("puddle/settings", zeros, sizeof zeros - 1, &error)) fail_msg("%s", error.message);
    assert_int_equal(pd_settings_recording_format(), PD_SINK_GIF);
    assert_int_equal(pd_settings_save_history_mib(6, NULL), PD_OK);
    assert_settings("history: 6\nrecording: gif\n");
    expect_refused(PD_SETTING_FOLDER, "/a\nrecording: mp4", "its value has a line break");
    assert_int_equal(chmod("puddle/settings", 0200), 0);
    if (access("puddle/settings", R_OK) != 0) expect_refused(PD_SETTING_HISTORY, "7", "Permission denied");
    assert_int_equal(chmod("puddle/settings", 0600), 0);
    assert_settings("history: 6\nrecording: gif\n");
}

static void expect_folder(const char *expected) {
    char path[PD_MAX_PATH];
    pd_settings_find_output_folder(path, sizeof path);
    assert_string_equal(path, expected);
}

/* The folder for saved files is the one used last, else among the documents of the desktop, else ~/Documents. */
static void the_folder_for_files(void **state) {
    (void)state;
    static const char *const desktops[][2] = {
        {"XDG_DOCUMENTS_DIR=\"$HOME/Texte\"\n", "/home/of/me/Texte/puddle"},
        {"# a comment\nXDG_MUSIC_DIR=\"/m\"\nXDG_DOCUMENTS_DIR=\"/data/texts\"\n", "/data/texts/puddle"},
        {"XDG_DOCUMENTS_DIR=\"elsewhere\"\n", "/home/of/me/Documents/puddle"},
        {"", "/home/of/me/Documents/puddle"}};
    char *home = getenv("HOME");
    setenv("HOME", "/home/of/me", 1);
    write_settings("");
    for (size_t i = 0; i < sizeof desktops / sizeof *desktops; i++) {
        FILE *file = fopen("user-dirs.dirs", "w");
        assert_non_null(file);
        fputs(desktops[i][0], file);
        assert_int_equal(fclose(file), 0);
        expect_folder(desktops[i][1]);
    }
    assert_int_equal(pd_settings_save(PD_SETTING_FOLDER, "/used/last", NULL), PD_OK);
    expect_folder("/used/last");
    if (home) setenv("HOME", home, 1);
}

/* A pipe in the place of the file counts as none, and is not waited for. */
static void a_pipe(void **state) {
    (void)state;
    pd_error error;
    assert_int_equal(unlink("puddle/settings"), 0);
    assert_int_equal(mkfifo("puddle/settings", 0600), 0);
    assert_int_equal(pd_settings_recording_format(), PD_SINK_MP4);
    assert_int_equal(pd_settings_history_mib(), 0);
    assert_int_equal(pd_settings_save_history_mib(2, &error), PD_FAILED);
    assert_non_null(strstr(error.message, "it is not a regular file"));
    assert_int_equal(unlink("puddle/settings"), 0);
    /* A link, as of files that are kept elsewhere, is followed. */
    assert_int_equal(symlink("../elsewhere", "puddle/settings"), 0);
    assert_int_equal(pd_settings_save_history_mib(2, &error), PD_OK);
    assert_int_equal(access("elsewhere", F_OK), 0);
    assert_settings("history: 2\n");
}

static void unwritable(void **state) {
    (void)state;
    pd_error error;
    assert_int_equal(setenv("XDG_CONFIG_HOME", "/dev/null", 1), 0);
    assert_int_not_equal(pd_settings_save_history_mib(2, &error), PD_OK);
    assert_int_equal(error.code, PD_ERROR_FILE_UNWRITABLE);
    assert_int_equal(setenv("XDG_CONFIG_HOME", folder, 1), 0);
}

TEST_GROUP(settings) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_do_not_replace_each_other),
        cmocka_unit_test(other_lines_are_kept),
        cmocka_unit_test(long_files),
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(the_folder_for_files),
        cmocka_unit_test(a_pipe),
        cmocka_unit_test(unwritable),
    };
    return cmocka_run_group_tests(tests, begin, leave_folder);
}
