/* The listings of `puddle list`. */
#ifndef PUDDLE_CLI_LIST_LIST_H
#define PUDDLE_CLI_LIST_LIST_H

#include "cli/list/listing.h"

#include <stddef.h>

/* Function that adds the tables and rows of a listing. Returns the exit code, 0 unless an error was reported. */
typedef int list_function(listing *list);

typedef struct list_info {
    const char *name;  /* name on the command line: `puddle list scene-keys` */
    const char *title; /* title of the page in Markdown: "Keys of scene files" */
    const char *about; /* sentence below the title, without its full stop */
    list_function *add;
} list_info;

extern const list_info lists[];
extern const int list_count;

/* Returns the listing of a name, or NULL. */
const list_info *list_find(const char *name);
/* Writes the names of all listings: "methods, scenes or keys". Returns text. */
char *list_names(char *text, size_t size);

list_function list_methods, list_views, list_parameters;    /* in list_methods.c */
list_function list_scenes, list_scene_keys, list_materials; /* in list_scenes.c */
list_function list_keys, list_flags, list_statistics;       /* in list_program.c */

#endif
