/* The table of keys, which the window's input, the help and `puddle list keys` read. */
#ifndef PUDDLE_APP_TABLES_KEYS_H
#define PUDDLE_APP_TABLES_KEYS_H

#include <stdbool.h>

typedef enum pd_action {
    PD_ACTION_NONE, /* No action: a row that only describes the mouse. */
    PD_ACTION_STIFFNESS,
    PD_ACTION_VISCOSITY,
    PD_ACTION_YIELD,
    PD_ACTION_GRAVITY,
    PD_ACTION_GRAVITY_TURN,
    PD_ACTION_GRAVITY_SWITCH,
    PD_ACTION_PARTICLES,
    PD_ACTION_METHOD,
    PD_ACTION_COMPARE,
    PD_ACTION_KEEP_SECOND,
    PD_ACTION_DYE,
    PD_ACTION_VIEW,
    PD_ACTION_LINES,
    PD_ACTION_PALETTE,
    PD_ACTION_MEASURE,
    PD_ACTION_PANEL,
    PD_ACTION_BARS,
    PD_ACTION_MATERIALS,
    PD_ACTION_HELP,
    PD_ACTION_FULLSCREEN,
    PD_ACTION_TOOL,
    PD_ACTION_PAUSE,
    PD_ACTION_STEP,
    PD_ACTION_RESET,
    PD_ACTION_REOPEN,
    PD_ACTION_REWIND,
    PD_ACTION_UNDO,
    PD_ACTION_REDO,
    PD_ACTION_KEEP_LOG,
    PD_ACTION_SAVE,
    PD_ACTION_SAVE_SCENE,
    PD_ACTION_NEW_SCENE,
    PD_ACTION_BROWSE,
    PD_ACTION_SPEED,
    PD_ACTION_RECORD,
    PD_ACTION_SCREENSHOT,
    PD_ACTION_EXPORT,
    PD_ACTION_LAYOUT,
    PD_ACTION_QUIT,
    PD_ACTIONS
} pd_action;

/* Code of a key that writes no character. The code of any other key is its character, letters in lower case. */
typedef enum pd_key_code {
    PD_KEY_UP = 256,
    PD_KEY_DOWN,
    PD_KEY_LEFT,
    PD_KEY_RIGHT,
    PD_KEY_TAB,
    PD_KEY_BACKSPACE,
    PD_KEY_ESCAPE,
    PD_KEY_ENTER,
    PD_KEY_PAGE_UP,
    PD_KEY_PAGE_DOWN,
    PD_KEY_HOME,
    PD_KEY_END,
    PD_KEY_F1,
    PD_KEY_F2,
    PD_KEY_F3,
    PD_KEY_F4,
    PD_KEY_F5,
    PD_KEY_F6,
    PD_KEY_F7,
    PD_KEY_F8,
    PD_KEY_F9,
    PD_KEY_F10,
    PD_KEY_F11,
    PD_KEY_F12,
} pd_key_code;

enum { PD_SHIFT = 1, PD_CONTROL = 2, PD_MAX_STROKES = 6 };

/* A key press with modifiers, and the argument for its action. */
typedef struct pd_stroke {
    int code;      /* Code of the key. 0 ends the list. */
    int modifiers; /* PD_SHIFT, PD_CONTROL */
    int argument; /* Argument of the action: -1 or +1, the method's key for PD_ACTION_METHOD and _COMPARE, or a pd_bar_tool. */
} pd_stroke;

/* Flags of a row (pd_key.flags). */
enum {
    PD_REPEATS = 1,     /* The action repeats while its key is held. */
    PD_ENDS_TRAVEL = 2, /* A running seek or rewind ends before the action. */
    PD_OPENS = 4,       /* The action may open a layer that Escape closes. */
};

/* Row of the table: an action with its keys and its help. */
typedef struct pd_key {
    const char *name;  /* Keys as named on their caps, separated by spaces: "Up Down". */
    const char *help;  /* Quantity or action of the key: "stiffness". */
    const char *group; /* Heading in the help: "Fluid". Rows of a group are adjacent. */
    pd_action action;
    int flags; /* PD_REPEATS, PD_ENDS_TRAVEL, PD_OPENS */
    pd_stroke strokes[PD_MAX_STROKES];
} pd_key;

/* Return the number of rows, and a row, in the order of the help. */
int pd_key_count(void);
const pd_key *pd_key_at(int index);
/* Returns the row of a key press and sets *argument. NULL: no row has that key. If no row has Shift with a letter, the row of
 * the letter alone counts. */
const pd_key *pd_key_find(int code, int modifiers, int *argument);
/* Returns the name of the first key that performs an action: "P". */
const char *pd_key_name_of_action(pd_action action);
/* Returns whether a running seek or rewind ends before the action (PD_ENDS_TRAVEL). */
bool pd_action_ends_travel(pd_action action);

#endif
