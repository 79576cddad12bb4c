/* Creates, compares and applies edits. */
#include "scene/edit.h"

#include "core/error.h"
#include "core/memory.h"
#include "scene/items.h"

#include <math.h>
#include <puddle/method.h>
#include <stdio.h>
#include <string.h>

/* ---- Creation of edits ---- */

pd_edit *pd_edit_create(void) { return pd_memory_require(1, sizeof(pd_edit)); }

void pd_edit_destroy(pd_edit *edit) {
    if (!edit) return;
    for (int i = 0; i < edit->count; i++) {
        pd_operation *operation = &edit->operations[i];
        if (operation->item) pd_item_free(operation->list, operation->item);
        pd_memory_free(operation->item);
    }
    pd_memory_free(edit->operations);
    pd_memory_free(edit->materials);
    pd_memory_free(edit);
}

/* Appends an operation with a copy of its item. Material indices in the item are copied unchanged. Returns NULL if
 * there is no memory for the item's arrays. */
static pd_operation *append_operation(pd_edit *edit, const pd_operation *operation) {
    edit->operations =
        pd_memory_require_resized(edit->operations, ((size_t)edit->count + 1) * sizeof *edit->operations);
    pd_operation *added = &edit->operations[edit->count++];
    *added = *operation;
    if (!operation->item) return added;
    added->item = pd_memory_require(1, pd_scene_lists[operation->list].schema->size);
    return pd_item_copy(operation->list, added->item, operation->item) ? added : NULL;
}

/* Returns the index in edit->materials of the material with this name. Adds the material if the name is new. */
static int find_or_add_material(pd_edit *edit, const pd_material *material) {
    int count = edit->material_count, found = pd_find_material(edit->materials, count, material->name);
    if (found >= 0) return found;
    edit->materials = pd_memory_require_resized(edit->materials, ((size_t)count + 1) * sizeof *edit->materials);
    edit->materials[edit->material_count++] = *material;
    return count;
}

pd_edit *pd_edit_copy(const pd_edit *edit) {
    pd_edit *copy = pd_edit_create();
    for (int i = 0; i < edit->material_count; i++) find_or_add_material(copy, &edit->materials[i]);
    for (int i = 0; i < edit->count; i++)
        if (!append_operation(copy, &edit->operations[i])) {
            pd_edit_destroy(copy);
            return NULL;
        }
    return copy;
}

/* Collection of the materials that an item of an edit uses. */
typedef struct name_collection {
    pd_edit *edit;
    const pd_scene *scene;
    bool missing; /* whether the item uses a material that the scene lacks */
} name_collection;

/* Returns the index in edit->materials of a material of the scene. Adds the material to the edit if necessary. */
static int convert_scene_to_edit_material(void *context, int material, pd_material_use use) {
    name_collection *n = context;
    if (use != MATERIAL_USED || material == PD_FIRST_MATERIAL) return use == MATERIAL_UNUSED ? 0 : material;
    if (material < 0 || material >= n->scene->material_count) {
        n->missing = true;
        return material;
    }
    return find_or_add_material(n->edit, &n->scene->materials[material]);
}

pd_result pd_edit_add_operation(pd_edit *edit, const pd_scene *scene, int list_id, int index, bool removes,
                                const void *item, pd_error *error) {
    name_collection n = {.edit = edit, .scene = scene};
    /* The cast drops const. append_operation does not change the item, but copies it. */
    const pd_operation operation = {list_id, index, removes, (void *)(uintptr_t)item};
    pd_operation *added = append_operation(edit, &operation);
    if (!added) return pd_fail_memory(error, "the edit");
    if (item) pd_item_reset_omitted_members(list_id, added->item);
    if (item) pd_item_visit_materials(list_id, added->item, convert_scene_to_edit_material, &n);
    if (n.missing)
        return pd_fail(error, PD_ERROR_SCENE_REFERENCE, "%s[%d] is of a material that the scene lacks (add it first)",
                       pd_scene_lists[list_id].key, index);
    if (edit->material_count <= PD_MAX_MATERIALS) return PD_OK;
    return pd_fail(error, PD_ERROR_SCENE_TOO_LARGE, "the edit names more than %d materials (use fewer)",
                   PD_MAX_MATERIALS);
}

bool pd_edit_changes_materials(const pd_edit *edit) {
    for (int i = 0; i < edit->count; i++)
        if (edit->operations[i].list == PD_LIST_MATERIALS) return true;
    return false;
}

/* Returns whether the items of a list are identified by name. */
static bool are_items_identified_by_name(int list_id) {
    return list_id == PD_LIST_MATERIALS || list_id == PD_LIST_SETTINGS;
}

bool pd_edit_changes_same_item(const pd_edit *first, const pd_edit *second) {
    if (first->count == 0 || second->count == 0) return false;
    const pd_operation *a = &first->operations[0], *b = &second->operations[0];
    if (a->list != b->list || a->removes || b->removes) return false;
    return are_items_identified_by_name(a->list) ? strcmp(a->item, b->item) == 0 : a->index == b->index;
}

/* ---- Difference of two scenes ---- */

/* Adds the operations that change a list of the scene `from` into the list of the scene `to`, item by item. If a later
 * old item equals the new item, the old items before it are removed. Otherwise the new item replaces the old item. */
static pd_result add_item_differences(pd_edit *edit, int list_id, const pd_scene *from, const pd_scene *to,
                                      pd_error *error) {
    const pd_material_map map = pd_map_materials(from, to);
    int before = pd_scene_list_count(list_id, from), after = pd_scene_list_count(list_id, to), i = 0, k = 0;
    pd_result result = PD_OK;
    for (; i < before && k < after && result == PD_OK; i++, k++) {
        const void *item = pd_scene_list_item(list_id, to, k);
        int found = i, farthest = i + PD_MAX_ITEMS < before ? i + PD_MAX_ITEMS : before;
        while (found < farthest && !pd_item_is_equal(list_id, pd_scene_list_item(list_id, from, found), item, &map))
            found++;
        if (found == farthest)
            result = pd_edit_add_operation(edit, to, list_id, i, false, item, error);
        else
            for (; i < found && result == PD_OK; i++)
                result = pd_edit_add_operation(edit, to, list_id, i, true, NULL, error);
    }
    for (; i < before && result == PD_OK; i++) result = pd_edit_add_operation(edit, to, list_id, i, true, NULL, error);
    for (int index = before; k < after && result == PD_OK; k++, index++)
        result = pd_edit_add_operation(edit, to, list_id, index, false, pd_scene_list_item(list_id, to, k), error);
    return result;
}

static pd_result add_material_differences(pd_edit *edit, const pd_scene *from, const pd_scene *to, pd_error *error) {
    const pd_material_map map = pd_map_materials(from, to), back = pd_map_materials(to, from);
    pd_result result = PD_OK;
    for (int m = 0; m < to->material_count && result == PD_OK; m++) {
        const pd_material *before = back.to[m] >= 0 ? &from->materials[back.to[m]] : NULL;
        if (!before || !pd_item_is_equal(PD_LIST_MATERIALS, before, &to->materials[m], &map))
            result = pd_edit_add_operation(edit, to, PD_LIST_MATERIALS, 0, false, &to->materials[m], error);
    }
    for (int m = 0; m < from->material_count && result == PD_OK; m++)
        if (map.to[m] < 0)
            result = pd_edit_add_operation(edit, to, PD_LIST_MATERIALS, 0, true, &from->materials[m], error);
    return result;
}

float pd_scene_setting_value(const pd_scene *scene, const char *key) {
    for (int i = 0; i < scene->setting_count; i++)
        if (strcmp(scene->settings[i].key, key) == 0) return scene->settings[i].value;
    return NAN;
}

bool pd_setting_rebuilds_method(const pd_setting *setting) {
    int method, index;
    return pd_parameter_find(setting->key, &method, &index, NULL) == PD_OK &&
           pd_method_parameter_at(pd_method_at(method), index)->rebuilds;
}

static pd_result add_setting_differences(pd_edit *edit, const pd_scene *from, const pd_scene *to, pd_error *error) {
    pd_result result = PD_OK;
    for (int i = 0; i < to->setting_count && result == PD_OK; i++) {
        const pd_setting *setting = &to->settings[i];
        if (pd_scene_setting_value(from, setting->key) != setting->value && !pd_setting_rebuilds_method(setting))
            result = pd_edit_add_operation(edit, to, PD_LIST_SETTINGS, 0, false, setting, error);
    }
    return result;
}

/* Returns the material index that a particle of the scene `to` has after the edit. The edit appends new materials to
 * the old ones, so that their order may differ from `to`. context: pd_material_map from `to` to the edited scene. */
static int renumber_particle_material_for_edited_scene(void *context, int material, pd_material_use use) {
    const pd_material_map *back = context;
    return use == MATERIAL_OF_PARTICLE && material >= 0 && material < PD_MAX_MATERIALS ? back->to[material] : material;
}

static void renumber_particle_materials_for_edited_scene(pd_edit *edit, const pd_scene *from, const pd_scene *to) {
    pd_material_map back = pd_map_materials(to, from);
    for (int m = 0, added = from->material_count; m < to->material_count; m++)
        if (back.to[m] < 0) back.to[m] = added++;
    for (int i = 0; i < edit->count; i++)
        if (edit->operations[i].list == PD_LIST_REGIONS && edit->operations[i].item)
            pd_item_visit_materials(PD_LIST_REGIONS, edit->operations[i].item,
                                    renumber_particle_material_for_edited_scene, &back);
}

pd_result pd_edit_add_difference(pd_edit *edit, const pd_scene *from, const pd_scene *to, pd_error *error) {
    pd_result result = PD_OK;
    for (int list_id = PD_LIST_MATERIALS + 1; list_id < PD_LISTS && result == PD_OK; list_id++)
        result = add_item_differences(edit, list_id, from, to, error);
    if (result == PD_OK) result = add_material_differences(edit, from, to, error);
    if (result == PD_OK) result = add_setting_differences(edit, from, to, error);
    renumber_particle_materials_for_edited_scene(edit, from, to);
    return result;
}

/* ---- Application of edits ---- */

enum { NEW = -1, REMOVED = -2 }; /* special values of from[list][i] */

/* State of the application of an edit. */
typedef struct application {
    const pd_edit *edit;
    pd_scene *scene;
    int **from;  /* pd_edited.from, also with the value REMOVED: item to be removed */
    int missing; /* index in edit->materials of a material that the scene lacks; -1: none */
    pd_error *error;
} application;

static pd_result add_or_replace_material(application *a, const pd_operation *operation) {
    const pd_material *material = operation->item;
    pd_scene *scene = a->scene;
    int index = pd_find_material(scene->materials, scene->material_count, material->name);
    if (operation->removes && index < 0)
        return pd_fail(a->error, PD_ERROR_SCENE_REFERENCE, "no material '%s' to remove", material->name);
    if (operation->removes) return PD_OK;
    if (index < 0 && scene->material_count == PD_MAX_MATERIALS)
        return pd_fail(a->error, PD_ERROR_SCENE_TOO_LARGE, "more than %d materials (remove one first)",
                       PD_MAX_MATERIALS);
    if (index < 0) index = scene->material_count++;
    scene->materials[index] = *material;
    return pd_scene_check_item(scene, PD_LIST_MATERIALS, index, a->error);
}

/* Sets a parameter. Fails for a parameter that rebuilds the method's memory: the former memory could not be restored
 * if a later operation failed. */
static pd_result apply_setting(application *a, const pd_operation *operation) {
    const pd_setting *setting = operation->item;
    if (pd_setting_rebuilds_method(setting) && pd_scene_setting_value(a->scene, setting->key) != setting->value)
        return pd_fail(a->error, PD_ERROR_PARAMETER_VALUE,
                       "'%s' rebuilds the method and cannot be part of an edit (set the parameter by its own command)",
                       setting->key);
    return pd_scene_set_parameter(a->scene, setting->key, setting->value, a->error);
}

/* Sets application.from[list] to 0, 1, 2, ... and reserves memory for new items in the list and in from[list]. */
static bool init_indices_before_edit(application *a, int list_id) {
    int count = pd_scene_list_count(list_id, a->scene);
    a->from[list_id] = pd_memory_require((size_t)count + (size_t)a->edit->count + 1, sizeof **a->from);
    for (int i = 0; i < count; i++) a->from[list_id][i] = i;
    return pd_scene_list_reserve(list_id, a->scene, count + a->edit->count);
}

/* Returns the index in the scene of a material of the edit. -1: the scene lacks the material. */
static int convert_edit_to_scene_material(void *context, int material, pd_material_use use) {
    application *a = context;
    if (use != MATERIAL_USED) return use == MATERIAL_UNUSED ? 0 : material;
    if (material == PD_FIRST_MATERIAL) return 0;
    if (material < 0 || material >= a->edit->material_count) return -1;
    const pd_scene *scene = a->scene;
    int found = pd_find_material(scene->materials, scene->material_count, a->edit->materials[material].name);
    if (found < 0) a->missing = material;
    return found;
}

static pd_result apply_item_operation(application *a, const pd_operation *operation) {
    int list_id = operation->list, index = operation->index, count = pd_scene_list_count(list_id, a->scene);
    const char *noun = pd_scene_lists[list_id].schema->noun;
    if (!a->from[list_id] && !init_indices_before_edit(a, list_id)) return pd_fail_memory(a->error, "the edit");
    int *from = a->from[list_id];
    if (index > count || (operation->removes && index == count) || (index < count && from[index] == REMOVED))
        return pd_fail(a->error, PD_ERROR_SCENE_REFERENCE, "no %s %d to %s (the scene has %d)", noun, index,
                       operation->removes ? "remove" : "replace", count);
    void *item = pd_scene_list_item(list_id, a->scene, index);
    if (operation->removes) {
        from[index] = REMOVED;
        pd_item_free(list_id, item);
        memset(item, 0xff, pd_scene_lists[list_id].schema->size); /* all bytes 0xff: equal to no item */
        return PD_OK;
    }
    if (index == count && count >= pd_scene_lists[list_id].max_count)
        return pd_fail(a->error, PD_ERROR_SCENE_TOO_LARGE, "more than %d %s (remove some first)",
                       pd_scene_lists[list_id].max_count, pd_scene_lists[list_id].key);
    if (index < count) pd_item_free(list_id, item);
    memset(item, 0, pd_scene_lists[list_id].schema->size);
    if (index == count) {
        from[index] = NEW;
        pd_scene_list_set_count(list_id, a->scene, count + 1);
    }
    if (!pd_item_copy(list_id, item, operation->item)) return pd_fail_memory(a->error, "the edit");
    a->missing = -1;
    pd_item_visit_materials(list_id, item, convert_edit_to_scene_material, a);
    if (a->missing >= 0)
        return pd_fail(a->error, PD_ERROR_SCENE_REFERENCE, "%s %d names the material '%s', which the scene lacks", noun,
                       index, a->edit->materials[a->missing].name);
    return pd_scene_check_item(a->scene, list_id, index, a->error);
}

static void remove_items_marked_removed(application *a, int list_id) {
    size_t size = pd_scene_lists[list_id].schema->size;
    int kept = 0, *from = a->from[list_id];
    for (int i = 0; i < pd_scene_list_count(list_id, a->scene); i++) {
        if (from[i] == REMOVED) continue;
        if (kept < i)
            memcpy(pd_scene_list_item(list_id, a->scene, kept), pd_scene_list_item(list_id, a->scene, i), size);
        from[kept++] = from[i];
    }
    pd_scene_list_set_count(list_id, a->scene, kept);
}

/* Removes a material. Fails if an item of the edited scene still uses it. */
static pd_result remove_unused_material(application *a, const pd_operation *operation, pd_edited *edited) {
    const pd_material *material = operation->item;
    int index = pd_find_material(a->scene->materials, a->scene->material_count, material->name);
    if (index < 0) return PD_OK;
    pd_result result = pd_scene_remove_material(a->scene, index, a->error);
    for (int m = 0; m < PD_MAX_MATERIALS && result == PD_OK; m++) {
        int *to = &edited->material_to[m];
        *to = *to == index ? -1 : *to - (*to > index);
    }
    return result;
}

/* Applies all operations. Materials are added before other items, since new items may use them. Materials are removed
 * after other items, since removed items may use them. */
static pd_result apply_operations(application *a, pd_edited *edited) {
    const pd_operation *operations = a->edit->operations, *end = operations + a->edit->count;
    pd_result result = PD_OK;
    for (const pd_operation *o = operations; o < end && result == PD_OK; o++) {
        if (o->list == PD_LIST_MATERIALS) result = add_or_replace_material(a, o);
        if (o->list == PD_LIST_SETTINGS) result = apply_setting(a, o);
    }
    for (const pd_operation *o = operations; o < end && result == PD_OK; o++)
        if (!are_items_identified_by_name(o->list)) result = apply_item_operation(a, o);
    for (int list_id = 0; list_id < PD_LISTS; list_id++)
        if (a->from[list_id]) remove_items_marked_removed(a, list_id);
    for (const pd_operation *o = operations; o < end && result == PD_OK; o++)
        if (o->list == PD_LIST_MATERIALS && o->removes) result = remove_unused_material(a, o, edited);
    for (int list_id = 0; list_id < PD_LISTS && result == PD_OK; list_id++)
        if (a->from[list_id]) result = pd_scene_check_list(a->scene, list_id, a->error);
    return result;
}

pd_result pd_edit_apply(const pd_edit *edit, const pd_scene *scene, pd_edited *edited, pd_error *error) {
    memset(edited, 0, sizeof *edited);
    application a = {.edit = edit, .scene = &edited->scene, .from = edited->from, .error = error};
    pd_result result = pd_scene_copy(&edited->scene, scene, error);
    if (result != PD_OK) return result;
    for (int m = 0; m < PD_MAX_MATERIALS; m++) edited->material_to[m] = m < scene->material_count ? m : -1;
    static const int always[] = {PD_LIST_OBSTACLES, PD_LIST_EMITTERS, PD_LIST_BODIES, PD_LIST_JOINTS};
    for (size_t i = 0; i < sizeof always / sizeof *always && result == PD_OK; i++)
        if (!init_indices_before_edit(&a, always[i])) result = pd_fail_memory(error, "the edit");
    if (result == PD_OK) result = apply_operations(&a, edited);
    for (int i = 0; i < edit->count; i++) {
        int list_id = edit->operations[i].list;
        edited->bodies_changed |=
            list_id == PD_LIST_OBSTACLES || list_id == PD_LIST_BODIES || list_id == PD_LIST_JOINTS;
    }
    return result;
}

void pd_edited_free(pd_edited *edited) {
    pd_scene_free(&edited->scene);
    for (int list_id = 0; list_id < PD_LISTS; list_id++) pd_memory_free(edited->from[list_id]);
    memset(edited, 0, sizeof *edited);
}
