/* The table of the tools that the left button can have: for the bar, the keys, previews and messages. */
#ifndef PUDDLE_APP_TABLES_TOOLS_H
#define PUDDLE_APP_TABLES_TOOLS_H

#include "app/tables/keys.h"
#include <puddle/puddle.h>

/* Tools in the order of the bar. A new tool needs a row in tools.c and an icon in icons.c. */
typedef enum pd_bar_tool {
    PD_BAR_HAND,
    PD_BAR_PUSH,
    PD_BAR_PULL,
    PD_BAR_POUR,
    PD_BAR_ERASE,
    PD_BAR_WALL,
    PD_BAR_SHAPE,
    PD_BAR_EMITTER,
    PD_BAR_DRAIN,
    PD_BAR_MOVE,
    PD_BAR_TOOLS,
} pd_bar_tool;

/* Choices of the tools that have choices. */
enum { PD_CHOICE_FLUID, PD_CHOICE_WALLS, PD_CHOICE_BOTH };   /* Erase. Walls include emitters and drains. */
enum { PD_CHOICE_CIRCLE, PD_CHOICE_BOX, PD_CHOICE_POLYGON }; /* Shape. */
enum { PD_MAX_CHOICES = 3 };

/* Preview of the tool at the pointer (ghost.c). */
typedef enum pd_ghost {
    PD_GHOST_NONE, /* The circle around the pointer suffices. */
    PD_GHOST_POUR,
    PD_GHOST_ERASE,
    PD_GHOST_MOVE,
    PD_GHOST_DRAFT, /* Item that a drag or a click makes. */
} pd_ghost;

/* Thickness of a drawn wall over the radius of the tool. */
#define PD_WALL_THICKNESS 0.2f

typedef struct pd_bar_row {
    const char *name;  /* "Pour" */
    pd_key key;        /* Key that selects the tool. */
    pd_tool_kind kind; /* Tool of a press. PD_TOOL_NONE: the press draws (draft.h). */
    pd_ghost ghost;
    bool needs_material;
    bool needs_item;                     /* A press beside all items has no effect. */
    bool shows_emitters;                 /* Emitters, which the picture lacks, are drawn. */
    bool turns;                          /* The wheel turns a draft. */
    const char *size_name;               /* Quantity that the wheel sets. NULL: "Tool size". */
    float size_factor;                   /* Quantity over the radius of the tool. 0: 1. */
    const char *choices[PD_MAX_CHOICES]; /* Selecting the tool again selects the next. NULL: no choice. */
} pd_bar_row;

const pd_bar_row *pd_bar_row_of(pd_bar_tool tool);
/* Returns the number of choices of the tool. */
int pd_bar_choices(pd_bar_tool tool);
/* Returns the name of the tool's key: "F5". */
const char *pd_bar_key(pd_bar_tool tool);

#endif
