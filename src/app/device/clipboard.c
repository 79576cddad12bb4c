#include "app/device/clipboard.h"

#include "core/error.h"
#include "core/timer.h"
#include <errno.h>
#include <fcntl.h>
#include <SDL.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { LARGEST_PICTURE = 1 << 28 };   /* bytes */
static const double LONGEST_WAIT = 3; /* s: for a program that has a picture */
static const long INTERVAL = 2000000; /* ns between two looks at the program */

static const char NO_PICTURE[] = "cannot paste: the clipboard has no picture (copy one in another program)";

/* Commands of a window system: put PNG, list types, get PNG, get JPEG. */
typedef struct desktop {
    const char *driver /* of SDL */, *package;
    const char *const set[8], *const list[8], *const get_png[8], *const get_jpeg[8];
} desktop;
static const desktop desktops[] = {{"wayland",
                                    "wl-clipboard",
                                    {"wl-copy", "-t", "image/png"},
                                    {"wl-paste", "-l"},
                                    {"wl-paste", "-n", "-t", "image/png"},
                                    {"wl-paste", "-n", "-t", "image/jpeg"}},
                                   {"x11",
                                    "xclip",
                                    {"xclip", "-selection", "clipboard", "-t", "image/png", "-i"},
                                    {"xclip", "-selection", "clipboard", "-t", "TARGETS", "-o"},
                                    {"xclip", "-selection", "clipboard", "-t", "image/png", "-o"},
                                    {"xclip", "-selection", "clipboard", "-t", "image/jpeg", "-o"}}};

/* Returns the desktop of the window's display. NULL, and *error: the display has no clipboard. */
static const desktop *find_desktop(pd_error *error) {
    const char *driver = SDL_GetCurrentVideoDriver();
    for (size_t i = 0; driver && i < sizeof desktops / sizeof *desktops; i++)
        if (strcmp(driver, desktops[i].driver) == 0) return &desktops[i];
    pd_fail(error, PD_ERROR_USAGE, "cannot reach the clipboard: this display has none (save a picture with F12)");
    return NULL;
}

/* Waits for a process, and kills it after LONGEST_WAIT. Returns whether it was successful. */
static bool succeeds(pid_t process) {
    int status = 1;
    double until = pd_system_now() + LONGEST_WAIT;
    while (waitpid(process, &status, WNOHANG) == 0) {
        if (pd_system_now() > until) kill(process, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = INTERVAL}, NULL);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Runs a program whose standard input, or else its output, is a temporary file. A file never blocks: a program that serves the
 * clipboard goes on in the background. input: NULL for output. Returns the file at its beginning. NULL: *error says what failed. */
static FILE *run(const desktop *desktop, const char *const *arguments, const void *input, size_t size,
                 const char *failure, pd_error *error) {
    posix_spawn_file_actions_t actions;
    pid_t process;
    FILE *file = tmpfile();
    bool ready =
        file && fcntl(fileno(file), F_SETFD, FD_CLOEXEC) == 0 && (!input || fwrite(input, 1, size, file) == size);
    if (!ready || fflush(file) != 0) {
        pd_fail(error, PD_ERROR_FILE_UNWRITABLE, "cannot reach the clipboard: no temporary file (%s)", strerror(errno));
        if (file) fclose(file);
        return NULL;
    }
    rewind(file);
    posix_spawn_file_actions_init(&actions);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        posix_spawn_file_actions_addopen(&actions, i, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(file), input ? STDIN_FILENO : STDOUT_FILENO);
    int number = posix_spawnp(&process, arguments[0], &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (number)
        pd_fail(error, PD_ERROR_USAGE, "cannot reach the clipboard: '%s' does not start (install %s)", arguments[0],
                desktop->package);
    else if (succeeds(process)) {
        rewind(file);
        return file;
    } else
        pd_fail(error, PD_ERROR_USAGE, "%s", failure);
    fclose(file);
    return NULL;
}

pd_result pd_clipboard_set_png(const uint8_t *bytes, size_t size, pd_error *error) {
    const desktop *desktop = find_desktop(error);
    FILE *file = desktop ? run(desktop, desktop->set, bytes, size,
                               "cannot copy the picture: the clipboard refuses it (save it with F12)", error)
                         : NULL;
    if (file) fclose(file);
    return file ? PD_OK : PD_BAD_INPUT;
}

/* Returns the program that gets the best picture of those that a program lists. NULL: none, and *error. */
static const char *const *find_type(const desktop *desktop, pd_error *error) {
    char line[256];
    const char *const *found = NULL;
    FILE *list = run(desktop, desktop->list, NULL, 0, NO_PICTURE, error);
    if (!list) return NULL;
    while (fgets(line, sizeof line, list)) {
        if (strcmp(line, "image/png\n") == 0) found = desktop->get_png;
        if (strcmp(line, "image/jpeg\n") == 0 && !found) found = desktop->get_jpeg;
    }
    fclose(list);
    if (!found) pd_fail(error, PD_ERROR_USAGE, "%s", NO_PICTURE);
    return found;
}

pd_result pd_clipboard_get_picture(uint8_t **bytes, size_t *size, pd_error *error) {
    *bytes = NULL;
    const desktop *desktop = find_desktop(error);
    const char *const *arguments = desktop ? find_type(desktop, error) : NULL;
    FILE *file = arguments ? run(desktop, arguments, NULL, 0, NO_PICTURE, error) : NULL;
    struct stat status;
    if (!file) return PD_BAD_INPUT;
    pd_result result = PD_OK;
    if (fstat(fileno(file), &status) != 0 || status.st_size == 0)
        result = pd_fail(error, PD_ERROR_USAGE, "%s", NO_PICTURE);
    else if (status.st_size > LARGEST_PICTURE || !(*bytes = malloc((size_t)status.st_size)))
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot paste: the picture is too large (copy a smaller one)");
    else
        *size = fread(*bytes, 1, (size_t)status.st_size, file);
    fclose(file);
    return result;
}
