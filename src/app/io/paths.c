/* Paths of the files that the window writes. */
#include "app/io/paths.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *pd_app_output_folder(void) {
    const char *home = getenv("HOME");
    return access(".", W_OK) == 0 || !home || !*home ? "." : home;
}

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
    pd_app_make_next_free_path(path, size, folder, stem, digits, suffix, &(int){0});
}

void pd_app_make_next_free_path(char *path, size_t size, const char *folder, const char *stem, int digits,
                                const char *suffix, int *number) {
    const char *place = pd_app_output_folder();
    bool in_current = strcmp(place, ".") == 0;
    while (++*number < 1000000) {
        snprintf(path, size, "%s%s%s%s%s-%0*d%s", in_current ? "" : place, in_current ? "" : "/", folder,
                 *folder ? "/" : "", stem, digits, *number, suffix);
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
