/* Mappings with known keys, described by tables: which keys there are, what each may hold, where it goes. */
#ifndef PUDDLE_SCENE_FIELDS_H
#define PUDDLE_SCENE_FIELDS_H

#include "scene/document.h"

typedef enum pd_field_type {
    FIELD_NUMBER,   /* float */
    FIELD_COUNT,    /* int; too large is SCENE_TOO_LARGE */
    FIELD_VECTOR,   /* pd_vec2 */
    FIELD_BOOLEAN,  /* bool */
    FIELD_CHOICE,   /* an enum, by the words' order */
    FIELD_TEXT,     /* char[PD_MAX_NAME] */
    FIELD_MATERIAL, /* int, a material of the scene by its name */
    FIELD_PROPERTY, /* float, a material's property of this key: in the range of the parameter it stands for, or NAN */
    FIELD_CUSTOM,   /* read decides */
} pd_field_type;

/* What stands in a scene for a value that was not given. */
typedef enum pd_absent { ABSENT_NEVER, ABSENT_ZERO, ABSENT_NAN, ABSENT_INFINITE } pd_absent;

/* A bit for each shape (or other kind) of a record. */
typedef unsigned pd_field_kinds;
enum { ALL_KINDS = 0xff };

typedef struct pd_record_field {
    const char *key;
    pd_field_type type;
    unsigned offset;
    pd_field_kinds allowed, required;
    double low, high;         /* of a number, a count, or each component of a vector */
    const char *const *words; /* of a choice, NULL behind the last; "" is a number without a word */
    bool (*read)(pd_document *document, const yaml_node_t *node, void *value); /* at offset */
    bool early; /* read before the others, which look at it */
    pd_absent absent;
} pd_record_field;

typedef struct pd_record {
    const char *noun; /* "region" */
    const pd_record_field *fields;
    int count;
    bool has_kinds; /* the first field is the choice of the record's kind, and required */
} pd_record;

/* A property as the number that it is, with the parameter's range. */
pd_record_field pd_field_of_property(const pd_record_field *field);

/* The index of a material of the scene. what: the key, for messages. Errors: SCENE_TYPE, SCENE_REFERENCE. */
bool pd_read_material(pd_document *document, const yaml_node_t *node, const char *what, int *material);

/* Fills target, which holds the defaults, from a mapping. Errors: SCENE_TYPE, SCENE_KEY, SCENE_VALUE, ... */
bool pd_read_record(pd_document *document, const yaml_node_t *node, const pd_record *record, void *target);

/* Refuses a word that is not among names ("" are skipped), naming the nearest and all. what: "shape". */
bool pd_fail_unknown(pd_document *document, const yaml_node_t *node, pd_error_code code, const char *what,
                     const char *const *names, int count);

#endif
