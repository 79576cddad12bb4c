/* Rows of the table of keys. */
#include "app/tables/keys.h"

#include "app/tables/controls.h"
#include "app/tables/tools.h"

#include <stddef.h>
#include <stdio.h>

static char method_keys[16];  /* name of the keys that select methods: "1 ... 5" */
static char compare_keys[24]; /* name of the keys that begin a comparison: "Ctrl+1 ... 5" */

enum { REPEATS = PD_REPEATS, ENDS = PD_ENDS_SEEK, OPENS = PD_OPENS, AGAIN = ENDS | REPEATS };

/* First rows of the table, in the order of the help. The rows of the tools (tools.c) follow. */
static const pd_key mouse[] = {
    {"Left-drag", "drag the fluid, or an obstacle", "Mouse", PD_ACTION_NONE, 0, {{0}}},
    {"Right-drag", "push the fluid away", "Mouse", PD_ACTION_NONE, 0, {{0}}},
    {"Middle-drag Shift+Left-drag", "pull the fluid in", "Mouse", PD_ACTION_NONE, 0, {{0}}},
    {"Wheel Shift+Wheel", "tool size; turn or spin a held obstacle", "Mouse", PD_ACTION_NONE, 0, {{0}}},
    {"Ctrl+Wheel Space+Left-drag", "zoom; move the zoomed picture", "Mouse", PD_ACTION_NONE, 0, {{0}}},
    {"D", "next dye for dragging, or none", "Mouse", PD_ACTION_DYE, ENDS, {{'d', 0, 0}}},
    {"P", "materials; choose one to pour", "Mouse", PD_ACTION_MATERIALS, OPENS, {{'p', 0, 0}}},
};

/* Last rows of the table, after the rows of the tools. */
static const pd_key others[] = {
    {"Up Down", "stiffness", "Fluid", PD_ACTION_STIFFNESS, AGAIN, {{PD_KEY_UP, 0, 1}, {PD_KEY_DOWN, 0, -1}}},
    {"] [", "viscosity", "Fluid", PD_ACTION_VISCOSITY, AGAIN, {{']', 0, 1}, {'[', 0, -1}}},
    {"Y Shift+Y", "less or more yield", "Fluid", PD_ACTION_YIELD, AGAIN, {{'y', 0, -1}, {'y', PD_SHIFT, 1}}},
    {"Right Left",
     "strength of gravity",
     "Fluid",
     PD_ACTION_GRAVITY,
     AGAIN,
     {{PD_KEY_RIGHT, 0, 1}, {PD_KEY_LEFT, 0, -1}}},
    {"Shift+Right Shift+Left",
     "turn gravity",
     "Fluid",
     PD_ACTION_GRAVITY_TURN,
     AGAIN,
     {{PD_KEY_RIGHT, PD_SHIFT, 1}, {PD_KEY_LEFT, PD_SHIFT, -1}}},
    {"G", "gravity on or off", "Fluid", PD_ACTION_GRAVITY_SWITCH, ENDS, {{'g', 0, 0}}},
    {"= -", "more or fewer particles", "Fluid", PD_ACTION_PARTICLES, ENDS, {{'=', 0, 1}, {'+', 0, 1}, {'-', 0, -1}}},
    {method_keys, "method", "Fluid", PD_ACTION_METHOD, ENDS, {{0}}}, /* find_method_key finds the keys of this row */
    {compare_keys, "side by side with a method", "Fluid", PD_ACTION_COMPARE, ENDS | OPENS, {{0}}},
    {"Ctrl+K", "keep the second pane", "Fluid", PD_ACTION_KEEP_SECOND, ENDS, {{'k', PD_CONTROL, 0}}},

    {"Space", "pause", "Time", PD_ACTION_PAUSE, 0, {{' ', 0, 0}}},
    {".", "one step", "Time", PD_ACTION_STEP, AGAIN, {{'.', 0, 0}}},
    {"Backspace", "one second back; held: run backwards", "Time", PD_ACTION_REWIND, ENDS, {{PD_KEY_BACKSPACE, 0, 0}}},
    {"> <", "faster or slower, 1/8 to 8 times", "Time", PD_ACTION_SPEED, 0, {{'>', 0, 1}, {'<', 0, -1}}},
    {"R", "reset, with the present values", "Time", PD_ACTION_RESET, ENDS, {{'r', 0, 0}}},
    {"Shift+R", "reopen the scene, original values", "Time", PD_ACTION_REOPEN, ENDS, {{'r', PD_SHIFT, 0}}},
    {"Ctrl+Z", "undo", "Time", PD_ACTION_UNDO, AGAIN, {{'z', PD_CONTROL, 0}}},
    {"Ctrl+Shift+Z", "redo", "Time", PD_ACTION_REDO, AGAIN, {{'z', PD_CONTROL | PD_SHIFT, 0}, {'y', PD_CONTROL, 0}}},

    {"V", "next view", "Picture", PD_ACTION_VIEW, 0, {{'v', 0, 0}}},
    {"L", "lines over the view", "Picture", PD_ACTION_LINES, 0, {{'l', 0, 0}}},
    {"C", "next palette", "Picture", PD_ACTION_PALETTE, 0, {{'c', 0, 0}}},
    {"N", "next quantity to compare, side by side", "Picture", PD_ACTION_MEASURE, 0, {{'n', 0, 0}}},
    {"Home", "show all, after zooming", "Picture", PD_ACTION_SHOW_ALL, 0, {{PD_KEY_HOME, 0, 0}}},
    {"Tab", "panel", "Picture", PD_ACTION_PANEL, OPENS, {{PD_KEY_TAB, 0, 0}}},
    {"B", "bars on or off", "Picture", PD_ACTION_BARS, 0, {{'b', 0, 0}}},
    {"F11", "full screen", "Picture", PD_ACTION_FULLSCREEN, 0, {{PD_KEY_F11, 0, 0}}},
    {"H F1", "help", "Picture", PD_ACTION_HELP, OPENS, {{'h', 0, 0}, {PD_KEY_F1, 0, 0}}},

    {"F9", "recording on or off", "Keep", PD_ACTION_RECORD, 0, {{PD_KEY_F9, 0, 0}}},
    {"Ctrl+E", "export a video", "Keep", PD_ACTION_EXPORT, ENDS | OPENS, {{'e', PD_CONTROL, 0}}},
    {"F12", "screenshot", "Keep", PD_ACTION_SCREENSHOT, 0, {{PD_KEY_F12, 0, 0}}},
    {"F10", "where buttons are, with --json", "Keep", PD_ACTION_LAYOUT, 0, {{PD_KEY_F10, 0, 0}}},
    {"Ctrl+R", "save the last two minutes as a log", "Keep", PD_ACTION_KEEP_LOG, ENDS | OPENS, {{'r', PD_CONTROL, 0}}},
    {"Ctrl+O", "open a scene, chosen by picture", "Keep", PD_ACTION_BROWSE, OPENS, {{'o', PD_CONTROL, 0}}},
    {"Ctrl+N", "new scene: an empty container", "Keep", PD_ACTION_NEW_SCENE, OPENS, {{'n', PD_CONTROL, 0}}},
    {"Ctrl+S", "save a snapshot", "Keep", PD_ACTION_SAVE, ENDS | OPENS, {{'s', PD_CONTROL, 0}}},
    {"Ctrl+Shift+S",
     "save as a scene file",
     "Keep",
     PD_ACTION_SAVE_SCENE,
     ENDS | OPENS,
     {{'s', PD_CONTROL | PD_SHIFT, 0}}},
    {"Esc Ctrl+Q", "quit", "Keep", PD_ACTION_QUIT, 0, {{PD_KEY_ESCAPE, 0, 0}, {'q', PD_CONTROL, 0}}},
};

enum { MOUSE = sizeof mouse / sizeof *mouse, OTHERS = sizeof others / sizeof *others };

/* Writes method_keys and compare_keys. The last digit in the names is the number of methods. */
static void write_method_key_names(void) {
    char last = '1';
    while (pd_controls_find_method((char)(last + 1))) last++;
    snprintf(method_keys, sizeof method_keys, "1 ... %c", last);
    snprintf(compare_keys, sizeof compare_keys, "Ctrl+1 ... %c", last);
}

static const pd_key *row_at(int index) {
    if (index < MOUSE) return &mouse[index];
    if (index < MOUSE + PD_BAR_TOOLS) return &pd_bar_tool_row((pd_bar_tool)(index - MOUSE))->key;
    return &others[index - MOUSE - PD_BAR_TOOLS];
}

int pd_key_count(void) { return MOUSE + PD_BAR_TOOLS + OTHERS; }

const pd_key *pd_key_at(int index) {
    const pd_key *key = row_at(index);
    if (key->name == method_keys || key->name == compare_keys) write_method_key_names();
    return key;
}

/* Returns the first row of an action. NULL: the action has no key. */
static const pd_key *find_row_of_action(pd_action action) {
    int index = 0;
    while (index < pd_key_count() && row_at(index)->action != action) index++;
    return index < pd_key_count() ? row_at(index) : NULL;
}

static const pd_key *find_method_key(int code, pd_action action, int *argument) {
    if (code <= 0 || code > 127 || !pd_controls_find_method((char)code)) return NULL;
    *argument = code;
    return find_row_of_action(action);
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

const char *pd_key_name_of_action(pd_action action) { return find_row_of_action(action)->name; }

bool pd_action_ends_seek_and_rewind(pd_action action) {
    const pd_key *row = find_row_of_action(action);
    return row && (row->flags & PD_ENDS_SEEK);
}
