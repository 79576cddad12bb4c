/* Recordings: every frame is written once, in order and completely; nothing is overwritten without force; a full disk
 * leaves only complete files. */
#include "test.h"

#include "core/error.h"
#include "record/png.h"
#include "record/sink.h"
#include <cjson/cJSON.h>
#include <dirent.h>
#include <png.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH = 61, HEIGHT = 43, SIZE = WIDTH * HEIGHT * 3 }; /* odd: rows are not aligned */

static const pd_sink_part part = {"Two \"drops\"", "ddr", UINT64_MAX};

/* Creates a recording of pictures of this size. */
static pd_result create(pd_sink **sink, const char *path, int width, int height, bool force, pd_error *error) {
    pd_sink_info info = {.pixels = {.width = width, .height = height}, .fps = 60, .part = part};
    return pd_sink_create(sink, path, &info, force, error);
}

static pd_result finish(pd_sink *sink, bool allow_empty, int *frames, pd_error *error) {
    pd_sink_report done;
    pd_result result = pd_sink_finish(sink, allow_empty, &done, error);
    if (frames) *frames = done.frames;
    return result;
}

static char base[TEMPORARY_SIZE];
static char folder[256];

static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(temporary_template(base))) return -1;
    snprintf(folder, sizeof folder, "%s/deep/er", base);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    char command[512];
    snprintf(command, sizeof command, "rm -rf '%s'", base);
    return system(command);
}

static const char *in_folder(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static bool exists(const char *name) { return access(in_folder(name), F_OK) == 0; }

/* A picture that depends on its number. noise: it does not compress. */
static void paint(uint8_t *rgb, size_t size, int number, bool noise) {
    unsigned random = (unsigned)number * 2654435761u + 1;
    for (size_t i = 0; i < size; i++) {
        random = random * 1664525u + 1013904223u;
        rgb[i] = noise ? (uint8_t)(random >> 24) : (uint8_t)(i / 3 + (size_t)number);
    }
    rgb[0] = (uint8_t)number;
}

static void read_png(const char *path, int width, int height, uint8_t *rgb) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    assert_int_equal(image.format, PNG_FORMAT_RGB); /* 8 bits, no alpha, no palette */
    assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
}

static int files(const char *ending) {
    DIR *listing = opendir(folder);
    int count = 0;
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        size_t length = strlen(entry->d_name), tail = strlen(ending);
        count += length >= tail && !strcmp(entry->d_name + length - tail, ending);
    }
    if (listing) closedir(listing);
    return count;
}

static cJSON *description(void) {
    char text[4096];
    FILE *file = fopen(in_folder("recording.json"), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_non_null(strstr(text, "18446744073709551615")); /* the seed with all its digits */
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    return json;
}

static void record(int count) {
    pd_sink *frames;
    pd_error error;
    uint8_t rgb[SIZE];
    int written = -1;
    assert_int_equal(create(&frames, folder, WIDTH, HEIGHT, true, &error), PD_OK);
    for (int i = 0; i < count; i++) {
        paint(rgb, SIZE, i, false);
        assert_int_equal(pd_sink_add_frame(frames, rgb, &error), PD_OK);
    }
    assert_int_equal(finish(frames, true, &written, &error), PD_OK);
    assert_int_equal(written, count);
}

static void every_frame_is_there_once_and_complete(void **state) {
    (void)state;
    enum { COUNT = 150 }; /* more than the queue holds */
    uint8_t rgb[SIZE], expected[SIZE];
    record(COUNT);
    assert_int_equal(files(".png"), COUNT);
    assert_int_equal(files(".tmp"), 0);
    for (int i = 0; i < COUNT; i++) {
        char name[32];
        snprintf(name, sizeof name, "frame_%06d.png", i);
        read_png(in_folder(name), WIDTH, HEIGHT, rgb);
        paint(expected, SIZE, i, false);
        assert_memory_equal(rgb, expected, SIZE);
    }
}

static void the_description_names_everything(void **state) {
    (void)state;
    record(3);
    cJSON *json = description();
    assert_string_equal(cJSON_GetObjectItem(json, "scene")->valuestring, "Two \"drops\"");
    assert_string_equal(cJSON_GetObjectItem(json, "method")->valuestring, "ddr");
    assert_int_equal(cJSON_GetObjectItem(json, "fps")->valueint, 60);
    assert_int_equal(cJSON_GetObjectItem(json, "frames")->valueint, 3);
    assert_int_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "size"), 0)->valueint, WIDTH);
    assert_int_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "size"), 1)->valueint, HEIGHT);
    assert_true(strlen(cJSON_GetObjectItem(json, "version")->valuestring) > 0);
    cJSON_Delete(json);
}

static void a_recording_may_have_no_frames(void **state) {
    (void)state;
    record(0);
    assert_int_equal(files(".png"), 0);
    assert_true(exists("recording.json"));
}

static void touch(const char *name) {
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    fclose(file);
}

static void another_recording_is_refused(void **state) {
    (void)state;
    pd_sink *frames;
    pd_error error = {0};
    record(2);
    assert_int_equal(create(&frames, folder, WIDTH, HEIGHT, false, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_RECORDING_EXISTS);
    assert_null(frames);
    assert_null(strchr(error.message, '\n'));
    assert_int_equal(files(".png"), 2);
    unlink(in_folder("recording.json")); /* as after an interruption: frames alone */
    assert_int_equal(create(&frames, folder, WIDTH, HEIGHT, false, &error), PD_BAD_INPUT);
    unlink(in_folder("frame_000000.png"));
    unlink(in_folder("frame_000001.png"));
    touch("holiday.png"); /* other files are not a recording */
    touch("frame_1.png");
    assert_int_equal(pd_sink_check_path(folder, false, &error), PD_OK);
}

static void force_removes_only_the_old_recording(void **state) {
    (void)state;
    record(5);
    touch(".puddle-123-4.tmp"); /* of a killed process */
    touch("holiday.png");
    touch("frame_000001.png.bak");
    touch("frame_1.png");
    record(2);
    assert_true(exists("frame_000001.png"));
    assert_false(exists("frame_000002.png"));
    assert_false(exists(".puddle-123-4.tmp"));
    assert_true(exists("holiday.png"));
    assert_true(exists("frame_000001.png.bak"));
    assert_true(exists("frame_1.png"));
}

/* --force replaces links and pipes of these names. The targets of links stay as they were. */
static void force_follows_no_links(void **state) {
    (void)state;
    static const char *const names[] = {"recording.json", "frame_000000.png", "frame_000001.png"};
    char precious[512], text[8] = "";
    snprintf(precious, sizeof precious, "%s/precious", base);
    FILE *file = fopen(precious, "w");
    fputs("mine", file);
    fclose(file);
    record(3);
    for (int i = 0; i < 3; i++) {
        unlink(in_folder(names[i]));
        assert_int_equal(symlink(precious, in_folder(names[i])), 0);
    }
    unlink(in_folder("frame_000002.png"));
    assert_int_equal(mkfifo(in_folder("frame_000002.png"), 0600), 0);
    record(4);
    struct stat status;
    for (int i = 0; i < 3; i++) assert_true(lstat(in_folder(names[i]), &status) == 0 && S_ISREG(status.st_mode));
    assert_true(lstat(in_folder("frame_000002.png"), &status) == 0 && S_ISREG(status.st_mode));
    file = fopen(precious, "r");
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "mine");
    unlink(in_folder("frame_000000.png"));
    assert_int_equal(mkfifo(in_folder("frame_000000.png"), 0600),
                     0); /* the first frame is written before the rest is removed */
    record(1);
    assert_true(lstat(in_folder("frame_000000.png"), &status) == 0 && S_ISREG(status.st_mode));
}

static void paths_that_cannot_be_written_are_errors(void **state) {
    (void)state;
    pd_sink *frames;
    pd_error error = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/file", base);
    FILE *file = fopen(path, "w");
    fclose(file);
    assert_int_equal(create(&frames, path, WIDTH, HEIGHT, false, &error), PD_FAILED);
    assert_int_equal(error.code, PD_ERROR_FILE_UNWRITABLE);
    strcat(path, "/below");
    assert_int_equal(create(&frames, path, WIDTH, HEIGHT, false, &error), PD_FAILED);
    assert_int_equal(create(&frames, "/proc/recording", WIDTH, HEIGHT, false, &error), PD_FAILED);
    assert_int_equal(error.code, PD_ERROR_FILE_UNWRITABLE);
    assert_int_equal(create(&frames, "", WIDTH, HEIGHT, false, &error), PD_FAILED);
    char *long_path = calloc(1, 5000);
    memset(long_path, 'a', 4999);
    assert_int_equal(create(&frames, long_path, WIDTH, HEIGHT, false, &error), PD_FAILED);
    free(long_path);
    uint8_t rgb[SIZE] = {0};
    assert_int_equal(
        pd_png_write_file("/nowhere/at/all.png", &(pd_pixels){.width = WIDTH, .height = HEIGHT}, rgb, &error),
        PD_FAILED);
    assert_int_equal(error.code, PD_ERROR_FILE_UNWRITABLE);
}

/* A limit on the size of files has the effect of a full disk: a write fails in the middle of a frame. */
static void a_full_disk_leaves_complete_files(void **state) {
    (void)state;
    enum { SIDE = 200, BYTES = SIDE * SIDE * 3, LIMIT = 64 * 1024, SMALL = 10 };
    struct rlimit before, tight;
    pd_sink *frames;
    pd_error error = {0};
    uint8_t *rgb = malloc(BYTES);
    pd_result result = PD_OK;
    int written = 0;
    assert_int_equal(create(&frames, folder, SIDE, SIDE, false, &error), PD_OK);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    tight = before;
    tight.rlim_cur = LIMIT;
    setrlimit(RLIMIT_FSIZE, &tight);
    for (int i = 0; i < 1000 && result == PD_OK; i++) {
        paint(rgb, BYTES, i, i >= SMALL); /* frames that fit, then frames that do not */
        result = pd_sink_add_frame(frames, rgb, &error);
    }
    pd_error finish_error = {0};
    pd_result finished = finish(frames, true, &written, &finish_error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(result, PD_FAILED); /* as soon as a writer fails, not only at the end */
    assert_int_equal(error.code, PD_ERROR_FILE_UNWRITABLE);
    assert_int_equal(finished, PD_FAILED);
    /* In the end that of the first missing frame; before, that of whichever writer failed first. */
    assert_non_null(strstr(finish_error.message, "/frame_000010.png': File too large"));
    assert_non_null(strstr(error.message, ".png': File too large"));
    assert_int_equal(written, SMALL);
    assert_int_equal(files(".png"), SMALL);
    assert_int_equal(files(".tmp"), 0);
    for (int i = 0; i < SMALL; i++) {
        char name[32];
        snprintf(name, sizeof name, "frame_%06d.png", i);
        read_png(in_folder(name), SIDE, SIDE, rgb);
    }
    cJSON *json = description();
    assert_int_equal(cJSON_GetObjectItem(json, "frames")->valueint, SMALL);
    cJSON_Delete(json);
    free(rgb);
}

/* Frames are written in parallel: frame 3, which takes long to compress, fails when later ones are written already. */
static void frames_after_a_missing_one_are_removed(void **state) {
    (void)state;
    enum { SIDE = 400, BYTES = SIDE * SIDE * 3, BROKEN = 3, COUNT = 20 };
    pd_sink *frames;
    pd_error error = {0};
    uint8_t *rgb = malloc(BYTES);
    int written = 0;
    char name[32];
    assert_int_equal(create(&frames, folder, SIDE, SIDE, false, &error), PD_OK);
    snprintf(name, sizeof name, "frame_%06d.png", BROKEN);
    assert_int_equal(mkdir(in_folder(name), 0755), 0); /* the frame cannot be written */
    pd_result result = PD_OK;
    for (int i = 0; i < COUNT && result == PD_OK; i++) {
        paint(rgb, BYTES, i, i == BROKEN);
        result = pd_sink_add_frame(frames, rgb, &error);
    }
    assert_int_equal(finish(frames, true, &written, &error), PD_FAILED);
    assert_int_equal(written, BROKEN);
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "frame_%06d.png", i);
        assert_int_equal(exists(name), i <= BROKEN); /* BROKEN is the folder */
    }
    cJSON *json = description();
    assert_int_equal(cJSON_GetObjectItem(json, "frames")->valueint, BROKEN);
    cJSON_Delete(json);
    free(rgb);
}

static void a_removed_folder_is_an_error(void **state) {
    (void)state;
    pd_sink *frames;
    pd_error error = {0};
    uint8_t rgb[SIZE] = {0};
    pd_result result = PD_OK;
    assert_int_equal(create(&frames, folder, WIDTH, HEIGHT, false, &error), PD_OK);
    assert_true(pd_sink_has_free_slot(frames));
    rmdir(folder);
    for (int i = 0; i < 1000 && result == PD_OK; i++) result = pd_sink_add_frame(frames, rgb, &error);
    assert_int_equal(result, PD_FAILED);
    assert_true(pd_sink_has_free_slot(frames)); /* the next call returns the error at once */
    assert_int_equal(finish(frames, true, NULL, &error), PD_FAILED);
}

/* Limits the size of files, so that writes fail as on a full disk. Returns the limit before. */
static struct rlimit limit_files(rlim_t bytes) {
    struct rlimit before, tight;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    tight = before;
    tight.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &tight);
    return before;
}

/* Checks that the folder holds the complete recording of record(count), and nothing of another. */
static void assert_recorded(int count) {
    uint8_t rgb[SIZE], expected[SIZE];
    assert_int_equal(files(".png"), count);
    assert_int_equal(files(".tmp"), 0);
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "frame_%06d.png", i);
        read_png(in_folder(name), WIDTH, HEIGHT, rgb);
        paint(expected, SIZE, i, false);
        assert_memory_equal(rgb, expected, SIZE);
    }
    cJSON *json = description();
    assert_int_equal(cJSON_GetObjectItem(json, "frames")->valueint, count);
    cJSON_Delete(json);
}

static void force_removes_nothing_before_the_first_frame(void **state) {
    (void)state;
    pd_sink *frames;
    pd_error error = {0};
    uint8_t rgb[SIZE];
    int written = -1;
    record(5);
    /* A recording that ends before its first frame. */
    assert_int_equal(create(&frames, folder, WIDTH, HEIGHT, true, &error), PD_OK);
    assert_recorded(5);
    assert_int_equal(finish(frames, false, &written, &error), PD_OK);
    assert_int_equal(written, 0);
    assert_recorded(5);
    /* One whose first frame cannot be written. */
    assert_int_equal(create(&frames, folder, WIDTH, HEIGHT, true, &error), PD_OK);
    paint(rgb, SIZE, 77, true);
    struct rlimit before = limit_files(1024);
    pd_result added = pd_sink_add_frame(frames, rgb, &error), again = pd_sink_add_frame(frames, rgb, NULL);
    pd_result finished = finish(frames, true, &written, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(added, PD_FAILED);
    assert_int_equal(again, PD_FAILED);
    assert_int_equal(finished, PD_FAILED);
    assert_int_equal(error.code, PD_ERROR_FILE_UNWRITABLE);
    assert_int_equal(written, 0);
    assert_recorded(5);
    record(0); /* without frames it replaces nothing */
    assert_recorded(5);
    record(1);
    assert_recorded(1);
}

static void an_old_frame_that_cannot_be_removed_is_an_error(void **state) {
    (void)state;
    pd_sink *frames;
    pd_error error = {0};
    uint8_t rgb[SIZE] = {0};
    int written = -1;
    record(2);
    assert_int_equal(mkdir(in_folder("frame_000007.png"), 0755), 0);
    assert_int_equal(create(&frames, folder, WIDTH, HEIGHT, true, &error), PD_OK);
    assert_int_equal(pd_sink_add_frame(frames, rgb, &error), PD_FAILED);
    assert_non_null(strstr(error.message, "cannot replace '"));
    assert_non_null(strstr(error.message, "frame_000007.png': Is a directory"));
    assert_int_equal(finish(frames, true, &written, &error), PD_FAILED);
    assert_int_equal(written, 1);
}

/* When the first frame fails, neither files nor folders that were made for it are left. */
static void a_failure_at_once_leaves_nothing(void **state) {
    (void)state;
    pd_sink *frames;
    pd_error error = {0};
    uint8_t rgb[SIZE];
    int written = -1;
    char above[512];
    snprintf(above, sizeof above, "%s/deep", base);
    for (int existed = 0; existed < 2; existed++) { /* whether the folder exists before */
        if (existed) {
            assert_int_equal(mkdir(above, 0755), 0);
            assert_int_equal(mkdir(folder, 0755), 0);
        }
        assert_int_equal(create(&frames, folder, WIDTH, HEIGHT, false, &error), PD_OK);
        paint(rgb, SIZE, 1, true);
        struct rlimit before = limit_files(1024); /* recording.json would fit */
        pd_result result = PD_OK;
        for (int i = 0; i < 1000 && result == PD_OK; i++) result = pd_sink_add_frame(frames, rgb, &error);
        pd_result finished = finish(frames, true, &written, &error);
        setrlimit(RLIMIT_FSIZE, &before);
        assert_int_equal(finished, PD_FAILED);
        assert_non_null(strstr(error.message, "File too large"));
        assert_int_equal(written, 0);
        assert_int_equal(access(folder, F_OK) == 0, existed);
        assert_int_equal(access(above, F_OK) == 0, existed);
        if (existed) assert_int_equal(rmdir(folder), 0); /* it is empty */
    }
}

static void a_folder_takes_one_recording_at_a_time(void **state) {
    (void)state;
    pd_sink *frames, *other;
    pd_error error = {0};
    uint8_t rgb[SIZE];
    assert_int_equal(create(&frames, folder, WIDTH, HEIGHT, false, &error), PD_OK);
    for (int force = 0; force < 2; force++) {
        assert_int_equal(create(&other, folder, WIDTH, HEIGHT, force, &error), PD_BAD_INPUT);
        assert_int_equal(error.code, PD_ERROR_RECORDING_EXISTS);
        assert_non_null(strstr(error.message, "another puddle is recording there"));
        assert_null(other);
    }
    for (int i = 0; i < 2; i++) {
        paint(rgb, SIZE, i, false);
        assert_int_equal(pd_sink_add_frame(frames, rgb, &error), PD_OK);
    }
    assert_int_equal(create(&other, folder, WIDTH, HEIGHT, true, &error), PD_BAD_INPUT);
    assert_int_equal(finish(frames, true, NULL, &error), PD_OK);
    assert_recorded(2);
    assert_int_equal(create(&other, folder, WIDTH, HEIGHT, true, &error), PD_OK);
    assert_int_equal(finish(other, false, NULL, &error), PD_OK);
}

/* The lock on the folder is released even if the process is killed. */
static void a_killed_recording_blocks_nothing(void **state) {
    (void)state;
    pd_sink *frames;
    pd_error error = {0};
    int ends[2], status;
    char byte = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        pd_result result = create(&frames, folder, WIDTH, HEIGHT, false, NULL);
        byte = (char)('0' + result);
        if (write(ends[1], &byte, 1) != 1) _exit(1);
        pause();
        _exit(1);
    }
    ssize_t got = read(ends[0], &byte, 1);
    pd_result refused = create(&frames, folder, WIDTH, HEIGHT, false, &error);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(got, 1);
    assert_int_equal(byte, '0');
    assert_int_equal(refused, PD_BAD_INPUT);
    assert_int_equal(waitpid(child, &status, 0), child);
    close(ends[0]), close(ends[1]);
    assert_int_equal(create(&frames, folder, WIDTH, HEIGHT, false, &error), PD_OK);
    assert_int_equal(finish(frames, true, NULL, &error), PD_OK);
    assert_true(exists("recording.json"));
}

/* Root may write everywhere: a child process becomes an ordinary user first. */
static void a_folder_without_permission_is_an_error(void **state) {
    (void)state;
    enum { NO_OTHER_USER = 99 };
    int ends[2], status;
    char message[600] = "";
    assert_int_equal(chmod(base, 0555), 0);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        pd_sink *frames;
        pd_error error = {0};
        if (geteuid() == 0 && setuid(65534)) _exit(NO_OTHER_USER);
        pd_result result = create(&frames, folder, WIDTH, HEIGHT, false, &error);
        size_t length = strlen(error.message);
        if (write(ends[1], error.message, length) != (ssize_t)length) _exit(98);
        _exit((int)result);
    }
    close(ends[1]);
    assert_true(read(ends[0], message, sizeof message - 1) >= 0);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(chmod(base, 0755), 0);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == NO_OTHER_USER) {
        print_message("root that cannot become another user: not tested\n");
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), PD_FAILED);
    if (!strstr(message, "Permission denied (choose a folder that you may write to)")) fail_msg("%s", message);
}

TEST_GROUP(frames) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_frame_is_there_once_and_complete, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_description_names_everything, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_recording_may_have_no_frames, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_recording_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(force_removes_only_the_old_recording, set_up, tear_down),
        cmocka_unit_test_setup_teardown(force_follows_no_links, set_up, tear_down),
        cmocka_unit_test_setup_teardown(paths_that_cannot_be_written_are_errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_disk_leaves_complete_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(frames_after_a_missing_one_are_removed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_removed_folder_is_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(force_removes_nothing_before_the_first_frame, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_old_frame_that_cannot_be_removed_is_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failure_at_once_leaves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_takes_one_recording_at_a_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_killed_recording_blocks_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_without_permission_is_an_error, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
