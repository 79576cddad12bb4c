/* Finding scenes by name. */
#include "cli/options.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void free_names(char **names, int count) {
    for (int i = 0; i < count; i++) free(names[i]);
    free(names);
}

/* Appends "drop" for "drop.yaml"; other files are passed over. */
static bool add_name(char ***names, int *count, const char *file) {
    size_t length = strlen(file);
    if (length <= 5 || file[0] == '.' || strcmp(file + length - 5, ".yaml") != 0) return true;
    char **grown = realloc(*names, sizeof *grown * (size_t)(*count + 1));
    if (!grown) return false;
    *names = grown;
    grown[*count] = strndup(file, length - 5);
    if (!grown[*count]) return false;
    (*count)++;
    return true;
}

pd_result bundled_scenes(char ***names, int *count, pd_error *error) {
    char folder[PD_MAX_PATH];
    *names = NULL;
    *count = 0;
    pd_result result = pd_data_path("scenes", folder, sizeof folder, error);
    if (result != PD_OK) return result;
    DIR *directory = opendir(folder);
    if (!directory)
        return pd_fail(error, PD_ITEM_DATA_MISSING, "cannot look into '%.300s' (make the folder readable)", folder);
    bool complete = true;
    for (struct dirent *entry; complete && (entry = readdir(directory));)
        complete = add_name(names, count, entry->d_name);
    closedir(directory);
    if (!complete) {
        free_names(*names, *count);
        *names = NULL;
        return pd_fail(error, PD_ITEM_OUT_OF_MEMORY, "cannot list the scenes: not enough memory");
    }
    if (*count) qsort(*names, (size_t)*count, sizeof **names, compare_names);
    return PD_OK;
}

static pd_result unknown_scene(const char *name, pd_error *error) {
    char **names;
    int count, best = -1, best_distance = 1000;
    pd_result result = bundled_scenes(&names, &count, error);
    if (result != PD_OK) return result;
    for (int i = 0; i < count; i++) {
        int distance = pd_text_distance(name, names[i]);
        if (distance < best_distance) {
            best_distance = distance;
            best = i;
        }
    }
    result = pd_fail(error, PD_ITEM_SCENE_UNKNOWN,
                     "unknown scene '%.60s': there is no such file or bundled scene (%s%s%s'puddle list scenes' shows "
                     "all)",
                     name, best >= 0 ? "did you mean '" : "", best >= 0 ? names[best] : "", best >= 0 ? "'? " : "");
    free_names(names, count);
    return result;
}

pd_result options_scene_path(const char *name, char *path, size_t size, pd_error *error) {
    char file[128];
    struct stat status;
    bool plain = *name && !strpbrk(name, "/.") && strlen(name) < 100;
    /* A bundled name wins over a folder or file of the same name: what a script calls 'drop' stays the same everywhere. */
    if (plain) {
        snprintf(file, sizeof file, "scenes/%s.yaml", name);
        if (pd_data_path(file, path, size, NULL) == PD_OK) return PD_OK;
    }
    bool is_path = strpbrk(name, "/.") || (stat(name, &status) == 0 && !S_ISDIR(status.st_mode));
    if (!is_path) return unknown_scene(name, error);
    if (strlen(name) >= size)
        return pd_fail(error, PD_ITEM_FILE_UNREADABLE,
                       "cannot read '%.100s...': the path is too long (use a shorter one)", name);
    snprintf(path, size, "%s", name);
    return PD_OK;
}
