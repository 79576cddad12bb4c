/* Descriptions of the keys of scene files, from the tables of the schema, for the reference page. */
#ifndef PUDDLE_SCENE_FILE_SCHEMA_KEYS_H
#define PUDDLE_SCENE_FILE_SCHEMA_KEYS_H

#include <stdbool.h>

typedef struct pd_scene_key {
    const char *list;        /* mapping that has the key: "scene" (the file itself), "regions", "container.walls" */
    const char *key;         /* name of the key: "radius" */
    const char *type;        /* type of the value: "number" */
    const char *unit, *help; /* unit of the value; explanation in one line */
    char default_value[64];  /* default, or "required"; "": no default */
    char range[96];          /* range of the value; "": any value of the type */
    char only_for[64];       /* shapes that have the key: "circle, box"; "": all */
} pd_scene_key;

/* Describes the key with this index, from 0, among the keys of all mappings. Returns false beyond the last key. */
bool pd_scene_describe_key(int index, pd_scene_key *key);

#endif
