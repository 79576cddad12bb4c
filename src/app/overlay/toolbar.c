/* The tool bar: the tool of the left button, and the material that pours. The bar is open with the panel, and the picture
 * lies beside it. A window without room for the bar leaves the keys. */
#include "app/overlay/interface.h"

#include "app/session/materials.h"
#include <math.h>
#include <stdio.h>

static const float BUTTON = 34, PADDING = 4, SPACE = 2; /* units */
static const float SWATCH = 14, SWATCH_GAP = 6;         /* units: two in a row are as wide as a button */
static const int SPARE_ROWS = 2;                        /* of swatches: a bar without room for them has two columns */
static const float LEAST_ROOM = 140;                    /* units of width beside the panel */
static const float GAP_IN_RIM = 1;                      /* units: between a swatch and its rim */

static int materials_of(const pd_session *session) {
    return pd_bar_row_of(session->tool)->needs_material ? pd_world_scene(session->world)->material_count : 0;
}

/* Rows of swatches, and of the field behind them that opens the palette of materials. */
static int swatch_rows(const pd_session *session) { return (materials_of(session) + 2) / 2; }

enum { MORE = PD_BAR_TOOLS + PD_MAX_MATERIALS }; /* Item: the field that opens the palette. */

/* Number of materials with swatches: all, or as many as leave room for the field behind them. */
static int swatch_count(const pd_toolbar *bar, const pd_session *session) {
    int materials = materials_of(session), most = 2 * bar->swatch_rows - 1;
    return materials < most ? materials : most;
}

/* Height of all buttons in this number of columns. */
static float tools_height(int columns) {
    return (float)((PD_BAR_TOOLS + columns - 1) / columns) * (BUTTON + SPACE) - SPACE + 2 * PADDING;
}

static pd_plate button_of(const pd_toolbar *bar, int tool) {
    int row = tool / bar->columns, column = tool % bar->columns;
    return (pd_plate){bar->plate.x + PADDING + (float)column * (BUTTON + SPACE),
                      bar->plate.y + PADDING + (float)row * (BUTTON + SPACE), BUTTON, BUTTON};
}

static pd_plate swatch_of(const pd_toolbar *bar, int material) {
    float top = bar->plate.y + tools_height(bar->columns) - PADDING + SPACE + SWATCH_GAP, step = SWATCH + SWATCH_GAP;
    return (pd_plate){bar->plate.x + PADDING + (float)(material % 2) * step, top + (float)(material / 2) * step, SWATCH,
                      SWATCH};
}

/* The place of a tool, of PD_BAR_TOOLS + a material, or of MORE. */
static pd_plate place_of(const pd_toolbar *bar, const pd_session *session, int item) {
    if (item < PD_BAR_TOOLS) return button_of(bar, item);
    return swatch_of(bar, item == MORE ? swatch_count(bar, session) : item - PD_BAR_TOOLS);
}

/* The item at the pointer; -1: none. */
static int item_at_pointer(const pd_screen *screen) {
    const pd_toolbar *bar = &screen->viewport->toolbar;
    int swatches = swatch_count(bar, screen->session);
    for (int i = 0; i <= PD_BAR_TOOLS + swatches; i++) {
        int item = i < PD_BAR_TOOLS + swatches ? i : MORE;
        pd_plate place = place_of(bar, screen->session, item);
        if (pd_plate_contains(&place, screen->x, screen->y)) return item;
    }
    return -1;
}

float pd_toolbar_cover(const pd_viewport *viewport) {
    return viewport->panel && viewport->toolbar.shown ? THEME_EDGE + viewport->toolbar.plate.width : 0;
}

static bool covers(const pd_screen *screen) {
    return pd_toolbar_cover(screen->viewport) > 0 &&
           pd_plate_contains(&screen->viewport->toolbar.plate, screen->x, screen->y);
}

static bool press(pd_screen *screen, bool left) {
    pd_session *session = screen->session;
    if (!covers(screen)) return false;
    int item = left ? item_at_pointer(screen) : -1;
    if (item == MORE)
        screen->viewport->material_palette.open = true;
    else if (item >= PD_BAR_TOOLS)
        pd_session_choose_material(session, item - PD_BAR_TOOLS);
    else if (item >= 0 && (item != (int)session->tool || pd_bar_choices(session->tool) > 0))
        pd_session_choose_tool(session, (pd_bar_tool)item);
    return true;
}

/* In the middle of the left side, clear of the numbers. Materials without room are left to the key. */
static void place(const pd_screen *screen) {
    pd_viewport *viewport = screen->viewport;
    pd_toolbar *bar = &viewport->toolbar;
    float width = BUTTON + 2 * PADDING, tall = ui_height(screen->gui), top = THEME_EDGE, foot = tall - THEME_EDGE;
    for (int i = 0; i < viewport->hud.plate_count; i++) {
        const pd_plate *other = &viewport->hud.plates[i];
        bool beside = other->x < THEME_EDGE + width + THEME_GAP;
        if (beside && other->y < 0.5f * tall) top = fmaxf(top, other->y + other->height + THEME_GAP);
    }
    float step = SWATCH + SWATCH_GAP, spare = SWATCH_GAP + (float)SPARE_ROWS * step;
    bar->columns = foot - top >= tools_height(1) + spare ? 1 : 2;
    float tools = tools_height(bar->columns);
    width = (float)bar->columns * (BUTTON + SPACE) - SPACE + 2 * PADDING;
    bar->shown = foot - top >= tools && ui_width(screen->gui) - pd_panel_cover(screen) >= LEAST_ROOM;
    bar->swatch_rows = swatch_rows(screen->session);
    while (bar->swatch_rows > 0 && tools + SWATCH_GAP + (float)bar->swatch_rows * step > foot - top) bar->swatch_rows--;
    float height = tools + (bar->swatch_rows > 0 ? SWATCH_GAP + (float)bar->swatch_rows * step : 0);
    float y = fmaxf(0.5f * (tall - tools), top); /* the buttons stay where they are when swatches come */
    bar->plate = (pd_plate){THEME_EDGE, fmaxf(fminf(y, foot - height), top), width, height};
}

static void draw_button(const pd_screen *screen, int tool, bool hovered) {
    pd_plate b = button_of(&screen->viewport->toolbar, tool);
    bool chosen = (int)screen->session->tool == tool;
    ui *gui = screen->gui;
    if (chosen || hovered) ui_box(gui, b.x, b.y, b.width, b.height, 7, THEME_ACCENT, chosen ? 0.32f : 0.14f);
    if (chosen) ui_box(gui, b.x - PADDING + 1, b.y + 8, 2.5f, b.height - 16, 1.2f, THEME_ACCENT, 1);
    ui_add_target(gui, pd_bar_row_of((pd_bar_tool)tool)->name, b.x, b.y, b.width, b.height);
    pd_icon_draw(screen, (pd_bar_tool)tool, b.x + 0.5f * b.width, b.y + 0.5f * b.height);
}

/* A box that is larger than a swatch on all sides. */
static void draw_rim(ui *gui, const pd_plate *s, float rim, const float rgb[3], float opacity) {
    ui_box(gui, s->x - rim, s->y - rim, s->width + 2 * rim, s->height + 2 * rim, 4 + rim, rgb, opacity);
}

static void draw_swatch(const pd_screen *screen, int material, bool hovered) {
    pd_plate s = swatch_of(&screen->viewport->toolbar, material);
    float rgb[3], rim = pd_session_poured(screen->session) == material ? 2 : hovered ? 1 : 0;
    ui *gui = screen->gui;
    char name[UI_TARGET_NAME];
    snprintf(name, sizeof name, "Swatch: %s", pd_world_scene(screen->session->world)->materials[material].name);
    ui_add_target(gui, name, s.x, s.y, s.width, s.height);
    pd_viewport_material_colour(screen->viewport, material, rgb);
    if (rim > 0) { /* apart from the colour, which may be as light */
        draw_rim(gui, &s, rim + GAP_IN_RIM, THEME_INK, 1);
        draw_rim(gui, &s, GAP_IN_RIM, THEME_PLATE, 1);
    } else { /* the colour may be as dark as the bar */
        draw_rim(gui, &s, 0.75f, THEME_INK, 0.22f);
    }
    draw_rim(gui, &s, 0, rgb, 1);
}

static void draw_more(const pd_screen *screen, bool hovered) {
    pd_plate s = place_of(&screen->viewport->toolbar, screen->session, MORE);
    float x = s.x + 0.5f * s.width, y = s.y + 0.5f * s.height;
    ui_add_target(screen->gui, "Materials", s.x, s.y, s.width, s.height);
    draw_rim(screen->gui, &s, 0, THEME_ACCENT, hovered ? 0.40f : 0.20f);
    ui_line(screen->gui, x - 3.5f, y, x + 3.5f, y, 1.6f, THEME_INK, 1);
    ui_line(screen->gui, x, y - 3.5f, x, y + 3.5f, 1.6f, THEME_INK, 1);
}

/* "Pour water" and its key, beside the bar. */
static void draw_name(const pd_screen *screen, int item) {
    const pd_toolbar *bar = &screen->viewport->toolbar;
    const pd_session *session = screen->session;
    ui *gui = screen->gui;
    char text[PD_TOOL_TEXT] = "Materials";
    const char *cap = item == MORE ? pd_key_of(PD_ACTION_MATERIALS) : "";
    if (item < PD_BAR_TOOLS) {
        pd_session_tool_text(session, (pd_bar_tool)item, pd_session_poured(session), text);
        cap = pd_bar_key((pd_bar_tool)item);
    } else if (item != MORE) {
        pd_session_tool_text(session, session->tool, item - PD_BAR_TOOLS, text);
    }
    float width = ui_text_width(gui, UI_SMALL, text), line = ui_line_height(gui, UI_SMALL), gap = 10;
    float key = *cap ? ui_text_width(gui, UI_SMALL, cap) : 0;
    pd_plate place = place_of(bar, session, item);
    float x = THEME_EDGE + bar->plate.width + THEME_GAP, y = place.y + 0.5f * (place.height - line);
    ui_set_layer(gui, UI_ABOVE);
    ui_plate(gui, x, y - 6, width + (key > 0 ? gap + key : 0) + 20, line + 12, THEME_DENSE);
    ui_text(gui, x + 10, y, UI_SMALL, UI_STRONG, 1, 0, text);
    if (key > 0) ui_text(gui, x + 10 + width + gap, y, UI_SMALL, UI_QUIET, 1, 0, cap);
}

static void draw(pd_screen *screen) {
    const pd_toolbar *bar = &screen->viewport->toolbar;
    if (!screen->viewport->panel) return;
    place(screen);
    if (!bar->shown) return;
    int hovered = pd_plate_hovered(screen, &pd_toolbar_layer, &bar->plate) ? item_at_pointer(screen) : -1;
    ui_set_layer(screen->gui, UI_BELOW);
    pd_plate_draw(screen, &bar->plate, THEME_OPACITY);
    for (int tool = 0; tool < PD_BAR_TOOLS; tool++) draw_button(screen, tool, hovered == tool);
    for (int m = 0; m < swatch_count(bar, screen->session); m++) draw_swatch(screen, m, hovered == PD_BAR_TOOLS + m);
    if (bar->swatch_rows > 0) draw_more(screen, hovered == MORE);
    if (hovered >= 0) draw_name(screen, hovered);
}

const pd_layer pd_toolbar_layer = {.covers = covers, .press = press, .draw = draw};
