/* puddle check: reads scenes and reports their errors and warnings. */
#include "cli/commands.h"
#include "cli/json.h"
#include "core/error.h"
#include "core/file/file.h"
#include "scene/content/counts.h"

#include <stdio.h>
#include <stdlib.h>

/* What `check` prints about a valid scene. */
typedef struct description {
    int regions, particles; /* numbers of regions and particles at the start */
    cJSON *warnings;        /* array of strings */
} description;

static void add_warnings(const pd_scene *scene, cJSON *list) {
    char text[256];
    for (int i = 0; pd_scene_warning(scene, i, text, sizeof text); i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(text));
}

/* Reads a scene as `puddle run` does, and writes its description to *found. */
static pd_result check_scene(const char *name, description *found, pd_error *error) {
    char path[PD_MAX_PATH];
    pd_scene scene;
    pd_result result = options_find_scene_path(name, path, sizeof path, error);
    if (result == PD_OK) result = pd_scene_read(path, &scene, error);
    if (result != PD_OK) return result;
    result = pd_method_check(scene.method, error);
    if (result != PD_OK) {
        pd_scene_free(&scene);
        return result;
    }
    int *counts = calloc((size_t)scene.region_count + 1, sizeof *counts);
    if (counts)
        result = pd_regions_compute_counts(&scene, counts, &found->particles, error);
    else
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY,
                         "cannot check '%.200s': not enough memory (close other programs)", name);
    found->regions = scene.region_count;
    if (result == PD_OK) add_warnings(&scene, found->warnings);
    free(counts);
    pd_scene_free(&scene);
    return result;
}

/* Creates the JSON of a checked scene. The JSON owns found->warnings. */
static cJSON *describe_scene(const char *name, const description *found, const pd_error *error) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "file", name);
    cJSON_AddBoolToObject(object, "ok", error == NULL);
    if (error) {
        cJSON_AddStringToObject(object, "error", error->message);
        cJSON_AddStringToObject(object, "item", pd_error_name(error->code));
        cJSON_Delete(found->warnings);
    } else {
        cJSON_AddNumberToObject(object, "regions", found->regions);
        cJSON_AddNumberToObject(object, "particles", found->particles);
        cJSON_AddItemToObject(object, "warnings", found->warnings);
    }
    return object;
}

static void print_description(const char *name, const description *found) {
    printf("%s: ok (%d region%s, %d particle%s)\n", name, found->regions, found->regions == 1 ? "" : "s",
           found->particles, found->particles == 1 ? "" : "s");
    const cJSON *warning;
    cJSON_ArrayForEach(warning, found->warnings) printf("%s: warning: %s\n", name, warning->valuestring);
}

int command_check(const options *options) {
    cJSON *list = options->json ? cJSON_CreateArray() : NULL;
    int worst = 0;
    for (int i = 0; i < options->scene_count && !is_interrupted(); i++) {
        const char *name = options->scenes[i];
        pd_error error;
        description found = {.warnings = cJSON_CreateArray()};
        bool ok = check_scene(name, &found, &error) == PD_OK;
        int code = ok ? 0 : report_error(&error);
        if (code > worst) worst = code;
        if (list)
            cJSON_AddItemToArray(list, describe_scene(name, &found, ok ? NULL : &error));
        else if (ok && !options->quiet)
            print_description(name, &found);
        if (!list) cJSON_Delete(found.warnings);
    }
    int code = options->json ? json_print(list) : 0;
    return code > worst ? code : worst;
}
