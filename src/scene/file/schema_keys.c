/* Describes the keys of scene files as text. */
#include "scene/file/schema_keys.h"

#include "core/error.h"
#include "core/text.h"
#include "scene/schema.h"

#include <puddle/method.h>
#include <stdio.h>
#include <string.h>

static const struct list {
    const char *name;
    const pd_record_schema *schema;
} lists[] = {
    {"scene", &pd_scene_schema},           {"container", &pd_container_schema},
    {"container.walls", &pd_walls_schema}, {"container.walls.SIDE", &pd_wall_schema},
    {"materials", &pd_material_schema},    {"regions", &pd_region_schema},
    {"vortons", &pd_vorton_schema},        {"cells", &pd_cells_schema},
    {"obstacles", &pd_obstacle_schema},    {"emitters", &pd_emitter_schema},
    {"drains", &pd_drain_schema},          {"attractions", &pd_attraction_schema},
    {"changes", &pd_change_schema},        {"bodies", &pd_body_schema},
    {"joints", &pd_joint_schema},
};

static const char *const type_words[] = {
    [FIELD_NUMBER] = "number", [FIELD_COUNT] = "whole number",
    [FIELD_VECTOR] = "[x, y]", [FIELD_BOOLEAN] = "true or false",
    [FIELD_CHOICE] = "word",   [FIELD_TEXT] = "text",
    [FIELD_MATERIAL] = "name", [FIELD_PAIR] = "",
    [FIELD_NAMES] = "",        [FIELD_COLOR] = "",
    [FIELD_OWN_COLOR] = "",    [FIELD_PROPERTY] = "number",
    [FIELD_CUSTOM] = "",
};

/* Appends the words of a choice, separated by ", ". kinds: bit i is set if word i is appended. */
static void append_choice_words(const char *const *words, pd_field_kinds kinds, char *text, size_t size) {
    for (int i = 0; words[i]; i++)
        if (*words[i] && kinds >> i & 1) pd_text_append_word(text, size, ", ", words[i]);
}

static void describe_default_value(const pd_record_field *field, const void *defaults, char *text, size_t size) {
    const void *value = (const char *)defaults + field->offset;
    const float *number = value;
    const pd_vec2 *vector = value;
    char x[PD_FLOAT_TEXT], y[PD_FLOAT_TEXT];
    if (field->type == FIELD_NUMBER) snprintf(text, size, "%s", pd_text_write_float(*number, x));
    if (field->type == FIELD_VECTOR)
        snprintf(text, size, "[%s, %s]", pd_text_write_float(vector->x, x), pd_text_write_float(vector->y, y));
    if (field->type == FIELD_BOOLEAN) snprintf(text, size, "%s", *(const bool *)value ? "true" : "false");
    if (field->type == FIELD_MATERIAL) snprintf(text, size, "the first");
    if (field->type == FIELD_CHOICE) {
        int choice;
        memcpy(&choice, value, sizeof choice);
        snprintf(text, size, "%s", field->words[choice]);
    }
}

/* Writes the default of a field as text. number: for a FIELD_PROPERTY, result of pd_number_field_of_property; for other
 * fields the field itself. defaults: a record with the default of every field. */
static void describe_default_or_required(const pd_record_schema *schema, const pd_record_field *field,
                                         const pd_record_field *number, const void *defaults, char *text, size_t size) {
    pd_field_kinds possible = schema->has_kinds ? schema->fields[0].allowed & field->allowed : ALL_KINDS;
    *text = '\0';
    if ((schema->has_kinds && field == schema->fields) || (field->required & possible) == possible) {
        snprintf(text, size, "required");
        return;
    }
    if (number->absent_text)
        snprintf(text, size, "%s", number->absent_text);
    else
        describe_default_value(field, defaults, text, size);
    if (!field->required) return;
    char kinds[64] = "";
    append_choice_words(schema->fields[0].words, field->required & possible, kinds, sizeof kinds);
    pd_text_append(text, size, " (required: %s)", kinds);
}

static void describe_range(const pd_record_field *field, char *text, size_t size) {
    char range[PD_RANGE_TEXT];
    bool number = field->type == FIELD_NUMBER || field->type == FIELD_COUNT || field->type == FIELD_VECTOR;
    *text = '\0';
    if (field->range_text)
        snprintf(text, size, "%s", field->range_text);
    else if (field->type == FIELD_CHOICE)
        append_choice_words(field->words, pd_field_allowed_words(field), text, size);
    else if (number)
        snprintf(text, size, "%s", pd_text_write_range(field->low, field->high, range));
}

static void describe_key(const pd_record_schema *schema, const pd_record_field *field, const void *defaults,
                         pd_scene_key *key) {
    const pd_record_field number = field->type == FIELD_PROPERTY ? pd_number_field_of_property(field) : *field;
    key->key = number.key;
    key->type = number.type_text ? number.type_text : type_words[number.type];
    key->unit = number.unit ? number.unit : "";
    key->help = number.help ? number.help : "";
    describe_default_or_required(schema, field, &number, defaults, key->default_value, sizeof key->default_value);
    describe_range(&number, key->range, sizeof key->range);
    *key->only_for = '\0';
    pd_field_kinds all = schema->has_kinds ? schema->fields[0].allowed : ALL_KINDS;
    if (field != schema->fields && (field->allowed & all) != all)
        append_choice_words(schema->fields[0].words, field->allowed & all, key->only_for, sizeof key->only_for);
}

bool pd_scene_describe_key(int index, pd_scene_key *key) {
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        const pd_record_schema *schema = lists[l].schema;
        key->list = lists[l].name;
        if (index >= schema->count) {
            index -= schema->count;
            continue;
        }
        union { /* room for any record */
            pd_scene scene;
            pd_region region;
        } defaults;
        PD_ASSERT(schema->size <= sizeof defaults);
        pd_record_set_defaults(schema, &defaults);
        describe_key(schema, &schema->fields[index], &defaults, key);
        return true;
    }
    return false;
}
