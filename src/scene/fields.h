/* Records: YAML mappings whose keys a table of fields describes by key, type, range, default and offset in memory.
 * Reading, checking, writing and comparing scenes all use these tables. */
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
    FIELD_COLOR,     /* uint8_t[3] */
    FIELD_OWN_COLOR, /* pd_own_color */
    FIELD_PROPERTY,  /* float: value of the property of this key, in the range of the property's parameter, or NAN */
    FIELD_CUSTOM,    /* value that functions of the field read and write */
} pd_field_type;

/* Layout of a field's value in memory, by its type. */
typedef struct pd_field_form {
    int floats, materials; /* number of floats, and of material indices, in the value */
    size_t size;           /* bytes of the value; 0: a FIELD_CUSTOM */
} pd_field_form;
extern const pd_field_form pd_field_forms[]; /* indexed by pd_field_type */

/* Which value in memory means "not given": it is not written to files. ABSENT_PLUS_ZERO: +0, but not -0. */
typedef enum pd_absent { ABSENT_NEVER, ABSENT_ZERO, ABSENT_PLUS_ZERO, ABSENT_NAN, ABSENT_INFINITE } pd_absent;

typedef struct pd_writer pd_writer; /* defined in writer.h */

/* Set of kinds of a record, one bit for each kind. Regions, for example, have a kind for each shape. */
typedef unsigned pd_field_kinds;
enum { ALL_KINDS = 0xff };

typedef struct pd_record_field {
    const char *key;    /* key in scene files */
    pd_field_type type; /* type of the value */
    unsigned offset;
    pd_field_kinds allowed, required;
    pd_field_kinds single;    /* kinds that accept one number in place of a vector: x = number, y = 0 */
    double low, high;         /* range of a number, a count, or each component of a vector */
    const char *const *words; /* words of a choice, ended by NULL; "": enum value without a word */
    bool (*read)(pd_document *document, const yaml_node_t *node, void *value); /* reads a custom value at the offset */
    void (*write)(
        pd_writer *writer,
        const void *instance); /* writes ", key: value"; NULL: the write function of another field writes this one */
    bool read_first;           /* read before the other fields, which depend on it */
    int file_shift;            /* rows by which the key comes later in files than in this table */
    pd_field_kinds unwritten;  /* kinds that do not write the value, since a file of particles or cells contains it */
    pd_absent absent;          /* value that means "not given" */
    double default_value[2];   /* a number, a colour (0xrrggbb), a boolean (1 or 0), or components of a vector */
    /* Texts for lists of keys. kind, absent_text, range_text: replace the type, default and range from this table. */
    const char *unit, *help, *kind, *absent_text, *range_text;
} pd_record_field;

typedef struct pd_record {
    const char *noun;              /* name of such a record in messages: "region" */
    const pd_record_field *fields; /* table of the fields */
    int count;
    bool has_kinds; /* whether records have kinds: the first field, a required choice, gives the kind */
    size_t size;    /* bytes of a record in memory */
    /* Returns a message if values that are each in range conflict, and sets *key to the key to change. NULL: no
     * conflict. */
    const char *(*find_conflict)(const void *instance, const char **key);
} pd_record;

/* Returns the kind of a record in memory, as a bit; 0: unknown kind. */
pd_field_kinds pd_record_kind(const pd_record *record, const void *instance);
/* Returns whether records of a kind have the field. */
bool pd_record_has_field(const pd_record *record, int field, pd_field_kinds kind);
/* Zeroes a record in memory and sets the default of every field. */
void pd_record_set_defaults(const pd_record *record, void *instance);
/* Returns whether a value of the field means "not given". */
bool pd_field_is_absent(const pd_record_field *field, float value);

/* Returns the FIELD_NUMBER that describes a FIELD_PROPERTY: range, unit and help of the property's parameter. */
pd_record_field pd_number_field_of_property(const pd_record_field *field);

/* Reads the name of a material as its index in the scene. label: the key, for messages. Errors: SCENE_TYPE,
 * SCENE_REFERENCE. */
bool pd_read_material(pd_document *document, const yaml_node_t *node, const char *label, int *material);

/* Reads a YAML mapping into a record whose fields have their defaults. Returns false also after mistakes that
 * pd_document_skip_mistake has reported. Errors: SCENE_TYPE, SCENE_KEY, SCENE_VALUE,
 * ... */
bool pd_read_record(pd_document *document, const yaml_node_t *node, const pd_record *record, void *instance);

/* Reports a problem with the value of a key at the position of this value, or of the mapping if it lacks the key. */
bool pd_fail_at_key(pd_document *document, const yaml_node_t *mapping, const char *key, const char *fault);
/* Reports a word that is not among `names`. The message suggests the nearest name and lists all names except "".
 * label: meaning of the word ("shape"). */
bool pd_fail_unknown_word(pd_document *document, const yaml_node_t *node, pd_error_code code, const char *label,
                          const char *const *names, int count);

#endif
