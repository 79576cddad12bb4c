/* Listings: tables that are written as text, JSON or a page of Markdown. */
#ifndef PUDDLE_CLI_LIST_LISTING_H
#define PUDDLE_CLI_LIST_LISTING_H

#include <cjson/cJSON.h>
#include <stdbool.h>

typedef enum listing_format { LISTING_TEXT, LISTING_JSON, LISTING_MARKDOWN } listing_format;

enum { NOT_IN_TEXT = -1, MAX_COLUMNS = 16 };

/* A column of a table, and the form of its cells in each format. */
typedef struct listing_column {
    const char *heading; /* heading in text, and in Markdown in lower case; NULL: none */
    const char *key;     /* key in JSON; NULL: the column is not in JSON */
    int width;           /* minimum width in text, characters; 0: cells are not padded; NOT_IN_TEXT: not in text */
    const char *before,
        *after;      /* text before and after a cell in text; NULL: " " (nothing at the row's start) and "" */
    bool code;       /* whether Markdown shows the cell as code */
    bool in_section; /* whether Markdown lacks the column, as the section's title contains it */
} listing_column;

/* State of a listing while it is written. Only listing.c reads its members. */
typedef struct listing {
    listing_format format;
    const listing_column *columns;
    int count, next; /* number of columns; column of the next cell */
    bool begun;      /* whether the table's headings (Markdown) or any text was printed */
    bool headings;   /* whether the table has headings in text */
    cJSON *rows;     /* rows in JSON: an array of objects; in text the cells of the table so far, as strings */
} listing;

/* Begins a listing. In Markdown prints "# Title" and the sentence `about`. name: name on the command line ("keys"). */
void listing_begin(listing *list, listing_format format, const char *title, const char *about, const char *name);
/* Begins a table. headings: whether text has headings too. After an earlier table, an empty line precedes them. */
void listing_begin_table(listing *list, const listing_column *columns, int count, bool headings);
/* Begins a section, in Markdown only. anchor: target of links. code: line below the title, or NULL. */
void listing_begin_section(listing *list, const char *anchor, const char *title, const char *code);
/* Adds the next cell of a row. json: value in JSON, owned by the listing; NULL: the row lacks the key. */
void listing_add_cell(listing *list, const char *text, cJSON *json);
/* Adds a cell with the same text in every format. */
void listing_add_text(listing *list, const char *text);
/* Ends the listing. Returns the exit code. */
int listing_end(listing *list);

#endif
