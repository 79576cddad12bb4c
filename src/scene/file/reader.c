/* Reads scene files by the tables of schema.c, with functions for values that the tables cannot describe. */
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/body_names.h"
#include "scene/content/counts.h"
#include "scene/content/image.h"
#include "scene/content/particle_list.h"
#include "scene/features.h"
#include "scene/geometry.h"
#include "scene/items.h"
#include "scene/polygon.h"

#include <math.h>
#include <puddle/method.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static yaml_node_t *get_list_item(pd_document *document, const yaml_node_t *list, int index) {
    return pd_node_at(document, list->data.sequence.items.start[index]);
}

/* Returns the node of a key's value, or the mapping if it lacks the key. Used for the position of a message. */
static const yaml_node_t *find_value_or_mapping(pd_document *document, const yaml_node_t *mapping, const char *key) {
    const yaml_node_t *value = pd_node_value_of_key(document, mapping, key);
    return value ? value : mapping;
}

/* ---- Materials ---- */

bool pd_read_material_name(pd_document *document, const yaml_node_t *key, pd_material *material) {
    pd_record_set_defaults(&pd_material_schema, material);
    if (!pd_read_text(document, key, "a material's name", material->name, sizeof material->name)) return false;
    return *material->name ||
           pd_fail_at(document, key->start_mark, PD_ERROR_SCENE_VALUE, "a material without a name (name it)");
}

bool pd_read_materials(pd_document *document, const yaml_node_t *node, void *destination) {
    pd_scene *scene = destination;
    if (!pd_require_mapping(document, node, "'materials'")) return false;
    const yaml_node_pair_t *pairs = node->data.mapping.pairs.start;
    ptrdiff_t count = node->data.mapping.pairs.top - pairs;
    if (count == 0)
        return pd_fail_at(document, node->start_mark, PD_ERROR_SCENE_VALUE,
                          "'materials' is empty (leave it out for water)");
    if (count > PD_MAX_MATERIALS)
        return pd_fail_at(document, node->start_mark, PD_ERROR_SCENE_TOO_LARGE, "%td materials (at most %d)", count,
                          PD_MAX_MATERIALS);
    bool no_mistake = true; /* whether no mistake was skipped */
    scene->material_count = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        const yaml_node_t *key = pd_node_at(document, pairs[i].key);
        pd_material *material = &scene->materials[scene->material_count];
        bool fine = pd_read_material_name(document, key, material);
        if (fine && pd_find_material(scene->materials, scene->material_count, material->name) >= 0)
            fine = pd_fail_at(document, key->start_mark, PD_ERROR_SCENE_KEY, "the material '%s' comes twice (keep one)",
                              material->name);
        if (fine) {
            scene->material_count++; /* later items may name the material even if its own keys have mistakes */
            fine = pd_read_record(document, pd_node_at(document, pairs[i].value), &pd_material_schema, material);
        }
        no_mistake = no_mistake && fine;
        if (!fine && !pd_document_skip_mistake(document)) return false;
    }
    return no_mistake;
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
    const yaml_node_t *file = find_value_or_mapping(document, item, "file"),
                      *pixels = find_value_or_mapping(document, item, "pixels");
    const yaml_node_t *materials = find_value_or_mapping(document, item, "materials");
    if ((file == item) == (pixels == item))
        return pd_fail_at(document, item->start_mark, PD_ERROR_SCENE_KEY, "an image has %s",
                          file == item ? "no 'file' (add it, such as file: picture.png)"
                                       : "both file and pixels (keep one)");
    if (file != item && materials != item)
        return pd_fail_at_key(document, item, "materials",
                              "an image's materials go with its pixels, not with a file (leave them out)");
    if (file != item) return pd_read_image_file(document, file, remaining_images, region);
    if (materials == item)
        return pd_fail_at(document, item->start_mark, PD_ERROR_SCENE_KEY,
                          "an image with pixels has no 'materials' (add them, such as materials: [water])");
    if (region->area.size.y == 0)
        return pd_fail_at_key(document, item, "size", "'size' is one number (allowed: [width, height] with pixels)");
    return pd_read_pixels(document, materials, pixels, &region->area);
}

static bool read_region_images(pd_document *document, const yaml_node_t *node) {
    pd_scene *scene = document->scene;
    int remaining_images = 0;
    for (int i = 0; i < scene->region_count; i++) remaining_images += scene->regions[i].area.shape == PD_SHAPE_IMAGE;
    for (int i = 0; i < scene->region_count; i++) {
        pd_region *region = &scene->regions[i];
        if (region->area.shape != PD_SHAPE_IMAGE) continue;
        if (!read_region_image(document, get_list_item(document, node, i), region, remaining_images--)) return false;
        if (pd_scene_image_pixel_count(scene) > PD_MAX_PIXELS)
            return pd_fail_at(document, get_list_item(document, node, i)->start_mark, PD_ERROR_SCENE_TOO_LARGE,
                              "the images have more than %d pixels together (use fewer)", PD_MAX_PIXELS);
    }
    return true;
}

bool pd_read_points(pd_document *document, const yaml_node_t *node, void *destination) {
    pd_area *area = destination; /* first member of obstacles and bodies */
    int count;
    if (!pd_require_list(document, node, "points", PD_MAX_POINTS, &count)) return false;
    bool polygon = area->shape == PD_SHAPE_POLYGON;
    if (count < 2 && !polygon)
        return pd_fail_at(document, node->start_mark, PD_ERROR_SCENE_VALUE,
                          "a polyline of %d point%s (allowed: two or more)", count, count == 1 ? "" : "s");
    area->points = pd_memory_new_zeroed((size_t)count + 1, sizeof(pd_vec2));
    if (!area->points) return pd_fail_memory_at(document, node);
    area->point_count = count;
    for (int i = 0; i < count; i++)
        if (!pd_read_vector(document, get_list_item(document, node, i), "points", -PD_FARTHEST, PD_FARTHEST,
                            &area->points[i]))
            return false;
    char fault[160];
    int point;
    if (!polygon || !pd_polygon_find_fault(area, &point, fault, sizeof fault)) return true;
    yaml_mark_t mark = count > 2 ? get_list_item(document, node, point)->start_mark : node->start_mark;
    return pd_fail_at(document, mark, PD_ERROR_SCENE_VALUE, "%s", fault);
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
    if (!region) return true;
    if (region->area.shape == PD_SHAPE_PARTICLES) return pd_read_particle_list(document, node, region);
    return region->area.shape != PD_SHAPE_IMAGE || remaining_images == 0 ||
           read_region_image(document, node, region, remaining_images);
}

/* Fails if an earlier attraction is between the same two materials. */
static bool check_new_attraction_pair(pd_document *document, const yaml_node_t *item, int index) {
    const pd_scene *scene = document->scene;
    const int *pair = scene->attractions[index].between;
    for (int i = 0; i < index; i++) {
        const int *other = scene->attractions[i].between;
        if ((pair[0] != other[0] || pair[1] != other[1]) && (pair[0] != other[1] || pair[1] != other[0])) continue;
        return pd_fail_at(document, find_value_or_mapping(document, item, "between")->start_mark, PD_ERROR_SCENE_VALUE,
                          "the attraction between '%s' and '%s' comes twice (keep one)", scene->materials[pair[0]].name,
                          scene->materials[pair[1]].name);
    }
    return true;
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
            (list_id != PD_LIST_ATTRACTIONS || !no_mistake || check_new_attraction_pair(document, item, i)))
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

static bool read_setting(pd_document *document, const pd_method_info *method, const yaml_node_t *key,
                         const yaml_node_t *node) {
    char name[PD_MAX_KEY], shown[MAX_SHOWN], range[PD_RANGE_TEXT];
    int m, index;
    float value;
    pd_error error = {0};
    if (key->type != YAML_SCALAR_NODE)
        return pd_fail_at(document, key->start_mark, PD_ERROR_SCENE_TYPE, "a parameter's key is %s (allowed: a word)",
                          pd_node_describe(key, shown));
    snprintf(name, sizeof name, "%s.%.*s", method->name, 40, (const char *)key->data.scalar.value);
    if (pd_parameter_find(name, &m, &index, &error) != PD_OK)
        return pd_fail_at(document, key->start_mark, error.code, "%s", error.message);
    const pd_parameter *parameter = pd_method_parameter_at(method, index);
    bool number = parameter->type == PD_PARAMETER_NUMBER || parameter->type == PD_PARAMETER_INTEGER;
    bool quoted = node->type == YAML_SCALAR_NODE && node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (node->type != YAML_SCALAR_NODE || (quoted && parameter->type != PD_PARAMETER_CHOICE))
        return pd_fail_at(document, node->start_mark, PD_ERROR_PARAMETER_VALUE, "'%s' is %s (allowed: %s)", name,
                          pd_node_describe(node, shown), number ? "a number without quotes" : "one plain word");
    if (number && !pd_node_is_decimal(node))
        return pd_fail_at(document, node->start_mark, PD_ERROR_PARAMETER_VALUE, "'%s' is %s (allowed: a number, %s)",
                          name, pd_node_describe(node, shown),
                          pd_text_write_range((double)parameter->minimum, (double)parameter->maximum, range));
    const char *text = (const char *)node->data.scalar.value;
    if (pd_parameter_parse(parameter, text, &value, &error) != PD_OK ||
        pd_scene_set_parameter(document->scene, name, value, &error) != PD_OK)
        return pd_fail_at(document, node->start_mark, error.code, "%s", error.message);
    return true;
}

static bool read_method_settings(pd_document *document, const pd_method_info *method, const yaml_node_t *node) {
    bool seen[PD_MAX_PARAMETERS] = {false}, no_mistake = true;
    if (!pd_require_mapping(document, node, method->name)) return false;
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = pd_node_at(document, pair->key);
        bool fine = read_setting(document, method, key, pd_node_at(document, pair->value));
        for (int i = 0; i < method->parameter_count && fine; i++) {
            if (!pd_node_equals_text(key, pd_method_parameter_at(method, i)->key)) continue;
            if (seen[i])
                fine = pd_fail_at(document, key->start_mark, PD_ERROR_SCENE_KEY, "the key '%s' comes twice (keep one)",
                                  pd_method_parameter_at(method, i)->key);
            seen[i] = true;
        }
        no_mistake = no_mistake && fine;
        if (!fine && !pd_document_skip_mistake(document)) return false;
    }
    return no_mistake;
}

bool pd_read_parameters(pd_document *document, const yaml_node_t *node, void *destination) {
    (void)destination;
    unsigned seen = 0;
    bool no_mistake = true;
    if (!pd_require_mapping(document, node, "'parameters'")) return false;
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = pd_node_at(document, pair->key);
        const pd_method_info *method = find_method(document, key);
        bool fine = method != NULL;
        for (int i = 0; i < pd_method_count() && fine; i++) {
            if (pd_method_at(i) != method) continue;
            if (seen >> i & 1)
                fine = pd_fail_at(document, key->start_mark, PD_ERROR_SCENE_KEY, "the key '%s' comes twice (keep one)",
                                  method->name);
            seen |= 1u << i;
        }
        fine = fine && read_method_settings(document, method, pd_node_at(document, pair->value));
        no_mistake = no_mistake && fine;
        if (!fine && !pd_document_skip_mistake(document)) return false;
    }
    return no_mistake;
}

/* ---- The scene ---- */

bool pd_read_substeps(pd_document *document, const yaml_node_t *node, void *destination) {
    pd_scene *scene = destination;
    uint64_t value = 0;
    char shown[MAX_SHOWN];
    if (node->type != YAML_SCALAR_NODE)
        return pd_fail_at(document, node->start_mark, PD_ERROR_SCENE_TYPE,
                          "'substeps' is %s (allowed: auto, or a whole number)", pd_node_describe(node, shown));
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
    const yaml_node_t *version = find_value_or_mapping(document, root, "puddle");
    uint64_t number;
    if (version == root)
        return pd_fail_at(document, root->start_mark, PD_ERROR_SCENE_KEY,
                          "the key 'puddle' is missing (a scene begins with 'puddle: 1')");
    if (!pd_read_integer(document, version, "puddle", 0, UINT64_MAX, PD_ERROR_SCENE_VERSION, &number)) return false;
    if (number != PD_SCENE_VERSION)
        return pd_fail_at(document, version->start_mark, PD_ERROR_SCENE_VERSION,
                          "this is format version %llu; this puddle reads version %d (%s)", (unsigned long long)number,
                          PD_SCENE_VERSION, number > PD_SCENE_VERSION ? "update puddle" : "write 'puddle: 1'");
    return true;
}

/* Returns the position of the count or spacing that makes the number of particles too large. Without such a key returns
 * the position of the list of regions. */
static yaml_mark_t find_particle_excess_position(pd_document *document, const yaml_node_t *regions) {
    double total = 0;
    for (int i = 0; i < document->scene->region_count; i++) {
        const pd_region *region = &document->scene->regions[i];
        double spacing = region->spacing;
        if (region->count)
            total += region->count;
        else if (spacing > 0)
            total += pd_area_square_metres(&region->area) / (spacing * spacing);
        if (total > PD_MAX_PARTICLES)
            return find_value_or_mapping(document, get_list_item(document, regions, i),
                                         region->count ? "count" : "spacing")
                ->start_mark;
    }
    return regions->start_mark;
}

static bool check_particle_total(pd_document *document, const yaml_node_t *root) {
    const pd_scene *scene = document->scene;
    if (!scene->region_count) return true;
    if (scene->particles > 0 && pd_scene_has_listed_particles(scene))
        return pd_fail_at_key(document, root, "particles", PD_PARTICLE_LIST_FAULT);
    int total, *counts = pd_memory_new((size_t)scene->region_count * sizeof *counts);
    pd_error error = {.code = PD_ERROR_OUT_OF_MEMORY, .message = "out of memory (close other programs)"};
    bool fine = counts && pd_regions_compute_particle_counts(scene, counts, &total, &error) == PD_OK;
    pd_memory_free(counts);
    if (fine) return true;
    yaml_mark_t mark = find_particle_excess_position(document, find_value_or_mapping(document, root, "regions"));
    return pd_fail_at(document, mark, error.code, "%s", error.message);
}

static bool fail_region_position(pd_document *document, const yaml_node_t *root, int index, const char *fault) {
    const yaml_node_t *region = get_list_item(document, find_value_or_mapping(document, root, "regions"), index);
    yaml_mark_t mark = find_value_or_mapping(document, region, "center")->start_mark;
    return pd_fail_at(document, mark, PD_ERROR_SCENE_VALUE, "the region lies %s", fault);
}

static bool check_region_position(pd_document *document, const yaml_node_t *root, int index) {
    const pd_scene *scene = document->scene;
    const pd_region *region = &scene->regions[index];
    if (pd_area_is_outside_container(&region->area, &scene->container))
        return fail_region_position(document, root, index, "outside the container (move it inside)");
    for (int k = 0; k < scene->obstacle_count; k++)
        if (pd_area_is_covered_by_obstacle(&region->area, &scene->obstacles[k].area))
            return fail_region_position(document, root, index, "inside an obstacle (move the region to a free place)");
    return true;
}

static bool check_region_positions(pd_document *document, const yaml_node_t *root) {
    bool no_mistake = true;
    for (int i = 0; i < document->scene->region_count; i++) {
        if (check_region_position(document, root, i)) continue;
        if (!pd_document_skip_mistake(document)) return false;
        no_mistake = false;
    }
    return no_mistake;
}

static bool check_parameters_fit_container(pd_document *document, const yaml_node_t *root) {
    const pd_scene *scene = document->scene;
    bool no_mistake = true;
    for (int i = 0; i < scene->setting_count; i++) {
        const pd_setting *setting = &scene->settings[i];
        pd_error error;
        char method[PD_MAX_KEY];
        if (pd_scene_check_parameter_fits_container(scene, setting->key, setting->value, &error) == PD_OK) continue;
        size_t length = strcspn(setting->key, ".");
        snprintf(method, sizeof method, "%.*s", (int)length, setting->key);
        const yaml_node_t *values =
            find_value_or_mapping(document, find_value_or_mapping(document, root, "parameters"), method);
        yaml_mark_t mark = find_value_or_mapping(document, values, setting->key + length + 1)->start_mark;
        no_mistake = pd_fail_at(document, mark, error.code, "%s", error.message);
        if (!pd_document_skip_mistake(document)) return false;
    }
    return no_mistake;
}

/* Fails for keys without effect under the scene's method. */
static bool check_unused_keys(pd_document *document, const yaml_node_t *root) {
    pd_feature_use use;
    char text[256];
    bool no_mistake = true;
    while (pd_scene_find_unused_key(document->scene, &use)) {
        const yaml_node_t *node = find_value_or_mapping(document, root, use.list);
        if (strcmp(use.list, "regions") == 0) node = get_list_item(document, node, use.index);
        no_mistake =
            pd_fail_at(document, find_value_or_mapping(document, node, use.key)->start_mark, PD_ERROR_SCENE_KEY, "%s",
                       pd_feature_use_write_message(document->scene, &use, text, sizeof text));
        if (!pd_document_skip_mistake(document)) return false;
        pd_scene_reset_unused_key(document->scene, &use);
    }
    return no_mistake;
}

/* Fails if the settings of the container's sides contradict each other. */
static bool check_container_sides(pd_document *document, const yaml_node_t *root) {
    const char *key, *fault = pd_container_find_conflict(&document->scene->container, &key);
    return !fault || pd_fail_at_key(document, find_value_or_mapping(document, root, "container"), key, fault);
}

/* Fails for bodies and joints that contradict others. */
static bool check_bodies(pd_document *document, const yaml_node_t *root) {
    pd_body_fault fault;
    bool no_mistake = true;
    for (int i = 0; pd_scene_find_body_fault(document->scene, i, &fault); i = fault.number + 1) {
        const yaml_node_t *list = find_value_or_mapping(document, root, pd_scene_lists[fault.list].key);
        no_mistake = pd_fail_at_key(document, get_list_item(document, list, fault.index), fault.key, fault.text);
        if (!pd_document_skip_mistake(document)) return false;
    }
    return no_mistake;
}

/* Function that checks a scene after it was read. Messages give positions in the document. */
typedef bool document_check(pd_document *document, const yaml_node_t *root);

static bool read_scene_document(pd_document *document) {
    const yaml_node_t *root = yaml_document_get_root_node(&document->yaml);
    static document_check *const checks[] = {check_particle_total,           check_region_positions,
                                             check_parameters_fit_container, check_unused_keys,
                                             check_container_sides,          check_bodies};
    bool no_mistake = true;
    if (!check_version(document, root) || !pd_read_record(document, root, &pd_scene_schema, document->scene))
        return false;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if ((document->saved && checks[i] == check_unused_keys) || checks[i](document, root)) continue;
        if (!pd_document_skip_mistake(document)) return false;
        no_mistake = false;
    }
    return no_mistake;
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
