/* The reference tables that `puddle list` prints. */
#ifndef PUDDLE_CLI_LIST_LIST_H
#define PUDDLE_CLI_LIST_LIST_H

#include "cli/list/listing.h"

#include <stddef.h>

/* Function that writes all tables of a listing to `list`. Returns the exit code, 0 unless an error was reported. */
typedef int list_function(listing *list);

typedef struct list_info {
    const char *name;   /* name on the command line: "scene-keys" in `puddle list scene-keys` */
    const char *title;  /* title of the page in Markdown: "Keys of scene files" */
    const char *about;  /* sentence below the title, without its full stop */
    list_function *add; /* function that writes the listing */
} list_info;

extern const list_info lists[];
extern const int list_count;

/* Writes the names of all listings to `text`: "methods, scenes or keys". Returns `text`. */
char *list_write_names(char *text, size_t size);

list_function list_methods, list_views, list_parameters;              /* defined in list_methods.c */
list_function list_scenes, list_scene_keys, list_materials;           /* defined in list_scenes.c */
list_function list_keys, list_flags, list_statistics, list_log_lines; /* defined in list_program.c */

#endif
