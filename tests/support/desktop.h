/* A virtual display and the program on it, for tests of the window. Waits are for events (a line, a file, an exit);
 * their deadline suffices on a loaded machine. */
#ifndef PUDDLE_TESTS_DESKTOP_H
#define PUDDLE_TESTS_DESKTOP_H

#include "test.h"

#include <cjson/cJSON.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DEADLINE = 90 }; /* s */

static inline double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline void short_pause(void) { nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); }

/* Prints name, state, processor time and place in the kernel of each thread of a process. */
static inline void describe_threads(pid_t pid) {
    char command[256];
    snprintf(
        command, sizeof command,
        "cd /proc/%d/task && for t in *; do echo thread $(cat $t/comm) $(cut -d' ' -f3,14,15 $t/stat) $(cat $t/wchan) "
        "$(cat $t/syscall); done >&2",
        (int)pid);
    if (system(command) != 0) fprintf(stderr, "(no more is known)\n");
}

/* Waits for a child to exit. Returns its exit code, 128 + n for signal n, or -1 if the deadline passed and the child
 * was killed. */
static inline int await_exit(pid_t pid) {
    double until = seconds_now() + DEADLINE;
    int status;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (seconds_now() > until) {
            fprintf(stderr, "process %d did not exit within %d s\n", (int)pid, DEADLINE);
            describe_threads(pid);
            kill(pid, SIGKILL);
            waitpid(pid, &status, 0);
            return -1;
        }
        short_pause();
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Running programs, which end_programs kills after a failed test. */
static pid_t running[8];

static inline void note_end(pid_t pid) {
    for (size_t i = 0; i < sizeof running / sizeof *running; i++)
        if (running[i] == pid) running[i] = 0;
}

/* Makes the kernel kill this child when the test program ends in any way. Call right after fork. */
static inline void end_with_parent(pid_t parent) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127); /* the parent has ended meanwhile */
#else
    (void)parent;
#endif
}

static pid_t server;

/* Starts Xvfb. It chooses a free display and writes its number to a pipe. */
static inline int server_start(void) {
    int ends[2];
    if (pipe(ends)) return -1;
    pid_t parent = getpid();
    server = fork();
    if (server == 0) {
        end_with_parent(parent);
        int quiet = open("/dev/null", O_WRONLY);
        dup2(quiet, 2);
        close(ends[0]);
        char number[16];
        snprintf(number, sizeof number, "%d", ends[1]);
        execlp("Xvfb", "Xvfb", "-displayfd", number, "-screen", "0", "1024x768x24", "-nolisten", "tcp", "-noreset",
               (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    char text[16] = "";
    size_t used = 0;
    double until = seconds_now() + DEADLINE;
    while (!strchr(text, '\n') && seconds_now() < until && used + 1 < sizeof text) {
        struct pollfd ready = {.fd = ends[0], .events = POLLIN};
        if (poll(&ready, 1, 1000) <= 0) continue;
        ssize_t got = read(ends[0], text + used, sizeof text - 1 - used);
        if (got <= 0) break;
        used += (size_t)got;
        text[used] = '\0';
    }
    close(ends[0]);
    if (!strchr(text, '\n')) {
        fprintf(stderr, "Xvfb does not start (apt install xvfb)\n");
        return -1;
    }
    char display[32];
    snprintf(display, sizeof display, ":%d", atoi(text));
    setenv("DISPLAY", display, 1);
    unsetenv("WAYLAND_DISPLAY");
    return 0;
}

/* Setup and teardown of a file of tests: starts and ends Xvfb. */
static inline int open_display(void **state) {
    (void)state;
    return server_start();
}

static inline int close_display(void **state) {
    (void)state;
    if (server <= 0) return 0;
    kill(server, SIGTERM);
    await_exit(server);
    return 0;
}

/* Sends mouse and keyboard input by xdotool: "mousemove 100 200 mousedown 1". */
static inline void hand(const char *script) {
    char command[1024];
    snprintf(command, sizeof command, "xdotool %s", script);
    if (system(command) != 0) fail_msg("%s failed (apt install xdotool)", command);
}

typedef struct program {
    pid_t pid;
    int output;          /* standard output of the program */
    char heard[1 << 16]; /* text printed so far */
    size_t length, read; /* bytes of `heard`; bytes searched by await_line */
} program;

/* Starts the program in the present folder. Standard error goes to the file "errors". */
static inline void program_start(program *program, const char *const *arguments) {
    memset(program, 0, sizeof *program);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t parent = getpid();
    program->pid = fork();
    if (program->pid == 0) {
        setpgid(0, 0);
        end_with_parent(parent);
        const char *list[32] = {PUDDLE_PROGRAM};
        for (int i = 0; arguments[i] && i < 30; i++) list[i + 1] = arguments[i];
        int errors = open("errors", O_WRONLY | O_CREAT | O_TRUNC, 0644);
        dup2(ends[1], 1);
        dup2(errors, 2);
        close(ends[0]);
        execv(PUDDLE_PROGRAM, (char *const *)list);
        _exit(127);
    }
    close(ends[1]);
    program->output = ends[0];
    for (size_t i = 0; i < sizeof running / sizeof *running; i++)
        if (running[i] == 0) {
            running[i] = program->pid;
            break;
        }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

static inline void program_listen(program *program) {
    struct pollfd ready = {.fd = program->output, .events = POLLIN};
    if (poll(&ready, 1, 50) <= 0) return;
    ssize_t got = read(program->output, program->heard + program->length, sizeof program->heard - 1 - program->length);
    if (got > 0)
        program->length += (size_t)got;
    else
        short_pause();
}

/* Returns the text of the file "errors" so far. */
static inline const char *errors_text(void) {
    static char text[1 << 14];
    FILE *file = fopen("errors", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* Waits for a line with this text behind the line found last. The result is valid until the next call. */
static inline const char *await_line(program *program, const char *text) {
    static char line[1 << 15]; /* a line may be a whole layout */
    double until = seconds_now() + DEADLINE;
    siginfo_t end = {0};
    do {
        /* Asked before the output is read: an ended program's output is then complete. */
        waitid(P_PID, (id_t)program->pid, &end, WEXITED | WNOHANG | WNOWAIT);
        program_listen(program);
        char *start = program->heard + program->read, *stop;
        while ((stop = memchr(start, '\n', program->length - program->read))) {
            snprintf(line, sizeof line, "%.*s", (int)(stop - start), start);
            program->read += (size_t)(stop - start) + 1;
            start = stop + 1;
            if (strstr(line, text)) return line;
        }
    } while (seconds_now() < until && end.si_pid == 0);
    size_t shown = program->length < 800 ? program->length : 800; /* cmocka shortens messages */
    fprintf(stderr, "%s", errors_text());
    fail_msg("no line with '%s' came%s; heard at last:\n%s", text, end.si_pid ? " before the program's end" : "",
             program->heard + program->length - shown);
    return NULL;
}

/* Waits until `arrived` returns true. what: named if it never does. */
static inline void await(bool (*arrived)(const void *context), const void *context, const char *what) {
    for (double until = seconds_now() + DEADLINE; !arrived(context); short_pause())
        if (seconds_now() > until) fail_msg("%s: does not come", what);
}

/* Waits until a file exists. */
static inline bool is_file(const void *path) { return access(path, F_OK) == 0; }
static inline void await_file(const char *path) { await(is_file, path, path); }

static inline bool was_heard(program *program, const char *text) {
    program_listen(program);
    return strstr(program->heard, text) != NULL;
}

static inline int program_end(program *program) {
    int code = await_exit(program->pid);
    note_end(program->pid);
    while (program->length + 1 < sizeof program->heard) {
        ssize_t got =
            read(program->output, program->heard + program->length, sizeof program->heard - 1 - program->length);
        if (got <= 0) break;
        program->length += (size_t)got;
    }
    close(program->output);
    if (code == -1) fail_msg("the program did not exit; heard:\n%s", program->heard);
    return code;
}

/* Waits for a program's end. A wrong exit code prints its standard error. */
static inline void assert_exit(program *program, int expected) {
    int code = program_end(program);
    if (code != expected) fail_msg("exit code %d, not %d; told:\n%s", code, expected, errors_text());
}

/* A rectangle of the screen, in pixels. */
typedef struct rectangle {
    int x, y, width, height;
} rectangle;

static inline int number_in(const cJSON *object, const char *name) {
    const cJSON *number = cJSON_GetObjectItem(object, name);
    assert_true(cJSON_IsNumber(number));
    return number->valueint;
}

/* Asks a window with --json for the places of its widgets (announce.c). Delete the object. */
static inline cJSON *ask_for_layout(program *program) {
    hand("key F10");
    cJSON *layout = cJSON_Parse(await_line(program, "\"layout\""));
    assert_non_null(layout);
    return layout;
}

static inline rectangle rectangle_in(const cJSON *object) {
    return (rectangle){number_in(object, "x"), number_in(object, "y"), number_in(object, "width"),
                       number_in(object, "height")};
}

/* Returns the rectangle of a window with --json. */
static inline rectangle window_place(program *program) {
    cJSON *layout = ask_for_layout(program);
    rectangle found = rectangle_in(cJSON_GetObjectItem(layout, "window"));
    cJSON_Delete(layout);
    return found;
}

/* Finds the place of a button or slider by its name, "Pour", "Rest density", or of the "Picture", in a window with --json. Width 0:
 * none. */
static inline rectangle find_place(program *program, const char *name) {
    cJSON *layout = ask_for_layout(program), *place;
    rectangle window = rectangle_in(cJSON_GetObjectItem(layout, "window")), found = {0};
    cJSON_ArrayForEach(place, cJSON_GetObjectItem(layout, "places")) {
        if (strcmp(cJSON_GetObjectItem(place, "name")->valuestring, name) != 0) continue;
        found = rectangle_in(place);
        found.x += window.x;
        found.y += window.y;
    }
    cJSON_Delete(layout);
    return found;
}

/* Teardown: kills running programs and their children, releases mouse and keys. */
static inline int end_programs(void **state) {
    (void)state;
    bool left = false;
    for (size_t i = 0; i < sizeof running / sizeof *running; i++) {
        if (running[i] <= 0) continue;
        left = true;
        kill(-running[i], SIGKILL);
        kill(running[i], SIGKILL); /* a program without a process group yet */
        await_exit(running[i]);
        running[i] = 0;
    }
    return left ? system("xdotool mouseup 1 keyup ctrl keyup shift") : 0;
}

#endif
