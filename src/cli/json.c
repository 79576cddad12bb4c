#include "cli/json.h"

#include "cli/commands.h"
#include "cli/output/columns.h"
#include "core/error.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Replaces each number in a JSON value by the shortest text that reads back as the same double. cJSON itself would write 15
 * digits, which may read back as another number, or 17 digits. */
static void replace_numbers_by_shortest_text(cJSON *value) {
    cJSON *child;
    cJSON_ArrayForEach(child, value) replace_numbers_by_shortest_text(child);
    if (!cJSON_IsNumber(value) || !isfinite(value->valuedouble)) return; /* cJSON writes NAN as null */
    char *text = cJSON_malloc(PD_FLOAT_TEXT);
    if (!text) return;
    value->valuestring = pd_text_write_double(value->valuedouble, text);
    value->type = cJSON_Raw;
}

int json_print(cJSON *value) {
    replace_numbers_by_shortest_text(value);
    char *text = cJSON_Print(value);
    cJSON_Delete(value);
    if (!text) {
        pd_error error;
        pd_fail(&error, PD_ERROR_OUT_OF_MEMORY, "cannot print JSON: not enough memory (close other programs)");
        return report_error(&error);
    }
    print_whole(text);
    print_whole("\n");
    cJSON_free(text);
    return 0;
}

cJSON *json_create_float(float value) {
    char text[PD_FLOAT_TEXT];
    return cJSON_CreateNumber(strtod(pd_text_write_float(value, text), NULL));
}

void json_add_world_hash(cJSON *object, const pd_world *world) {
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)pd_world_hash(world));
    cJSON_AddStringToObject(object, "hash", text);
}

void json_add_statistics(cJSON *object, const pd_statistics *statistics) {
    for (int i = 0; i < statistics_column_count; i++)
        cJSON_AddNumberToObject(object, statistics_columns[i].name,
                                statistics_get_value(&statistics_columns[i], statistics));
}

static cJSON *create_impulse_json(const pd_world *world, int obstacle) {
    double xy[2];
    pd_world_impulse_on_obstacle(world, obstacle, &xy[0], &xy[1]);
    return cJSON_CreateDoubleArray(xy, 2);
}

void json_add_wall_impulses(cJSON *object, const pd_world *world) {
    pd_view view;
    cJSON *impulse = cJSON_AddObjectToObject(object, "impulse");
    cJSON_AddItemToObject(impulse, "container", create_impulse_json(world, -1));
    cJSON *obstacles = cJSON_AddArrayToObject(impulse, "obstacles");
    pd_world_view(world, &view);
    for (int i = 0; i < view.obstacle_count; i++) cJSON_AddItemToArray(obstacles, create_impulse_json(world, i));
}

void json_add_bodies(cJSON *object, const pd_world *world) {
    cJSON *bodies = cJSON_AddArrayToObject(object, "bodies");
    for (int i = 0; i < pd_world_body_count(world); i++) {
        char name[BODY_NAME_SIZE];
        pd_world_body body;
        cJSON *item = cJSON_CreateObject();
        pd_world_get_body(world, i, &body);
        body_get_name(world, i, name);
        for (int c = 0; c < BODY_COLUMNS; c++)
            if (c == BODY_NAME)
                cJSON_AddStringToObject(item, body_columns[c].name, name);
            else
                cJSON_AddNumberToObject(item, body_columns[c].name, body_get_value(world, &body, c));
        cJSON_AddItemToArray(bodies, item);
    }
}

void json_add_world(cJSON *object, const pd_world *world) {
    pd_statistics statistics;
    pd_world_statistics(world, &statistics);
    json_add_statistics(object, &statistics);
    json_add_wall_impulses(object, world);
    json_add_bodies(object, world);
    json_add_world_hash(object, world);
}

void json_add_compared_worlds(cJSON *object, pd_world *const worlds[2]) {
    cJSON *compared = cJSON_AddArrayToObject(object, "compared");
    for (int i = 0; i < 2; i++) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "method", pd_world_method(worlds[i])->name);
        json_add_world(item, worlds[i]);
        cJSON_AddItemToArray(compared, item);
    }
}
