/* Finds the files of bundled scenes by name. */
#include "cli/options.h"
#include "core/error.h"
#include "core/text.h"
#include "platform/platform.h"
#include "scene/file/bundled.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Returns the index of the element of `names` with the smallest edit distance to `name`; -1 if `names` is empty. */
static int find_most_similar_name(const char *name, char **names, int count) {
    int best = -1, least = INT_MAX;
    for (int i = 0; i < count; i++) {
        int distance = pd_text_edit_distance(name, names[i]);
        if (distance >= least) continue;
        least = distance;
        best = i;
    }
    return best;
}

int options_scene_name_edit_distance(const char *name) {
    char **names;
    int count, distance = INT_MAX;
    if (pd_bundled_list_names(&names, &count, NULL) != PD_OK) return distance;
    int best = find_most_similar_name(name, names, count);
    if (best >= 0) distance = pd_text_edit_distance(name, names[best]);
    pd_bundled_free_names(names, count);
    return distance;
}

static pd_result fail_unknown_scene(const char *name, pd_error *error) {
    char **names;
    int count;
    pd_result result = pd_bundled_list_names(&names, &count, error);
    if (result != PD_OK) return result;
    int best = find_most_similar_name(name, names, count);
    result =
        pd_fail(error, PD_ERROR_SCENE_UNKNOWN,
                "unknown scene '%.60s': no file and no bundled scene has this name (%s%s%s'puddle list scenes' shows "
                "all)",
                name, best >= 0 ? "did you mean '" : "", best >= 0 ? names[best] : "", best >= 0 ? "'? " : "");
    pd_bundled_free_names(names, count);
    return result;
}

pd_result options_find_scene_path(const char *name, char *path, size_t size, pd_error *error) {
    bool is_name = *name && !strpbrk(name, "/.") && strlen(name) < 100;
    /* The bundled scene 'drop' is preferred to a file 'drop', so that a script means the same scene in every folder. */
    if (is_name && pd_bundled_find_file(name, path, size, NULL) == PD_OK) return PD_OK;
    pd_path_type type = pd_os_status(name, true).type;
    bool is_path = strpbrk(name, "/.") || (type != PD_PATH_MISSING && type != PD_PATH_FOLDER);
    if (!is_path) return fail_unknown_scene(name, error);
    if (strlen(name) >= size)
        return pd_fail(error, PD_ERROR_FILE_UNREADABLE,
                       "cannot read '%.100s...': the path is too long (use a shorter one)", name);
    snprintf(path, size, "%s", name);
    return PD_OK;
}
