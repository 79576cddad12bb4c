#include "app/paths.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void pd_app_fresh_path(char *path, size_t size, const char *folder, const char *stem, int digits, const char *suffix) {
    pd_app_next_path(path, size, folder, stem, digits, suffix, &(int){0});
}

void pd_app_next_path(char *path, size_t size, const char *folder, const char *stem, int digits, const char *suffix,
                      int *number) {
    const char *home = getenv("HOME");
    bool in_current = access(".", W_OK) == 0 || !home || !*home;
    while (++*number < 1000000) {
        snprintf(path, size, "%s%s%s%s%s-%0*d%s", in_current ? "" : home, in_current ? "" : "/", folder,
                 *folder ? "/" : "", stem, digits, *number, suffix);
        if (access(path, F_OK) != 0) return;
    }
}

void pd_app_slug(const char *name, char *slug, size_t size) {
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
