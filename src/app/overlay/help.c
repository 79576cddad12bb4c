/* The help: the table of keys in columns, as large as the window allows; in a small window it scrolls. Below the table
 * stands the place of the manual, and below the plate is room for a message. */
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
static const float CAP = 6, CAP_RISE = 2;                                  /* margins of a key's cap around its text */
static const float NOTE_GAP = 14;                                          /* units: above the manual's line */
static const float ROOMY = 10, TIGHT = 6;                                  /* between two lines of text */
static const float HEADING = 1.2f, GROUP_GAP = 0.6f;                       /* rows */
static const float READABLE = 0.8f;     /* zoom: smaller text is read badly where a unit is a pixel, */
static const float FINE = 0.5f;         /* and anywhere */
static const float LEAST = 0.4f;        /* zoom: of a table that scrolls */
static const float NOTCH = 60, BAR = 3; /* units: of the wheel; width of the bar that says how far it is scrolled */

enum { MAX_COLUMNS = 3, MAX_KEYS = 64, MAX_HELP = 64 };

typedef struct sheet {
    char help[MAX_KEYS][MAX_HELP];
    int count, columns, first[MAX_COLUMNS + 1];   /* the row each column begins with */
    float caps[MAX_KEYS], words[MAX_KEYS];        /* widths of each row */
    float names[MAX_COLUMNS], helps[MAX_COLUMNS]; /* the widest in each column */
    float text, line;                             /* height of a line of text, and of a row */
    float width, height;                          /* of all columns, without the padding */
    float foot;                                   /* of the window, that the plate leaves free */
    float top, bottom;                            /* where rows are seen */
    char manual[PD_MAX_PATH];                     /* path, in a line under the table; "": none */
    float note;                                   /* height of that line with the gap above */
} sheet;

/* Draws the keys of a name as caps, or only measures them; returns their width. */
static float draw_caps(ui *gui, float x, float y, float text, const char *name, bool draw) {
    float start = x;
    for (const char *c = name; *c;) {
        size_t length = strcspn(c, " ");
        char cap[32];
        snprintf(cap, sizeof cap, "%.*s", (int)length, c);
        float width = ui_text_width(gui, UI_SMALL, cap);
        bool plain = strcmp(cap, "...") == 0;
        if (draw && !plain) ui_plate(gui, x, y - CAP_RISE, width + 2 * CAP, text + 2 * CAP_RISE, 1);
        if (draw) ui_text(gui, x + CAP, y, UI_SMALL, plain ? UI_QUIET : UI_PLAIN, 1, 0, plain ? "…" : cap);
        x += width + 2 * CAP + 4;
        c += length;
        while (*c == ' ') c++;
    }
    return x - 4 - start;
}

static bool begins_group(int row) { return row == 0 || strcmp(pd_key_at(row)->group, pd_key_at(row - 1)->group) != 0; }

/* Returns the first row of the next group. */
static int group_end(const sheet *sheet, int row) {
    do row++;
    while (row < sheet->count && !begins_group(row));
    return row;
}

/* Fills columns up to the height `limit` with complete groups; false: there are too few columns. */
static bool fill(sheet *sheet, int columns, float limit) {
    float used = 0;
    sheet->columns = 0;
    sheet->height = 0;
    for (int row = 0; row < sheet->count; row = group_end(sheet, row)) {
        float group = (HEADING + (float)(group_end(sheet, row) - row)) * sheet->line;
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

static void measure(ui *gui, sheet *sheet) {
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

/* Arranges the rows in so many columns of the smallest possible height; false: they do not fit the window. */
static bool arrange(const ui *gui, sheet *sheet, int columns, float spacing) {
    sheet->line = sheet->text + spacing;
    float limit = 0;
    while (!fill(sheet, columns, limit)) limit += sheet->line / 4;
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
    measure(gui, sheet);
    sheet->foot = foot / zoom;
}

/* Height of the visible part of the table. */
static float shown_height(const ui *gui, const sheet *sheet) {
    float room = ui_height(gui) - sheet->foot - sheet->note - 2 * (PADDING + EDGE);
    return fmaxf(fminf(sheet->height, room), 2 * sheet->line);
}

/* Tries tighter rows first, then other numbers of columns, then smaller text; then the table is only as wide as the window.
 * Returns the zoom, which stays set. */
static float fit(ui *gui, sheet *sheet, float foot) {
    static const int columns[] = {2, 1, 3};
    float zoom;
    float smallest = fmaxf(FINE, READABLE / fmaxf(ui_scale(gui), 1));
    for (zoom = 1; zoom >= smallest; zoom -= 0.04f) {
        zoom_to(gui, sheet, zoom, foot);
        for (int i = 0; i < 3; i++)
            for (float spacing = ROOMY; spacing >= TIGHT; spacing--)
                if (arrange(gui, sheet, columns[i], spacing)) return zoom;
    }
    for (int i = 0; i < 2; i++)
        for (zoom = 1; zoom >= (i == 0 ? smallest : LEAST); zoom -= 0.04f) {
            zoom_to(gui, sheet, zoom, foot);
            arrange(gui, sheet, columns[i], ROOMY);
            if (sheet->width + 2 * (PADDING + EDGE) <= ui_width(gui)) return zoom;
        }
    return zoom + 0.04f;
}

/* A line of text is drawn only as a whole. */
static bool is_seen(const sheet *sheet, float y) {
    return y >= sheet->top - CAP_RISE && y + sheet->text <= sheet->bottom + CAP_RISE;
}

static void draw_column(ui *gui, const sheet *sheet, int column, float x, float y) {
    int first = sheet->first[column], last = sheet->first[column + 1];
    for (int i = first; i < last; i++) {
        const pd_key *key = pd_key_at(i);
        if (begins_group(i)) {
            if (i != first) y += GROUP_GAP * sheet->line;
            if (is_seen(sheet, y)) ui_text(gui, x, y, UI_NORMAL, UI_ACCENT, 1, 0, key->group);
            y += HEADING * sheet->line;
        }
        if (is_seen(sheet, y)) {
            draw_caps(gui, x, y, sheet->text, key->name, true);
            ui_text(gui, x + sheet->names[column] + NAME_GAP, y, UI_SMALL, UI_PLAIN, 0.9f, 0, sheet->help[i]);
        }
        y += sheet->line;
    }
}

/* The scroll bar. */
static void draw_bar(ui *gui, const sheet *sheet, float x, float scroll) {
    float shown = sheet->bottom - sheet->top, part = shown / sheet->height;
    ui_box(gui, x, sheet->top + part * scroll, BAR, part * shown, 0.5f * BAR, THEME_TRACK, 1);
}

char *pd_help_of_key(const pd_method_info *method, const pd_key *key, char *text, size_t size) {
    const char *turned = key->action == PD_ACTION_STIFFNESS ? pd_controls_of(method)->stiffness : NULL;
    snprintf(text, size, "%s", key->help);
    for (int i = 0; turned && i < method->parameter_count; i++)
        if (strcmp(pd_method_parameter_at(method, i)->key, turned) == 0) {
            snprintf(text, size, "%s", pd_method_parameter_at(method, i)->title);
            *text = (char)tolower((unsigned char)*text);
        }
    return text;
}

bool pd_help_manual(char *path, size_t size) {
    static const char *const places[] = {"../doc/puddle/html/index.html",
                                         "docs"}; /* from share/puddle, or the source tree */
    char found[PD_MAX_PATH];
    for (int i = 0; i < 2; i++) {
        if (pd_data_path(places[i], found, sizeof found, NULL) != PD_OK) continue;
        char *real = realpath(found, NULL);
        int length = snprintf(path, size, "%s", real ? real : found);
        free(real);
        return length > 0 && (size_t)length < size;
    }
    return false;
}

/* The path of the manual. In a narrow table its beginning is left out, since the end says most. */
static void draw_manual(ui *gui, const sheet *sheet, float x, float y) {
    char line[PD_MAX_PATH + 16];
    const char *end = sheet->manual;
    float width = INFINITY;
    for (const char *cut = ""; width > sheet->width; cut = "…") {
        snprintf(line, sizeof line, "Manual: %s%s", cut, end);
        width = ui_text_width(gui, UI_SMALL, line);
        if (!*end) break;
        do end++;
        while (((unsigned char)*end & 0xc0) == 0x80); /* a whole character of UTF-8 */
    }
    ui_text(gui, x, y, UI_SMALL, UI_QUIET, 1, 0, line);
}

static bool is_open(const pd_screen *screen) { return screen->viewport->help; }
static void close(pd_screen *screen) { screen->viewport->help = false; }

/* Any press closes the help, and has no other effect. */
static bool press(pd_screen *screen, bool left) {
    (void)left;
    if (!is_open(screen)) return false;
    close(screen);
    ui_hide_press(screen->gui);
    return true;
}

static bool wheel(pd_screen *screen, float notches) {
    pd_help_sheet *place = &screen->viewport->help_sheet;
    if (!is_open(screen)) return false;
    place->scroll = fmaxf(fminf(place->scroll - NOTCH * notches, place->hidden), 0);
    return true;
}

/* The plate and the visible part of the table. */
static void draw_sheet(ui *gui, sheet *sheet, float zoom, pd_help_sheet *place) {
    float shown = shown_height(gui, sheet), hidden = sheet->height - shown;
    float x = fmaxf(EDGE + PADDING, 0.5f * (ui_width(gui) - sheet->width));
    sheet->top = fmaxf(EDGE + PADDING, 0.5f * (ui_height(gui) - sheet->foot - shown - sheet->note));
    sheet->bottom = sheet->top + shown;
    float left = x - PADDING, top = sheet->top - PADDING, width = sheet->width + 2 * PADDING,
          height = shown + sheet->note + 2 * PADDING;
    ui_plate(gui, left, top, width, height, THEME_DENSE);
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
    if (!pd_help_manual(sheet.manual, sizeof sheet.manual)) *sheet.manual = '\0';
    ui_set_layer(gui, UI_ABOVE);
    ui_dim(gui, THEME_SHADE);
    float zoom = fit(gui, &sheet, pd_message_height(screen) + THEME_GAP);
    draw_sheet(gui, &sheet, zoom, &viewport->help_sheet);
    ui_set_zoom(gui, 1);
}

const pd_layer pd_help_layer = {
    .is_open = is_open, .close = close, .covers = is_open, .press = press, .wheel = wheel, .draw = draw};
