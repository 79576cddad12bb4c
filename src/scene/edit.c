#include "scene/edit.h"
#include "core/memory.h"

#include "core/error.h"
#include "scene/schema.h"

#include <math.h>
#include <puddle/method.h>
#include <stddef.h>
#include <string.h>

/* A list of a scene that edits change by index. */
typedef struct list {
    const char *key, *what;
    size_t items, count, size; /* offsets of the list and of its length in pd_scene; bytes of an item */
    int list;
} list;

static const list lists[] = {
    {"obstacles", "obstacle", offsetof(pd_scene, obstacles), offsetof(pd_scene, obstacle_count), sizeof(pd_obstacle),
     PD_LIST_OBSTACLES},
    {"emitters", "emitter", offsetof(pd_scene, emitters), offsetof(pd_scene, emitter_count), sizeof(pd_emitter),
     PD_LIST_EMITTERS},
    {"drains", "drain", offsetof(pd_scene, drains), offsetof(pd_scene, drain_count), sizeof(pd_drain), PD_LIST_DRAINS},
};
enum { OBSTACLES, EMITTERS, DRAINS, LISTS };

static bool no_memory(pd_document *document) {
    return pd_fail_at(document, (yaml_mark_t){0}, PD_ERROR_OUT_OF_MEMORY, "out of memory (close other programs)");
}

static char *items_of(const list *l, const pd_scene *scene) {
    char *items;
    memcpy(&items, (const char *)scene + l->items, sizeof items);
    return items;
}

static int *count_of(const list *l, pd_scene *scene) { return (int *)(void *)((char *)scene + l->count); }

static void release(const list *l, void *item) {
    if (l == &lists[OBSTACLES]) pd_memory_free(((pd_obstacle *)item)->area.points);
}

/* Room for so many more items at the end, which are zeroed. */
static bool grow(const list *l, pd_scene *scene, ptrdiff_t more) {
    char *items = items_of(l, scene);
    size_t count = (size_t)*count_of(l, scene), room = count + (size_t)more;
    if (more == 0) return true;
    char *larger = pd_memory_resize(items, room * l->size);
    if (!larger) return false;
    memset(larger + count * l->size, 0, (size_t)more * l->size);
    memcpy((char *)scene + l->items, &larger, sizeof larger);
    return true;
}

/* One pair of a list's mapping. */
static bool read_pair(pd_document *document, const list *l, const yaml_node_pair_t *pair, int *from) {
    const yaml_node_t *key = pd_node_at(document, pair->key), *value = pd_node_at(document, pair->value);
    int *count = count_of(l, document->scene);
    uint64_t index;
    if (!pd_read_integer(document, key, l->what, 0, (uint64_t)*count, PD_ERROR_SCENE_REFERENCE, &index)) return false;
    char *item = items_of(l, document->scene) + index * l->size;
    if (pd_node_is(value, "none")) {
        if ((int)index == *count || from[index] == -2)
            return pd_fail_at(document, key->start_mark, PD_ERROR_SCENE_REFERENCE, "no %s %d to remove", l->what,
                              (int)index);
        from[index] = -2;
        return true;
    }
    if ((int)index == *count && *count >= PD_MAX_ITEMS)
        return pd_fail_at(document, key->start_mark, PD_ERROR_SCENE_TOO_LARGE, "more than %d %s (remove some first)",
                          PD_MAX_ITEMS, l->key);
    if ((int)index == *count) from[(*count)++] = -1;
    release(l, item);
    memset(item, 0, l->size);
    return pd_read_item(document, value, l->list, 0, item);
}

/* from: by item; -2: to be removed. */
static void compact(const list *l, pd_scene *scene, int *from) {
    char *items = items_of(l, scene);
    int *count = count_of(l, scene), kept = 0;
    for (int i = 0; i < *count; i++) {
        char *item = items + (size_t)i * l->size;
        if (from[i] == -2) {
            release(l, item);
            continue;
        }
        if (kept < i) memcpy(items + (size_t)kept * l->size, item, l->size);
        from[kept++] = from[i];
    }
    *count = kept;
}

static bool read_list(pd_document *document, const list *l, const yaml_node_t *node, int **from) {
    pd_scene *scene = document->scene;
    if (!pd_require_mapping(document, node, l->key)) return false;
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start, *top = node->data.mapping.pairs.top;
    int count = *count_of(l, scene);
    int *larger = pd_memory_resize(*from, (size_t)(count + (top - pair) + 1) * sizeof **from);
    if (!larger) return no_memory(document);
    *from = larger;
    if (!grow(l, scene, top - pair)) return no_memory(document);
    for (; pair < top; pair++)
        if (!read_pair(document, l, pair, *from)) return false;
    compact(l, scene, *from);
    return true;
}

static int material_named(const pd_scene *scene, const yaml_node_t *key) {
    int m = 0;
    while (m < scene->material_count && !pd_node_is(key, scene->materials[m].name)) m++;
    return m;
}

/* New materials and changed ones. */
static bool read_material(pd_document *document, const yaml_node_pair_t *pair) {
    const yaml_node_t *key = pd_node_at(document, pair->key), *value = pd_node_at(document, pair->value);
    pd_scene *scene = document->scene;
    pd_material material = pd_material_default();
    int index = material_named(scene, key);
    if (pd_node_is(value, "none")) {
        if (index < scene->material_count) return true;
        return pd_fail_at(document, key->start_mark, PD_ERROR_SCENE_REFERENCE, "no such material to remove");
    }
    if (index == PD_MAX_MATERIALS)
        return pd_fail_at(document, key->start_mark, PD_ERROR_SCENE_TOO_LARGE,
                          "more than %d materials (remove one first)", PD_MAX_MATERIALS);
    if (!pd_read_text(document, key, "a material's name", material.name, sizeof material.name)) return false;
    if (!*material.name)
        return pd_fail_at(document, key->start_mark, PD_ERROR_SCENE_VALUE, "a material without a name (name it)");
    if (!pd_read_record(document, value, &pd_material_record, &material)) return false;
    scene->materials[index] = material;
    if (index == scene->material_count) scene->material_count++;
    return true;
}

/* Those of `none`, when nothing else of the edit refers to them any more. */
static bool remove_materials(pd_document *document, const yaml_node_t *node, pd_edit *edit) {
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = pd_node_at(document, pair->key);
        int index = material_named(document->scene, key);
        if (!pd_node_is(pd_node_at(document, pair->value), "none") || index == document->scene->material_count)
            continue;
        if (pd_scene_remove_material(document->scene, index, &document->error) != PD_OK) return false;
        for (int m = 0; m < PD_MAX_MATERIALS; m++) {
            if (edit->material_to[m] == index)
                edit->material_to[m] = -1;
            else if (edit->material_to[m] > index)
                edit->material_to[m]--;
        }
    }
    return true;
}

static bool read_materials(pd_document *document, const yaml_node_t *node) {
    if (!pd_require_mapping(document, node, "materials")) return false;
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++)
        if (!read_material(document, pair)) return false;
    return true;
}

float pd_edit_setting(const pd_scene *scene, const char *key) {
    for (int i = 0; i < scene->setting_count; i++)
        if (strcmp(scene->settings[i].key, key) == 0) return scene->settings[i].value;
    return NAN;
}

bool pd_edit_rebuilds(const pd_setting *setting) {
    int method, index;
    return pd_parameter_find(setting->key, &method, &index, NULL) == PD_OK &&
           pd_method_at(method)->parameters[index].rebuilds;
}

/* A parameter that rebuilds the method is refused: when the rest of the edit failed, the state before could not be had back. */
static bool read_parameters(pd_document *document, const pd_scene *before, const yaml_node_t *node) {
    if (!pd_read_parameters(document, node, document->scene)) return false;
    for (int i = 0; i < document->scene->setting_count; i++) {
        const pd_setting *setting = &document->scene->settings[i];
        if (pd_edit_rebuilds(setting) && pd_edit_setting(before, setting->key) != setting->value)
            return pd_fail_at(
                document, node->start_mark, PD_ERROR_PARAMETER_VALUE,
                "'%s' rebuilds the method and cannot be part of an edit (set the parameter by its own command)",
                setting->key);
    }
    return true;
}

static bool number(int **from, int count) {
    *from = pd_memory_new(((size_t)count + 1) * sizeof **from);
    for (int i = 0; *from && i < count; i++) (*from)[i] = i;
    return *from != NULL;
}

static bool read_lists(pd_document *document, const pd_scene *before, const yaml_node_t *root, pd_edit *edit) {
    enum { MATERIALS = LISTS, PARAMETERS, KEYS };
    static const char *const keys[] = {"obstacles", "emitters", "drains", "materials", "parameters"};
    const yaml_node_t *values[KEYS] = {NULL};
    int *drain_from = NULL, **from[LISTS] = {&edit->obstacle_from, &edit->emitter_from, &drain_from};
    if (!pd_require_mapping(document, root, "the edit")) return false;
    const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
    for (; pair < root->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = pd_node_at(document, pair->key);
        int k = 0;
        while (k < KEYS && !pd_node_is(key, keys[k])) k++;
        if (k == KEYS) return pd_fail_unknown(document, key, PD_ERROR_SCENE_KEY, "list", keys, KEYS);
        values[k] = pd_node_at(document, pair->value);
    }
    if (values[MATERIALS] && !read_materials(document, values[MATERIALS])) return false;
    if (values[PARAMETERS] && !read_parameters(document, before, values[PARAMETERS])) return false;
    bool fine = number(&drain_from, edit->scene.drain_count) || no_memory(document);
    for (int k = 0; k < LISTS && fine; k++)
        if (values[k]) fine = read_list(document, &lists[k], values[k], from[k]);
    pd_memory_free(drain_from);
    return fine && (!values[MATERIALS] || remove_materials(document, values[MATERIALS], edit));
}

pd_result pd_edit_read(const pd_scene *scene, const char *text, pd_edit *edit, pd_error *error) {
    memset(edit, 0, sizeof *edit);
    pd_result result = pd_scene_copy(&edit->scene, scene, error);
    if (result != PD_OK) return result;
    pd_document document = {.name = "edit", .scene = &edit->scene};
    for (int m = 0; m < PD_MAX_MATERIALS; m++) edit->material_to[m] = m < scene->material_count ? m : -1;
    bool fine =
        number(&edit->obstacle_from, scene->obstacle_count) && number(&edit->emitter_from, scene->emitter_count);
    if (!fine) no_memory(&document);
    if (fine && (fine = pd_document_parse(&document, text, strlen(text)))) {
        fine = read_lists(&document, scene, yaml_document_get_root_node(&document.yaml), edit);
        yaml_document_delete(&document.yaml);
    }
    if (fine) return pd_check_changed(&edit->scene, PD_LIST_OBSTACLES, error);
    if (error) *error = document.error;
    return pd_error_result(document.error.code);
}

void pd_edit_free(pd_edit *edit) {
    pd_scene_free(&edit->scene);
    pd_memory_free(edit->obstacle_from);
    pd_memory_free(edit->emitter_from);
    memset(edit, 0, sizeof *edit);
}
