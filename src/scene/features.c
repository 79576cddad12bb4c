/* Finds keys of a scene that have no effect under its method. */
#include "scene/features.h"
#include "core/text.h"
#include "scene/content/cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has_wall_settings(const pd_container *container) {
    for (int i = 0; i < PD_WALLS; i++) {
        const pd_wall *wall = &container->walls[i];
        if (wall->outflow || !isnan(wall->inflow) || !isnan(wall->velocity)) return true;
    }
    return false;
}

static bool set_use(pd_feature_use *use, unsigned feature, const char *list, int index, const char *key) {
    *use = (pd_feature_use){(pd_scene_feature)feature, list, index, key};
    return true;
}

/* Returns whether a material of the scene sets a property to a value other than 0, which has no effect. Properties of
 * springs also need a material with an elasticity. */
static bool does_any_material_set_property(const pd_scene *scene, int property) {
    if (pd_property_at(property)->of_springs && !does_any_material_set_property(scene, PD_ELASTICITY)) return false;
    for (int m = 0; m < scene->material_count; m++) {
        float value = scene->materials[m].property[property];
        if (!isnan(value) && value != 0) return true;
    }
    return false;
}

/* Finds the first key of the scene that needs one of the features, which are bits of pd_scene_feature. */
static bool find_feature_use(const pd_scene *scene, unsigned features, pd_feature_use *use) {
    const pd_container *container = &scene->container;
    if ((features & PD_FEATURE_WALLS) && container->shape == PD_CONTAINER_BOX && has_wall_settings(container))
        return set_use(use, PD_FEATURE_WALLS, "container", 0, "walls");
    if ((features & PD_FEATURE_NO_SLIP) && !container->slip)
        return set_use(use, PD_FEATURE_NO_SLIP, "container", 0, "slip");
    for (int i = 0; i < scene->region_count; i++) {
        const pd_region *region = &scene->regions[i];
        if ((features & PD_FEATURE_DENSITY) && !isnan(region->density) && region->density != 0)
            return set_use(use, PD_FEATURE_DENSITY, "regions", i, "density");
        if ((features & PD_FEATURE_AMOUNT) && region->amount != 1)
            return set_use(use, PD_FEATURE_AMOUNT, "regions", i, "amount");
    }
    for (int i = 0; i < scene->attraction_count; i++)
        if ((features & PD_FEATURE_ATTRACTIONS) && scene->attractions[i].factor != 1)
            return set_use(use, PD_FEATURE_ATTRACTIONS, NULL, 0, "attractions");
    if ((features & PD_FEATURE_CELLS) && scene->cells.columns > 0)
        return set_use(use, PD_FEATURE_CELLS, "cells", 0, "cells");
    if ((features & PD_FEATURE_BODIES) && scene->body_count > 0)
        return set_use(use, PD_FEATURE_BODIES, NULL, 0, "bodies");
    for (int i = 0; i < PD_PROPERTIES; i++) {
        unsigned feature = pd_property_at(i)->feature;
        if ((features & feature) && does_any_material_set_property(scene, i))
            return set_use(use, feature, NULL, 0, pd_property_at(i)->key);
    }
    return false;
}

bool pd_scene_find_unused_key(const pd_scene *scene, pd_feature_use *use) {
    const unsigned refused =
        PD_FEATURE_WALLS | PD_FEATURE_NO_SLIP | PD_FEATURE_AMOUNT | PD_FEATURE_DENSITY | PD_FEATURE_CELLS;
    const pd_method_info *method = pd_method_find(scene->method);
    return method && find_feature_use(scene, refused & ~method->features, use);
}

void pd_scene_reset_unused_key(pd_scene *scene, const pd_feature_use *use) {
    if (use->feature == PD_FEATURE_NO_SLIP) scene->container.slip = true;
    if (use->feature == PD_FEATURE_CELLS) pd_cells_free(&scene->cells);
    if (use->feature == PD_FEATURE_DENSITY) scene->regions[use->index].density = NAN;
    if (use->feature == PD_FEATURE_AMOUNT) scene->regions[use->index].amount = 1;
    for (int i = 0; i < PD_WALLS && use->feature == PD_FEATURE_WALLS; i++)
        scene->container.walls[i] = (pd_wall){.inflow = NAN, .velocity = NAN};
}

void pd_scene_reset_unused_keys(pd_scene *scene) {
    pd_feature_use use;
    while (pd_scene_find_unused_key(scene, &use)) pd_scene_reset_unused_key(scene, &use);
}

/* Appends a prefix and the names of the methods that support a feature: "use " gives "use grid or flip". */
static void append_method_names(const char *prefix, pd_scene_feature feature, char *text, size_t size) {
    for (int i = 0; i < pd_method_count(); i++) {
        if (!(pd_method_at(i)->features & feature)) continue;
        pd_text_append(text, size, "%s%s", prefix, pd_method_at(i)->name);
        prefix = " or ";
    }
}

/* The fluid moves around bodies under all methods, so that "has no effect" would be wrong. */
static void write_warning_of_bodies(const pd_scene *scene, char *text, size_t size) {
    int count = 0, named = 0;
    for (int i = 0; i < pd_method_count(); i++) count += (pd_method_at(i)->features & PD_FEATURE_BODIES) != 0;
    snprintf(text, size, "the fluid pushes bodies under ");
    for (int i = 0; i < pd_method_count(); i++) {
        if (!(pd_method_at(i)->features & PD_FEATURE_BODIES)) continue;
        const char *before = named == 0 ? "" : named + 1 < count ? ", " : " and ";
        pd_text_append(text, size, "%s%s", before, pd_method_at(i)->name);
        named++;
    }
    pd_text_append(text, size, ", but not under %s", scene->method);
}

char *pd_feature_use_write_message(const pd_scene *scene, const pd_feature_use *use, char *text, size_t size) {
    snprintf(text, size, "'%s' has no effect under %s (leave it out", use->key, scene->method);
    append_method_names(", or use ", use->feature, text, size);
    pd_text_append(text, size, ")");
    return text;
}

/* Writes the names of the properties that need a feature and that a material sets: "'elasticity', 'yield' of
 * materials". Returns their number. */
static int write_names_of_set_properties(const pd_scene *scene, pd_scene_feature feature, char *text, size_t size) {
    int count = 0;
    *text = '\0';
    for (int i = 0; i < PD_PROPERTIES; i++) {
        if (pd_property_at(i)->feature != (unsigned)feature || !does_any_material_set_property(scene, i)) continue;
        pd_text_append(text, size, "%s'%s'", count > 0 ? ", " : "", pd_property_at(i)->key);
        count++;
    }
    pd_text_append(text, size, " of materials");
    return count;
}

bool pd_scene_write_unused_key_warning(const pd_scene *scene, int index, char *text, size_t size) {
    const pd_method_info *method = pd_method_find(scene->method);
    pd_feature_use use;
    char keys[128];
    const char *have = "has";
    unsigned feature = PD_FEATURE_WALLS;
    for (; feature < PD_FEATURES_END; feature *= 2)
        if (find_feature_use(scene, feature & ~method->features, &use) && index-- == 0) break;
    if (feature == PD_FEATURES_END) return false;
    if (use.feature == PD_FEATURE_BODIES) {
        write_warning_of_bodies(scene, text, size);
        return true;
    }
    snprintf(keys, sizeof keys, "'%s'", use.key);
    if (use.feature >= PD_FEATURE_VISCOSITY) /* features of properties of materials */
        have = write_names_of_set_properties(scene, use.feature, keys, sizeof keys) > 1 ? "have" : "has";
    snprintf(text, size, "%s %s no effect under %s (", keys, have, scene->method);
    append_method_names("use ", use.feature, text, size);
    pd_text_append(text, size, ")");
    return true;
}
