/* Paths in the folders of the XDG Base Directory Specification, and names of files. */
#include "app/io/paths.h"

#include "platform/platform.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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
