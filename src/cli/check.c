/* puddle check: reads scenes and reports their errors and warnings. */
#include "cli/commands.h"
#include "cli/json.h"
#include "core/error.h"
#include "core/file/file.h"
#include "scene/content/counts.h"
#include "scene/file/inputs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ERRORS = 100 }; /* most mistakes of a file; pd_scene_read_and_report_mistakes has the same limit */

/* Report of `check` on a scene. */
typedef struct description {
    const char *name;       /* name of the scene as given */
    int regions, particles; /* numbers of regions and particles at the start */
    cJSON *warnings;        /* array of strings */
    pd_error errors[MAX_ERRORS];
    int error_count; /* 0: the scene is valid */
} description;

static void add_warnings(const pd_scene *scene, cJSON *list) {
    char text[256];
    for (int i = 0; pd_scene_write_warning(scene, i, text, sizeof text); i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(text));
}

static void add_error(void *context, const pd_error *error) {
    description *found = context;
    if (found->error_count < MAX_ERRORS) found->errors[found->error_count++] = *error;
}

/* Orders errors by line and column. Errors of other files come last. */
static int compare_errors(const void *a, const void *b) {
    long place[2][2] = {{LONG_MAX, 0}, {LONG_MAX, 0}};
    const pd_error *errors[] = {a, b};
    for (int i = 0; i < 2; i++) {
        const char *path = errors[0]->message, *message = errors[i]->message;
        size_t length = strcspn(path, ":");
        if (strncmp(message, path, length) == 0) sscanf(message + length, ":%ld:%ld:", &place[i][0], &place[i][1]);
    }
    for (int k = 0; k < 2; k++)
        if (place[0][k] != place[1][k]) return place[0][k] < place[1][k] ? -1 : 1;
    return strcmp(errors[0]->message, errors[1]->message);
}

/* Checks what `puddle run` needs besides a valid file: a method that is available, and memory for the particles. */
static pd_result check_start(const pd_scene *scene, description *found, pd_error *error) {
    pd_result result = pd_method_check(scene->method, error);
    if (result != PD_OK) return result;
    int *counts = calloc((size_t)scene->region_count + 1, sizeof *counts);
    if (counts)
        result = pd_regions_compute_particle_counts(scene, counts, &found->particles, error);
    else
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY,
                         "cannot check '%.200s': not enough memory (close other programs)", found->name);
    free(counts);
    found->regions = scene->region_count;
    if (result == PD_OK) add_warnings(scene, found->warnings);
    return result;
}

/* Reads the scene found->name as `puddle run` does, and writes its description to *found. */
static void check_scene(description *found) {
    char path[PD_MAX_PATH];
    pd_scene scene;
    pd_error error;
    pd_result result = options_find_scene_path(found->name, path, sizeof path, &error);
    if (result == PD_OK) {
        result = pd_scene_read_and_report_mistakes(path, &scene, add_error, found, &error);
        if (result == PD_OK) {
            result = check_start(&scene, found, &error);
            pd_scene_free(&scene);
        }
    }
    if (result != PD_OK && !found->error_count) add_error(found, &error);
    qsort(found->errors, (size_t)found->error_count, sizeof *found->errors, compare_errors);
}

/* Creates the JSON of a checked scene. The JSON owns found->warnings. */
static cJSON *describe_scene(const description *found) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "file", found->name);
    cJSON_AddBoolToObject(object, "ok", found->error_count == 0);
    if (found->error_count) {
        cJSON_AddStringToObject(object, "error", found->errors[0].message);
        cJSON_AddStringToObject(object, "item", pd_error_name(found->errors[0].code));
        cJSON *errors = cJSON_AddArrayToObject(object, "errors");
        for (int i = 0; i < found->error_count; i++) {
            cJSON *item = cJSON_CreateObject();
            cJSON_AddStringToObject(item, "error", found->errors[i].message);
            cJSON_AddStringToObject(item, "item", pd_error_name(found->errors[i].code));
            cJSON_AddItemToArray(errors, item);
        }
        cJSON_Delete(found->warnings);
    } else {
        cJSON_AddNumberToObject(object, "regions", found->regions);
        cJSON_AddNumberToObject(object, "particles", found->particles);
        cJSON_AddItemToObject(object, "warnings", found->warnings);
    }
    return object;
}

static void print_description(const description *found) {
    printf("%s: ok (%d region%s, %d particle%s)\n", found->name, found->regions, found->regions == 1 ? "" : "s",
           found->particles, found->particles == 1 ? "" : "s");
    const cJSON *warning;
    cJSON_ArrayForEach(warning, found->warnings) printf("%s: warning: %s\n", found->name, warning->valuestring);
}

int command_check(const options *options) {
    cJSON *list = options->json ? cJSON_CreateArray() : NULL;
    int worst = 0;
    for (int i = 0; i < options->scene_count && !is_interrupted(); i++) {
        static description found; /* static: large */
        found = (description){.name = options->scenes[i], .warnings = cJSON_CreateArray()};
        check_scene(&found);
        for (int k = 0; k < found.error_count; k++) {
            int code = report_error(&found.errors[k]);
            if (code > worst) worst = code;
        }
        if (found.error_count == MAX_ERRORS)
            fprintf(stderr, "puddle: '%.200s' may have more mistakes (correct these %d first)\n", found.name,
                    MAX_ERRORS);
        if (list)
            cJSON_AddItemToArray(list, describe_scene(&found));
        else if (!found.error_count && !options->quiet)
            print_description(&found);
        if (!list) cJSON_Delete(found.warnings);
    }
    int code = options->json ? json_print(list) : 0;
    return code > worst ? code : worst;
}
