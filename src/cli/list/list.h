/* The listings of `puddle list`. */
#ifndef PUDDLE_CLI_LIST_LIST_H
#define PUDDLE_CLI_LIST_LIST_H

#include "cli/list/listing.h"

#include <stddef.h>

/* Adds tables and rows. Returns the exit code of what was reported, 0: nothing. */
typedef int list_function(listing *list);

typedef struct list_info {
    const char *name;  /* "scene-keys" */
    const char *title; /* of the page: "Keys of scene files" */
    const char *about; /* one sentence, without the full stop */
    list_function *add;
} list_info;

extern const list_info lists[];
extern const int list_count;

/* NULL when there is none of this name. */
const list_info *list_find(const char *name);
/* "methods, scenes or keys". Returns text. */
char *list_names(char *text, size_t size);

list_function list_methods, list_views, list_parameters;    /* list_methods.c */
list_function list_scenes, list_scene_keys, list_materials; /* list_scenes.c */
list_function list_keys, list_flags, list_statistics;       /* list_program.c */

#endif
