/* The table of the tools that the left button can have: for the bar, the keys and the messages. */
#ifndef PUDDLE_APP_TABLES_TOOLS_H
#define PUDDLE_APP_TABLES_TOOLS_H

#include <puddle/puddle.h>

/* In the order of the bar. A new one needs a row in tools.c, an icon in icons.c and a row in keys.c. */
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

/* What some tools can be. */
enum { PD_CHOICE_FLUID, PD_CHOICE_WALLS, PD_CHOICE_BOTH };   /* erase: walls are also emitters and drains */
enum { PD_CHOICE_CIRCLE, PD_CHOICE_BOX, PD_CHOICE_POLYGON }; /* shape */
enum { PD_MAX_CHOICES = 3 };

typedef struct pd_bar_row {
    const char *name;                    /* "Pour" */
    pd_tool_kind kind;                   /* of a press of the left button; none: it draws (draft.h) */
    bool material;                       /* it needs a choice of material */
    const char *choices[PD_MAX_CHOICES]; /* when it is chosen again, the next one; NULL: it has none */
} pd_bar_row;

const pd_bar_row *pd_bar_row_of(pd_bar_tool tool);
/* How many choices it has. */
int pd_bar_choices(pd_bar_tool tool);
/* The name of its key: "F5". */
const char *pd_bar_key(pd_bar_tool tool);

#endif
