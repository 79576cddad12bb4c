/* Records and their schemas. A record is a YAML mapping, such as a region, or its struct in memory. The schema of a
 * record is a table of its fields: key, type, range, default and offset in the struct. Reading, checking, writing and
 * comparing scenes all use these tables. */
#ifndef PUDDLE_SCENE_FIELDS_H
#define PUDDLE_SCENE_FIELDS_H

#include "scene/file/document.h"

typedef enum pd_field_type {
    FIELD_NUMBER,    /* float */
    FIELD_COUNT,     /* int; a value above the range is SCENE_TOO_LARGE */
    FIELD_VECTOR,    /* pd_vec2 */
    FIELD_BOOLEAN,   /* bool */
    FIELD_CHOICE,    /* enum: index into the field's words */
    FIELD_TEXT,      /* char[PD_MAX_NAME] */
    FIELD_MATERIAL,  /* int: index of a material; in files the material's name */
    FIELD_PAIR,      /* int[2]: indices of two materials */
    FIELD_NAMES,     /* char[2][PD_MAX_NAME]: names of two bodies */
    FIELD_COLOR,     /* uint8_t[3] */
    FIELD_OWN_COLOR, /* pd_own_color */
    FIELD_PROPERTY, /* float: value of a material's property (pd_property), or NAN; the field's key is the property's */
    FIELD_CUSTOM,   /* value that functions of the field read and write */
} pd_field_type;

/* Layout of a field's value in memory, by its type. */
typedef struct pd_field_form {
    int floats, materials; /* number of floats, and of material indices, in the value */
    size_t size;           /* bytes of the value; 0: a FIELD_CUSTOM */
} pd_field_form;
extern const pd_field_form pd_field_forms[]; /* indexed by pd_field_type */

/* Value in memory that means "not given" and is not written to files. ABSENT_PLUS_ZERO: +0, but not -0. */
typedef enum pd_absent { ABSENT_NEVER, ABSENT_ZERO, ABSENT_PLUS_ZERO, ABSENT_NAN, ABSENT_INFINITE } pd_absent;

typedef struct pd_writer pd_writer; /* defined in writer.h */

/* Set of kinds of a record, one bit for each kind. Regions, for example, have a kind for each shape. */
typedef unsigned pd_field_kinds;
enum { ALL_KINDS = 0xff };

typedef struct pd_record_field {
    const char *key;         /* key in scene files */
    pd_field_type type;      /* type of the value */
    unsigned offset;         /* offset of the value in the record's struct, bytes */
    pd_field_kinds allowed;  /* kinds of record that have the field; 0: those of `required`, or all if that is 0 */
    pd_field_kinds required; /* kinds of record in which the key must be given */
    pd_field_kinds single;   /* kinds of record that accept one number in place of a vector: x = number, y = 0 */
    pd_field_kinds
        with_next;    /* kinds of record that accept a list of two vectors: the second is the next field's value */
    double low, high; /* range of a number, a count, or each component of a vector */
    const char *const *words;     /* words of a choice, ended by NULL; "": enum value without a word */
    pd_field_kinds only_in_files; /* words of a choice that become another word when a file is read */
    bool every_word; /* each kind that has the choice may have each of its words; false: word i only in kind i */
    bool (*read)(pd_document *document, const yaml_node_t *node, void *value); /* reads a FIELD_CUSTOM */
    void (*write)(
        pd_writer *writer,
        const void *record); /* writes a FIELD_CUSTOM as ", key: value"; NULL: another field's function writes it */
    bool read_first;         /* read before the other fields, which depend on it */
    int file_shift;          /* rows by which the key comes later in files than in this table */
    pd_field_kinds given_per_particle; /* kinds of record that omit the value, since each listed particle has its own */
    pd_absent absent;                  /* value that means "not given" */
    double default_value[2]; /* a number, a colour (0xrrggbb), a boolean (1 or 0), or components of a vector */
    const char *unit;        /* unit of the value: "m" */
    const char *help;        /* explanation of the key in the reference page */
    const char *type_text;   /* name of the type in the reference page; NULL: name of `type` */
    const char *absent_text; /* default in the reference page; NULL: default_value */
    const char *range_text;  /* range in the reference page; NULL: low to high */
} pd_record_field;

/* Returns the kinds of record that have the field. */
static inline pd_field_kinds pd_field_kinds_of(const pd_record_field *field) {
    return field->allowed ? field->allowed : field->required ? field->required : ALL_KINDS;
}
/* Returns the words that a choice may have: bit i for words[i]. */
static inline pd_field_kinds pd_field_allowed_words(const pd_record_field *field) {
    return field->every_word ? ALL_KINDS : pd_field_kinds_of(field);
}

/* A wrong value of a scene. Scene files report its text at the line and column of the value (reader.c). Messages about
 * other scenes begin with list, index and key: "regions[2].radius is 0 (use ...)" (check.c). */
typedef struct pd_scene_fault {
    pd_error_code code;
    int list, index; /* list and index of the item; list -1: the value is no item's */
    char key[96];    /* keys that lead to the value, from the item or the scene, joined by dots; "": the item itself */
    int element;     /* index of the wrong element of the value; -1: the whole value */
    char text[400];  /* what is wrong and what to do; begins with the last key in quotes or names the subject */
    int rule, next;  /* for pd_scene_find_fault: where the search continues */
} pd_scene_fault;
/* Sets code, key and text of a fault, with list and element -1. Returns true. */
bool pd_fault_set(pd_scene_fault *fault, pd_error_code code, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#define PD_FAULT(fault, ...) pd_fault_set(fault, PD_ERROR_SCENE_VALUE, __VA_ARGS__)

typedef struct pd_record_schema {
    const char *noun;              /* name of the record in messages: "region" */
    const pd_record_field *fields; /* table of the fields */
    int count;                     /* number of fields */
    bool has_kinds; /* whether the record has a kind, which the first field gives: a required FIELD_CHOICE */
    size_t size;    /* bytes of the record's struct */
    /* Finds values, each in its range, that are wrong together. Returns false if there are none. */
    bool (*find_conflict)(const void *record, pd_scene_fault *fault);
} pd_record_schema;

/* Returns the kind of a record in memory, as one bit. 0: unknown kind. ALL_KINDS: the schema has no kinds. */
pd_field_kinds pd_record_kind(const pd_record_schema *schema, const void *record);
/* Returns whether records of a kind have the field. */
bool pd_record_has_field(const pd_record_schema *schema, int field_index, pd_field_kinds kind);
/* Zeroes a record in memory and sets the default of every field. */
void pd_record_set_defaults(const pd_record_schema *schema, void *record);
/* Returns whether a value of the field means "not given". */
bool pd_field_is_absent(const pd_record_field *field, float value);

/* Returns the FIELD_NUMBER that describes a FIELD_PROPERTY: range, unit and help of the property's parameter. */
pd_record_field pd_number_field_of_property(const pd_record_field *field);

/* Reads the name of a material. *material: index of the material in the scene. label: the key, for messages. Errors:
 * SCENE_TYPE, SCENE_REFERENCE. */
bool pd_read_material(pd_document *document, const yaml_node_t *node, const char *label, int *material);

/* Reads a YAML mapping into a record whose fields have their defaults. Returns whether the mapping has no mistake; those
 * that pd_document_skip_mistake has reported count. Errors: SCENE_*. */
bool pd_read_record(pd_document *document, const yaml_node_t *node, const pd_record_schema *schema, void *record);

/* Reports a fault at the position of its value. node: the item's mapping, or the file's; its position if it lacks the key.
 * Returns false. */
bool pd_fail_at_fault(pd_document *document, const yaml_node_t *node, const pd_scene_fault *fault);
/* Reports a word that is not among `names`. The message suggests the nearest name and lists all names except "".
 * label: meaning of the word ("shape"). */
bool pd_fail_unknown_word(pd_document *document, const yaml_node_t *node, pd_error_code code, const char *label,
                          const char *const *names, int count);

#endif
