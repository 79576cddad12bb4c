/* puddle check: reads scenes and reports their errors and warnings. */
#include "cli/commands.h"
#include "cli/json.h"
#include "core/error.h"
#include "core/file.h"
#include "scene/content/counts.h"
#include "scene/file/scene_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* greatest number of errors reported for a file; pd_scene_read_and_report_mistakes has the same limit */
enum { MAX_ERRORS = 100 };

/* Report of `check` on a scene. */
typedef struct scene_report {
    const char *name;            /* name or path of the scene, as on the command line */
    int regions, particles;      /* numbers of regions and particles at the start */
    cJSON *warnings;             /* array of the warnings' texts */
    pd_error errors[MAX_ERRORS]; /* the first errors */
    int error_count;             /* number of errors; 0: the scene is valid */
} scene_report;

static void append_error(void *context, const pd_error *error) {
    scene_report *report = context;
    if (report->error_count < MAX_ERRORS) report->errors[report->error_count++] = *error;
}

/* Compares two errors by line and column, for qsort. Errors in files other than that of *a come last. */
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

/* Checks that the scene's method is available and that its particles are allowed, as `puddle run` does. Counts regions and
 * particles, and appends the scene's warnings to report->warnings. */
static pd_result check_method_and_memory(const pd_scene *scene, scene_report *report, pd_error *error) {
    pd_result result = pd_method_check(scene->method, error);
    if (result != PD_OK) return result;
    int *counts = calloc((size_t)scene->region_count + 1, sizeof *counts);
    if (counts)
        result = pd_regions_compute_particle_counts(scene, counts, &report->particles, error);
    else
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY,
                         "cannot check '%.200s': not enough memory (close other programs)", report->name);
    free(counts);
    report->regions = scene->region_count;
    if (result == PD_OK) {
        char text[256];
        for (int i = 0; pd_scene_write_warning(scene, i, text, sizeof text); i++)
            cJSON_AddItemToArray(report->warnings, cJSON_CreateString(text));
    }
    return result;
}

/* Reads and checks the scene report->name. Sets the other members of *report. */
static void check_scene_file(scene_report *report) {
    char path[PD_MAX_PATH];
    pd_scene scene;
    pd_error error;
    pd_result result = options_find_scene_path(report->name, path, sizeof path, &error);
    if (result == PD_OK) {
        result = pd_scene_read_and_report_mistakes(path, &scene, append_error, report, &error);
        if (result == PD_OK) {
            result = check_method_and_memory(&scene, report, &error);
            pd_scene_free(&scene);
        }
    }
    if (result != PD_OK && !report->error_count) append_error(report, &error);
    qsort(report->errors, (size_t)report->error_count, sizeof *report->errors, compare_errors);
}

/* Creates the report as JSON, and moves report->warnings into it. */
static cJSON *create_report_json(const scene_report *report) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "file", report->name);
    cJSON_AddBoolToObject(object, "ok", report->error_count == 0);
    if (report->error_count) {
        cJSON_AddStringToObject(object, "error", report->errors[0].message);
        cJSON_AddStringToObject(object, "item", pd_error_name(report->errors[0].code));
        cJSON *errors = cJSON_AddArrayToObject(object, "errors");
        for (int i = 0; i < report->error_count; i++) {
            cJSON *item = cJSON_CreateObject();
            cJSON_AddStringToObject(item, "error", report->errors[i].message);
            cJSON_AddStringToObject(item, "item", pd_error_name(report->errors[i].code));
            cJSON_AddItemToArray(errors, item);
        }
        cJSON_Delete(report->warnings);
    } else {
        cJSON_AddNumberToObject(object, "regions", report->regions);
        cJSON_AddNumberToObject(object, "particles", report->particles);
        cJSON_AddItemToObject(object, "warnings", report->warnings);
    }
    return object;
}

static void print_report(const scene_report *report) {
    printf("%s: ok (%d region%s, %d particle%s)\n", report->name, report->regions, report->regions == 1 ? "" : "s",
           report->particles, report->particles == 1 ? "" : "s");
    const cJSON *warning;
    cJSON_ArrayForEach(warning, report->warnings) printf("%s: warning: %s\n", report->name, warning->valuestring);
}

int command_check(const options *options) {
    cJSON *list = options->json ? cJSON_CreateArray() : NULL;
    int worst = 0;
    for (int i = 0; i < options->scene_count && !is_interrupted(); i++) {
        static scene_report report; /* static, since it is too large for the stack */
        report = (scene_report){.name = options->scenes[i], .warnings = cJSON_CreateArray()};
        check_scene_file(&report);
        for (int k = 0; k < report.error_count; k++) {
            int code = report_error(&report.errors[k]);
            if (code > worst) worst = code;
        }
        if (report.error_count == MAX_ERRORS)
            fprintf(stderr, "puddle: '%.200s' may have more mistakes (correct these %d first)\n", report.name,
                    MAX_ERRORS);
        if (list)
            cJSON_AddItemToArray(list, create_report_json(&report));
        else if (!report.error_count && !options->quiet)
            print_report(&report);
        if (!list) cJSON_Delete(report.warnings);
    }
    int code = options->json ? json_print(list) : 0;
    return code > worst ? code : worst;
}
