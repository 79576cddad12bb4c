/* The tool bar at the left: buttons of the tools and of the palette of materials, and swatches of the materials that pour. */
#include "app/overlay/interface.h"

#include "core/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

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

static void draw(pd_screen *screen) {
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

const pd_layer pd_toolbar_layer = {.draw = draw};
