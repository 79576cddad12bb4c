/* Mappings with known keys, described by tables: each key with the type, limits, default and place of its value. Reading,
 * checking, writing and comparing walk these tables: a field that a table has is in all of them. */
#ifndef PUDDLE_SCENE_FIELDS_H
#define PUDDLE_SCENE_FIELDS_H

#include "scene/file/document.h"

typedef enum pd_field_type {
    FIELD_NUMBER,   /* float */
    FIELD_COUNT,    /* int; too large is SCENE_TOO_LARGE */
    FIELD_VECTOR,   /* pd_vec2 */
    FIELD_BOOLEAN,  /* bool */
    FIELD_CHOICE,   /* an enum: the index of a word in words */
    FIELD_TEXT,     /* char[PD_MAX_NAME] */
    FIELD_MATERIAL, /* int, the index of a material, given by name */
    FIELD_PAIR,     /* int[2], likewise of two materials */
    FIELD_COLOR,    /* uint8_t[3] */
    FIELD_PROPERTY, /* float, a material's property of this key: in the range of its parameter, or NAN */
    FIELD_CUSTOM,   /* read and written by the field's functions */
} pd_field_type;

/* The parts of a value of a type. */
typedef struct pd_field_form {
    int floats, materials; /* their numbers */
    size_t size;           /* bytes; 0: the value is in members of its own */
} pd_field_form;
extern const pd_field_form pd_field_forms[]; /* by pd_field_type */

/* The value in a scene that means "not given", and is not written. ABSENT_PLUS_ZERO: a 0 in the field's range, but not -0. */
typedef enum pd_absent { ABSENT_NEVER, ABSENT_ZERO, ABSENT_PLUS_ZERO, ABSENT_NAN, ABSENT_INFINITE } pd_absent;

typedef struct pd_writer pd_writer; /* writer.h */

/* A bit for each shape (or other kind) of a record. */
typedef unsigned pd_field_kinds;
enum { ALL_KINDS = 0xff };

typedef struct pd_record_field {
    const char *key;
    pd_field_type type;
    unsigned offset;
    pd_field_kinds allowed, required;
    pd_field_kinds single;    /* of a vector: these kinds also take one number for x; y is then 0 */
    double low, high;         /* of a number, a count, or each component of a vector */
    const char *const *words; /* of a choice, terminated by NULL; "": a value of the enum without a word */
    bool (*read)(pd_document *document, const yaml_node_t *node, void *value); /* at offset */
    void (*write)(pd_writer *writer, const void *record); /* ", key: value"; NULL: another field's function writes it */
    bool early;                                           /* read before the others, which depend on it */
    int shift;                /* of the place in which it is written from that in the table, which lists of keys have */
    pd_field_kinds unwritten; /* these kinds take the value for rows of a file that lack their own */
    pd_absent absent;
    double standard
        [2]; /* default of a number, a colour (0xrrggbb), true or false (1 or 0), or each component of a vector */
    /* For lists of keys: unit, what the value is, and in place of what follows from the above: type, default and range. */
    const char *unit, *help, *kind, *absent_text, *range_text;
} pd_record_field;

typedef struct pd_record {
    const char *noun; /* "region" */
    const pd_record_field *fields;
    int count;
    bool has_kinds; /* the first field is the choice of the record's kind, and required */
    size_t size;    /* bytes of the target */
    /* A fault between values that are each in range, as the text of a message, and the key at fault; NULL: none. */
    const char *(*fault)(const void *target, const char **key);
} pd_record;

/* The bit of a target's kind; 0: it has a kind that does not exist. */
pd_field_kinds pd_record_kind(const pd_record *record, const void *target);
/* Whether targets of this kind have the field. */
bool pd_record_has(const pd_record *record, int field, pd_field_kinds kind);
/* Zeroes a target and sets every default. */
void pd_record_defaults(const pd_record *record, void *target);
/* Whether a number means "not given". */
bool pd_field_absent(const pd_record_field *field, float value);

/* The FIELD_NUMBER of a FIELD_PROPERTY, with the range, the unit and the help of its parameter (properties.c). */
pd_record_field pd_field_of_property(const pd_record_field *field);

/* The index of a material of the scene. what: the key, for messages. Errors: SCENE_TYPE, SCENE_REFERENCE. */
bool pd_read_material(pd_document *document, const yaml_node_t *node, const char *what, int *material);

/* Fills target, which holds the defaults, from a mapping. Errors: SCENE_TYPE, SCENE_KEY, SCENE_VALUE, ... */
bool pd_read_record(pd_document *document, const yaml_node_t *node, const pd_record *record, void *target);

/* Fails at the value of a key; at the mapping where it lacks the key. */
bool pd_fail_value(pd_document *document, const yaml_node_t *mapping, const char *key, const char *fault);
/* Fails for a word that is not one of names ("" are skipped); the message suggests the nearest and lists all. what:
 * "shape". */
bool pd_fail_unknown(pd_document *document, const yaml_node_t *node, pd_error_code code, const char *what,
                     const char *const *names, int count);

#endif
