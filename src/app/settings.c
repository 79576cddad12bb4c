#include "app/settings.h"

#include "core/error.h"
#include "core/file.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char key[] = "recording: ";

const char *pd_settings_word(pd_sink_kind kind) {
    static const char *const words[] = {"folder", "mp4", "webm", "gif"};
    return words[kind];
}

/* The path with the folders above it made where make is true. Returns 0 or an errno. */
static int find_path(char *path, size_t size, bool make) {
    const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    bool given = folder && *folder == '/'; /* the specification has relative paths ignored */
    if (!given && (!home || !*home)) return ENOENT;
    int length = snprintf(path, size, "%s%s/puddle/settings", given ? folder : home, given ? "" : "/.config");
    if (length < 0 || (size_t)length >= size) return ENAMETOOLONG;
    for (char *slash = strchr(path + 1, '/'); make && slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int number = mkdir(path, 0700) == 0 ? 0 : errno;
        struct stat status;
        bool there = stat(path, &status) == 0;
        *slash = '/';
        if (!there) return number;
    }
    return 0;
}

pd_sink_kind pd_settings_recording(void) {
    char path[PD_MAX_PATH], line[128];
    pd_sink_kind found = PD_SINK_FOLDER;
    FILE *file = find_path(path, sizeof path, false) == 0 ? fopen(path, "r") : NULL;
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, sizeof key - 1) != 0) continue;
        line[strcspn(line, "\n")] = '\0';
        for (int kind = PD_SINK_FOLDER; kind < PD_SINK_STREAM; kind++)
            if (strcmp(line + sizeof key - 1, pd_settings_word((pd_sink_kind)kind)) == 0) found = (pd_sink_kind)kind;
    }
    if (file) fclose(file);
    return found;
}

pd_result pd_settings_save_recording(pd_sink_kind kind, pd_error *error) {
    char path[PD_MAX_PATH] = "~/.config/puddle/settings", text[64];
    int number = find_path(path, sizeof path, true);
    if (number) return pd_fail_unwritable(path, number, error);
    int length = snprintf(text, sizeof text, "%s%s\n", key, pd_settings_word(kind));
    return pd_file_write(path, text, (size_t)length, error);
}
