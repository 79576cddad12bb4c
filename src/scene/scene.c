/* Creates, copies and frees scenes. Finds parameters by key, reads, writes and sets their values. The tables of parameters come
 * from pd_method_count, pd_method_at and pd_method_find (puddle/method.h). src/methods/methods.c defines these functions.
 * Nothing else in src/scene depends on a folder above it. */
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/content/cells.h"
#include "scene/items.h"

#include <math.h>
#include <puddle/method.h>
#include <puddle/scene.h>
#include <stdio.h>
#include <string.h>

void pd_scene_init(pd_scene *scene) {
    pd_record_set_defaults(&pd_scene_schema, scene);
    strcpy(scene->method, pd_method_at(0)->name);
    scene->seed = 1;
    pd_record_set_defaults(&pd_container_schema, &scene->container);
    for (int i = 0; i < PD_WALLS; i++) pd_record_set_defaults(&pd_wall_schema, &scene->container.walls[i]);
    pd_record_set_defaults(&pd_material_schema, &scene->materials[0]);
    strcpy(scene->materials[0].name, "water");
    scene->material_count = 1;
}

void pd_scene_free(pd_scene *scene) {
    for (int list = 0; list < PD_ALL_LISTS; list++) pd_scene_list_free(list, scene);
    pd_memory_free(scene->cells.values);
    memset(scene, 0, sizeof *scene);
}

pd_result pd_scene_copy(pd_scene *to, const pd_scene *from, pd_error *error) {
    pd_scene copy = *from;
    size_t values = pd_cells_value_count(&from->cells);
    copy.cells.values = values > 0 ? pd_memory_new(values * sizeof(float)) : NULL;
    if (copy.cells.values) memcpy(copy.cells.values, from->cells.values, values * sizeof(float));
    bool fine = values == 0 || copy.cells.values;
    for (int list = 0; list < PD_ALL_LISTS; list++)
        if (!pd_scene_lists[list].is_inline)
            fine = pd_scene_list_copy(list, &copy, fine ? from : &(pd_scene){0}) && fine;
    *to = copy;
    if (fine) return PD_OK;
    pd_scene_free(to);
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "copying the scene failed: out of memory (close other programs)");
}

/* ---- Settings of scenes ---- */

/* Returns the position of a parameter in the sequence of all methods' tables. -1: no parameter has the key. */
static int find_parameter_rank(const char *key) {
    int method, index;
    if (pd_parameter_find(key, &method, &index, NULL) != PD_OK) return -1;
    return method * PD_MAX_PARAMETERS + index;
}

/* Inserts a setting before the first setting of a higher rank. rank: result of find_parameter_rank for the key. */
static void insert_setting(pd_scene *scene, const char *key, float value, int rank) {
    int at = 0;
    while (at < scene->setting_count && find_parameter_rank(scene->settings[at].key) < rank) at++;
    pd_setting *settings =
        pd_memory_require_resized(scene->settings, ((size_t)scene->setting_count + 1) * sizeof *settings);
    memmove(settings + at + 1, settings + at, (size_t)(scene->setting_count - at) * sizeof *settings);
    settings[at] = (pd_setting){.value = value};
    strncpy(settings[at].key, key, PD_MAX_KEY - 1);
    scene->settings = settings;
    scene->setting_count++;
}

pd_result pd_scene_check_parameter_fits_container(const pd_scene *scene, const char *key, float value,
                                                  pd_error *error) {
    const pd_container *c = &scene->container;
    char number[PD_FLOAT_TEXT], limit[PD_FLOAT_TEXT];
    int method, index;
    if (c->shape == PD_CONTAINER_NONE || pd_parameter_find(key, &method, &index, NULL) != PD_OK) return PD_OK;
    float most = c->shape == PD_CONTAINER_CIRCLE ? c->radius : fminf(c->width, c->height) / 2;
    const pd_parameter *parameter = pd_method_parameter_at(pd_method_at(method), index);
    if (!parameter->in_container || value <= most) return PD_OK;
    if (most < parameter->minimum) /* no value fits */
        return pd_fail(error, PD_ERROR_PARAMETER_VALUE,
                       "%s is %s, larger than the container (make the container larger, or leave the parameter out)",
                       key, pd_text_write_float(value, number));
    return pd_fail(error, PD_ERROR_PARAMETER_VALUE, "%s is %s, larger than the container (use at most %s, %s)", key,
                   pd_text_write_float(value, number), pd_text_write_float(most, limit),
                   c->shape == PD_CONTAINER_CIRCLE ? "its radius" : "half of its smaller side");
}

pd_result pd_scene_set_parameter(pd_scene *scene, const char *key, float value, pd_error *error) {
    int method, index;
    pd_result result = pd_parameter_find(key, &method, &index, error);
    if (result == PD_OK) result = pd_parameter_check(pd_method_parameter_at(pd_method_at(method), index), value, error);
    if (result != PD_OK) return result;
    for (int i = 0; i < scene->setting_count; i++)
        if (strcmp(scene->settings[i].key, key) == 0) {
            scene->settings[i].value = value;
            return PD_OK;
        }
    insert_setting(scene, key, value, method * PD_MAX_PARAMETERS + index);
    return PD_OK;
}

pd_result pd_scene_unset_parameter(pd_scene *scene, const char *key, pd_error *error) {
    int method, index;
    pd_result result = pd_parameter_find(key, &method, &index, error);
    if (result != PD_OK) return result;
    int kept = 0;
    for (int i = 0; i < scene->setting_count; i++)
        if (strcmp(scene->settings[i].key, key) != 0) scene->settings[kept++] = scene->settings[i];
    scene->setting_count = kept;
    return PD_OK;
}

/* ---- Parameters ---- */

/* Finds the key that a misspelt one resembles: "sph.viscosity" for "sph.viscosty" and for "viscosty". best: "" if none does. */
static void find_similar_key(const char *key, char best[PD_MAX_KEY]) {
    int least = 3; /* greatest edit distance + 1 */
    const bool full = strchr(key, '.') != NULL;
    *best = '\0';
    for (int m = 0; m < pd_method_count(); m++) {
        const pd_method_info *method = pd_method_at(m);
        for (int i = 0; i < method->parameter_count; i++) {
            char candidate[PD_MAX_KEY];
            pd_method_parameter_key(method, i, candidate, sizeof candidate);
            int distance = pd_text_edit_distance(key, full ? candidate : pd_method_parameter_at(method, i)->key);
            if (distance >= least) continue;
            least = distance;
            memcpy(best, candidate, sizeof candidate);
        }
    }
}

static pd_result fail_unknown_key(const char *key, pd_error *error) {
    char best[PD_MAX_KEY];
    find_similar_key(key, best);
    if (*best)
        return pd_fail(error, PD_ERROR_PARAMETER_UNKNOWN,
                       "unknown parameter '%.60s' (did you mean '%s'? 'puddle list parameters' shows all)", key, best);
    return pd_fail(error, PD_ERROR_PARAMETER_UNKNOWN,
                   "unknown parameter '%.60s' (use METHOD.KEY of 'puddle list parameters'; gravity, materials and all "
                   "else are keys of the scene)",
                   key);
}

pd_result pd_parameter_find(const char *key, int *method_index, int *parameter_index, pd_error *error) {
    const char *dot = strchr(key, '.');
    for (int m = 0; dot && m < pd_method_count(); m++) {
        const pd_method_info *info = pd_method_at(m);
        if (strlen(info->name) != (size_t)(dot - key) || strncmp(info->name, key, (size_t)(dot - key)) != 0) continue;
        for (int i = 0; i < info->parameter_count; i++)
            if (strcmp(pd_method_parameter_at(info, i)->key, dot + 1) == 0) {
                *method_index = m;
                *parameter_index = i;
                return PD_OK;
            }
    }
    return fail_unknown_key(key, error);
}

/* Returns the index of a word among choices such as "one|two|three", or -1. */
static int find_choice(const char *choices, const char *word) {
    size_t length = strlen(word);
    for (int index = 0; choices; index++) {
        size_t width = strcspn(choices, "|");
        if (width == length && strncmp(choices, word, width) == 0) return index;
        choices = choices[width] ? choices + width + 1 : NULL;
    }
    return -1;
}

pd_result pd_parameter_parse(const pd_parameter *parameter, const char *text, float *value, pd_error *error) {
    if (parameter->type == PD_PARAMETER_BOOLEAN) {
        if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
            return pd_fail(error, PD_ERROR_PARAMETER_VALUE, "%s is '%.40s' (use true or false)", parameter->key, text);
        *value = text[0] == 't';
        return PD_OK;
    }
    if (parameter->type == PD_PARAMETER_CHOICE) {
        int index = find_choice(parameter->choices, text);
        if (index < 0)
            return pd_fail(error, PD_ERROR_PARAMETER_VALUE, "%s is '%.40s' (use one of %s)", parameter->key, text,
                           parameter->choices);
        *value = (float)index;
        return PD_OK;
    }
    double number;
    char range[PD_RANGE_TEXT];
    if (!pd_text_read_number(text, &number))
        return pd_fail(error, PD_ERROR_PARAMETER_VALUE, "%s is '%.40s' (use a number from %s)", parameter->key, text,
                       pd_text_write_range((double)parameter->minimum, (double)parameter->maximum, range));
    *value = (float)number;
    return pd_parameter_check(parameter, *value, error);
}

pd_result pd_parameter_check(const pd_parameter *parameter, float value, pd_error *error) {
    float low = parameter->minimum, high = parameter->maximum;
    char range[PD_RANGE_TEXT], number[PD_FLOAT_TEXT];
    pd_text_write_range((double)low, (double)high, range);
    if (!(value >= low && value <= high))
        return pd_fail(error, PD_ERROR_PARAMETER_VALUE, "%s is %s (use %s%s%s)", parameter->key,
                       pd_text_write_float(value, number), range, *parameter->unit ? " " : "", parameter->unit);
    if (parameter->type != PD_PARAMETER_NUMBER && value != floorf(value))
        return pd_fail(error, PD_ERROR_PARAMETER_VALUE, "%s is %s (use a whole number from %s)", parameter->key,
                       pd_text_write_float(value, number), range);
    return PD_OK;
}

char *pd_parameter_format(const pd_parameter *parameter, float value, char *text, size_t size) {
    if (parameter->type == PD_PARAMETER_BOOLEAN) {
        snprintf(text, size, "%s", value != 0 ? "true" : "false");
    } else if (parameter->type == PD_PARAMETER_CHOICE) {
        const char *word = parameter->choices;
        for (int i = (int)value; i > 0 && strchr(word, '|'); i--) word = strchr(word, '|') + 1;
        snprintf(text, size, "%.*s", (int)strcspn(word, "|"), word);
    } else {
        char number[PD_FLOAT_TEXT];
        snprintf(text, size, "%s", pd_text_write_float(value, number));
    }
    return text;
}
