/* Records: YAML mappings whose keys a table of fields describes by key, type, range, default and offset in memory.
 * Reading, checking, writing and comparing scenes all use these tables. */
#ifndef PUDDLE_SCENE_FIELDS_H
#define PUDDLE_SCENE_FIELDS_H

#include "scene/file/document.h"

typedef enum pd_field_type {
    FIELD_NUMBER,   /* float */
    FIELD_COUNT,    /* int; a value above the range is SCENE_TOO_LARGE */
    FIELD_VECTOR,   /* pd_vec2 */
    FIELD_BOOLEAN,  /* bool */
    FIELD_CHOICE,   /* enum: index into the field's words */
    FIELD_TEXT,     /* char[PD_MAX_NAME] */
    FIELD_MATERIAL, /* int: index of a material; in files the material's name */
    FIELD_PAIR,     /* int[2]: indices of two materials */
    FIELD_COLOR,    /* uint8_t[3] */
    FIELD_PROPERTY, /* float: value of the property of this key, in the range of the property's parameter, or NAN */
    FIELD_CUSTOM,   /* value that functions of the field read and write */
} pd_field_type;

/* Size of a field's value. */
typedef struct pd_field_form {
    int floats, materials; /* number of floats, and of material indices, in the value */
    size_t size;           /* bytes of the value; 0: a FIELD_CUSTOM */
} pd_field_form;
extern const pd_field_form pd_field_forms[]; /* indexed by pd_field_type */

/* Value in memory that means "not given" and is not written to files. ABSENT_PLUS_ZERO: only +0, while -0 is
 * written. */
typedef enum pd_absent { ABSENT_NEVER, ABSENT_ZERO, ABSENT_PLUS_ZERO, ABSENT_NAN, ABSENT_INFINITE } pd_absent;

typedef struct pd_writer pd_writer; /* defined in writer.h */

/* Set of kinds of a record, as bits: its shapes, for example. */
typedef unsigned pd_field_kinds;
enum { ALL_KINDS = 0xff };

typedef struct pd_record_field {
    const char *key;
    pd_field_type type;
    unsigned offset;
    pd_field_kinds allowed, required;
    pd_field_kinds single;    /* kinds that accept one number in place of a vector: x = number, y = 0 */
    double low, high;         /* range of a number, a count, or each component of a vector */
    const char *const *words; /* words of a choice, ended by NULL; "": enum value without a word */
    bool (*read)(pd_document *document, const yaml_node_t *node, void *value); /* reads a custom value at the offset */
    void (*write)(pd_writer *writer,
                  const void *record); /* writes ", key: value"; NULL: another field's function does */
    bool read_first;                   /* read before the other fields, which depend on it */
    int file_shift;           /* position in files minus position in this table, which is that in lists of keys */
    pd_field_kinds unwritten; /* kinds that do not write the value, as a file of particles or cells contains it */
    pd_absent absent;
    double default_value[2]; /* a number, a colour (0xrrggbb), a boolean (1 or 0), or components of a vector */
    /* Texts for lists of keys: unit and explanation, and replacements for the type, default and range of this table. */
    const char *unit, *help, *kind, *absent_text, *range_text;
} pd_record_field;

typedef struct pd_record {
    const char *noun; /* name of such a record in messages: "region" */
    const pd_record_field *fields;
    int count;
    bool has_kinds; /* whether records have kinds: the first field, a required choice, gives the kind */
    size_t size;    /* bytes of a record in memory */
    /* Returns the message about a conflict between values that are each in range, and sets *key to the key to blame.
     * NULL: no conflict. */
    const char *(*find_conflict)(const void *target, const char **key);
} pd_record;

/* Returns the kind of a record in memory, as a bit; 0: unknown kind. */
pd_field_kinds pd_record_kind(const pd_record *record, const void *target);
/* Returns whether records of a kind have the field. */
bool pd_record_has_field(const pd_record *record, int field, pd_field_kinds kind);
/* Zeroes a record in memory and sets every default. */
void pd_record_defaults(const pd_record *record, void *target);
/* Returns whether a value of the field means "not given". */
bool pd_field_is_absent(const pd_record_field *field, float value);

/* Returns the FIELD_NUMBER that describes a FIELD_PROPERTY: range, unit and help of the property's parameter. */
pd_record_field pd_field_of_property(const pd_record_field *field);

/* Reads the name of a material as its index in the scene. what: the key, for messages. Errors: SCENE_TYPE,
 * SCENE_REFERENCE. */
bool pd_read_material(pd_document *document, const yaml_node_t *node, const char *what, int *material);

/* Reads a YAML mapping into a record that has its defaults. Returns false also after skipped mistakes
 * (pd_document_skip_mistake). Errors: SCENE_TYPE, SCENE_KEY, SCENE_VALUE, ... */
bool pd_read_record(pd_document *document, const yaml_node_t *node, const pd_record *record, void *target);

/* Reports a problem with the value of a key, at its position, or at the mapping if it lacks the key. */
bool pd_fail_value(pd_document *document, const yaml_node_t *mapping, const char *key, const char *fault);
/* Reports a word that is not among `names`. The message suggests the nearest name and lists all that are not "". what:
 * meaning of the word ("shape"). */
bool pd_fail_unknown(pd_document *document, const yaml_node_t *node, pd_error_code code, const char *what,
                     const char *const *names, int count);

#endif
