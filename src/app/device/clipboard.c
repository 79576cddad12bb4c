#include "app/device/clipboard.h"

#include "core/error.h"
#include "platform/platform.h"
#include <errno.h>
#include <SDL.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_PICTURE = 1 << 28 };   /* bytes */
static const double LONGEST_WAIT = 3; /* s: for a program that has a picture */

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

/* Runs a program whose standard input, or else its output, is a temporary file. A program that serves the clipboard goes on in the
 * background. input: NULL for output. Returns the file at its beginning. NULL: *error says what failed. */
static FILE *run(const desktop *desktop, const char *const *arguments, const void *input, size_t size,
                 const char *failure, pd_error *error) {
    FILE *file = tmpfile();
    bool ready = file && (!input || fwrite(input, 1, size, file) == size), succeeded = false;
    if (!ready || fflush(file) != 0) {
        pd_fail(error, PD_ERROR_FILE_UNWRITABLE, "cannot reach the clipboard: no temporary file (%s)", strerror(errno));
        if (file) fclose(file);
        return NULL;
    }
    rewind(file);
    int number = pd_os_run_with_file((char *const *)arguments, file, input, LONGEST_WAIT, &succeeded);
    if (number)
        pd_fail(error, PD_ERROR_USAGE, "cannot reach the clipboard: '%s' does not start (install %s)", arguments[0],
                desktop->package);
    else if (succeeded) {
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
    if (!file) return PD_BAD_INPUT;
    pd_result result = PD_OK;
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    rewind(file);
    if (length <= 0)
        result = pd_fail(error, PD_ERROR_USAGE, "%s", NO_PICTURE);
    else if (length > LARGEST_PICTURE || !(*bytes = malloc((size_t)length)))
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot paste: the picture is too large (copy a smaller one)");
    else
        *size = fread(*bytes, 1, (size_t)length, file);
    fclose(file);
    return result;
}
