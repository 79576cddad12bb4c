#include "core/file.h"
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void assert_holds(const char *path, const char *text) {
    void *bytes;
    size_t size;
    assert_int_equal(pd_file_read(path, 1000, &bytes, &size, NULL), PD_OK);
    assert_string_equal(bytes, text);
    free(bytes);
}

static void assert_link(const char *path, const char *to) {
    char text[100] = "";
    assert_true(readlink(path, text, sizeof text - 1) > 0);
    assert_string_equal(text, to);
}

static void test_links_are_followed(void **state) {
    (void)state;
    assert_int_equal(mkdir("inner", 0700), 0);
    assert_int_equal(symlink("inner/first", "link"), 0);
    assert_int_equal(symlink("second", "inner/first"), 0); /* relative to the link's folder */
    assert_int_equal(pd_file_probe("link", NULL), PD_OK);
    assert_int_equal(pd_file_write("link", "one", 3, NULL), PD_OK);
    assert_link("link", "inner/first");
    assert_link("inner/first", "second");
    assert_holds("inner/second", "one");
    assert_int_equal(pd_file_write("link", "two", 3, NULL), PD_OK);
    assert_link("link", "inner/first");
    assert_holds("inner/second", "two");

    pd_error error;
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_int_equal(pd_file_write("loop", "x", 1, &error), PD_FAILED);
    assert_non_null(strstr(error.message, strerror(ELOOP)));
    assert_int_equal(symlink("nowhere/file", "lost"), 0);
    assert_int_equal(pd_file_probe("lost", &error), PD_FAILED);
    assert_int_equal(pd_file_write("lost", "x", 1, &error), PD_FAILED);
    assert_link("lost", "nowhere/file");
}

static void test_the_same_file(void **state) {
    (void)state;
    assert_int_equal(pd_file_write("a", "a", 1, NULL), PD_OK);
    assert_int_equal(pd_file_write("b", "a", 1, NULL), PD_OK);
    assert_int_equal(link("a", "hard"), 0);
    assert_int_equal(symlink("a", "soft"), 0);
    assert_int_equal(symlink("c", "dangling"), 0);
    assert_true(pd_file_same("a", "./a"));
    assert_true(pd_file_same("a", "hard"));
    assert_true(pd_file_same("soft", "hard"));
    assert_false(pd_file_same("a", "b"));
    assert_false(pd_file_same("a", "c"));
    /* files that do not exist */
    char whole[100];
    snprintf(whole, sizeof whole, "%s/c", folder);
    assert_true(pd_file_same("c", "c"));
    assert_true(pd_file_same("c", "./c"));
    assert_true(pd_file_same("c", whole));
    assert_true(pd_file_same("dangling", "c"));
    assert_false(pd_file_same("c", "d"));
    assert_false(pd_file_same("c", "inner/c"));
    assert_true(pd_file_same("missing/c", "missing/c"));
    assert_false(pd_file_same("missing/c", "missing/d"));
}

/* A file inside the folder, or at the path of the folder or of one above it. */
static void test_files_in_the_way_of_a_folder(void **state) {
    (void)state;
    static const char *const in_the_way[][2] = {
        {"film/a", "film"},
        {"./film/a", "film/"},
        {"film/../film/a", "./film"},
        {"film", "film"},
        {"film", "film/deep/er"},
        {"to-film/a", "film"},
        {"film/a", "to-film"},
        {"to-a", "film"},
        {"a", "."},
        {"/a", "/"},
        {"new/a", "new"},
        {"new/../new/./a", "new"},
        {"new", "new/deep"},
        {"/", "new"},
        {"new//a", "./new/"},
    };
    static const char *const beside[][2] = {
        {"film.csv", "film"},
        {"film/deep/a", "film"},
        {"a", "film"},
        {"new/a", "new/film"},
        {"new/film.csv", "new/film"},
        {"fil", "film"},
        {"loop", "film"},
        {"/a", "."},
        {"new", "newer"},
        {"new/../a", "new"},
    };
    assert_int_equal(mkdir("film", 0700), 0);
    assert_int_equal(symlink("film", "to-film"), 0);
    assert_int_equal(symlink("film/to-be", "to-a"), 0);
    for (size_t i = 0; i < sizeof in_the_way / sizeof *in_the_way; i++)
        if (!pd_file_obstructs(in_the_way[i][0], in_the_way[i][1]))
            fail_msg("%s is in the way of %s", in_the_way[i][0], in_the_way[i][1]);
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        if (pd_file_obstructs(beside[i][0], beside[i][1]))
            fail_msg("%s is not in the way of %s", beside[i][0], beside[i][1]);
}

/* Publishing replaces the old file by what was printed before; what is printed later is appended to it. */
static void test_published_while_it_is_written(void **state) {
    (void)state;
    pd_output output;
    assert_int_equal(pd_file_write("log", "old", 3, NULL), PD_OK);
    assert_int_equal(pd_output_open(&output, "log", NULL), PD_OK);
    fputs("one", output.stream);
    fflush(output.stream);
    assert_holds("log", "old");
    assert_int_equal(pd_output_publish(&output, NULL), PD_OK);
    assert_holds("log", "one");
    fputs(" two", output.stream);
    assert_int_equal(pd_output_commit(&output, NULL), PD_OK);
    assert_holds("log", "one two");
    assert_int_equal(pd_output_open(&output, "log", NULL), PD_OK);
    assert_int_equal(unlink(output.temporary), 0);
    assert_int_equal(pd_output_publish(&output, NULL), PD_FAILED);
    assert_null(output.stream);
    assert_holds("log", "one two");
}

/* A pipe that was full for a moment: the failure is told with its reason, and nothing but the text was written. */
static void test_pipes_get_the_text_alone(void **state) {
    (void)state;
    static char chunk[1 << 16];
    pd_output output;
    pd_error error;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(pd_output_open(&output, "pipe", &error), PD_OK);
    assert_int_equal(fcntl(fileno(output.stream), F_SETFL, O_WRONLY | O_NONBLOCK), 0);
    memset(chunk, 'x', sizeof chunk);
    for (int i = 0; i < 100 && !ferror(output.stream); i++) fwrite(chunk, 1, sizeof chunk, output.stream);
    int number = errno; /* EAGAIN; the reads below change errno */
    assert_true(ferror(output.stream));
    for (ssize_t got; (got = read(reader, chunk, sizeof chunk)) > 0;) assert_null(memchr(chunk, 0, (size_t)got));
    errno = number;
    assert_int_equal(pd_output_commit(&output, &error), PD_FAILED);
    assert_non_null(strstr(error.message, strerror(EAGAIN)));
    for (ssize_t got; (got = read(reader, chunk, sizeof chunk)) > 0;) assert_null(memchr(chunk, 0, (size_t)got));
    close(reader);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links_are_followed),           cmocka_unit_test(test_the_same_file),
        cmocka_unit_test(test_files_in_the_way_of_a_folder), cmocka_unit_test(test_published_while_it_is_written),
        cmocka_unit_test(test_pipes_get_the_text_alone),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
