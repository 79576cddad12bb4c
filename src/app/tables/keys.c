#include "app/tables/keys.h"

#include "app/tables/controls.h"
#include "app/tables/tools.h"

#include <stddef.h>
#include <stdio.h>

static char method_keys[16];  /* "1 ... 5": filled by pd_keys */
static char compare_keys[24]; /* "Ctrl+1 ... 5": likewise */

static const pd_key keys[] = {
    {"Left-drag", "drag the fluid, or an obstacle", "Mouse", PD_ACTION_NONE, false, {{0}}},
    {"Right-drag", "push the fluid away", "Mouse", PD_ACTION_NONE, false, {{0}}},
    {"Middle-drag Shift+Left-drag", "pull the fluid in", "Mouse", PD_ACTION_NONE, false, {{0}}},
    {"Wheel Shift+Wheel", "tool size; turn or spin a held obstacle", "Mouse", PD_ACTION_NONE, false, {{0}}},
    {"D", "next dye for dragging, or none", "Mouse", PD_ACTION_DYE, false, {{'d', 0, 0}}},
    {"P", "materials; choose one to pour", "Mouse", PD_ACTION_MATERIALS, false, {{'p', 0, 0}}},
    {"F2", "tool: hand (drag)", "Mouse", PD_ACTION_TOOL, false, {{PD_KEY_F2, 0, PD_BAR_HAND}}},
    {"F3", "tool: push", "Mouse", PD_ACTION_TOOL, false, {{PD_KEY_F3, 0, PD_BAR_PUSH}}},
    {"F4", "tool: pull", "Mouse", PD_ACTION_TOOL, false, {{PD_KEY_F4, 0, PD_BAR_PULL}}},
    {"F5", "tool: pour; again: next material", "Mouse", PD_ACTION_TOOL, false, {{PD_KEY_F5, 0, PD_BAR_POUR}}},
    {"F6", "tool: erase fluid; again: walls, both", "Mouse", PD_ACTION_TOOL, false, {{PD_KEY_F6, 0, PD_BAR_ERASE}}},
    {"F7", "tool: wall; Shift: straight", "Mouse", PD_ACTION_TOOL, false, {{PD_KEY_F7, 0, PD_BAR_WALL}}},
    {"F8", "tool: circle; again: box, polygon", "Mouse", PD_ACTION_TOOL, false, {{PD_KEY_F8, 0, PD_BAR_SHAPE}}},
    {"E", "tool: emitter", "Mouse", PD_ACTION_TOOL, false, {{'e', 0, PD_BAR_EMITTER}}},
    {"X", "tool: drain", "Mouse", PD_ACTION_TOOL, false, {{'x', 0, PD_BAR_DRAIN}}},
    {"M", "tool: move; Shift: throw", "Mouse", PD_ACTION_TOOL, false, {{'m', 0, PD_BAR_MOVE}}},

    {"Up Down", "stiffness", "Fluid", PD_ACTION_STIFFNESS, true, {{PD_KEY_UP, 0, 1}, {PD_KEY_DOWN, 0, -1}}},
    {"] [", "viscosity", "Fluid", PD_ACTION_VISCOSITY, true, {{']', 0, 1}, {'[', 0, -1}}},
    {"Y Shift+Y", "less or more yield", "Fluid", PD_ACTION_YIELD, true, {{'y', 0, -1}, {'y', PD_SHIFT, 1}}},
    {"Right Left",
     "strength of gravity",
     "Fluid",
     PD_ACTION_GRAVITY,
     true,
     {{PD_KEY_RIGHT, 0, 1}, {PD_KEY_LEFT, 0, -1}}},
    {"Shift+Right Shift+Left",
     "turn gravity",
     "Fluid",
     PD_ACTION_GRAVITY_TURN,
     true,
     {{PD_KEY_RIGHT, PD_SHIFT, 1}, {PD_KEY_LEFT, PD_SHIFT, -1}}},
    {"G", "gravity on or off", "Fluid", PD_ACTION_GRAVITY_SWITCH, false, {{'g', 0, 0}}},
    {"= -", "more or fewer particles", "Fluid", PD_ACTION_PARTICLES, false, {{'=', 0, 1}, {'+', 0, 1}, {'-', 0, -1}}},
    {method_keys, "method", "Fluid", PD_ACTION_METHOD, false, {{0}}}, /* the strokes are those of the methods' table */
    {compare_keys, "side by side with a method", "Fluid", PD_ACTION_COMPARE, false, {{0}}}, /* likewise */
    {"Ctrl+K", "keep the second pane", "Fluid", PD_ACTION_KEEP_SECOND, false, {{'k', PD_CONTROL, 0}}},

    {"Space", "pause", "Time", PD_ACTION_PAUSE, false, {{' ', 0, 0}}},
    {".", "one step", "Time", PD_ACTION_STEP, true, {{'.', 0, 0}}},
    {"Backspace", "one second back; held: run backwards", "Time", PD_ACTION_REWIND, false, {{PD_KEY_BACKSPACE, 0, 0}}},
    {"> <", "faster or slower, 1/8 to 8 times", "Time", PD_ACTION_SPEED, false, {{'>', 0, 1}, {'<', 0, -1}}},
    {"R", "reset, with the present values", "Time", PD_ACTION_RESET, false, {{'r', 0, 0}}},
    {"Shift+R", "reopen the scene, original values", "Time", PD_ACTION_REOPEN, false, {{'r', PD_SHIFT, 0}}},
    {"Ctrl+Z", "undo", "Time", PD_ACTION_UNDO, true, {{'z', PD_CONTROL, 0}}},
    {"Ctrl+Shift+Z", "redo", "Time", PD_ACTION_REDO, true, {{'z', PD_CONTROL | PD_SHIFT, 0}, {'y', PD_CONTROL, 0}}},

    {"V", "next view", "Picture", PD_ACTION_VIEW, false, {{'v', 0, 0}}},
    {"L", "lines over the view", "Picture", PD_ACTION_LINES, false, {{'l', 0, 0}}},
    {"C", "next palette", "Picture", PD_ACTION_PALETTE, false, {{'c', 0, 0}}},
    {"N", "next quantity to compare, side by side", "Picture", PD_ACTION_MEASURE, false, {{'n', 0, 0}}},
    {"Tab", "panel", "Picture", PD_ACTION_PANEL, false, {{PD_KEY_TAB, 0, 0}}},
    {"F11", "full screen", "Picture", PD_ACTION_FULLSCREEN, false, {{PD_KEY_F11, 0, 0}}},
    {"H F1", "help", "Picture", PD_ACTION_HELP, false, {{'h', 0, 0}, {PD_KEY_F1, 0, 0}}},

    {"F9", "recording on or off", "Keep", PD_ACTION_RECORD, false, {{PD_KEY_F9, 0, 0}}},
    {"F12", "screenshot", "Keep", PD_ACTION_SCREENSHOT, false, {{PD_KEY_F12, 0, 0}}},
    {"F10", "where buttons are, with --json", "Keep", PD_ACTION_LAYOUT, false, {{PD_KEY_F10, 0, 0}}},
    {"Ctrl+R", "keep the last two minutes as a log", "Keep", PD_ACTION_KEEP_LOG, false, {{'r', PD_CONTROL, 0}}},
    {"Ctrl+O", "open a scene, chosen by picture", "Keep", PD_ACTION_BROWSE, false, {{'o', PD_CONTROL, 0}}},
    {"Ctrl+N", "new scene: an empty container", "Keep", PD_ACTION_NEW_SCENE, false, {{'n', PD_CONTROL, 0}}},
    {"Ctrl+S", "save a snapshot", "Keep", PD_ACTION_SAVE, false, {{'s', PD_CONTROL, 0}}},
    {"Ctrl+Shift+S", "save as a scene file", "Keep", PD_ACTION_SAVE_SCENE, false, {{'s', PD_CONTROL | PD_SHIFT, 0}}},
    {"Esc Ctrl+Q", "quit", "Keep", PD_ACTION_QUIT, false, {{PD_KEY_ESCAPE, 0, 0}, {'q', PD_CONTROL, 0}}},
};

/* The first and the last key of a method. */
static void name_method_keys(void) {
    char last = '1';
    while (pd_method_of_key((char)(last + 1))) last++;
    snprintf(method_keys, sizeof method_keys, "1 ... %c", last);
    snprintf(compare_keys, sizeof compare_keys, "Ctrl+1 ... %c", last);
}

const pd_key *pd_keys(int *count) {
    name_method_keys();
    *count = (int)(sizeof keys / sizeof keys[0]);
    return keys;
}

static const pd_key *find_method_key(int code, pd_action action, int *argument) {
    const pd_key *key = keys;
    if (code <= 0 || code > 127 || !pd_method_of_key((char)code)) return NULL;
    while (key->action != action) key++;
    *argument = code;
    return key;
}

static const pd_key *find(int code, int modifiers, int *argument) {
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        for (const pd_stroke *stroke = keys[i].strokes; stroke < keys[i].strokes + PD_MAX_STROKES && stroke->code;
             stroke++) {
            if (stroke->code != code || stroke->modifiers != modifiers) continue;
            *argument = stroke->argument;
            return &keys[i];
        }
    }
    return NULL;
}

const pd_key *pd_key_find(int code, int modifiers, int *argument) {
    bool letter = code >= 'a' && code <= 'z';
    const pd_key *key = find(code, modifiers, argument);
    if (!key && modifiers == 0) key = find_method_key(code, PD_ACTION_METHOD, argument);
    if (!key && modifiers == PD_CONTROL) key = find_method_key(code, PD_ACTION_COMPARE, argument);
    return key || !letter ? key : find(code, modifiers & ~PD_SHIFT, argument);
}

const char *pd_key_of(pd_action action, int argument) {
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].action == action && keys[i].strokes[0].argument == argument) return keys[i].name;
    return "";
}
