/* Reads comments of scene files, and names scenes after files. */
#include "scene/file/about.h"

#include "core/file.h"
#include "core/text.h"
#include "scene/file/document.h"

#include <stdio.h>
#include <string.h>

void pd_scene_read_comment(const char *path, char *text, size_t size) {
    char line[400];
    const char *gap = "";
    bool whole = true;
    FILE *file = pd_os_open_regular(path, true, NULL);
    *text = '\0';
    while (file && whole && fgets(line, sizeof line, file) && *line == '#') {
        char *words = line + 1 + strspn(line + 1, "# ");
        words[strcspn(words, "\r\n")] = '\0';
        if (*words) whole = pd_text_append(text, size, "%s%s", gap, words);
        if (*text) gap = *words ? " " : "\n";
    }
    if (file) fclose(file);
}

void pd_scene_set_name_from_path(pd_scene *scene, const char *path) {
    const char *name = pd_path_name(path), *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    char text[PD_MAX_NAME + 4];
    snprintf(text, sizeof text, "%.*s", (int)(length < PD_MAX_NAME + 2 ? length : PD_MAX_NAME + 2), name);
    pd_text_shorten(text, PD_MAX_NAME);
    if (pd_text_is_line(text, PD_MAX_NAME)) snprintf(scene->name, sizeof scene->name, "%.*s", PD_MAX_NAME - 1, text);
}
