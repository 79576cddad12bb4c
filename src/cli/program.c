/* The program from its arguments to its exit code: errors, warnings and signals, for all commands. */
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/output/output.h"
#include "core/error.h"
#include "core/file.h"
#include "platform/platform.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether a message contains ":LINE:COLUMN: ", as "scene.yaml:3:5: message" does. */
static bool has_location(const char *message) {
    for (const char *colon = strchr(message, ':'); colon; colon = strchr(colon + 1, ':')) {
        const char *c = colon + 1;
        size_t line = strspn(c, "0123456789");
        if (line == 0 || c[line] != ':') continue;
        c += line + 1;
        size_t column = strspn(c, "0123456789");
        if (column > 0 && c[column] == ':' && c[column + 1] == ' ') return true;
    }
    return false;
}

int report_error(const pd_error *error) {
    if ((int)error->code == PD_ERROR_STANDARD_OUTPUT_CLOSED) return PD_EXIT_CLOSED_PIPE; /* silent, as other programs */
    fprintf(stderr, "%s%s\n", has_location(error->message) ? "" : "puddle: ", error->message);
    return pd_error_result(error->code) == PD_BAD_INPUT ? 2 : 1;
}

void report_warnings(const options *options, const pd_world *world) {
    char text[256];
    for (int i = 0; !options->quiet && pd_world_write_warning(world, i, text, sizeof text); i++)
        fprintf(stderr, "puddle: warning: %s\n", text);
}

void list_warnings(const pd_world *world, warning_list *list) {
    list->count = 0;
    while (list->count < MOST_WARNINGS &&
           pd_world_write_warning(world, list->count, list->text[list->count], sizeof *list->text))
        list->count++;
}

void report_warnings_since(const options *options, const pd_world *world, const warning_list *before) {
    warning_list now;
    list_warnings(world, &now);
    for (int i = 0; !options->quiet && i < now.count; i++) {
        int k = 0;
        while (k < before->count && strcmp(now.text[i], before->text[k]) != 0) k++;
        if (k == before->count) fprintf(stderr, "puddle: warning: %s\n", now.text[i]);
    }
}

static int output_errno; /* errno of the first failed write to standard output; 0: none */

bool is_interrupted(void) { return pd_os_caught_signal(NULL) != 0 || output_errno != 0; }

pd_result end_if_output_closed(pd_result result, const pd_error *error) {
    if (result == PD_OK || (int)error->code != PD_ERROR_STANDARD_OUTPUT_CLOSED) return result;
    output_errno = EPIPE;
    return PD_OK;
}

void print_whole(const char *text) {
    if ((fputs(text, stdout) < 0 || fflush(stdout) != 0) && !output_errno) output_errno = errno;
}

/* Flushes standard output. main() calls this function last, with the exit code of the command. Returns the exit code of the
 * program:
 *
 *     a write to standard output failed              1, with a message
 *     the reader of the pipe has closed it           128 + SIGPIPE, without a message
 *     `code` is 0, but signal n ended the command    128 + n
 *     otherwise                                      code */
static int flush_output_and_choose_exit_code(int code) {
    bool closed = pd_os_is_pipe_closed(), failed = ferror(stdout) != 0, hung_up;
    int caught = pd_os_caught_signal(&hung_up);
    errno = 0;
    if (fclose(stdout) != 0) failed = true;
    if (failed && !output_errno) output_errno = closed ? EPIPE : errno ? errno : EIO;
    if (output_errno && !hung_up) { /* without the terminal the failure is expected */
        pd_error error;
        pd_fail_standard_output(output_errno, &error);
        int failure = report_error(&error);
        return code ? code : failure;
    }
    return code || !caught ? code : PD_EXIT_SIGNAL + caught;
}

int run_program(int argc, char **argv) {
    static options options;
    pd_error error;
    pd_os_open_standard_streams(); /* first, before any other file is opened */
    pd_os_catch_signals();
    pd_scene_set_picture_reader(picture_read);
    if (options_parse(argc > 0 ? argc - 1 : 0, argv + 1, &options, &error) != PD_OK) return report_error(&error);
    int code = 0;
    if (options.help)
        print_help(options.command);
    else if (options.version)
        print_version();
    else if (options_select_simd(&options, &error) != PD_OK)
        code = report_error(&error);
    else
        code = command_find(options.command)->run(&options);
    return flush_output_and_choose_exit_code(code);
}
