#include "app/tables/keys.h"

#include "app/tables/tools.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char method_keys[16];  /* name of the keys that select methods: "1 ... 5" */
static char compare_keys[24]; /* name of the keys that begin a comparison: "Ctrl+1 ... 5" */

/* Short names for the flags of the rows. */
enum {
    REPEATS = PD_REPEATS,
    ENDS = PD_ENDS_SEEK,
    OPENS = PD_OPENS,
    AGAIN = ENDS | REPEATS,
    FIRST_STEPS = PD_IN_FIRST_STEPS
};

/* First rows of the table, in the order of the help. The rows of the tools (tools.c) follow. */
static const pd_key mouse[] = {
    {"Left-drag", "Drag the fluid, an obstacle or a body", "Tools", PD_ACTION_NONE, FIRST_STEPS, {{0}}},
    {"Right-drag", "Push the fluid away", "Tools", PD_ACTION_NONE, FIRST_STEPS, {{0}}},
    {"Middle-drag Shift+Left-drag", "Pull the fluid in", "Tools", PD_ACTION_NONE, 0, {{0}}},
    {"Wheel Shift+Wheel",
     "Size of the tool; turns or spins a held obstacle",
     "Tools",
     PD_ACTION_NONE,
     FIRST_STEPS,
     {{0}}},
    {"D", "Paint with the next dye, or none", "Tools", PD_ACTION_DYE, ENDS, {{'d', 0, 0}}},
    {"P", "Choose a material to pour", "Tools", PD_ACTION_MATERIALS, OPENS, {{'p', 0, 0}}},
};

/* Last rows of the table, after the rows of the tools. */
static const pd_key others[] = {
    {"Up", "More stiffness", "Fluid", PD_ACTION_STIFFNESS, AGAIN, {{PD_KEY_UP, 0, 1}}},
    {"Down", "Less stiffness", "Fluid", PD_ACTION_STIFFNESS, AGAIN, {{PD_KEY_DOWN, 0, -1}}},
    {"]", "Thicker: more viscosity", "Fluid", PD_ACTION_VISCOSITY, AGAIN, {{']', 0, 1}}},
    {"[", "Thinner: less viscosity", "Fluid", PD_ACTION_VISCOSITY, AGAIN, {{'[', 0, -1}}},
    {"Shift+Y", "Tougher: springs back further (yield)", "Fluid", PD_ACTION_YIELD, AGAIN, {{'y', PD_SHIFT, 1}}},
    {"Y", "Weaker: gives way sooner (yield)", "Fluid", PD_ACTION_YIELD, AGAIN, {{'y', 0, -1}}},
    {"Right", "Stronger gravity", "Fluid", PD_ACTION_GRAVITY, AGAIN, {{PD_KEY_RIGHT, 0, 1}}},
    {"Left", "Weaker gravity", "Fluid", PD_ACTION_GRAVITY, AGAIN, {{PD_KEY_LEFT, 0, -1}}},
    {"Shift+Right", "Turn gravity right", "Fluid", PD_ACTION_GRAVITY_TURN, AGAIN, {{PD_KEY_RIGHT, PD_SHIFT, 1}}},
    {"Shift+Left", "Turn gravity left", "Fluid", PD_ACTION_GRAVITY_TURN, AGAIN, {{PD_KEY_LEFT, PD_SHIFT, -1}}},
    {"G", "Gravity on or off", "Fluid", PD_ACTION_GRAVITY_SWITCH, ENDS, {{'g', 0, 0}}},
    {"=", "More particles", "Fluid", PD_ACTION_PARTICLES, ENDS, {{'=', 0, 1}, {'+', 0, 1}}},
    {"-", "Fewer particles", "Fluid", PD_ACTION_PARTICLES, ENDS, {{'-', 0, -1}}},
    {method_keys, "Method of simulation", "Methods", PD_ACTION_METHOD, ENDS, {{0}}}, /* find_method_key has its keys */
    {compare_keys, "Compare with a method", "Methods", PD_ACTION_COMPARE, ENDS | OPENS, {{0}}},
    {"Ctrl+K", "Keep only the right pane", "Methods", PD_ACTION_KEEP_SECOND, ENDS, {{'k', PD_CONTROL, 0}}},

    {"Space", "Pause or run", "Time", PD_ACTION_PAUSE, FIRST_STEPS, {{' ', 0, 0}}},
    {".", "One step", "Time", PD_ACTION_STEP, AGAIN, {{'.', 0, 0}}},
    {"Backspace", "Back 1 s; hold to rewind", "Time", PD_ACTION_REWIND, ENDS, {{PD_KEY_BACKSPACE, 0, 0}}},
    {">", "Faster", "Time", PD_ACTION_CHANGE_SPEED, 0, {{'>', 0, 1}}},
    {"<", "Slower", "Time", PD_ACTION_CHANGE_SPEED, 0, {{'<', 0, -1}}},
    {"R", "Restart, keep my settings", "Time", PD_ACTION_RESET, ENDS | FIRST_STEPS, {{'r', 0, 0}}},
    {"Shift+R", "Restore the original scene", "Time", PD_ACTION_REOPEN, ENDS, {{'r', PD_SHIFT, 0}}},
    {"Ctrl+Z", "Undo", "Time", PD_ACTION_UNDO, AGAIN | FIRST_STEPS, {{'z', PD_CONTROL, 0}}},
    {"Ctrl+Shift+Z", "Redo", "Time", PD_ACTION_REDO, AGAIN, {{'z', PD_CONTROL | PD_SHIFT, 0}, {'y', PD_CONTROL, 0}}},

    {"V", "Next view", "View", PD_ACTION_VIEW, FIRST_STEPS, {{'v', 0, 0}}},
    {"L", "Next lines over the view", "View", PD_ACTION_LINES, 0, {{'l', 0, 0}}},
    {"C", "Next palette of colours", "View", PD_ACTION_PALETTE, 0, {{'c', 0, 0}}},
    {"N", "Next graph of two panes", "View", PD_ACTION_MEASURE, 0, {{'n', 0, 0}}},
    {"Ctrl+Wheel Space+Left-drag", "Zoom; move the zoomed picture", "View", PD_ACTION_NONE, 0, {{0}}},
    {"Home", "Show all, after zooming", "View", PD_ACTION_SHOW_ALL, 0, {{PD_KEY_HOME, 0, 0}}},
    {"I", "Values at the pointer", "View", PD_ACTION_VALUES, 0, {{'i', 0, 0}}},
    {"S", "Scale bar", "View", PD_ACTION_RULER, 0, {{'s', 0, 0}}},
    {"Tab", "Panel with all settings", "View", PD_ACTION_PANEL, OPENS | FIRST_STEPS, {{PD_KEY_TAB, 0, 0}}},
    {"B", "Show or hide the bars", "View", PD_ACTION_BARS, 0, {{'b', 0, 0}}},
    {"F11", "Full screen", "View", PD_ACTION_FULLSCREEN, 0, {{PD_KEY_F11, 0, 0}}},
    {"H F1", "Help", "View", PD_ACTION_HELP, OPENS, {{'h', 0, 0}, {PD_KEY_F1, 0, 0}}},
    {"Shift+F1", "Open the manual", "View", PD_ACTION_MANUAL, 0, {{PD_KEY_F1, PD_SHIFT, 0}}},

    {"Ctrl+O", "Open a scene", "File", PD_ACTION_BROWSE, OPENS | FIRST_STEPS, {{'o', PD_CONTROL, 0}}},
    {"Ctrl+Shift+O",
     "Open a file by the desktop's dialog",
     "File",
     PD_ACTION_OPEN_FILE,
     OPENS,
     {{'o', PD_CONTROL | PD_SHIFT, 0}}},
    {"Ctrl+N", "New scene in an empty container", "File", PD_ACTION_NEW_SCENE, OPENS, {{'n', PD_CONTROL, 0}}},
    {"Ctrl+S", "Save a snapshot of this moment", "File", PD_ACTION_SAVE, ENDS | OPENS, {{'s', PD_CONTROL, 0}}},
    {"Ctrl+Shift+S",
     "Save a scene file to edit",
     "File",
     PD_ACTION_SAVE_SCENE,
     ENDS | OPENS,
     {{'s', PD_CONTROL | PD_SHIFT, 0}}},
    {"Ctrl+R",
     "Save the last two minutes, to watch again",
     "File",
     PD_ACTION_KEEP_LOG,
     ENDS | OPENS,
     {{'r', PD_CONTROL, 0}}},
    {"F9", "Record from now on, or stop", "File", PD_ACTION_RECORD, 0, {{PD_KEY_F9, 0, 0}}},
    {"Ctrl+E", "Export what has happened as a video", "File", PD_ACTION_EXPORT, ENDS | OPENS, {{'e', PD_CONTROL, 0}}},
    {"F12", "Save a picture", "File", PD_ACTION_SCREENSHOT, 0, {{PD_KEY_F12, 0, 0}}},
    {"Ctrl+C", "Copy a picture of the view", "File", PD_ACTION_COPY, 0, {{'c', PD_CONTROL, 0}}},
    {"Ctrl+V", "Paste a picture as fluid", "File", PD_ACTION_PASTE, ENDS, {{'v', PD_CONTROL, 0}}},
    {"Ctrl+Shift+V", "Paste a picture as a body", "File", PD_ACTION_PASTE, ENDS, {{'v', PD_CONTROL | PD_SHIFT, 1}}},
    {"F10", "Print the places of buttons (--json)", "File", PD_ACTION_LAYOUT, 0, {{PD_KEY_F10, 0, 0}}},
    {"Ctrl+Q Esc",
     "Quit; Esc closes what is open first",
     "File",
     PD_ACTION_QUIT,
     0,
     {{PD_KEY_ESCAPE, 0, 0}, {'q', PD_CONTROL, 0}}},
};

enum { MOUSE = sizeof mouse / sizeof *mouse, OTHERS = sizeof others / sizeof *others };

static const pd_key *row_at(int index) {
    if (index < MOUSE) return &mouse[index];
    if (index < MOUSE + PD_BAR_TOOLS) return &pd_bar_tool_row((pd_bar_tool)(index - MOUSE))->key;
    return &others[index - MOUSE - PD_BAR_TOOLS];
}

int pd_key_count(void) { return MOUSE + PD_BAR_TOOLS + OTHERS; }

const pd_key *pd_key_at(int index) {
    const pd_key *key = row_at(index);
    /* Writes method_keys and compare_keys. The last digit in the names is the number of methods. */
    if (key->name == method_keys || key->name == compare_keys) {
        char last = pd_controls_last_method_key();
        snprintf(method_keys, sizeof method_keys, "1 ... %c", last);
        snprintf(compare_keys, sizeof compare_keys, "Ctrl+1 ... %c", last);
    }
    return key;
}

const pd_key *pd_key_of_action(pd_action action) {
    int index = 0;
    while (index < pd_key_count() && row_at(index)->action != action) index++;
    return index < pd_key_count() ? pd_key_at(index) : NULL;
}

char *pd_key_write_names(const pd_key *key, char *text, size_t size) {
    const char *space = strchr(key->name, ' ');
    bool several = space && !strstr(key->name, "...");
    if (several)
        snprintf(text, size, "Keys: %.*s or %s", (int)(space - key->name), key->name, space + 1);
    else
        snprintf(text, size, "Key%s: %s", space ? "s" : "", key->name);
    return text;
}

static const pd_key *find_method_key(int code, pd_action action, int *argument) {
    if (code <= 0 || code > 127 || !pd_controls_method_of_key((char)code)) return NULL;
    *argument = code;
    return pd_key_of_action(action);
}

static const pd_key *find_row(int code, int modifiers, int *argument) {
    for (int i = 0; i < pd_key_count(); i++) {
        const pd_key_stroke *stroke = row_at(i)->strokes, *end = stroke + PD_MAX_STROKES;
        for (; stroke < end && stroke->code; stroke++) {
            if (stroke->code != code || stroke->modifiers != modifiers) continue;
            *argument = stroke->argument;
            return row_at(i);
        }
    }
    return NULL;
}

const pd_key *pd_key_find(int code, int modifiers, int *argument) {
    bool letter = code >= 'a' && code <= 'z';
    const pd_key *key = find_row(code, modifiers, argument);
    if (!key && modifiers == 0) key = find_method_key(code, PD_ACTION_METHOD, argument);
    if (!key && modifiers == PD_CONTROL) key = find_method_key(code, PD_ACTION_COMPARE, argument);
    return key || !letter ? key : find_row(code, modifiers & ~PD_SHIFT, argument);
}

const char *pd_key_name_of_action(pd_action action) { return pd_key_of_action(action)->name; }

bool pd_action_ends_seek_and_rewind(pd_action action) {
    const pd_key *row = pd_key_of_action(action);
    return row && (row->flags & PD_ENDS_SEEK);
}
