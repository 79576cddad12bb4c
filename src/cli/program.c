/* The program from its arguments to its exit code: errors, warnings and signals, for all commands. */
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/output/picture.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file/standard_output.h"

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
    if ((int)error->code == PD_ERROR_STANDARD_OUTPUT_CLOSED) return 128 + SIGPIPE; /* silent, as other programs */
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

static volatile sig_atomic_t signalled; /* first signal received; 0: none */
static int output_errno;                /* errno of the first failed write to standard output; 0: none */

static void on_signal(int number) {
    if (!signalled) signalled = number;
}

bool is_interrupted(void) { return signalled != 0 || output_errno != 0; }

pd_result end_if_output_closed(pd_result result, const pd_error *error) {
    if (result == PD_OK || (int)error->code != PD_ERROR_STANDARD_OUTPUT_CLOSED) return result;
    output_errno = EPIPE;
    return PD_OK;
}

void print_whole(const char *text) {
    if ((fputs(text, stdout) < 0 || fflush(stdout) != 0) && !output_errno) output_errno = errno;
}

static void catch_signal(int number, int flags) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void catch_signals(void) {
    struct sigaction before;
    /* SIGINT and SIGTERM are handled once: a second Ctrl-C kills a program that does not end. */
    catch_signal(SIGINT, (int)SA_RESETHAND);
    catch_signal(SIGTERM, (int)SA_RESETHAND);
    /* SIGHUP is handled every time: when a terminal closes, both shell and kernel may send it. nohup ignores SIGHUP, and it
     * stays ignored. */
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) catch_signal(SIGHUP, 0);
    /* Ignoring SIGPIPE makes writing to a closed pipe a failed write, with an ordinary message. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the file size limit is a failed write too */
}

void open_closed_standard_files(void) {
    /* A file opened later would get the descriptor of a closed standard stream, and messages would go into this file.
     * /dev/null is opened for reading as standard output and for writing as standard input, so that using the stream still
     * fails. */
    for (int file = 0; file <= 2; file++)
        if (fcntl(file, F_GETFD) == -1 && errno == EBADF && open("/dev/null", file ? O_RDONLY : O_WRONLY) < 0) _exit(1);
}

/* Returns whether standard output is a pipe whose reader has closed it, as `head` does after its lines. */
static bool is_standard_output_pipe_closed(void) {
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

int flush_output_and_choose_exit_code(int code) {
    bool closed = is_standard_output_pipe_closed(), failed = ferror(stdout) != 0;
    errno = 0;
    if (fclose(stdout) != 0) failed = true;
    if (failed && !output_errno) output_errno = closed ? EPIPE : errno ? errno : EIO;
    if (output_errno && signalled != SIGHUP) { /* after SIGHUP the terminal is closed, so the failure is expected */
        pd_error error;
        pd_fail_standard_output(output_errno, &error);
        int failure = report_error(&error);
        return code ? code : failure;
    }
    return code || !signalled ? code : 128 + (int)signalled;
}

int run_program(int argc, char **argv) {
    static options options;
    pd_error error;
    open_closed_standard_files();
    catch_signals();
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
