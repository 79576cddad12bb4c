/* The table of keys: the actions of the window with their keys. Read by the window's input, the help and `puddle list keys`. */
#ifndef PUDDLE_APP_TABLES_KEYS_H
#define PUDDLE_APP_TABLES_KEYS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum pd_action {
    PD_ACTION_NONE, /* No action: the row only describes the mouse. */
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
    PD_ACTION_SHOW_ALL,
    PD_ACTION_VALUES,
    PD_ACTION_RULER,
    PD_ACTION_PANEL,
    PD_ACTION_BARS,
    PD_ACTION_MATERIALS,
    PD_ACTION_HELP,
    PD_ACTION_MANUAL,
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
    PD_ACTION_OPEN_FILE,
    PD_ACTION_WELCOME, /* Shows the opening card. Only the menu performs this action; it has no key. */
    PD_ACTION_SCALE, /* Sets the size of the interface to `argument` percent, 0: the screen's. Of the panel; without key. */
    PD_ACTION_CHANGE_SPEED,
    PD_ACTION_RECORD,
    PD_ACTION_SCREENSHOT,
    PD_ACTION_COPY,
    PD_ACTION_PASTE,
    PD_ACTION_EXPORT,
    PD_ACTION_LAYOUT,
    PD_ACTION_QUIT,
    PD_ACTIONS
} pd_action;

/* Codes of keys without a character. The code of any other key is its character, a letter in lower case. */
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

/* Key with modifiers, and the argument that the key gives to the action. */
typedef struct pd_key_stroke {
    int code;      /* Character or pd_key_code of the key. 0 ends the list of strokes. */
    int modifiers; /* Sum of PD_SHIFT and PD_CONTROL. */
    int argument;  /* -1 or 1 for less or more; '1' to '9' for a method; a pd_bar_tool for PD_ACTION_TOOL. */
} pd_key_stroke;

/* Flags of a row (pd_key.flags). */
enum {
    PD_REPEATS = 1,        /* The action repeats while its key is held. */
    PD_ENDS_SEEK = 2,      /* A running seek or rewind ends before the action. */
    PD_OPENS = 4,          /* The action may open a layer that Escape closes. */
    PD_IN_FIRST_STEPS = 8, /* The help lists the row among the first steps. */
};

/* Row of the table: an action with its keys and the text of the help. */
typedef struct pd_key {
    const char *name;                      /* Names of the keys, separated by spaces: "H F1". */
    const char *help;                      /* Effect of the keys, for the menu and the help: "Next view". */
    const char *group;                     /* Name of the row's group in the menu and the help: "Fluid". */
    pd_action action;                      /* Action of the keys. */
    int flags;                             /* Sum of PD_REPEATS, PD_ENDS_SEEK, PD_OPENS and PD_IN_FIRST_STEPS. */
    pd_key_stroke strokes[PD_MAX_STROKES]; /* Keys of the action. */
} pd_key;

/* Returns the number of rows of the table. */
int pd_key_count(void);
/* Returns a row of the table. The rows are in the order of the help. */
const pd_key *pd_key_at(int index);
/* Returns the row of a key with modifiers, and sets *argument (pd_key_stroke.argument). NULL: no row has the key. If no row
 * has a letter with Shift, the letter without Shift is searched. */
const pd_key *pd_key_find(int code, int modifiers, int *argument);
/* Returns the first row of an action. NULL: the action has no key. */
const pd_key *pd_key_of_action(pd_action action);
/* Writes the line of a tip with the keys of a row: "Keys: H or F1". Returns text. */
char *pd_key_write_names(const pd_key *key, char *text, size_t size);
/* Returns the names of the keys of an action (pd_key.name): "P". */
const char *pd_key_name_of_action(pd_action action);
/* Returns whether a running seek or rewind ends before the action (PD_ENDS_SEEK). */
bool pd_action_ends_seek_and_rewind(pd_action action);

#endif
