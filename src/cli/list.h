/* The reference tables that `puddle list` prints. */
#ifndef PUDDLE_CLI_LIST_H
#define PUDDLE_CLI_LIST_H

#include <stddef.h>

/* State of a listing while it is written. */
typedef struct listing listing;

typedef struct list_info {
    const char *name;  /* name on the command line: "scene-keys" in `puddle list scene-keys` */
    const char *title; /* title of the page in Markdown: "Keys of scene files" */
    const char *about; /* sentence below the title, without its full stop */
    int (*add)(
        listing *listing); /* writes all tables of the listing; returns the exit code, 0 unless an error was reported */
} list_info;

extern const list_info lists[];
extern const int list_count;

/* Writes the names of all listings to `text`: "methods, scenes or keys". Returns `text`. */
char *list_write_names(char *text, size_t size);

#endif
