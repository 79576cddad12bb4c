/* The tool bar at the left: buttons of the tools and of the palette of materials, and swatches of the materials that pour. */
#include "app/overlay/interface.h"

#include "core/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float BUTTON = 34, PADDING = 4, SPACE = 2; /* units: side of a button, inner margin, gap between buttons */
static const float SWATCH = 16;      /* units: side of a swatch; two and the gap are as wide as a button */
static const float SWATCHES_GAP = 8; /* units: between buttons and swatches */
static const float LEAST_ROOM = 240; /* units: least width beside the panel for a bar */

/* Returns the number of swatches: one for each material if the tool uses one. */
static int swatch_count(const pd_session *session) {
    return pd_bar_tool_row(session->tool)->needs_material ? pd_world_scene(session->world)->material_count : 0;
}

/* Returns the height of the buttons in this number of columns. The last button opens the palette of materials. */
static float tools_height(int columns) {
    return (float)(PD_BAR_TOOLS / columns + 1) * (BUTTON + SPACE) - SPACE + 2 * PADDING;
}

/* Returns the height of this number of rows of swatches, with the gap above. */
static float swatches_height(int rows) { return rows > 0 ? SWATCHES_GAP + (float)rows * (SWATCH + SPACE) - SPACE : 0; }

float pd_toolbar_width(const pd_viewport *viewport) {
    return viewport->bars && viewport->toolbar.shown ? THEME_EDGE + viewport->toolbar.plate.width : 0;
}

void pd_toolbar_update_place(const pd_screen *screen) {
    pd_viewport *viewport = screen->viewport;
    pd_toolbar *bar = &viewport->toolbar;
    float window = (float)screen->display->height / screen->display->scale;
    float top = pd_panes_top(screen) + THEME_EDGE, foot = window - pd_panes_bottom(screen) - THEME_EDGE;
    int rows = (swatch_count(screen->session) + 1) / 2;
    bar->columns = foot - top >= tools_height(1) + swatches_height(1) ? 1 : foot - top >= tools_height(2) ? 2 : 3;
    float tools = tools_height(bar->columns), width = (float)bar->columns * (BUTTON + SPACE) - SPACE + 2 * PADDING;
    bar->shown = foot - top >= tools && pd_panes_end(screen) >= LEAST_ROOM;
    while (rows > 0 && tools + swatches_height(rows) > foot - top) rows--;
    bar->swatches = (int)fminf((float)swatch_count(screen->session), (float)(2 * rows));
    float height = tools + swatches_height(rows);
    float y = fmaxf(0.5f * (top + foot - tools), top); /* buttons do not move when swatches are added */
    bar->plate = (pd_plate){THEME_EDGE, fmaxf(fminf(y, foot - height), top), width, height};
}

/* Writes the line about the other choices of a tool: "Click again: box, polygon". Without choices writes "". */
static const char *write_other_choices(const pd_session *session, pd_bar_tool tool, char *text, size_t size) {
    int count = pd_bar_tool_choice_count(tool);
    *text = '\0';
    for (int k = 1; k < count; k++)
        pd_text_append(text, size, "%s%s", k == 1 ? "\nClick again: " : ", ",
                       pd_bar_tool_row(tool)->choices[(session->choice[tool] + k) % count]);
    return text;
}

/* Draws the button of a tool. */
static void draw_tool(const pd_screen *screen, pd_bar_tool tool) {
    pd_session *session = screen->session;
    char text[PD_TOOL_TEXT], others[64], help[PD_TOOL_TEXT + 160];
    pd_session_tool_name(session, tool, pd_session_poured_material(session), text);
    const char *about = pd_bar_tool_row(tool)->about;
    snprintf(help, sizeof help, "%s%s%s%s\nKey: %s", text, about ? "\n" : "", about ? about : "",
             write_other_choices(session, tool, others, sizeof others), pd_bar_tool_key_name(tool));
    ui_push push = {.name = pd_bar_tool_row(tool)->name,
                    .help = help,
                    .width = BUTTON,
                    .height = BUTTON,
                    .chosen = session->tool == tool};
    bool pressed = ui_draw_push_button(screen->gui, &push);
    ui_set_layer(screen->gui, UI_INSIDE);
    pd_icon_draw(screen, tool, push.x, push.y);
    if (pressed && (tool != session->tool || pd_bar_tool_choice_count(tool) > 0)) pd_session_select_tool(session, tool);
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
                    .width = SWATCH,
                    .height = SWATCH,
                    .rgb = rgb,
                    .chosen = pd_session_poured_material(session) == material};
    if (ui_draw_push_button(screen->gui, &push)) pd_session_select_poured_material(session, material);
}

/* Draws the button of the palette of materials. */
static void draw_materials(pd_screen *screen) {
    const pd_key *row = pd_key_of_action(PD_ACTION_MATERIALS);
    char help[96], keys[48];
    snprintf(help, sizeof help, "%s\n%s", row->help, pd_key_write_names(row, keys, sizeof keys));
    ui_push push = {.name = "More materials",
                    .help = screen->viewport->material_palette.open ? NULL : help,
                    .width = BUTTON,
                    .height = BUTTON,
                    .chosen = screen->viewport->material_palette.open};
    if (ui_draw_push_button(screen->gui, &push)) screen->action = PD_ACTION_MATERIALS;
    ui_set_layer(screen->gui, UI_INSIDE);
    pd_icon_draw_action(screen, PD_ACTION_MATERIALS, push.x, push.y);
}

static void draw(pd_screen *screen) {
    const pd_toolbar *bar = &screen->viewport->toolbar;
    const pd_plate *plate = &bar->plate;
    pd_toolbar_update_place(screen);
    if (pd_toolbar_width(screen->viewport) <= 0) return;
    pd_plate_add(screen->viewport, plate);
    ui_window_begin(screen->gui, "tools", plate->x, plate->y, plate->width, plate->height, PADDING,
                    pd_bar_opacity(screen->viewport));
    ui_set_widget_spacing(screen->gui, SPACE);
    for (int tool = 0; tool < PD_BAR_TOOLS; tool++) {
        if (tool % bar->columns) ui_same_line(screen->gui, SPACE);
        draw_tool(screen, (pd_bar_tool)tool);
    }
    draw_materials(screen);
    if (bar->swatches > 0) ui_add_space(screen->gui, SWATCHES_GAP - 2 * SPACE);
    for (int i = 0; i < bar->swatches; i++) {
        if (i % 2) ui_same_line(screen->gui, SPACE);
        draw_swatch(screen, i);
    }
    ui_window_end(screen->gui);
}

const pd_layer pd_toolbar_layer = {.draw = draw};
