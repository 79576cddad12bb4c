/* Writes the lists of VTK files for ParaView. The format is that of ParaView's file series:
 * https://gitlab.kitware.com/paraview/paraview/-/blob/v5.5.0/Documentation/release/ParaView-5.5.0.md */
#include "cli/output/series.h"

#include "cli/output/state.h"
#include "core/array.h"
#include "core/error.h"
#include "core/file/file.h"
#include "core/memory.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

bool series_add(series *series, const pd_world *world) {
    pd_view view;
    series_state state = {.step = (long long)pd_world_steps(world), .time = pd_world_time(world)};
    while (series->count > 0 && series->states[series->count - 1].step >= state.step) series->count--;
    if (!PD_LIST_RESERVE(series->states, series->capacity, series->count + 1)) return false;
    pd_world_view(world, &view);
    for (state_part part = 0; part < STATE_PARTS; part++)
        if (state_has_part(&view, part)) state.parts |= 1u << part;
    series->states[series->count++] = state;
    return true;
}

/* Adds a file to the list. name: relative to the folder of the list. Returns false if memory runs out. */
static bool add_file(cJSON *files, const char *name, double time) {
    cJSON *file = cJSON_CreateObject();
    return cJSON_AddItemToArray(files, file) && cJSON_AddStringToObject(file, "name", name) &&
           cJSON_AddNumberToObject(file, "time", time);
}

/* Returns the list of a part as JSON, for cJSON_free; NULL if memory runs out. path: value of --state. */
static char *make_list(const series *series, const char *path, state_part part) {
    char name[PD_MAX_PATH];
    const char *slash = strrchr(path, '/');
    cJSON *list = cJSON_CreateObject();
    cJSON *version = cJSON_AddStringToObject(list, "file-series-version", "1.0");
    cJSON *files = cJSON_AddArrayToObject(list, "files");
    bool complete = version && files;
    for (int i = 0; complete && i < series->count; i++) {
        const series_state *state = &series->states[i];
        if (!(state->parts & 1u << part)) continue;
        state_get_path(slash ? slash + 1 : path, state->step, part, name);
        complete = add_file(files, name, state->time);
    }
    char *text = complete ? cJSON_Print(list) : NULL;
    cJSON_Delete(list);
    return text;
}

static pd_result write_list(const series *series, const char *path, state_part part, pd_error *error) {
    char first[PD_MAX_PATH], name[PD_MAX_PATH];
    if (!state_get_path(path, STATE_AT_END, part, first) ||
        snprintf(name, sizeof name, "%s.series", first) >= (int)sizeof name)
        return pd_fail_unwritable(path, ENAMETOOLONG, error);
    char *text = make_list(series, path, part);
    if (!text)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot write '%.200s': not enough memory (close other programs)",
                       name);
    pd_result result = pd_file_write(name, text, strlen(text), error);
    cJSON_free(text);
    return result;
}

pd_result series_write(const series *series, const char *path, pd_error *error) {
    pd_result result = PD_OK;
    unsigned parts = 0;
    for (int i = 0; i < series->count; i++) parts |= series->states[i].parts;
    for (state_part part = 0; result == PD_OK && part < STATE_PARTS; part++)
        if (parts & 1u << part) result = write_list(series, path, part, error);
    return result;
}

void series_free(series *series) {
    pd_memory_free(series->states);
    *series = (struct series){0};
}
