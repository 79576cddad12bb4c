/* The bar at the top of the picture: a menu of all actions, and buttons for frequent ones. The tool bar at the left: buttons of
 * the tools and of the palette of materials, and swatches of the materials that pour. */
#include "app/overlay/interface.h"
#include "app/tables/tools.h"
#include "core/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float BUTTON = 28, PADDING = 5; /* units: side of a button, margin around buttons */
static const float GAP = 2, GROUP_GAP = 10;  /* units: between buttons, between groups */
static const float TEXT_MARGIN = 8;          /* units: beside the text of a button */
static const float SHORT_METHOD = 72;        /* units: width of the menu of methods in a narrow bar */
static const float FADED = 0.35f;            /* opacity during a drag */
static const double FADE = 0.3;              /* s: duration of fading */

/* A button of the bar. A narrow bar leaves out buttons, the highest rank first. */
typedef struct bar_button {
    pd_action action;
    const char *name; /* "Undo" */
    bool has_text;    /* The button shows its name instead of an icon. */
    bool begins_group;
    int rank;
} bar_button;

static const bar_button buttons[] = {
    {PD_ACTION_BROWSE, "Scenes", .has_text = true, .rank = 1},
    {PD_ACTION_METHOD, "Method", .begins_group = true, .rank = 3},
    {PD_ACTION_UNDO, "Undo", .begins_group = true, .rank = 4},
    {PD_ACTION_REDO, "Redo", .rank = 7},
    {PD_ACTION_RESET, "Reset", .begins_group = true, .rank = 3},
    {PD_ACTION_REWIND, "Back 1 s", .rank = 6},
    {PD_ACTION_PAUSE, "Pause", .rank = 0},
    {PD_ACTION_STEP, "Step", .rank = 9},
    {PD_ACTION_CHANGE_SPEED, "Speed", .rank = 10},
    {PD_ACTION_RECORD, "Record", .begins_group = true, .rank = 5},
    {PD_ACTION_SCREENSHOT, "Screenshot", .rank = 11},
    {PD_ACTION_SAVE, "Save", .rank = 8},
    {PD_ACTION_EXPORT, "Export", .rank = 12},
    {PD_ACTION_PANEL, "Panel", .begins_group = true, .rank = 2},
    {PD_ACTION_HELP, "Help", .rank = 1},
};
enum { BUTTONS = sizeof buttons / sizeof *buttons };

/* Returns the opacity to which the bars fade: FADED while a mouse button is held in the fluid, else 1. */
static float target_opacity(const pd_screen *screen) { return pd_pointer_has_press(screen->pointer) ? FADED : 1; }

static bool is_fading(const pd_screen *screen) {
    return screen->viewport->bars && screen->viewport->bar_opacity != target_opacity(screen);
}

/* Returns the width of a button: a menu has room for its longest text. */
static float width_of(const pd_screen *screen, const bar_button *button, bool narrow) {
    const ui *gui = screen->gui;
    bool methods = button->action == PD_ACTION_METHOD, speeds = button->action == PD_ACTION_CHANGE_SPEED;
    if (methods && narrow) return SHORT_METHOD;
    if (!methods && !speeds && !button->has_text) return BUTTON;
    float longest = methods ? 0 : ui_text_width(gui, UI_NORMAL, speeds ? "1/8×" : button->name);
    for (int i = 0; i < pd_method_count() && methods; i++)
        longest = fmaxf(longest, ui_text_width(gui, UI_NORMAL, pd_method_at(i)->title));
    return longest + (methods ? ui_text_width(gui, UI_NORMAL, "1 ") : 0) + 2 * TEXT_MARGIN;
}

/* Returns the width of the bar with the button of the menu and every button of at most this rank. */
static float width_to_rank(const pd_screen *screen, int rank, bool narrow) {
    float width = 2 * PADDING + BUTTON;
    for (int i = 0; i < BUTTONS; i++)
        if (buttons[i].rank <= rank)
            width += width_of(screen, &buttons[i], narrow) + (buttons[i].begins_group ? GROUP_GAP : GAP);
    return width;
}

/* ---- The menu ---- */

/* Draws an item for each method that a comparison can have. */
static void draw_comparison_items(pd_screen *screen) {
    const pd_world *second = screen->session->second.world;
    for (int i = 0; i < pd_method_count(); i++) {
        const pd_method_info *method = pd_method_at(i);
        char key = pd_controls_method_key(method), cap[8], name[80];
        if (method == pd_world_method(screen->session->world)) continue;
        snprintf(name, sizeof name, "Compare: %s", method->title);
        snprintf(cap, sizeof cap, "Ctrl+%c", key);
        if (ui_draw_menu_item(screen->gui, name, cap, second && pd_world_method(second) == method))
            pd_screen_request(screen, PD_ACTION_COMPARE, key);
    }
}

/* Draws an item for each method: key, title, and what the method is good for. */
static void draw_method_items(pd_screen *screen) {
    for (int i = 0; i < pd_method_count(); i++) {
        const pd_method_info *method = pd_method_at(i);
        char key = pd_controls_method_key(method), cap[] = {key, '\0'};
        bool runs = method == pd_world_method(screen->session->world);
        if (ui_draw_tall_menu_item(screen->gui, method->title, cap, method->suits, runs))
            pd_screen_request(screen, PD_ACTION_METHOD, key);
    }
}

static void draw_menu(pd_screen *screen) {
    const char *group = "";
    char help[96], cap[32];
    bool open = false;
    if (ui_draw_menu_item(screen->gui, "Welcome", "", screen->viewport->opening.open))
        pd_screen_request(screen, PD_ACTION_WELCOME, 0);
    for (int i = 0; i < pd_key_count(); i++) {
        const pd_key *row = pd_key_at(i);
        if (strcmp(row->group, group) != 0) {
            if (open) ui_submenu_end(screen->gui);
            group = row->group;
            open = ui_submenu_begin(screen->gui, group);
        }
        bool of_panes = row->action == PD_ACTION_KEEP_SECOND || row->action == PD_ACTION_MEASURE;
        if (!open || row->action == PD_ACTION_NONE || row->action == PD_ACTION_LAYOUT ||
            (of_panes && !screen->session->second.world))
            continue;
        if (row->action == PD_ACTION_METHOD) {
            draw_method_items(screen);
        } else if (row->action == PD_ACTION_COMPARE) {
            draw_comparison_items(screen);
        } else {
            pd_help_of_key(pd_world_method(screen->session->world), row, help, sizeof help);
            snprintf(cap, sizeof cap, "%.*s", (int)strcspn(row->name, " "), row->name);
            if (ui_draw_menu_item(screen->gui, help, cap, false))
                pd_screen_request(screen, row->action, row->strokes[0].argument);
        }
    }
    if (open) ui_submenu_end(screen->gui);
}

/* ---- Buttons ---- */

/* Draws the menu of methods or of speeds, a button with the present one as text. */
static void draw_choice(pd_screen *screen, const bar_button *button, ui_push *push, bool narrow) {
    static const char *const speeds[] = {"1/8×", "1/4×", "1/2×", "1×", "2×", "4×", "8×"};
    const pd_method_info *method = pd_world_method(screen->session->world);
    char text[64];
    int speed = screen->session->speed_exponent;
    if (button->action == PD_ACTION_CHANGE_SPEED)
        push->text = speeds[speed + 3];
    else
        snprintf(text, sizeof text, "%c %s", pd_controls_method_key(method), narrow ? method->name : method->title),
            push->text = text;
    if (!ui_menu_begin(screen->gui, push)) return;
    if (button->action == PD_ACTION_METHOD) draw_method_items(screen);
    for (int i = -3; i <= 3 && button->action == PD_ACTION_CHANGE_SPEED; i++)
        if (ui_draw_menu_item(screen->gui, speeds[i + 3], NULL, i == speed))
            pd_screen_request(screen, PD_ACTION_CHANGE_SPEED, i - speed);
    ui_menu_end(screen->gui);
}

static bool is_chosen(const pd_screen *screen, pd_action action) {
    const pd_viewport *viewport = screen->viewport;
    return (action == PD_ACTION_PANEL && viewport->panel) || (action == PD_ACTION_HELP && viewport->help) ||
           (action == PD_ACTION_PAUSE && screen->session->paused) ||
           (action == PD_ACTION_RECORD && screen->recorder->sink);
}

static void draw_button(pd_screen *screen, const bar_button *button, bool narrow) {
    char help[128], keys[48];
    const pd_key *row = pd_key_of_action(button->action);
    bool speed = button->action == PD_ACTION_CHANGE_SPEED; /* a menu of what two keys change */
    snprintf(help, sizeof help, "%s\n%s", speed ? "Speed of time" : row->help,
             speed ? "Keys: < slower, > faster" : pd_key_write_names(row, keys, sizeof keys));
    ui_push push = {.name = button->name,
                    .help = help,
                    .text = button->has_text ? button->name : NULL,
                    .width = width_of(screen, button, narrow),
                    .height = BUTTON,
                    .chosen = is_chosen(screen, button->action)};
    ui_same_line(screen->gui, button->begins_group ? GROUP_GAP : GAP);
    if (button->action == PD_ACTION_METHOD || button->action == PD_ACTION_CHANGE_SPEED) {
        draw_choice(screen, button, &push, narrow);
        return;
    }
    if (ui_draw_push_button(screen->gui, &push)) pd_screen_request(screen, button->action, 0);
    if (push.text) return;
    ui_set_layer(screen->gui, UI_INSIDE);
    pd_icon_draw_action(screen, button->action, push.x, push.y);
}

static void draw(pd_screen *screen) {
    ui *gui = screen->gui;
    float width = screen->layout.right;
    float *opacity = &screen->viewport->bar_opacity, fade = (float)(screen->elapsed / FADE);
    if (!screen->viewport->bars) return;
    *opacity += fmaxf(fminf(target_opacity(screen) - *opacity, fade), -fade);
    int rank = 99;
    bool narrow = width_to_rank(screen, rank, false) > width;
    while (rank > 0 && width_to_rank(screen, rank, narrow) > width) rank--;
    ui_window_begin(gui, "bar", 0, 0, width, screen->layout.bar, PADDING, *opacity);
    ui_push menu = {.name = "Menu", .help = "Menu of all actions with their keys", .width = BUTTON, .height = BUTTON};
    bool open = ui_menu_begin(gui, &menu);
    if (open) {
        draw_menu(screen);
        ui_menu_end(gui);
    }
    ui_set_layer(gui, UI_INSIDE);
    for (int i = -1; i <= 1; i++)
        ui_draw_line(gui, menu.x - 7, menu.y + 5 * (float)i, menu.x + 7, menu.y + 5 * (float)i, 1.9f, THEME_INK, 1);
    for (int i = 0; i < BUTTONS; i++)
        if (buttons[i].rank <= rank) draw_button(screen, &buttons[i], narrow);
    ui_window_end(gui);
}

const pd_layer pd_bar_layer = {.draw = draw, .is_fading = is_fading};

/* ---- The tool bar at the left ---- */

static void draw_tool(const pd_screen *screen, pd_bar_tool tool) {
    pd_session *session = screen->session;
    char text[PD_TOOL_TEXT], help[PD_TOOL_TEXT + 160];
    const char *about = pd_bar_tool_row(tool)->about;
    int choices = pd_bar_tool_choice_count(tool);
    pd_session_tool_name(session, tool, pd_session_poured_material(session), text);
    snprintf(help, sizeof help, "%s%s%s", text, about ? "\n" : "", about ? about : "");
    for (int k = 1; k < choices; k++)
        pd_text_append(help, sizeof help, "%s%s", k == 1 ? "\nClick again: " : ", ",
                       pd_bar_tool_row(tool)->choices[(session->choice[tool] + k) % choices]);
    pd_text_append(help, sizeof help, "\nKey: %s", pd_bar_tool_key_name(tool));
    ui_push push = {.name = pd_bar_tool_row(tool)->name,
                    .help = help,
                    .width = TOOL_BUTTON,
                    .height = TOOL_BUTTON,
                    .chosen = session->tool == tool};
    bool pressed = ui_draw_push_button(screen->gui, &push);
    ui_set_layer(screen->gui, UI_INSIDE);
    pd_icon_draw(screen, tool, push.x, push.y);
    if (pressed && (tool != session->tool || choices > 0)) pd_session_select_tool(session, tool);
}

static void draw_swatch(const pd_screen *screen, int material) {
    pd_session *session = screen->session;
    const char *name = pd_world_scene(session->world)->materials[material].name;
    char target[UI_TARGET_NAME], help[PD_TOOL_TEXT];
    float rgb[3];
    snprintf(target, sizeof target, "Swatch: %s", name);
    pd_session_tool_name(session, session->tool, material, help);
    pd_viewport_compute_material_colour(screen->viewport, material, rgb);
    ui_push push = {.name = target,
                    .help = help,
                    .width = TOOL_SWATCH,
                    .height = TOOL_SWATCH,
                    .rgb = rgb,
                    .chosen = pd_session_poured_material(session) == material};
    if (ui_draw_push_button(screen->gui, &push)) pd_session_select_poured_material(session, material);
}

static void draw_materials(pd_screen *screen) {
    const pd_key *row = pd_key_of_action(PD_ACTION_MATERIALS);
    char help[96], keys[48];
    snprintf(help, sizeof help, "%s\n%s", row->help, pd_key_write_names(row, keys, sizeof keys));
    ui_push push = {.name = "More materials",
                    .help = screen->viewport->material_palette.open ? NULL : help,
                    .width = TOOL_BUTTON,
                    .height = TOOL_BUTTON,
                    .chosen = screen->viewport->material_palette.open};
    if (ui_draw_push_button(screen->gui, &push)) pd_screen_request(screen, PD_ACTION_MATERIALS, 0);
    ui_set_layer(screen->gui, UI_INSIDE);
    pd_icon_draw_action(screen, PD_ACTION_MATERIALS, push.x, push.y);
}

static void draw_tools(pd_screen *screen) {
    const pd_layout *layout = &screen->layout;
    const pd_plate *plate = &layout->tools;
    if (layout->left <= 0) return;
    pd_plate_add(&screen->layout, plate);
    ui_window_begin(screen->gui, "tools", plate->x, plate->y, plate->width, plate->height, TOOL_PADDING,
                    screen->viewport->bar_opacity);
    ui_set_widget_spacing(screen->gui, TOOL_SPACE);
    for (int tool = 0; tool < PD_BAR_TOOLS; tool++) {
        if (tool % layout->columns) ui_same_line(screen->gui, TOOL_SPACE);
        draw_tool(screen, (pd_bar_tool)tool);
    }
    draw_materials(screen);
    if (layout->swatches > 0) ui_add_space(screen->gui, TOOL_SWATCHES_GAP - 2 * TOOL_SPACE);
    for (int i = 0; i < layout->swatches; i++) {
        if (i % 2) ui_same_line(screen->gui, TOOL_SPACE);
        draw_swatch(screen, i);
    }
    ui_window_end(screen->gui);
}

const pd_layer pd_toolbar_layer = {.draw = draw_tools};
