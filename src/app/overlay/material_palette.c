/* The palette of materials: a plate with the ready ones by name, and colours of which a new one can be made. What the highlighted
 * one does stands in its last line. */
#include "app/overlay/interface.h"

#include "app/session/materials.h"
#include "core/oklab.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float EDGE = 10, GAP = 8, PADDING = 12, FOOT = 22; /* units: around it, inside it, its last line */
static const float TILE_WIDTH = 96, TILE = 28, SWATCH = 15;     /* of a ready material */
static const float CELL = 32;                                   /* of a colour; its height is SHORT */
static const float SHORT = 24, HEADING = 25;
static const float ink[3] = {0.86f, 0.89f, 0.97f}, accent[3] = {0.56f, 0.70f, 1.00f};
static const float ground[3] = {0.05f, 0.066f, 0.11f};

enum { COLUMNS = 3, HUES = 9, SHADES = 3, COLOURS = HUES * SHADES };

/* In OKLab: of these hues, and grey. */
static const char *const hues[HUES] = {"red",  "orange", "yellow", "green", "turquoise",
                                       "blue", "violet", "pink",   "grey"};
static const double angles[HUES] = {25, 55, 95, 145, 195, 255, 300, 350, 0};
static const double lightness[SHADES] = {0.82, 0.66, 0.46}, chroma[SHADES] = {0.11, 0.19, 0.13};
static const char *const shades[SHADES] = {"light ", "", "dark "};

static int items(void) { return pd_ready_material_count() + COLOURS; }

/* index: by rows of a shade. Colours outside sRGB become greyer until they are inside. */
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

/* ---- Places, in units of the palette ---- */

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

/* -1: none is there. */
static int item_at(const pd_material_palette *palette, float x, float y) {
    for (int item = 0; item < items(); item++) {
        pd_plate place = place_of(palette, item);
        if (pd_plate_contains(&place, x, y)) return item;
    }
    return -1;
}

/* Beside the bar, at the height of its foot; smaller where the window is too small. */
static void place(pd_viewport *viewport, const ui *gui) {
    pd_material_palette *palette = &viewport->material_palette;
    const pd_toolbar *bar = &viewport->toolbar;
    bool beside = pd_toolbar_cover(viewport) > 0;
    float width = COLUMNS * TILE_WIDTH + 2 * PADDING;
    float height = 2 * PADDING + ready_height() + HEADING + SHADES * SHORT + FOOT;
    float left = beside ? bar->plate.x + bar->plate.width + GAP : EDGE;
    float room = fmaxf(ui_width(gui) - left - EDGE, 1), tall = fmaxf(ui_height(gui) - 2 * EDGE, 1);
    float zoom = fminf(1, fminf(room / width, tall / height));
    float foot = beside ? bar->plate.y + bar->plate.height : 0.5f * (ui_height(gui) + height * zoom);
    float top = fmaxf(fminf(foot, ui_height(gui) - EDGE) - height * zoom, EDGE);
    palette->zoom = zoom;
    palette->plate = (pd_plate){left / zoom, top / zoom, width, height};
}

/* ---- Input ---- */

static void choose(pd_viewport *viewport, pd_session *session, int item) {
    pd_material_palette *palette = &viewport->material_palette;
    int colour = item - pd_ready_material_count();
    palette->open = false;
    pd_session_end_travel(session);
    if (colour < 0) {
        pd_session_add_ready_material(session, item);
        return;
    }
    uint8_t rgb[3];
    char name[32];
    colour_of(colour, rgb);
    if (!pd_session_add_material(session, name_of(colour, name, sizeof name), rgb)) return;
    const pd_scene *scene = pd_session_scene(session);
    snprintf(palette->newest, sizeof palette->newest, "%s", scene->materials[scene->material_count - 1].name);
    viewport->panel = palette->reveal = true; /* its sliders */
}

bool pd_material_palette_covers(const pd_viewport *viewport, const pd_display *display, float pixel_x, float pixel_y) {
    const pd_material_palette *palette = &viewport->material_palette;
    float unit = display->scale * palette->zoom;
    return palette->open && unit > 0 && pd_plate_contains(&palette->plate, pixel_x / unit, pixel_y / unit);
}

bool pd_material_palette_press(pd_viewport *viewport, pd_session *session, const pd_display *display, float pixel_x,
                               float pixel_y) {
    pd_material_palette *palette = &viewport->material_palette;
    if (!palette->open) return false;
    if (!pd_material_palette_covers(viewport, display, pixel_x, pixel_y)) {
        palette->open = false;
        return false;
    }
    float unit = display->scale * palette->zoom;
    int item = item_at(palette, pixel_x / unit, pixel_y / unit);
    if (item >= 0) choose(viewport, session, item);
    return true;
}

/* The item that an arrow leads to. Columns of both parts are of a third or a ninth of the width. */
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

bool pd_material_palette_key(pd_viewport *viewport, pd_session *session, int code, int modifiers) {
    pd_material_palette *palette = &viewport->material_palette;
    bool arrow = code == PD_KEY_UP || code == PD_KEY_DOWN || code == PD_KEY_LEFT || code == PD_KEY_RIGHT;
    if (!palette->open || modifiers || (!arrow && code != PD_KEY_ENTER)) return false;
    if (arrow)
        palette->item = next_item(palette->item, code);
    else
        choose(viewport, session, palette->item);
    return true;
}

/* ---- Drawing ---- */

static void draw_item(const pd_material_palette *palette, ui *gui, int item) {
    int colour = item - pd_ready_material_count();
    pd_plate p = place_of(palette, item);
    bool hot = item == palette->item;
    uint8_t bytes[3];
    float rgb[3], line;
    char name[UI_TARGET_NAME] = "Palette: ";
    size_t used = strlen(name);
    if (colour >= 0)
        name_of(colour, name + used, sizeof name - used);
    else
        snprintf(name + used, sizeof name - used, "%s", pd_ready_material_at(item)->material.name);
    ui_add_target(gui, name, p.x, p.y, p.width, p.height);
    if (colour >= 0) {
        colour_of(colour, bytes);
    } else {
        const pd_material *material = &pd_ready_material_at(item)->material;
        memcpy(bytes, (uint8_t[]){material->red, material->green, material->blue}, 3);
    }
    for (int k = 0; k < 3; k++) rgb[k] = (float)bytes[k] / 255;
    if (colour >= 0) {
        if (hot) ui_box(gui, p.x + 1, p.y + 1, p.width - 2, p.height - 2, 6, ink, 1);
        if (hot)
            ui_box(gui, p.x + 2.5f, p.y + 2.5f, p.width - 5, p.height - 5, 4.5f, ground, 1); /* light colours too */
        float inset = hot ? 3.5f : 3;
        ui_box(gui, p.x + inset, p.y + inset, p.width - 2 * inset, p.height - 2 * inset, 4, rgb, 1);
        return;
    }
    if (hot) ui_box(gui, p.x, p.y, p.width, p.height, 6, accent, 0.22f);
    ui_box(gui, p.x + 7, p.y + 0.5f * (p.height - SWATCH), SWATCH, SWATCH, 4, rgb, 1);
    ui_measure(gui, UI_NORMAL, NULL, 0, NULL, &line);
    ui_text(gui, p.x + 7 + SWATCH + 8, p.y + 0.5f * (p.height - line), UI_NORMAL, hot ? UI_STRONG : UI_PLAIN, 1, 0,
            pd_ready_material_at(item)->material.name);
}

void pd_material_palette_draw(pd_viewport *viewport, const pd_session *session, ui *gui, const pd_pointer *pointer,
                              const pd_display *display) {
    pd_material_palette *palette = &viewport->material_palette;
    if (!palette->open) return;
    place(viewport, gui);
    float unit = display->scale * palette->zoom;
    bool moved = pointer->pixel_x != palette->seen_x || pointer->pixel_y != palette->seen_y;
    int under = item_at(palette, pointer->pixel_x / unit, pointer->pixel_y / unit);
    if (pointer->present && moved && under >= 0) palette->item = under;
    palette->seen_x = pointer->pixel_x;
    palette->seen_y = pointer->pixel_y;
    int colour = palette->item - pd_ready_material_count();
    char name[32], text[160];
    if (colour < 0)
        snprintf(text, sizeof text, "%s", pd_ready_material_at(palette->item)->about);
    else
        snprintf(text, sizeof text, "%s, other properties like '%s'", name_of(colour, name, sizeof name),
                 pd_world_scene(session->world)->materials[0].name);
    const pd_plate *p = &palette->plate;
    ui_set_layer(gui, UI_ABOVE);
    ui_set_zoom(gui, palette->zoom);
    ui_box(gui, p->x + 1, p->y + 1, p->width - 2, p->height - 2, 9, ground, 1); /* it may lie over the panel's text */
    ui_plate(gui, p->x, p->y, p->width, p->height, 1);
    for (int item = 0; item < items(); item++) draw_item(palette, gui, item);
    ui_text(gui, p->x + PADDING + 4, p->y + PADDING + ready_height() + 5, UI_SMALL, UI_ACCENT, 1, 0, "New material");
    ui_text(gui, p->x + PADDING + 4, p->y + p->height - PADDING - 0.72f * FOOT, UI_SMALL, UI_QUIET, 1, 0, text);
    ui_set_zoom(gui, 1);
}
