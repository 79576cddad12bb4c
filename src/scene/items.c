/* Adding items to the lists of a scene, and removing them. */
#include "core/error.h"
#include "core/memory.h"
#include "scene/cells.h"
#include "scene/geometry.h"
#include "scene/placed.h"
#include "scene/schema.h"

#include <math.h>
#include <puddle/scene.h>
#include <string.h>

static pd_result no_memory(pd_error *error) {
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "changing the scene failed: out of memory (close other programs)");
}

static pd_result missing(const char *what, int index, int count, pd_error *error) {
    return pd_fail(error, PD_ERROR_SCENE_REFERENCE, "no %s %d (the scene has %d)", what, index, count);
}

/* Grows a list by an element, which is not set; false: no memory. items: the address of the list's pointer. */
static bool grow(void *items, int count, size_t size) {
    void *list;
    memcpy(&list, items, sizeof list);
    void *larger = pd_memory_resize(list, ((size_t)count + 1) * size);
    if (!larger) return false;
    memcpy(items, &larger, sizeof larger);
    return true;
}

static void remove_at(void *items, int index, int *count, size_t size) {
    char *at = (char *)items + (size_t)index * size;
    memmove(at, at + size, (size_t)(*count - index - 1) * size);
    --*count;
}

static pd_result check(const pd_scene *scene, const void *item, const char *what, int count, int most,
                       pd_check_item *check_item, pd_error *error) {
    char place[32];
    if (count >= most)
        return pd_fail(error, PD_ERROR_SCENE_TOO_LARGE, "the scene has %d %ss already (remove some first)", count,
                       what);
    snprintf(place, sizeof place, "%s.", what);
    return check_item(scene, item, place, error);
}

static bool copy_obstacle(pd_obstacle *to, const pd_obstacle *from) {
    *to = *from;
    to->area.points = NULL;
    to->area.point_count = 0;
    if (!pd_area_has_points(&from->area)) return true;
    size_t bytes = (size_t)from->area.point_count * sizeof *from->area.points;
    to->area.points = pd_memory_new(bytes);
    if (!to->area.points) return false;
    memcpy(to->area.points, from->area.points, bytes);
    to->area.point_count = from->area.point_count;
    return true;
}

pd_result pd_scene_set_obstacle(pd_scene *scene, int index, const pd_obstacle *obstacle, pd_error *error) {
    pd_obstacle copy;
    if (index < 0 || index >= scene->obstacle_count) return missing("obstacle", index, scene->obstacle_count, error);
    pd_result result = pd_check_obstacle(scene, obstacle, "obstacle.", error);
    if (result == PD_OK && !copy_obstacle(&copy, obstacle)) result = no_memory(error);
    if (result != PD_OK) return result;
    pd_obstacle before = scene->obstacles[index];
    scene->obstacles[index] = copy;
    result = pd_check_room(scene, error);
    if (result != PD_OK) scene->obstacles[index] = before;
    pd_memory_free(result == PD_OK ? before.area.points : copy.area.points);
    return result;
}

pd_result pd_scene_add_obstacle(pd_scene *scene, const pd_obstacle *obstacle, pd_error *error) {
    pd_obstacle copy;
    pd_result result =
        check(scene, obstacle, "obstacle", scene->obstacle_count, PD_MAX_ITEMS, pd_check_obstacle, error);
    if (result == PD_OK && !grow(&scene->obstacles, scene->obstacle_count, sizeof copy)) result = no_memory(error);
    if (result == PD_OK && !copy_obstacle(&copy, obstacle)) result = no_memory(error);
    if (result != PD_OK) return result;
    scene->obstacles[scene->obstacle_count++] = copy;
    result = pd_check_room(scene, error);
    if (result != PD_OK) pd_memory_free(scene->obstacles[--scene->obstacle_count].area.points);
    return result;
}

pd_result pd_scene_add_emitter(pd_scene *scene, const pd_emitter *emitter, pd_error *error) {
    pd_result result = check(scene, emitter, "emitter", scene->emitter_count, PD_MAX_ITEMS, pd_check_emitter, error);
    if (result != PD_OK) return result;
    if (!grow(&scene->emitters, scene->emitter_count, sizeof *emitter)) return no_memory(error);
    scene->emitters[scene->emitter_count++] = *emitter;
    return PD_OK;
}

pd_result pd_scene_add_drain(pd_scene *scene, const pd_drain *drain, pd_error *error) {
    pd_result result = check(scene, drain, "drain", scene->drain_count, PD_MAX_ITEMS, pd_check_drain, error);
    if (result != PD_OK) return result;
    if (!grow(&scene->drains, scene->drain_count, sizeof *drain)) return no_memory(error);
    scene->drains[scene->drain_count++] = *drain;
    return PD_OK;
}

pd_result pd_scene_add_material(pd_scene *scene, const pd_material *material, pd_error *error) {
    pd_result result =
        check(scene, material, "material", scene->material_count, PD_MAX_MATERIALS, pd_check_material, error);
    if (result != PD_OK) return result;
    for (int i = 0; i < scene->material_count; i++)
        if (strcmp(scene->materials[i].name, material->name) == 0)
            return pd_fail(error, PD_ERROR_SCENE_VALUE, "the scene has a material '%s' already (choose another name)",
                           material->name);
    scene->materials[scene->material_count++] = *material;
    return PD_OK;
}

pd_result pd_scene_add_particles(pd_scene *scene, const pd_scene_particle *particles, int count, float spacing,
                                 pd_error *error) {
    pd_region region = {
        .area.shape = PD_SHAPE_PARTICLES, .count = count, .spacing = spacing, .density = NAN, .amount = 1};
    size_t bytes = (size_t)(count > 0 ? count : 0) * sizeof *particles;
    region.particles = (pd_scene_particle *)(uintptr_t)particles; /* only read until it is copied */
    pd_result result = check(scene, &region, "region", scene->region_count, PD_MAX_ITEMS, pd_check_region, error);
    if (result != PD_OK) return result;
    region.particles = pd_memory_new(bytes + 1);
    if (!region.particles || !grow(&scene->regions, scene->region_count, sizeof region)) {
        pd_memory_free(region.particles);
        return no_memory(error);
    }
    memcpy(region.particles, particles, bytes);
    pd_placed_measure(&region);
    scene->regions[scene->region_count++] = region;
    return PD_OK;
}

pd_result pd_scene_remove_obstacle(pd_scene *scene, int index, pd_error *error) {
    if (index < 0 || index >= scene->obstacle_count) return missing("obstacle", index, scene->obstacle_count, error);
    pd_memory_free(scene->obstacles[index].area.points);
    remove_at(scene->obstacles, index, &scene->obstacle_count, sizeof *scene->obstacles);
    return PD_OK;
}

pd_result pd_scene_remove_emitter(pd_scene *scene, int index, pd_error *error) {
    if (index < 0 || index >= scene->emitter_count) return missing("emitter", index, scene->emitter_count, error);
    remove_at(scene->emitters, index, &scene->emitter_count, sizeof *scene->emitters);
    return PD_OK;
}

pd_result pd_scene_remove_drain(pd_scene *scene, int index, pd_error *error) {
    if (index < 0 || index >= scene->drain_count) return missing("drain", index, scene->drain_count, error);
    remove_at(scene->drains, index, &scene->drain_count, sizeof *scene->drains);
    return PD_OK;
}

static bool region_uses(const pd_region *region, int material) {
    if (region->area.shape != PD_SHAPE_PARTICLES) return region->material == material;
    for (int i = 0; i < region->count; i++)
        if (region->particles[i].material == material) return true;
    return false;
}

/* What refers to a material; NULL: nothing. */
static const char *user_of(const pd_scene *scene, int material) {
    for (int i = 0; i < scene->region_count; i++)
        if (region_uses(&scene->regions[i], material) || pd_image_uses(&scene->regions[i].area, material))
            return "a region";
    for (int i = 0; i < scene->emitter_count; i++)
        if (scene->emitters[i].material == material) return "an emitter";
    for (int i = 0; i < scene->attraction_count; i++)
        for (int k = 0; k < 2; k++)
            if (scene->attractions[i].between[k] == material) return "an attraction";
    for (int i = 0; i < scene->change_count; i++)
        if (scene->changes[i].from == material || scene->changes[i].to == material) return "a change";
    for (int d = 0; d < scene->cells.dyes; d++)
        if (scene->cells.material[d] == material) return "a dye of the cells";
    return NULL;
}

static void move_up(int *material, int removed) { *material -= *material > removed; }

static void move_pixels_up(pd_area *area, int removed) {
    if (area->shape != PD_SHAPE_IMAGE) return;
    for (int i = 0; i < area->columns * area->rows; i++)
        if (area->pixels[i] != PD_NO_FLUID) area->pixels[i] -= area->pixels[i] > removed;
}

/* Of a list of particles the region's own material is that of none of them, and may be the one that goes. */
static void move_up_in_region(pd_region *region, int removed) {
    move_up(&region->material, removed);
    move_pixels_up(&region->area, removed);
    if (region->area.shape != PD_SHAPE_PARTICLES) return;
    if (region->material == removed) region->material = 0;
    for (int i = 0; i < region->count; i++) move_up(&region->particles[i].material, removed);
}

pd_result pd_scene_remove_material(pd_scene *scene, int index, pd_error *error) {
    if (index < 0 || index >= scene->material_count) return missing("material", index, scene->material_count, error);
    const char *user = user_of(scene, index), *name = scene->materials[index].name;
    if (user)
        return pd_fail(error, PD_ERROR_SCENE_REFERENCE, "%s of the scene uses the material '%s' (keep the material)",
                       user, name);
    if (scene->material_count == 1)
        return pd_fail(error, PD_ERROR_SCENE_REFERENCE,
                       "'%s' is the scene's only material (add another material first)", name);
    remove_at(scene->materials, index, &scene->material_count, sizeof *scene->materials);
    for (int i = 0; i < scene->region_count; i++) move_up_in_region(&scene->regions[i], index);
    for (int i = 0; i < scene->emitter_count; i++) move_up(&scene->emitters[i].material, index);
    for (int i = 0; i < scene->attraction_count; i++)
        for (int k = 0; k < 2; k++) move_up(&scene->attractions[i].between[k], index);
    for (int i = 0; i < scene->change_count; i++) {
        move_up(&scene->changes[i].from, index);
        move_up(&scene->changes[i].to, index);
    }
    for (int d = 0; d < scene->cells.dyes; d++) move_up(&scene->cells.material[d], index);
    return PD_OK;
}
