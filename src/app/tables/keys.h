/* The table of keys: the one source for input, the help overlay and `puddle list keys`. Independent of SDL. */
#ifndef PUDDLE_APP_TABLES_KEYS_H
#define PUDDLE_APP_TABLES_KEYS_H

#include <stdbool.h>

typedef enum pd_action {
    PD_ACTION_NONE, /* a row about the mouse */
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
    PD_ACTION_LAYOUT,
    PD_ACTION_QUIT,
    PD_ACTIONS
} pd_action;

/* The code of a key that writes a character is that character, a letter in lower case; the others are numbered here. */
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

typedef struct pd_stroke {
    int code; /* 0 ends the list */
    int modifiers;
    int argument; /* -1 or +1; of PD_ACTION_METHOD and PD_ACTION_COMPARE: the method's key; of PD_ACTION_TOOL: a pd_bar_tool */
} pd_stroke;

typedef struct pd_key {
    const char *name;  /* "Up Down": keys as named on their caps, separated by spaces */
    const char *help;  /* "stiffness" */
    const char *group; /* "Fluid": rows of a group are adjacent */
    pd_action action;
    bool repeats; /* while the key is held */
    pd_stroke strokes[PD_MAX_STROKES];
} pd_key;

const pd_key *pd_keys(int *count);
/* The row of a stroke, and its argument; NULL when there is none. Shift and a letter without a row of their own find
 * that of the letter. */
const pd_key *pd_key_find(int code, int modifiers, int *argument);
/* The name of the key of an action with that argument: "F5"; "": there is none. */
const char *pd_key_of(pd_action action, int argument);

#endif
