/* Reads scene files by the tables of schema.c, with functions for values that the tables cannot describe. */
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/content/image.h"
#include "scene/content/particle_list.h"
#include "scene/features.h"
#include "scene/geometry.h"
#include "scene/items.h"

#include <math.h>
#include <puddle/method.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static yaml_node_t *get_list_item(pd_document *document, const yaml_node_t *list, int index) {
    return pd_node_at(document, list->data.sequence.items.start[index]);
}

/* ---- Materials ---- */

bool pd_read_material_name(pd_document *document, const yaml_node_t *key, pd_material *material) {
    pd_record_set_defaults(&pd_material_schema, material);
    if (!pd_read_text(document, key, "a material's name", material->name, sizeof material->name)) return false;
    return *material->name || pd_fail_at(document, key, PD_ERROR_SCENE_VALUE, "a material without a name (name it)");
}

static bool read_material(pd_document *document, const yaml_node_t *key, const yaml_node_t *value,
                          const void *context) {
    pd_scene *scene = document->scene;
    pd_material *material = &scene->materials[scene->material_count];
    (void)context;
    if (!pd_read_material_name(document, key, material)) return false;
    scene->material_count++; /* later items may name the material even if its own keys have mistakes */
    return pd_read_record(document, value, &pd_material_schema, material);
}

bool pd_read_materials(pd_document *document, const yaml_node_t *node, void *destination) {
    pd_scene *scene = destination;
    if (!pd_require_mapping(document, node, "'materials'")) return false;
    ptrdiff_t count = node->data.mapping.pairs.top - node->data.mapping.pairs.start;
    if (count == 0)
        return pd_fail_at(document, node, PD_ERROR_SCENE_VALUE, "'materials' is empty (leave it out for water)");
    if (count > PD_MAX_MATERIALS)
        return pd_fail_at(document, node, PD_ERROR_SCENE_TOO_LARGE, "%td materials (at most %d)", count,
                          PD_MAX_MATERIALS);
    scene->material_count = 0;
    return pd_read_pairs(document, node, "'materials'", "material", read_material, NULL);
}

/* ---- Container ---- */

bool pd_read_wall(pd_document *document, const yaml_node_t *node, void *destination) {
    return pd_read_record(document, node, &pd_wall_schema, destination);
}

bool pd_read_walls(pd_document *document, const yaml_node_t *node, void *destination) {
    return pd_read_record(document, node, &pd_walls_schema, destination);
}

bool pd_read_container(pd_document *document, const yaml_node_t *node, void *destination) {
    pd_container *container = destination;
    container->radius = 0; /* circles must give a radius; other containers have none */
    return pd_read_record(document, node, &pd_container_schema, container);
}

/* ---- Items of lists ---- */

/* Skips a key that another function reads: check_version before all other keys; the functions for pixels, particles and
 * cells after them. */
bool pd_skip_key(pd_document *document, const yaml_node_t *node, void *destination) {
    (void)document;
    (void)node;
    (void)destination;
    return true;
}

/* Reads the pixels of a region. remaining_images: number of images still to be read, including this one. Each picture
 * file may add an equal part of the materials for which the scene has room. */
static bool read_region_image(pd_document *document, const yaml_node_t *item, pd_region *region, int remaining_images) {
    const yaml_node_t *file = pd_node_value_or_mapping(document, item, "file"),
                      *pixels = pd_node_value_or_mapping(document, item, "pixels");
    const yaml_node_t *materials = pd_node_value_or_mapping(document, item, "materials");
    if ((file == item) == (pixels == item))
        return pd_fail_at(document, item, PD_ERROR_SCENE_KEY, "an image has %s",
                          file == item ? "no 'file' (add it, such as file: picture.png)"
                                       : "both file and pixels (keep one)");
    if (file != item && materials != item)
        return pd_fail_at(document, materials, PD_ERROR_SCENE_VALUE,
                          "an image's materials go with its pixels, not with a file (leave them out)");
    if (file != item) return pd_read_image_file(document, file, remaining_images, region);
    if (materials == item)
        return pd_fail_at(document, item, PD_ERROR_SCENE_KEY,
                          "an image with pixels has no 'materials' (add them, such as materials: [water])");
    if (region->area.size.y == 0)
        return pd_fail_at(document, pd_node_value_or_mapping(document, item, "size"), PD_ERROR_SCENE_VALUE,
                          "'size' is one number (allowed: [width, height] with pixels)");
    return pd_read_pixels(document, materials, pixels, &region->area);
}

/* Fails if an item breaks the rule of its list. node: the item's mapping. */
static bool check_list_rule(pd_document *document, const yaml_node_t *node, int list_id, int index) {
    pd_scene_fault fault;
    pd_item_rule *rule = pd_scene_lists[list_id].find_fault;
    return !rule || !rule(document->scene, index, &fault) || pd_fail_at_fault(document, node, &fault);
}

static bool read_region_images(pd_document *document, const yaml_node_t *node) {
    pd_scene *scene = document->scene;
    int remaining_images = 0;
    for (int i = 0; i < scene->region_count; i++) remaining_images += scene->regions[i].area.shape == PD_SHAPE_IMAGE;
    for (int i = 0; i < scene->region_count; i++) {
        const yaml_node_t *item = get_list_item(document, node, i);
        if (scene->regions[i].area.shape != PD_SHAPE_IMAGE) continue;
        if (!read_region_image(document, item, &scene->regions[i], remaining_images--) ||
            !check_list_rule(document, item, PD_LIST_REGIONS, i))
            return false;
    }
    return true;
}

bool pd_read_points(pd_document *document, const yaml_node_t *node, void *destination) {
    pd_area *area = destination; /* first member of obstacles and bodies */
    int count;
    if (!pd_require_list(document, node, "points", PD_MAX_POINTS, &count)) return false;
    area->points = pd_memory_new_zeroed((size_t)count + 1, sizeof(pd_vec2));
    if (!area->points) return pd_fail_memory_at(document, node);
    area->point_count = count;
    for (int i = 0; i < count; i++)
        if (!pd_read_vector(document, get_list_item(document, node, i), "points", -PD_FARTHEST, PD_FARTHEST,
                            &area->points[i]))
            return false;
    return true;
}

static int replace_by_first_material(void *context, int material, pd_material_use use) {
    (void)context, (void)material, (void)use;
    return PD_FIRST_MATERIAL;
}

bool pd_read_item(pd_document *document, const yaml_node_t *node, int list_id, int remaining_images, void *item) {
    pd_region *region = list_id == PD_LIST_REGIONS ? item : NULL;
    pd_record_set_defaults(pd_scene_lists[list_id].schema, item);
    if (document->adds_materials) pd_item_visit_materials(list_id, item, replace_by_first_material, NULL);
    if (!pd_read_record(document, node, pd_scene_lists[list_id].schema, item)) return false;
    pd_area *area = item; /* of an obstacle or a body */
    if ((list_id == PD_LIST_OBSTACLES || list_id == PD_LIST_BODIES) && area->shape == PD_SHAPE_IMAGE)
        return pd_read_outline_file(document, pd_node_value_of_key(document, node, "file"), area);
    if (!region) return true;
    if (region->area.shape == PD_SHAPE_PARTICLES) return pd_read_particle_list(document, node, region);
    return region->area.shape != PD_SHAPE_IMAGE || remaining_images == 0 ||
           read_region_image(document, node, region, remaining_images);
}

/* Reads a list of items. destination: address in the scene of the pointer to the items, which identifies the list. */
bool pd_read_list(pd_document *document, const yaml_node_t *node, void *destination) {
    pd_scene *scene = document->scene;
    int list_id = 0, count;
    bool no_mistake = true; /* whether no mistake was skipped */
    while (pd_scene_lists[list_id].items != (size_t)((char *)destination - (char *)scene)) list_id++;
    if (!pd_require_list(document, node, pd_scene_lists[list_id].key, pd_scene_lists[list_id].max_count, &count))
        return false;
    if (count > 0 && !pd_scene_list_reserve(list_id, scene, count)) return pd_fail_memory_at(document, node);
    for (int i = 0; i < count; i++) {
        const yaml_node_t *item = get_list_item(document, node, i);
        pd_record_set_defaults(pd_scene_lists[list_id].schema, pd_scene_list_item(list_id, scene, i));
        pd_scene_list_set_count(list_id, scene, i + 1);
        if (pd_read_item(document, item, list_id, 0, pd_scene_list_item(list_id, scene, i)) &&
            (list_id == PD_LIST_REGIONS || !no_mistake || check_list_rule(document, item, list_id, i)))
            continue;
        if (!pd_document_skip_mistake(document)) return false;
        no_mistake = false;
    }
    return no_mistake && (list_id != PD_LIST_REGIONS || read_region_images(document, node));
}

/* ---- Method and parameters ---- */

static const pd_method_info *find_method(pd_document *document, const yaml_node_t *node) {
    const char *names[16];
    int count = pd_method_count();
    for (int i = 0; i < count && i < (int)(sizeof names / sizeof *names); i++) {
        names[i] = pd_method_at(i)->name;
        if (pd_node_equals_text(node, names[i])) return pd_method_at(i);
    }
    pd_fail_unknown_word(document, node, PD_ERROR_METHOD_UNKNOWN, "method", names, count);
    return NULL;
}

bool pd_read_method(pd_document *document, const yaml_node_t *node, void *destination) {
    pd_scene *scene = destination;
    const pd_method_info *method = find_method(document, node);
    if (!method) return false;
    snprintf(scene->method, sizeof scene->method, "%s", method->name);
    return true;
}

static bool read_setting(pd_document *document, const yaml_node_t *key, const yaml_node_t *node, const void *context) {
    const pd_method_info *method = context;
    char name[PD_MAX_KEY], shown[MAX_SHOWN], range[PD_RANGE_TEXT];
    int m, index;
    float value;
    pd_error error = {0};
    if (key->type != YAML_SCALAR_NODE)
        return pd_fail_at(document, key, PD_ERROR_SCENE_TYPE, "a parameter's key is %s (allowed: a word)",
                          pd_node_describe(document, key, shown));
    snprintf(name, sizeof name, "%s.%.*s", method->name, 40, (const char *)key->data.scalar.value);
    if (pd_parameter_find(name, &m, &index, &error) != PD_OK)
        return pd_fail_at(document, key, error.code, "%s", error.message);
    const pd_parameter *parameter = pd_method_parameter_at(method, index);
    bool number = parameter->type == PD_PARAMETER_NUMBER || parameter->type == PD_PARAMETER_INTEGER;
    bool quoted = node->type == YAML_SCALAR_NODE && node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (node->type != YAML_SCALAR_NODE || (quoted && parameter->type != PD_PARAMETER_CHOICE))
        return pd_fail_value(document, node, PD_ERROR_PARAMETER_VALUE, name,
                             number ? "a number without quotes" : "one plain word");
    if (number && !pd_node_is_decimal(node))
        return pd_fail_value(document, node, PD_ERROR_PARAMETER_VALUE, name, "a number, %s",
                             pd_text_write_range((double)parameter->minimum, (double)parameter->maximum, range));
    const char *text = (const char *)node->data.scalar.value;
    if (pd_parameter_parse(parameter, text, &value, &error) != PD_OK ||
        pd_scene_set_parameter(document->scene, name, value, &error) != PD_OK)
        return pd_fail_at(document, node, error.code, "%s", error.message);
    return true;
}

static bool read_method_settings(pd_document *document, const yaml_node_t *key, const yaml_node_t *node,
                                 const void *context) {
    const char *text = key->type == YAML_SCALAR_NODE ? (const char *)key->data.scalar.value : "";
    int m, index;
    (void)context;
    if (pd_parameter_find(text, &m, &index, NULL) == PD_OK)
        return pd_fail_at(document, key, PD_ERROR_METHOD_UNKNOWN, "'%s' is a parameter (write %s: {%s: VALUE})", text,
                          pd_method_at(m)->name, strchr(text, '.') + 1);
    const pd_method_info *method = find_method(document, key);
    return method && pd_read_pairs(document, node, method->name, "key", read_setting, method);
}

bool pd_read_parameters(pd_document *document, const yaml_node_t *node, void *destination) {
    (void)destination;
    return pd_read_pairs(document, node, "'parameters'", "key", read_method_settings, NULL);
}

/* ---- The scene ---- */

bool pd_read_substeps(pd_document *document, const yaml_node_t *node, void *destination) {
    pd_scene *scene = destination;
    uint64_t value = 0;
    if (node->type != YAML_SCALAR_NODE)
        return pd_fail_value(document, node, PD_ERROR_SCENE_TYPE, "substeps", "auto, or a whole number");
    if (!pd_node_equals_text(node, "auto") &&
        !pd_read_integer(document, node, "substeps", 1, PD_MOST_SUBSTEPS, PD_ERROR_SCENE_VALUE, &value))
        return false;
    scene->substeps = (int)value;
    return true;
}

bool pd_read_seed(pd_document *document, const yaml_node_t *node, void *destination) {
    return pd_read_integer(document, node, "seed", 0, UINT64_MAX, PD_ERROR_SCENE_VALUE,
                           &((pd_scene *)destination)->seed);
}

/* Checks the version of the format before all other keys, since a later version may have unknown keys. */
static bool check_version(pd_document *document, const yaml_node_t *root) {
    if (!pd_require_mapping(document, root, "the file")) return false;
    const yaml_node_t *version = pd_node_value_or_mapping(document, root, "puddle");
    uint64_t number;
    if (version == root)
        return pd_fail_at(document, root, PD_ERROR_SCENE_KEY,
                          "the key 'puddle' is missing (a scene begins with 'puddle: 1')");
    if (!pd_read_integer(document, version, "puddle", 0, UINT64_MAX, PD_ERROR_SCENE_VERSION, &number)) return false;
    if (number != PD_SCENE_VERSION)
        return pd_fail_at(document, version, PD_ERROR_SCENE_VERSION,
                          "this is format version %llu; this puddle reads version %d (%s)", (unsigned long long)number,
                          PD_SCENE_VERSION, number > PD_SCENE_VERSION ? "update puddle" : "write 'puddle: 1'");
    return true;
}

/* Fails for keys without effect under the scene's method. */
static bool check_unused_keys(pd_document *document, const yaml_node_t *root) {
    pd_feature_use use;
    char text[256];
    bool no_mistake = true;
    while (pd_scene_find_unused_key(document->scene, &use)) {
        const yaml_node_t *node = pd_node_value_or_mapping(document, root, use.list);
        if (strcmp(use.list, "regions") == 0) node = get_list_item(document, node, use.index);
        no_mistake = pd_fail_at(document, pd_node_value_or_mapping(document, node, use.key), PD_ERROR_SCENE_KEY, "%s",
                                pd_feature_use_write_message(document->scene, &use, text, sizeof text));
        if (!pd_document_skip_mistake(document)) return false;
        pd_scene_reset_unused_key(document->scene, &use);
    }
    return no_mistake;
}

/* Fails for items that contradict others, other lists or the container. */
static bool check_rules(pd_document *document, const yaml_node_t *root) {
    pd_scene_fault fault = {0};
    bool no_mistake = true;
    while (pd_scene_find_fault(document->scene, PD_EVERY_LIST, &fault)) {
        const yaml_node_t *node = root;
        if (fault.list == PD_LIST_SETTINGS)
            snprintf(fault.key, sizeof fault.key, "parameters.%s", document->scene->settings[fault.index].key);
        else if (fault.list >= 0)
            node = get_list_item(document, pd_node_value_of_key(document, root, pd_scene_lists[fault.list].key),
                                 fault.index);
        no_mistake = pd_fail_at_fault(document, node, &fault);
        if (!pd_document_skip_mistake(document)) return false;
    }
    return no_mistake;
}

static bool read_scene_document(pd_document *document) {
    const yaml_node_t *root = yaml_document_get_root_node(&document->yaml);
    if (!check_version(document, root) || !pd_read_record(document, root, &pd_scene_schema, document->scene))
        return false;
    bool used = document->saved || check_unused_keys(document, root);
    if (!used && !pd_document_skip_mistake(document)) return false;
    return check_rules(document, root) && used;
}

static pd_result read_scene_text(pd_document *document, const char *text, size_t length, pd_error *error) {
    pd_scene_init(document->scene);
    bool fine = pd_document_parse(document, text, length);
    if (fine) {
        fine = read_scene_document(document);
        yaml_document_delete(&document->yaml);
    }
    if (fine) return PD_OK;
    pd_document_skip_mistake(document); /* reports a mistake after which reading cannot continue */
    pd_scene_free(document->scene);
    const pd_error *first = document->mistakes ? &document->first_mistake : &document->error;
    if (error) *error = *first;
    return pd_error_result(first->code);
}

pd_result pd_scene_read_text(const char *text, size_t length, const char *name, pd_scene *scene, pd_error *error) {
    return read_scene_text(&(pd_document){.name = name, .scene = scene}, text, length, error);
}

pd_result pd_scene_read_snapshot_text(const char *text, size_t length, const char *name, pd_scene *scene,
                                      pd_error *error) {
    /* Greatest size of a scene in a snapshot or log, bytes. Ten million particles need half of this size. */
    static const size_t LARGEST_SAVED = (size_t)512 << 20;
    pd_document document = {.name = name, .scene = scene, .saved = true, .max_size = LARGEST_SAVED};
    return read_scene_text(&document, text, length, error);
}

static pd_result read_scene_file(pd_document *document, pd_error *error) {
    const char *path = document->name;
    void *text;
    size_t length;
    memset(document->scene, 0, sizeof *document->scene);
    if (pd_path_is_picture(path)) return pd_picture_read_scene(path, document->scene, error);
    pd_result result = pd_file_read(path, MAX_FILE_SIZE, &text, &length, error);
    if (result != PD_OK) return result;
    result = read_scene_text(document, text, length, error);
    pd_memory_free(text);
    return result;
}

pd_result pd_scene_read_and_visit_files(const char *path, pd_scene *scene, pd_scene_file_visitor *visit, void *context,
                                        pd_error *error) {
    return read_scene_file(
        &(pd_document){.name = path, .scene = scene, .has_folder = true, .visit = visit, .context = context}, error);
}

pd_result pd_scene_read_and_report_mistakes(const char *path, pd_scene *scene, pd_scene_mistake_visitor *report,
                                            void *context, pd_error *error) {
    return read_scene_file(
        &(pd_document){.name = path, .scene = scene, .has_folder = true, .report = report, .context = context}, error);
}

pd_result pd_scene_read(const char *path, pd_scene *scene, pd_error *error) {
    return pd_scene_read_and_visit_files(path, scene, NULL, NULL, error);
}
