/* Listings of the bundled scenes, of the keys in scene files, and of materials. */
#include "cli/commands.h"
#include "cli/json.h"
#include "cli/list/list.h"
#include "core/file.h"
#include "core/text.h"
#include "scene/file/scene_files.h"
#include "scene/schema.h"

#include <math.h>
#include <puddle/memory.h>
#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---- Bundled scenes ---- */

static pd_result list_scene(listing *list, const char *name, pd_error *error) {
    char path[PD_MAX_PATH], whole[1200];
    pd_scene scene;
    pd_result result = options_find_scene_path(name, path, sizeof path, error);
    if (result == PD_OK) result = pd_scene_read(path, &scene, error);
    if (result != PD_OK) return result;
    pd_scene_read_comment(path, whole, sizeof whole);
    for (char *c = whole; *c; c++)
        if (*c == '\n') *c = ' ';
    listing_add_text(list, name);
    listing_add_text(list, scene.name);
    listing_add_text(list, scene.method);
    listing_add_text(list, *whole ? whole : scene.name);
    listing_add_text(list, path);
    pd_scene_free(&scene);
    return PD_OK;
}

int list_scenes(listing *list) {
    static const listing_column columns[] = {
        {"scene", "name", 20, .code = true},   {NULL, "title", NOT_IN_TEXT},
        {"method", "method", 6, .code = true}, {"about", "about"},
        {NULL, "path", NOT_IN_TEXT},
    };
    pd_error error;
    char **names;
    int count, code = 0;
    if (pd_bundled_list_names(&names, &count, &error) != PD_OK) return report_error(&error);
    listing_begin_table(list, columns, COUNT_OF(columns), false);
    for (int i = 0; i < count; i++)
        if (list_scene(list, names[i], &error) != PD_OK) code = report_error(&error);
    pd_bundled_free_names(names, count);
    return code;
}

/* ---- Keys of scene files ---- */

int list_scene_keys(listing *list) {
    static const listing_column columns[] = {
        {"list", "list", 20, .in_section = true},
        {"key", "key", 16, .code = true},
        {"type", "type", 24},
        {"unit", "unit", 10},
        {"default", "default", 24},
        {"range", "range", 28},
        {"only for", "only_for", 20},
        {"meaning", "help"},
    };
    pd_scene_key key;
    const char *before = "";
    listing_begin_table(list, columns, COUNT_OF(columns), true);
    for (int i = 0; pd_scene_describe_key(i, &key); i++) {
        if (strcmp(before, key.list) != 0) listing_begin_section(list, key.list, key.list, NULL);
        before = key.list;
        listing_add_text(list, key.list);
        listing_add_text(list, key.key);
        listing_add_text(list, key.type);
        listing_add_text(list, key.unit);
        listing_add_text(list, key.default_value);
        listing_add_text(list, key.range);
        listing_add_text(list, key.only_for);
        listing_add_text(list, key.help);
    }
    return 0;
}

/* ---- Materials ---- */

/* Writes the properties that a material sets as text, "viscosity 4, elasticity 0", and adds them to a JSON object. */
static void write_properties(const pd_material *material, char *text, size_t size, cJSON *object) {
    *text = '\0';
    for (int p = 0; p < PD_PROPERTIES; p++) {
        char value[PD_FLOAT_TEXT];
        if (isnan(material->property[p])) continue;
        cJSON_AddItemToObject(object, pd_property_at(p)->key, json_create_float(material->property[p]));
        pd_text_append(text, size, "%s%s %s", *text ? ", " : "", pd_property_at(p)->key,
                       pd_text_write_float(material->property[p], value));
    }
}

int list_materials(listing *list) {
    static const listing_column columns[] = {
        {"material", "name", 10, .code = true},          {"colour", "color", 7, .code = true},
        {"mass", "mass", 4, .before = "  mass "},        {"about", "about"},
        {"properties", "properties", 0, .before = ": "},
    };
    listing_begin_table(list, columns, COUNT_OF(columns), false);
    for (int i = 0; i < pd_ready_material_count(); i++) {
        const pd_ready_material *ready = pd_ready_material_at(i);
        const pd_material *material = &ready->material;
        char color[8], mass[PD_FLOAT_TEXT], text[256];
        cJSON *properties = cJSON_CreateObject();
        snprintf(color, sizeof color, "#%02x%02x%02x", material->red, material->green, material->blue);
        write_properties(material, text, sizeof text, properties);
        listing_add_text(list, material->name);
        listing_add_text(list, color);
        listing_add_cell(list, pd_text_write_float(material->mass, mass), json_create_float(material->mass));
        listing_add_text(list, ready->about);
        listing_add_cell(list, text, properties);
    }
    return 0;
}
