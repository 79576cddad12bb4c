/* Scene files: the tables of what a scene may hold, and the few values that a table cannot describe. */
#include "core/error.h"
#include "core/file.h"
#include "scene/fields.h"
#include "sim/regions.h"

#include <math.h>
#include <puddle/parameter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Wide enough for any real scene, narrow enough that squares and products of them stay finite floats. */
#define SMALLEST 1e-6 /* m */
#define FARTHEST 1e6  /* m */
#define FASTEST  1e5  /* m/s */
#define LONGEST  1e9  /* s */

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define LENGTH          .low = SMALLEST, .high = FARTHEST
#define PLACE           .low = -FARTHEST, .high = FARTHEST
#define SPEED           .low = -FASTEST, .high = FASTEST

/* ---- Lists ---- */

static yaml_node_t *item_at(pd_document *document, const yaml_node_t *list, int index) {
    return pd_node_at(document, list->data.sequence.items.start[index]);
}

/* The value of a key, or the mapping itself: where to point in a message. */
static const yaml_node_t *value_of(pd_document *document, const yaml_node_t *mapping, const char *key) {
    const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
    for (; pair < mapping->data.mapping.pairs.top; pair++)
        if (pd_node_is(pd_node_at(document, pair->key), key)) return pd_node_at(document, pair->value);
    return mapping;
}

/* One item of size bytes for each entry of a list, zeroed; NULL with *count 0 for an empty one. */
static bool new_items(pd_document *document, const yaml_node_t *node, const char *what, size_t size, void *items,
                      int *count) {
    int entries;
    if (!pd_require_list(document, node, what, PD_MAX_ITEMS, &entries)) return false;
    void *memory = entries ? calloc((size_t)entries, size) : NULL;
    if (entries && !memory)
        return pd_fail_at(document, node->start_mark, PD_ITEM_OUT_OF_MEMORY, "out of memory (close other programs)");
    memcpy(items, &memory, sizeof memory);
    *count = entries;
    return true;
}

/* ---- Materials ---- */

static bool read_color(pd_document *document, const yaml_node_t *node, void *target) {
    pd_material *material = target;
    char shown[MAX_SHOWN];
    if (node->type != YAML_SCALAR_NODE || node->data.scalar.length == 0)
        return pd_fail_at(document, node->start_mark, PD_ITEM_SCENE_TYPE,
                          "'color' is %s (right: \"#3a8fff\", in quotes, since a bare # begins a comment)",
                          pd_node_show(node, shown));
    const char *text = (const char *)node->data.scalar.value;
    if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return pd_fail_at(document, node->start_mark, PD_ITEM_SCENE_VALUE,
                          "'color' is %s (right: # and six hexadecimal digits, such as \"#3a8fff\")",
                          pd_node_show(node, shown));
    unsigned long rgb = strtoul(text + 1, NULL, 16);
    material->red = (uint8_t)(rgb >> 16);
    material->green = (uint8_t)(rgb >> 8);
    material->blue = (uint8_t)rgb;
    return true;
}

static bool refuse_elastic(pd_document *document, const yaml_node_t *node, void *target) {
    (void)target;
    return pd_fail_at(document, node->start_mark, PD_ITEM_SCENE_KEY,
                      "this version has no elastic or sticky materials (leave this key out; known: color, mass)");
}

static const pd_field material_fields[] = {
    {"color", FIELD_CUSTOM, .allowed = ALL_KINDS, .required = ALL_KINDS, .read = read_color},
    {"mass", FIELD_NUMBER, offsetof(pd_material, mass), .allowed = ALL_KINDS, .low = 1e-3, .high = 1e3},
    {"viscosity", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = refuse_elastic},
    {"elasticity", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = refuse_elastic},
    {"plasticity", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = refuse_elastic},
    {"yield", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = refuse_elastic},
    {"stickiness", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = refuse_elastic},
};
static const pd_record material_record = {"material", material_fields, COUNT_OF(material_fields), false};

static bool read_materials(pd_document *document, const yaml_node_t *node, void *target) {
    pd_scene *scene = target;
    if (!pd_require_mapping(document, node, "'materials'")) return false;
    const yaml_node_pair_t *pairs = node->data.mapping.pairs.start;
    ptrdiff_t count = node->data.mapping.pairs.top - pairs;
    if (count == 0)
        return pd_fail_at(document, node->start_mark, PD_ITEM_SCENE_VALUE,
                          "'materials' is empty (leave it out for water)");
    if (count > PD_MAX_MATERIALS)
        return pd_fail_at(document, node->start_mark, PD_ITEM_SCENE_TOO_LARGE, "%td materials (at most %d)", count,
                          PD_MAX_MATERIALS);
    scene->material_count = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        const yaml_node_t *key = pd_node_at(document, pairs[i].key);
        pd_material *material = &scene->materials[i];
        *material = (pd_material){.mass = 1};
        if (!pd_read_text(document, key, "a material's name", material->name, sizeof material->name)) return false;
        if (!*material->name)
            return pd_fail_at(document, key->start_mark, PD_ITEM_SCENE_VALUE, "a material without a name (name it)");
        for (ptrdiff_t k = 0; k < i; k++)
            if (strcmp(scene->materials[k].name, material->name) == 0)
                return pd_fail_at(document, key->start_mark, PD_ITEM_SCENE_KEY,
                                  "the material '%s' comes twice (keep one)", material->name);
        if (!pd_read_record(document, pd_node_at(document, pairs[i].value), &material_record, material)) return false;
        scene->material_count++;
    }
    return true;
}

static bool read_material(pd_document *document, const yaml_node_t *node, int *material) {
    const pd_scene *scene = document->scene;
    const char *names[PD_MAX_MATERIALS];
    for (int i = 0; i < scene->material_count; i++) {
        names[i] = scene->materials[i].name;
        *material = i;
        if (pd_node_is(node, names[i])) return true;
    }
    char shown[MAX_SHOWN];
    if (node->type != YAML_SCALAR_NODE)
        return pd_fail_at(document, node->start_mark, PD_ITEM_SCENE_TYPE, "'material' is %s (right: a material's name)",
                          pd_node_show(node, shown));
    return pd_fail_unknown(document, node, PD_ITEM_SCENE_REFERENCE, "material", names, scene->material_count);
}

/* ---- Container ---- */

static const char *const container_shapes[] = {"circle", "box", "none", NULL};
enum { ROUND = 1 << PD_CONTAINER_CIRCLE, BOXED = 1 << PD_CONTAINER_BOX, OPEN = 1 << PD_CONTAINER_NONE };

static const pd_field wall_fields[] = {
    {"inflow", FIELD_NUMBER, offsetof(pd_wall, inflow), .allowed = ALL_KINDS, SPEED},
    {"velocity", FIELD_NUMBER, offsetof(pd_wall, velocity), .allowed = ALL_KINDS, SPEED},
    {"outflow", FIELD_BOOLEAN, offsetof(pd_wall, outflow), .allowed = ALL_KINDS},
};
static const pd_record wall_record = {"wall", wall_fields, COUNT_OF(wall_fields), false};

static bool read_wall(pd_document *document, const yaml_node_t *node, pd_wall *wall) {
    if (!pd_read_record(document, node, &wall_record, wall)) return false;
    if (wall->outflow && !isnan(wall->inflow))
        return pd_fail_at(document, value_of(document, node, "outflow")->start_mark, PD_ITEM_SCENE_VALUE,
                          "a wall has both inflow and outflow (keep one)");
    return true;
}

#define READ_WALL(name, index)                                                                                         \
    static bool name(pd_document *document, const yaml_node_t *node, void *target) {                                   \
        return read_wall(document, node, &((pd_container *)target)->walls[index]);                                     \
    }
READ_WALL(read_left, PD_WALL_LEFT)
READ_WALL(read_right, PD_WALL_RIGHT)
READ_WALL(read_bottom, PD_WALL_BOTTOM)
READ_WALL(read_top, PD_WALL_TOP)

static const pd_field walls_fields[] = {
    {"left", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_left},
    {"right", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_right},
    {"bottom", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_bottom},
    {"top", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_top},
};
static const pd_record walls_record = {"container's walls", walls_fields, COUNT_OF(walls_fields), false};

static bool read_walls(pd_document *document, const yaml_node_t *node, void *target) {
    return pd_read_record(document, node, &walls_record, target);
}

static const pd_field container_fields[] = {
    {"shape", FIELD_CHOICE, offsetof(pd_container, shape), .allowed = ROUND | BOXED | OPEN, .words = container_shapes},
    {"radius", FIELD_NUMBER, offsetof(pd_container, radius), .allowed = ROUND, .required = ROUND, LENGTH},
    {"width", FIELD_NUMBER, offsetof(pd_container, width), .allowed = BOXED, .required = BOXED, LENGTH},
    {"height", FIELD_NUMBER, offsetof(pd_container, height), .allowed = BOXED, .required = BOXED, LENGTH},
    {"walls", FIELD_CUSTOM, .allowed = BOXED, .read = read_walls},
    {"slip", FIELD_BOOLEAN, offsetof(pd_container, slip), .allowed = ROUND | BOXED},
};
static const pd_record container_record = {"container", container_fields, COUNT_OF(container_fields), true};

static bool read_container(pd_document *document, const yaml_node_t *node, void *target) {
    pd_container *container = target;
    container->radius = 0; /* the default's; a box has none */
    return pd_read_record(document, node, &container_record, container);
}

/* ---- What stands in the container ---- */

static const char *const shapes[] = {"circle", "box", "ellipse", "polyline", NULL};
enum {
    CIRCLE = 1 << PD_SHAPE_CIRCLE,
    BOX = 1 << PD_SHAPE_BOX,
    ELLIPSE = 1 << PD_SHAPE_ELLIPSE,
    POLYLINE = 1 << PD_SHAPE_POLYLINE
};
static const char *const fills[] = {"hex", "grid", "random", NULL};

static bool read_region_material(pd_document *document, const yaml_node_t *node, void *target) {
    return read_material(document, node, &((pd_region *)target)->material);
}

static const pd_field region_fields[] = {
    {"shape", FIELD_CHOICE, offsetof(pd_region, shape), .allowed = CIRCLE | BOX | ELLIPSE, .words = shapes},
    {"center", FIELD_VECTOR, offsetof(pd_region, center), .allowed = ALL_KINDS, .required = ALL_KINDS, PLACE},
    {"radius", FIELD_NUMBER, offsetof(pd_region, radius), .allowed = CIRCLE, .required = CIRCLE, LENGTH},
    {"size", FIELD_VECTOR, offsetof(pd_region, size), .allowed = BOX | ELLIPSE, .required = BOX | ELLIPSE, LENGTH},
    {"material", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_region_material},
    {"velocity", FIELD_VECTOR, offsetof(pd_region, velocity), .allowed = ALL_KINDS, SPEED},
    {"fill", FIELD_CHOICE, offsetof(pd_region, fill), .allowed = ALL_KINDS, .words = fills},
    {"count", FIELD_COUNT, offsetof(pd_region, count), .allowed = ALL_KINDS, .low = 1, .high = PD_MAX_PARTICLES},
    {"spacing", FIELD_NUMBER, offsetof(pd_region, spacing), .allowed = ALL_KINDS, LENGTH},
    {"density", FIELD_NUMBER, offsetof(pd_region, density), .allowed = ALL_KINDS, .low = -1e6, .high = 1e6},
    {"amount", FIELD_NUMBER, offsetof(pd_region, amount), .allowed = ALL_KINDS, .low = 0, .high = 1},
};
static const pd_record region_record = {"region", region_fields, COUNT_OF(region_fields), true};

static bool read_regions(pd_document *document, const yaml_node_t *node, void *target) {
    pd_scene *scene = target;
    if (!new_items(document, node, "regions", sizeof(pd_region), &scene->regions, &scene->region_count)) return false;
    for (int i = 0; i < scene->region_count; i++) {
        const yaml_node_t *item = item_at(document, node, i);
        pd_region *region = &scene->regions[i];
        region->amount = 1;
        if (!pd_read_record(document, item, &region_record, region)) return false;
        if (region->count && region->spacing > 0)
            return pd_fail_at(document, value_of(document, item, "spacing")->start_mark, PD_ITEM_SCENE_VALUE,
                              "a region has both count and spacing (keep one)");
    }
    return true;
}

static const pd_field vorton_fields[] = {
    {"position", FIELD_VECTOR, offsetof(pd_vorton, position), .allowed = ALL_KINDS, .required = ALL_KINDS, PLACE},
    {"circulation", FIELD_NUMBER, offsetof(pd_vorton, circulation), .allowed = ALL_KINDS, .required = ALL_KINDS,
     .low = -1e6, .high = 1e6},
    {"core", FIELD_NUMBER, offsetof(pd_vorton, core), .allowed = ALL_KINDS, .required = ALL_KINDS, LENGTH},
};
static const pd_record vorton_record = {"vorton", vorton_fields, COUNT_OF(vorton_fields), false};

static bool read_vortons(pd_document *document, const yaml_node_t *node, void *target) {
    pd_scene *scene = target;
    if (!new_items(document, node, "vortons", sizeof(pd_vorton), &scene->vortons, &scene->vorton_count)) return false;
    for (int i = 0; i < scene->vorton_count; i++)
        if (!pd_read_record(document, item_at(document, node, i), &vorton_record, &scene->vortons[i])) return false;
    return true;
}

static bool read_points(pd_document *document, const yaml_node_t *node, void *target) {
    pd_obstacle *obstacle = target;
    int count;
    if (!pd_require_list(document, node, "points", PD_MAX_POINTS, &count)) return false;
    if (count < 2)
        return pd_fail_at(document, node->start_mark, PD_ITEM_SCENE_VALUE,
                          "a polyline of %d points (right: two or more)", count);
    if (!new_items(document, node, "points", sizeof(pd_vec2), &obstacle->points, &obstacle->point_count)) return false;
    for (int i = 0; i < count; i++)
        if (!pd_read_vector(document, item_at(document, node, i), "points", -FARTHEST, FARTHEST, &obstacle->points[i]))
            return false;
    return true;
}

static const pd_field obstacle_fields[] = {
    {"shape", FIELD_CHOICE, offsetof(pd_obstacle, shape), .allowed = CIRCLE | BOX | POLYLINE, .words = shapes},
    {"center", FIELD_VECTOR, offsetof(pd_obstacle, center), .allowed = ALL_KINDS, .required = CIRCLE | BOX, PLACE},
    {"radius", FIELD_NUMBER, offsetof(pd_obstacle, radius), .allowed = CIRCLE, .required = CIRCLE, LENGTH},
    {"size", FIELD_VECTOR, offsetof(pd_obstacle, size), .allowed = BOX, .required = BOX, LENGTH},
    {"angle", FIELD_NUMBER, offsetof(pd_obstacle, angle), .allowed = BOX, .low = -36000, .high = 36000},
    {"points", FIELD_CUSTOM, .allowed = POLYLINE, .required = POLYLINE, .read = read_points},
    {"thickness", FIELD_NUMBER, offsetof(pd_obstacle, thickness), .allowed = POLYLINE, .required = POLYLINE, LENGTH},
    {"velocity", FIELD_VECTOR, offsetof(pd_obstacle, velocity), .allowed = ALL_KINDS, SPEED},
    {"spin", FIELD_NUMBER, offsetof(pd_obstacle, spin), .allowed = ALL_KINDS, .low = -36000, .high = 36000},
    {"turn", FIELD_NUMBER, offsetof(pd_obstacle, turn), .allowed = ALL_KINDS, .low = 1e-3, .high = LONGEST},
};
static const pd_record obstacle_record = {"obstacle", obstacle_fields, COUNT_OF(obstacle_fields), true};

static bool read_obstacles(pd_document *document, const yaml_node_t *node, void *target) {
    pd_scene *scene = target;
    if (!new_items(document, node, "obstacles", sizeof(pd_obstacle), &scene->obstacles, &scene->obstacle_count))
        return false;
    for (int i = 0; i < scene->obstacle_count; i++)
        if (!pd_read_record(document, item_at(document, node, i), &obstacle_record, &scene->obstacles[i])) return false;
    return true;
}

static bool read_emitter_material(pd_document *document, const yaml_node_t *node, void *target) {
    return read_material(document, node, &((pd_emitter *)target)->material);
}

static const pd_field emitter_fields[] = {
    {"position", FIELD_VECTOR, offsetof(pd_emitter, position), .allowed = ALL_KINDS, .required = ALL_KINDS, PLACE},
    {"direction", FIELD_VECTOR, offsetof(pd_emitter, direction), .allowed = ALL_KINDS, .required = ALL_KINDS, PLACE},
    {"speed", FIELD_NUMBER, offsetof(pd_emitter, speed), .allowed = ALL_KINDS, .required = ALL_KINDS, .low = 0,
     .high = FASTEST},
    {"width", FIELD_NUMBER, offsetof(pd_emitter, width), .allowed = ALL_KINDS, .required = ALL_KINDS, LENGTH},
    {"rate", FIELD_NUMBER, offsetof(pd_emitter, rate), .allowed = ALL_KINDS, .required = ALL_KINDS, .low = 1e-3,
     .high = PD_MAX_PARTICLES},
    {"material", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_emitter_material},
    {"from", FIELD_NUMBER, offsetof(pd_emitter, from), .allowed = ALL_KINDS, .low = 0, .high = LONGEST},
    {"until", FIELD_NUMBER, offsetof(pd_emitter, until), .allowed = ALL_KINDS, .low = 0, .high = LONGEST},
};
static const pd_record emitter_record = {"emitter", emitter_fields, COUNT_OF(emitter_fields), false};

static bool read_emitters(pd_document *document, const yaml_node_t *node, void *target) {
    pd_scene *scene = target;
    if (!new_items(document, node, "emitters", sizeof(pd_emitter), &scene->emitters, &scene->emitter_count))
        return false;
    for (int i = 0; i < scene->emitter_count; i++) {
        const yaml_node_t *item = item_at(document, node, i);
        pd_emitter *emitter = &scene->emitters[i];
        emitter->until = INFINITY;
        if (!pd_read_record(document, item, &emitter_record, emitter)) return false;
        if (hypotf(emitter->direction.x, emitter->direction.y) < 1e-6f)
            return pd_fail_at(document, value_of(document, item, "direction")->start_mark, PD_ITEM_SCENE_VALUE,
                              "'direction' points nowhere (right: such as [0, -1] for down)");
        if (emitter->until <= emitter->from)
            return pd_fail_at(document, value_of(document, item, "until")->start_mark, PD_ITEM_SCENE_VALUE,
                              "'until' is not after 'from' (right: more than %g)", (double)emitter->from);
    }
    return true;
}

static const pd_field drain_fields[] = {
    {"shape", FIELD_CHOICE, offsetof(pd_drain, shape), .allowed = CIRCLE | BOX, .words = shapes},
    {"center", FIELD_VECTOR, offsetof(pd_drain, center), .allowed = ALL_KINDS, .required = ALL_KINDS, PLACE},
    {"radius", FIELD_NUMBER, offsetof(pd_drain, radius), .allowed = CIRCLE, .required = CIRCLE, LENGTH},
    {"size", FIELD_VECTOR, offsetof(pd_drain, size), .allowed = BOX, .required = BOX, LENGTH},
};
static const pd_record drain_record = {"drain", drain_fields, COUNT_OF(drain_fields), true};

static bool read_drains(pd_document *document, const yaml_node_t *node, void *target) {
    pd_scene *scene = target;
    if (!new_items(document, node, "drains", sizeof(pd_drain), &scene->drains, &scene->drain_count)) return false;
    for (int i = 0; i < scene->drain_count; i++)
        if (!pd_read_record(document, item_at(document, node, i), &drain_record, &scene->drains[i])) return false;
    return true;
}

/* ---- Method and parameters ---- */

static const pd_method_info *find_method(pd_document *document, const yaml_node_t *node) {
    const char *names[16];
    int count = pd_method_count();
    for (int i = 0; i < count && i < COUNT_OF(names); i++) {
        names[i] = pd_method_at(i)->name;
        if (pd_node_is(node, names[i])) return pd_method_at(i);
    }
    pd_fail_unknown(document, node, PD_ITEM_METHOD_UNKNOWN, "method", names, count);
    return NULL;
}

static bool read_method(pd_document *document, const yaml_node_t *node, void *target) {
    pd_scene *scene = target;
    const pd_method_info *method = find_method(document, node);
    if (!method) return false;
    snprintf(scene->method, sizeof scene->method, "%s", method->name);
    return true;
}

static bool read_setting(pd_document *document, const pd_method_info *method, const yaml_node_t *key,
                         const yaml_node_t *node) {
    char name[PD_MAX_KEY], shown[MAX_SHOWN];
    int m, index;
    float value;
    pd_error error = {0};
    if (key->type != YAML_SCALAR_NODE)
        return pd_fail_at(document, key->start_mark, PD_ITEM_SCENE_TYPE, "a parameter's key is %s (right: a word)",
                          pd_node_show(key, shown));
    snprintf(name, sizeof name, "%s.%.*s", method->name, 40, (const char *)key->data.scalar.value);
    if (pd_parameter_find(name, &m, &index, &error) != PD_OK)
        return pd_fail_at(document, key->start_mark, error.item, "%s", error.message);
    const pd_parameter *parameter = &method->parameters[index];
    bool number = parameter->type == PD_PARAMETER_NUMBER || parameter->type == PD_PARAMETER_INTEGER;
    bool quoted = node->type == YAML_SCALAR_NODE && node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (node->type != YAML_SCALAR_NODE || (quoted && parameter->type != PD_PARAMETER_CHOICE))
        return pd_fail_at(document, node->start_mark, PD_ITEM_PARAMETER_VALUE, "'%s' is %s (right: %s)", name,
                          pd_node_show(node, shown), number ? "a number without quotes" : "one plain word");
    if (number && !pd_node_is_decimal(node))
        return pd_fail_at(document, node->start_mark, PD_ITEM_PARAMETER_VALUE, "'%s' is %s (right: a number, %g to %g)",
                          name, pd_node_show(node, shown), (double)parameter->minimum, (double)parameter->maximum);
    const char *text = (const char *)node->data.scalar.value;
    if (pd_parameter_parse(parameter, text, &value, &error) != PD_OK ||
        pd_scene_set(document->scene, name, value, &error) != PD_OK)
        return pd_fail_at(document, node->start_mark, error.item, "%s", error.message);
    return true;
}

static bool read_method_settings(pd_document *document, const pd_method_info *method, const yaml_node_t *node) {
    bool seen[PD_MAX_PARAMETERS] = {false};
    if (!pd_require_mapping(document, node, method->name)) return false;
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = pd_node_at(document, pair->key);
        if (!read_setting(document, method, key, pd_node_at(document, pair->value))) return false;
        for (int i = 0; i < method->parameter_count; i++) {
            if (!pd_node_is(key, method->parameters[i].key)) continue;
            if (seen[i])
                return pd_fail_at(document, key->start_mark, PD_ITEM_SCENE_KEY, "the key '%s' comes twice (keep one)",
                                  method->parameters[i].key);
            seen[i] = true;
        }
    }
    return true;
}

static bool read_parameters(pd_document *document, const yaml_node_t *node, void *target) {
    (void)target;
    unsigned seen = 0;
    if (!pd_require_mapping(document, node, "'parameters'")) return false;
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = pd_node_at(document, pair->key);
        const pd_method_info *method = find_method(document, key);
        if (!method) return false;
        for (int i = 0; i < pd_method_count(); i++) {
            if (pd_method_at(i) != method) continue;
            if (seen >> i & 1)
                return pd_fail_at(document, key->start_mark, PD_ITEM_SCENE_KEY, "the key '%s' comes twice (keep one)",
                                  method->name);
            seen |= 1u << i;
        }
        if (!read_method_settings(document, method, pd_node_at(document, pair->value))) return false;
    }
    return true;
}

/* ---- The scene ---- */

static bool read_substeps(pd_document *document, const yaml_node_t *node, void *target) {
    pd_scene *scene = target;
    uint64_t value = 0;
    char shown[MAX_SHOWN];
    if (node->type != YAML_SCALAR_NODE)
        return pd_fail_at(document, node->start_mark, PD_ITEM_SCENE_TYPE,
                          "'substeps' is %s (right: auto, or a whole number)", pd_node_show(node, shown));
    if (!pd_node_is(node, "auto") && !pd_read_integer(document, node, "substeps", 1, 1000, PD_ITEM_SCENE_VALUE, &value))
        return false;
    scene->substeps = (int)value;
    return true;
}

static bool read_seed(pd_document *document, const yaml_node_t *node, void *target) {
    return pd_read_integer(document, node, "seed", 0, UINT64_MAX, PD_ITEM_SCENE_VALUE, &((pd_scene *)target)->seed);
}

/* Read before everything else, by check_version. */
static bool skip_version(pd_document *document, const yaml_node_t *node, void *target) {
    (void)document, (void)node, (void)target;
    return true;
}

static const pd_field scene_fields[] = {
    {"puddle", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = skip_version},
    {"name", FIELD_TEXT, offsetof(pd_scene, name), .allowed = ALL_KINDS},
    {"method", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_method},
    {"gravity", FIELD_VECTOR, offsetof(pd_scene, gravity), .allowed = ALL_KINDS, .low = -1e4, .high = 1e4},
    {"dt", FIELD_NUMBER, offsetof(pd_scene, dt), .allowed = ALL_KINDS, .low = 1e-6, .high = 1},
    {"substeps", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_substeps},
    {"seed", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_seed},
    {"particles", FIELD_COUNT, offsetof(pd_scene, particles), .allowed = ALL_KINDS, .low = 1, .high = PD_MAX_PARTICLES},
    {"container", FIELD_CUSTOM, offsetof(pd_scene, container), .allowed = ALL_KINDS, .read = read_container},
    {"materials", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_materials, .early = true},
    {"regions", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_regions},
    {"vortons", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_vortons},
    {"obstacles", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_obstacles},
    {"emitters", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_emitters},
    {"drains", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_drains},
    {"parameters", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = read_parameters},
};
static const pd_record scene_record = {"scene", scene_fields, COUNT_OF(scene_fields), false};

/* A scene of the future may hold anything: its version is told before any key that is not known yet. */
static bool check_version(pd_document *document, const yaml_node_t *root) {
    if (!pd_require_mapping(document, root, "the file")) return false;
    const yaml_node_t *version = value_of(document, root, "puddle");
    uint64_t number;
    if (version == root)
        return pd_fail_at(document, root->start_mark, PD_ITEM_SCENE_KEY,
                          "the key 'puddle' is missing (a scene begins with 'puddle: 1')");
    if (!pd_read_integer(document, version, "puddle", 0, UINT64_MAX, PD_ITEM_SCENE_VERSION, &number)) return false;
    if (number != PD_SCENE_VERSION)
        return pd_fail_at(document, version->start_mark, PD_ITEM_SCENE_VERSION,
                          "this is format version %llu; this puddle reads version %d (%s)", (unsigned long long)number,
                          PD_SCENE_VERSION, number > PD_SCENE_VERSION ? "update puddle" : "write 'puddle: 1'");
    return true;
}

/* The number that makes the total too large, or the list when it is the regions without a number of their own. */
static yaml_mark_t largest_total(pd_document *document, const yaml_node_t *regions) {
    double total = 0;
    for (int i = 0; i < document->scene->region_count; i++) {
        const pd_region *region = &document->scene->regions[i];
        double spacing = region->spacing;
        if (region->count)
            total += region->count;
        else if (spacing > 0)
            total += pd_region_area(region) / (spacing * spacing);
        if (total > PD_MAX_PARTICLES)
            return value_of(document, item_at(document, regions, i), region->count ? "count" : "spacing")->start_mark;
    }
    return regions->start_mark;
}

static bool check_total(pd_document *document, const yaml_node_t *root) {
    const pd_scene *scene = document->scene;
    if (!scene->region_count) return true;
    int total, *counts = malloc((size_t)scene->region_count * sizeof *counts);
    pd_error error = {.item = PD_ITEM_OUT_OF_MEMORY, .message = "out of memory (close other programs)"};
    bool fine = counts && pd_regions_counts(scene, counts, &total, &error) == PD_OK;
    free(counts);
    if (fine) return true;
    yaml_mark_t mark = largest_total(document, value_of(document, root, "regions"));
    return pd_fail_at(document, mark, error.item, "%s", error.message);
}

static bool read_document(pd_document *document) {
    const yaml_node_t *root = yaml_document_get_root_node(&document->yaml);
    return check_version(document, root) && pd_read_record(document, root, &scene_record, document->scene) &&
           check_total(document, root);
}

pd_result pd_scene_read_text(const char *text, size_t length, const char *name, pd_scene *scene, pd_error *error) {
    pd_document document = {.name = name, .scene = scene};
    pd_scene_init(scene);
    bool fine = pd_document_parse(&document, text, length);
    if (fine) {
        fine = read_document(&document);
        yaml_document_delete(&document.yaml);
    }
    if (fine) return PD_OK;
    pd_scene_free(scene);
    if (error) *error = document.error;
    return pd_item_result(document.error.item);
}

pd_result pd_scene_read(const char *path, pd_scene *scene, pd_error *error) {
    void *text;
    size_t length;
    memset(scene, 0, sizeof *scene);
    pd_result result = pd_file_read(path, MAX_FILE_SIZE, &text, &length, error);
    if (result != PD_OK) return result;
    result = pd_scene_read_text(text, length, path, scene, error);
    free(text);
    return result;
}
