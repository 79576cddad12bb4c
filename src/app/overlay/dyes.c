/* Dyes that a left drag paints: their row in the panel, and the coloured circle at the pointer. */
#include "app/overlay/interface.h"

void pd_panel_draw_dyes(const pd_screen *screen) {
    pd_session *session = screen->session;
    const pd_scene *scene = pd_world_scene(session->world);
    if (!pd_world_method(session->world)->paints || scene->material_count == 0) return;
    float colours[PD_MAX_MATERIALS][3];
    char numbers[PD_MAX_MATERIALS][16];
    const char *names[PD_MAX_MATERIALS];
    for (int m = 0; m < scene->material_count; m++) {
        pd_viewport_compute_material_colour(screen->viewport, m, colours[m]);
        names[m] = pd_session_material_name(session, m, numbers[m], sizeof numbers[m]);
    }
    int chosen = pd_session_painted_material(session);
    if (ui_choose_colour(screen->gui, "Drag with dye", "Dye that a left drag leaves in the fluid, or none (D)", colours,
                         names, scene->material_count, &chosen) == UI_MOVED)
        pd_session_set_painted_material(session, chosen);
}

bool pd_brush_paints(const pd_screen *screen) {
    pd_tool_kind held = screen->pointer->held_tool;
    if (held == PD_TOOL_NONE) held = pd_session_tool_kind(screen->session);
    return pd_session_painted_material(screen->session) >= 0 && held == PD_TOOL_DRAG;
}

static void draw(pd_screen *screen) {
    if (!pd_brush_paints(screen) || !pd_layers_show_tool(screen)) return;
    float scale = screen->display->scale, rgb[3];
    pd_viewport_compute_material_colour(screen->viewport, pd_session_painted_material(screen->session), rgb);
    ui_set_layer(screen->gui, UI_BELOW);
    for (int pane = 0; pane < pd_panes_count(screen); pane++) {
        pd_camera camera = pd_panes_camera(screen, pane);
        float radius = pd_pointer_tool_radius(screen->pointer) * camera.pixels_per_metre / scale;
        pd_vec2 center = pd_camera_world_to_pixels(&camera, screen->pointer->position);
        float x = center.x / scale, y = center.y / scale;
        ui_draw_ring(screen->gui, x, y, radius, 4, THEME_DARK, 0.4f); /* dark rim, for dye of the ring's colour */
        ui_draw_ring(screen->gui, x, y, radius, 2, rgb, 0.95f);
    }
}

const pd_layer pd_brush_layer = {.draw = draw};
