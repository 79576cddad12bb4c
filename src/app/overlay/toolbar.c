/* The tool bar: what the left button does, and the material that pours. It is open with the panel, and the picture is shown
 * beside it; where a window has no room for it, the keys are left. */
#include "app/overlay/interface.h"

#include "app/session/materials.h"
#include <math.h>
#include <stdio.h>

static const float EDGE = 10, GAP = 8;                  /* units: from the window, from other plates */
static const float BUTTON = 34, PADDING = 4, SPACE = 2; /* units */
static const float SWATCH = 14, SWATCH_GAP = 6;         /* units: two in a row are as wide as a button */
static const int SPARE_ROWS = 2;                        /* of swatches: a bar without room for them has two columns */
static const float LEAST_ROOM = 140;                    /* units of width beside the panel */
static const float PLATE = 1.1f;                        /* opacity, as of the numbers */
static const float GAP_IN_RIM = 1;                      /* units: between a swatch and its rim */
static const float ground[3] = {0.045f, 0.055f, 0.085f};
static const float ink[3] = {0.86f, 0.89f, 0.97f}, accent[3] = {0.56f, 0.70f, 1.00f};

static int materials_of(const pd_session *session) {
    return pd_bar_row_of(session->tool)->material ? pd_world_scene(session->world)->material_count : 0;
}

/* Behind the swatches is the field that opens the palette of materials. */
static int swatch_rows(const pd_session *session) { return (materials_of(session) + 2) / 2; }

enum { MORE = PD_BAR_TOOLS + PD_MAX_MATERIALS }; /* that field, as an item */

/* The number of materials that have swatches: all, or as many as leave room for the field behind them. */
static int swatch_count(const pd_toolbar *bar, const pd_session *session) {
    int materials = materials_of(session), most = 2 * bar->swatch_rows - 1;
    return materials < most ? materials : most;
}

/* Of all buttons, in so many columns. */
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

/* The tool at a place, or PD_BAR_TOOLS and the number of a material, or MORE; -1: nothing is there. */
static int item_at(const pd_viewport *viewport, const pd_session *session, float x, float y) {
    const pd_toolbar *bar = &viewport->toolbar;
    for (int tool = 0; tool < PD_BAR_TOOLS; tool++) {
        pd_plate place = button_of(bar, tool);
        if (pd_plate_contains(&place, x, y)) return tool;
    }
    int swatches = swatch_count(bar, session);
    for (int m = 0; m <= swatches; m++) {
        pd_plate place = swatch_of(bar, m);
        if (pd_plate_contains(&place, x, y)) return m < swatches ? PD_BAR_TOOLS + m : MORE;
    }
    return -1;
}

float pd_toolbar_cover(const pd_viewport *viewport) {
    return viewport->panel && viewport->toolbar.shown ? EDGE + viewport->toolbar.plate.width : 0;
}

bool pd_toolbar_covers(const pd_viewport *viewport, const pd_display *display, float pixel_x, float pixel_y) {
    return pd_toolbar_cover(viewport) > 0 &&
           pd_plate_contains(&viewport->toolbar.plate, pixel_x / display->scale, pixel_y / display->scale);
}

void pd_toolbar_press(pd_viewport *viewport, pd_session *session, const pd_display *display, float pixel_x,
                      float pixel_y) {
    int item = item_at(viewport, session, pixel_x / display->scale, pixel_y / display->scale);
    if (item == MORE)
        viewport->material_palette.open = true;
    else if (item >= PD_BAR_TOOLS)
        pd_session_choose_material(session, item - PD_BAR_TOOLS);
    else if (item >= 0 && (item != (int)session->tool || pd_bar_choices(session->tool) > 0))
        pd_session_choose_tool(session, (pd_bar_tool)item);
}

/* In the middle of the left side, clear of the numbers. Materials without room are left to the key. */
static void place(pd_viewport *viewport, const pd_session *session, const ui *gui) {
    pd_toolbar *bar = &viewport->toolbar;
    float width = BUTTON + 2 * PADDING, top = EDGE, foot = ui_height(gui) - EDGE;
    for (int i = 0; i < viewport->hud.plate_count; i++) {
        const pd_plate *other = &viewport->hud.plates[i];
        bool beside = other->x < EDGE + width + GAP;
        if (beside && other->y < 0.5f * ui_height(gui)) top = fmaxf(top, other->y + other->height + GAP);
    }
    float step = SWATCH + SWATCH_GAP, spare = SWATCH_GAP + (float)SPARE_ROWS * step;
    bar->columns = foot - top >= tools_height(1) + spare ? 1 : 2;
    float tools = tools_height(bar->columns);
    width = (float)bar->columns * (BUTTON + SPACE) - SPACE + 2 * PADDING;
    bar->shown = foot - top >= tools && ui_width(gui) - pd_panel_cover(viewport) >= LEAST_ROOM;
    bar->swatch_rows = swatch_rows(session);
    while (bar->swatch_rows > 0 && tools + SWATCH_GAP + (float)bar->swatch_rows * step > foot - top) bar->swatch_rows--;
    float height = tools + (bar->swatch_rows > 0 ? SWATCH_GAP + (float)bar->swatch_rows * step : 0);
    float y = fmaxf(0.5f * (ui_height(gui) - tools), top); /* the buttons stay where they are when swatches come */
    bar->plate = (pd_plate){EDGE, fmaxf(fminf(y, foot - height), top), width, height};
}

static void draw_button(const pd_viewport *viewport, const pd_session *session, ui *gui, int tool, bool hovered) {
    pd_plate b = button_of(&viewport->toolbar, tool);
    bool chosen = (int)session->tool == tool;
    if (chosen || hovered) ui_box(gui, b.x, b.y, b.width, b.height, 7, accent, chosen ? 0.32f : 0.14f);
    if (chosen) ui_box(gui, b.x - PADDING + 1, b.y + 8, 2.5f, b.height - 16, 1.2f, accent, 1);
    ui_add_target(gui, pd_bar_row_of((pd_bar_tool)tool)->name, b.x, b.y, b.width, b.height);
    pd_icon_draw(viewport, session, gui, (pd_bar_tool)tool, b.x + 0.5f * b.width, b.y + 0.5f * b.height);
}

static void draw_swatch(const pd_viewport *viewport, const pd_session *session, ui *gui, int material, bool hovered) {
    pd_plate s = swatch_of(&viewport->toolbar, material);
    float rgb[3], rim = pd_session_poured(session) == material ? 2 : hovered ? 1 : 0;
    char name[UI_TARGET_NAME];
    snprintf(name, sizeof name, "Swatch: %s", pd_world_scene(session->world)->materials[material].name);
    ui_add_target(gui, name, s.x, s.y, s.width, s.height);
    pd_viewport_material_colour(viewport, material, rgb);
    if (rim > 0) { /* apart from the colour, which may be as light */
        rim += GAP_IN_RIM;
        ui_box(gui, s.x - rim, s.y - rim, s.width + 2 * rim, s.height + 2 * rim, 4 + rim, ink, 1);
        rim = GAP_IN_RIM;
        ui_box(gui, s.x - rim, s.y - rim, s.width + 2 * rim, s.height + 2 * rim, 4 + rim, ground, 1);
    } else { /* the colour may be as dark as the bar */
        ui_box(gui, s.x - 0.75f, s.y - 0.75f, s.width + 1.5f, s.height + 1.5f, 4.75f, ink, 0.22f);
    }
    ui_box(gui, s.x, s.y, s.width, s.height, 4, rgb, 1);
}

static void draw_more(const pd_toolbar *bar, const pd_session *session, ui *gui, bool hovered) {
    pd_plate s = swatch_of(bar, swatch_count(bar, session));
    float x = s.x + 0.5f * s.width, y = s.y + 0.5f * s.height;
    ui_add_target(gui, "Materials", s.x, s.y, s.width, s.height);
    ui_box(gui, s.x, s.y, s.width, s.height, 4, accent, hovered ? 0.40f : 0.20f);
    ui_line(gui, x - 3.5f, y, x + 3.5f, y, 1.6f, ink, 1);
    ui_line(gui, x, y - 3.5f, x, y + 3.5f, 1.6f, ink, 1);
}

/* "Pour water" and its key, beside the bar. */
static void draw_name(const pd_viewport *viewport, const pd_session *session, ui *gui, int item) {
    char text[PD_TOOL_TEXT];
    float width, line, key = 0, gap = 10;
    pd_bar_tool tool = item < PD_BAR_TOOLS ? (pd_bar_tool)item : session->tool;
    int material = item < PD_BAR_TOOLS || item == MORE ? pd_session_poured(session) : item - PD_BAR_TOOLS;
    pd_session_tool_text(session, tool, material, text);
    pd_plate place =
        item < PD_BAR_TOOLS ? button_of(&viewport->toolbar, item) : swatch_of(&viewport->toolbar, material);
    const char *cap = item < PD_BAR_TOOLS ? pd_bar_key((pd_bar_tool)tool)
                      : item == MORE      ? pd_key_of(PD_ACTION_MATERIALS, 0)
                                          : "";
    if (item == MORE) {
        snprintf(text, sizeof text, "Materials");
        place = swatch_of(&viewport->toolbar, swatch_count(&viewport->toolbar, session));
    }
    ui_measure(gui, UI_SMALL, text, 0, &width, &line);
    if (*cap) ui_measure(gui, UI_SMALL, cap, 0, &key, NULL);
    float x = EDGE + viewport->toolbar.plate.width + GAP, y = place.y + 0.5f * (place.height - line);
    ui_set_layer(gui, UI_ABOVE);
    ui_plate(gui, x, y - 6, width + (key > 0 ? gap + key : 0) + 20, line + 12, 1.15f); /* as dense as a plate can be */
    ui_text(gui, x + 10, y, UI_SMALL, UI_STRONG, 1, 0, text);
    if (key > 0) ui_text(gui, x + 10 + width + gap, y, UI_SMALL, UI_QUIET, 1, 0, cap);
}

void pd_toolbar_draw(pd_viewport *viewport, const pd_session *session, ui *gui, const pd_pointer *pointer,
                     const pd_display *display) {
    if (!viewport->panel) return;
    place(viewport, session, gui);
    const pd_toolbar *bar = &viewport->toolbar;
    if (!bar->shown) return;
    bool free = pointer->present && !pd_pointer_is_busy(pointer) && !viewport->help && !viewport->material_palette.open;
    float x = pointer->pixel_x / display->scale, y = pointer->pixel_y / display->scale;
    int hovered = free ? item_at(viewport, session, x, y) : -1;
    ui_set_layer(gui, UI_BELOW);
    pd_plate_draw(viewport, gui, bar->plate.x, bar->plate.y, bar->plate.width, bar->plate.height, PLATE);
    for (int tool = 0; tool < PD_BAR_TOOLS; tool++) draw_button(viewport, session, gui, tool, hovered == tool);
    for (int m = 0; m < swatch_count(bar, session); m++)
        draw_swatch(viewport, session, gui, m, hovered == PD_BAR_TOOLS + m);
    if (bar->swatch_rows > 0) draw_more(bar, session, gui, hovered == MORE);
    if (hovered >= 0) draw_name(viewport, session, gui, hovered);
}
