#include "app/io/settings.h"

#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "platform/platform.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[PD_SETTINGS] = {"recording", "history", "bars",  "advanced", "opened", "hints",
                                              "folder",    "picture", "scale", "window",   "panel"};
enum { LONGEST_FILE = 16384 }; /* size limit of the settings file with a final 0, bytes */

const char *pd_settings_word_of_format(pd_sink_kind kind) {
    static const char *const words[] = {"folder", "mp4", "webm", "gif"};
    return words[kind];
}

/* Writes the path of the settings file. create_folder: creates its folder. Returns 0 or an errno. */
static int find_settings_path(char *path, size_t size, bool create_folder) {
    char folder[PD_MAX_PATH];
    if (!pd_os_user_folder(PD_CONFIG_FOLDER, "puddle", folder, sizeof folder)) return ENOENT;
    if (snprintf(path, size, "%s/settings", folder) >= (int)size) return ENAMETOOLONG;
    return create_folder ? pd_os_create_folders(folder, true, NULL) : 0;
}

/* Reads the settings file. text: receives the content of the file, or "" if the file is missing or an error occurs. Errors:
 * those of pd_file_read. */
static pd_result read_settings(const char *path, char text[LONGEST_FILE], pd_error *error) {
    void *bytes;
    size_t size;
    *text = '\0';
    if (pd_os_status(path, true).error_number == ENOENT) return PD_OK;
    pd_result result = pd_file_read(path, LONGEST_FILE - 1, &bytes, &size, error);
    if (result) return result;
    memcpy(text, bytes, size + 1);
    for (char *zero = text + strlen(text); zero < text + size; zero += strlen(zero)) *zero = '\n';
    pd_memory_free(bytes);
    return PD_OK;
}

static bool line_has_key(const char *line, const char *key) {
    size_t length = strlen(key);
    return strncmp(line, key, length) == 0 && line[length] == ':';
}

/* Reads the value in the last line of the file that has the setting's key. */
bool pd_settings_read(pd_saved_setting setting, char *value, size_t size) {
    const char *key = keys[setting];
    char path[PD_MAX_PATH], text[LONGEST_FILE];
    bool found = false;
    if (find_settings_path(path, sizeof path, false) || read_settings(path, text, NULL)) return false;
    for (char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end) *end++ = '\0';
        if (!line_has_key(line, key)) continue;
        const char *from = line + strlen(key) + 1;
        found = snprintf(value, size, "%s", from + strspn(from, " ")) < (int)size;
    }
    return found;
}

/* Rewrites the settings file: first the line of this setting, then the lines of other keys. */
pd_result pd_settings_save(pd_saved_setting setting, const char *value, pd_error *error) {
    const char *key = keys[setting];
    char path[PD_MAX_PATH] = "~/.config/puddle/settings", text[LONGEST_FILE], saved[LONGEST_FILE] = "";
    if (strchr(value, '\n'))
        return pd_fail(error, PD_ERROR_FILE_UNWRITABLE,
                       "cannot save the setting '%s': its value has a line break (choose a name without one)", key);
    int number = find_settings_path(path, sizeof path, true);
    if (number) return pd_fail_unwritable(path, number, error);
    pd_result result = pd_file_check_regular(path, error);
    if (result) return result;
    result = read_settings(path, text, error);
    if (result) return result;
    bool fits = pd_text_append(saved, sizeof saved, "%s: %s\n", key, value);
    for (const char *line = text, *end; *line; line = end) {
        size_t count = strcspn(line, "\n");
        end = line + count + (line[count] == '\n');
        if (count > 0 && !line_has_key(line, key))
            fits = fits && pd_text_append(saved, sizeof saved, "%.*s\n", (int)count, line);
    }
    if (fits) return pd_file_write(path, saved, strlen(saved), error);
    return pd_fail(error, PD_ERROR_FILE_UNWRITABLE,
                   "cannot save the setting '%s': '%.300s' would have more than %d bytes (remove lines from the file)",
                   key, path, LONGEST_FILE - 1);
}

bool pd_settings_read_switch(pd_saved_setting setting, bool fallback) {
    char value[8];
    if (!pd_settings_read(setting, value, sizeof value)) return fallback;
    return fallback ? strcmp(value, "off") != 0 : strcmp(value, "on") == 0;
}

void pd_settings_save_switch(pd_saved_setting setting, bool on) {
    if (pd_settings_read_switch(setting, false) != on) pd_settings_save(setting, on ? "on" : "off", NULL);
}

pd_sink_kind pd_settings_recording_format(void) {
    char value[64];
    pd_sink_kind usual = pd_sink_has_encoder(PD_SINK_MP4) ? PD_SINK_MP4 : PD_SINK_FOLDER;
    if (!pd_settings_read(PD_SETTING_RECORDING, value, sizeof value)) return usual;
    for (int kind = PD_SINK_FOLDER; kind < PD_SINK_STREAM; kind++)
        if (strcmp(value, pd_settings_word_of_format((pd_sink_kind)kind)) == 0) return (pd_sink_kind)kind;
    return usual;
}

pd_result pd_settings_save_recording_format(pd_sink_kind kind, pd_error *error) {
    return pd_settings_save(PD_SETTING_RECORDING, pd_settings_word_of_format(kind), error);
}

void pd_settings_find_output_folder(char *path, size_t size) {
    char saved[PD_MAX_PATH];
    if (pd_settings_read(PD_SETTING_FOLDER, saved, sizeof saved))
        pd_os_absolute_path(saved, NULL, path, size);
    else if (!pd_os_user_folder(PD_DOCUMENTS_FOLDER, "puddle", path, size))
        pd_os_absolute_path(".", NULL, path, size);
}

int pd_settings_history_mib(void) {
    char value[64];
    if (!pd_settings_read(PD_SETTING_HISTORY, value, sizeof value)) return 0;
    long mib = strtol(value, NULL, 10);
    return mib >= 1 && mib <= PD_MAX_HISTORY ? (int)mib : 0;
}

pd_result pd_settings_save_history_mib(int mib, pd_error *error) {
    char value[16];
    snprintf(value, sizeof value, "%d", mib);
    return pd_settings_save(PD_SETTING_HISTORY, value, error);
}

/* ---- Names of files ---- */

void pd_app_make_free_path(char *path, size_t size, const char *folder, const char *stem, int digits,
                           const char *suffix) {
    for (int number = 1; number < 1000000; number++) {
        snprintf(path, size, "%s/%s-%0*d%s", folder, stem, digits, number, suffix);
        if (!pd_os_exists(path)) return;
    }
}

void pd_app_make_slug(const char *name, char *slug, size_t size) {
    size_t length = 0;
    for (const char *c = name; *c && length + 1 < size; c++) {
        if (isalnum((unsigned char)*c))
            slug[length++] = (char)tolower((unsigned char)*c);
        else if (length > 0 && slug[length - 1] != '-')
            slug[length++] = '-';
    }
    while (length > 0 && slug[length - 1] == '-') length--;
    slug[length] = '\0';
    if (length == 0) snprintf(slug, size, "scene");
}
