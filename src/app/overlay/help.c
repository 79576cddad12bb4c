/* The help: the first steps, all keys with a search, and the version with the manual. */
#include "app/overlay/interface.h"

#include "app/tables/tools.h"
#include "core/file.h"
#include <ctype.h>
#include <puddle/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const float WIDTH = 540, HEIGHT = 500, FOOT = 34; /* units: size of the dialog, height of its last line */
static const float STEP_KEYS = 0.30f, ALL_KEYS = 0.42f;  /* width of the keys / width of a row, for each list */

enum { TAB_STEPS, TAB_KEYS, TAB_ABOUT, TABS };

char *pd_help_of_key(const pd_method_info *method, const pd_key *key, char *text, size_t size) {
    const char *changed = key->action == PD_ACTION_STIFFNESS ? pd_controls_of_method(method)->stiffness : NULL;
    snprintf(text, size, "%s", key->help);
    for (int i = 0; changed && i < method->parameter_count; i++) {
        const pd_parameter *parameter = pd_method_parameter_at(method, i);
        bool more = key->strokes[0].argument > 0, counted = parameter->type == PD_PARAMETER_INTEGER;
        if (strcmp(parameter->key, changed) != 0) continue;
        snprintf(text, size, "%s %c%s",
                 more      ? "More"
                 : counted ? "Fewer"
                           : "Less",
                 tolower((unsigned char)*parameter->title), parameter->title + 1);
    }
    return text;
}

bool pd_help_find_manual(char *path, size_t size) {
    /* The installed manual, relative to share/puddle, and the manual of the source tree. */
    static const char *const places[] = {"../doc/puddle/html/index.html", "docs/index.md"};
    char found[PD_MAX_PATH];
    for (int i = 0; i < 2; i++) {
        if (pd_data_find_file(places[i], found, sizeof found, NULL) != PD_OK) continue;
        return pd_os_canonical_path(found, path, size) == 0;
    }
    return false;
}

static bool contains(const char *text, const char *part) {
    size_t length = strlen(part);
    for (; strlen(text) >= length; text++)
        if (strncasecmp(text, part, length) == 0) return true;
    return false;
}

static void draw_all_keys(const pd_screen *screen) {
    const char *search = screen->viewport->help_sheet.search, *group = "";
    char help[96];
    for (int i = 0; i < pd_key_count(); i++) {
        const pd_key *key = pd_key_at(i);
        pd_help_of_key(pd_world_method(screen->session->world), key, help, sizeof help);
        if (!contains(help, search) && !contains(key->name, search) && !contains(key->group, search)) continue;
        if (strcmp(group, key->group) != 0) ui_draw_heading(screen->gui, group = key->group);
        ui_draw_key_row(screen->gui, key->name, ALL_KEYS, help);
    }
    if (!*group) ui_draw_wrapped_text(screen->gui, UI_NORMAL, UI_QUIET, "No key has these words");
}

static void draw_about(pd_screen *screen) {
    ui *gui = screen->gui;
    char manual[PD_MAX_PATH];
    bool found = pd_help_find_manual(manual, sizeof manual);
    ui_draw_wrapped_text(gui, UI_LARGE, UI_STRONG, "puddle");
    ui_draw_wrapped_text(gui, UI_NORMAL, UI_PLAIN, "A fluid sandbox, version " PD_VERSION);
    ui_add_space(gui, THEME_GAP);
    if (found && ui_draw_button(gui, "Open the manual", NULL, 0, 1)) pd_screen_request(screen, PD_ACTION_MANUAL, 0);
    ui_draw_wrapped_text(gui, UI_SMALL, UI_QUIET, found ? manual : "The manual is not installed");
}

static bool is_open(const pd_screen *screen) { return screen->viewport->help; }

static void close_help(pd_screen *screen) {
    screen->viewport->help = false;
    ui_close_menu(screen->gui);
}

/* Closes the help by a press beside it, which has no other effect. ImGui handles presses on the help. */
static bool handle_press(pd_screen *screen, bool left) {
    (void)left;
    if (!is_open(screen) || pd_plate_contains(&screen->viewport->help_sheet.plate, screen->x, screen->y)) return false;
    close_help(screen);
    ui_hide_last_press(screen->gui);
    return true;
}

static bool handle_key(pd_screen *screen, int code, int modifiers, bool repeats) {
    pd_help_sheet *sheet = &screen->viewport->help_sheet;
    if (!is_open(screen)) return false;
    bool letter = code == 'h' && !(modifiers & PD_CONTROL); /* with or without Shift */
    if (!repeats && (letter || (code == PD_KEY_F1 && !modifiers))) close_help(screen);
    if (code == PD_KEY_TAB) {
        sheet->tab = (sheet->tab + 1) % TABS;
        sheet->selects_tab = true;
    }
    return true;
}

static void draw_tab(pd_screen *screen, int tab) {
    pd_help_sheet *sheet = &screen->viewport->help_sheet;
    ui_add_space(screen->gui, 0);
    ui_set_next_widget_width(screen->gui, -1); /* up to the right edge */
    if (tab == TAB_KEYS) ui_edit_text(screen->gui, "Search", "Search", true, sheet->search, sizeof sheet->search);
    ui_scroll_begin(screen->gui, "rows", -FOOT);
    for (int i = 0; i < pd_key_count() && tab == TAB_STEPS; i++) {
        const pd_key *key = pd_key_at(i);
        char first[32];
        snprintf(first, sizeof first, "%.*s", (int)strcspn(key->name, " "), key->name);
        if (key->flags & PD_IN_FIRST_STEPS) ui_draw_key_row(screen->gui, first, STEP_KEYS, key->help);
    }
    if (tab == TAB_KEYS) draw_all_keys(screen);
    if (tab == TAB_ABOUT) draw_about(screen);
    ui_scroll_end(screen->gui);
}

static void draw(pd_screen *screen) {
    static const char *const names[TABS] = {"First steps", "All keys", "About"};
    pd_help_sheet *sheet = &screen->viewport->help_sheet;
    pd_plate *plate = &sheet->plate;
    ui *gui = screen->gui;
    if (!is_open(screen)) {
        *sheet = (pd_help_sheet){.selects_tab = true};
        return;
    }
    *plate = (pd_plate){.width = WIDTH, .height = HEIGHT};
    if (!ui_dialog_begin(gui, "Help", UI_IN_THE_MIDDLE, &plate->x, &plate->y, &plate->width, &plate->height)) return;
    int chosen = sheet->selects_tab ? sheet->tab : -1;
    sheet->selects_tab = false;
    if (ui_tabs_begin(gui, "tabs")) {
        for (int tab = 0; tab < TABS; tab++) {
            if (!ui_tab_begin(gui, names[tab], tab == chosen)) continue;
            sheet->tab = tab;
            draw_tab(screen, tab);
            ui_tab_end(gui);
        }
        ui_tabs_end(gui);
    }
    ui_dialog_end(gui, "Esc or a click outside closes");
}

const pd_layer pd_help_layer = {.modal = true,
                                .is_open = is_open,
                                .close = close_help,
                                .handle_press = handle_press,
                                .handle_key = handle_key,
                                .draw = draw};
