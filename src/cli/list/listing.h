/* Listings: one or more tables, written as text, as JSON or as a page of Markdown. */
#ifndef PUDDLE_CLI_LIST_LISTING_H
#define PUDDLE_CLI_LIST_LISTING_H

#include <cjson/cJSON.h>
#include <stdbool.h>

typedef enum listing_format { LISTING_TEXT, LISTING_JSON, LISTING_MARKDOWN } listing_format;

enum { NOT_IN_TEXT = -1, MAX_COLUMNS = 16 };

/* A column of a table, and how text, JSON and Markdown show its cells. */
typedef struct listing_column {
    const char *heading; /* heading of the column (lower case in Markdown); NULL: none */
    const char *key;     /* key of the cells in JSON; NULL: JSON lacks the column */
    int width; /* least width in text, characters; 0: cells are not padded; NOT_IN_TEXT: text lacks the column */
    const char *before; /* printed before each cell in text; NULL: " ", except for the first column */
    const char *after;  /* printed after each cell in text; NULL: "" */
    bool code;          /* Markdown shows the cells in the font of code */
    bool in_section;    /* Markdown lacks the column, because the title of the section already contains its value */
} listing_column;

/* State of a listing while it is written. Only listing.c uses the members. */
typedef struct listing {
    listing_format format;         /* Markdown, text or JSON */
    const listing_column *columns; /* columns of the present table */
    int count;                     /* number of columns of the present table */
    int next;                      /* index of the column that the next cell belongs to */
    bool begun;                    /* the headings of the present table (Markdown) or any line (text) were printed */
    bool headings;                 /* text shows the headings of the present table */
    /* JSON: rows so far, an array of objects; text: cells of the present table, an array of strings */
    cJSON *rows;
} listing;

/* Begins a listing. In Markdown prints the heading "# TITLE" and the sentence `about`. name: name of the listing on the
 * command line ("keys"). */
void listing_begin(listing *list, listing_format format, const char *title, const char *about, const char *name);
/* Begins a table. headings: text shows the columns' headings too. An empty line separates the headings from an earlier
 * table. */
void listing_begin_table(listing *list, const listing_column *columns, int count, bool headings);
/* Begins a section in Markdown; other formats have no sections. anchor: name of the section in links.
 * code: line of code below the title in Markdown, or NULL. */
void listing_begin_section(listing *list, const char *anchor, const char *title, const char *code);
/* Adds the next cell of the present row. json: the cell's value in JSON, which the listing frees; NULL: the row lacks the
 * key in JSON. */
void listing_add_cell(listing *list, const char *text, cJSON *json);
/* Adds the next cell of the present row, with the same text in all formats. */
void listing_add_text(listing *list, const char *text);
/* Prints what is not printed yet and ends the listing. Returns the exit code of the command. */
int listing_end(listing *list);

#endif
