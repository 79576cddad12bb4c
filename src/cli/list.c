#include "app/keys.h"
#include "cli/commands.h"
#include "cli/json.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "scene/bundled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int list_methods(bool json) {
    cJSON *list = json ? cJSON_CreateArray() : NULL;
    for (int i = 0; i < pd_method_count(); i++) {
        const pd_method_info *method = pd_method_at(i);
        if (!json) {
            printf("%-8s %-30s %s\n", method->name, method->title, method->source);
            continue;
        }
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", method->name);
        cJSON_AddStringToObject(object, "title", method->title);
        cJSON_AddStringToObject(object, "source", method->source);
        cJSON_AddStringToObject(object, "key", (char[]){method->key, '\0'});
        cJSON *views = cJSON_AddArrayToObject(object, "views");
        for (int v = 0; v < method->view_count; v++)
            cJSON_AddItemToArray(views, cJSON_CreateString(method->views[v].name));
        cJSON_AddItemToArray(list, object);
    }
    return json ? json_print(list) : 0;
}

/* The quantities of the scene that a default depends on, as text; empty when it is fixed. The scene's unit of time is
 * sqrt(size / gravity), so a power of time counts as one of both. */
static void name_powers(const pd_parameter_powers *powers, char *text, size_t size) {
    const char *const names[] = {"resolution", "size", "gravity"};
    const int power[] = {powers->resolution, 2 * powers->length + powers->time, powers->time};
    int left = 0;
    for (int i = 0; i < 3; i++)
        if (power[i] != 0) left++;
    *text = '\0';
    for (int i = 0; i < 3; i++) {
        size_t used = strlen(text);
        if (power[i] == 0) continue;
        left--;
        const char *separator = left > 1 ? ", " : " and ";
        snprintf(text + used, size - used, "%s%s", names[i], left == 0 ? "" : separator);
    }
}

/* The product of powers that a default is proportional to, as "resolution^-1 length"; empty when it is fixed. */
static void describe_powers(const pd_parameter_powers *powers, char *text, size_t size) {
    const struct {
        const char *name;
        int power;
    } parts[] = {{"resolution", powers->resolution}, {"length", powers->length}, {"time", powers->time}};
    *text = '\0';
    for (int i = 0; i < 3; i++) {
        size_t used = strlen(text);
        if (parts[i].power == 0) continue;
        if (parts[i].power == 1)
            snprintf(text + used, size - used, "%s%s", used ? " " : "", parts[i].name);
        else
            snprintf(text + used, size - used, "%s%s^%d", used ? " " : "", parts[i].name, parts[i].power);
    }
}

/* The float 0.1 becomes the double 0.1, which JSON prints with few digits. */
static double shortest(float value) {
    char text[PD_FLOAT_TEXT];
    return strtod(pd_text_float(value, text), NULL);
}

static void print_parameter(const char *key, const pd_parameter *parameter) {
    char value[32], range[96], follows[64], low[PD_FLOAT_TEXT], high[PD_FLOAT_TEXT];
    pd_parameter_format(parameter, parameter->default_value, value, sizeof value);
    name_powers(&parameter->follows, follows, sizeof follows);
    if (parameter->type == PD_PARAMETER_BOOLEAN)
        snprintf(range, sizeof range, "true or false");
    else if (parameter->type == PD_PARAMETER_CHOICE)
        snprintf(range, sizeof range, "%s", parameter->choices);
    else
        snprintf(range, sizeof range, "%s to %s", pd_text_float(parameter->minimum, low),
                 pd_text_float(parameter->maximum, high));
    int width = 8; /* printf counts bytes: 8 characters, and the continuation bytes of UTF-8 */
    for (const char *c = parameter->unit; *c; c++)
        if ((*c & 0xc0) == 0x80) width++;
    printf("%-24s %-12s %-16s %-*s %s", key, value, range, width, parameter->unit, parameter->help);
    if (*follows) printf(" (follows the scene's %s)", follows);
    putchar('\n');
}

/* The default as a JSON number, boolean or string, with its type and range. */
static void add_value(cJSON *object, const pd_parameter *parameter) {
    char text[32];
    if (parameter->type == PD_PARAMETER_BOOLEAN) {
        cJSON_AddBoolToObject(object, "default", parameter->default_value != 0);
        cJSON_AddStringToObject(object, "type", "boolean");
    } else if (parameter->type == PD_PARAMETER_CHOICE) {
        cJSON_AddStringToObject(object, "default",
                                pd_parameter_format(parameter, parameter->default_value, text, sizeof text));
        cJSON_AddStringToObject(object, "type", "choice");
        cJSON_AddStringToObject(object, "choices", parameter->choices);
    } else {
        cJSON_AddNumberToObject(object, "default", shortest(parameter->default_value));
        cJSON_AddStringToObject(object, "type", parameter->type == PD_PARAMETER_INTEGER ? "integer" : "number");
        cJSON_AddNumberToObject(object, "minimum", shortest(parameter->minimum));
        cJSON_AddNumberToObject(object, "maximum", shortest(parameter->maximum));
        cJSON_AddStringToObject(object, "scale", parameter->scale == PD_SCALE_LINEAR ? "linear" : "logarithmic");
    }
}

/* The key of a material that overrides a method's parameter; NULL when there is none. */
static const char *material_key(const pd_method_info *method, int index) {
    for (int i = 0; i < PD_PROPERTIES; i++)
        if (pd_method_property(method, i) == index) return pd_property_at(i)->key;
    return NULL;
}

static void print_material_keys(void) {
    printf("\n%-24s %s\n", "key of a material", "instead of, in the same unit and range");
    for (int i = 0; i < PD_PROPERTIES; i++) {
        const char *before = "";
        printf("%-24s ", pd_property_at(i)->key);
        for (int m = 0; m < pd_method_count(); m++) {
            const pd_method_info *method = pd_method_at(m);
            int index = pd_method_property(method, i);
            if (index < 0) continue;
            printf("%s%s.%s", before, method->name, method->parameters[index].key);
            before = ", ";
        }
        putchar('\n');
    }
}

static cJSON *describe_parameter(const char *key, const pd_method_info *method, int index) {
    const pd_parameter *parameter = &method->parameters[index];
    char follows[64];
    describe_powers(&parameter->follows, follows, sizeof follows);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "key", key);
    cJSON_AddStringToObject(object, "title", parameter->title);
    add_value(object, parameter);
    cJSON_AddStringToObject(object, "unit", parameter->unit);
    cJSON_AddStringToObject(object, "follows", follows);
    cJSON_AddStringToObject(object, "help", parameter->help);
    cJSON_AddStringToObject(object, "source", parameter->source ? parameter->source : "");
    const char *own = material_key(method, index);
    if (own) cJSON_AddStringToObject(object, "material_key", own);
    return object;
}

static int list_parameters(bool json) {
    cJSON *list = json ? cJSON_CreateArray() : NULL;
    if (!json) printf("%-24s %-12s %-16s %-8s %s\n", "key", "default", "range", "unit", "meaning");
    for (int m = 0; m < pd_method_count(); m++) {
        const pd_method_info *method = pd_method_at(m);
        for (int i = 0; i < method->parameter_count; i++) {
            char key[PD_MAX_KEY];
            snprintf(key, sizeof key, "%s.%s", method->name, method->parameters[i].key);
            if (json)
                cJSON_AddItemToArray(list, describe_parameter(key, method, i));
            else
                print_parameter(key, &method->parameters[i]);
        }
    }
    if (!json) print_material_keys();
    return json ? json_print(list) : 0;
}

/* ": viscosity 4, elasticity 0": the properties of its own. */
static void print_properties(const pd_material *material) {
    const char *before = ": ";
    for (int p = 0; p < PD_PROPERTIES; p++) {
        char value[PD_FLOAT_TEXT];
        if (isnan(material->property[p])) continue;
        printf("%s%s %s", before, pd_property_at(p)->key, pd_text_float(material->property[p], value));
        before = ", ";
    }
    putchar('\n');
}

static cJSON *describe_properties(const pd_material *material) {
    cJSON *object = cJSON_CreateObject();
    for (int p = 0; p < PD_PROPERTIES; p++)
        if (!isnan(material->property[p]))
            cJSON_AddNumberToObject(object, pd_property_at(p)->key, shortest(material->property[p]));
    return object;
}

/* The materials that the window offers; the properties are those of 1,500 particles in a circle of 1 m. */
static int list_materials(bool json) {
    cJSON *list = json ? cJSON_CreateArray() : NULL;
    for (int i = 0; i < pd_ready_material_count(); i++) {
        const pd_ready_material *ready = pd_ready_material_at(i);
        const pd_material *material = &ready->material;
        char color[8], mass[PD_FLOAT_TEXT];
        snprintf(color, sizeof color, "#%02x%02x%02x", material->red, material->green, material->blue);
        if (!json) {
            printf("%-10s %s  mass %-4s %s", material->name, color, pd_text_float(material->mass, mass), ready->about);
            print_properties(material);
            continue;
        }
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", material->name);
        cJSON_AddStringToObject(object, "color", color);
        cJSON_AddNumberToObject(object, "mass", shortest(material->mass));
        cJSON_AddStringToObject(object, "about", ready->about);
        cJSON_AddItemToObject(object, "properties", describe_properties(material));
        cJSON_AddItemToArray(list, object);
    }
    return json ? json_print(list) : 0;
}

static int list_keys(bool json) {
    cJSON *list = json ? cJSON_CreateArray() : NULL;
    int count;
    const pd_key *keys = pd_keys(&count);
    for (int i = 0; i < count; i++) {
        const pd_key *key = &keys[i];
        if (!json) {
            printf("%-28s%s\n", key->name, key->help);
            continue;
        }
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "keys", key->name);
        cJSON_AddStringToObject(object, "action", key->help);
        cJSON_AddStringToObject(object, "group", key->group);
        cJSON_AddItemToArray(list, object);
    }
    return json ? json_print(list) : 0;
}

/* The comment in the first line of a scene file, which says what to try; empty when there is none. */
static void scene_comment(const char *path, char *text, size_t size) {
    void *bytes;
    size_t length;
    *text = '\0';
    if (pd_file_read(path, 1 << 20, &bytes, &length, NULL) != PD_OK) return;
    const char *line = bytes;
    if (*line == '#') {
        line += 1 + strspn(line + 1, "# ");
        snprintf(text, size, "%.*s", (int)strcspn(line, "\r\n"), line);
    }
    free(bytes);
}

static pd_result list_scene(const char *name, cJSON *list, pd_error *error) {
    char path[PD_MAX_PATH], comment[200];
    pd_scene scene;
    pd_result result = options_scene_path(name, path, sizeof path, error);
    if (result == PD_OK) result = pd_scene_read(path, &scene, error);
    if (result != PD_OK) return result;
    scene_comment(path, comment, sizeof comment);
    if (list) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", name);
        cJSON_AddStringToObject(object, "title", scene.name);
        cJSON_AddStringToObject(object, "method", scene.method);
        cJSON_AddStringToObject(object, "about", comment);
        cJSON_AddStringToObject(object, "path", path);
        cJSON_AddItemToArray(list, object);
    } else {
        printf("%-20s %-6s %s\n", name, scene.method, *comment ? comment : scene.name);
    }
    pd_scene_free(&scene);
    return PD_OK;
}

static int list_scenes(bool json) {
    pd_error error;
    char **names;
    int count, code = 0;
    if (pd_bundled_names(&names, &count, &error) != PD_OK) return report(&error);
    cJSON *list = json ? cJSON_CreateArray() : NULL;
    for (int i = 0; i < count; i++)
        if (list_scene(names[i], list, &error) != PD_OK) code = report(&error);
    pd_bundled_free(names, count);
    int printed = json ? json_print(list) : 0;
    return code ? code : printed;
}

int command_list(const options *options) {
    static const struct {
        const char *name;
        int (*list)(bool json);
    } lists[] = {{"methods", list_methods},
                 {"scenes", list_scenes},
                 {"parameters", list_parameters},
                 {"materials", list_materials},
                 {"keys", list_keys}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(options->scenes[0], lists[i].name) == 0) return lists[i].list(options->json);
    pd_error error;
    pd_fail(&error, PD_ERROR_USAGE, "cannot list '%.60s' (use methods, scenes, parameters, materials or keys)",
            options->scenes[0]);
    return report(&error);
}
