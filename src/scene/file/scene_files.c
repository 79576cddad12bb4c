/* Lists the bundled scenes and finds their files. Reads comments of scene files, and names scenes after files. */
#include "scene/file/scene_files.h"

#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/file/document.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void pd_bundled_free_names(char **names, int count) {
    for (int i = 0; i < count; i++) pd_memory_free(names[i]);
    pd_memory_free(names);
}

/* Appends the name of a scene file without its ending: "drop" for "drop.yaml". Skips other files. */
static void append_scene_name(char ***names, int *count, const char *file) {
    if (file[0] == '.' || !pd_text_ends_in(file, ".yaml")) return;
    *names = pd_memory_require_resized(*names, sizeof **names * (size_t)(*count + 1));
    (*names)[(*count)++] = pd_memory_copy_text_part(file, strlen(file) - 5);
}

pd_result pd_bundled_list_names(char ***names, int *count, pd_error *error) {
    char folder[PD_MAX_PATH];
    *names = NULL;
    *count = 0;
    pd_result result = pd_data_find_file("scenes", folder, sizeof folder, error);
    if (result != PD_OK) return result;
    pd_listing *listing = pd_listing_open(folder);
    if (!listing)
        return pd_fail(error, PD_ERROR_DATA_MISSING, "cannot read the folder '%.300s' (make the folder readable)",
                       folder);
    for (const char *name; (name = pd_listing_next(listing));) append_scene_name(names, count, name);
    pd_listing_close(listing);
    if (*count) qsort(*names, (size_t)*count, sizeof **names, compare_names);
    return PD_OK;
}

pd_result pd_bundled_find_file(const char *name, char *path, size_t size, pd_error *error) {
    char file[PD_MAX_PATH];
    snprintf(file, sizeof file, "scenes/%s.yaml", name);
    return pd_data_find_file(file, path, size, error);
}

/* Groups of bundled scenes, and the scenes of each group, in the order in which lists show them. */
static const struct {
    const char *name, *scenes[20];
} groups[] = {
    {"Water",
     {"pool", "ducks", "iceberg", "leaking-ship", "drop", "two-drops", "dam-break", "rain", "fountain", "aquarium",
      "zero-gravity", "flip-dam", "flip-splash", "flip-waterfall", "pbf-drops", "pbf-splash"}},
    {"Smoke and dye", {"smoke-plume", "wind-tunnel", "paint", "stirring", "tank"}},
    {"Materials",
     {"honey", "blobs", "oil-and-water", "lava-lamp", "jelly", "mud", "melting", "melting-picture",
      "slime-on-the-ceiling", "coalescence", "wetting"}},
    {"Machines",
     {"marble-run", "marble-machine", "water-wheel", "pump", "newtons-cradle", "cradle-in-water", "dominoes", "pinball",
      "obstacles", "hourglass"}},
    {"Vortices",
     {"vortex-pair", "leapfrogging", "four-vortices", "vortex-in-a-bowl", "karman-street", "kelvin-helmholtz",
      "rayleigh-taylor", "dye-drop", "dye-drops"}},
    {"Experiments", {"article", "martin-moyce", "cavity", "sph-a", "sph-b", "sph-c"}},
};
enum { GROUPS = sizeof groups / sizeof *groups };

int pd_bundled_find_list_position(const char *name, const char **group) {
    int place = 0;
    for (int i = 0; i < GROUPS; i++) {
        *group = groups[i].name;
        for (const char *const *scene = groups[i].scenes; *scene; scene++, place++)
            if (strcmp(*scene, name) == 0) return place;
    }
    return INT_MAX;
}

/* ---- Comments and names ---- */

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
