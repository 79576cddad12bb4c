/* Records in memory and in YAML, by their tables of fields: sets defaults, reads values, writes messages. */
#include "scene/fields.h"

#include "core/error.h"
#include "core/text.h"

#include <math.h>
#include <puddle/method.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FIELDS = 32 }; /* greatest number of fields of a record */

/* ---- Defaults of records ---- */

pd_field_kinds pd_record_kind(const pd_record_schema *schema, const void *record) {
    int choice = 0; /* an enum has the size of an int */
    if (!schema->has_kinds) return ALL_KINDS;
    memcpy(&choice, (const char *)record + schema->fields[0].offset, sizeof choice);
    return choice >= 0 && choice < 8 ? 1u << choice : 0;
}

bool pd_record_has_field(const pd_record_schema *schema, int field_index, pd_field_kinds kind) {
    return (field_index == 0 && schema->has_kinds) || (pd_field_kinds_of(&schema->fields[field_index]) & kind);
}

const pd_field_form pd_field_forms[] = {
    [FIELD_NUMBER] = {.floats = 1, .size = sizeof(float)},
    [FIELD_COUNT] = {.size = sizeof(int)},
    [FIELD_VECTOR] = {.floats = 2, .size = sizeof(pd_vec2)},
    [FIELD_BOOLEAN] = {.size = sizeof(bool)},
    [FIELD_CHOICE] = {.size = sizeof(int)}, /* an enum has the size of an int */
    [FIELD_TEXT] = {.size = PD_MAX_NAME},
    [FIELD_MATERIAL] = {.materials = 1, .size = sizeof(int)},
    [FIELD_PAIR] = {.materials = 2, .size = 2 * sizeof(int)},
    [FIELD_NAMES] = {.size = 2 * PD_MAX_NAME},
    [FIELD_COLOR] = {.size = 3},
    [FIELD_OWN_COLOR] = {.size = sizeof(pd_own_color)},
    [FIELD_PROPERTY] = {.floats = 1, .size = sizeof(float)},
    [FIELD_CUSTOM] = {0},
};

void pd_record_set_defaults(const pd_record_schema *schema, void *record) {
    memset(record, 0, schema->size);
    for (int i = 0; i < schema->count; i++) {
        const pd_record_field *field = &schema->fields[i];
        void *value = (char *)record + field->offset;
        unsigned color = (unsigned)field->default_value[0];
        for (int k = 0; k < pd_field_forms[field->type].floats; k++)
            ((float *)value)[k] = field->absent == ABSENT_NAN || field->type == FIELD_PROPERTY ? NAN
                                  : field->absent == ABSENT_INFINITE                           ? INFINITY
                                                                     : (float)field->default_value[k];
        if (field->type == FIELD_BOOLEAN) *(bool *)value = field->default_value[0] != 0;
        if (field->type == FIELD_COLOR)
            memcpy(value, (uint8_t[]){(uint8_t)(color >> 16), (uint8_t)(color >> 8), (uint8_t)color}, 3);
    }
}

bool pd_field_is_absent(const pd_record_field *field, float value) {
    switch (field->absent) {
    case ABSENT_ZERO:
        return value == 0;
    case ABSENT_PLUS_ZERO:
        return value == 0 && !signbit(value);
    case ABSENT_NAN:
        return isnan(value);
    case ABSENT_INFINITE:
        return isinf(value) && value > 0;
    case ABSENT_NEVER:
        break;
    }
    return field->type == FIELD_PROPERTY && isnan(value);
}

/* ---- Unknown names ---- */

static const char *find_nearest_name(const char *typed, const char *const *names, int count) {
    const char *nearest = NULL;
    int length = (int)strlen(typed), best = 3; /* greatest accepted edit distance, then the least distance found */
    if (length < 9) best = 2;
    if (length < 4) best = 1;
    for (int i = 0; i < count; i++) {
        int distance = *names[i] ? pd_text_edit_distance(typed, names[i]) : length;
        /* If the edit distance equals the length, the words have no letter in common. */
        if (distance < length && (distance < best || (distance == best && !nearest))) {
            best = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

bool pd_fail_unknown_word(pd_document *document, const yaml_node_t *node, pd_error_code code, const char *label,
                          const char *const *names, int count) {
    char described[MAX_SHOWN], list[256] = "";
    const char *shown = pd_node_describe(document, node, described);
    for (int i = 0; i < count; i++)
        if (*names[i]) pd_text_append_word(list, sizeof list, ", ", names[i]);
    const char *nearest =
        node->type == YAML_SCALAR_NODE ? find_nearest_name((const char *)node->data.scalar.value, names, count) : NULL;
    if (nearest)
        return pd_fail_at(document, node, code, "unknown %s %s (did you mean '%s'? known: %s)", label, shown, nearest,
                          list);
    return pd_fail_at(document, node, code, "unknown %s %s (known: %s)", label, shown, *list ? list : "none");
}

bool pd_fail_at_fault(pd_document *document, const yaml_node_t *node, const pd_scene_fault *fault) {
    for (const char *key = fault->key; *key; key += strspn(key, ".")) {
        char part[sizeof fault->key];
        size_t length = strcspn(key, ".");
        snprintf(part, sizeof part, "%.*s", (int)length, key);
        node = pd_node_value_or_mapping(document, node, part);
        key += length;
    }
    if (fault->element >= 0) node = pd_node_at(document, node->data.sequence.items.start[fault->element]);
    return pd_fail_at(document, node, fault->code, "%s", fault->text);
}

/* ---- Reading of values ---- */

static bool read_choice(pd_document *document, const yaml_node_t *node, const pd_record_field *field,
                        pd_field_kinds allowed, int *value) {
    const char *names[8 * sizeof(pd_field_kinds)];
    int count = 0;
    for (; field->words[count]; count++) {
        names[count] = allowed >> count & 1 ? field->words[count] : "";
        if (*names[count] && pd_node_equals_text(node, names[count])) {
            *value = count;
            return true;
        }
    }
    if (node->type != YAML_SCALAR_NODE || node->data.scalar.length == 0)
        return pd_fail_value(document, node, PD_ERROR_SCENE_TYPE, field->key, "a word, such as %s", field->words[0]);
    return pd_fail_unknown_word(document, node, PD_ERROR_SCENE_VALUE, field->key, names, count);
}

bool pd_read_material(pd_document *document, const yaml_node_t *node, const char *label, int *material) {
    pd_scene *scene = document->scene;
    const char *names[PD_MAX_MATERIALS];
    for (int i = 0; i < scene->material_count; i++) {
        names[i] = scene->materials[i].name;
        *material = i;
        if (pd_node_equals_text(node, names[i])) return true;
    }
    if (node->type != YAML_SCALAR_NODE)
        return pd_fail_value(document, node, PD_ERROR_SCENE_TYPE, label, "a material's name");
    if (document->adds_materials && scene->material_count < PD_MAX_MATERIALS) {
        *material = scene->material_count++;
        return pd_read_text(document, node, label, scene->materials[*material].name, PD_MAX_NAME);
    }
    return pd_fail_unknown_word(document, node, PD_ERROR_SCENE_REFERENCE, "material", names, scene->material_count);
}

static bool read_color(pd_document *document, const yaml_node_t *node, const char *label, uint8_t *rgb) {
    if (node->type != YAML_SCALAR_NODE || node->data.scalar.length == 0)
        return pd_fail_value(document, node, PD_ERROR_SCENE_TYPE, label,
                             "\"#3a8fff\", in quotes, since a bare # begins a comment");
    const char *text = (const char *)node->data.scalar.value;
    if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return pd_fail_value(document, node, PD_ERROR_SCENE_VALUE, label,
                             "# and six hexadecimal digits, such as \"#3a8fff\"");
    unsigned long color = strtoul(text + 1, NULL, 16);
    for (int i = 0; i < 3; i++) rgb[i] = (uint8_t)(color >> (16 - 8 * i));
    return true;
}

static bool read_field_value(pd_document *document, const yaml_node_t *node, const pd_record_field *field,
                             pd_field_kinds kind, void *record) {
    void *value = (char *)record + field->offset;
    const yaml_node_t *names[2] = {NULL, NULL};
    uint64_t count = 0;
    switch (field->type) {
    case FIELD_NUMBER:
        return pd_read_number(document, node, field->key, field->low, field->high, value);
    case FIELD_VECTOR:
        if ((field->single & kind) && node->type == YAML_SCALAR_NODE) {
            ((pd_vec2 *)value)->y = 0;
            return pd_read_number(document, node, field->key, field->low, field->high, &((pd_vec2 *)value)->x);
        }
        return pd_read_vector(document, node, field->key, field->low, field->high, value);
    case FIELD_BOOLEAN:
        return pd_read_boolean(document, node, field->key, value);
    case FIELD_TEXT:
        return pd_read_text(document, node, field->key, value, PD_MAX_NAME);
    case FIELD_MATERIAL:
        return pd_read_material(document, node, field->key, value);
    case FIELD_PAIR:
        return pd_read_pair(document, node, field->key, "two materials, such as [oil, water]", names) &&
               pd_read_material(document, names[0], field->key, value) &&
               pd_read_material(document, names[1], field->key, (int *)value + 1);
    case FIELD_NAMES:
        return pd_read_pair(document, node, field->key, "two bodies, such as [wheel, world]", names) &&
               pd_read_text(document, names[0], field->key, value, PD_MAX_NAME) &&
               pd_read_text(document, names[1], field->key, (char *)value + PD_MAX_NAME, PD_MAX_NAME);
    case FIELD_COLOR:
        return read_color(document, node, field->key, value);
    case FIELD_OWN_COLOR:
        ((pd_own_color *)value)->is_given = true;
        return read_color(document, node, field->key, &((pd_own_color *)value)->red);
    case FIELD_PROPERTY: {
        pd_record_field number = pd_number_field_of_property(field);
        return pd_read_number(document, node, number.key, number.low, number.high, value);
    }
    case FIELD_CUSTOM:
        return field->read(document, node, value);
    case FIELD_CHOICE: {
        int choice = 0; /* an enum has the size of an int */
        if (!read_choice(document, node, field, pd_field_allowed_words(field), &choice)) return false;
        memcpy(value, &choice, sizeof choice);
        return true;
    }
    case FIELD_COUNT:
        if (!pd_read_integer(document, node, field->key, (uint64_t)field->low, (uint64_t)field->high,
                             PD_ERROR_SCENE_TOO_LARGE, &count))
            return false;
        *(int *)value = (int)count;
        return true;
    }
    return false;
}

/* ---- Reading of records ---- */

static int find_field_index(const pd_record_schema *schema, const yaml_node_t *key) {
    for (int i = 0; i < schema->count; i++)
        if (pd_node_equals_text(key, schema->fields[i].key)) return i;
    return -1;
}

static int list_keys_of_kind(const pd_record_schema *schema, pd_field_kinds kind, const char **names) {
    int count = 0;
    for (int i = 0; i < schema->count; i++)
        if (pd_record_has_field(schema, i, kind)) names[count++] = schema->fields[i].key;
    return count;
}

/* Finds the YAML nodes of the values: values[i] for field i. Reports unknown and repeated keys, and sets *no_mistake to
 * false. Returns whether reading continues. */
static bool find_value_nodes(pd_document *document, const yaml_node_t *node, const pd_record_schema *schema,
                             yaml_node_t **values, bool *no_mistake) {
    char label[64];
    const char *names[MAX_FIELDS];
    const yaml_node_pair_t *pairs = node->data.mapping.pairs.start;
    ptrdiff_t count = node->data.mapping.pairs.top - pairs;
    for (ptrdiff_t p = 0; p < count; p++) {
        const yaml_node_t *key = pd_node_at(document, pairs[p].key);
        int index = find_field_index(schema, key);
        if (index < 0) {
            snprintf(label, sizeof label, "key of the %s:", schema->noun);
            pd_fail_unknown_word(document, key, PD_ERROR_SCENE_KEY, label, names,
                                 list_keys_of_kind(schema, ALL_KINDS, names));
        } else if (pd_require_single_key(document, node, &pairs[p], "key")) {
            values[index] = pd_node_at(document, pairs[p].value);
            continue;
        }
        *no_mistake = false;
        if (!pd_document_skip_mistake(document)) return false;
    }
    return true;
}

/* Returns whether the node of a field's value is a list of two vectors, for the field and the next one. */
static bool is_for_next_field_too(pd_document *document, const yaml_node_t *node, const pd_record_field *field,
                                  pd_field_kinds kind) {
    const yaml_node_item_t *items = node->data.sequence.items.start;
    return (field->with_next & kind) && node->type == YAML_SEQUENCE_NODE && node->data.sequence.items.top > items &&
           pd_node_at(document, *items)->type == YAML_SEQUENCE_NODE;
}

/* Splits lists of two vectors: values[i] becomes the first vector, values[i + 1] the second. */
static bool split_pairs_of_vectors(pd_document *document, const pd_record_schema *schema, yaml_node_t **values,
                                   pd_field_kinds kind) {
    for (int i = 0; i < schema->count; i++) {
        const pd_record_field *field = &schema->fields[i];
        yaml_node_t *list = values[i];
        if (!list || !is_for_next_field_too(document, list, field, kind)) continue;
        const yaml_node_item_t *items = list->data.sequence.items.start;
        if (list->data.sequence.items.top - items != 2)
            return pd_fail_at(document, list, PD_ERROR_SCENE_TYPE,
                              "'%s' does not list two places (allowed: [x, y] or [[x, y], [x, y]])", field->key);
        if (values[i + 1])
            return pd_fail_at(document, values[i + 1], PD_ERROR_SCENE_KEY,
                              "'%s' is also the second place of '%s' (keep one)", field[1].key, field->key);
        values[i] = pd_node_at(document, items[0]);
        values[i + 1] = pd_node_at(document, items[1]);
    }
    return true;
}

/* Reads the kind of a record, as a bit of pd_field_kinds, from its first field. *kind is ALL_KINDS if the schema has no
 * kinds. */
static bool read_record_kind(pd_document *document, const yaml_node_t *node, const pd_record_schema *schema,
                             yaml_node_t **values, pd_field_kinds *kind) {
    *kind = ALL_KINDS;
    if (!schema->has_kinds) return true;
    const pd_record_field *field = &schema->fields[0];
    if (!values[0])
        return pd_fail_at(document, node, PD_ERROR_SCENE_KEY, "the %s has no '%s' (add one, such as %s: %s)",
                          schema->noun, field->key, field->key, field->words[0]);
    int choice = 0;
    if (!read_choice(document, values[0], field, field->allowed, &choice)) return false;
    *kind = 1u << choice;
    return true;
}

/* Fails for keys that a record of this kind does not have. Without a wrong key also fails for missing keys.
 * has_wrong_key: whether the mapping has an unknown or repeated key. */
static bool check_keys_of_kind(pd_document *document, const yaml_node_t *node, const pd_record_schema *schema,
                               yaml_node_t **values, pd_field_kinds kind, bool has_wrong_key) {
    char described[MAX_SHOWN], list[256] = "";
    const char *shown = schema->has_kinds ? pd_node_describe(document, values[0], described) : "";
    const char *names[MAX_FIELDS];
    bool no_mistake = true;
    int known = list_keys_of_kind(schema, kind, names);
    for (int i = 0; i < known; i++) pd_text_append_word(list, sizeof list, ", ", names[i]);
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = pd_node_at(document, pair->key);
        int index = find_field_index(schema, key);
        if (index < 0 || pd_record_has_field(schema, index, kind)) continue;
        no_mistake = pd_fail_at(document, key, PD_ERROR_SCENE_KEY, "'%s' does not go with %s %s (known: %s)",
                                schema->fields[index].key, schema->fields[0].key, shown, list);
        if (!pd_document_skip_mistake(document)) return false;
    }
    /* A wrong key may be a misspelt required key, which then is not missing. */
    bool complete = no_mistake && !has_wrong_key;
    for (int i = 0; i < schema->count && complete; i++) {
        if (!(schema->fields[i].required & kind) || values[i]) continue;
        no_mistake = pd_fail_at(document, node, PD_ERROR_SCENE_KEY, "the %s%s%s has no '%s' (add it; known: %s)", shown,
                                *shown ? " " : "", schema->noun, schema->fields[i].key, list);
        if (!pd_document_skip_mistake(document)) return false;
    }
    return no_mistake;
}

bool pd_read_record(pd_document *document, const yaml_node_t *node, const pd_record_schema *schema, void *record) {
    char label[64];
    yaml_node_t *values[MAX_FIELDS] = {NULL};
    pd_field_kinds kind;
    bool no_mistake = true;
    snprintf(label, sizeof label, "the %s", schema->noun);
    if (!pd_require_mapping(document, node, label) || !find_value_nodes(document, node, schema, values, &no_mistake) ||
        !read_record_kind(document, node, schema, values, &kind) ||
        !split_pairs_of_vectors(document, schema, values, kind))
        return false;
    if (!check_keys_of_kind(document, node, schema, values, kind, !no_mistake)) {
        if (!pd_document_skip_mistake(document)) return false;
        no_mistake = false;
    }
    for (int i = 0; i < schema->count; i++)
        if (schema->fields[i].read_first && values[i] &&
            !read_field_value(document, values[i], &schema->fields[i], kind, record)) {
            bool skipped = !*document->error.message; /* whether the value's mistakes are reported, and its rest read */
            if (!pd_document_skip_mistake(document) || !skipped) return false;
            no_mistake = false;
        }
    /* Values are read in the order of the file, so that the first fault in the file is reported. */
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        int index = find_field_index(schema, pd_node_at(document, pair->key));
        if (index < 0 || schema->fields[index].read_first || !pd_record_has_field(schema, index, kind)) continue;
        const pd_record_field *field = &schema->fields[index];
        const yaml_node_t *value = pd_node_at(document, pair->value);
        bool two = is_for_next_field_too(document, value, field, kind);
        /* The second value of a repeated key: find_value_nodes has reported it. */
        if (!two && value != values[index]) continue;
        if (read_field_value(document, values[index], field, kind, record) &&
            (!two || read_field_value(document, values[index + 1], field + 1, kind, record)))
            continue;
        if (!pd_document_skip_mistake(document)) return false;
        no_mistake = false;
    }
    if (!no_mistake) return false;
    pd_scene_fault fault;
    return !schema->find_conflict || !schema->find_conflict(record, &fault) || pd_fail_at_fault(document, node, &fault);
}
