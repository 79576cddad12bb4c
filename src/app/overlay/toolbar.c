/* The tool bar at the left: buttons of the tools, and swatches of the materials that pour. It is shown if the
 * window has room. */
#include "app/overlay/interface.h"

#include "app/session/materials.h"
#include <math.h>
#include <stdio.h>

static const float BUTTON = 34, PADDING = 4, SPACE = 2; /* units: side of a button, inner margin, gap between buttons */
static const float SWATCH = 14, SWATCH_GAP = 6; /* units: side of a swatch and gap; two are as wide as a button */
static const int SPARE_ROWS = 2;                /* rows of swatches without room for which the bar has two columns */
static const float LEAST_ROOM = 140;            /* units: least width beside the panel for a bar */
static const float GAP_IN_RIM = 1;              /* units: gap between a swatch and its rim */

static int material_count(const pd_session *session) {
    return pd_bar_row_of(session->tool)->needs_material ? pd_world_scene(session->world)->material_count : 0;
}

/* Returns the rows for all swatches and the button "more", which opens the palette of materials. */
static int swatch_rows(const pd_session *session) { return (material_count(session) + 2) / 2; }

enum { MORE = PD_BAR_TOOLS + PD_MAX_MATERIALS }; /* item: the button "more" */

/* Returns the number of materials with swatches: all, or as many as have room beside the button "more". */
static int swatch_count(const pd_toolbar *bar, const pd_session *session) {
    int materials = material_count(session), most = 2 * bar->swatch_rows - 1;
    return materials < most ? materials : most;
}

/* Returns the height of the buttons in this number of columns. */
static float tools_height(int columns) {
    return (float)((PD_BAR_TOOLS + columns - 1) / columns) * (BUTTON + SPACE) - SPACE + 2 * PADDING;
}

static pd_plate place_of_button(const pd_toolbar *bar, int tool) {
    int row = tool / bar->columns, column = tool % bar->columns;
    return (pd_plate){bar->plate.x + PADDING + (float)column * (BUTTON + SPACE),
                      bar->plate.y + PADDING + (float)row * (BUTTON + SPACE), BUTTON, BUTTON};
}

static pd_plate place_of_swatch(const pd_toolbar *bar, int material) {
    float top = bar->plate.y + tools_height(bar->columns) - PADDING + SPACE + SWATCH_GAP, step = SWATCH + SWATCH_GAP;
    return (pd_plate){bar->plate.x + PADDING + (float)(material % 2) * step, top + (float)(material / 2) * step, SWATCH,
                      SWATCH};
}

/* Returns the place of an item: a tool, PD_BAR_TOOLS + a material, or MORE. */
static pd_plate place_of(const pd_toolbar *bar, const pd_session *session, int item) {
    if (item < PD_BAR_TOOLS) return place_of_button(bar, item);
    return place_of_swatch(bar, item == MORE ? swatch_count(bar, session) : item - PD_BAR_TOOLS);
}

/* Returns the item at the pointer. -1: none. */
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

float pd_toolbar_width(const pd_viewport *viewport) {
    return viewport->bars && viewport->toolbar.shown ? THEME_EDGE + viewport->toolbar.plate.width : 0;
}

static bool covers_pointer(const pd_screen *screen) {
    return pd_toolbar_width(screen->viewport) > 0 &&
           pd_plate_contains(&screen->viewport->toolbar.plate, screen->x, screen->y);
}

static bool handle_press(pd_screen *screen, bool left) {
    pd_session *session = screen->session;
    if (!covers_pointer(screen)) return false;
    int item = left ? item_at_pointer(screen) : -1;
    if (item == MORE)
        screen->viewport->material_palette.open = true;
    else if (item >= PD_BAR_TOOLS)
        pd_session_choose_material(session, item - PD_BAR_TOOLS);
    else if (item >= 0 && (item != (int)session->tool || pd_bar_choice_count(session->tool) > 0))
        pd_session_choose_tool(session, (pd_bar_tool)item);
    return true;
}

/* Sets the place of the bar: in the middle of the left side, below the numbers. Materials without room have no swatch. */
static void update_place(const pd_screen *screen) {
    pd_viewport *viewport = screen->viewport;
    pd_toolbar *bar = &viewport->toolbar;
    float width = BUTTON + 2 * PADDING, tall = ui_height(screen->gui), top = pd_bar_height(viewport) + THEME_EDGE,
          foot = tall - THEME_EDGE;
    for (int i = 0; i < viewport->hud.plate_count; i++) {
        const pd_plate *other = &viewport->hud.plates[i];
        bool beside = other->x < THEME_EDGE + width + THEME_GAP;
        if (beside && other->y < 0.5f * tall) top = fmaxf(top, other->y + other->height + THEME_GAP);
    }
    float step = SWATCH + SWATCH_GAP, spare = SWATCH_GAP + (float)SPARE_ROWS * step;
    bar->columns = foot - top >= tools_height(1) + spare ? 1 : 2;
    float tools = tools_height(bar->columns);
    width = (float)bar->columns * (BUTTON + SPACE) - SPACE + 2 * PADDING;
    bar->shown = foot - top >= tools && ui_width(screen->gui) - pd_panel_width(screen) >= LEAST_ROOM;
    bar->swatch_rows = swatch_rows(screen->session);
    while (bar->swatch_rows > 0 && tools + SWATCH_GAP + (float)bar->swatch_rows * step > foot - top) bar->swatch_rows--;
    float height = tools + (bar->swatch_rows > 0 ? SWATCH_GAP + (float)bar->swatch_rows * step : 0);
    float y = fmaxf(0.5f * (tall - tools), top); /* buttons do not move when swatches are added */
    bar->plate = (pd_plate){THEME_EDGE, fmaxf(fminf(y, foot - height), top), width, height};
}

static void draw_button(const pd_screen *screen, int tool, bool hovered) {
    pd_plate b = place_of_button(&screen->viewport->toolbar, tool);
    bool chosen = (int)screen->session->tool == tool;
    ui *gui = screen->gui;
    if (chosen || hovered) ui_draw_box(gui, b.x, b.y, b.width, b.height, 7, THEME_ACCENT, chosen ? 0.32f : 0.14f);
    if (chosen) ui_draw_box(gui, b.x - PADDING + 1, b.y + 8, 2.5f, b.height - 16, 1.2f, THEME_ACCENT, 1);
    ui_add_target(gui, pd_bar_row_of((pd_bar_tool)tool)->name, b.x, b.y, b.width, b.height);
    pd_icon_draw(screen, (pd_bar_tool)tool, b.x + 0.5f * b.width, b.y + 0.5f * b.height);
}

/* Draws a box that is larger than a swatch by `rim` on all sides. */
static void draw_rim(ui *gui, const pd_plate *s, float rim, const float rgb[3], float opacity) {
    ui_draw_box(gui, s->x - rim, s->y - rim, s->width + 2 * rim, s->height + 2 * rim, 4 + rim, rgb, opacity);
}

static void draw_swatch(const pd_screen *screen, int material, bool hovered) {
    pd_plate s = place_of_swatch(&screen->viewport->toolbar, material);
    float rgb[3], rim = pd_session_poured_material(screen->session) == material ? 2 : hovered ? 1 : 0;
    ui *gui = screen->gui;
    char name[UI_TARGET_NAME];
    snprintf(name, sizeof name, "Swatch: %s", pd_world_scene(screen->session->world)->materials[material].name);
    ui_add_target(gui, name, s.x, s.y, s.width, s.height);
    pd_viewport_material_colour(screen->viewport, material, rgb);
    if (rim > 0) { /* a gap separates the light rim from a light colour */
        draw_rim(gui, &s, rim + GAP_IN_RIM, THEME_INK, 1);
        draw_rim(gui, &s, GAP_IN_RIM, THEME_PLATE, 1);
    } else { /* a thin rim, for a colour as dark as the bar */
        draw_rim(gui, &s, 0.75f, THEME_INK, 0.22f);
    }
    draw_rim(gui, &s, 0, rgb, 1);
}

static void draw_more_button(const pd_screen *screen, bool hovered) {
    pd_plate s = place_of(&screen->viewport->toolbar, screen->session, MORE);
    float x = s.x + 0.5f * s.width, y = s.y + 0.5f * s.height;
    ui_add_target(screen->gui, "Materials", s.x, s.y, s.width, s.height);
    draw_rim(screen->gui, &s, 0, THEME_ACCENT, hovered ? 0.40f : 0.20f);
    ui_draw_line(screen->gui, x - 3.5f, y, x + 3.5f, y, 1.6f, THEME_INK, 1);
    ui_draw_line(screen->gui, x, y - 3.5f, x, y + 3.5f, 1.6f, THEME_INK, 1);
}

/* Draws the name of an item and its key beside the bar: "Pour water". */
static void draw_item_name(const pd_screen *screen, int item) {
    const pd_toolbar *bar = &screen->viewport->toolbar;
    const pd_session *session = screen->session;
    ui *gui = screen->gui;
    char text[PD_TOOL_TEXT] = "Materials";
    const char *cap = item == MORE ? pd_key_name_of_action(PD_ACTION_MATERIALS) : "";
    if (item < PD_BAR_TOOLS) {
        pd_session_tool_text(session, (pd_bar_tool)item, pd_session_poured_material(session), text);
        cap = pd_bar_key_name((pd_bar_tool)item);
    } else if (item != MORE) {
        pd_session_tool_text(session, session->tool, item - PD_BAR_TOOLS, text);
    }
    float width = ui_text_width(gui, UI_SMALL, text), line = ui_line_height(gui, UI_SMALL), gap = 10;
    float key = *cap ? ui_text_width(gui, UI_SMALL, cap) : 0;
    pd_plate place = place_of(bar, session, item);
    float x = THEME_EDGE + bar->plate.width + THEME_GAP, y = place.y + 0.5f * (place.height - line);
    ui_set_layer(gui, UI_ABOVE);
    ui_draw_plate(gui, x, y - 6, width + (key > 0 ? gap + key : 0) + 20, line + 12, THEME_DENSE);
    ui_draw_text(gui, x + 10, y, UI_SMALL, UI_STRONG, 1, 0, text);
    if (key > 0) ui_draw_text(gui, x + 10 + width + gap, y, UI_SMALL, UI_QUIET, 1, 0, cap);
}

static void draw(pd_screen *screen) {
    const pd_toolbar *bar = &screen->viewport->toolbar;
    if (!screen->viewport->bars) return;
    update_place(screen);
    if (!bar->shown) return;
    int hovered = pd_plate_is_hovered(screen, &pd_toolbar_layer, &bar->plate) ? item_at_pointer(screen) : -1;
    ui_set_layer(screen->gui, UI_BELOW);
    pd_plate_draw(screen, &bar->plate, THEME_OPACITY);
    for (int tool = 0; tool < PD_BAR_TOOLS; tool++) draw_button(screen, tool, hovered == tool);
    for (int m = 0; m < swatch_count(bar, screen->session); m++) draw_swatch(screen, m, hovered == PD_BAR_TOOLS + m);
    if (bar->swatch_rows > 0) draw_more_button(screen, hovered == MORE);
    if (hovered >= 0) draw_item_name(screen, hovered);
}

const pd_layer pd_toolbar_layer = {.covers_pointer = covers_pointer, .handle_press = handle_press, .draw = draw};
