/* Listings: rows of cells, written as text, JSON or a page of Markdown. */
#ifndef PUDDLE_CLI_LIST_LISTING_H
#define PUDDLE_CLI_LIST_LISTING_H

#include <cjson/cJSON.h>
#include <stdbool.h>

typedef enum listing_format { LISTING_TEXT, LISTING_JSON, LISTING_MARKDOWN } listing_format;

enum { NOT_IN_TEXT = -1 };

/* A column, and the appearance of its cells in each format. */
typedef struct listing_column {
    const char *heading; /* heading in Markdown, in lower case, and in text; NULL: none */
    const char *key;     /* key in JSON; NULL: not in JSON */
    int width;           /* least characters in text; NOT_IN_TEXT */
    const char *before,
        *after;      /* text around a cell with characters or width; NULL: " " (none at the row's start), "" */
    bool code;       /* code in Markdown */
    bool in_section; /* not in Markdown, as the section's title contains it */
} listing_column;

/* A listing being written. Its members are private. */
typedef struct listing {
    listing_format format;
    const listing_column *columns;
    int count, next; /* number of columns; column of the next cell */
    bool begun;      /* Markdown: the table has its headings; text: something was printed */
    cJSON *rows;     /* JSON: array of objects */
} listing;

/* Begins a listing; in Markdown prints "# Title" and the sentence `about`. name: word of `puddle list` ("keys"). */
void listing_begin(listing *list, listing_format format, const char *title, const char *about, const char *name);
/* Begins a table. headings: print headings in text too, behind an empty line after other rows. */
void listing_table(listing *list, const listing_column *columns, int count, bool headings);
/* Begins a section with an anchor, in Markdown only. code: line below the title, or NULL. */
void listing_section(listing *list, const char *anchor, const char *title, const char *code);
/* Adds the next cell of the row. json: value in JSON, owned by the listing; NULL: the row lacks the key. */
void listing_cell(listing *list, const char *text, cJSON *json);
/* Adds a cell with the same text in every format. */
void listing_text(listing *list, const char *text);
/* Ends the listing. Returns the exit code. */
int listing_end(listing *list);

#endif
