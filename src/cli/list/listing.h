/* Listings: rows of cells, written as text, as JSON or as a page of Markdown. */
#ifndef PUDDLE_CLI_LIST_LISTING_H
#define PUDDLE_CLI_LIST_LISTING_H

#include <cjson/cJSON.h>
#include <stdbool.h>

typedef enum listing_format { LISTING_TEXT, LISTING_JSON, LISTING_MARKDOWN } listing_format;

enum { NOT_IN_TEXT = -1 };

/* A column, and how its cells appear in each format. */
typedef struct listing_column {
    const char *heading; /* in Markdown, in lower case, and above the text; NULL: in neither */
    const char *key;     /* in JSON; NULL: not in JSON */
    int width;           /* in text, least number of characters; NOT_IN_TEXT */
    const char *before,
        *after;      /* in text, around a cell with characters or width; NULL: " " (none at the row's start), "" */
    bool code;       /* set as code in Markdown */
    bool in_section; /* not in Markdown, where the title of the section says it */
} listing_column;

/* A listing that is being written. The functions below alone use the members. */
typedef struct listing {
    listing_format format;
    const listing_column *columns;
    int count, next; /* columns; the column of the next cell */
    bool begun;      /* Markdown: the present table has its headings; text: something is printed */
    cJSON *rows;     /* JSON: an array of objects */
} listing;

/* Begins a listing; in Markdown prints "# Title", then the sentence of about. name: "keys", as in `puddle list keys`. */
void listing_begin(listing *list, listing_format format, const char *title, const char *about, const char *name);
/* Begins a table. headings: also above the text, after an empty line where there are rows already. */
void listing_table(listing *list, const listing_column *columns, int count, bool headings);
/* Begins a section of the page, with an anchor; code: NULL, or a line below the title. Text and JSON have no sections. */
void listing_section(listing *list, const char *anchor, const char *title, const char *code);
/* Adds the next cell of the row. json: its value in JSON, owned by the listing; NULL: the row has no such key. */
void listing_cell(listing *list, const char *text, cJSON *json);
/* Adds a cell that is the same text in every format. */
void listing_text(listing *list, const char *text);
/* Ends the listing. Returns the exit code. */
int listing_end(listing *list);

#endif
