/* The table of the tools of the left mouse button, which the tool bar, the keys, previews and messages read. */
#ifndef PUDDLE_APP_TABLES_TOOLS_H
#define PUDDLE_APP_TABLES_TOOLS_H

#include "app/tables/keys.h"
#include <puddle/puddle.h>

/* Tools in the order of the tool bar. */
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

enum {
    PD_CHOICE_FLUID,
    PD_CHOICE_WALLS,
    PD_CHOICE_BOTH
}; /* Things that Erase removes. Walls include emitters and drains. */
enum { PD_CHOICE_CIRCLE, PD_CHOICE_BOX, PD_CHOICE_POLYGON }; /* Shapes that the tool Shape draws. */
enum { PD_MAX_CHOICES = 3 };

/* Kind of preview that a tool shows at the pointer (ghost.c). */
typedef enum pd_ghost {
    PD_GHOST_NONE, /* No preview, only the circle around the pointer. */
    PD_GHOST_POUR,
    PD_GHOST_ERASE,
    PD_GHOST_MOVE,
    PD_GHOST_DRAFT, /* The item that a drag or a click would make. */
} pd_ghost;

/* Thickness of a drawn wall / radius of the tool. */
#define PD_WALL_THICKNESS 0.2f

typedef struct pd_bar_row {
    const char *name;  /* Name on the button: "Pour". */
    pd_key key;        /* Key that selects the tool. */
    pd_tool_kind kind; /* World's tool during a press. PD_TOOL_NONE: a drag draws an item (draft.h). */
    pd_ghost ghost;
    bool needs_material;                 /* The tool uses the selected material. */
    bool needs_item;                     /* The tool has no effect where no item is. */
    bool shows_emitters;                 /* The tool shows the emitters, which the picture lacks. */
    bool turns;                          /* The wheel turns the item while it is drawn. */
    const char *size_name;               /* Name of the size that the wheel sets. NULL: "Tool size". */
    float size_factor;                   /* Size set by the wheel / radius of the tool. 0 means 1. */
    const char *choices[PD_MAX_CHOICES]; /* Names of the tool's choices. NULL: none. */
} pd_bar_row;

const pd_bar_row *pd_bar_tool_row(pd_bar_tool tool);
/* Returns the number of choices of a tool, 0 if it has none. */
int pd_bar_choice_count(pd_bar_tool tool);
/* Returns the name of the key that selects a tool: "F5". */
const char *pd_bar_key_name(pd_bar_tool tool);

#endif
