/* Paths in the folders of the XDG Base Directory Specification, and names of files. */
#include "app/io/paths.h"

#include "core/file/file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool pd_app_path_exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

bool pd_app_has_suffix(const char *path, const char *suffix) {
    size_t length = strlen(path), tail = strlen(suffix);
    return length >= tail && strcmp(path + length - tail, suffix) == 0;
}

void pd_app_make_free_path(char *path, size_t size, const char *folder, const char *stem, int digits,
                           const char *suffix) {
    for (int number = 1; number < 1000000; number++) {
        snprintf(path, size, "%s/%s-%0*d%s", folder, stem, digits, number, suffix);
        if (!pd_app_path_exists(path)) return;
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

bool pd_app_find_xdg_folder(char *path, size_t size, const char *variable, const char *fallback, const char *name) {
    const char *given = getenv(variable), *home = getenv("HOME");
    int length = -1;
    if (given && *given == '/')
        length = snprintf(path, size, "%s/%s", given, name);
    else if (home && *home == '/')
        length = snprintf(path, size, "%s/%s/%s", home, fallback, name);
    return length > 0 && (size_t)length < size;
}

/* Finds a line such as XDG_DOCUMENTS_DIR="$HOME/Documents" in a file, and writes the path of "puddle" in this folder. */
static void read_documents_folder(FILE *file, char *path, size_t size) {
    static const char KEY[] = "XDG_DOCUMENTS_DIR=\"";
    char line[PD_MAX_PATH];
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, KEY, sizeof KEY - 1) != 0) continue;
        const char *value = line + sizeof KEY - 1, *home = getenv("HOME");
        bool in_home = strncmp(value, "$HOME", 5) == 0;
        if (in_home) value += 5;
        int length =
            snprintf(path, size, "%s%.*s/puddle", in_home && home ? home : "", (int)strcspn(value, "\"\n"), value);
        if (length < 0 || (size_t)length >= size || *path != '/') *path = '\0';
    }
}

bool pd_app_find_documents_folder(char *path, size_t size) {
    char name[PD_MAX_PATH];
    bool found = pd_app_find_xdg_folder(name, sizeof name, "XDG_CONFIG_HOME", ".config", "user-dirs.dirs");
    FILE *file = found ? pd_file_open_regular(name) : NULL;
    *path = '\0';
    if (file) read_documents_folder(file, path, size);
    if (file) fclose(file);
    return *path || pd_app_find_xdg_folder(path, size, "XDG_DOCUMENTS_DIR", "Documents", "puddle");
}

void pd_app_make_absolute_path(const char *path, const char *folder, char *absolute, size_t size) {
    const char *home = getenv("HOME");
    char here[PD_MAX_PATH] = "";
    if (*path == '/')
        snprintf(absolute, size, "%s", path);
    else if (*path == '~' && (path[1] == '/' || !path[1]) && home)
        snprintf(absolute, size, "%s%s", home, path + 1);
    else
        snprintf(absolute, size, "%s/%s", folder ? folder : getcwd(here, sizeof here) ? here : ".", path);
}

int pd_app_create_folder(char *path) {
    struct stat status;
    for (char *slash = path; slash;) {
        slash = strchr(slash + 1, '/');
        if (slash) *slash = '\0';
        int number = mkdir(path, 0700) == 0 ? 0 : errno;
        bool there = stat(path, &status) == 0;
        if (slash) *slash = '/';
        if (!there) return number;
    }
    return 0;
}
