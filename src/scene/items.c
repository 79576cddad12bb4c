/* Items of a scene's lists: comparing, copying, adding and removing them. */
#include "scene/items.h"

#include "core/error.h"
#include "core/memory.h"
#include "scene/content/particle_list.h"

#include <math.h>
#include <string.h>

/* ---- Lists by number ---- */

int pd_scene_list_count(int list_id, const pd_scene *scene) {
    int count;
    memcpy(&count, (const char *)scene + pd_scene_lists[list_id].count, sizeof count);
    return count;
}

void pd_scene_list_set_count(int list_id, pd_scene *scene, int count) {
    memcpy((char *)scene + pd_scene_lists[list_id].count, &count, sizeof count);
}

void *pd_scene_list_items(int list_id, const pd_scene *scene) {
    char *at = (char *)(uintptr_t)scene + pd_scene_lists[list_id].items;
    void *items = at;
    if (!pd_scene_lists[list_id].is_inline) memcpy(&items, at, sizeof items);
    return items;
}

static void set_pointer_to_items(int list_id, pd_scene *scene, void *items) {
    memcpy((char *)scene + pd_scene_lists[list_id].items, &items, sizeof items);
}

void *pd_scene_list_item(int list_id, const pd_scene *scene, int index) {
    return (char *)pd_scene_list_items(list_id, scene) + (size_t)index * pd_scene_lists[list_id].schema->size;
}

bool pd_scene_list_reserve(int list_id, pd_scene *scene, int capacity) {
    if (pd_scene_lists[list_id].is_inline || capacity == 0) return capacity <= pd_scene_lists[list_id].max_count;
    void *items =
        pd_memory_resize(pd_scene_list_items(list_id, scene), (size_t)capacity * pd_scene_lists[list_id].schema->size);
    if (items) set_pointer_to_items(list_id, scene, items);
    return items != NULL;
}

void pd_scene_list_free(int list_id, pd_scene *scene) {
    for (int i = 0; i < pd_scene_list_count(list_id, scene); i++)
        pd_item_free(list_id, pd_scene_list_item(list_id, scene, i));
    pd_scene_list_set_count(list_id, scene, 0);
    if (pd_scene_lists[list_id].is_inline) return;
    pd_memory_free(pd_scene_list_items(list_id, scene));
    set_pointer_to_items(list_id, scene, NULL);
}

bool pd_scene_list_copy(int list_id, pd_scene *to, const pd_scene *from) {
    int count = pd_scene_list_count(list_id, from);
    if (!pd_scene_lists[list_id].is_inline) set_pointer_to_items(list_id, to, NULL);
    pd_scene_list_set_count(list_id, to, 0);
    if (count > 0 && !pd_scene_list_reserve(list_id, to, count)) return false;
    for (int i = 0; i < count; i++) {
        if (!pd_item_copy(list_id, pd_scene_list_item(list_id, to, i), pd_scene_list_item(list_id, from, i)))
            return false;
        pd_scene_list_set_count(list_id, to, i + 1);
    }
    return true;
}

/* ---- Lines about files ---- */

_Static_assert(offsetof(pd_region, area) == 0 && offsetof(pd_obstacle, area) == 0 && offsetof(pd_scene_body, area) == 0,
               "the address of such an item is that of its area");
static const int lists_with_files[] = {PD_LIST_REGIONS, PD_LIST_OBSTACLES, PD_LIST_BODIES};
enum { LISTS_WITH_FILES = sizeof lists_with_files / sizeof *lists_with_files };

bool pd_scene_write_left_out(const pd_scene *scene, int index, char *text, size_t size) {
    for (int l = 0; l < LISTS_WITH_FILES; l++)
        for (int i = 0; i < pd_scene_list_count(lists_with_files[l], scene); i++) {
            const pd_area *area = pd_scene_list_item(lists_with_files[l], scene, i);
            if (!*area->left_out || index-- > 0) continue;
            snprintf(text, size, "%.*s", PD_MAX_LEFT_OUT - 1, area->left_out);
            return true;
        }
    return false;
}

void pd_scene_copy_left_out(pd_scene *to, const pd_scene *from) {
    for (int l = 0; l < LISTS_WITH_FILES; l++)
        for (int i = 0; i < pd_scene_list_count(lists_with_files[l], from); i++) {
            const pd_area *area = pd_scene_list_item(lists_with_files[l], from, i);
            memcpy(((pd_area *)pd_scene_list_item(lists_with_files[l], to, i))->left_out, area->left_out,
                   PD_MAX_LEFT_OUT);
        }
}

/* ---- Arrays that items own ---- */

static void *get_owned_array(const pd_item_array *array_info, const void *item) {
    void *array;
    memcpy(&array, (const char *)item + array_info->offset, sizeof array);
    return array;
}

static void set_owned_array(const pd_item_array *array_info, void *item, void *array) {
    memcpy((char *)item + array_info->offset, &array, sizeof array);
}

void pd_item_free(int list_id, void *item) {
    for (const pd_item_array *p = pd_scene_lists[list_id].arrays; p && p->size > 0; p++) {
        pd_memory_free(get_owned_array(p, item));
        set_owned_array(p, item, NULL);
    }
}

bool pd_item_copy(int list_id, void *to, const void *from) {
    const pd_item_array *array_info = pd_scene_lists[list_id].arrays;
    memcpy(to, from, pd_scene_lists[list_id].schema->size);
    for (const pd_item_array *p = array_info; p && p->size > 0; p++) set_owned_array(p, to, NULL);
    for (const pd_item_array *p = array_info; p && p->size > 0; p++) {
        int count = p->count(from);
        if (count <= 0) continue;
        void *array = pd_memory_new((size_t)count * p->size);
        if (!array) {
            pd_item_free(list_id, to);
            return false;
        }
        memcpy(array, get_owned_array(p, from), (size_t)count * p->size);
        set_owned_array(p, to, array);
    }
    return true;
}

/* Memory for an item of any list. */
typedef union any_item {
    pd_material material;
    pd_region region;
    pd_vorton vorton;
    pd_obstacle obstacle;
    pd_emitter emitter;
    pd_drain drain;
    pd_attraction attraction;
    pd_change change;
    pd_scene_body body;
    pd_scene_joint joint;
} any_item;

static void update_bounding_box_of_particles(int list_id, void *item) {
    pd_region *region = list_id == PD_LIST_REGIONS ? item : NULL;
    if (region && region->area.shape == PD_SHAPE_PARTICLES && region->particles)
        pd_particle_list_update_bounding_box(region);
}

void pd_item_reset_omitted_members(int list_id, void *item) {
    const pd_record_schema *schema = pd_scene_lists[list_id].schema;
    pd_field_kinds kind = pd_record_kind(schema, item);
    any_item standard;
    if (schema->count == 0) return;
    pd_record_set_defaults(schema, &standard);
    for (int i = 0; i < schema->count; i++) {
        const pd_record_field *field = &schema->fields[i];
        if (pd_record_has_field(schema, i, kind) && !(field->given_per_particle & kind)) continue;
        memcpy((char *)item + field->offset, (const char *)&standard + field->offset, pd_field_forms[field->type].size);
    }
    update_bounding_box_of_particles(list_id, item);
}

/* ---- Comparison of items ---- */

int pd_find_material(const pd_material *materials, int count, const char *name) {
    for (int m = 0; m < count; m++)
        if (strcmp(materials[m].name, name) == 0) return m;
    return -1;
}

pd_material_map pd_map_materials(const pd_scene *from, const pd_scene *to) {
    pd_material_map map;
    memset(&map, 0xff, sizeof map);
    for (int m = 0; m < from->material_count; m++)
        map.to[m] = pd_find_material(to->materials, to->material_count, from->materials[m].name);
    map.to[PD_NO_FLUID] = PD_NO_FLUID;
    return map;
}

static bool are_floats_equal(const void *a, const void *b, int count) {
    const float *x = a, *y = b;
    for (int i = 0; i < count; i++)
        if (x[i] != y[i] && !(isnan(x[i]) && isnan(y[i]))) return false;
    return true;
}

static bool are_material_indices_equal(const int *a, const int *b, int count, const pd_material_map *map) {
    for (int i = 0; i < count; i++)
        if (a[i] < 0 || a[i] > PD_NO_FLUID || map->to[a[i]] != b[i]) return false;
    return true;
}

static bool is_value_equal(const pd_record_field *field, const void *a, const void *b, const pd_material_map *map) {
    const pd_field_form form = pd_field_forms[field->type];
    if (form.floats) return are_floats_equal(a, b, form.floats);
    if (form.materials) return are_material_indices_equal(a, b, form.materials, map);
    if (field->type == FIELD_NAMES && strcmp((const char *)a + PD_MAX_NAME, (const char *)b + PD_MAX_NAME) != 0)
        return false;
    bool texts = field->type == FIELD_TEXT || field->type == FIELD_NAMES;
    return texts ? strcmp(a, b) == 0 : memcmp(a, b, form.size) == 0;
}

static int get_material_index_of_element(const pd_item_array *array_info, const void *element) {
    int32_t material;
    if (array_info->material_bytes == 1) return *(const uint8_t *)element;
    memcpy(&material, (const char *)element + (size_t)array_info->floats * sizeof(float), sizeof material);
    return material;
}

static bool are_arrays_equal(const pd_item_array *array_info, const void *a, const void *b,
                             const pd_material_map *map) {
    int count = array_info->count(a);
    if (array_info->count(b) != count) return false;
    const char *x = get_owned_array(array_info, a), *y = get_owned_array(array_info, b);
    for (int i = 0; i < count; i++, x += array_info->size, y += array_info->size) {
        if (!are_floats_equal(x, y, array_info->floats)) return false;
        int p = array_info->material_bytes ? get_material_index_of_element(array_info, x) : 0,
            q = array_info->material_bytes ? get_material_index_of_element(array_info, y) : 0;
        if (array_info->material_bytes && !are_material_indices_equal(&p, &q, 1, map)) return false;
    }
    return true;
}

bool pd_item_is_equal(int list_id, const void *a, const void *b, const pd_material_map *map) {
    const pd_record_schema *schema = pd_scene_lists[list_id].schema;
    pd_field_kinds kind = pd_record_kind(schema, a);
    for (int i = 0; i < schema->count; i++) {
        const pd_record_field *field = &schema->fields[i];
        if (!pd_record_has_field(schema, i, kind) || (field->given_per_particle & kind)) continue;
        if (!is_value_equal(field, (const char *)a + field->offset, (const char *)b + field->offset, map)) return false;
    }
    for (const pd_item_array *p = pd_scene_lists[list_id].arrays; p && p->size > 0; p++)
        if (!are_arrays_equal(p, a, b, map)) return false;
    return true;
}

/* ---- References to bodies ---- */

int pd_scene_find_body(const pd_scene *scene, const char *name) {
    if (strcmp(name, "world") == 0) return PD_WORLD_NAMED;
    for (int i = 0; i < scene->body_count && *name; i++)
        if (strcmp(scene->bodies[i].name, name) == 0) return i;
    return PD_NO_BODY;
}

bool pd_scene_is_body_joined(const pd_scene *scene, const char *name) {
    for (int i = 0; i < scene->joint_count && *name; i++)
        for (int k = 0; k < 2; k++)
            if (strcmp(scene->joints[i].bodies[k], name) == 0) return true;
    return false;
}

/* ---- References to materials ---- */

/* Replaces a material index by the result of `visit`. Does not write an unchanged index, since a visitor that only
 * searches also visits items in const memory. */
static void visit_material_index(int *index, pd_material_visitor *visit, void *context, pd_material_use use) {
    int to = visit(context, *index, use);
    if (to != *index) *index = to;
}

static void visit_materials_of_array(const pd_item_array *array_info, void *item, pd_material_visitor *visit,
                                     void *context) {
    int count = array_info->material_bytes ? array_info->count(item) : 0;
    char *element = get_owned_array(array_info, item);
    for (int i = 0; i < count; i++, element += array_info->size) {
        int material = get_material_index_of_element(array_info, element), before = material;
        if (array_info->material_bytes == 1 && material == PD_NO_FLUID) continue;
        visit_material_index(&material, visit, context,
                             array_info->material_bytes == 1 ? MATERIAL_USED : MATERIAL_OF_PARTICLE);
        if (material == before) continue;
        if (array_info->material_bytes == 1)
            *(uint8_t *)element = (uint8_t)material;
        else
            memcpy(element + (size_t)array_info->floats * sizeof(float), &material, sizeof(int32_t));
    }
}

void pd_item_visit_materials(int list_id, void *item, pd_material_visitor *visit, void *context) {
    const pd_record_schema *schema = pd_scene_lists[list_id].schema;
    pd_field_kinds kind = pd_record_kind(schema, item);
    for (int i = 0; i < schema->count; i++) {
        const pd_record_field *field = &schema->fields[i];
        int *index = (int *)(void *)((char *)item + field->offset);
        for (int k = 0; k < pd_field_forms[field->type].materials; k++)
            visit_material_index(&index[k], visit, context,
                                 field->given_per_particle & kind ? MATERIAL_UNUSED : MATERIAL_USED);
    }
    for (const pd_item_array *p = pd_scene_lists[list_id].arrays; p && p->size > 0; p++)
        visit_materials_of_array(p, item, visit, context);
}

/* ---- Adding and replacing of items ---- */

static pd_result fail_out_of_memory(int list_id, int index, const pd_scene *scene, pd_error *error) {
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "%s %s %d failed: out of memory (close other programs)",
                   index < pd_scene_list_count(list_id, scene) ? "replacing" : "adding",
                   pd_scene_lists[list_id].schema->noun, index);
}

static pd_result fail_missing_item(int list_id, int index, const pd_scene *scene, pd_error *error) {
    return pd_fail(error, PD_ERROR_SCENE_REFERENCE, "no %s %d (the scene has %d)", pd_scene_lists[list_id].schema->noun,
                   index, pd_scene_list_count(list_id, scene));
}

static pd_result check_list_id(int list_id, pd_error *error) {
    if (list_id >= 0 && list_id < PD_LISTS) return PD_OK;
    return pd_fail(error, PD_ERROR_USAGE, "no list %d (use a pd_scene_list)", list_id);
}

/* Copies an item whose struct has `size` bytes in the calling program. Members that this struct lacks get defaults. */
static void copy_item_with_defaults(int list_id, any_item *complete, const void *item, size_t size) {
    const pd_record_schema *schema = pd_scene_lists[list_id].schema;
    PD_ASSERT(schema->size <= sizeof *complete);
    pd_record_set_defaults(schema, complete);
    if (item) memcpy(complete, item, size < schema->size ? size : schema->size);
}

void pd_item_default(pd_scene_list list_id, void *item, size_t size) {
    any_item standard;
    PD_ASSERT_INDEX("list", (int)list_id, PD_LISTS);
    copy_item_with_defaults((int)list_id, &standard, NULL, 0);
    memset(item, 0, size);
    memcpy(item, &standard, size < pd_scene_lists[list_id].schema->size ? size : pd_scene_lists[list_id].schema->size);
}

/* Sets an item, or appends it at the index behind the last one. On an error the list is unchanged. */
static pd_result put_item(pd_scene *scene, int list_id, int index, const void *item, size_t size, pd_error *error) {
    any_item next, before = {0};
    size_t item_size = pd_scene_lists[list_id].schema->size;
    int count = pd_scene_list_count(list_id, scene);
    copy_item_with_defaults(list_id, &next, item, size);
    if (index == count && !pd_scene_list_reserve(list_id, scene, count + 1))
        return fail_out_of_memory(list_id, index, scene, error);
    void *at = pd_scene_list_item(list_id, scene, index);
    if (index < count) memcpy(&before, at, item_size);
    memcpy(at, &next, item_size);
    pd_result result = pd_scene_check_item(scene, list_id, index, error);
    if (result == PD_OK && !pd_item_copy(list_id, at, &next)) result = fail_out_of_memory(list_id, index, scene, error);
    if (result == PD_OK) {
        update_bounding_box_of_particles(list_id, at);
        if (index == count) pd_scene_list_set_count(list_id, scene, count + 1);
        result = pd_scene_check_list(scene, list_id, error);
        pd_item_free(list_id, result == PD_OK ? &before : at);
    }
    if (result == PD_OK) return PD_OK;
    pd_scene_list_set_count(list_id, scene, count);
    memcpy(at, &before, item_size);
    return result;
}

pd_result pd_scene_add_item(pd_scene *scene, pd_scene_list list_id, const void *item, size_t size, pd_error *error) {
    if (check_list_id((int)list_id, error) != PD_OK) return PD_BAD_INPUT;
    int count = pd_scene_list_count((int)list_id, scene);
    if (count < pd_scene_lists[list_id].max_count) return put_item(scene, (int)list_id, count, item, size, error);
    return pd_fail(error, PD_ERROR_SCENE_TOO_LARGE, "the scene has %d %s already (remove some first)", count,
                   pd_scene_lists[list_id].key);
}

pd_result pd_scene_set_item(pd_scene *scene, pd_scene_list list_id, int index, const void *item, size_t size,
                            pd_error *error) {
    if (check_list_id((int)list_id, error) != PD_OK) return PD_BAD_INPUT;
    if (index < 0 || index >= pd_scene_list_count((int)list_id, scene))
        return fail_missing_item((int)list_id, index, scene, error);
    return put_item(scene, (int)list_id, index, item, size, error);
}

pd_result pd_scene_add_particles(pd_scene *scene, const pd_scene_particle *particles, int count, float spacing,
                                 pd_error *error) {
    pd_region region = pd_region_default();
    region.area.shape = PD_SHAPE_PARTICLES;
    region.count = count;
    region.spacing = spacing;
    region.particles = (pd_scene_particle *)(uintptr_t)particles; /* the cast drops const; the array is copied */
    return pd_scene_add_region(scene, &region, error);
}

/* ---- Removing of items ---- */

static void remove_item_at(pd_scene *scene, int list_id, int index) {
    size_t size = pd_scene_lists[list_id].schema->size;
    char *at = pd_scene_list_item(list_id, scene, index);
    int count = pd_scene_list_count(list_id, scene);
    pd_item_free(list_id, at);
    memmove(at, at + size, (size_t)(count - index - 1) * size);
    pd_scene_list_set_count(list_id, scene, count - 1);
}

typedef struct search {
    int material;
    bool found;
} search;

static int search_for_material_use(void *context, int material, pd_material_use use) {
    search *s = context;
    s->found |= use != MATERIAL_UNUSED && material == s->material;
    return material;
}

/* Returns a description of an item that refers to a material: "an emitter". NULL: no item refers to the material. */
static const char *describe_material_user(const pd_scene *scene, int material, char *text, size_t size) {
    search s = {.material = material};
    for (int list_id = 0; list_id < PD_LISTS; list_id++)
        for (int i = 0; i < pd_scene_list_count(list_id, scene); i++) {
            const char *noun = pd_scene_lists[list_id].schema->noun;
            pd_item_visit_materials(list_id, pd_scene_list_item(list_id, scene, i), search_for_material_use, &s);
            if (!s.found) continue;
            snprintf(text, size, "%s %s", strchr("aeiou", *noun) ? "an" : "a", noun);
            return text;
        }
    for (int d = 0; d < scene->cells.dyes; d++)
        if (scene->cells.material[d] == material) return "a dye of the cells";
    return NULL;
}

static int shift_index_after_removal(void *context, int material, pd_material_use use) {
    const int *removed = context;
    (void)use; /* all indices shift alike, since no item refers to the removed material */
    return material == *removed ? 0 : material - (material > *removed);
}

static pd_result remove_unused_material(pd_scene *scene, int index, pd_error *error) {
    char text[32];
    const char *user = describe_material_user(scene, index, text, sizeof text), *name = scene->materials[index].name;
    if (user)
        return pd_fail(error, PD_ERROR_SCENE_REFERENCE, "%s of the scene uses the material '%s' (keep the material)",
                       user, name);
    if (scene->material_count == 1)
        return pd_fail(error, PD_ERROR_SCENE_REFERENCE,
                       "'%s' is the scene's only material (add another material first)", name);
    remove_item_at(scene, PD_LIST_MATERIALS, index);
    for (int list_id = 0; list_id < PD_LISTS; list_id++)
        for (int i = 0; i < pd_scene_list_count(list_id, scene); i++)
            pd_item_visit_materials(list_id, pd_scene_list_item(list_id, scene, i), shift_index_after_removal, &index);
    for (int d = 0; d < scene->cells.dyes; d++)
        scene->cells.material[d] = shift_index_after_removal(&index, scene->cells.material[d], MATERIAL_USED);
    return PD_OK;
}

pd_result pd_scene_remove_item(pd_scene *scene, pd_scene_list list_id, int index, pd_error *error) {
    if (check_list_id((int)list_id, error) != PD_OK) return PD_BAD_INPUT;
    if (index < 0 || index >= pd_scene_list_count((int)list_id, scene))
        return fail_missing_item((int)list_id, index, scene, error);
    if (list_id == PD_LIST_MATERIALS) return remove_unused_material(scene, index, error);
    if (list_id == PD_LIST_BODIES && pd_scene_is_body_joined(scene, scene->bodies[index].name))
        return pd_fail(error, PD_ERROR_SCENE_REFERENCE, "a joint joins the body '%s' (remove the joint first)",
                       scene->bodies[index].name);
    remove_item_at(scene, (int)list_id, index);
    return PD_OK;
}
