/* Checks scenes that a program built in C, by the tables of keys and ranges in schema.c. */
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/body_names.h"
#include "scene/content/cells.h"
#include "scene/content/counts.h"
#include "scene/content/particle_list.h"
#include "scene/geometry.h"
#include "scene/items.h"
#include "scene/polygon.h"

#include <math.h>
#include <puddle/method.h>
#include <stdio.h>
#include <string.h>

enum { MAX_KEY_PREFIX = 48 }; /* bytes of a key prefix in a message, such as "container.walls.bottom." */

static pd_result fail_integer_out_of_range(pd_error *error, pd_error_code code, const char *key_prefix, const char *key,
                                           int value, int low, int high) {
    return pd_fail(error, code, "%s%s is %d (use %d to %d)", key_prefix, key, value, low, high);
}

/* Reports that a field's value is out of range. value: the value as text. component: ".x" or ".y" of a vector, or "".
 * The message offers the range, and also 0 if 0 means "not given". */
static pd_result fail_field_out_of_range(const pd_record_field *field, pd_error_code code, const char *value,
                                         const char *key_prefix, const char *component, pd_error *error) {
    char range[PD_RANGE_TEXT], zero[64] = "";
    if (field->absent == ABSENT_ZERO && field->absent_text)
        snprintf(zero, sizeof zero, ", or 0: %s", field->absent_text);
    return pd_fail(error, code, "%s%s%s is %s (use %s%s)", key_prefix, field->key, component, value,
                   pd_text_write_range(field->low, field->high, range), zero);
}

static pd_result check_number_range(const pd_record_field *field, float value, const char *key_prefix,
                                    const char *component, pd_error *error) {
    char text[PD_FLOAT_TEXT];
    if ((value >= (float)field->low && value <= (float)field->high) || pd_field_is_absent(field, value)) return PD_OK;
    return fail_field_out_of_range(field, PD_ERROR_SCENE_VALUE, pd_text_write_float(value, text), key_prefix, component,
                                   error);
}

static pd_result check_count_range(const pd_record_field *field, int value, const char *key_prefix, pd_error *error) {
    char text[16];
    if ((value >= field->low && value <= field->high) || (field->absent == ABSENT_ZERO && value == 0)) return PD_OK;
    pd_error_code code = value > field->high ? PD_ERROR_SCENE_TOO_LARGE : PD_ERROR_SCENE_VALUE;
    snprintf(text, sizeof text, "%d", value);
    return fail_field_out_of_range(field, code, text, key_prefix, "", error);
}

static pd_result check_choice_index(const pd_record_field *field, int value, const char *key_prefix, pd_error *error) {
    char valid[128] = "";
    for (int i = 0; field->words[i]; i++) {
        if (!((pd_field_allowed_words(field) & ~field->only_in_files) >> i & 1)) continue;
        if (i == value) return PD_OK;
        pd_text_append_word(valid, sizeof valid, ", ", field->words[i]);
    }
    return pd_fail(error, PD_ERROR_SCENE_VALUE, "%s%s is %d (use one of %s)", key_prefix, field->key, value, valid);
}

static pd_result check_material_index(const pd_scene *scene, const pd_record_field *field, int material,
                                      const char *key_prefix, const char *component, pd_error *error) {
    char key[PD_MAX_NAME];
    if (material >= 0 && material < scene->material_count) return PD_OK;
    snprintf(key, sizeof key, "%s%s", field->key, component);
    return fail_integer_out_of_range(error, PD_ERROR_SCENE_REFERENCE, key_prefix, key, material, 0,
                                     scene->material_count - 1);
}

static pd_result check_field(const pd_scene *scene, const pd_record_field *field, const void *record,
                             const char *key_prefix, pd_error *error) {
    const pd_field_form form = pd_field_forms[field->type];
    const void *value = (const char *)record + field->offset;
    const pd_record_field number = field->type == FIELD_PROPERTY ? pd_number_field_of_property(field) : *field;
    static const char *const axes[] = {".x", ".y"}, *const indices[] = {"[0]", "[1]"};
    pd_result result = PD_OK;
    int choice = 0;
    for (int k = 0; k < form.floats && result == PD_OK; k++)
        result =
            check_number_range(&number, ((const float *)value)[k], key_prefix, form.floats > 1 ? axes[k] : "", error);
    for (int k = 0; k < form.materials && result == PD_OK; k++)
        result = check_material_index(scene, field, ((const int *)value)[k], key_prefix,
                                      form.materials > 1 ? indices[k] : "", error);
    if (field->type == FIELD_COUNT) result = check_count_range(field, *(const int *)value, key_prefix, error);
    if (field->type == FIELD_CHOICE) {
        memcpy(&choice, value, sizeof choice);
        result = check_choice_index(field, choice, key_prefix, error);
    }
    bool is_line = true;
    if (field->type == FIELD_TEXT) is_line = pd_text_is_line(value, PD_MAX_NAME);
    if (field->type == FIELD_NAMES)
        is_line =
            pd_text_is_line(value, PD_MAX_NAME) && pd_text_is_line((const char *)value + PD_MAX_NAME, PD_MAX_NAME);
    if (is_line) return result;
    return pd_fail(error, PD_ERROR_SCENE_VALUE,
                   "%s%s is not one line of UTF-8 text of at most %d bytes (choose another text)", key_prefix,
                   field->key, PD_MAX_NAME - 1);
}

/* Reports that the value of a key contradicts another value: "container.outflow: FAULT". If the fault begins with the
 * key in quotes, the message contains the key only once. */
static pd_result fail_conflict(pd_error *error, const char *key_prefix, const char *key, const char *fault) {
    size_t length = strlen(key);
    if (*fault == '\'' && strncmp(fault + 1, key, length) == 0 && fault[length + 1] == '\'')
        return pd_fail(error, PD_ERROR_SCENE_VALUE, "%s%s%s", key_prefix, key, fault + length + 2);
    return pd_fail(error, PD_ERROR_SCENE_VALUE, "%s%s: %s", key_prefix, key, fault);
}

/* Checks the value of each field that this kind of record has. Then checks that the values do not contradict each
 * other. */
static pd_result check_record(const pd_scene *scene, const pd_record_schema *schema, const void *record,
                              const char *key_prefix, pd_error *error) {
    pd_result result = PD_OK;
    for (int i = 0; i < schema->count && result == PD_OK; i++)
        if (pd_record_has_field(schema, i, pd_record_kind(schema, record)))
            result = check_field(scene, &schema->fields[i], record, key_prefix, error);
    const char *key, *fault = result == PD_OK && schema->find_conflict ? schema->find_conflict(record, &key) : NULL;
    return fault ? fail_conflict(error, key_prefix, key, fault) : result;
}

/* ---- Checks that the tables cannot express ---- */

static pd_result check_materials(const pd_scene *scene, pd_error *error) {
    char key_prefix[MAX_KEY_PREFIX];
    if (scene->material_count < 1 || scene->material_count > PD_MAX_MATERIALS)
        return fail_integer_out_of_range(error, PD_ERROR_SCENE_VALUE, "", "material_count", scene->material_count, 1,
                                         PD_MAX_MATERIALS);
    for (int i = 0; i < scene->material_count; i++) {
        const pd_material *material = &scene->materials[i];
        snprintf(key_prefix, sizeof key_prefix, "materials[%d].", i);
        pd_result result = pd_check_list_item(scene, PD_LIST_MATERIALS, material, key_prefix, error);
        for (int k = 0; k < i && result == PD_OK; k++)
            if (strcmp(scene->materials[k].name, material->name) == 0)
                result = pd_fail(error, PD_ERROR_SCENE_VALUE, "%sname is '%s', like materials[%d].name (rename one)",
                                 key_prefix, material->name, k);
        if (result != PD_OK) return result;
    }
    return PD_OK;
}

static pd_result check_container(const pd_scene *scene, pd_error *error) {
    const pd_container *container = &scene->container;
    pd_result result = check_record(scene, &pd_container_schema, container, "container.", error);
    if (container->shape != PD_CONTAINER_BOX) return result;
    for (int i = 0; i < PD_WALLS && result == PD_OK; i++) {
        char key_prefix[MAX_KEY_PREFIX];
        snprintf(key_prefix, sizeof key_prefix, "container.walls.%s.", pd_walls_schema.fields[i].key);
        result = check_record(scene, &pd_wall_schema, &container->walls[i], key_prefix, error);
    }
    const char *key, *fault = pd_container_find_conflict(container, &key);
    if (result == PD_OK && fault) result = fail_conflict(error, "container.", key, fault);
    return result;
}

static pd_result check_image_pixels(const pd_scene *scene, const pd_area *area, const char *key_prefix,
                                    pd_error *error) {
    if (area->shape != PD_SHAPE_IMAGE) return PD_OK;
    int columns = area->columns, rows = area->rows;
    bool fits = columns >= 1 && columns <= PD_MAX_IMAGE_SIDE && rows >= 1 && rows <= PD_MAX_IMAGE_SIDE;
    if (!fits || !area->pixels)
        return pd_fail(error, PD_ERROR_SCENE_VALUE, "%spixels are %d x %d%s (use 1 to %d each way)", key_prefix,
                       columns, rows, area->pixels ? "" : ", and NULL", PD_MAX_IMAGE_SIDE);
    if (pd_image_is_empty(area))
        return pd_fail(error, PD_ERROR_SCENE_VALUE, "%spixels have no fluid (use a material for some)", key_prefix);
    for (int i = 0; i < columns * rows; i++)
        if (area->pixels[i] != PD_NO_FLUID && area->pixels[i] >= scene->material_count)
            return pd_fail(error, PD_ERROR_SCENE_REFERENCE, "%spixels[%d] is %d (use 0 to %d, or %d)", key_prefix, i,
                           area->pixels[i], scene->material_count - 1, PD_NO_FLUID);
    return PD_OK;
}

static pd_result check_listed_particles(const pd_scene *scene, const pd_region *region, const char *key_prefix,
                                        pd_error *error) {
    if (!region->particles || region->count < 1)
        return pd_fail(error, PD_ERROR_SCENE_VALUE, "%sparticles is empty (use pd_scene_add_particles)", key_prefix);
    for (int i = 0; i < region->count; i++) {
        const pd_scene_particle *p = &region->particles[i];
        if (!pd_listed_particle_is_valid(scene->material_count, p))
            return pd_fail(error, PD_ERROR_SCENE_VALUE,
                           "%sparticles[%d] has position (%g, %g), velocity (%g, %g) and material %d "
                           "(use positions within +-%g m, velocities within +-%g m/s and materials 0 to %d)",
                           key_prefix, i, (double)p->position.x, (double)p->position.y, (double)p->velocity.x,
                           (double)p->velocity.y, p->material, PD_FARTHEST, PD_FASTEST, scene->material_count - 1);
    }
    return PD_OK;
}

pd_result pd_check_region_content(const pd_scene *scene, const void *item, const char *key_prefix, pd_error *error) {
    const pd_region *region = item;
    if (region->area.shape == PD_SHAPE_PARTICLES) return check_listed_particles(scene, region, key_prefix, error);
    return check_image_pixels(scene, &region->area, key_prefix, error);
}

pd_result pd_check_area_points(const pd_scene *scene, const void *item, const char *key_prefix, pd_error *error) {
    const pd_area *area = item; /* first member of obstacles and bodies */
    pd_result result = PD_OK;
    bool polygon = area->shape == PD_SHAPE_POLYGON;
    if (!pd_area_has_points(area)) return PD_OK;
    if (area->point_count < 2 + polygon || area->point_count > PD_MAX_POINTS)
        return fail_integer_out_of_range(error, PD_ERROR_SCENE_VALUE, key_prefix, "point_count", area->point_count,
                                         2 + polygon, PD_MAX_POINTS);
    if (!area->points)
        return pd_fail(error, PD_ERROR_SCENE_VALUE, "%spoints is NULL (give it %d points)", key_prefix,
                       area->point_count);
    for (int i = 0; i < area->point_count && result == PD_OK; i++) {
        char name[24];
        snprintf(name, sizeof name, "points[%d]", i);
        pd_record_field field = {.key = name, .type = FIELD_VECTOR, .low = -PD_FARTHEST, .high = PD_FARTHEST};
        result = check_field(scene, &field, &area->points[i], key_prefix, error);
    }
    char fault[160];
    int point;
    if (result != PD_OK || !polygon || !pd_polygon_find_fault(area, &point, fault, sizeof fault)) return result;
    return fail_conflict(error, key_prefix, "points", fault);
}

/* Fails if an earlier attraction is between the same two materials. */
pd_result pd_check_attraction(const pd_scene *scene, const void *item, const char *key_prefix, pd_error *error) {
    const pd_attraction *attraction = item;
    int a = attraction->between[0], b = attraction->between[1];
    for (const pd_attraction *other = scene->attractions; other < attraction; other++)
        if ((other->between[0] == a && other->between[1] == b) || (other->between[0] == b && other->between[1] == a))
            return pd_fail(error, PD_ERROR_SCENE_VALUE, "%sbetween is %d and %d a second time (keep one)", key_prefix,
                           a, b);
    return PD_OK;
}

/* Fails if names of bodies are wrong, or if a joint does not join two bodies of the scene. */
static pd_result check_bodies(const pd_scene *scene, pd_error *error) {
    pd_body_fault fault;
    char key_prefix[MAX_KEY_PREFIX];
    if (!pd_scene_find_body_fault(scene, 0, &fault)) return PD_OK;
    snprintf(key_prefix, sizeof key_prefix, "%s[%d].", pd_scene_lists[fault.list].key, fault.index);
    return fail_conflict(error, key_prefix, fault.key, fault.text);
}

/* ---- Lists ---- */

static pd_result check_list_size(const pd_scene_list_info *list, const void *items, int count, pd_error *error) {
    const char *key = list->key, *item_noun = list->schema->noun;
    if (count < 0 || count > list->max_count) {
        char count_key[MAX_KEY_PREFIX];
        snprintf(count_key, sizeof count_key, "%s_count", item_noun);
        return fail_integer_out_of_range(error, count < 0 ? PD_ERROR_SCENE_VALUE : PD_ERROR_SCENE_TOO_LARGE, "",
                                         count_key, count, 0, list->max_count);
    }
    if (count > 0 && !items)
        return pd_fail(error, PD_ERROR_SCENE_VALUE, "%s is NULL, but %s_count is %d", key, item_noun, count);
    return PD_OK;
}

pd_result pd_check_list_item(const pd_scene *scene, int list_id, const void *item, const char *key_prefix,
                             pd_error *error) {
    const pd_scene_list_info *l = &pd_scene_lists[list_id];
    const char *name = l->is_inline ? item : NULL;
    if (name && (!*name || !pd_text_is_line(name, PD_MAX_NAME)))
        return pd_fail(error, PD_ERROR_SCENE_VALUE,
                       "%sname is not one line of UTF-8 text of 1 to %d bytes (choose another name)", key_prefix,
                       PD_MAX_NAME - 1);
    pd_result result = check_record(scene, l->schema, item, key_prefix, error);
    return result == PD_OK && l->check ? l->check(scene, item, key_prefix, error) : result;
}

static pd_result check_items_of_list(const pd_scene *scene, int list_id, pd_error *error) {
    int count = pd_scene_list_count(list_id, scene);
    pd_result result = check_list_size(&pd_scene_lists[list_id], pd_scene_list_items(list_id, scene), count, error);
    for (int i = 0; i < count && result == PD_OK; i++) {
        char key_prefix[MAX_KEY_PREFIX];
        snprintf(key_prefix, sizeof key_prefix, "%s[%d].", pd_scene_lists[list_id].key, i);
        result = pd_check_list_item(scene, list_id, pd_scene_list_item(list_id, scene, i), key_prefix, error);
    }
    return result;
}

pd_result pd_check_setting(const pd_scene *scene, const void *item, const char *key_prefix, pd_error *error) {
    const pd_setting *setting = item;
    int method, index;
    pd_error reason = {.code = PD_ERROR_PARAMETER_UNKNOWN, .message = "the key does not end within its array"};
    pd_result result = PD_BAD_INPUT;
    if (memchr(setting->key, 0, sizeof setting->key))
        result = pd_parameter_find(setting->key, &method, &index, &reason);
    if (result == PD_OK)
        result = pd_parameter_check(pd_method_parameter_at(pd_method_at(method), index), setting->value, &reason);
    for (const pd_setting *other = scene->settings; other < setting && result == PD_OK; other++)
        if (strcmp(other->key, setting->key) == 0)
            return pd_fail(error, PD_ERROR_PARAMETER_VALUE, "%skey is '%s' a second time (keep one)", key_prefix,
                           setting->key);
    if (result == PD_OK) return pd_scene_check_parameter_fits_container(scene, setting->key, setting->value, error);
    /* The message omits the dot at the end of the prefix. It has at most 400 characters of the reason, so that the
     * prefix fits into pd_error.message too. */
    return pd_fail(error, reason.code, "%.*s: %.400s", (int)strlen(key_prefix) - 1, key_prefix, reason.message);
}

static pd_result check_image_pixel_total(const pd_scene *scene, pd_error *error) {
    if (pd_scene_image_pixel_count(scene) <= PD_MAX_PIXELS) return PD_OK;
    return pd_fail(error, PD_ERROR_SCENE_TOO_LARGE, "the images have more than %d pixels together (use fewer)",
                   PD_MAX_PIXELS);
}

static pd_result check_all_lists(const pd_scene *scene, pd_error *error) {
    pd_result result = PD_OK;
    for (int list_id = PD_LIST_REGIONS; list_id < PD_ALL_LISTS && result == PD_OK; list_id++) {
        result = check_items_of_list(scene, list_id, error);
        if (result == PD_OK && list_id == PD_LIST_REGIONS) result = check_image_pixel_total(scene, error);
    }
    return result;
}

/* ---- The scene ---- */

static pd_result check_method_exists(const pd_scene *scene, pd_error *error) {
    if (memchr(scene->method, 0, sizeof scene->method) && pd_method_find(scene->method)) return PD_OK;
    return pd_fail(error, PD_ERROR_METHOD_UNKNOWN, "unknown method '%.*s' ('puddle list methods' shows all)",
                   PD_MAX_METHOD_NAME, scene->method);
}

static pd_result check_region_position(const pd_scene *scene, int region_index, pd_error *error) {
    const pd_region *region = &scene->regions[region_index];
    if (pd_area_is_outside_container(&region->area, &scene->container))
        return pd_fail(error, PD_ERROR_SCENE_VALUE, "regions[%d] lies outside the container (move it inside)",
                       region_index);
    for (int k = 0; k < scene->obstacle_count; k++)
        if (pd_area_is_covered_by_obstacle(&region->area, &scene->obstacles[k].area))
            return pd_fail(error, PD_ERROR_SCENE_VALUE,
                           "regions[%d] lies inside obstacles[%d] (move the region to a free place)", region_index, k);
    return PD_OK;
}

/* Fails if a region is wholly outside the container or wholly inside an obstacle. */
static pd_result check_region_positions(const pd_scene *scene, pd_error *error) {
    pd_result result = PD_OK;
    for (int i = 0; i < scene->region_count && result == PD_OK; i++) result = check_region_position(scene, i, error);
    return result;
}

static pd_result check_particle_total(const pd_scene *scene, pd_error *error) {
    if (scene->particles > 0 && pd_scene_has_listed_particles(scene))
        return pd_fail(error, PD_ERROR_SCENE_VALUE, PD_PARTICLE_LIST_FAULT);
    int total, *counts = pd_memory_new(((size_t)scene->region_count + 1) * sizeof *counts);
    if (!counts)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY,
                       "checking the scene failed: out of memory (close other programs)");
    pd_result result = pd_regions_compute_particle_counts(scene, counts, &total, error);
    pd_memory_free(counts);
    return result;
}

pd_result pd_check_list_consistency(const pd_scene *scene, int list_id, pd_error *error) {
    pd_result result = PD_OK;
    if (list_id == PD_LIST_MATERIALS) return check_materials(scene, error); /* fails if two names are equal */
    if (list_id == PD_LIST_ATTRACTIONS)
        return check_items_of_list(scene, list_id, error); /* fails if two attractions are between the same materials */
    if (list_id == PD_LIST_BODIES || list_id == PD_LIST_JOINTS) return check_bodies(scene, error);
    if (list_id == PD_LIST_OBSTACLES && check_region_positions(scene, NULL) != PD_OK)
        return pd_fail(error, PD_ERROR_SCENE_VALUE,
                       "the wall covers a place where fluid begins (make the wall smaller, or choose another place)");
    if (list_id != PD_LIST_REGIONS) return PD_OK;
    result = check_image_pixel_total(scene, error);
    if (result == PD_OK) result = check_region_positions(scene, error);
    return result == PD_OK ? check_particle_total(scene, error) : result;
}

pd_result pd_scene_check(const pd_scene *scene, pd_error *error) {
    pd_result result = check_method_exists(scene, error);
    if (result == PD_OK) result = check_record(scene, &pd_scene_schema, scene, "", error);
    if (result == PD_OK && (scene->substeps < 0 || scene->substeps > PD_MOST_SUBSTEPS))
        result = fail_integer_out_of_range(error, PD_ERROR_SCENE_VALUE, "", "substeps", scene->substeps, 0,
                                           PD_MOST_SUBSTEPS);
    if (result == PD_OK) result = check_materials(scene, error);
    if (result == PD_OK) result = check_container(scene, error);
    if (result == PD_OK) result = check_all_lists(scene, error);
    if (result == PD_OK) result = check_bodies(scene, error);
    if (result == PD_OK) result = pd_cells_check(scene, error);
    if (result == PD_OK) result = check_region_positions(scene, error);
    return result == PD_OK ? check_particle_total(scene, error) : result;
}
