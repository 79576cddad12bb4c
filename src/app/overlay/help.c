/* The help: the table of keys in columns, as large as the window allows. In a small window the table scrolls. The manual's path
 * is below the table. */
#include "app/overlay/interface.h"

#include "app/tables/controls.h"
#include "core/error.h"
#include "core/file/file.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float COLUMN_GAP = 36, NAME_GAP = 14, PADDING = 26, EDGE = 8; /* units */
static const float CAP = 6, CAP_RISE = 2; /* units: margins of a key's cap beside and above its text */
static const float NOTE_GAP = 14;         /* units: between the table and the manual's path */
static const float ROOMY = 10, TIGHT = 6; /* units: loose and tight spacing of two lines */
/* height of a heading and of the gap between groups / height of a row */
static const float HEADING = 1.2f, GROUP_GAP = 0.6f;
static const float READABLE = 0.8f;     /* smallest zoom for good reading if an interface unit is a pixel */
static const float FINE = 0.5f;         /* smallest zoom for good reading on a fine screen */
static const float LEAST = 0.4f;        /* smallest zoom, of a table that scrolls */
static const float NOTCH = 60, BAR = 3; /* units: scrolled by a notch of the wheel; width of the scroll bar */

enum { MAX_COLUMNS = 3, MAX_KEYS = 64, MAX_HELP = 64 };

typedef struct sheet {
    char help[MAX_KEYS][MAX_HELP];
    int count, columns, first[MAX_COLUMNS + 1];   /* rows, columns, and first row of each column */
    float caps[MAX_KEYS], words[MAX_KEYS];        /* widths of the keys and of the help in each row */
    float names[MAX_COLUMNS], helps[MAX_COLUMNS]; /* greatest of these widths in each column */
    float text, line;                             /* heights of a line of text and of a row */
    float width, height;                          /* size of all columns, without the padding */
    float foot;                                   /* height left free at the window's lower edge, for a message */
    float top, bottom;                            /* upper and lower edge of the visible rows */
    char manual[PD_MAX_PATH];                     /* path of the manual, "": none */
    float note;                                   /* height of the manual's line with the gap above */
} sheet;

/* Draws the keys of pd_key.name as caps, if `draw`. Returns their width. */
static float draw_caps(ui *gui, float x, float y, float text, const char *name, bool draw) {
    float start = x;
    for (const char *c = name; *c;) {
        size_t length = strcspn(c, " ");
        char cap[32];
        snprintf(cap, sizeof cap, "%.*s", (int)length, c);
        float width = ui_text_width(gui, UI_SMALL, cap);
        bool plain = strcmp(cap, "...") == 0;
        if (draw && !plain) ui_draw_plate(gui, x, y - CAP_RISE, width + 2 * CAP, text + 2 * CAP_RISE, 1);
        if (draw) ui_draw_text(gui, x + CAP, y, UI_SMALL, plain ? UI_QUIET : UI_PLAIN, 1, 0, plain ? "…" : cap);
        x += width + 2 * CAP + 4;
        c += length;
        while (*c == ' ') c++;
    }
    return x - 4 - start;
}

static bool begins_group(int row) { return row == 0 || strcmp(pd_key_at(row)->group, pd_key_at(row - 1)->group) != 0; }

/* Returns the first row of the next group. */
static int next_group(const sheet *sheet, int row) {
    do row++;
    while (row < sheet->count && !begins_group(row));
    return row;
}

/* Distributes complete groups over columns of height `limit`. False: more columns are needed. */
static bool fill_columns(sheet *sheet, int columns, float limit) {
    float used = 0;
    sheet->columns = 0;
    sheet->height = 0;
    for (int row = 0; row < sheet->count; row = next_group(sheet, row)) {
        float group = (HEADING + (float)(next_group(sheet, row) - row)) * sheet->line;
        float gap = used > 0 ? GROUP_GAP * sheet->line : 0;
        if (row == 0 || used + gap + group > limit) {
            if (sheet->columns == columns) return false;
            sheet->first[sheet->columns++] = row;
            used = gap = 0;
        }
        used += gap + group;
        sheet->height = fmaxf(sheet->height, used);
    }
    sheet->first[sheet->columns] = sheet->count;
    return true;
}

static void measure_rows(ui *gui, sheet *sheet) {
    sheet->text = ui_line_height(gui, UI_SMALL);
    sheet->note = *sheet->manual ? sheet->text + NOTE_GAP : 0;
    for (int i = 0; i < sheet->count; i++) {
        sheet->words[i] = ui_text_width(gui, UI_SMALL, sheet->help[i]);
        sheet->caps[i] = draw_caps(gui, 0, 0, 0, pd_key_at(i)->name, false);
    }
}

static float column_width(const sheet *sheet, int column) {
    return sheet->names[column] + NAME_GAP + sheet->helps[column];
}

/* Arranges the rows in this number of columns of the least height. False: the window is too small. */
static bool arrange_columns(const ui *gui, sheet *sheet, int columns, float spacing) {
    sheet->line = sheet->text + spacing;
    float limit = 0;
    while (!fill_columns(sheet, columns, limit)) limit += sheet->line / 4;
    sheet->width = -COLUMN_GAP;
    for (int c = 0; c < sheet->columns; c++) {
        sheet->names[c] = sheet->helps[c] = 0;
        for (int i = sheet->first[c]; i < sheet->first[c + 1]; i++) {
            sheet->names[c] = fmaxf(sheet->names[c], sheet->caps[i]);
            sheet->helps[c] = fmaxf(sheet->helps[c], sheet->words[i]);
        }
        sheet->width += column_width(sheet, c) + COLUMN_GAP;
    }
    return sheet->width + 2 * (PADDING + EDGE) <= ui_width(gui) &&
           sheet->height + sheet->note + 2 * (PADDING + EDGE) + sheet->foot <= ui_height(gui);
}

static void zoom_to(ui *gui, sheet *sheet, float zoom, float foot) {
    ui_set_zoom(gui, zoom);
    measure_rows(gui, sheet);
    sheet->foot = foot / zoom;
}

/* Returns the height of the visible part of the table. */
static float shown_height(const ui *gui, const sheet *sheet) {
    float room = ui_height(gui) - sheet->foot - sheet->note - 2 * (PADDING + EDGE);
    return fmaxf(fminf(sheet->height, room), 2 * sheet->line);
}

/* Fits the table to the window: by tighter rows, then other numbers of columns, then smaller text. At last only the width fits,
 * and the table scrolls. Returns the zoom, which stays set. */
static float fit_to_window(ui *gui, sheet *sheet, float foot) {
    static const int columns[] = {2, 1, 3};
    float zoom;
    float smallest = fmaxf(FINE, READABLE / fmaxf(ui_scale(gui), 1));
    for (zoom = 1; zoom >= smallest; zoom -= 0.04f) {
        zoom_to(gui, sheet, zoom, foot);
        for (int i = 0; i < 3; i++)
            for (float spacing = ROOMY; spacing >= TIGHT; spacing--)
                if (arrange_columns(gui, sheet, columns[i], spacing)) return zoom;
    }
    for (int i = 0; i < 2; i++)
        for (zoom = 1; zoom >= (i == 0 ? smallest : LEAST); zoom -= 0.04f) {
            zoom_to(gui, sheet, zoom, foot);
            arrange_columns(gui, sheet, columns[i], ROOMY);
            if (sheet->width + 2 * (PADDING + EDGE) <= ui_width(gui)) return zoom;
        }
    return zoom + 0.04f;
}

/* Returns whether the whole line of text at height y is visible. */
static bool is_seen(const sheet *sheet, float y) {
    return y >= sheet->top - CAP_RISE && y + sheet->text <= sheet->bottom + CAP_RISE;
}

static void draw_column(ui *gui, const sheet *sheet, int column, float x, float y) {
    int first = sheet->first[column], last = sheet->first[column + 1];
    for (int i = first; i < last; i++) {
        const pd_key *key = pd_key_at(i);
        if (begins_group(i)) {
            if (i != first) y += GROUP_GAP * sheet->line;
            if (is_seen(sheet, y)) ui_draw_text(gui, x, y, UI_NORMAL, UI_ACCENT, 1, 0, key->group);
            y += HEADING * sheet->line;
        }
        if (is_seen(sheet, y)) {
            draw_caps(gui, x, y, sheet->text, key->name, true);
            ui_draw_text(gui, x + sheet->names[column] + NAME_GAP, y, UI_SMALL, UI_PLAIN, 0.9f, 0, sheet->help[i]);
        }
        y += sheet->line;
    }
}

static void draw_bar(ui *gui, const sheet *sheet, float x, float scroll) {
    float shown = sheet->bottom - sheet->top, part = shown / sheet->height;
    ui_draw_box(gui, x, sheet->top + part * scroll, BAR, part * shown, 0.5f * BAR, THEME_TRACK, 1);
}

char *pd_help_of_key(const pd_method_info *method, const pd_key *key, char *text, size_t size) {
    const char *turned = key->action == PD_ACTION_STIFFNESS ? pd_controls_find(method)->stiffness : NULL;
    snprintf(text, size, "%s", key->help);
    for (int i = 0; turned && i < method->parameter_count; i++)
        if (strcmp(pd_method_parameter_at(method, i)->key, turned) == 0) {
            snprintf(text, size, "%s", pd_method_parameter_at(method, i)->title);
            *text = (char)tolower((unsigned char)*text);
        }
    return text;
}

bool pd_help_find_manual(char *path, size_t size) {
    /* The installed manual, relative to share/puddle, and the manual of the source tree. */
    static const char *const places[] = {"../doc/puddle/html/index.html", "docs"};
    char found[PD_MAX_PATH];
    for (int i = 0; i < 2; i++) {
        if (pd_data_find_file(places[i], found, sizeof found, NULL) != PD_OK) continue;
        char *real = realpath(found, NULL);
        int length = snprintf(path, size, "%s", real ? real : found);
        free(real);
        return length > 0 && (size_t)length < size;
    }
    return false;
}

/* Draws the path of the manual. A narrow table shows only the path's end. */
static void draw_manual(ui *gui, const sheet *sheet, float x, float y) {
    char line[PD_MAX_PATH + 16];
    const char *end = sheet->manual;
    float width = INFINITY;
    for (const char *cut = ""; width > sheet->width; cut = "…") {
        snprintf(line, sizeof line, "Manual: %s%s", cut, end);
        width = ui_text_width(gui, UI_SMALL, line);
        if (!*end) break;
        do end++;
        while (((unsigned char)*end & 0xc0) == 0x80); /* skips a whole UTF-8 character */
    }
    ui_draw_text(gui, x, y, UI_SMALL, UI_QUIET, 1, 0, line);
}

static bool is_open(const pd_screen *screen) { return screen->viewport->help; }
static void close_help(pd_screen *screen) { screen->viewport->help = false; }

/* Handles a press, whose only effect is to close the help. */
static bool handle_press(pd_screen *screen, bool left) {
    (void)left;
    if (!is_open(screen)) return false;
    close_help(screen);
    ui_hide_press(screen->gui);
    return true;
}

static bool handle_wheel(pd_screen *screen, float notches) {
    pd_help_sheet *place = &screen->viewport->help_sheet;
    if (!is_open(screen)) return false;
    place->scroll = fmaxf(fminf(place->scroll - NOTCH * notches, place->hidden), 0);
    return true;
}

/* Draws the background and the visible part of the table. */
static void draw_sheet(ui *gui, sheet *sheet, float zoom, pd_help_sheet *place) {
    float shown = shown_height(gui, sheet), hidden = sheet->height - shown;
    float x = fmaxf(EDGE + PADDING, 0.5f * (ui_width(gui) - sheet->width));
    sheet->top = fmaxf(EDGE + PADDING, 0.5f * (ui_height(gui) - sheet->foot - shown - sheet->note));
    sheet->bottom = sheet->top + shown;
    float left = x - PADDING, top = sheet->top - PADDING, width = sheet->width + 2 * PADDING,
          height = shown + sheet->note + 2 * PADDING;
    ui_draw_plate(gui, left, top, width, height, THEME_DENSE);
    place->plate = (pd_plate){zoom * left, zoom * top, zoom * width, zoom * height};
    place->hidden = zoom * hidden;
    place->scroll = fminf(place->scroll, place->hidden);
    float scroll = place->scroll / zoom;
    if (hidden > 0) draw_bar(gui, sheet, left + width - 0.5f * PADDING, scroll);
    if (*sheet->manual) draw_manual(gui, sheet, x, sheet->bottom + NOTE_GAP);
    for (int i = 0; i < sheet->columns; i++) {
        draw_column(gui, sheet, i, x, sheet->top - scroll);
        x += column_width(sheet, i) + COLUMN_GAP;
    }
}

static void draw(pd_screen *screen) {
    pd_viewport *viewport = screen->viewport;
    ui *gui = screen->gui;
    if (!viewport->help) {
        viewport->help_sheet.scroll = 0;
        return;
    }
    sheet sheet = {.count = pd_key_count()};
    PD_ASSERT(sheet.count <= MAX_KEYS);
    for (int i = 0; i < sheet.count; i++)
        pd_help_of_key(pd_world_method(screen->session->world), pd_key_at(i), sheet.help[i], MAX_HELP);
    if (!pd_help_find_manual(sheet.manual, sizeof sheet.manual)) *sheet.manual = '\0';
    ui_set_layer(gui, UI_ABOVE);
    ui_darken(gui, THEME_SHADE);
    float zoom = fit_to_window(gui, &sheet, pd_message_height(screen) + THEME_GAP);
    draw_sheet(gui, &sheet, zoom, &viewport->help_sheet);
    ui_set_zoom(gui, 1);
}

const pd_layer pd_help_layer = {.is_open = is_open,
                                .close = close_help,
                                .covers_pointer = is_open,
                                .handle_press = handle_press,
                                .handle_wheel = handle_wheel,
                                .draw = draw};
