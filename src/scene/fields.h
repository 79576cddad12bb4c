/* Mappings with known keys, described by tables: key, type, limits, default and place of each value. Reading, checking,
 * writing and comparing all use these tables. */
#ifndef PUDDLE_SCENE_FIELDS_H
#define PUDDLE_SCENE_FIELDS_H

#include "scene/file/document.h"

typedef enum pd_field_type {
    FIELD_NUMBER,   /* float */
    FIELD_COUNT,    /* int; too large a value is SCENE_TOO_LARGE */
    FIELD_VECTOR,   /* pd_vec2 */
    FIELD_BOOLEAN,  /* bool */
    FIELD_CHOICE,   /* enum: index into words */
    FIELD_TEXT,     /* char[PD_MAX_NAME] */
    FIELD_MATERIAL, /* int: index of a material; a name in files */
    FIELD_PAIR,     /* int[2]: two materials */
    FIELD_COLOR,    /* uint8_t[3] */
    FIELD_PROPERTY, /* float: a material's property of this key, in the range of its parameter, or NAN */
    FIELD_CUSTOM,   /* read and written by functions of the field */
} pd_field_type;

/* Components of a value of a type. */
typedef struct pd_field_form {
    int floats, materials; /* number of floats and of material indices */
    size_t size;           /* bytes of the value; 0: custom */
} pd_field_form;
extern const pd_field_form pd_field_forms[]; /* indexed by pd_field_type */

/* Value in a scene that means "not given" and is not written. ABSENT_PLUS_ZERO: +0, even if the field's range contains
 * 0. A -0 is written. */
typedef enum pd_absent { ABSENT_NEVER, ABSENT_ZERO, ABSENT_PLUS_ZERO, ABSENT_NAN, ABSENT_INFINITE } pd_absent;

typedef struct pd_writer pd_writer; /* defined in writer.h */

/* A bit for each shape or other kind of a record. */
typedef unsigned pd_field_kinds;
enum { ALL_KINDS = 0xff };

typedef struct pd_record_field {
    const char *key;
    pd_field_type type;
    unsigned offset;
    pd_field_kinds allowed, required;
    pd_field_kinds single;    /* kinds that also accept one number for a vector: x = number, y = 0 */
    double low, high;         /* range of a number, a count, or each component of a vector */
    const char *const *words; /* words of a choice, ended by NULL; "": enum value without a word */
    bool (*read)(pd_document *document, const yaml_node_t *node, void *value); /* reads a custom value at offset */
    void (*write)(pd_writer *writer,
                  const void *record); /* writes ", key: value"; NULL: another field's function does */
    bool early;                        /* read first, since other fields depend on it */
    int shift;                /* rows between the place in the table, used for lists of keys, and the place in files */
    pd_field_kinds unwritten; /* kinds that do not write the value: rows of their file have it */
    pd_absent absent;
    double
        standard[2]; /* default of a number, a colour (0xrrggbb), a boolean (1 or 0), or each component of a vector */
    /* Texts for lists of keys: unit and meaning, and replacements for the type, default and range of this table. */
    const char *unit, *help, *kind, *absent_text, *range_text;
} pd_record_field;

typedef struct pd_record {
    const char *noun; /* "region" */
    const pd_record_field *fields;
    int count;
    bool has_kinds; /* the first field is a required choice: the record's kind */
    size_t size;    /* bytes of the target */
    /* Finds a fault between values that are each in range. Returns the text of a message and the key, or NULL. */
    const char *(*fault)(const void *target, const char **key);
} pd_record;

/* Returns the bit of a target's kind, 0 for an unknown kind. */
pd_field_kinds pd_record_kind(const pd_record *record, const void *target);
/* Returns whether targets of a kind have the field. */
bool pd_record_has(const pd_record *record, int field, pd_field_kinds kind);
/* Zeroes a target and sets every default. */
void pd_record_defaults(const pd_record *record, void *target);
/* Returns whether a number means "not given". */
bool pd_field_is_absent(const pd_record_field *field, float value);

/* Returns the FIELD_NUMBER of a FIELD_PROPERTY, with range, unit and help of its parameter (properties.c). */
pd_record_field pd_field_of_property(const pd_record_field *field);

/* Reads the index of a material of the scene. what: the key, for messages. Errors: SCENE_TYPE, SCENE_REFERENCE. */
bool pd_read_material(pd_document *document, const yaml_node_t *node, const char *what, int *material);

/* Reads a mapping into target, which must have its defaults. Errors: SCENE_TYPE, SCENE_KEY, SCENE_VALUE, ... */
bool pd_read_record(pd_document *document, const yaml_node_t *node, const pd_record *record, void *target);

/* Fails at the value of a key, or at the mapping if it lacks the key. */
bool pd_fail_value(pd_document *document, const yaml_node_t *mapping, const char *key, const char *fault);
/* Fails for a word that is not in names ("" are skipped). The message suggests the nearest and lists all. what:
 * "shape". */
bool pd_fail_unknown(pd_document *document, const yaml_node_t *node, pd_error_code code, const char *what,
                     const char *const *names, int count);

#endif
