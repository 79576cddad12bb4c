/* Files and exit code of the program when a run cannot begin, fails later or is interrupted. */
#define _XOPEN_SOURCE 700 /* pseudo-terminals */
#include "process.h"

#include <fcntl.h>
#include <png.h>
#include <signal.h>
#include <sys/stat.h>

#define SMALL "--size 32x32 --particles 100 --quiet "

/* Checks that the frames are complete and numbered without gaps, that recording.json has their number and that there
 * are no other files. Returns the number. */
static int assert_recording(const char *name) {
    char path[128], *text;
    static uint8_t rgb[32 * 32 * 3];
    int frames = 0;
    for (;; frames++) {
        png_image image = {.version = PNG_IMAGE_VERSION};
        snprintf(path, sizeof path, "%s/frame_%06d.png", name, frames);
        if (!exists(path)) break;
        if (!png_image_begin_read_from_file(&image, at(path)) || PNG_IMAGE_SIZE(image) != sizeof rgb ||
            !png_image_finish_read(&image, NULL, rgb, 0, NULL))
            fail_msg("%s: %s", path, image.message);
    }
    snprintf(path, sizeof path, "test $(ls -A %s | wc -l) = %d", name, frames + 1);
    shell(path);
    snprintf(path, sizeof path, "%s/recording.json", name);
    text = read_text(path);
    cJSON *json = cJSON_Parse(text);
    if (!json) fail_msg("%s is not JSON: %s", path, text);
    assert_int_equal(cJSON_GetObjectItem(json, "frames")->valueint, frames);
    cJSON_Delete(json);
    free(text);
    return frames;
}

static void assert_unchanged(const char *arguments) {
    char command[512];
    snprintf(command, sizeof command, "cd %s && cat rec/* old.csv | cmp -s - before && test $(ls -A rec | wc -l) = 4",
             folder);
    if (system(command) != 0) fail_msg("puddle %s: the old recording has changed", arguments);
}

/* A run that cannot begin leaves the files that it would have replaced unchanged. */
static void a_run_that_cannot_begin_replaces_nothing(void **state) {
    (void)state;
    static const struct {
        const char *arguments;
        int code;
        const char *what;
    } table[] = {
        {"render drop -o rec --force --steps 2 --save nodir/x.puddle", 1, "create its folder"},
        {"render drop -o rec --force --steps 2 --state nodir/x.csv", 1, "create its folder"},
        {"render drop -o rec --force --steps 2 --stats nodir/x.csv", 1, "create its folder"},
        {"render drop -o rec --force --steps 2 --stats /dev/full", 1, "No space left"},
        {"render drop -o rec --force --steps 2 --stats old.csv --save /usr", 1, "name a file in it"},
        {"render nothing -o rec --force --steps 2 --stats old.csv", 2, "unknown scene"},
        {"drop --record rec --force --stats old.csv", 1, "puddle render"}, /* without a display */
        {"run drop --steps 2 --stats old.csv --save nodir/x.puddle", 1, "create its folder"},
    };
    assert_int_equal(run("render drop -o rec --steps 3 " SMALL), 0);
    assert_int_equal(run("run drop --steps 2 --particles 100 --stats old.csv --quiet"), 0);
    shell("cat rec/* old.csv >before");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_error(table[i].arguments, table[i].code, table[i].what);
        assert_unchanged(table[i].arguments);
    }
    setenv("SDL_VIDEO_EGL_DRIVER", "/nowhere/libEGL.so", 1);
    assert_error("render drop -o rec --force --stats old.csv", 1, "cannot draw without a window");
    unsetenv("SDL_VIDEO_EGL_DRIVER");
    assert_unchanged("without OpenGL");
    /* Nor does it leave new files. */
    assert_error("render drop -o fresh/deep --stats new.csv --save nodir/x.puddle", 1, "create its folder");
    assert_false(exists("fresh"));
    assert_false(exists("new.csv"));
    assert_int_equal(run("render drop -o rec --force --steps 2 --stats old.csv " SMALL), 0);
    assert_int_equal(assert_recording("rec"), 2);
}

/* Outputs in the folder of the frames, or at the path of it or of a folder above it, are refused in any spelling of the
 * paths. */
static void outputs_in_the_folder_of_the_frames_are_refused(void **state) {
    (void)state;
    static const char *const table[] = {
        "render drop -o rec --force --save rec/recording.json",
        "render drop -o rec --force --stats rec/frame_000000.png",
        "render drop -o ./rec --force --stats rec/other.csv",
        "render drop -o rec/ --force --state rec/other.csv --state-every 1",
        "render drop -o sub/../rec --force --save $PWD/rec/x.puddle",
        "render drop -o link --force --save rec/x.puddle",
        "render drop -o rec --force --save link/x.puddle",
        "render drop -o rec --force --stats soft.csv",
        "render drop -o . --stats a.csv",
        "render drop -o new/film --stats ./new/film/a.csv",
        "render drop -o new/film/ --stats new/../new//film/a.csv",
        "render drop -o new/film --stats new/film",
        "render drop -o new/film --stats new",
        "drop --record rec --force --save rec/recording.json",
    };
    shell("mkdir sub rec/sub && ln -s rec link && ln -s rec/frame_000001.png soft.csv && cat rec/*.* >before");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) assert_error(table[i], 2, "in the way of the frames");
    shell("cat rec/*.* | cmp - before");
    assert_false(exists("new"));
    assert_false(exists("a.csv"));
    /* Outputs beside it or in a folder inside it are accepted, also where the folder above does not exist yet. */
    assert_int_equal(run("render drop -o new/film --steps 1 --stats new/film.csv --state rec.csv " SMALL), 0);
    assert_int_equal(run("render drop -o rec --force --steps 1 --stats rec/sub/rows.csv --save recs.puddle " SMALL), 0);
    shell("mv rec/sub kept && test $(wc -l <kept/rows.csv) = 2");
    assert_int_equal(assert_recording("rec"), 1);
}

static void rows_on_a_full_disk_are_complete(void **state) {
    (void)state;
    static const char rows[] = "run drop --particles 100 --steps 300 --stats full.csv --quiet";
    char holds[64];
    shell("echo mine >full.csv");
    /* No room for the heading: the old file is unchanged, and the message says so. */
    assert_int_equal(run_limited(150, rows), 1);
    assert_int_equal(lines(err), 1);
    assert_non_null(strstr(err, "'full.csv': File too large"));
    assert_non_null(strstr(err, "a file that was there is unchanged"));
    shell("test \"$(cat full.csv)\" = mine && test \"$(ls -A)\" = \"$(ls)\"");
    /* Room for some rows: they are complete, and the message has their number. */
    for (int bytes = 3000; bytes < 3100; bytes += 33) { /* limits at several places in a row */
        assert_int_equal(run_limited((rlim_t)bytes, rows), 1);
        assert_int_equal(lines(err), 1);
        assert_non_null(strstr(err, "'full.csv': File too large"));
        assert_null(strstr(err, "unchanged"));
        char *text = read_text("full.csv");
        size_t length = strlen(text);
        int count = lines(text) - 1;
        assert_true(count > 3 && length <= (size_t)bytes);
        assert_int_equal(text[length - 1], '\n');
        snprintf(holds, sizeof holds, "; it holds %d whole rows)", count);
        if (!strstr(err, holds)) fail_msg("not %s: %s", holds, err);
        free(text);
    }
}

/* Rows and snapshots can be written to pipes, which have no path of their own, by /dev/stdout. */
static void pipes_without_a_path_are_written(void **state) {
    (void)state;
    assert_int_equal(run("run drop --particles 100 --steps 3 --stats /dev/stdout --quiet | cat"), 0);
    assert_string_equal(err, "");
    assert_int_equal(lines(out), 4);
    assert_int_equal(run("run drop --particles 100 --steps 3 --save /dev/stdout --quiet | cat >piped.puddle"), 0);
    assert_int_equal(run("run --load piped.puddle --steps 1 --quiet"), 0);
}

/* A second recording in one folder is refused, also with --force, and does not affect the first. */
static void two_renders_do_not_share_a_folder(void **state) {
    (void)state;
    static const char first[] = "render drop -o both --frames 1000000 --stats rows " SMALL;
    make_pipe();
    pid_t child = start(first);
    FILE *rows = open_rows();
    assert_error("render drop -o both --frames 2 --force " SMALL, 2, "another puddle is recording there");
    read_rows(rows, 3);
    assert_error("render drop -o ./both/ --frames 2 --force " SMALL, 2, "another puddle is recording there");
    assert_error("render drop -o both --frames 2 " SMALL, 2, "cannot record to 'both'");
    assert_int_equal(kill(child, SIGTERM), 0);
    drain_rows(rows);
    assert_int_equal(finish(child), 128 + SIGTERM);
    assert_string_equal(err, "");
    assert_true(assert_recording("both") > 1);
    /* A killed one does not keep the folder locked. */
    pid_t second = start("render drop -o both --force --frames 1000000 --stats rows " SMALL);
    rows = open_rows();
    assert_int_equal(kill(second, SIGKILL), 0);
    drain_rows(rows);
    assert_int_equal(finish(second), -SIGKILL);
    assert_int_equal(run("render drop -o both --force --frames 2 " SMALL), 0);
    assert_int_equal(assert_recording("both"), 2);
}

/* The second of two runs with the same output is refused before it simulates, by whatever name of the file, and whatever the
 * outputs are; after a kill the file is free again, and nothing else is left. */
static void two_runs_do_not_share_an_output(void **state) {
    (void)state;
    static const char *const second[] = {
        "run drop --steps 1 --stats one.csv",
        "run drop --steps 1 --stats ./two.csv",
        "run drop --steps 1 --save $PWD/one.csv",
        "run drop --steps 1 --state to-one.csv",
        "render drop -o more --steps 1 --save three.puddle " SMALL,
        "drop --log two.csv",
        "drop --stats one.csv",
    };
    shell("mkdir outputs && ln -s one.csv outputs/to-one.csv");
    char *above = strdup(folder);
    snprintf(folder, sizeof folder, "%s/outputs", above);
    make_pipe();
    pid_t child =
        start("render drop -o - --frames 1000000 --stats one.csv --state two.csv --save three.puddle " SMALL " >rows");
    FILE *rows = open_rows();
    assert_int_not_equal(fgetc(rows), EOF);
    for (size_t i = 0; i < sizeof second / sizeof *second; i++)
        assert_error(second[i], 2, "another puddle is writing it");
    assert_int_equal(run("run drop --steps 1 --stats four.csv --save five.puddle --particles 100 --quiet"), 0);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(finish(child), -SIGKILL);
    fclose(rows);
    shell("test $(head -n 1 one.csv | cut -c 1-9) = step,time");
    shell("rm -f its-* out err rows; test \"$(echo $(ls -A))\" = 'five.puddle four.csv one.csv to-one.csv'");
    assert_int_equal(run("run drop --steps 1 --stats one.csv --state two.csv --particles 100 --quiet"), 0);
    strcpy(folder, above);
    free(above);
}

/* Complete frames are kept, and the exit code is 128 + signal, also with --json. */
static void a_signal_ends_a_render_cleanly(void **state) {
    (void)state;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++) {
        make_pipe();
        pid_t child =
            start("render drop -o film --force --frames 1000000 --size 32x32 --particles 100 --json --stats rows "
                  "--save film.puddle");
        FILE *rows = open_rows();
        read_rows(rows, 5);
        assert_int_equal(kill(child, numbers[i]), 0);
        drain_rows(rows);
        assert_int_equal(finish(child), 128 + numbers[i]);
        assert_string_equal(err, "");
        cJSON *json = cJSON_Parse(out);
        assert_true(cJSON_IsTrue(cJSON_GetObjectItem(json, "interrupted")));
        assert_int_equal(assert_recording("film"), cJSON_GetObjectItem(json, "frames")->valueint);
        cJSON_Delete(json);
        assert_int_equal(run("run --load film.puddle --steps 1 --quiet"), 0);
    }
}

/* The next run with an output in the same folder removes the temporary file of a killed recording, also if the run is refused. The
 * file of a running recording stays. */
static void what_a_killed_recording_leaves_is_removed(void **state) {
    (void)state;
    static const char *const next[] = {
        "render drop -o other.gif --frames 2 " SMALL,
        "render drop -o film --force --frames 1 --size 32x32 --particles 100 --stats other.csv",
        "run drop --steps 1 --particles 100 --quiet --save other.puddle",
        "run drop --steps 1 --particles 100 --quiet --stats other.csv",
        NULL, /* a refused run */
    };
    for (size_t i = 0; i < sizeof next / sizeof *next; i++) {
        make_pipe();
        pid_t child = start("render drop -o killed.gif --force --frames 1000000 --stats rows " SMALL);
        FILE *rows = open_rows();
        read_rows(rows, 3);
        if (next[i]) assert_int_equal(run(next[i]), 0);
        shell("ls .puddle-*.tmp >/dev/null");
        assert_int_equal(kill(child, SIGKILL), 0);
        drain_rows(rows);
        finish(child);
        shell("ls .puddle-*.tmp >/dev/null; rm -f other.*");
        if (!next[i]) write_text("killed.gif", "mine");
        if (next[i])
            assert_int_equal(run(next[i]), 0);
        else
            assert_error("render drop -o killed.gif --frames 2 " SMALL, 2, "it exists (name another file, or --force");
        shell("! ls .puddle-*.tmp 2>/dev/null");
    }
}

/* As with nohup: the run continues after its terminal is closed. */
static void an_ignored_hangup_stays_ignored(void **state) {
    (void)state;
    make_pipe();
    signal(SIGHUP, SIG_IGN);
    pid_t child = start("run drop --particles 100 --steps 1000000 --quiet --stats rows");
    signal(SIGHUP, SIG_DFL);
    FILE *rows = open_rows();
    read_rows(rows, 5);
    assert_int_equal(kill(child, SIGHUP), 0);
    read_rows(rows, 2000); /* more than the pipe held when the signal came */
    assert_int_equal(kill(child, SIGTERM), 0);
    drain_rows(rows);
    assert_int_equal(finish(child), 128 + SIGTERM);
}

/* The program's terminal is closed: it gets SIGHUP, and its writes to the terminal fail. */
static void a_closed_terminal_ends_a_render_cleanly(void **state) {
    (void)state;
    make_pipe();
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(master >= 0);
    assert_int_equal(grantpt(master), 0);
    assert_int_equal(unlockpt(master), 0);
    char terminal[64];
    snprintf(terminal, sizeof terminal, "%s", ptsname(master));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setsid();
        int slave = open(terminal, O_RDWR); /* becomes the controlling terminal */
        if (slave < 0 || chdir(folder)) _exit(127);
        dup2(slave, 0), dup2(slave, 1), dup2(slave, 2);
        execl(PUDDLE_PROGRAM, PUDDLE_PROGRAM, "render", "drop", "-o", "shut", "--size", "32x32", "--particles", "100",
              "--frames", "1000000", "--stats", "rows", (char *)NULL);
        _exit(127);
    }
    FILE *rows = open_rows();
    read_rows(rows, 5);
    close(master);
    drain_rows(rows);
    assert_int_equal(finish(child), 128 + SIGHUP);
    assert_true(assert_recording("shut") > 0);
}

/* A terminal shows how far a recording is, however short, and what goes on after its last frame; a line of the result stays. */
static void a_terminal_shows_the_progress(void **state) {
    (void)state;
    char text[8192], *end = text;
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(master >= 0);
    assert_int_equal(grantpt(master), 0);
    assert_int_equal(unlockpt(master), 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (chdir(folder)) _exit(127);
        dup2(slave, 1), dup2(slave, 2);
        execl(PUDDLE_PROGRAM, PUDDLE_PROGRAM, "render", "drop", "-o", "short.gif", "--size", "32x32", "--particles",
              "100", "--frames", "3", (char *)NULL);
        _exit(127);
    }
    close(slave);
    for (ssize_t got; end < text + sizeof text - 1; end += got) {
        got = read(master, end, (size_t)(text + sizeof text - 1 - end));
        if (got <= 0) break; /* EIO: the program has ended */
    }
    *end = '\0';
    close(master);
    assert_int_equal(finish(child), 0);
    if (!strstr(text, "frame 0/3 (0 %), ") || !strstr(text, "/s") || !strstr(text, "finishing the recording") ||
        !strstr(text, "3 frames in short.gif, "))
        fail_msg("%s", text);
}

/* Waits until the program has a handler for the signal (by /proc), since it prints nothing before its first row. */
static void await_handler(pid_t child, int number) {
    char path[64], line[256], program[4096] = "";
    snprintf(path, sizeof path, "/proc/%d/exe", (int)child);
    while (!strstr(program, "/puddle")) { /* the shell that starts it has handlers of its own */
        ssize_t length = readlink(path, program, sizeof program - 1);
        if (length < 0) skip(); /* no /proc */
        program[length] = '\0';
    }
    snprintf(path, sizeof path, "/proc/%d/status", (int)child);
    for (unsigned long long caught = 0; !(caught >> (number - 1) & 1);) {
        FILE *status = fopen(path, "r");
        if (!status) skip(); /* no /proc */
        while (fgets(line, sizeof line, status))
            if (sscanf(line, "SigCgt: %llx", &caught) == 1) break;
        fclose(status);
        if (waitpid(child, NULL, WNOHANG) != 0) fail_msg("the program has ended");
    }
}

static void a_signal_ends_a_benchmark_cleanly(void **state) {
    (void)state;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 6; i++) {
        pid_t child = start(i < 3 ? "bench --json --method sph --particles 2000 --steps 100000000"
                                  : "bench --json --method grid --set grid.resolution=64 --steps 100000000");
        await_handler(child, numbers[i % 3]);
        assert_int_equal(kill(child, numbers[i % 3]), 0);
        assert_int_equal(finish(child), 128 + numbers[i % 3]);
        assert_string_equal(err, "");
        cJSON *json = cJSON_Parse(out);
        assert_true(cJSON_IsArray(json));
        cJSON_Delete(json);
    }
}

/* The reader of the rows closes the pipe during the run. */
static void a_failure_during_a_render_keeps_the_frames(void **state) {
    (void)state;
    make_pipe();
    pid_t child = start("render drop -o part --frames 1000000 --stats rows --save part.puddle " SMALL);
    FILE *rows = open_rows();
    read_rows(rows, 6);
    fclose(rows);
    assert_int_equal(finish(child), 1);
    assert_int_equal(lines(err), 1);
    assert_non_null(strstr(err, "cannot write 'rows': Broken pipe"));
    assert_true(assert_recording("part") >= 5);
    assert_false(exists("part.puddle")); /* a failed run saves none */
}

TEST_GROUP(recording) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_cannot_begin_replaces_nothing),
        cmocka_unit_test(outputs_in_the_folder_of_the_frames_are_refused),
        cmocka_unit_test(rows_on_a_full_disk_are_complete),
        cmocka_unit_test(pipes_without_a_path_are_written),
        cmocka_unit_test(two_renders_do_not_share_a_folder),
        cmocka_unit_test(two_runs_do_not_share_an_output),
        cmocka_unit_test(a_signal_ends_a_render_cleanly),
        cmocka_unit_test(an_ignored_hangup_stays_ignored),
        cmocka_unit_test(a_closed_terminal_ends_a_render_cleanly),
        cmocka_unit_test(what_a_killed_recording_leaves_is_removed),
        cmocka_unit_test(a_terminal_shows_the_progress),
        cmocka_unit_test(a_signal_ends_a_benchmark_cleanly),
        cmocka_unit_test(a_failure_during_a_render_keeps_the_frames),
    };
    return cmocka_run_group_tests(tests, make_folder_without_display, remove_folder);
}
