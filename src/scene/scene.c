#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/cells.h"
#include "scene/geometry.h"

#include <math.h>
#include <puddle/method.h>
#include <puddle/scene.h>
#include <string.h>

static const pd_property_info properties[PD_PROPERTIES] = {
    [PD_VISCOSITY] = {"viscosity", "ddr.linear_viscosity", PD_FEATURE_VISCOSITY},
    [PD_ELASTICITY] = {"elasticity", "ddr.spring_stiffness", PD_FEATURE_SPRINGS},
    [PD_PLASTICITY] = {"plasticity", "ddr.plasticity", PD_FEATURE_SPRINGS},
    [PD_YIELD] = {"yield", "ddr.yield", PD_FEATURE_SPRINGS},
    [PD_STICKINESS] = {"stickiness", "ddr.stickiness", PD_FEATURE_STICKINESS},
    [PD_CONTACT_ANGLE] = {"contact_angle", "ddr.contact_angle", PD_FEATURE_PROPERTIES},
    [PD_TENSION] = {"surface_tension", "ddr.surface_tension", PD_FEATURE_TENSION},
};

const pd_property_info *pd_property_at(int property) { return &properties[property]; }

pd_material pd_material_default(void) {
    pd_material material = {.red = 0x3a, .green = 0x8f, .blue = 0xff, .mass = 1};
    for (int i = 0; i < PD_PROPERTIES; i++) material.property[i] = NAN;
    return material;
}

void pd_scene_init(pd_scene *scene) {
    *scene = (pd_scene){
        .method = "ddr",
        .gravity = {0, -1.6f},
        .dt = 1.0f / 60,
        .seed = 1,
        .container = {.shape = PD_CONTAINER_CIRCLE, .radius = 1, .slip = true},
        .material_count = 1,
    };
    scene->materials[0] = pd_material_default();
    strcpy(scene->materials[0].name, "water");
    for (int i = 0; i < PD_WALLS; i++) scene->container.walls[i] = (pd_wall){.inflow = NAN, .velocity = NAN};
}

void pd_scene_remove_regions(pd_scene *scene) {
    for (int i = 0; i < scene->region_count; i++) {
        if (scene->regions[i].area.shape == PD_SHAPE_IMAGE) pd_memory_free(scene->regions[i].area.pixels);
        pd_memory_free(scene->regions[i].particles);
    }
    pd_memory_free(scene->regions);
    scene->regions = NULL;
    scene->region_count = 0;
}

void pd_scene_free(pd_scene *scene) {
    for (int i = 0; i < scene->obstacle_count; i++) pd_memory_free(scene->obstacles[i].area.points);
    pd_scene_remove_regions(scene);
    pd_memory_free(scene->vortons);
    pd_memory_free(scene->cells.values);
    pd_memory_free(scene->obstacles);
    pd_memory_free(scene->emitters);
    pd_memory_free(scene->drains);
    pd_memory_free(scene->attractions);
    pd_memory_free(scene->changes);
    pd_memory_free(scene->settings);
    memset(scene, 0, sizeof *scene);
}

/* Copies an array into *to; false when there is no memory. An empty array becomes NULL. */
static bool duplicate(void *to, const void *from, int count, size_t size) {
    void *copy = NULL;
    if (count > 0) {
        copy = pd_memory_new((size_t)count * size);
        if (!copy) return false;
        memcpy(copy, from, (size_t)count * size);
    }
    memcpy(to, &copy, sizeof copy);
    return true;
}

static bool duplicate_obstacles(pd_scene *to, const pd_scene *from) {
    if (!duplicate(&to->obstacles, from->obstacles, from->obstacle_count, sizeof *from->obstacles)) return false;
    for (int i = 0; i < from->obstacle_count; i++) {
        const pd_obstacle *obstacle = &from->obstacles[i];
        to->obstacles[i].area.points = NULL;
        to->obstacle_count = i + 1;
        if (!duplicate(&to->obstacles[i].area.points, obstacle->area.points, obstacle->area.point_count,
                       sizeof(pd_vec2)))
            return false;
    }
    return true;
}

static bool duplicate_regions(pd_scene *to, const pd_scene *from) {
    if (!duplicate(&to->regions, from->regions, from->region_count, sizeof *from->regions)) return false;
    for (int i = 0; i < from->region_count; i++) {
        const pd_region *region = &from->regions[i];
        const pd_area *area = &region->area;
        int pixels = area->shape == PD_SHAPE_IMAGE ? area->columns * area->rows : 0;
        int count = area->shape == PD_SHAPE_PARTICLES ? region->count : 0;
        to->regions[i].area.pixels = NULL;
        to->regions[i].particles = NULL;
        to->region_count = i + 1;
        if (!duplicate(&to->regions[i].area.pixels, area->pixels, pixels, 1) ||
            !duplicate(&to->regions[i].particles, region->particles, count, sizeof *region->particles))
            return false;
    }
    return true;
}

pd_result pd_scene_copy(pd_scene *to, const pd_scene *from, pd_error *error) {
    *to = *from;
    to->regions = NULL;
    to->vortons = NULL;
    to->cells.values = NULL;
    to->obstacles = NULL;
    to->emitters = NULL;
    to->drains = NULL;
    to->attractions = NULL;
    to->changes = NULL;
    to->settings = NULL;
    to->obstacle_count = to->region_count = 0;
    if (duplicate_regions(to, from) &&
        duplicate(&to->vortons, from->vortons, from->vorton_count, sizeof *from->vortons) &&
        duplicate(&to->cells.values, from->cells.values, (int)pd_cells_values(&from->cells), sizeof(float)) &&
        duplicate_obstacles(to, from) &&
        duplicate(&to->emitters, from->emitters, from->emitter_count, sizeof *from->emitters) &&
        duplicate(&to->drains, from->drains, from->drain_count, sizeof *from->drains) &&
        duplicate(&to->attractions, from->attractions, from->attraction_count, sizeof *from->attractions) &&
        duplicate(&to->changes, from->changes, from->change_count, sizeof *from->changes) &&
        duplicate(&to->settings, from->settings, from->setting_count, sizeof *from->settings))
        return PD_OK;
    pd_scene_free(to);
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "copying the scene failed: out of memory (close other programs)");
}

/* The position of a parameter in the tables of all methods; -1: unknown. */
static int setting_rank(const char *key) {
    int method, index;
    if (pd_parameter_find(key, &method, &index, NULL) != PD_OK) return -1;
    return method * PD_MAX_PARAMETERS + index;
}

/* Settings are kept in the order of the parameter tables: a scene does not depend on the order in which they were
 * set. */
static pd_result insert_setting(pd_scene *scene, const char *key, float value, int rank, pd_error *error) {
    int at = 0;
    while (at < scene->setting_count && setting_rank(scene->settings[at].key) < rank) at++;
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

pd_result pd_scene_check_length(const pd_scene *scene, const char *key, float value, pd_error *error) {
    const pd_container *c = &scene->container;
    char number[PD_FLOAT_TEXT], limit[PD_FLOAT_TEXT];
    int method, index;
    if (c->shape == PD_CONTAINER_NONE || pd_parameter_find(key, &method, &index, NULL) != PD_OK) return PD_OK;
    float most = c->shape == PD_CONTAINER_CIRCLE ? c->radius : fminf(c->width, c->height) / 2;
    if (!pd_method_parameter_at(pd_method_at(method), index)->in_container || value <= most) return PD_OK;
    return pd_fail(error, PD_ERROR_PARAMETER_VALUE, "%s is %s, larger than the container (use at most %s, %s)", key,
                   pd_text_float(value, number), pd_text_float(most, limit),
                   c->shape == PD_CONTAINER_CIRCLE ? "its radius" : "half of its smaller side");
}

pd_result pd_scene_set(pd_scene *scene, const char *key, float value, pd_error *error) {
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

pd_result pd_scene_unset(pd_scene *scene, const char *key, pd_error *error) {
    int method, index;
    pd_result result = pd_parameter_find(key, &method, &index, error);
    if (result != PD_OK) return result;
    int kept = 0;
    for (int i = 0; i < scene->setting_count; i++)
        if (strcmp(scene->settings[i].key, key) != 0) scene->settings[kept++] = scene->settings[i];
    scene->setting_count = kept;
    return PD_OK;
}
