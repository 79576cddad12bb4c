/* The table of the tools that the left button can have: for the bar, the keys and the messages. */
#ifndef PUDDLE_APP_TOOLS_H
#define PUDDLE_APP_TOOLS_H

#include <puddle/puddle.h>

/* In the order of the bar. A new one needs a row in tools.c, an icon in toolbar.c and a row in keys.c. */
typedef enum pd_bar_tool {
    PD_BAR_HAND,
    PD_BAR_PUSH,
    PD_BAR_PULL,
    PD_BAR_POUR,
    PD_BAR_ERASE,
    PD_BAR_TOOLS,
} pd_bar_tool;

typedef struct pd_bar_row {
    const char *name;  /* "Pour" */
    pd_tool_kind kind; /* of a press of the left button */
    bool material;     /* it needs a choice of material */
} pd_bar_row;

const pd_bar_row *pd_bar_row_of(pd_bar_tool tool);
/* The name of its key: "F5". */
const char *pd_bar_key(pd_bar_tool tool);

#endif
