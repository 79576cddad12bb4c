/* Creates, copies and frees scenes, and sets their parameters. */
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/content/cells.h"
#include "scene/items.h"

#include <math.h>
#include <puddle/method.h>
#include <puddle/scene.h>
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

/* Returns the position of a parameter in the sequence of all methods' tables. -1: no parameter has the key. */
static int find_parameter_rank(const char *key) {
    int method, index;
    if (pd_parameter_find(key, &method, &index, NULL) != PD_OK) return -1;
    return method * PD_MAX_PARAMETERS + index;
}

/* Inserts a setting before the first setting of a higher rank. rank: result of find_parameter_rank for the key. */
static pd_result insert_setting(pd_scene *scene, const char *key, float value, int rank, pd_error *error) {
    int at = 0;
    while (at < scene->setting_count && find_parameter_rank(scene->settings[at].key) < rank) at++;
    pd_setting *settings = pd_memory_resize(scene->settings, ((size_t)scene->setting_count + 1) * sizeof *settings);
    if (!settings)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "setting %s failed: out of memory (close other programs)", key);
    memmove(settings + at + 1, settings + at, (size_t)(scene->setting_count - at) * sizeof *settings);
    settings[at] = (pd_setting){.value = value};
    strncpy(settings[at].key, key, PD_MAX_KEY - 1);
    scene->settings = settings;
    scene->setting_count++;
    return PD_OK;
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
    return insert_setting(scene, key, value, method * PD_MAX_PARAMETERS + index, error);
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
