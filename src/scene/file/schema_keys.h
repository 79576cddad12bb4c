/* The keys of scene files as text, from the tables of the schema: for lists of reference. */
#ifndef PUDDLE_SCENE_FILE_SCHEMA_KEYS_H
#define PUDDLE_SCENE_FILE_SCHEMA_KEYS_H

#include <stdbool.h>

typedef struct pd_scene_key {
    const char *list; /* where the key stands: "scene" (the file itself), "regions", "container.walls" */
    const char *key;  /* "radius" */
    const char *type; /* "number" */
    const char *unit, *help;
    char default_value[64]; /* "required" for a key that must be there; "": none */
    char range[96];         /* "": any value of the type */
    char only_for[64];      /* "circle, box": the shapes that have the key; "": all */
} pd_scene_key;

/* index: from 0. False: there are no more keys. */
bool pd_scene_key_at(int index, pd_scene_key *key);

#endif
