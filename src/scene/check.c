/* Checks scenes by the tables of schema.c, and by rules that the tables cannot express. Scene files, programs and edits share
 * the rules: a rule finds a fault, and the caller says where it is. */
#include "core/error.h"
#include "core/text.h"
#include "scene/content/cells.h"
#include "scene/content/counts.h"
#include "scene/content/particle_list.h"
#include "scene/geometry.h"
#include "scene/items.h"
#include "scene/polygon.h"

#include <math.h>
#include <puddle/method.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Faults ---- */

bool pd_fault_set(pd_scene_fault *fault, pd_error_code code, const char *key, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    snprintf(fault->key, sizeof fault->key, "%s", key);
    fault->code = code;
    fault->list = fault->element = -1;
    return true;
}

/* Writes "regions[2].radius is 0" for the text "'radius' is 0", and "regions[2].spacing: TEXT" for another text. */
static pd_result fail_with_fault(const pd_scene_fault *fault, pd_error *error) {
    char place[160] = "";
    size_t quoted = *fault->text == '\'' ? strcspn(fault->text + 1, "'") : 0, length = strlen(fault->key);
    bool repeats = quoted && quoted <= length && memcmp(fault->key + length - quoted, fault->text + 1, quoted) == 0;
    if (fault->list >= 0)
        snprintf(place, sizeof place, "%s[%d]%s", pd_scene_lists[fault->list].key, fault->index, length ? "." : "");
    pd_text_append(place, sizeof place, "%s", fault->key);
    return pd_fail(error, fault->code, "%s%s%s", place, repeats || !*place ? "" : ": ",
                   fault->text + (repeats ? quoted + 2 : 0));
}

/* ---- Checks by the tables ---- */

/* Sets a fault for a value out of range. key: the field's key, or that of a component. value: the value as text. The text
 * offers the range, and also 0 if 0 means "not given". */
static bool set_range_fault(pd_scene_fault *fault, pd_error_code code, const pd_record_field *field, const char *key,
                            const char *value) {
    char range[PD_RANGE_TEXT], zero[64] = "";
    if (field->absent == ABSENT_ZERO && field->absent_text)
        snprintf(zero, sizeof zero, ", or 0: %s", field->absent_text);
    return pd_fault_set(fault, code, key, "'%s' is %s (use %s%s)", key, value,
                        pd_text_write_range(field->low, field->high, range), zero);
}

static bool set_integer_fault(pd_scene_fault *fault, pd_error_code code, const char *key, int value, int low,
                              int high) {
    return pd_fault_set(fault, code, key, "'%s' is %d (use %d to %d)", key, value, low, high);
}

static bool find_choice_fault(const pd_record_field *field, int value, pd_scene_fault *fault) {
    char valid[128] = "";
    for (int i = 0; field->words[i]; i++) {
        if (!((pd_field_allowed_words(field) & ~field->only_in_files) >> i & 1)) continue;
        if (i == value) return false;
        pd_text_append_word(valid, sizeof valid, ", ", field->words[i]);
    }
    return PD_FAULT(fault, field->key, "'%s' is %d (use one of %s)", field->key, value, valid);
}

static bool find_field_fault(const pd_scene *scene, const pd_record_field *field, const void *record,
                             pd_scene_fault *fault) {
    const pd_field_form form = pd_field_forms[field->type];
    const void *value = (const char *)record + field->offset;
    const pd_record_field number = field->type == FIELD_PROPERTY ? pd_number_field_of_property(field) : *field;
    char key[PD_MAX_NAME], text[PD_FLOAT_TEXT];
    for (int k = 0; k < form.floats; k++) {
        float component = ((const float *)value)[k];
        if (component >= (float)number.low && component <= (float)number.high) continue;
        if (pd_field_is_absent(&number, component)) continue;
        snprintf(key, sizeof key, "%s%s", field->key, form.floats == 1 ? "" : k ? ".y" : ".x");
        return set_range_fault(fault, PD_ERROR_SCENE_VALUE, &number, key, pd_text_write_float(component, text));
    }
    for (int k = 0; k < form.materials; k++) {
        int material = ((const int *)value)[k];
        if (material >= 0 && material < scene->material_count) continue;
        snprintf(key, sizeof key, "%s%s", field->key, form.materials == 1 ? "" : k ? "[1]" : "[0]");
        return set_integer_fault(fault, PD_ERROR_SCENE_REFERENCE, key, material, 0, scene->material_count - 1);
    }
    int integer = 0; /* an enum has the size of an int */
    if (form.size == sizeof integer) memcpy(&integer, value, sizeof integer);
    if (field->type == FIELD_CHOICE) return find_choice_fault(field, integer, fault);
    if (field->type == FIELD_COUNT && !(integer >= field->low && integer <= field->high) &&
        !(field->absent == ABSENT_ZERO && integer == 0)) {
        snprintf(text, sizeof text, "%d", integer);
        return set_range_fault(fault, integer > field->high ? PD_ERROR_SCENE_TOO_LARGE : PD_ERROR_SCENE_VALUE, field,
                               field->key, text);
    }
    int lines = field->type == FIELD_TEXT ? 1 : field->type == FIELD_NAMES ? 2 : 0;
    for (int k = 0; k < lines; k++)
        if (!pd_text_is_line((const char *)value + (size_t)k * PD_MAX_NAME, PD_MAX_NAME))
            return PD_FAULT(fault, field->key,
                            "'%s' is not one line of UTF-8 text of at most %d bytes (choose another text)", field->key,
                            PD_MAX_NAME - 1);
    return false;
}

/* Finds a wrong value among the fields that this kind of record has, or values that contradict each other. place: keys
 * that lead to the record, such as "container.", for the fault's key. */
static bool find_record_fault(const pd_scene *scene, const pd_record_schema *schema, const void *record,
                              const char *place, pd_scene_fault *fault) {
    bool found = false;
    char key[sizeof fault->key];
    for (int i = 0; i < schema->count && !found; i++)
        found = pd_record_has_field(schema, i, pd_record_kind(schema, record)) &&
                find_field_fault(scene, &schema->fields[i], record, fault);
    if (!found && !(schema->find_conflict && schema->find_conflict(record, fault))) return false;
    snprintf(key, sizeof key, "%s%.24s", place, fault->key);
    memcpy(fault->key, key, sizeof key);
    return true;
}

/* ---- Rules of single items ---- */

bool pd_find_material_fault(const pd_scene *scene, int index, pd_scene_fault *fault) {
    const char *name = scene->materials[index].name;
    if (!*name || !pd_text_is_line(name, PD_MAX_NAME))
        return PD_FAULT(fault, "name", "'name' is not one line of UTF-8 text of 1 to %d bytes (choose another name)",
                        PD_MAX_NAME - 1);
    return pd_find_material(scene->materials, index, name) >= 0 &&
           PD_FAULT(fault, "name", "the material '%s' comes twice (rename one)", name);
}

static bool find_image_fault(const pd_scene *scene, int index, pd_scene_fault *fault) {
    const pd_area *area = &scene->regions[index].area;
    int columns = area->columns, rows = area->rows;
    bool fits = columns >= 1 && columns <= PD_MAX_IMAGE_SIDE && rows >= 1 && rows <= PD_MAX_IMAGE_SIDE;
    if (!fits || !area->pixels)
        return PD_FAULT(fault, "pixels", "'pixels' are %d x %d%s (use 1 to %d each way)", columns, rows,
                        area->pixels ? "" : ", and NULL", PD_MAX_IMAGE_SIDE);
    if (pd_image_is_empty(area)) return PD_FAULT(fault, "pixels", "'pixels' have no fluid (use a material for some)");
    for (int i = 0; i < columns * rows; i++)
        if (area->pixels[i] != PD_NO_FLUID && area->pixels[i] >= scene->material_count)
            return pd_fault_set(fault, PD_ERROR_SCENE_REFERENCE, "pixels", "pixel %d is %d (use 0 to %d, or %d)", i,
                                area->pixels[i], scene->material_count - 1, PD_NO_FLUID);
    long long pixels = 0;
    for (const pd_region *region = scene->regions; region <= &scene->regions[index]; region++)
        if (region->area.shape == PD_SHAPE_IMAGE) pixels += (long long)region->area.columns * region->area.rows;
    return pixels > PD_MAX_PIXELS &&
           pd_fault_set(fault, PD_ERROR_SCENE_TOO_LARGE, "", "the images have more than %d pixels together (use fewer)",
                        PD_MAX_PIXELS);
}

bool pd_find_region_fault(const pd_scene *scene, int index, pd_scene_fault *fault) {
    const pd_region *region = &scene->regions[index];
    if (region->area.shape == PD_SHAPE_IMAGE) return find_image_fault(scene, index, fault);
    if (region->area.shape != PD_SHAPE_PARTICLES) return false;
    if (!region->particles || region->count < 1)
        return PD_FAULT(fault, "particles", "'particles' is empty (use pd_scene_add_particles)");
    for (int i = 0; i < region->count; i++) {
        const pd_scene_particle *p = &region->particles[i];
        if (!pd_listed_particle_is_valid(scene->material_count, p))
            return PD_FAULT(fault, "particles",
                            "particle %d has position (%g, %g), velocity (%g, %g) and material %d "
                            "(use positions within +-%g m, velocities within +-%g m/s and materials 0 to %d)",
                            i, (double)p->position.x, (double)p->position.y, (double)p->velocity.x,
                            (double)p->velocity.y, p->material, PD_FARTHEST, PD_FASTEST, scene->material_count - 1);
    }
    return false;
}

bool pd_find_points_conflict(const void *record, pd_scene_fault *fault) {
    const pd_area *area = record; /* first member of obstacles and bodies */
    bool polygon = area->shape == PD_SHAPE_POLYGON;
    int first, second, count = area->point_count;
    if (!pd_area_has_points(area)) return false;
    if (count < 2 + polygon)
        return PD_FAULT(fault, "points", "a %s of %d point%s (allowed: %s or more)", pd_shape_words[area->shape], count,
                        count == 1 ? "" : "s", polygon ? "three" : "two");
    if (count > PD_MAX_POINTS)
        return set_integer_fault(fault, PD_ERROR_SCENE_VALUE, "point_count", count, 2 + polygon, PD_MAX_POINTS);
    if (!area->points) return PD_FAULT(fault, "points", "'points' is NULL (give it %d points)", count);
    for (int i = 0; i < count; i++) {
        char key[24];
        snprintf(key, sizeof key, "points[%d]", i);
        const pd_record_field field = {.key = key, .type = FIELD_VECTOR, .low = -PD_FARTHEST, .high = PD_FARTHEST};
        if (find_field_fault(NULL, &field, &area->points[i], fault)) return true;
    }
    if (!polygon || !pd_polygon_find_crossing(area->points, count, &first, &second)) return false;
    if (first == second)
        PD_FAULT(fault, "points",
                 "points[%d] and points[%d] are the same (allowed: each once; the last side closes it)", first,
                 (first + 1) % count);
    else
        PD_FAULT(fault, "points",
                 "the sides from points[%d] and points[%d] meet (allowed: an outline that does not cross or touch "
                 "itself)",
                 first, second);
    fault->element = second;
    return true;
}

/* Finds an earlier attraction between the same two materials. */
bool pd_find_attraction_fault(const pd_scene *scene, int index, pd_scene_fault *fault) {
    const int *pair = scene->attractions[index].between;
    for (int i = 0; i < index; i++) {
        const int *other = scene->attractions[i].between;
        if ((pair[0] == other[0] && pair[1] == other[1]) || (pair[0] == other[1] && pair[1] == other[0]))
            return PD_FAULT(fault, "between", "the attraction between '%s' and '%s' comes twice (keep one)",
                            scene->materials[pair[0]].name, scene->materials[pair[1]].name);
    }
    return false;
}

/* ---- Rules of several lists ---- */

static bool find_particle_count_fault(const pd_scene *scene, int index, pd_scene_fault *fault) {
    double particles = 0;
    pd_error error;
    int total;
    (void)index;
    if (scene->particles > 0 && pd_scene_has_listed_particles(scene))
        return PD_FAULT(fault, "particles",
                        "a region lists its particles and so sets their number (leave 'particles' out)");
    pd_result result = pd_regions_compute_particle_counts(scene, NULL, &total, &error);
    if (result == PD_OK) return false;
    pd_fault_set(fault, error.code, "regions", "%s", error.message);
    for (int i = 0; i < scene->region_count; i++) { /* finds the count or spacing that makes the number too large */
        const pd_region *region = &scene->regions[i];
        double spacing = region->spacing;
        if (region->count)
            particles += region->count;
        else if (spacing > 0)
            particles += pd_area_square_metres(&region->area) / (spacing * spacing);
        if (particles <= PD_MAX_PARTICLES) continue;
        snprintf(fault->key, sizeof fault->key, region->count ? "count" : "spacing");
        fault->list = PD_LIST_REGIONS;
        fault->index = i;
        break;
    }
    return true;
}

static bool find_region_position_fault(const pd_scene *scene, int index, pd_scene_fault *fault) {
    const pd_area *area = &scene->regions[index].area;
    if (pd_area_is_outside_container(area, &scene->container))
        return PD_FAULT(fault, "center", "the region lies outside the container (move it inside)");
    for (int k = 0; k < scene->obstacle_count; k++)
        if (pd_area_is_covered_by_obstacle(area, &scene->obstacles[k].area))
            return PD_FAULT(fault, "center", "the region lies inside an obstacle (move the region to a free place)");
    return false;
}

static bool find_setting_fault(const pd_scene *scene, int index, pd_scene_fault *fault) {
    const pd_setting *setting = &scene->settings[index];
    int method, parameter;
    pd_error reason = {.code = PD_ERROR_PARAMETER_UNKNOWN, .message = "the key does not end within its array"};
    if (!memchr(setting->key, 0, sizeof setting->key) ||
        pd_parameter_find(setting->key, &method, &parameter, &reason) != PD_OK ||
        pd_parameter_check(pd_method_parameter_at(pd_method_at(method), parameter), setting->value, &reason) != PD_OK ||
        pd_scene_check_parameter_fits_container(scene, setting->key, setting->value, &reason) != PD_OK)
        return pd_fault_set(fault, reason.code, "", "%s", reason.message);
    for (int i = 0; i < index; i++)
        if (strcmp(scene->settings[i].key, setting->key) == 0)
            return pd_fault_set(fault, PD_ERROR_PARAMETER_VALUE, "key", "'key' is '%s' a second time (keep one)",
                                setting->key);
    return false;
}

/* Finds walls through which more flows in than out. */
static bool find_inflow_fault(const pd_scene *scene, int index, pd_scene_fault *fault) {
    const pd_container *container = &scene->container;
    double inflow = 0, greatest = 0;
    bool open = container->shape != PD_CONTAINER_BOX;
    (void)index;
    for (int side = 0; side < PD_WALLS; side++) {
        const pd_wall *wall = &container->walls[side];
        bool upright = side == PD_WALL_LEFT || side == PD_WALL_RIGHT;
        double flow = isnan(wall->inflow) ? 0 : (double)wall->inflow * (upright ? container->height : container->width);
        inflow += flow;
        greatest = fmax(greatest, fabs(flow));
        open = open || wall->outflow;
    }
    return !open && fabs(inflow) > 1e-5 * greatest &&
           PD_FAULT(fault, "container.walls",
                    "what flows in cannot leave (allowed: {outflow: true} at another side, or a negative inflow "
                    "there)");
}

/* Returns whether the middle of a body's bounding box, before its rotation, is outside the container. */
static bool is_body_outside(const pd_scene_body *body, const pd_container *container) {
    pd_vec2 at = body->area.center, low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (int i = 0; pd_area_has_points(&body->area) && i < body->area.point_count; i++) {
        pd_vec2 p = body->area.points[i];
        low = (pd_vec2){fminf(low.x, p.x), fminf(low.y, p.y)};
        high = (pd_vec2){fmaxf(high.x, p.x), fmaxf(high.y, p.y)};
    }
    if (pd_area_has_points(&body->area)) {
        pd_vec2 middle = pd_rotate((pd_vec2){(low.x + high.x) / 2, (low.y + high.y) / 2}, body->area.angle);
        at = (pd_vec2){at.x + middle.x, at.y + middle.y};
    }
    if (container->shape == PD_CONTAINER_CIRCLE)
        return at.x * at.x + at.y * at.y > container->radius * container->radius;
    return container->shape == PD_CONTAINER_BOX &&
           (fabsf(at.x) > container->width / 2 || fabsf(at.y) > container->height / 2);
}

static bool find_body_fault(const pd_scene *scene, int index, pd_scene_fault *fault) {
    const pd_scene_body *body = &scene->bodies[index];
    int first = pd_scene_find_body(scene, body->name);
    if (first == PD_WORLD_NAMED)
        return PD_FAULT(fault, "name", "a body is named 'world', which joints use for the world (choose another name)");
    if (first != PD_NO_BODY && first != index)
        return PD_FAULT(fault, "name", "the body '%s' comes twice (rename one)", body->name);
    return is_body_outside(body, &scene->container) &&
           PD_FAULT(fault, pd_area_has_points(&body->area) ? "points" : "center",
                    "the body lies outside the container (move it inside)");
}

static bool find_joint_fault(const pd_scene *scene, int index, pd_scene_fault *fault) {
    const char(*bodies)[PD_MAX_NAME] = scene->joints[index].bodies;
    for (int k = 0; k < 2; k++)
        if (pd_scene_find_body(scene, bodies[k]) == PD_NO_BODY)
            return PD_FAULT(fault, "bodies", "no body is named '%s' (give a body this name, or use world)", bodies[k]);
    return strcmp(bodies[0], bodies[1]) == 0 &&
           PD_FAULT(fault, "bodies", "'bodies' names '%s' twice (allowed: two bodies, or one and world)", bodies[0]);
}

bool pd_scene_find_fault(const pd_scene *scene, unsigned lists, pd_scene_fault *fault) {
    enum { REGIONS = 1 << PD_LIST_REGIONS, BODIES = 1 << PD_LIST_BODIES | 1 << PD_LIST_JOINTS };
    static const struct {
        pd_item_rule *find;
        int list;       /* list to whose items the rule applies; -1: the scene */
        unsigned lists; /* lists after whose change the rule is checked; 0: only with all lists */
    } rules[] = {
        {find_particle_count_fault, -1, REGIONS},
        {find_region_position_fault, PD_LIST_REGIONS, REGIONS | 1 << PD_LIST_OBSTACLES},
        {find_setting_fault, PD_LIST_SETTINGS, 0},
        {find_inflow_fault, -1, 0},
        {find_body_fault, PD_LIST_BODIES, BODIES},
        {find_joint_fault, PD_LIST_JOINTS, BODIES},
    };
    for (; fault->rule < (int)(sizeof rules / sizeof *rules); fault->rule++, fault->next = 0) {
        int list = rules[fault->rule].list, count = list < 0 ? 1 : pd_scene_list_count(list, scene);
        if (lists != PD_EVERY_LIST && !(rules[fault->rule].lists & lists)) continue;
        while (fault->next < count) {
            int index = fault->next++;
            if (!rules[fault->rule].find(scene, index, fault)) continue;
            if (list >= 0) fault->list = list, fault->index = index;
            return true;
        }
    }
    return false;
}

/* ---- Items, lists, the scene ---- */

/* Finds a fault of an item by the rule of its list. whole: first by the table of its fields. */
static bool find_item_fault(const pd_scene *scene, int list_id, int index, bool whole, pd_scene_fault *fault) {
    const pd_scene_list_info *list = &pd_scene_lists[list_id];
    bool found =
        (whole && find_record_fault(scene, list->schema, pd_scene_list_item(list_id, scene, index), "", fault)) ||
        (list->find_fault && list->find_fault(scene, index, fault));
    fault->list = list_id;
    fault->index = index;
    return found;
}

pd_result pd_scene_check_item(const pd_scene *scene, int list_id, int index, pd_error *error) {
    pd_scene_fault fault;
    return find_item_fault(scene, list_id, index, true, &fault) ? fail_with_fault(&fault, error) : PD_OK;
}

pd_result pd_scene_check_list(const pd_scene *scene, int list_id, pd_error *error) {
    pd_scene_fault fault = {0};
    for (int i = 0; i < pd_scene_list_count(list_id, scene); i++)
        if (find_item_fault(scene, list_id, i, false, &fault)) return fail_with_fault(&fault, error);
    if (!pd_scene_find_fault(scene, 1u << list_id, &fault)) return PD_OK;
    if (list_id != PD_LIST_OBSTACLES) return fail_with_fault(&fault, error);
    return pd_fail(error, PD_ERROR_SCENE_VALUE,
                   "the wall covers a place where fluid begins (make the wall smaller, or choose another place)");
}

static bool find_list_size_fault(const pd_scene *scene, int list_id, pd_scene_fault *fault) {
    const pd_scene_list_info *list = &pd_scene_lists[list_id];
    int count = pd_scene_list_count(list_id, scene);
    char key[24];
    snprintf(key, sizeof key, "%s_count", list->schema->noun);
    if (count < list->is_inline || count > list->max_count)
        return set_integer_fault(fault, count > 0 ? PD_ERROR_SCENE_TOO_LARGE : PD_ERROR_SCENE_VALUE, key, count,
                                 list->is_inline, list->max_count);
    return count > 0 && !pd_scene_list_items(list_id, scene) &&
           PD_FAULT(fault, list->key, "'%s' is NULL, but %s is %d", list->key, key, count);
}

static bool find_container_fault(const pd_scene *scene, pd_scene_fault *fault) {
    const pd_container *container = &scene->container;
    if (find_record_fault(scene, &pd_container_schema, container, "container.", fault)) return true;
    for (int i = 0; i < PD_WALLS && container->shape == PD_CONTAINER_BOX; i++) {
        char place[32];
        snprintf(place, sizeof place, "container.walls.%s.", pd_walls_schema.fields[i].key);
        if (find_record_fault(scene, &pd_wall_schema, &container->walls[i], place, fault)) return true;
    }
    return false;
}

static bool find_scene_fault(const pd_scene *scene, pd_scene_fault *fault) {
    pd_error error;
    if (!memchr(scene->method, 0, sizeof scene->method) || !pd_method_find(scene->method))
        return pd_fault_set(fault, PD_ERROR_METHOD_UNKNOWN, "",
                            "unknown method '%.*s' ('puddle list methods' shows all)", PD_MAX_METHOD_NAME,
                            scene->method);
    if (find_record_fault(scene, &pd_scene_schema, scene, "", fault)) return true;
    if (scene->substeps < 0 || scene->substeps > PD_MOST_SUBSTEPS)
        return set_integer_fault(fault, PD_ERROR_SCENE_VALUE, "substeps", scene->substeps, 0, PD_MOST_SUBSTEPS);
    for (int list_id = 0; list_id < PD_ALL_LISTS; list_id++)
        if (find_list_size_fault(scene, list_id, fault)) return true;
    if (find_container_fault(scene, fault)) return true;
    for (int list_id = 0; list_id < PD_ALL_LISTS; list_id++)
        for (int i = 0; i < pd_scene_list_count(list_id, scene); i++)
            if (find_item_fault(scene, list_id, i, true, fault)) return true;
    if (scene->cells.columns != 0 && find_record_fault(scene, &pd_cells_schema, &scene->cells, "cells.", fault))
        return true;
    if (pd_cells_check(scene, &error) != PD_OK) return pd_fault_set(fault, error.code, "", "%s", error.message);
    return pd_scene_find_fault(scene, PD_EVERY_LIST, fault);
}

pd_result pd_scene_check(const pd_scene *scene, pd_error *error) {
    pd_scene_fault fault = {0};
    return find_scene_fault(scene, &fault) ? fail_with_fault(&fault, error) : PD_OK;
}
