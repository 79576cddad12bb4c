/* The palette of materials: ready materials by name, and colours for a new material. The last line describes the highlighted one. */
#include "app/overlay/interface.h"

#include "app/session/materials.h"
#include "core/oklab.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float PADDING = 12, FOOT = 22; /* units: inner margin, height of the last line */
/* units: width and height of a ready material, side of its swatch */
static const float TILE_WIDTH = 96, TILE = 28, SWATCH = 15;
static const float CELL = 32, SHORT = 24, HEADING = 25; /* units: width and height of a colour, height of a heading */

enum { COLUMNS = 3, HUES = 9, SHADES = 3, COLOURS = HUES * SHADES };

/* Names of the colours, which are regular in OKLab. */
static const char *const hues[HUES] = {"red",  "orange", "yellow", "green", "turquoise",
                                       "blue", "violet", "pink",   "grey"};
static const double angles[HUES] = {25, 55, 95, 145, 195, 255, 300, 350, 0};
static const double lightness[SHADES] = {0.82, 0.66, 0.46}, chroma[SHADES] = {0.11, 0.19, 0.13};
static const char *const shades[SHADES] = {"light ", "", "dark "};

static int items(void) { return pd_ready_material_count() + COLOURS; }

/* Computes the colour index = shade * HUES + hue. A colour outside sRGB becomes greyer until it is inside. */
static void colour_of(int index, uint8_t rgb[3]) {
    int hue = index % HUES, shade = index / HUES;
    double linear[3], c = hue == HUES - 1 ? 0 : chroma[shade], angle = angles[hue] * 0.017453292519943295;
    for (bool inside = false; !inside; c -= 0.005) {
        inside = true;
        pd_oklab_to_linear((double[]){lightness[shade], c * cos(angle), c * sin(angle)}, linear);
        for (int k = 0; k < 3; k++) inside &= c <= 0 || (linear[k] >= 0 && linear[k] <= 1);
    }
    for (int k = 0; k < 3; k++) rgb[k] = (uint8_t)(255 * fmin(fmax(pd_linear_to_srgb(linear[k]), 0), 1) + 0.5);
}

static char *name_of(int index, char *text, size_t size) {
    snprintf(text, size, "%s%s", shades[index / HUES], hues[index % HUES]);
    return text;
}

/* ---- Places, in units of pd_material_palette.zoom interface units ---- */

static float ready_height(void) { return (float)((pd_ready_material_count() + COLUMNS - 1) / COLUMNS) * TILE; }

static pd_plate place_of(const pd_material_palette *palette, int item) {
    int colour = item - pd_ready_material_count();
    float x = palette->plate.x + PADDING, y = palette->plate.y + PADDING;
    if (colour < 0)
        return (pd_plate){x + (float)(item % COLUMNS) * TILE_WIDTH, y + (float)(item / COLUMNS) * TILE, TILE_WIDTH,
                          TILE};
    y += ready_height() + HEADING;
    return (pd_plate){x + (float)(colour % HUES) * CELL, y + (float)(colour / HUES) * SHORT, CELL, SHORT};
}

/* Returns the index of the item at a place. -1: none. */
static int item_at(const pd_material_palette *palette, float x, float y) {
    for (int item = 0; item < items(); item++) {
        pd_plate place = place_of(palette, item);
        if (pd_plate_contains(&place, x, y)) return item;
    }
    return -1;
}

/* Sets the palette's place: beside the lower end of the tool bar, and reduced in a small window. */
static void update_place(const pd_screen *screen) {
    pd_material_palette *palette = &screen->viewport->material_palette;
    const pd_plate *bar = &screen->viewport->toolbar.plate;
    bool beside = pd_toolbar_width(screen->viewport) > 0;
    float wide = ui_width(screen->gui), tall = ui_height(screen->gui), width = COLUMNS * TILE_WIDTH + 2 * PADDING;
    float height = 2 * PADDING + ready_height() + HEADING + SHADES * SHORT + FOOT;
    float left = beside ? bar->x + bar->width + THEME_GAP : THEME_EDGE;
    float zoom = fminf(1, fminf(fmaxf(wide - left - THEME_EDGE, 1) / width, fmaxf(tall - 2 * THEME_EDGE, 1) / height));
    float foot = beside ? bar->y + bar->height : 0.5f * (tall + height * zoom);
    float top = fmaxf(fminf(foot, tall - THEME_EDGE) - height * zoom, THEME_EDGE);
    palette->zoom = zoom;
    palette->plate = (pd_plate){left / zoom, top / zoom, width, height};
}

/* ---- Input ---- */

static void choose_item(pd_screen *screen, int item) {
    pd_material_palette *palette = &screen->viewport->material_palette;
    pd_session *session = screen->session;
    int colour = item - pd_ready_material_count();
    palette->open = false;
    pd_session_end_seek_and_rewind(session);
    if (colour < 0) {
        pd_session_add_ready_material(session, item);
        return;
    }
    uint8_t rgb[3];
    char name[32];
    colour_of(colour, rgb);
    if (!pd_session_add_material(session, name_of(colour, name, sizeof name), rgb)) return;
    const pd_scene *scene = pd_session_next_scene(session);
    snprintf(palette->newest, sizeof palette->newest, "%s", scene->materials[scene->material_count - 1].name);
    screen->viewport->panel = palette->scrolls_to_newest = true; /* opens the panel with the new material's sliders */
}

static bool is_open(const pd_screen *screen) { return screen->viewport->material_palette.open; }
static void close_palette(pd_screen *screen) { screen->viewport->material_palette.open = false; }

static int item_at_pointer(const pd_screen *screen) {
    const pd_material_palette *palette = &screen->viewport->material_palette;
    return item_at(palette, screen->x / palette->zoom, screen->y / palette->zoom);
}

static bool covers_pointer(const pd_screen *screen) {
    const pd_material_palette *palette = &screen->viewport->material_palette;
    return palette->open && palette->zoom > 0 &&
           pd_plate_contains(&palette->plate, screen->x / palette->zoom, screen->y / palette->zoom);
}

/* Handles a press. The only effect of a press beside the palette is to close the palette. */
static bool handle_press(pd_screen *screen, bool left) {
    if (!is_open(screen)) return false;
    bool inside = covers_pointer(screen);
    int item = inside && left ? item_at_pointer(screen) : -1;
    if (!inside) close_palette(screen);
    if (item >= 0) choose_item(screen, item);
    ui_hide_press(screen->gui);
    return true;
}

static void pointer_moved(pd_screen *screen, bool arrives) {
    (void)arrives;
    int item = covers_pointer(screen) ? item_at_pointer(screen) : -1;
    if (item >= 0) screen->viewport->material_palette.item = item;
}

/* Returns the item that an arrow key highlights next. Ready materials have 3 columns, colours 9 of a third of the width. */
static int next_item(int item, int code) {
    int ready = pd_ready_material_count(), colour = item - ready;
    if (code == PD_KEY_LEFT || code == PD_KEY_RIGHT)
        return (item + items() + (code == PD_KEY_RIGHT ? 1 : -1)) % items();
    int step = code == PD_KEY_DOWN ? 1 : -1, wide = HUES / COLUMNS;
    if (colour < 0) {
        int next = item + step * COLUMNS;
        if (next < 0) return item;
        return next < ready ? next : ready + item % COLUMNS * wide + wide / 2;
    }
    int next = colour + step * HUES;
    if (next < 0) {
        int above = (ready - 1) / COLUMNS * COLUMNS + colour / wide;
        return above < ready ? above : ready - 1;
    }
    return next < COLOURS ? ready + next : item;
}

static bool handle_key(pd_screen *screen, int code, int modifiers, bool repeats) {
    pd_material_palette *palette = &screen->viewport->material_palette;
    (void)repeats;
    bool arrow = code == PD_KEY_UP || code == PD_KEY_DOWN || code == PD_KEY_LEFT || code == PD_KEY_RIGHT;
    if (!palette->open || modifiers || (!arrow && code != PD_KEY_ENTER)) return false;
    if (arrow)
        palette->item = next_item(palette->item, code);
    else
        choose_item(screen, palette->item);
    return true;
}

/* ---- Drawing ---- */

static void draw_colour(ui *gui, const pd_plate *p, const float rgb[3], bool highlighted) {
    float inset = highlighted ? 3.5f : 3;
    if (highlighted) ui_draw_box(gui, p->x + 1, p->y + 1, p->width - 2, p->height - 2, 6, THEME_INK, 1);
    /* rim for light colours */
    if (highlighted) ui_draw_box(gui, p->x + 2.5f, p->y + 2.5f, p->width - 5, p->height - 5, 4.5f, THEME_PLATE, 1);
    ui_draw_box(gui, p->x + inset, p->y + inset, p->width - 2 * inset, p->height - 2 * inset, 4, rgb, 1);
}

static void draw_material(ui *gui, const pd_plate *p, const char *name, const float rgb[3], bool highlighted) {
    float line = ui_line_height(gui, UI_NORMAL);
    if (highlighted) ui_draw_box(gui, p->x, p->y, p->width, p->height, 6, THEME_ACCENT, 0.22f);
    ui_draw_box(gui, p->x + 7, p->y + 0.5f * (p->height - SWATCH), SWATCH, SWATCH, 4, rgb, 1);
    ui_draw_text(gui, p->x + 7 + SWATCH + 8, p->y + 0.5f * (p->height - line), UI_NORMAL,
                 highlighted ? UI_STRONG : UI_PLAIN, 1, 0, name);
}

static void draw_item(const pd_material_palette *palette, ui *gui, int item) {
    int colour = item - pd_ready_material_count();
    pd_plate p = place_of(palette, item);
    uint8_t bytes[3];
    char name[PD_MAX_NAME], target[UI_TARGET_NAME];
    if (colour >= 0) {
        name_of(colour, name, sizeof name);
        colour_of(colour, bytes);
    } else {
        const pd_material *material = &pd_ready_material_at(item)->material;
        snprintf(name, sizeof name, "%s", material->name);
        memcpy(bytes, (uint8_t[]){material->red, material->green, material->blue}, 3);
    }
    float rgb[3] = {(float)bytes[0] / 255, (float)bytes[1] / 255, (float)bytes[2] / 255};
    snprintf(target, sizeof target, "Palette: %s", name);
    ui_add_target(gui, target, p.x, p.y, p.width, p.height);
    if (colour >= 0)
        draw_colour(gui, &p, rgb, item == palette->item);
    else
        draw_material(gui, &p, name, rgb, item == palette->item);
}

static void draw(pd_screen *screen) {
    const pd_material_palette *palette = &screen->viewport->material_palette;
    ui *gui = screen->gui;
    if (!palette->open) return;
    update_place(screen);
    int colour = palette->item - pd_ready_material_count();
    char name[32], text[160];
    if (colour < 0)
        snprintf(text, sizeof text, "%s", pd_ready_material_at(palette->item)->about);
    else
        snprintf(text, sizeof text, "%s, other properties like '%s'", name_of(colour, name, sizeof name),
                 pd_world_scene(screen->session->world)->materials[0].name);
    const pd_plate *p = &palette->plate;
    float x = p->x + PADDING + 4;
    ui_set_layer(gui, UI_ABOVE);
    ui_set_zoom(gui, palette->zoom);
    /* background, opaque over the panel's text */
    ui_draw_box(gui, p->x + 1, p->y + 1, p->width - 2, p->height - 2, 9, THEME_PLATE, 1);
    ui_draw_plate(gui, p->x, p->y, p->width, p->height, 1);
    for (int item = 0; item < items(); item++) draw_item(palette, gui, item);
    ui_draw_text(gui, x, p->y + PADDING + ready_height() + 5, UI_SMALL, UI_ACCENT, 1, 0, "New material");
    ui_draw_text(gui, x, p->y + p->height - PADDING - 0.72f * FOOT, UI_SMALL, UI_QUIET, 1, 0, text);
    ui_set_zoom(gui, 1);
}

const pd_layer pd_material_palette_layer = {.is_open = is_open,
                                            .close = close_palette,
                                            .covers_pointer = covers_pointer,
                                            .handle_press = handle_press,
                                            .handle_key = handle_key,
                                            .pointer_moved = pointer_moved,
                                            .draw = draw};
