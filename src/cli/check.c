#include "cli/commands.h"
#include "cli/json.h"
#include "core/error.h"
#include "core/file.h"
#include "scene/counts.h"

#include <stdio.h>
#include <stdlib.h>

/* Reads a scene as `puddle run` does, and counts its regions and its particles at the start. */
static pd_result check_scene(const char *name, int *regions, int *particles, pd_error *error) {
    char path[PD_MAX_PATH];
    pd_scene scene;
    *regions = *particles = 0;
    pd_result result = options_scene_path(name, path, sizeof path, error);
    if (result == PD_OK) result = pd_scene_read(path, &scene, error);
    if (result != PD_OK) return result;
    result = pd_method_check(scene.method, error);
    if (result != PD_OK) {
        pd_scene_free(&scene);
        return result;
    }
    int *counts = calloc((size_t)scene.region_count + 1, sizeof *counts);
    if (counts)
        result = pd_regions_counts(&scene, counts, particles, error);
    else
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot check '%.200s': not enough memory", name);
    *regions = scene.region_count;
    free(counts);
    pd_scene_free(&scene);
    return result;
}

static cJSON *describe(const char *name, int regions, int particles, const pd_error *error) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "file", name);
    cJSON_AddBoolToObject(object, "ok", error == NULL);
    if (error) {
        cJSON_AddStringToObject(object, "error", error->message);
        cJSON_AddStringToObject(object, "item", pd_error_name(error->code));
    } else {
        cJSON_AddNumberToObject(object, "regions", regions);
        cJSON_AddNumberToObject(object, "particles", particles);
    }
    return object;
}

int command_check(const options *options) {
    cJSON *list = options->json ? cJSON_CreateArray() : NULL;
    int worst = 0;
    for (int i = 0; i < options->scene_count && !interrupted(); i++) {
        const char *name = options->scenes[i];
        pd_error error;
        int regions, particles;
        bool ok = check_scene(name, &regions, &particles, &error) == PD_OK;
        int code = ok ? 0 : report(&error);
        if (code > worst) worst = code;
        if (list)
            cJSON_AddItemToArray(list, describe(name, regions, particles, ok ? NULL : &error));
        else if (ok && !options->quiet)
            printf("%s: ok (%d region%s, %d particle%s)\n", name, regions, regions == 1 ? "" : "s", particles,
                   particles == 1 ? "" : "s");
    }
    int code = options->json ? json_print(list) : 0;
    return code > worst ? code : worst;
}
