#include "scene/features.h"

#include "core/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has_walls(const pd_container *container) {
    for (int i = 0; i < PD_WALLS; i++) {
        const pd_wall *wall = &container->walls[i];
        if (wall->outflow || !isnan(wall->inflow) || !isnan(wall->velocity)) return true;
    }
    return false;
}

bool pd_scene_find_unused(const pd_scene *scene, pd_feature_use *use) {
    const pd_method_info *method = pd_method_find(scene->method);
    if (!method) return false;
    unsigned missing = ~method->features;
    if ((missing & PD_FEATURE_WALLS) && scene->container.shape == PD_CONTAINER_BOX && has_walls(&scene->container)) {
        *use = (pd_feature_use){PD_FEATURE_WALLS, "container", 0, "walls"};
        return true;
    }
    if ((missing & PD_FEATURE_NO_SLIP) && !scene->container.slip) {
        *use = (pd_feature_use){PD_FEATURE_NO_SLIP, "container", 0, "slip"};
        return true;
    }
    for (int i = 0; i < scene->region_count; i++) {
        const pd_region *region = &scene->regions[i];
        if ((missing & PD_FEATURE_DENSITY) && region->density != 0) {
            *use = (pd_feature_use){PD_FEATURE_DENSITY, "regions", i, "density"};
            return true;
        }
        if ((missing & PD_FEATURE_AMOUNT) && region->amount != 1) {
            *use = (pd_feature_use){PD_FEATURE_AMOUNT, "regions", i, "amount"};
            return true;
        }
    }
    return false;
}

void pd_scene_drop_unused(pd_scene *scene) {
    pd_feature_use use;
    while (pd_scene_find_unused(scene, &use)) {
        if (use.feature == PD_FEATURE_NO_SLIP) scene->container.slip = true;
        if (use.feature == PD_FEATURE_DENSITY) scene->regions[use.index].density = 0;
        if (use.feature == PD_FEATURE_AMOUNT) scene->regions[use.index].amount = 1;
        for (int i = 0; i < PD_WALLS && use.feature == PD_FEATURE_WALLS; i++)
            scene->container.walls[i] = (pd_wall){.inflow = NAN, .velocity = NAN};
    }
}

char *pd_feature_use_text(const pd_scene *scene, const pd_feature_use *use, char *text, size_t size) {
    snprintf(text, size, "'%s' has no effect under %s (leave it out", use->key, scene->method);
    const char *separator = ", or use ";
    for (int i = 0; i < pd_method_count(); i++) {
        size_t used = strlen(text);
        if (!(pd_method_at(i)->features & use->feature)) continue;
        snprintf(text + used, size - used, "%s%s", separator, pd_method_at(i)->name);
        separator = " or ";
    }
    size_t used = strlen(text);
    snprintf(text + used, size - used, ")");
    return text;
}

pd_result pd_scene_check_features(const pd_scene *scene, pd_error *error) {
    pd_feature_use use;
    char text[256];
    if (!pd_scene_find_unused(scene, &use)) return PD_OK;
    pd_feature_use_text(scene, &use, text, sizeof text);
    if (strcmp(use.list, "regions") == 0) return pd_fail(error, PD_ERROR_SCENE_KEY, "regions[%d]: %s", use.index, text);
    return pd_fail(error, PD_ERROR_SCENE_KEY, "%s: %s", use.list, text);
}
