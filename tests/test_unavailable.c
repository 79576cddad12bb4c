/* A method that this version lists but cannot run, on the command line: one line that names those to use instead. */
#include "cmocka_all.h"

#include "cli/commands.h"
#include "later.h"
#include "worlds.h"

#include <unistd.h>

enum { CAPTURED = 4096 };
static char folder[64], scene_path[96];

static int begin(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/puddle-test-XXXXXX");
    if (!add_unavailable_method() || !mkdtemp(folder)) return -1;
    snprintf(scene_path, sizeof scene_path, "%s/later.yaml", folder);
    FILE *file = fopen(scene_path, "w");
    if (!file) return -1;
    fputs("puddle: 1\nmethod: later\n", file);
    return fclose(file);
}

static int end(void **state) {
    (void)state;
    return unlink(scene_path) || rmdir(folder);
}

typedef int command(const options *options);

/* Runs a command; what it writes to standard error and standard output, and its exit code. */
static int capture(command *command, const options *options, char err[CAPTURED], char out[CAPTURED]) {
    FILE *files[2] = {tmpfile(), tmpfile()};
    char *texts[2] = {out, err};
    int kept[2], code;
    fflush(NULL);
    for (int k = 0; k < 2; k++) {
        assert_non_null(files[k]);
        kept[k] = dup(STDOUT_FILENO + k);
        dup2(fileno(files[k]), STDOUT_FILENO + k);
    }
    code = command(options);
    fflush(NULL);
    for (int k = 0; k < 2; k++) {
        dup2(kept[k], STDOUT_FILENO + k);
        close(kept[k]);
        rewind(files[k]);
        texts[k][fread(texts[k], 1, CAPTURED - 1, files[k])] = '\0';
        fclose(files[k]);
    }
    return code;
}

/* Each command that has --method. */
static void the_flag_is_refused(void **state) {
    (void)state;
    static options options;
    char known[256], says[400];
    snprintf(says, sizeof says, "--method is 'later': it is not in this version yet (use %s)",
             pd_method_list(known, sizeof known));
    assert_null(strstr(known, "later"));
    char *commands[] = {"run", "render", "bench"};
    for (int i = 0; i < 3; i++) {
        char *arguments[] = {commands[i], "--method", "later"};
        pd_error error;
        assert_int_equal(options_parse(3, arguments, &options, &error), PD_BAD_INPUT);
        assert_int_equal(error.code, PD_ERROR_METHOD_UNAVAILABLE);
        assert_string_equal(error.message, says);
    }
}

/* check refuses a scene of it with the message that a run of it gives. */
static void check_says_what_a_run_says(void **state) {
    (void)state;
    static options options;
    char err[CAPTURED], out[CAPTURED], says[600], known[256];
    pd_scene scene;
    pd_world *world;
    pd_error error;
    assert_int_equal(pd_scene_read(scene_path, &scene, &error), PD_OK);
    assert_int_equal(pd_world_create(&world, &scene, 1, &error), PD_BAD_INPUT);
    pd_scene_free(&scene);
    pd_method_list(known, sizeof known);
    assert_non_null(strstr(error.message, "is not in this version (use "));
    assert_non_null(strstr(error.message, known));
    snprintf(says, sizeof says, "puddle: %s\n", error.message);
    options = (struct options){.command = "check", .scenes = {scene_path}, .scene_count = 1};
    assert_int_equal(capture(command_check, &options, err, out), 2);
    assert_string_equal(err, says);
    assert_string_equal(out, "");
    options.json = true;
    assert_int_equal(capture(command_check, &options, err, out), 2);
    assert_non_null(strstr(out, "METHOD_UNAVAILABLE"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_flag_is_refused),
        cmocka_unit_test(check_says_what_a_run_says),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
